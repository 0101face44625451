//! Layout `wget`: `[scheme/]host[:port]/directories/file[?query]`, as `wget -r` writes it.
//!
//! wget decodes the escapes of a path before it writes it, and escapes what the file system or
//! `--restrict-file-names` does not allow. So a name cannot always be mapped back; if that is a
//! guess, the evidence has a [`Caveat`]. A page that was redirected has the name of the URL asked
//! for, and only `--xattr` records where it came from; its name does not show that, but its links
//! tend to ([`super::confirmation`]). After `-nH` or `--cut-dirs` nothing records the host or
//! the directories ([`Tree`](super::tree::Tree) takes their URL). Not covered:
//! `--restrict-file-names=lowercase`, which loses what nothing records.

use super::Unrecorded;
use super::host::{self, Host, Spelled};
use super::path::{self, is_path_byte, split_name};
use super::url_evidence::{Caveat, UrlEvidence};
use abslink_url::percent;

/// `--restrict-file-names`, as far as it affects URLs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// `:` before the port, `?` before the query.
    Unix,
    /// `+` before the port, `@` before the query.
    Windows,
}

impl Names {
    pub(super) fn port_separator(self) -> char {
        match self {
            Names::Unix => ':',
            Names::Windows => '+',
        }
    }

    fn query_mark(self) -> u8 {
        match self {
            Names::Unix => b'?',
            Names::Windows => b'@',
        }
    }
}

/// How many bytes wget leaves of a name (`CHOMP_BUFFER` less than most file systems allow), before
/// -E appends its `.html`.
const LONGEST: usize = 236;

/// The directories of `--protocol-directories`.
pub(super) const SCHEMES: [&str; 4] = ["http", "https", "ftp", "ftps"];

/// Endings of pages; a name that has one before its `.html` got the latter from wget -E.
const PAGES: [&[u8]; 12] = [
    b"php", b"asp", b"aspx", b"jsp", b"cgi", b"pl", b"cfm", b"html", b"htm", b"shtml", b"xhtml",
    b"xht",
];

/// §3.3: what the path of a document says.
///
/// # Examples
/// ```
/// use abslink_html::base::retrieval::wget;
/// use abslink_html::retrieval::Unrecorded;
/// let says = |path: &[u8]| {
///     let evidence = wget::evidence(path, wget::Names::Unix, &Unrecorded::default());
///     evidence.map(|evidence| evidence.says)
/// };
/// assert_eq!(says(b"h:8080/d/a.html?b=c").as_deref(), Some("https://h:8080/d/a.html?b=c"));
/// assert_eq!(says(b"http/h.org/d/a.html").as_deref(), Some("http://h.org/d/a.html"));
/// assert_eq!(says(b"robots.html"), None);
/// assert_eq!(says(b"docs/a.html"), None);
/// ```
pub fn evidence(path: &[u8], names: Names, unrecorded: &Unrecorded) -> Option<UrlEvidence> {
    let (first, rest) = host::split_first(path)?;
    // A directory for the scheme has one for the host in it; a host may have such a name too.
    let recorded = host::split_first(rest).filter(|_| SCHEMES.contains(&first));
    let (scheme, directory, rest, caveat) = match recorded {
        Some((directory, rest)) => (first, directory, rest, None),
        None => (
            unrecorded.scheme.name(),
            first,
            rest,
            host::caveat(&unrecorded.scheme),
        ),
    };
    let host = Host::read(directory, names.port_separator(), unrecorded.any_host)?;
    let mut caveats: Vec<Caveat> = caveat.into_iter().collect();
    let (path, query) = read(rest, names, &mut caveats);
    let spelled = Spelled {
        scheme,
        host,
        path,
        query,
        caveats,
    };
    Some(spelled.evidence(&unrecorded.index, stays))
}

/// What a path says below a directory whose URL is known: `wget -nH` writes no host.
pub(super) fn below(directory: String, path: &[u8], index: &[String]) -> UrlEvidence {
    let mut caveats = Vec::new();
    let (path, query) = read(path, Names::Unix, &mut caveats);
    path::below(directory, path, query, index, stays).with(caveats)
}

/// The path and the query that wget wrote as `rest`, and why they may differ.
fn read<'a>(
    rest: &'a [u8],
    names: Names,
    caveats: &mut Vec<Caveat>,
) -> (&'a [u8], Option<&'a [u8]>) {
    let split = split_query(rest, names, caveats);
    if rest.contains(&b'%') {
        caveats.push(Caveat::Escape);
    }
    if (rest.split(|&byte| byte == b'/')).any(|name| name.len() >= LONGEST) {
        caveats.push(Caveat::Cut);
    }
    split
}

/// The path and the query below the host, without a `.html` that wget appended.
fn split_query<'a>(
    rest: &'a [u8],
    names: Names,
    caveats: &mut Vec<Caveat>,
) -> (&'a [u8], Option<&'a [u8]>) {
    let (parents, name) = split_name(rest);
    let mark = names.query_mark();
    let at = name.iter().position(|&byte| byte == mark);
    let Some(at) = at.filter(|&at| names == Names::Unix || starts_query(name, at)) else {
        return (without_appended(rest, caveats), None);
    };
    let mut query = &name[at + 1..];
    if names == Names::Windows {
        caveats.push(Caveat::At);
    } else if query.contains(&mark) {
        caveats.push(Caveat::Query);
    }
    // It appends .css to style.css?v=1 too.
    let of_css = |query: &'a [u8]| match name[..at].ends_with(b".css") {
        true => query.strip_suffix(b".css"),
        false => None,
    };
    if let Some(stem) = query.strip_suffix(b".html").or_else(|| of_css(query)) {
        caveats.push(Caveat::Appended);
        query = stem;
    }
    (&rest[..parents.len() + at], Some(query))
}

/// Whether the `@` in a name may stand for `?`: in `logo@2x.png` that is unlikely.
fn starts_query(name: &[u8], at: usize) -> bool {
    name[..at].contains(&b'.') || name[at..].contains(&b'=')
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
