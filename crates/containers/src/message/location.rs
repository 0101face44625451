//! RFC 1808 §3.1 and §3.2, RFC 2110 and RFC 2557 §5: the base URLs that headings give, and the URLs
//! that they name parts by.

use std::collections::HashSet;

use encoding_rs::Encoding;
use memchr::memmem;

use super::entity::Entity;
use super::transfer;
use crate::examined::Remark;
use crate::heading::{self, Heading, RefusedBase};
use abslink_url::{BaseUrl, Resolver, UnsuitableBase, without_fragment};

/// Longer encoded words are none. RFC 2047 §2 would have no more than 75 characters.
const MAX_WORD: usize = 2048;

/// RFC 2557 §5: what a relative `Content-Location` is resolved against where nothing is absolute.
/// It serves to compare parts with references, and is never written.
pub(super) const THIS_MESSAGE: &str = "thismessage:/";

/// The URLs that the headings of a message give.
#[derive(Debug)]
pub(super) struct Locations {
    /// What encloses the message.
    outer: BaseUrl,
    /// The base URL of each entity, if it is not `outer`.
    bases: Vec<Option<BaseUrl>>,
    /// The URL of each entity itself.
    own: Vec<Option<BaseUrl>>,
    /// Every `Content-Location`, as it stands and made absolute, without fragment.
    labels: HashSet<String>,
    /// How many bytes URLs may still take; `None` where there were too many.
    room: Option<u64>,
}

impl Locations {
    /// Goes through the headings from the outermost in. `outer` is what the message itself is
    /// relative to; `refused` takes what should be a base URL and is none.
    pub(super) fn new(
        message: &[u8],
        entities: &[Entity],
        outer: BaseUrl,
        resolver: Resolver,
        refused: &mut Vec<Remark>,
    ) -> Locations {
        let mut locations = Locations {
            outer,
            bases: Vec::with_capacity(entities.len()),
            own: Vec::with_capacity(entities.len()),
            labels: HashSet::new(),
            room: Some((16 << 20) + 16 * message.len() as u64),
        };
        for entity in entities {
            if locations.are_outgrown() {
                break;
            }
            let heading = Heading::new(message, entity.heading.clone());
            let inherited = (entity.parent).and_then(|parent| locations.bases[parent].clone());
            let (base, own) =
                locations.heading(heading, entity.is_http, inherited, resolver, refused);
            locations.bases.push(base);
            locations.own.push(own);
        }
        locations
    }

    /// §3.2: one heading. Its own base URL, else that of what encloses it; and the URL of its entity.
    fn heading(
        &mut self,
        heading: Heading<'_>,
        is_http: bool,
        inherited: Option<BaseUrl>,
        resolver: Resolver,
        refused: &mut Vec<Remark>,
    ) -> (Option<BaseUrl>, Option<BaseUrl>) {
        let mut header = |name| base_header(heading, name, refused);
        let named = header("Base").or_else(|| header("Content-Base"));
        // Chrome writes the page's URL into the heading of the message.
        let snapshot = "Snapshot-Content-Location";
        // The heading's own base URL serves its own fields too (RFC 1808 §3.1).
        let base = named.as_ref().or(inherited.as_ref());
        let own = self.content_location(heading, base, resolver);
        // Since RFC 7231 §3.1.4.2 the field says nothing about the base URL in HTTP.
        let own = own.filter(|_| !is_http);
        let base = named.or_else(|| own.clone());
        let base = base.or_else(|| header(snapshot)).or(inherited);
        (base, own)
    }

    /// RFC 2557 §4.2: `Content-Location`. A relative one is relative to what encloses it. What is
    /// no base URL, such as `cid:x`, is a name all the same.
    fn content_location(
        &mut self,
        heading: Heading<'_>,
        base: Option<&BaseUrl>,
        resolver: Resolver,
    ) -> Option<BaseUrl> {
        /// As it stands in the list, parsed, and as a name.
        const COPIES: u64 = 4;
        let text = url(heading.get("Content-Location")?.value);
        let base = base.unwrap_or(&self.outer);
        let length = (base.as_str().len() + text.len()) as u64;
        self.room = self.room?.checked_sub(COPIES * length);
        self.room?;
        let absolute = if resolver.is_absolute(base, &text) {
            text.clone()
        } else {
            resolver.resolve(base, &text).ok()?.into_owned()
        };
        self.labels.insert(without_fragment(&text).to_owned());
        let absolute = without_fragment(&absolute);
        self.labels.insert(absolute.to_owned());
        BaseUrl::parse(absolute).ok()
    }

