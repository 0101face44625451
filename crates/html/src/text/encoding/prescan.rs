//! HTML standard, "prescan a byte stream to determine its encoding", in the standard's steps.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use memchr::memmem;

use crate::locate::html::tag::{self, Attributes};

/// The encoding that the first bytes declare: by a `meta` element, else by an XML declaration.
pub(super) fn prescan(bytes: &[u8]) -> Option<&'static Encoding> {
    // "Prescan for UTF-16 XML declarations": a document that starts `<?x` in UTF-16.
    if bytes.starts_with(b"<\0?\0x\0") {
        return Some(UTF_16LE);
    }
    if bytes.starts_with(b"\0<\0?\0x") {
        return Some(UTF_16BE);
    }
    meta(bytes).or_else(|| xml_declaration(bytes))
}

fn meta(bytes: &[u8]) -> Option<&'static Encoding> {
    let mut position = 0;
    while let Some(found) = memchr::memchr(b'<', bytes.get(position..)?) {
        position += found;
        let rest = &bytes[position..];
        if rest.starts_with(b"<!--") {
            // The two hyphens may be those of the opening: `<!-->` is a whole comment.
            position += 2 + memmem::find(&rest[2..], b"-->")?;
        } else if is_meta(rest) || is_tag(rest) {
            let ends = |&byte: &u8| byte.is_ascii_whitespace() || byte == b'>';
            let name_end = if is_meta(rest) {
                b"<meta".len()
            } else {
                rest.iter().position(ends)?
            };
            let mut attributes = Attributes::default();
            let end = tag::attributes(rest, name_end, |it| attributes.add(rest, it));
            if is_meta(rest)
                && let Some(encoding) = meta_encoding(rest, &attributes)
            {
                return Some(encoding);
            }
            position += end?.position - 1;
        } else if matches!(rest.get(1), Some(b'!' | b'/' | b'?')) {
            position += memchr::memchr(b'>', rest)?;
        }
        position += 1;
    }
    None
}

fn is_meta(rest: &[u8]) -> bool {
    let ends = |after: &[u8]| matches!(after, [b'\t' | b'\n' | b'\x0c' | b'\r' | b' ' | b'/', ..]);
    rest.split_at_checked(b"<meta".len())
        .is_some_and(|(tag, after)| tag.eq_ignore_ascii_case(b"<meta") && ends(after))
}

fn is_tag(rest: &[u8]) -> bool {
    let name = if rest.get(1) == Some(&b'/') { 2 } else { 1 };
    rest.get(name).is_some_and(u8::is_ascii_alphabetic)
}

/// The part of the prescan that runs through the attributes of one `meta`.
fn meta_encoding(tag: &[u8], attributes: &Attributes) -> Option<&'static Encoding> {
    let attribute = |name: &str| attributes.value(tag, name).map(Cow::Borrowed);
    match attribute("charset") {
        Some(label) => Encoding::for_label(&label),
        None => by_pragma(attribute),
    }
    .map(declared)
}

/// HTML standard, "in head", a start tag `meta`: the encoding that the element declares.
/// `attribute` gives the decoded value of an attribute.
pub(crate) fn declared_by_meta<'v>(
    attribute: impl Fn(&str) -> Option<Cow<'v, [u8]>>,
) -> Option<&'static Encoding> {
    attribute("charset")
        .and_then(|label| Encoding::for_label(&label))
        .or_else(|| by_pragma(attribute))
        .map(declared)
}

/// The encoding in the `content` of a `meta` element that stands for a `Content-Type` field.
fn by_pragma<'v>(attribute: impl Fn(&str) -> Option<Cow<'v, [u8]>>) -> Option<&'static Encoding> {
    attribute("http-equiv").filter(|pragma| pragma.eq_ignore_ascii_case(b"content-type"))?;
    from_content(&attribute("content")?.to_ascii_lowercase())
}

/// Bytes that spell `meta` cannot be UTF-16, and x-user-defined is a stand-in.
pub(crate) fn declared(encoding: &'static Encoding) -> &'static Encoding {
    if encoding == UTF_16LE || encoding == UTF_16BE {
        UTF_8
    } else if encoding == X_USER_DEFINED {
        WINDOWS_1252
    } else {
        encoding
    }
}

/// "Extracting a character encoding from a meta element", from a value in lower case.
fn from_content(content: &[u8]) -> Option<&'static Encoding> {
    let mut rest = content;
    loop {
        let found = memmem::find(rest, b"charset")?;
        rest = rest[found + b"charset".len()..].trim_ascii_start();
        if let Some(value) = rest.strip_prefix(b"=") {
            let value = value.trim_ascii_start();
            let label = match value.first()? {
                quote @ (b'"' | b'\'') => {
                    let end = memchr::memchr(*quote, &value[1..])?;
                    &value[1..=end]
                }
                _ => value
                    .split(|&byte| byte.is_ascii_whitespace() || byte == b';')
                    .next()?,
            };
            return Encoding::for_label(label);
        }
    }
}

