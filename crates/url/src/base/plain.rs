//! Base URLs that the three standards read alike.

use memchr::{memchr_iter, memchr2};

use crate::rfc1808::Components;
use crate::whatwg::Url;

/// Whether the text of a reference alone shows that it is harmless against this base: the
/// base is a URL of a network scheme that the three standards split alike, and `parsed` by all.
pub(crate) fn is_plain_base(text: &str, parsed: &Url) -> bool {
    let parts = Components::parse(text);
    let (hierarchy, _) = text.split_at(memchr2(b'?', b'#', text.as_bytes()).unwrap_or(text.len()));
    parsed.is_special()
        && parsed.scheme() != "file"
        && parts
            .net_loc
            .is_some_and(|net_loc| !net_loc.is_empty() && !net_loc.contains('?'))
        && !text.bytes().any(|byte| byte <= b' ')
        && !hierarchy.contains('\\')
        && !has_encoded_dot(hierarchy)
        && !ends_with_dots(parts.path)
        && !parts.params.is_some_and(|params| params.contains('/'))
}

/// Whether it is clear without parsing that a base URL is suitable, that the URL Standard's parser
/// accepts it, and that it [is plain](is_plain_base). Nearly all are like that, and parsing takes
/// longer than everything else that is done with a base.
pub(crate) fn is_everyday_base(text: &str) -> bool {
    let is_host_byte = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.');
    let is_odd =
        |byte: u8| !(b'!'..=b'~').contains(&byte) || matches!(byte, b'\\' | b';' | b'?' | b'#');
    let scheme = ["https://", "http://"];
    let Some(rest) = (scheme.iter()).find_map(|scheme| text.strip_prefix(scheme)) else {
        return false;
    };
    let Some((net_loc, path)) = rest.split_once('/') else {
        return false;
    };
    let (host, port) = net_loc.split_once(':').unwrap_or((net_loc, "80"));
    // Not an IPv4 address, which ends in a number, and not Punycode.
    let last = host.rsplit('.').next().unwrap_or_default();
    host.bytes().all(is_host_byte)
        && last.starts_with(|first: char| first.is_ascii_lowercase())
        && !host.starts_with('.')
        && !host.contains("..")
        && !host.contains("--")
        && matches!(port.len(), 1..=4)
        && port.bytes().all(|byte| byte.is_ascii_digit())
        && !path.bytes().fold(false, |odd, byte| odd | is_odd(byte))
        && !path.ends_with('.')
        && !has_encoded_dot(path)
}

/// Whether the last segment of `path` is `.` or `..`.
pub(crate) fn ends_with_dots(path: &str) -> bool {
    matches!(path.rsplit('/').next(), Some("." | ".."))
}

/// Whether `text` begins with `%2e`, in upper or lower case.
pub(crate) fn is_encoded_dot(text: &str) -> bool {
    matches!(text.as_bytes(), [b'%', b'2', b'e' | b'E', ..])
}

/// Whether `text` contains `%2e`, in upper or lower case.
pub(crate) fn has_encoded_dot(text: &str) -> bool {
    memchr_iter(b'%', text.as_bytes()).any(|at| is_encoded_dot(&text[at..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::whatwg;

    /// Every text of up to `length` of these characters.
    fn texts(characters: &str, length: usize) -> Vec<String> {
        let mut all = vec![String::new()];
        let mut longest = 0;
        for _ in 0..length {
            let next = longest..all.len();
            longest = next.end;
            for text in next {
                all.extend(
                    characters
                        .chars()
                        .map(|last| format!("{}{last}", all[text]))
                        .collect::<Vec<_>>(),
                );
            }
        }
        all
    }

    #[test]
    fn an_everyday_base_is_one_and_plain() {
        let hosts = texts("ax1-.:n0", 5)
            .into_iter()
            .map(|host| format!("http://{host}/d/g"));
        let paths = texts("a./%2eE~", 5)
            .into_iter()
            .map(|path| format!("https://h:81/{path}"));
        let bytes = (0..0x80_u8).map(|byte| format!("http://h/d{}g", char::from(byte)));
        let mut everyday = 0;
        for base in hosts.chain(paths).chain(bytes) {
            if is_everyday_base(&base) {
                let parsed = whatwg::parse(&base, None);
                assert!(
                    parsed.is_ok_and(|parsed| is_plain_base(&base, &parsed)),
                    "{base}"
                );
                everyday += 1;
            }
        }
        assert!(everyday > 10_000, "{everyday}");
    }

    #[test]
    fn everyday_and_other_bases() {
        for base in ["http://h/", "https://docs.example.org:8080/a%20b/~c/d.html"] {
            assert!(is_everyday_base(base), "{base}");
        }
        for base in [
            "HTTP://h/",
            "file:///x",
            "http://h",
            "http://127.0.0.1/",
            "http://xn--a/",
            "http://[::1]/",
            "http://u@h/",
            "http://h:80000/",
            "http://h/a?b",
            "http://h/a#b",
            "http://h/a;b;c",
            "http://h/..",
            "http://h/%2E/",
        ] {
            assert!(!is_everyday_base(base), "{base}");
        }
    }
}