    /// Whether the URLs of the headings would take more than 16 MiB plus 16 times the message's length,
    /// because one is very long and many are relative to it. Then they are not known.
    pub(super) fn are_outgrown(&self) -> bool {
        self.room.is_none()
    }

    /// The base URL of an entity, if the message says anything about it.
    pub(super) fn base(&self, index: usize) -> Option<&BaseUrl> {
        let known = self.bases[index].as_ref();
        known.filter(|url| !is_this_message(url.as_str()))
    }

    /// The base URL that a reader knows, if only [`THIS_MESSAGE`].
    pub(super) fn base_or_outer(&self, index: usize) -> &BaseUrl {
        self.bases[index].as_ref().unwrap_or(&self.outer)
    }

    /// The URL of an entity itself.
    pub(super) fn own(&self, index: usize) -> Option<&BaseUrl> {
        (self.own[index].as_ref()).filter(|url| !is_this_message(url.as_str()))
    }

    /// Whether a URL, absolute or not, is the name of a part.
    pub(super) fn is_label(&self, url: &str) -> bool {
        self.labels.contains(without_fragment(url))
    }
}

/// Whether a URL has the scheme of [`THIS_MESSAGE`].
pub(super) fn is_this_message(url: &str) -> bool {
    has_scheme(url, "thismessage:")
}

/// Whether a URL has a scheme, which is given with its colon.
pub(super) fn has_scheme(url: &str, scheme: &str) -> bool {
    url.get(..scheme.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(scheme))
}

/// §3.1: a field whose value has to be an absolute URL.
fn base_header(
    heading: Heading<'_>,
    field: &'static str,
    refused: &mut Vec<Remark>,
) -> Option<BaseUrl> {
    let found = heading::base(heading, field, url)?.and_then(|base| {
        if is_this_message(base.as_str()) {
            Err(RefusedBase {
                field,
                value: base.as_str().to_owned(),
                reason: UnsuitableBase::Relative,
            })
        } else {
            Ok(base)
        }
    });
    found.map_err(|base| refused.push(base.into())).ok()
}

/// The URL in a field's value, with encoded words decoded.
fn url(value: &[u8]) -> String {
    heading::unquoted(&decode_words(&heading::text(value)))
}

/// RFC 2047 §2, as RFC 2557 §4.4.2 uses it: `=?charset?encoding?text?=`. Other text stays.
fn decode_words(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("=?") {
        out.push_str(before);
        match decode_word(after) {
            Some((word, after)) => {
                out.push_str(&word);
                rest = after;
            }
            None => {
                out.push_str("=?");
                rest = after;
            }
        }
    }
    out + rest
}

/// The word that starts here, after its `=?`, and what follows it.
fn decode_word(text: &str) -> Option<(String, &str)> {
    let (charset, rest) = text.split_once('?')?;
    let (encoding, rest) = rest.split_once('?')?;
    let window = &rest.as_bytes()[..rest.len().min(MAX_WORD)];
    let end = memmem::find(window, b"?=")?;
    let (word, after) = (&rest[..end], &rest[end + 2..]);
    let octets = match encoding {
        "Q" | "q" => transfer::unescape(word),
        "B" | "b" => transfer::Transfer::Base64
            .decode(word.as_bytes())
            .ok()?
            .into_owned(),
        _ => return None,
    };
    let charset = charset.split('*').next().unwrap_or_default();
    let encoding = Encoding::for_label(charset.as_bytes()).unwrap_or(encoding_rs::UTF_8);
    let (word, _) = encoding.decode_without_bom_handling(&octets);
    Some((word.into_owned(), after))
}

#[cfg(test)]
mod tests {
    use super::super::entity::entities;
    use super::*;

    #[test]
    fn encoded_words_in_a_heading() {
        for value in [
            "=?us-ascii?Q?http:?=\r\n =?utf-8?B?Ly9oL2EvYg==?=",
            "=?us-ascii*en?q?http=3A//h/?=a/b",
        ] {
            assert_eq!(url(value.as_bytes()), "http://h/a/b", "{value:?}");
        }
        assert_eq!(url(b"a\0=?utf-8?Q?=00?="), "a%00%00");
        assert_eq!(url(b"a=?x?y"), "a=?x?y");
        assert_eq!(url(b"=?x?Y?z?="), "=?x?Y?z?=");
    }

