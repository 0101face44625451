//! Layouts whose first directory is a host.

use super::testimony::{Doubt, Testimony};
use super::tree::{percent_encode, split_name};
use super::{Scheme, Source};

/// Splits a path after its first component. `None` for a path of one component: there is no
/// directory that could be the host.
pub(super) fn split_first(path: &[u8]) -> Option<(&str, &[u8])> {
    let slash = path.iter().position(|&byte| byte == b'/')?;
    let (first, rest) = path.split_at(slash);
    Some((std::str::from_utf8(first).ok()?, &rest[1..]))
}

/// The host and the port of a directory that spells them with `separator` between. `None` where it
/// cannot be a host.
pub(super) fn host_and_port(directory: &str, separator: char) -> Option<(&str, Option<&str>)> {
    let (host, port) = match directory.rsplit_once(separator) {
        Some((host, port))
            if !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            (host, Some(port))
        }
        _ => (directory, None),
    };
    let of_host = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte) || byte >= 0x80;
    let is_host = !host.is_empty() && host.bytes().all(of_host) && !host.starts_with('.');
    is_host.then_some((host, port))
}

/// A URL in the making.
pub(super) struct Spelled<'a> {
    pub(super) scheme: &'a str,
    pub(super) host: &'a str,
    pub(super) port: Option<&'a str>,
    pub(super) path: &'a [u8],
    pub(super) query: Option<&'a [u8]>,
    pub(super) doubts: Vec<Doubt>,
}

impl Spelled<'_> {
    /// The testimony, with the last name of the path left out where it is one of `index`.
    pub(super) fn testimony(self, index: &[String], stays: impl Fn(&[u8]) -> bool) -> Testimony {
        let mut url = format!("{}://{}", self.scheme, self.host);
        if let Some(port) = self.port {
            url.push(':');
            url.push_str(port);
        }
        url.push('/');
        let (parents, name) = split_name(self.path);
        percent_encode(parents, &stays, &mut url);
        let is_index = index.iter().any(|index| index.as_bytes() == name);
        let mut whole = url.clone();
        percent_encode(name, &stays, &mut whole);
        if let Some(query) = self.query {
            for url in [&mut url, &mut whole] {
                url.push('?');
                percent_encode(query, |rest| stays(rest) || matches!(rest, [b'?', ..]), url);
            }
        }
        let (url, other) = if is_index {
            (url, Some(whole))
        } else {
            (whole, None)
        };
        Testimony {
            index: other,
            doubts: self.doubts,
            ..Testimony::plain(Source::Layout, &url)
        }
    }
}

/// The doubt that a scheme brings.
pub(super) fn doubt(scheme: &Scheme) -> Option<Doubt> {
    matches!(scheme, Scheme::Assumed(_)).then_some(Doubt::Scheme)
}
