//! Layout `wget`: `[scheme/]host[:port]/directories/file[?query]`, as `wget -r` writes it.
//!
//! wget decodes the escapes of a path before it writes it, and escapes what the file system or
//! `--restrict-file-names` does not allow. So a name cannot always be mapped back; if that is a
//! guess, the evidence has a [`Caveat`]. A page that was redirected has the name of the URL asked
//! for, and only `--xattr` records where it came from; its name does not show that, but its links
//! tend to ([`confirmation`](super::super::confirmation)). After `-nH` or `--cut-dirs` nothing records the host or
//! the directories ([`Tree`](crate::base::retrieval::tree::Tree) takes their URL). Not covered:
//! `--restrict-file-names=lowercase`, which loses what nothing records.

use std::borrow::Cow;

use super::super::Assumptions;
use super::super::host::{self, Host};
use super::super::path::{self, is_path_byte, split_name};
use super::super::url_evidence::{Caveat, UrlEvidence};
use abslink_url::percent;

/// `--restrict-file-names`, as far as it affects URLs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileNames {
    /// `:` before the port, `?` before the query.
    Unix,
    /// `+` before the port, `@` before the query.
    Windows,
}

impl FileNames {
    pub(crate) fn port_separator(self) -> char {
        match self {
            FileNames::Unix => ':',
            FileNames::Windows => '+',
        }
    }

    fn query_mark(self) -> u8 {
        match self {
            FileNames::Unix => b'?',
            FileNames::Windows => b'@',
        }
    }
}

/// How many bytes wget leaves of a name (`CHOMP_BUFFER` less than most file systems allow), before
/// -E appends its `.html`.
const LONGEST: usize = 236;

/// The directories of `--protocol-directories`.
pub(crate) const SCHEMES: [&str; 4] = ["http", "https", "ftp", "ftps"];

/// Endings of pages; a name that has one before its `.html` got the latter from wget -E.
const PAGES: [&[u8]; 12] = [
    b"php", b"asp", b"aspx", b"jsp", b"cgi", b"pl", b"cfm", b"html", b"htm", b"shtml", b"xhtml",
    b"xht",
];

/// §3.3: what the path of a document says. `is_appended` is as in [`Evidence`](super::super::Evidence).
///
/// # Examples
/// ```
/// use abslink_html::base::retrieval::wget;
/// use abslink_html::retrieval::Assumptions;
/// let says = |path: &[u8]| {
///     let evidence = wget::evidence(path, wget::FileNames::Unix, false, &Assumptions::default());
///     evidence.map(|evidence| evidence.says)
/// };
/// assert_eq!(says(b"h:8080/d/a.html?b=c").as_deref(), Some("https://h:8080/d/a.html?b=c"));
/// assert_eq!(says(b"http/h.org/d/a.html").as_deref(), Some("http://h.org/d/a.html"));
/// assert_eq!(says(b"robots.html"), None);
/// assert_eq!(says(b"docs/a.html"), None);
/// ```
pub fn evidence(
    path: &[u8],
    names: FileNames,
    is_appended: bool,
    assumptions: &Assumptions,
) -> Option<UrlEvidence> {
    let (first, rest) = host::split_first(path)?;
    // A directory for the scheme has one for the host in it; a host may have such a name too.
    let recorded = host::split_first(rest).filter(|_| SCHEMES.contains(&first));
    let (scheme, directory, rest, caveat) = match recorded {
        Some((directory, rest)) => (first, directory, rest, None),
        None => (
            assumptions.scheme(),
            first,
            rest,
            assumptions.scheme_caveat(),
        ),
    };
    let host = Host::read(directory, names.port_separator(), assumptions.any_host)?;
    let mut caveats: Vec<Caveat> = caveat.into_iter().collect();
    let (path, query) = read(rest, names, is_appended, &mut caveats);
    let (_, name) = split_name(rest);
    let is_linked = || assumptions.linked.iter().any(|it| it.as_bytes() == name);
    if query.is_some() && is_linked() {
        caveats.retain(|caveat| !matches!(caveat, Caveat::At | Caveat::Query | Caveat::Appended));
    }
    let path = &*unfolded(path, names)?;
    let url = host.root(scheme);
    let evidence = path::below(url, path, query, &assumptions.index, stays);
    Some(evidence.with(caveats).with(host.caveat))
}

/// A path with the slashes that wget has folded, where it shows that there were two: after the scheme of a URL in
/// the URL, as web archives have it. `None` if what follows is no host, so that nothing tells.
fn unfolded(path: &[u8], names: FileNames) -> Option<Cow<'_, [u8]>> {
    let colon: &[u8] = match names {
        FileNames::Unix => b":",
        FileNames::Windows => b"%3A",
    };
    let is_scheme = |name: &[u8]| {
        let scheme = name.strip_suffix(colon);
        scheme.is_some_and(|scheme| SCHEMES.iter().any(|it| it.as_bytes() == scheme))
    };
    let parts: Vec<&[u8]> = path.split(|&byte| byte == b'/').collect();
    let has_scheme = parts[..parts.len() - 1].iter().any(|name| is_scheme(name));
    if !has_scheme {
        return Some(Cow::Borrowed(path));
    }
    let mut unfolded = Vec::with_capacity(path.len() + 1);
    for (nth, part) in parts.iter().enumerate() {
        if nth > 0 {
            unfolded.push(b'/');
        }
        let Some(next) = parts.get(nth + 1).filter(|_| is_scheme(part)) else {
            unfolded.extend_from_slice(part);
            continue;
        };
        let host = std::str::from_utf8(next).ok()?;
        Host::read(host, names.port_separator(), false)?;
        unfolded.extend_from_slice(&part[..part.len() - colon.len()]);
        unfolded.extend_from_slice(b":/");
    }
    Some(Cow::Owned(unfolded))
}