    fn read(message: &str, outer: &str) -> (Locations, Vec<Remark>) {
        let (message, outer) = (message.as_bytes(), BaseUrl::any(outer));
        let (entities, mut remarks) = (entities(message, 0..message.len()), Vec::new());
        let resolver = Resolver::default();
        let read = Locations::new(message, &entities, outer, resolver, &mut remarks);
        (read, remarks)
    }

    /// The base URL of the first part of a message with these headings: of the message, and of the
    /// part.
    fn base_with(outer: &str, message: &str, part: &str) -> Option<String> {
        let message = format!(
            "{message}\nContent-Type: multipart/related; boundary=a\n\n--a\n{part}\n\nx\n--a--"
        );
        let (locations, _) = read(&message, outer);
        locations.base(1).map(|base| base.as_str().to_owned())
    }

    #[track_caller]
    fn base(message: &str, part: &str, expected: &str) {
        let found = base_with(THIS_MESSAGE, message, part);
        assert_eq!(found.as_deref().unwrap_or("none"), expected);
    }

    #[test]
    fn the_innermost_heading_comes_first() {
        base("X: y", "X: y", "none");
        base("Base: <URL:http://m/>", "X: y", "http://m/");
        base(
            "Base: <URL:http://m/>",
            "Base: <URL:http://p/#f>",
            "http://p/",
        );
        base(
            "Content-Base: http://m/",
            "Content-Location: http://p/x",
            "http://p/x",
        );
        base("Snapshot-Content-Location: http://m/", "X: y", "http://m/");
        base("Content-Location: http://m/a/", "X: y", "http://m/a/");
    }

    #[test]
    fn within_a_heading_what_says_base_comes_first() {
        base(
            "X: y",
            "Content-Location: http://l/\nContent-Base: http://b/",
            "http://b/",
        );
        base(
            "X: y",
            "Content-Base: http://b/\nBase: http://o/",
            "http://o/",
        );
        let both = "Snapshot-Content-Location: http://s/\nContent-Location: http://l/";
        base(both, "X: y", "http://l/");
    }

    #[test]
    fn a_relative_location_is_relative_to_what_encloses_it() {
        base(
            "Content-Location: http://m/a/b",
            "Content-Location: c/d",
            "http://m/a/c/d",
        );
        base("X: y", "Content-Location: c/d", "none");
        let both = "Content-Base: http://b/\nContent-Location: c/d";
        base("X: y", both, "http://b/");
        let found = base_with("http://o/x/archive.mht", "X: y", "Content-Location: c/d");
        assert_eq!(found.as_deref(), Some("http://o/x/c/d"));
    }

    #[test]
    fn what_is_no_base_url_is_passed_over() {
        base("Base: http://m/", "Content-Location: cid:x@y", "http://m/");
        base("Base: http://m/", "Base: c/d", "http://m/");
        base("X: y", "Content-Location: thismessage:/c", "none");
        base("X: y", "Content-Base: thismessage:/c", "none");
    }

    #[test]
    fn a_refused_base_is_told() {
        let (_, refused) = read("Base: <URL:c/d>\n\n", THIS_MESSAGE);
        assert!(
            matches!(&refused[..], [Remark::RefusedBase(RefusedBase { field: "Base", value, .. })] if value == "c/d"),
            "{refused:?}"
        );
    }

    #[test]
    fn http_has_another_content_location() {
        let message = "HTTP/1.1 200 OK\r\nContent-Location: http://h/\r\n\r\n";
        let (locations, _) = read(message, THIS_MESSAGE);
        assert!(locations.base(0).is_none());
        assert!(locations.own(0).is_none());
    }

    #[test]
    fn labels_have_no_fragment() {
        let (locations, _) = read("Content-Location: a/b#c\n\n", THIS_MESSAGE);
        for label in ["a/b", "a/b#d", "thismessage:/a/b"] {
            assert!(locations.is_label(label), "{label}");
        }
        assert!(!locations.is_label("b"));
    }
}
