//! Absolute URLs as people type them: what is most often meant where there is none.

/// Why a text was hardly meant as an absolute URL.
///
/// # Examples
/// ```
/// use abslink_url::typed::{self, TypedUrlError};
///
/// let error = typed::check("localhost:8000").unwrap_err();
/// let meant = Some("http://localhost:8000/".to_owned());
/// assert_eq!(error, TypedUrlError::NoScheme { meant });
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TypedUrlError {
    /// Its scheme is one slip from `http` or `https`.
    #[error("unknown scheme {scheme}; did you mean {meant}?")]
    UnknownScheme {
        /// The scheme, in lower case.
        scheme: String,
        /// `http` or `https`.
        meant: &'static str,
    },
    /// It is the path of a file, perhaps with the drive that Windows has.
    #[error("expected a URL, not a path")]
    Path,
    /// A URL stands behind the `//` of another one.
    #[error("two schemes; did you mean {meant} ?")]
    TwoSchemes {
        /// The second URL.
        meant: String,
    },
    /// It has no scheme; a port is none.
    #[error("no scheme")]
    NoScheme {
        /// The URL that may be meant, if the text begins with a host.
        meant: Option<String>,
    },
}

/// Checks a URL that a person has typed. Any scheme passes but one that is a slip.
///
/// # Errors
/// [`TypedUrlError`] if it is not absolute, or was hardly meant to be.
///
/// # Examples
/// ```
/// use abslink_url::typed;
///
/// assert_eq!(typed::check("gopher://example.org/"), Ok(()));
/// let error = typed::check("htps://example.org/").unwrap_err();
/// assert_eq!(error.to_string(), "unknown scheme htps; did you mean https?");
/// let error = typed::check(r"C:\site").unwrap_err();
/// assert_eq!(error.to_string(), "expected a URL, not a path");
/// ```
pub fn check(url: &str) -> Result<(), TypedUrlError> {
    let is_path = |start| url.starts_with(start) && !url.starts_with("//");
    let Some((scheme, rest)) = scheme(url) else {
        return Err(if ["/", "./", "../", "~/", "\\"].into_iter().any(is_path) {
            TypedUrlError::Path
        } else {
            TypedUrlError::NoScheme { meant: meant(url) }
        });
    };
    if let Some(inner) = rest.strip_prefix("//")
        && (inner.starts_with("http://") || inner.starts_with("https://"))
    {
        let meant = inner.to_owned();
        return Err(TypedUrlError::TwoSchemes { meant });
    }
    let port = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let scheme = scheme.to_ascii_lowercase();
    match near(&scheme) {
        _ if scheme.len() == 1 => Err(TypedUrlError::Path),
        _ if is_port(port) => Err(TypedUrlError::NoScheme { meant: meant(url) }),
        Some(meant) => Err(TypedUrlError::UnknownScheme { scheme, meant }),
        None => Ok(()),
    }
}

/// The scheme of a URL, and what follows its colon.
fn scheme(url: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = url.split_once(':')?;
    let is_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && (scheme.bytes()).all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    is_scheme.then_some((scheme, rest))
}

fn is_port(text: &str) -> bool {
    (1..=5).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The URL that a text without a scheme may stand for.
fn meant(url: &str) -> Option<String> {
    let url = url.trim_matches(['"', '\'', '<', '>']);
    if url.starts_with("http://") || url.starts_with("https://") {
        return Some(url.to_owned());
    }
    let url = [
        "http//:", "https//:", "http;//", "https;//", "http//", "https//", "//",
    ]
    .into_iter()
    .find_map(|start| url.strip_prefix(start))
    .unwrap_or(url);
    let authority = url.split(['/', '?', '#']).next().unwrap_or_default();
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if is_port(port) => (host, Some(port)),
        _ => (authority, None),
    };
    let is_local = host == "localhost" || host.starts_with("127.") || host == "[::1]";
    let is_host = is_local
        || (host.bytes()).all(|byte| byte.is_ascii_alphanumeric() || b"-.".contains(&byte))
            && (host.contains('.') || port.is_some())
            && !host.starts_with('.')
            && !host.is_empty();
    let scheme = if is_local { "http" } else { "https" };
    let is_bare = url.len() == authority.len();
    let slash = if is_bare { "/" } else { "" };
    is_host.then(|| format!("{scheme}://{url}{slash}"))
}

