//! URLs of web archives that show a page as it was: the Wayback Machine, pywb and their like put the
//! page's URL behind a timestamp, `/web/20200103104500/http://www.example.com/`.

use abslink_url::{BaseUrl, whatwg};

use crate::base::{Context, DocumentBase, Retrieval};
use crate::settings::Settings;

/// The URL in that of a web archive, or in a reference to one: as it is after every archive around it was
/// taken off. What a browser cannot read as a URL is none: without the archive, it would have no meaning.
#[doc(hidden)]
pub fn unwrapped(reference: &str) -> Option<String> {
    let (path, behind) = reference.split_at(path_end(reference));
    let mut inner = inner(path)?;
    while let Some(next) = self::inner(inner) {
        inner = next;
    }
    let (scheme, rest) = inner.split_once(":/")?;
    let url = format!("{scheme}://{}{behind}", rest.trim_start_matches('/'));
    whatwg::parse(&url, None).is_ok().then_some(url)
}

/// Whether a reference is one of a web archive.
pub(crate) fn is_wrapped(reference: &str) -> bool {
    // Nearly no reference has a colon, but for that of its own scheme: this has one behind a timestamp.
    let behind_scheme = reference.as_bytes().get("https:".len()..);
    behind_scheme.is_some_and(|rest| memchr::memchr(b':', rest).is_some())
        && reference.contains(":/")
        && unwrapped(reference).is_some()
}

fn path_end(reference: &str) -> usize {
    reference.find(['?', '#']).unwrap_or(reference.len())
}

/// What stands behind a timestamp, in a reference without query and fragment.
fn inner(reference: &str) -> Option<&str> {
    let mut start = path_start(reference)?;
    let mut before = "";
    for segment in reference[start..].split('/') {
        let end = start + segment.len();
        if is_timestamp(segment, before)
            && let Some(inner) = reference.get(end + 1..)
            && begins_url(inner)
        {
            return Some(inner);
        }
        (start, before) = (end + 1, segment);
    }
    None
}

/// Where the path of a reference begins; `None` where it has none of segments, or is not of the web.
fn path_start(reference: &str) -> Option<usize> {
    let scheme = reference.find([':', '/'])?;
    let is_absolute = reference[scheme..].starts_with(':');
    let after_scheme = if is_absolute { scheme + 1 } else { 0 };
    let slashes = reference[after_scheme..]
        .bytes()
        .take_while(|&byte| byte == b'/');
    let start = match (is_absolute, slashes.count()) {
        (true, 0) => return None,
        (true, _) if !is_of_web(&reference[..scheme]) => return None,
        // `http:/h/x` is what file systems make of `http://h/x`.
        (true, slashes) => after_scheme + slashes,
        (false, slashes @ 2..) => slashes,
        (false, _) => return Some(0),
    };
    Some(start + reference[start..].find('/')?)
}

/// `20200103104500`, `20200103104500im_`, or any shorter one directly behind `/web/`.
fn is_timestamp(segment: &str, before: &str) -> bool {
    let digits = segment.bytes().take_while(u8::is_ascii_digit).count();
    let is_long_enough = digits == 14 || before == "web" && (1..14).contains(&digits);
    is_long_enough
        && match segment.as_bytes()[digits..] {
            [] => true,
            [one, other, b'_'] => one.is_ascii_alphabetic() && other.is_ascii_alphabetic(),
            _ => false,
        }
}

/// `http://h` or `https:/h`.
fn begins_url(text: &str) -> bool {
    let is_short = text.as_bytes().get(4) == Some(&b':');
    let parts = text.split_at_checked(if is_short { 4 } else { 5 });
    let host = parts.and_then(|(scheme, rest)| {
        let rest = rest.strip_prefix(":/").filter(|_| is_of_web(scheme))?;
        Some(rest.strip_prefix('/').unwrap_or(rest))
    });
    host.is_some_and(|host| host.starts_with(|c: char| c.is_alphanumeric() || c == '['))
}

fn is_of_web(scheme: &str) -> bool {
    ["http", "https"]
        .iter()
        .any(|known| known.eq_ignore_ascii_case(scheme))
}

/// A base URL as it is used: with [`Settings::unwrap`], what a web archive shows.
pub(crate) fn base(url: BaseUrl, settings: &Settings) -> BaseUrl {
    let inner = settings.unwrap.then(|| unwrapped(url.as_str())).flatten();
    let inner = inner.and_then(|inner| BaseUrl::parse(&inner).ok());
    inner.unwrap_or(url)
}

impl DocumentBase {
    /// The same, with the URLs that a web archive shows if these settings take them.
    #[doc(hidden)]
    pub fn unwrapped(self, settings: &Settings) -> DocumentBase {
        let [here, browser] = [self.base, self.browser].map(|it| Some(base(it?, settings)));
        DocumentBase {
            // What is read in two ways may show one page.
            browser: browser.filter(|browser| here.as_ref() != Some(browser)),
            base: here,
            ..self
        }
    }
}

impl Context {
    /// The same, with the URLs that a web archive shows if these settings take them.
    #[doc(hidden)]
    pub fn unwrapped(self, settings: &Settings) -> Context {
        let own =
            (self.retrieval.as_ref()).filter(|own| settings.unwrap && is_wrapped(own.url.as_str()));
        Context {
            archived: own.map(|own| own.url.clone()).or(self.archived),
            entity: self.entity.map(|url| base(url, settings)),
            retrieval: self.retrieval.map(|it| Retrieval {
                url: base(it.url, settings),
                ..it
            }),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::rows;

    #[test]
    fn the_table() {
        for row in rows("replay.tsv") {
            let [reference, expected] = &row[..] else {
                panic!("two columns: {row:?}");
            };
            let found = unwrapped(reference).unwrap_or_else(|| "=".to_owned());
            assert_eq!(&found, expected, "{reference}");
        }
    }

    /// Archives in archives are taken off one by one.
    #[test]
    fn a_deep_one_takes_linear_time() {
        let deep = "http://a/web/1/".repeat(200_000) + "http://x/y";
        assert_eq!(unwrapped(&deep).as_deref(), Some("http://x/y"));
        assert_eq!(unwrapped(&"/20200101000000".repeat(200_000)), None);
    }
}
