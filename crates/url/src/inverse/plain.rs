//! The inverse for plain URLs, whose bytes alone show that nothing has to be proved: nearly all are.

use std::ops::Range;

use super::{is_plain, is_usual};
use crate::base::BaseUrl;

/// A plain base URL, taken apart once.
///
/// # Examples
/// ```
/// use abslink_url::{BaseUrl, inverse::Plain};
///
/// let base = BaseUrl::parse("http://h/a/b/c.html")?;
/// let plain = Plain::new(&base).expect("nothing in it is read in two ways");
/// let respelled = |reference| {
///     let mut out = String::new();
///     plain.respelled(reference, true, &mut out).map(|_| out)
/// };
/// assert_eq!(respelled("../e/d.html").as_deref(), Some("../e/d.html"));
/// assert_eq!(respelled("../b/d.html").as_deref(), Some("d.html"));
/// assert_eq!(respelled("../b/c.html#x").as_deref(), Some("#x"));
/// // That may be a URL.
/// assert_eq!(respelled("d:e"), None);
/// # Ok::<(), abslink_url::UnsuitableBase>(())
/// ```
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Plain<'b> {
    /// Scheme and host, without a slash behind them.
    server: &'b str,
    /// The path up to its last slash.
    directory: &'b str,
    /// What follows that in the path.
    name: &'b str,
    /// Without query and fragment, which would have to be compared.
    has_query: bool,
}

/// What [`Plain::respelled`] says of a reference.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Respelled {
    /// How many `../` it begins with.
    pub written: usize,
    /// How many it needs.
    pub levels: usize,
    /// The path that follows these, in the reference.
    pub path: Range<usize>,
}

impl<'b> Plain<'b> {
    /// `None` for a base URL in which anything is read in two ways.
    pub fn new(base: &'b BaseUrl) -> Option<Plain<'b>> {
        let url = base.as_str();
        if !is_plain(url) {
            return None;
        }
        let host = url.find("://")? + "://".len();
        let (server, path) = url.split_at(host + url[host..].find('/')?);
        let end = path.find(['?', '#']).unwrap_or(path.len());
        let has_query = path[end..].starts_with('?');
        let (directory, name) = path[..end].split_at(path[..end].rfind('/')? + 1);
        Some(Plain {
            server,
            directory,
            name,
            has_query,
        })
    }

    /// Scheme and host.
    pub fn server(&self) -> &'b str {
        self.server
    }

