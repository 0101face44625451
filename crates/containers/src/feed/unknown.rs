//! Values in a feed that look like relative links, in elements and attributes that no list of places has.

use std::collections::BTreeMap;

use super::elements::Space;
use abslink_html::markup::is_space;

/// Values that look like relative links, where abslink knows no place of URLs:
/// [`Examined::unknown`](super::Examined::unknown).
///
/// # Examples
/// ```
/// use abslink_containers::{Context, Settings, feed};
///
/// let rss = b"<rss xmlns:f='urn:f'><channel><f:bar>/x</f:bar><f:bar>/y</f:bar></channel></rss>";
/// let (context, settings) = (Context::default(), Settings::default());
/// let examined = feed::rewrite(rss, &context, &settings, Default::default()).examined;
/// assert_eq!(examined.unknown.values, 2);
/// assert_eq!(examined.unknown.names(), ["f:bar"]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnknownPlaces {
    /// How many.
    pub values: u64,
    /// How many there are of a name.
    names: BTreeMap<String, u64>,
}

/// So many names are kept, the first in their order: so the kept ones do not depend on the order of
/// documents.
const NAMES: usize = 64;
/// Longer ones are counted and not kept.
const LONGEST: usize = 100;

impl UnknownPlaces {
    /// Adds one, by the names of its element and attribute; without an attribute it is the element's text.
    pub(super) fn count(&mut self, element: &[u8], attribute: Option<&[u8]>) {
        self.values += 1;
        let mut name = String::from_utf8_lossy(&element[..element.len().min(LONGEST)]).into_owned();
        if let Some(attribute) = attribute {
            name.push('@');
            name.push_str(&String::from_utf8_lossy(
                &attribute[..attribute.len().min(LONGEST)],
            ));
        }
        if name.len() < LONGEST {
            *self.names.entry(name).or_default() += 1;
            self.names.truncate();
        }
    }

    /// Adds others.
    pub fn merge(&mut self, other: &UnknownPlaces) {
        self.values += other.values;
        for (name, count) in &other.names {
            *self.names.entry(name.clone()).or_default() += count;
        }
        self.names.truncate();
    }

    /// `element` or `element@attribute`, as the feeds write them, the most frequent first.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<_> = self.names.iter().collect();
        names.sort_by_key(|(name, count)| (u64::MAX - **count, *name));
        names.into_iter().map(|(name, _)| &**name).collect()
    }
}

trait Truncate {
    fn truncate(&mut self);
}

impl Truncate for BTreeMap<String, u64> {
    fn truncate(&mut self) {
        while self.len() > NAMES {
            self.pop_last();
        }
    }
}

/// Names of elements and attributes that hold text for people, or identifiers.
const NO_LINKS: [&[u8]; 17] = [
    b"author",
    b"creator",
    b"description",
    b"domain",
    b"guid",
    b"id",
    b"identifier",
    b"keyword",
    b"label",
    b"name",
    b"ref",
    b"rel",
    b"scheme",
    b"subject",
    b"tag",
    b"tags",
    b"text",
];

/// What such names end with.
const ENDS: [&[u8]; 5] = [b"category", b"credit", b"keywords", b"title", b"type"];

/// Whether the text of an element is worth a look, or its attribute. What is in the table of places is not
/// asked about.
pub(super) fn may_be_link(space: Space, element: &[u8], attribute: Option<&[u8]>) -> bool {
    let is_whole = match space {
        // All of their elements are known.
        Space::Atom | Space::Atom03 | Space::WordPress => true,
        Space::Rss => attribute == Some(b"path") && element == b"cloud",
        Space::Feedburner => element == b"info",
        _ => false,
    };
    let name = attribute.unwrap_or(element).to_ascii_lowercase();
    let is_text = NO_LINKS.contains(&&*name) || ENDS.iter().any(|end| name.ends_with(end));
    !is_whole && !is_text
}

/// Endings of pages and pictures.
const ENDINGS: [&[u8]; 19] = [
    b"asp", b"aspx", b"avif", b"bmp", b"gif", b"htm", b"html", b"ico", b"jpeg", b"jpg", b"jsp",
    b"php", b"png", b"shtml", b"svg", b"tif", b"tiff", b"webp", b"xhtml",
];

/// Whether a value looks like a relative link, be it text or a CDATA section.
pub(super) fn is_like_link(value: &[u8]) -> bool {
    const LONGEST: usize = 4_096;
    let mut value = trimmed(value);
    if let Some(data) = value.strip_prefix(b"<![CDATA[") {
        value = trimmed(data.strip_suffix(b"]]>").unwrap_or(data));
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
    let Some(dot) = name.iter().rposition(|byte| *byte == b'.') else {
        return false;
    };
    let ending = name[dot + 1..].to_ascii_lowercase();
    dot > 0 && ENDINGS.contains(&&*ending) && !path.contains(&b':')
}

fn trimmed(mut value: &[u8]) -> &[u8] {
    while let [first, rest @ ..] = value
        && is_space(*first)
    {
        value = rest;
    }
    while let [rest @ .., last] = value
        && is_space(*last)
    {
        value = rest;
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn the_same_names_are_kept_in_any_order() {
        let counted = |numbers: &mut dyn Iterator<Item = usize>| {
            let mut all = UnknownPlaces::default();
            for number in numbers {
                let mut one = UnknownPlaces::default();
                one.count(format!("f:{number:04}").as_bytes(), None);
                all.merge(&one);
            }
            all
        };
        let (up, down) = (counted(&mut (0..200)), counted(&mut (0..200).rev()));
        assert_eq!(up, down);
        assert_eq!((up.values, up.names.len()), (200, NAMES));
        let mut long = UnknownPlaces::default();
        long.count("x".repeat(1_000).as_bytes(), Some(b"y"));
        assert_eq!((long.values, long.names().len()), (1, 0));
    }
}
