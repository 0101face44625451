//! Where the paths of findings begin.
//!
//! A CI system knows files by their paths below its checkout, which it names in the
//! environment; elsewhere the working directory counts. So two checkouts give the same bytes.

use std::borrow::Cow;
use std::env;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use abslink_url::percent;
use serde::{Deserialize as _, Deserializer, Serializer};
use url::Url;

use crate::cli::terminal::print::with_slashes;

/// Where paths begin, in the order in which they are tried.
pub(crate) struct Roots {
    roots: Vec<PathBuf>,
    here: PathBuf,
}

impl Roots {
    /// Those of a CI system that names its checkout in `variable`, if that is given and set.
    pub(in super::super) fn of(variable: Option<&str>) -> Roots {
        let here = env::current_dir().unwrap_or_default();
        let checkout = variable.and_then(env::var_os).map(PathBuf::from);
        let checkout = checkout.filter(|path| path.is_absolute());
        let roots = checkout.into_iter().chain([here.clone()]);
        Roots {
            roots: roots.map(|root| normal(&root)).collect(),
            here,
        }
    }

    /// The path of a file from where paths begin, if it is below. Standard input stays `-`.
    fn below(&self, path: &Path) -> Option<PathBuf> {
        if path.as_os_str() == "-" {
            return Some(path.to_owned());
        }
        let path = normal(&self.here.join(path));
        let below = (self.roots.iter()).find_map(|root| path.strip_prefix(root).ok());
        below.map(Path::to_owned)
    }

    /// This path with `/`, or that of a file elsewhere as it was given. Bytes that are not UTF-8 become U+FFFD.
    pub(super) fn shown(&self, path: &Path) -> String {
        let below = self.below(path);
        with_slashes(below.as_deref().unwrap_or(path)).into_owned()
    }

    /// The same with all bytes encoded but unreserved ones and `/`, and whether it is below; for a file elsewhere, a
    /// `file:` URL.
    pub(super) fn uri(&self, path: &Path) -> (String, bool) {
        match self.below(path) {
            Some(below) => (encoded(&slashed(below)), true),
            None => {
                // It is absolute.
                let url = Url::from_file_path(normal(&self.here.join(path)));
                (url.map_or_else(|()| String::new(), String::from), false)
            }
        }
    }
}

/// A directory that paths are written from, with `..` for what is not below it.
pub(in super::super) struct PathOrigin {
    directory: PathBuf,
    here: PathBuf,
}

impl PathOrigin {
    /// That of a file.
    pub(in super::super) fn of(file: &Path) -> PathOrigin {
        let here = normal(&env::current_dir().unwrap_or_default());
        let directory = normal(&here.join(file.parent().unwrap_or(file)));
        PathOrigin { directory, here }
    }

    /// The path of a file from this directory, with `/`. Bytes that are not UTF-8 become U+FFFD. Standard
    /// input stays `-`, and so does a path on another drive.
    pub(in super::super) fn seen(&self, path: &Path) -> String {
        let absolute = self.absolute(path);
        let (from, to) = (self.directory.components(), absolute.components());
        let shared = from.clone().zip(to.clone()).take_while(|(a, b)| a == b);
        let shared = shared.count();
        let seen: PathBuf = match (shared, path.as_os_str() == "-") {
            (0, _) | (_, true) => path.to_owned(),
            (shared, _) => {
                let up = from.skip(shared).map(|_| Component::ParentDir);
                up.chain(to.skip(shared)).collect()
            }
        };
        with_slashes(&seen).into_owned()
    }

    /// The path of a file by what [`PathOrigin::seen`] made of it.
    pub(in super::super) fn join(&self, seen: &str) -> PathBuf {
        normal(&self.directory.join(seen))
    }

    /// A path from the working directory.
    pub(in super::super) fn absolute(&self, path: &Path) -> PathBuf {
        normal(&self.here.join(path))
    }
}

/// Writes a path of any bytes as text.
pub(super) fn serialize<S: Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&encoded(path.as_os_str().as_encoded_bytes()))
}

/// Reads a path that was written so.
pub(super) fn deserialize<'de, 'p, D>(from: D) -> Result<Cow<'p, Path>, D::Error>
where
    D: Deserializer<'de>,
{
    let bytes = percent::decode(&String::deserialize(from)?);
    #[cfg(unix)]
    let path = <OsString as std::os::unix::ffi::OsStringExt>::from_vec(bytes);
    #[cfg(not(unix))]
    let path = OsString::from(String::from_utf8_lossy(&bytes).into_owned());
    Ok(PathBuf::from(path).into())
}

fn encoded(path: &[u8]) -> String {
    let mut encoded = String::new();
    percent::encode(path, |rest| is_plain(rest[0]), &mut encoded);
    encoded
}

/// Bytes that stand for themselves: `unreserved` of RFC 3986 §2.3, and `/`.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte)
}

/// What [`with_slashes`] makes of a path, byte by byte.
fn slashed(path: PathBuf) -> Vec<u8> {
    let mut bytes = path.into_os_string().into_encoded_bytes();
    if cfg!(windows) {
        let separators = bytes.iter_mut().filter(|byte| **byte == b'\\');
        separators.for_each(|byte| *byte = b'/');
    }
    bytes
}

/// Without `.` and `..`. Symbolic links are not looked up: a checkout is known by the path that its
/// CI system names.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            other => normal.push(other),
        }
    }
    normal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    fn roots(roots: &[&str], here: &str) -> Roots {
        Roots {
            roots: roots.iter().map(PathBuf::from).collect(),
            here: here.into(),
        }
    }

    #[cfg(unix)]
    #[test]
    fn paths_begin_at_the_checkout() {
        let ci = roots(&["/w", "/w/d"], "/w/d");
        for (given, path, uri) in [
            ("a b/é.html", "d/a b/é.html", "d/a%20b/%C3%A9.html"),
            ("./x.html", "d/x.html", "d/x.html"),
            ("../y/./x.html", "y/x.html", "y/x.html"),
            ("/w/x~.html", "x~.html", "x~.html"),
            ("/x/%.html", "/x/%.html", "file:///x/%25.html"),
            ("../../x.html", "../../x.html", "file:///x.html"),
            ("-", "-", "-"),
        ] {
            let file = Path::new(given);
            assert_eq!(ci.shown(file), path);
            let is_below = !uri.starts_with("file:");
            assert_eq!(ci.uri(file), (uri.to_owned(), is_below), "{given}");
        }
        // The checkout is somewhere else.
        let other = roots(&["/v", "/w/d"], "/w/d");
        assert_eq!(other.shown(Path::new("x.html")), "x.html");
    }

    #[cfg(unix)]
    #[test]
    fn paths_from_a_directory() {
        let directory = PathOrigin {
            directory: "/w/ci".into(),
            here: "/w/d".into(),
        };
        for (given, seen, joined) in [
            ("a.html", "../d/a.html", "/w/d/a.html"),
            ("../ci/x/./a.html", "x/a.html", "/w/ci/x/a.html"),
            ("/v/a.html", "../../v/a.html", "/v/a.html"),
            ("-", "-", "/w/ci/-"),
        ] {
            assert_eq!(directory.seen(Path::new(given)), seen);
            assert_eq!(directory.join(seen), Path::new(joined));
        }
    }

    #[cfg(unix)]
    #[test]
    fn bytes_that_are_no_text() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt as _;
        let path = Path::new(OsStr::from_bytes(b"\xff\n.html"));
        let roots = roots(&["/w"], "/w");
        assert_eq!(roots.shown(path), "\u{fffd}\n.html");
        assert_eq!(roots.uri(path).0, "%FF%0A.html");
    }
}