    /// The URL of the directory so many levels above that of the base, without the server.
    pub fn above(&self, levels: usize) -> Option<&'b str> {
        (0..levels).try_fold(self.directory, |directory, _| {
            let above = directory.strip_suffix('/')?;
            Some(&above[..above.rfind('/')? + 1])
        })
    }

    /// Whether a reference is a fragment that stands for the base URL with it.
    pub fn is_fragment(&self, reference: &[u8]) -> bool {
        let after = reference.strip_prefix(b"#");
        !self.has_query && after.is_some_and(is_plain_fragment)
    }

    /// A relative reference as [`relative`](super::relative) would spell its target, appended to `out`, and
    /// with how many `../` it was written. `None`, and nothing appended, if that takes more to tell.
    pub fn respelled(
        &self,
        reference: &str,
        fragment_alone: bool,
        out: &mut String,
    ) -> Option<Respelled> {
        let mut written = 0;
        let mut rest = reference;
        while let Some(after) = rest.strip_prefix("../") {
            (written, rest) = (written + 1, after);
        }
        if self.has_query || !is_plain_end(rest.as_bytes()) {
            return None;
        }
        // What leads back into a directory that was left did not have to leave it.
        let mut levels = written;
        if levels > 0 {
            let left = &self.directory[self.above(levels)?.len()..];
            for directory in left.split_terminator('/') {
                let after = rest.strip_prefix(directory);
                let Some(inside) = after.and_then(|after| after.strip_prefix('/')) else {
                    break;
                };
                (levels, rest) = (levels - 1, inside);
            }
        }
        let end = memchr::memchr2(b'?', b'#', rest.as_bytes()).unwrap_or(rest.len());
        let (path, after) = rest.split_at(end);
        if levels == 0 && path.is_empty() {
            return None;
        }
        let is_base = levels == 0 && path == self.name;
        if is_base && fragment_alone && after.starts_with('#') {
            out.push_str(after);
        } else {
            (0..levels).for_each(|_| out.push_str("../"));
            out.push_str(rest);
        }
        Some(Respelled {
            written,
            levels,
            path: reference.len() - rest.len()..reference.len() - after.len(),
        })
    }

    /// A relative reference as [`from_root`](super::from_root) would spell its target, appended to `out`, with
    /// how many `../` it was written. `None`, and nothing appended, if that takes more to tell.
    pub fn rooted(&self, reference: &str, fragment_alone: bool, out: &mut String) -> Option<usize> {
        let (written, directory, rest) = match reference.strip_prefix('/') {
            Some(rest) => (0, "/", rest),
            None => {
                let mut written = 0;
                let mut rest = reference;
                while let Some(after) = rest.strip_prefix("../") {
                    (written, rest) = (written + 1, after);
                }
                if written == 0 && matches!(rest.as_bytes(), [] | [b'?' | b'#', ..]) {
                    return None;
                }
                (written, self.above(written)?, rest)
            }
        };
        if self.has_query || !is_plain_end(rest.as_bytes()) {
            return None;
        }
        let end = memchr::memchr2(b'?', b'#', rest.as_bytes()).unwrap_or(rest.len());
        let (path, after) = rest.split_at(end);
        self.push_rooted(directory, path, after, fragment_alone, out);
        Some(written)
    }

    /// What [`from_root`](super::from_root) makes of a plain target on the same server, appended to `out`;
    /// `false`, and nothing appended, for every other target.
    pub fn from_root(&self, target: &str, fragment_alone: bool, out: &mut String) -> bool {
        let path = target.strip_prefix(self.server);
        let Some(path) = path.and_then(|path| path.strip_prefix('/')) else {
            return false;
        };
        if self.has_query || !is_plain(target) {
            return false;
        }
        let end = memchr::memchr2(b'?', b'#', path.as_bytes()).unwrap_or(path.len());
        let (path, after) = path.split_at(end);
        self.push_rooted("/", path, after, fragment_alone, out);
        true
    }

    /// A path in two pieces, and what follows it; of the base itself only a fragment, if it may stand alone.
    fn push_rooted(
        &self,
        directory: &str,
        path: &str,
        after: &str,
        fragment_alone: bool,
        out: &mut String,
    ) {
        let own = self.directory.strip_prefix(directory);
        let below = own.and_then(|own| path.strip_prefix(own));
        if !(below == Some(self.name) && fragment_alone && after.starts_with('#')) {
            out.push_str(directory);
            out.push_str(path);
        }
        out.push_str(after);
    }

    /// What [`relative`](super::relative) makes of a plain target on the same server, appended to `out`,
    /// where `fragment_alone` is as in [`Inverse`](super::Inverse); `false`, and nothing appended, for
    /// every other target.
    pub fn relative(&self, target: &str, fragment_alone: bool, out: &mut String) -> bool {
        let Some(path) = target.strip_prefix(self.server) else {
            return false;
        };
        if self.has_query || !path.starts_with('/') || !is_plain(target) {
            return false;
        }
        let end = path.find(['?', '#']).unwrap_or(path.len());
        let (path, after) = path.split_at(end);
        let slash = path.rfind('/').map_or(0, |slash| slash + 1);
        let is_base = path.strip_prefix(self.directory) == Some(self.name);
        if is_base && fragment_alone && after.starts_with('#') {
            out.push_str(after);
            return true;
        }
        let inner = &path.as_bytes()[..slash];
        let own = self.directory.as_bytes();
        let equal = own.iter().zip(inner).take_while(|(a, b)| a == b).count();
        // Only whole directories are shared.
        let shared = own[..equal].iter().rposition(|&byte| byte == b'/');
        let shared = shared.map_or(0, |slash| slash + 1);
        for _ in own[shared..].iter().filter(|&&byte| byte == b'/') {
            out.push_str("../");
        }
        if shared == self.directory.len() && shared == path.len() {
            out.push_str("./");
        }
        out.push_str(&path[shared..]);
        out.push_str(after);
        true
    }
}

/// Whether no resolver reads anything into the end of a reference behind its `../`, and no template does:
/// usual bytes, no empty segment but the last, no segment of dots.
fn is_plain_end(rest: &[u8]) -> bool {
    let (rest, fragment) = match memchr::memchr(b'#', rest) {
        // A character reference, which may stand for anything.
        Some(mark) if rest[..mark].ends_with(b"&") => return false,
        Some(mark) => (&rest[..mark], Some(&rest[mark + 1..])),
        None => (rest, None),
    };
    // A segment that begins with a dot may be one that is removed.
    let is_odd = |pair: &[u8]| pair[0] == b'/' && matches!(pair[1], b'/' | b'.');
    rest.iter().all(|&byte| is_usual(byte))
        && !matches!(rest.first(), Some(b'/' | b'.'))
        && !rest.windows(2).any(is_odd)
        && fragment.is_none_or(is_plain_fragment)
}