/// What a path says below a directory whose URL is known: `wget -nH` writes no host.
pub(crate) fn below(
    directory: String,
    path: &[u8],
    is_appended: bool,
    index: &[String],
) -> UrlEvidence {
    let mut caveats = Vec::new();
    let (path, query) = read(path, FileNames::Unix, is_appended, &mut caveats);
    let unfolded = unfolded(path, FileNames::Unix).unwrap_or(Cow::Borrowed(path));
    path::below(directory, &unfolded, query, index, stays).with(caveats)
}

/// The path and the query that wget wrote as `rest`, and why they may differ.
fn read<'a>(
    rest: &'a [u8],
    names: FileNames,
    is_appended: bool,
    caveats: &mut Vec<Caveat>,
) -> (&'a [u8], Option<&'a [u8]>) {
    let ending = ENDINGS.iter().find_map(|ending| rest.strip_suffix(*ending));
    let split = match ending.filter(|_| is_appended) {
        Some(rest) => {
            let (path, query, caveat) = split_query(rest, names);
            caveats.extend(caveat);
            (path, query)
        }
        None => guess(rest, names, caveats),
    };
    caveats.extend(rest.contains(&b'%').then_some(Caveat::Escape));
    let mut names = rest.split(|&byte| byte == b'/');
    let is_cut = names.any(|name| name.len() >= LONGEST);
    caveats.extend(is_cut.then_some(Caveat::Cut));
    split
}

/// The endings that wget -E appends.
const ENDINGS: [&[u8]; 2] = [b".html", b".css"];

/// The path and the query below the host, without a `.html` that wget seems to have appended.
fn guess<'a>(
    rest: &'a [u8],
    names: FileNames,
    caveats: &mut Vec<Caveat>,
) -> (&'a [u8], Option<&'a [u8]>) {
    let (path, Some(mut query), caveat) = split_query(rest, names) else {
        return (without_appended(rest, caveats), None);
    };
    caveats.extend(caveat);
    // It appends .css to style.css?v=1 too.
    let is_css = path.ends_with(b".css");
    let of_css = |query: &'a [u8]| query.strip_suffix(b".css").filter(|_| is_css);
    if let Some(stem) = query.strip_suffix(b".html").or_else(|| of_css(query)) {
        caveats.push(Caveat::Appended);
        query = stem;
    }
    (path, Some(query))
}

/// The path and the query below the host, and why they may be others.
fn split_query(rest: &[u8], names: FileNames) -> (&[u8], Option<&[u8]>, Option<Caveat>) {
    let (parents, name) = split_name(rest);
    let mark = names.query_mark();
    let at = name.iter().position(|&byte| byte == mark);
    let Some(at) = at.filter(|&at| names == FileNames::Unix || starts_query(name, at)) else {
        return (rest, None, None);
    };
    let query = &name[at + 1..];
    let caveat = match names {
        FileNames::Windows => Some(Caveat::At),
        FileNames::Unix => query.contains(&mark).then_some(Caveat::Query),
    };
    (&rest[..parents.len() + at], Some(query), caveat)
}

/// Whether the `@` in a name may stand for `?`: in `logo@2x.png` that is unlikely.
fn starts_query(name: &[u8], at: usize) -> bool {
    // An empty query stands at the end.
    name[..at].contains(&b'.') || name[at..].contains(&b'=') || at + 1 == name.len()
}

/// A path without the `.html` that wget -E appends to `view.php`.
fn without_appended<'a>(path: &'a [u8], caveats: &mut Vec<Caveat>) -> &'a [u8] {
    match path.strip_suffix(b".html") {
        Some(stem) if has_ending(split_name(stem).1) => {
            caveats.push(Caveat::Appended);
            stem
        }
        _ => path,
    }
}

/// Whether a name contains one of [`PAGES`], at its end or before something other than a letter or
/// digit.
fn has_ending(name: &[u8]) -> bool {
    name.split(|&byte| byte == b'.').skip(1).any(|part| {
        let ending = part.split(|byte| !byte.is_ascii_alphanumeric()).next();
        ending.is_some_and(|ending| PAGES.iter().any(|page| ending.eq_ignore_ascii_case(page)))
    })
}

/// An escape stays an escape: wget made it, or did not decode it. A semicolon starts parameters,
/// which belong to the name for wget.
fn stays(rest: &[u8]) -> bool {
    match rest {
        [b'%', ..] => percent::escape(rest).is_some(),
        [b';', ..] => true,
        _ => is_path_byte(rest),
    }
}
