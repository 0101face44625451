//! Comments in which programs record the URL that they saved a document from: browsers (the "mark
//! of the web"), HTTrack, SingleFile, monolith and makers of docsets; and the element in which Evernote does.
//!
//! Only comments at the very beginning count, before any text or script: further down, they would
//! be somebody's content.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use super::super::Assumptions;
use super::super::url_evidence::{Caveat, UrlEvidence};
use crate::base::BaseSource;
use crate::locate::Syntax;
use crate::locate::html::attribute;
use crate::text::entity::decode_attribute;
use encoding_rs::{Encoding, UTF_8};
use memchr::memmem::Finder;

/// Where comments have to begin: Internet Explorer looked for its mark up to here.
const BEGIN_WITHIN: usize = 2048;

/// What the "mark of the web" begins with.
const MARK: &str = "saved from url=(";

/// How many bytes are looked at; a comment that does not end in them is ignored.
pub const HEAD: usize = 16 << 10;

/// Elements whose content is not markup. Comments of saving programs come before the first.
const RAW: &str =
    "script style title textarea xmp iframe noembed noframes noscript plaintext template";

/// §3.3: what the comments at the beginning of a document say, in their order.
///
/// # Examples
/// ```
/// use abslink_html::base::retrieval::comment;
/// use abslink_html::retrieval::Assumptions;
/// let mut assumptions = Assumptions::default();
/// assumptions.scheme = Some("http".to_owned());
/// let html = b"<html><!-- Mirrored from h/a by HTTrack Website Copier/3.x [XR&CO'2014], Fri -->";
/// let said = comment::all(html, &assumptions);
/// assert_eq!(said[0].says, "http://h/a");
/// ```
pub fn all(document: &[u8], assumptions: &Assumptions) -> Vec<UrlEvidence> {
    let head = &*head(document);
    comments(head)
        .filter_map(|comment| {
            let text = String::from_utf8_lossy(&head[comment.clone()]);
            read(&text, assumptions).or_else(|| online_page(head, &text, comment))
        })
        .chain(evernote(head))
        .collect()
}

/// Whether HTTrack saved the document.
pub fn is_by_httrack(document: &[u8]) -> bool {
    has(&head(document), |comment| {
        httrack(comment, &Assumptions::default())
    })
}

/// Whether there is a comment that a reader takes.
fn has(head: &[u8], read: impl Fn(&str) -> Option<UrlEvidence>) -> bool {
    comments(head).any(|comment| read(String::from_utf8_lossy(&head[comment]).trim()).is_some())
}

/// Whether a browser saved the document.
pub fn is_by_browser(document: &[u8]) -> bool {
    let head = &*head(document);
    // Every document is asked, and nearly none has it. Blanks may stand before it in its comment.
    let begin = &head[..head.len().min(BEGIN_WITHIN + 64)];
    static FINDER: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(MARK.as_bytes()));
    FINDER.find(begin).is_some() && has(head, mark_of_the_web)
}

/// Whether HTTrack made the document itself: the page at the top of a mirror that links to its sites.
pub fn is_index_of_httrack(document: &[u8]) -> bool {
    let head = &*head(document);
    let mark = b"<!-- Mirror and index made by HTTrack Website Copier";
    memchr::memmem::find(head, mark).is_some()
}

/// The scheme of the URL that a document gives for itself, as canonical or for sharing, if that is on this host.
///
/// # Examples
/// ```
/// use abslink_html::base::retrieval::comment::own_scheme;
///
/// let page = b"<title>x</title><link rel=canonical href='http://h.org/x'>";
/// assert_eq!(own_scheme(page, "h.org"), Some("http"));
/// assert_eq!(own_scheme(page, "i.org"), None);
/// ```
pub fn own_scheme(document: &[u8], host: &str) -> Option<&'static str> {
    let head = &*head(document);
    let is = |tag: usize, name, wanted: &str| {
        attribute(head, tag, name)
            .is_some_and(|value| head[value].eq_ignore_ascii_case(wanted.as_bytes()))
    };
    memchr::memchr_iter(b'<', head).find_map(|open| {
        let (rest, tag) = (&head[open + 1..], open + 5);
        let value = if is_tag(rest, "link") && is(tag, "rel", "canonical") {
            attribute(head, tag, "href")
        } else if is_tag(rest, "meta") && is(tag, "property", "og:url") {
            attribute(head, tag, "content")
        } else {
            None
        };
        let url = std::str::from_utf8(&head[value?]).ok()?;
        let scheme = ["http", "https"].into_iter();
        let mut schemes = scheme.filter(|scheme| {
            let rest = url
                .strip_prefix(scheme)
                .and_then(|url| url.strip_prefix("://"));
            let rest = rest.and_then(|rest| rest.strip_prefix(host));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?', '#']))
        });
        schemes.next()
    })
}

/// The bytes in which comments are looked for, as UTF-8 if a byte order mark says that they are UTF-16.
fn head(document: &[u8]) -> Cow<'_, [u8]> {
    let head = &document[..document.len().min(HEAD)];
    match Encoding::for_bom(head) {
        Some((encoding, length)) if encoding != UTF_8 => {
            let (text, _) = encoding.decode_without_bom_handling(&head[length..]);
            Cow::Owned(text.into_owned().into_bytes())
        }
        _ => Cow::Borrowed(head),
    }
}

/// What a comment says, if it is one of these.
fn read(comment: &str, assumptions: &Assumptions) -> Option<UrlEvidence> {
    let comment = comment.trim();
    mark_of_the_web(comment)
        .or_else(|| httrack(comment, assumptions))
        .or_else(|| single_file(comment))
        .or_else(|| monolith(comment))
}