/// "Get an XML encoding": the declaration has to be the very first thing.
pub(super) fn xml_declaration(bytes: &[u8]) -> Option<&'static Encoding> {
    let declaration = bytes.strip_prefix(b"<?xml")?;
    let declaration = &declaration[..memchr::memchr(b'>', declaration)?];
    let rest = &declaration[memmem::find(declaration, b"encoding")? + b"encoding".len()..];
    let rest = rest
        .trim_ascii_start()
        .strip_prefix(b"=")?
        .trim_ascii_start();
    let quote = *rest.first().filter(|byte| matches!(byte, b'"' | b'\''))?;
    let label = &rest[1..];
    let label = &label[..memchr::memchr(quote, label)?];
    // `for_label` would strip them.
    if label.iter().any(|&byte| byte <= b' ') {
        return None;
    }
    let encoding = Encoding::for_label(label)?;
    // Other than in a `meta`, x-user-defined is itself.
    let is_utf16 = encoding == UTF_16LE || encoding == UTF_16BE;
    Some(if is_utf16 { UTF_8 } else { encoding })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(document: &str, expected: Option<&str>) {
        assert_eq!(
            prescan(document.as_bytes()).map(Encoding::name),
            expected,
            "{document}"
        );
    }

    #[test]
    fn meta_in_its_forms() {
        check("<meta charset=shift_jis>", Some("Shift_JIS"));
        check("<META CHARSET = 'EUC-JP' />", Some("EUC-JP"));
        check(
            r#"<p a="<meta charset=big5>"><meta charset=gbk>"#,
            Some("GBK"),
        );
        check("<meta charset=nonsense><meta charset=gbk>", Some("GBK"));
        check("<meta charset=utf-16>", Some("UTF-8"));
        check("<meta charset=x-user-defined>", Some("windows-1252"));
        check("<meta charset=gbk charset=big5>", Some("GBK"));
        check("<metal charset=gbk>", None);
    }

    #[test]
    fn an_xml_declaration_means_other_encodings_than_a_meta_does() {
        check(
            "<?xml encoding='x-user-defined'?><p>",
            Some("x-user-defined"),
        );
        check("<?xml encoding='utf-16'?><p>", Some("UTF-8"));
        check("<?xml encoding='latin1'?><p>", Some("windows-1252"));
    }

    #[test]
    fn attributes_need_little_to_be_told_apart() {
        check("<meta a='b'charset=gbk>", Some("GBK"));
        check("<meta a/charset=gbk>", Some("GBK"));
        check("<meta = charset=gbk>", Some("GBK"));
        check("<p a><meta charset=gbk>", Some("GBK"));
    }

    #[test]
    fn what_is_no_tag_hides_nothing() {
        check("a < b <meta charset=gbk>", Some("GBK"));
        check("<p=\"<meta charset=gbk>", None);
    }

    #[test]
    fn the_pragma_is_needed_for_content() {
        let content = r#"content="text/html; charset=koi8-r""#;
        check(&format!("<meta {content}>"), None);
        check(
            &format!("<meta http-equiv=Content-Type {content}>"),
            Some("KOI8-R"),
        );
        check(
            &format!("<meta {content} http-equiv=content-type>"),
            Some("KOI8-R"),
        );
        for end in [";", "; a", " a"] {
            let content = format!("content='charset=koi8-r{end}'");
            check(
                &format!("<meta http-equiv=content-type {content}>"),
                Some("KOI8-R"),
            );
        }
        check(
            "<meta http-equiv=content-type content='charset charset=\"koi8-r\"'>",
            Some("KOI8-R"),
        );
    }

    #[test]
    fn comments_and_the_rest_are_skipped() {
        check(
            "<!-- <meta charset=gbk> --><meta charset=big5>",
            Some("Big5"),
        );
        check("<!--><meta charset=gbk>", Some("GBK"));
        check(
            "<!doctype html><?pi <x?></p x=y><meta charset=gbk>",
            Some("GBK"),
        );
        check("<!-- <meta charset=gbk>", None);
    }

    #[test]
    fn xml_declarations() {
        check(
            "<?xml version='1.0' encoding='iso-8859-2'?><p>",
            Some("ISO-8859-2"),
        );
        check("<?xml encoding='utf-16'?>", Some("UTF-8"));
        check("<?xml encoding='iso-8859-2 '?>", None);
        check("<?xml encoding='\niso-8859-2'?>", None);
        assert_eq!(prescan(b"<\0?\0x\0m\0"), Some(UTF_16LE));
        assert_eq!(prescan(b"\0<\0?\0x"), Some(UTF_16BE));
    }

    #[test]
    fn bytes_that_end_anywhere() {
        let document = b"<!--x--><meta a=b c='d' http-equiv=content-type content=\"charset='gbk'";
        for end in 0..document.len() {
            prescan(&document[..end]);
        }
    }
}