/// Which of `http` and `https` another scheme is one slip from: a letter too many, too few, another, or two
/// that changed places.
fn near(scheme: &str) -> Option<&'static str> {
    let known = if scheme.ends_with('s') {
        ["https", "http"]
    } else {
        ["http", "https"]
    };
    let is_near = |known: &&str| is_one_slip(scheme.as_bytes(), known.as_bytes());
    if known.contains(&scheme) {
        None
    } else {
        known.into_iter().find(is_near)
    }
}

fn is_one_slip(one: &[u8], other: &[u8]) -> bool {
    let start = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let (one, other) = (&one[start..], &other[start..]);
    let same = one.iter().rev().zip(other.iter().rev());
    let end = same.take_while(|(a, b)| a == b).count();
    match (&one[..one.len() - end], &other[..other.len() - end]) {
        ([_], [] | [_]) | ([], [_]) => true,
        ([a, b], [c, d]) => a == d && b == c,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scheme_that_is_a_slip() {
        for (typed, known) in [
            ("htp", "http"),
            ("ttp", "http"),
            ("htttp", "http"),
            ("hhttp", "http"),
            ("htpt", "http"),
            ("hztp", "http"),
            ("http0", "http"),
            ("HTP", "http"),
            ("hhtps", "https"),
            ("htps", "https"),
            ("htpts", "https"),
            ("httpss", "https"),
            ("htts", "https"),
            ("thttps", "https"),
        ] {
            let error = check(&format!("{typed}://e.org/")).unwrap_err();
            let line = format!(
                "unknown scheme {}; did you mean {known}?",
                typed.to_ascii_lowercase()
            );
            assert_eq!(error.to_string(), line);
        }
        for other in [
            "http",
            "https",
            "HTTPS",
            "ftp",
            "ftps",
            "file",
            "ws",
            "wss",
            "gopher",
            "nntp",
            "wais",
            "sftp",
            "tftp",
            "app",
            "chrome-extension",
            "prospero",
            "ipfs",
            "s3",
            "git+ssh",
        ] {
            assert_eq!(check(&format!("{other}://e.org/")), Ok(()), "{other}");
        }
    }

    #[test]
    fn one_scheme_is_enough() {
        let error = check("https://http://e.org/x").unwrap_err();
        assert_eq!(
            error.to_string(),
            "two schemes; did you mean http://e.org/x ?"
        );
        assert_eq!(
            check("https://web.archive.org/web/2020/https://e.org/"),
            Ok(())
        );
    }

    #[test]
    fn a_path_is_not_a_url() {
        for path in [
            "c:/site",
            r"C:\site",
            "x:",
            "/srv/site",
            "./site",
            "../site",
            "~/site",
            r"\\server\x",
        ] {
            assert_eq!(check(path), Err(TypedUrlError::Path), "{path}");
        }
    }

    #[test]
    fn what_has_no_scheme_may_have_a_host() {
        for (typed, meant) in [
            ("example.org", Some("https://example.org/")),
            ("www.e.org/docs", Some("https://www.e.org/docs")),
            ("e.org?x", Some("https://e.org?x")),
            ("e.org:8080/x/", Some("https://e.org:8080/x/")),
            ("//e.org/", Some("https://e.org/")),
            ("https//e.org", Some("https://e.org/")),
            ("https//:e.org", Some("https://e.org/")),
            ("http;//e.org/x", Some("https://e.org/x")),
            ("\"https://e.org/\"", Some("https://e.org/")),
            ("<http://e.org/>", Some("http://e.org/")),
            ("localhost", Some("http://localhost/")),
            ("localhost:8000", Some("http://localhost:8000/")),
            ("127.0.0.1:4000/x", Some("http://127.0.0.1:4000/x")),
            ("[::1]:80", Some("http://[::1]:80/")),
            ("box:3000", Some("https://box:3000/")),
            ("docs", None),
            ("", None),
            ("index.html|x", None),
        ] {
            let meant = meant.map(str::to_owned);
            assert_eq!(
                check(typed),
                Err(TypedUrlError::NoScheme { meant }),
                "{typed}"
            );
        }
    }
}
