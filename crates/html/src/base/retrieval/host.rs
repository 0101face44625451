//! Layouts whose first directory is a host.

use std::borrow::Cow;
use std::fmt;
use std::net::{Ipv4Addr, Ipv6Addr};

use super::url_evidence::Caveat;

/// Splits a path after its first component. `None` for a path of one component: it has no
/// directory that could be the host.
pub(super) fn split_first(path: &[u8]) -> Option<(&str, &[u8])> {
    let slash = path.iter().position(|&byte| byte == b'/')?;
    let (first, rest) = path.split_at(slash);
    Some((std::str::from_utf8(first).ok()?, &rest[1..]))
}

/// The host and the port that the name of a directory spells.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Host<'a> {
    /// As it appears in a URL.
    pub(super) name: Cow<'a, str>,
    pub(super) port: Option<&'a str>,
    pub(super) caveat: Option<Caveat>,
}

impl<'a> Host<'a> {
    /// The URL of its root.
    pub(super) fn root(&self, scheme: &str) -> String {
        format!("{scheme}://{self}/")
    }

    /// Reads the name of a directory that has `separator` between host and port. `None` if it
    /// cannot be a host, and without `any`, if it is not a plausible one: both a directory of pages
    /// and a host in a local network may have a name like `docs`.
    pub(super) fn read(directory: &'a str, separator: char, any: bool) -> Option<Host<'a>> {
        if let Some(host) = Host::address(directory, separator) {
            return Some(host);
        }
        let (name, port) = split_port(directory, separator);
        let of_host =
            |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte) || byte >= 0x80;
        let is_host = !name.is_empty() && name.bytes().all(of_host) && !name.starts_with('.');
        // The part before HTTrack's `_` has to be a host itself: `photos_2019` is a directory.
        let tells_port = port.is_some() && separator != '_';
        (is_host && (any || tells_port || is_plausible(name))).then_some(Host {
            name: name.into(),
            port,
            caveat: None,
        })
    }

    /// An IPv6 address: `::1`, `::1:8080` or `::1+8080` from wget, `[__1]_8080` from HTTrack.
    fn address(directory: &'a str, separator: char) -> Option<Host<'a>> {
        let is_address = |text: &str| text.parse::<Ipv6Addr>().is_ok();
        let host = |address: &str, port, caveat| Host {
            name: format!("[{address}]").into(),
            port,
            caveat,
        };
        if let Some(rest) = directory.strip_prefix('[') {
            let (address, port) = rest.split_once(']')?;
            let address = address.replace('_', ":");
            let port = match port {
                "" => None,
                port => Some(port.strip_prefix(separator).filter(|port| is_port(port))?),
            };
            return is_address(&address).then(|| host(&address, port, None));
        }
        let with_port = directory
            .rsplit_once(separator)
            .filter(|(address, port)| is_address(address) && is_port(port));
        match with_port {
            _ if is_address(directory) => {
                let caveat = with_port.map(|_| Caveat::Port);
                Some(host(directory, None, caveat))
            }
            Some((address, port)) => Some(host(address, Some(port), None)),
            None => None,
        }
    }
}

impl fmt::Display for Host<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        self.port.map_or(Ok(()), |port| write!(f, ":{port}"))
    }
}

/// A name without the port after the last separator, and the port.
fn split_port(directory: &str, separator: char) -> (&str, Option<&str>) {
    match directory.rsplit_once(separator) {
        Some((name, port)) if is_port(port) => (name, Some(port)),
        _ => (directory, None),
    }
}

fn is_port(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit()) && text.parse::<u16>().is_ok()
}

/// Whether a name looks like a host's: `localhost`, an IPv4 address, or a name with a dot that does
/// not end in a number. One that does, the URL Standard takes for an address and refuses: `v1.2` is
/// a directory.
fn is_plausible(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name);
    let is_number = |label: &str| label.bytes().all(|byte| byte.is_ascii_digit());
    match name.rsplit_once('.') {
        None => name.eq_ignore_ascii_case("localhost"),
        Some((_, last)) if is_number(last) => name.parse::<Ipv4Addr>().is_ok(),
        Some(_) => name.split('.').all(|label| !label.is_empty()),
    }
}
