//! Values in a feed that look like relative links, in elements and attributes that no list of places has.

use super::elements::Space;
use crate::values::is_file;

/// Names of elements and attributes that hold text for people, or identifiers.
const NO_LINKS: &str = "author creator description domain guid id identifier keyword label name ref rel scheme subject tag tags text";

/// What such names end with.
const ENDS: [&[u8]; 5] = [b"category", b"credit", b"keywords", b"title", b"type"];

/// Whether the text of an element is worth a look, or its attribute. What is in the table of places is not
/// asked about.
pub(super) fn may_be_link(space: Space, element: &[u8], attribute: Option<&[u8]>) -> bool {
    let is_whole = match space {
        _ if is_known(space) => true,
        Space::Rss => attribute == Some(b"path") && element == b"cloud",
        Space::Extension("feedburner") => element == b"info",
        _ => false,
    };
    let name = attribute.unwrap_or(element).to_ascii_lowercase();
    let is_text = NO_LINKS.split(' ').any(|it| it.as_bytes() == name)
        || ENDS.iter().any(|end| name.ends_with(end));
    !is_whole && !is_text
}

/// Whether the text of an element may be HTML.
pub(super) fn may_be_markup(space: Space, element: &[u8]) -> bool {
    let name = element.to_ascii_lowercase();
    !is_known(space) && !ENDS.iter().any(|end| name.ends_with(end))
}

/// Whether all elements of a vocabulary are known.
fn is_known(space: Space) -> bool {
    matches!(
        space,
        Space::Atom | Space::Atom03 | Space::Extension("wordpress")
    )
}

/// Whether a value is HTML, be it escaped or in a CDATA section, with a relative link in it.
pub(super) fn has_markup(value: &[u8]) -> bool {
    const QUOTES: [&[u8]; 6] = [b"\"", b"'", b"&quot;", b"&#34;", b"&apos;", b"&#39;"];
    let is_markup = [&b"&lt;"[..], b"&#60;", b"<![CDATA["];
    let has = |text: &&[u8]| memchr::memmem::find(value, text).is_some();
    is_markup.iter().any(has)
        && [&b"href="[..], b"src="].iter().any(|name| {
            let mut found = memchr::memmem::find_iter(value, name);
            found.any(|at| {
                let rest = &value[at + name.len()..];
                let quote = QUOTES.iter().find(|quote| rest.starts_with(quote));
                let link = quote.and_then(|quote| {
                    let rest = &rest[quote.len()..];
                    Some(&rest[..memchr::memmem::find(rest, quote)?])
                });
                link.is_some_and(is_like_link)
            })
        })
}

/// Whether a value looks like a relative link, be it text or a CDATA section.
pub(super) fn is_like_link(value: &[u8]) -> bool {
    const LONGEST: usize = 4_096;
    let mut value = value.trim_ascii();
    if let Some(data) = value.strip_prefix(b"<![CDATA[") {
        value = data.strip_suffix(b"]]>").unwrap_or(data).trim_ascii();
    }
    let begins = [&b"/"[..], b"./", b"../"]
        .iter()
        .any(|it| value.starts_with(it));
    if value.len() > LONGEST || !(begins || has_ending(value)) {
        return false;
    }
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii();
    let is_part = |byte: &u8| *byte > b' ' && !matches!(byte, b'<' | b'>' | b'"' | 0x7f);
    value.iter().all(is_part) && value.iter().any(is_word)
}

/// Whether a value is the name of a page or picture, with or without a path.
fn has_ending(value: &[u8]) -> bool {
    let end = value.iter().position(|byte| matches!(byte, b'?' | b'#'));
    let path = &value[..end.unwrap_or(value.len())];
    let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    !name.starts_with(b".") && is_file(name) && !path.contains(&b':')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_like_html() {
        for value in [
            "&lt;a href=\"/x\"&gt;x&lt;/a&gt;",
            "&lt;img src=&quot;a.png&quot;&gt;",
            "<![CDATA[<a href='../x'>]]>",
        ] {
            assert!(has_markup(value.as_bytes()), "{value}");
        }
        for value in [
            "&lt;a href=\"http://h/x\"&gt;",
            "&lt;a href=\"#x\"&gt;",
            "href=\"/x\"",
            "&lt;b&gt;",
        ] {
            assert!(!has_markup(value.as_bytes()), "{value}");
        }
    }

    #[test]
    fn what_looks_like_a_relative_link() {
        for value in [
            "/x",
            " /x\n",
            "./x",
            "../x",
            "//h/x",
            "/a?b=c",
            "<![CDATA[ /x ]]>",
            "a.html",
            "a/b.PNG",
            "é.jpg",
            "a.php?x=http://h/",
            "/&amp;",
            "../é",
        ] {
            assert!(is_like_link(value.as_bytes()), "{value}");
        }
        for value in [
            "",
            "/",
            "..",
            "x",
            "a/b",
            "/a b",
            "a b.html",
            "http://h/a.html",
            "mailto:a@h.html",
            "1.0",
            ".html",
            "html",
            "text/html",
            "image/png",
            "e.org",
            "<![CDATA[/a b]]>",
            "/<b/>",
            "// ",
            "?x",
            "#x",
            "-/-",
        ] {
            assert!(!is_like_link(value.as_bytes()), "{value}");
        }
    }
}
