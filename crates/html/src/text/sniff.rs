//! Whether bytes are HTML, by the MIME Sniffing Standard §7.1 ("identifying a resource with an
//! unknown MIME type"), as far as it leads to `text/html`.

/// How many bytes the standard looks at (§5.2, the resource header).
pub const HEADER: usize = 1445;

/// What an HTML document starts with, after whitespace, in any case; each is followed by a
/// tag-terminating byte.
const TAGS: &str =
    "!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p";

/// Whether the first bytes of a file are HTML.
pub fn is_html(bytes: &[u8]) -> bool {
    let header = &bytes[..bytes.len().min(HEADER)];
    // In the standard, text with a byte order mark is plain text, since servers label it; a file
    // has no label, and pages saved with a mark are HTML all the same.
    let header = header.strip_prefix(b"\xef\xbb\xbf").unwrap_or(header);
    let start = header
        .iter()
        .position(|byte| !matches!(byte, b'\t' | b'\n' | b'\x0c' | b'\r' | b' '))
        .unwrap_or(header.len());
    let header = &header[start..];
    header.strip_prefix(b"<").is_some_and(|tag| {
        let mut names = TAGS.split('|');
        tag.starts_with(b"!--") || names.any(|name| starts_with_name(tag, name, b" >"))
    })
}

/// Elements whose text is not markup in HTML, and which XML lets close themselves.
const RAW: [&str; 8] = [
    "title", "script", "style", "textarea", "iframe", "noscript", "noframes", "xmp",
];

/// The first element of raw text that closes itself in a document which begins like XML and is read as HTML: there its
/// text goes on to its next end tag. In SVG and MathML elements may do so.
pub fn closed_as_xml(document: &[u8]) -> Option<&'static str> {
    let start = document.strip_prefix(b"\xef\xbb\xbf").unwrap_or(document);
    if !start.trim_ascii_start().starts_with(b"<?xml") {
        return None;
    }
    let mut rest = start;
    while let Some(open) = memchr::memchr(b'<', rest) {
        rest = &rest[open + 1..];
        if rest.starts_with(b"!--") {
            rest = behind(rest, b"-->")?;
            continue;
        }
        let named = |name: &&&str| starts_with_name(rest, name, b"\t\n\x0c\r />");
        let foreign = ["svg", "math"].iter().find(named);
        let Some(name) = foreign.or_else(|| RAW.iter().find(named)) else {
            continue;
        };
        let end = memchr::memchr(b'>', rest)?;
        let closes_itself = rest[..end].ends_with(b"/");
        match (closes_itself, foreign) {
            (true, None) => return Some(name),
            (true, Some(_)) => {}
            (false, _) => rest = behind(rest, format!("</{name}").as_bytes())?,
        }
    }
    None
}

fn behind<'d>(text: &'d [u8], end: &[u8]) -> Option<&'d [u8]> {
    Some(&text[memchr::memmem::find(text, end)? + end.len()..])
}

/// Whether `bytes` start with `name` in any case, and one of these bytes behind it.
fn starts_with_name(bytes: &[u8], name: &str, ends: &[u8]) -> bool {
    bytes
        .split_at_checked(name.len())
        .is_some_and(|(start, rest)| {
            let is_whole = rest.first().is_some_and(|byte| ends.contains(byte));
            is_whole && start.eq_ignore_ascii_case(name.as_bytes())
        })
}

#[cfg(test)]
mod tests {
    use super::super::sniff::{HEADER, closed_as_xml, is_html};

    #[test]
    fn what_xml_closes_and_html_does_not() {
        for (body, expected) in [
            ("<head><title/></head>", Some("title")),
            ("<head><title>a</title><script src='a'/>", Some("script")),
            ("<title></title><style />", Some("style")),
            ("<svg><title/><style/></svg>", None),
            ("<svg/><title/>", Some("title")),
            ("<!-- <title/> --><title>a</title><br/>", None),
            ("<script>'<title/>'</script>", None),
        ] {
            let document = format!("<?xml version='1.0'?><html>{body}");
            assert_eq!(closed_as_xml(document.as_bytes()), expected, "{body}");
        }
        assert_eq!(closed_as_xml(b"<html><title/>"), None);
    }

    #[test]
    fn html() {
        for text in [
            "<!DOCTYPE html>",
            "\r\n\t\x0c <!doctype HTML PUBLIC>",
            "<hTmL>",
            "<p >",
            "<!--x",
            "<A HREF=x>",
            "\u{feff}<html>",
        ] {
            assert!(is_html(text.as_bytes()), "{text:?}");
        }
    }

    #[test]
    fn not_html() {
        for text in [
            "",
            "<",
            "<p",
            "<p\n>",
            "<abbr>",
            "<!doctypehtml>",
            "<?xml ?>",
            "x<p>",
            "\u{a0}<p>",
        ] {
            assert!(!is_html(text.as_bytes()), "{text:?}");
        }
    }

    #[test]
    fn only_the_header_counts() {
        let mut text = vec![b' '; HEADER - 3];
        text.extend(b"<p>");
        assert!(is_html(&text));
        text.insert(0, b' ');
        assert!(!is_html(&text));
    }
}
