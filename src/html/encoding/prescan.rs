//! HTML standard, "prescan a byte stream to determine its encoding", in the standard's steps.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use memchr::memmem;

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
            position += 2 + memmem::find(&rest[2..], b"-->")? + 2;
        } else if is_meta(rest) {
            let mut attributes = Attributes {
                bytes,
                position: position + 5,
            };
            if let Some(encoding) = meta_encoding(&mut attributes) {
                return Some(encoding);
            }
            position = attributes.position;
        } else if is_tag(rest) {
            let name_end = rest
                .iter()
                .position(|&byte| is_space(byte) || byte == b'>')?;
            let mut attributes = Attributes {
                bytes,
                position: position + name_end,
            };
            while attributes.next().is_some() {}
            position = attributes.position;
        } else if matches!(rest.get(1), Some(b'!' | b'/' | b'?')) {
            position += memchr::memchr(b'>', rest)?;
        }
        position += 1;
    }
    None
}

fn is_meta(rest: &[u8]) -> bool {
    rest.get(..5)
        .is_some_and(|tag| tag.eq_ignore_ascii_case(b"<meta"))
        && rest
            .get(5)
            .is_some_and(|&byte| is_space(byte) || byte == b'/')
}

fn is_tag(rest: &[u8]) -> bool {
    let name = if rest.get(1) == Some(&b'/') { 2 } else { 1 };
    rest.get(name).is_some_and(u8::is_ascii_alphabetic)
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\x0c' | b'\r' | b' ')
}

/// The part of the prescan that runs through the attributes of one `meta`.
fn meta_encoding(attributes: &mut Attributes<'_>) -> Option<&'static Encoding> {
    let mut seen: Vec<&[u8]> = Vec::new();
    let (mut got_pragma, mut need_pragma, mut charset) = (false, None, None);
    while let Some((name, value)) = attributes.next() {
        if seen.iter().any(|seen| seen.eq_ignore_ascii_case(name)) {
            continue;
        }
        if name.eq_ignore_ascii_case(b"http-equiv") {
            got_pragma |= value.eq_ignore_ascii_case(b"content-type");
        } else if name.eq_ignore_ascii_case(b"content") && charset.is_none() {
            if let Some(encoding) = from_content(&value.to_ascii_lowercase()) {
                charset = Some(Some(encoding));
                need_pragma = Some(true);
            }
        } else if name.eq_ignore_ascii_case(b"charset") {
            charset = Some(Encoding::for_label(value));
            need_pragma = Some(false);
        }
        seen.push(name);
    }
    if need_pragma? && !got_pragma {
        return None;
    }
    charset?.map(declared)
}

/// HTML standard, "in head", a start tag `meta`: the encoding that the element declares.
/// `attribute` gives the decoded value of an attribute.
pub(in crate::html) fn declared_by_meta<'v>(
    attribute: impl Fn(&str) -> Option<Cow<'v, [u8]>>,
) -> Option<&'static Encoding> {
    let by_pragma = || {
        attribute("http-equiv").filter(|pragma| pragma.eq_ignore_ascii_case(b"content-type"))?;
        from_content(&attribute("content")?.to_ascii_lowercase())
    };
    attribute("charset")
        .and_then(|label| Encoding::for_label(&label))
        .or_else(by_pragma)
        .map(declared)
}

/// UTF-16 cannot have been meant by bytes that spell `meta`, and x-user-defined is a stand-in.
fn declared(encoding: &'static Encoding) -> &'static Encoding {
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
                _ => value.split(|&byte| is_space(byte) || byte == b';').next()?,
            };
            return Encoding::for_label(label);
        }
    }
}

/// "Get an attribute", in the letter case of the source.
struct Attributes<'b> {
    bytes: &'b [u8],
    position: usize,
}

impl<'b> Attributes<'b> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.position).copied()
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(is_space) {
            self.position += 1;
        }
    }

    /// `None` at the tag's `>`, or where the bytes end.
    fn next(&mut self) -> Option<(&'b [u8], &'b [u8])> {
        while self
            .peek()
            .is_some_and(|byte| is_space(byte) || byte == b'/')
        {
            self.position += 1;
        }
        if self.peek()? == b'>' {
            return None;
        }
        let start = self.position;
        let name = loop {
            match self.peek()? {
                b'=' if self.position > start => break self.since(start),
                b'/' | b'>' => return Some((self.since(start), b"")),
                byte if is_space(byte) => {
                    let name = self.since(start);
                    self.skip_space();
                    if self.peek()? != b'=' {
                        return Some((name, b""));
                    }
                    break name;
                }
                _ => self.position += 1,
            }
        };
        self.position += 1;
        self.skip_space();
        match self.peek()? {
            quote @ (b'"' | b'\'') => {
                let start = self.position + 1;
                let length = memchr::memchr(quote, &self.bytes[start..])?;
                self.position = start + length + 1;
                Some((name, &self.bytes[start..start + length]))
            }
            _ => {
                let start = self.position;
                while !is_space(self.peek()?) && self.peek()? != b'>' {
                    self.position += 1;
                }
                Some((name, self.since(start)))
            }
        }
    }

    fn since(&self, start: usize) -> &'b [u8] {
        &self.bytes[start..self.position]
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
    Encoding::for_label(label).map(declared)
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