/// Whether a fragment stands for itself: usual bytes, and others that no resolver changes behind a `#`, and
/// no template takes for its own.
fn is_plain_fragment(fragment: &[u8]) -> bool {
    let mut rest = fragment;
    while let Some((&byte, after)) = rest.split_first() {
        rest = match byte {
            b'%' => match after {
                [a, b, after @ ..] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit() => after,
                _ => return false,
            },
            b'#' | b'&' => return false,
            b'(' | b')' | b'+' | b',' | b':' | b';' | b'!' => after,
            byte if is_usual(byte) => after,
            _ => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::super::{Form, Inverse, from_root, relative};
    use super::*;
    use crate::Resolver;

    const TARGETS: [&str; 26] = [
        "a/b&#10;c",
        "a#x%3Cy(z):1,2",
        "a#%zz",
        "a/b/c#a&b",
        "",
        "a",
        "a/",
        "a/b/",
        "a/b/c",
        "a/b/c#f",
        "a/b/c?q",
        "a/b/c?q#f",
        "a/b",
        "a/bc",
        "a/x/y/z",
        "x/",
        "x",
        "#f",
        "?q",
        "a/b/c/d",
        "a/b/c/",
        "a//b",
        "a/./b",
        "a/../b",
        "a/b;c",
        "a/b:c",
    ];

    /// Its results are those of the steps, where it has any.
    #[test]
    fn it_says_what_the_steps_say() {
        let bases = ["a/b/c", "a/b/", "", "x", "a/b/c/d/e", "a/b/c?q"];
        let (mut found, mut spelled, mut rooted) = (0, 0, 0);
        for base in bases {
            let base = BaseUrl::any(&format!("https://e.org/{base}"));
            let Some(plain) = Plain::new(&base) else {
                continue;
            };
            for target in TARGETS {
                let target = format!("https://e.org/{target}");
                for fragment_alone in [true, false] {
                    let mut out = String::new();
                    if plain.relative(&target, fragment_alone, &mut out) {
                        let form = Form::Relative;
                        let inverse = Inverse {
                            form,
                            fragment_alone,
                        };
                        let expected = inverse.reference(&base, &target);
                        assert_eq!(Ok(out), expected, "{target} from {base:?}");
                        found += 1;
                    }
                    let mut out = String::new();
                    if plain.from_root(&target, fragment_alone, &mut out) {
                        let form = Form::Root;
                        let inverse = Inverse {
                            form,
                            fragment_alone,
                        };
                        let expected = inverse.reference(&base, &target);
                        assert_eq!(Ok(out), expected, "{target} from {base:?}");
                        rooted += 1;
                    }
                }
                for ways in ["", "../", "../../", "../../../", "./"] {
                    let reference = format!("{ways}{}", &target["https://e.org/".len()..]);
                    let mut out = String::new();
                    if let Some(of) = plain.respelled(&reference, true, &mut out) {
                        let target = Resolver::Rfc1808.resolve(&base, &reference).unwrap();
                        assert_eq!(
                            relative(&base, &target).as_deref(),
                            Ok(&*out),
                            "{reference}"
                        );
                        assert_eq!(reference.matches("../").count(), of.written);
                        assert_eq!(out.matches("../").count(), of.levels);
                        spelled += 1;
                    }
                }
                for ways in ["", "/", "../", "../../", "../../../", "./", "/../", "//"] {
                    let reference = format!("{ways}{}", &target["https://e.org/".len()..]);
                    let mut out = String::new();
                    if let Some(written) = plain.rooted(&reference, true, &mut out) {
                        let target = Resolver::Rfc1808.resolve(&base, &reference).unwrap();
                        let expected = from_root(&base, &target);
                        assert_eq!(expected.as_deref(), Ok(&*out), "{reference}");
                        assert_eq!(reference.matches("../").count(), written);
                        rooted += 1;
                    }
                }
            }
        }
        assert!(
            found > 80 && spelled > 80 && rooted > 160,
            "{found} {spelled} {rooted}"
        );
    }
}