/// `saved from url=(0023)http://everything2.com/`: browsers. The number is the length of the URL.
fn mark_of_the_web(comment: &str) -> Option<UrlEvidence> {
    let (length, rest) = comment.strip_prefix(MARK)?.split_once(')')?;
    let length: usize = length.parse().ok()?;
    let url = rest.split_ascii_whitespace().next()?;
    let caveat = (url.len() != length).then_some(Caveat::Length);
    Some(UrlEvidence::plain(BaseSource::Comment, url).with(caveat))
}

/// `Mirrored from h/a by HTTrack Website Copier/3.x [XR&CO'2014], DATE`: HTTrack; since 2026 with
/// the scheme.
fn httrack(comment: &str, assumptions: &Assumptions) -> Option<UrlEvidence> {
    let url = comment.strip_prefix("Mirrored from ")?;
    let (url, _) = url.split_once(" by HTTrack Website Copier/")?;
    if url.contains("://") {
        return Some(UrlEvidence::plain(BaseSource::Comment, url));
    }
    let url = format!("{}://{url}", assumptions.scheme());
    let evidence = UrlEvidence::plain(BaseSource::Comment, &url);
    Some(evidence.with(assumptions.scheme_caveat()))
}

/// A line `url: URL` after `Page saved with SingleFile`.
fn single_file(comment: &str) -> Option<UrlEvidence> {
    let rest = comment.strip_prefix("Page saved with SingleFile")?;
    let url = rest
        .lines()
        .find_map(|line| line.trim().strip_prefix("url:"))?;
    Some(UrlEvidence::plain(BaseSource::Comment, url))
}

/// `Saved from URL at 2025-06-15T11:12:55Z using monolith v2.10.1`; the URL is `local source` if
/// there was none.
fn monolith(comment: &str) -> Option<UrlEvidence> {
    let (rest, _) = comment
        .strip_prefix("Saved from ")?
        .rsplit_once(" using monolith")?;
    let url = rest.rsplit_once(" at ").map_or(rest, |(url, _)| url);
    Some(UrlEvidence::plain(BaseSource::Comment, url))
}

/// `Online page at URL`, right before or behind `<html>`: docsets of Dash and Zeal.
fn online_page(head: &[u8], comment: &str, at: Range<usize>) -> Option<UrlEvidence> {
    let url = comment.trim().strip_prefix("Online page at ")?;
    let before = head[..at.start - "<!--".len()].trim_ascii_end();
    let tag_before = memchr::memrchr(b'<', before).map(|open| &before[open + 1..]);
    let behind = head[at.end + "-->".len()..].trim_ascii_start();
    let is_root = |tag: &[u8]| is_tag(tag, "html");
    let is_beside = before.ends_with(b">") && tag_before.is_some_and(is_root)
        || behind.strip_prefix(b"<").is_some_and(is_root);
    let is_url = !url.contains(|c: char| c.is_ascii_whitespace());
    (is_beside && is_url).then(|| UrlEvidence::plain(BaseSource::Comment, url))
}

/// `<meta itemprop="source-url" content="URL">` in a page that has a note of Evernote.
fn evernote(head: &[u8]) -> Option<UrlEvidence> {
    const NAME: &[u8] = b"source-url";
    static FINDER: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(NAME));
    let begin = &head[..head.len().min(BEGIN_WITHIN)];
    let named = FINDER.find(begin)?;
    let tag = memchr::memrchr(b'<', &begin[..named])? + 1;
    let is_ours = is_tag(&head[tag..], "meta") && memchr::memmem::find(head, b"<en-note").is_some();
    let value = |name| {
        let value = attribute(head, tag + "meta".len(), name)?;
        Some(String::from_utf8_lossy(&head[value]))
    };
    if !is_ours || value("itemprop")?.as_bytes() != NAME {
        return None;
    }
    let url = value("content")?;
    let (url, _) = decode_attribute(&url, Syntax::Html);
    Some(UrlEvidence::plain(BaseSource::Comment, &url))
}

/// Where the comments at the beginning of a document are, without their hyphens. Tags are skipped with
/// their attributes; the first element of [`RAW`] is the end.
fn comments(head: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at + memchr::memchr(b'<', head.get(at..)?)?;
            if start >= BEGIN_WITHIN {
                return None;
            }
            let rest = &head[start + 1..];
            if let Some(comment) = rest.strip_prefix(b"!--") {
                let end = memchr::memmem::find(comment, b"-->")?;
                at = head.len() - comment.len() + end + 3;
                return Some(at - 3 - end..at - 3);
            }
            if RAW.split(' ').any(|name| is_tag(rest, name)) {
                return None;
            }
            at = start + 1 + tag_length(rest)?;
        }
    })
}

/// Whether what follows a `<` is the start tag of an element.
fn is_tag(rest: &[u8], name: &str) -> bool {
    rest.split_at_checked(name.len())
        .is_some_and(|(found, rest)| {
            let ends = matches!(
                rest.first(),
                Some(b'>' | b'/' | b' ' | b'\t' | b'\n' | b'\r' | b'\x0c')
            );
            found.eq_ignore_ascii_case(name.as_bytes()) && ends
        })
}

/// The length of a tag without its `<` and `>`: to a `>` outside quotes.
fn tag_length(rest: &[u8]) -> Option<usize> {
    if !rest.first()?.is_ascii_alphabetic() {
        // An end tag, a doctype, or text.
        return Some(0);
    }
    let mut quote = None;
    rest.iter().position(|&byte| {
        match quote {
            Some(mark) if mark == byte => quote = None,
            None if matches!(byte, b'"' | b'\'') => quote = Some(byte),
            _ => {}
        }
        quote.is_none() && byte == b'>'
    })
}
