//! What is counted about an element or a page besides its references.

use crate::locate;
use crate::places::list::UrlPlace;
use crate::text::chunk::Chunk;

/// Whether browsers load what an element names from servers only: they have to be allowed to read it, which
/// nothing on a disk allows.
pub(super) fn needs_server(chunk: &Chunk<'_>, place: &UrlPlace, attribute: &str) -> bool {
    let element = &chunk.bytes[place.element.clone()];
    let is = |name: &[u8]| element.eq_ignore_ascii_case(name);
    // Links to other pages load nothing.
    if element.is_empty() || is(b"a") || !matches!(attribute, "src" | "href") {
        return false;
    }
    let value = |name| locate::html::attribute(chunk.bytes, place.element.end, name);
    let has = |name, wanted: &[u8]| {
        value(name)
            .is_some_and(|value| chunk.bytes[value].trim_ascii().eq_ignore_ascii_case(wanted))
    };
    // The style sheet that needs the font loads it in another way.
    let is_font = || is(b"link") && has("rel", b"preload") && has("as", b"font");
    let is_module =
        is(b"script") && has("type", b"module") || is(b"link") && has("rel", b"modulepreload");
    is_module || value("integrity").is_some() || value("crossorigin").is_some() && !is_font()
}

/// Whether the name of a file, in a link to a page or of a style sheet, keeps browsers from opening it from a disk as
/// what it is.
pub(super) fn is_misnamed(chunk: &Chunk<'_>, place: &UrlPlace, attribute: &str, to: &str) -> bool {
    const PROGRAMS: [&str; 7] = ["php", "asp", "aspx", "jsp", "cgi", "cfm", "do"];
    if attribute != "href" {
        return false;
    }
    let element = &chunk.bytes[place.element.clone()];
    let is = |name: &[u8]| element.eq_ignore_ascii_case(name);
    let path = to.split(['?', '#']).next().unwrap_or_default();
    let name = path.rsplit('/').next().unwrap_or_default();
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let is_ending = |known: &&str| ending.eq_ignore_ascii_case(known);
    if name.is_empty() {
        return false;
    }
    if is(b"link") {
        let rel = locate::html::attribute(chunk.bytes, place.element.end, "rel");
        let is_sheet = rel.is_some_and(|rel| chunk.bytes[rel].eq_ignore_ascii_case(b"stylesheet"));
        return is_sheet && !is_ending(&"css");
    }
    let is_page = ["html", "htm", "xhtml", "xht"].iter().any(&is_ending);
    let has_query = || name.contains("%3F") || name.contains("%3f");
    !is_page && (is(b"a") || is(b"area")) && (PROGRAMS.iter().any(&is_ending) || has_query())
}

/// Whether a page shows or runs what an element names.
pub(super) fn embeds(chunk: &Chunk<'_>, place: &UrlPlace, attribute: &str) -> bool {
    let element = &chunk.bytes[place.element.clone()];
    let is_frame = |name: &[u8]| element.eq_ignore_ascii_case(name);
    attribute == "src" && !is_frame(b"iframe") && !is_frame(b"frame")
}

/// Whether a relative reference counts from the document's directory.
pub(super) fn is_relative_path(reference: &[u8]) -> bool {
    !matches!(reference.first(), None | Some(b'/' | b'#' | b'?'))
}

/// Whether an element names the bytes of what it loads by a hash.
pub(super) fn is_pinned(chunk: &Chunk<'_>, place: &UrlPlace) -> bool {
    let element = &chunk.bytes[place.element.clone()];
    let loads = [&b"link"[..], b"script"]
        .iter()
        .any(|name| element.eq_ignore_ascii_case(name));
    loads && locate::html::attribute(chunk.bytes, place.element.end, "integrity").is_some()
}

/// Whether a page has a policy in a `meta` element, with a hash in it. A tag has no `<` in it: so much of one
/// is read, and each byte once.
pub(crate) fn allows_by_hash(page: &[u8]) -> bool {
    const NAME: &[u8] = b"content-security-policy";
    let has = |tag: &[u8], text: &[u8]| {
        let mut windows = tag.windows(text.len());
        windows.any(|window| window.eq_ignore_ascii_case(text))
    };
    memchr::memchr_iter(b'<', page).any(|at| {
        let rest = &page[at + 1..];
        let is_meta = (rest.get(..4)).is_some_and(|name| name.eq_ignore_ascii_case(b"meta"));
        is_meta && {
            let tag = &rest[..memchr::memchr2(b'<', b'>', rest).unwrap_or(rest.len())];
            let hashes: [&[u8]; 3] = [b"sha256-", b"sha384-", b"sha512-"];
            has(tag, NAME) && hashes.into_iter().any(|hash| has(tag, hash))
        }
    })
}
