//! What is counted about an element or a page besides its references.

use std::ops::Range;

use memchr::{memchr_iter, memchr2, memrchr};

use crate::locate;
use crate::places::list::UrlPlace;
use crate::report::tally::Tally;
use crate::text::chunk::Chunk;

/// Counts what a reference that leads to a file is besides.
pub(super) fn count_file(
    tally: &mut Tally,
    chunk: &Chunk<'_>,
    place: &UrlPlace,
    attribute: &str,
    to: &[u8],
    is_module: bool,
) {
    let needs_server = is_module || needs_server(chunk, place, attribute);
    tally.need_server += u64::from(needs_server);
    tally.embedded += u64::from(embeds(chunk, place, attribute));
    tally.misnamed += u64::from(is_misnamed(chunk, place, attribute, to));
}

/// Whether browsers load what an element names from servers only: they have to be allowed to read it, which
/// nothing on a disk allows.
fn needs_server(chunk: &Chunk<'_>, place: &UrlPlace, attribute: &str) -> bool {
    let element = &chunk.bytes[place.element.clone()];
    let is = |name: &[u8]| element.eq_ignore_ascii_case(name);
    // Links to other pages load nothing.
    if element.is_empty() || is(b"a") || !matches!(attribute, "src" | "href") {
        return false;
    }
    let names = ["rel", "as", "type", "integrity", "crossorigin"];
    let [rel, destination, kind, integrity, crossorigin] =
        locate::html::values(chunk.bytes, place.element.end, names);
    let has = |value: Option<Range<usize>>, wanted: &[u8]| {
        value.is_some_and(|value| chunk.bytes[value].trim_ascii().eq_ignore_ascii_case(wanted))
    };
    let is_link = is(b"link");
    // The style sheet that needs the font loads it in another way.
    let is_font = is_link && has(rel.clone(), b"preload") && has(destination, b"font");
    let is_module = is(b"script") && has(kind, b"module") || is_link && has(rel, b"modulepreload");
    is_module || integrity.is_some() || crossorigin.is_some() && !is_font
}

/// Whether the name of a file, in a link to a page or of a style sheet, keeps browsers from opening it from a disk as
/// what it is.
fn is_misnamed(chunk: &Chunk<'_>, place: &UrlPlace, attribute: &str, to: &[u8]) -> bool {
    const PROGRAMS: [&[u8]; 7] = [b"php", b"asp", b"aspx", b"jsp", b"cgi", b"cfm", b"do"];
    let path = &to[..memchr2(b'?', b'#', to).unwrap_or(to.len())];
    let element = &chunk.bytes[place.element.clone()];
    let is = |name: &[u8]| element.eq_ignore_ascii_case(name);
    let is_link = is(b"link");
    let is_usual = path.ends_with(b"/") || path.ends_with(b".html") && !is_link;
    if attribute != "href" || path.is_empty() || is_usual {
        return false;
    }
    let name = path.rsplit(|&byte| byte == b'/').next().unwrap_or(path);
    let ending = memrchr(b'.', name).map_or(&b""[..], |dot| &name[dot + 1..]);
    let is_ending = |known: &&[u8]| ending.eq_ignore_ascii_case(known);
    if is_link {
        let rel = || locate::html::attribute(chunk.bytes, place.element.end, "rel");
        let is_sheet = |rel: Range<usize>| chunk.bytes[rel].eq_ignore_ascii_case(b"stylesheet");
        return !is_ending(&&b"css"[..]) && rel().is_some_and(is_sheet);
    }
    let is_page = [&b"html"[..], b"htm", b"xhtml", b"xht"]
        .iter()
        .any(&is_ending);
    let has_query = || {
        name.windows(3)
            .any(|escape| escape.eq_ignore_ascii_case(b"%3F"))
    };
    !is_page && (is(b"a") || is(b"area")) && (PROGRAMS.iter().any(&is_ending) || has_query())
}

/// Whether a page shows or runs what an element names.
fn embeds(chunk: &Chunk<'_>, place: &UrlPlace, attribute: &str) -> bool {
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
    memchr_iter(b'<', page).any(|at| {
        let rest = &page[at + 1..];
        let is_meta = (rest.get(..4)).is_some_and(|name| name.eq_ignore_ascii_case(b"meta"));
        is_meta && {
            let tag = &rest[..memchr2(b'<', b'>', rest).unwrap_or(rest.len())];
            let hashes: [&[u8]; 3] = [b"sha256-", b"sha384-", b"sha512-"];
            has(tag, NAME) && hashes.into_iter().any(|hash| has(tag, hash))
        }
    })
}
