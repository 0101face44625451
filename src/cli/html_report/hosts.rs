//! Where references lead: how many to each host.

use std::borrow::Cow;
use std::collections::HashMap;

/// At most this many hosts are held. Those that come later, in path order, are counted together.
const MOST: usize = 16_384;
/// At most this many are listed.
pub(super) const LISTED: usize = 30;

/// How many references lead to each host.
#[derive(Default)]
pub(super) struct Hosts {
    held: HashMap<String, u64>,
    /// References to hosts that are not held.
    beyond: u64,
}

impl Hosts {
    pub(super) fn count(&mut self, host: &str, references: u64) {
        if let Some(counted) = self.held.get_mut(host) {
            *counted += references;
        } else if self.held.len() < MOST {
            self.held.insert(host.to_owned(), references);
        } else {
            self.beyond += references;
        }
    }

    /// Those with the most references, ties by name; then how many others there are, if that is
    /// known, and how many references lead to them.
    pub(super) fn listed(&self) -> (Vec<(&str, u64)>, Option<usize>, u64) {
        let mut listed: Vec<_> = (self.held.iter())
            .map(|(host, references)| (host.as_str(), *references))
            .collect();
        listed.sort_unstable_by(|one, other| other.1.cmp(&one.1).then(one.0.cmp(other.0)));
        let others = listed.split_off(listed.len().min(LISTED));
        let references = others.iter().map(|(_, references)| references);
        let references = references.sum::<u64>() + self.beyond;
        let number = (self.beyond == 0).then_some(others.len());
        (listed, number, references)
    }
}

/// RFC 1738 §3.1: the host and port of an absolute URL, without user and password; if it has none,
/// the scheme.
pub(super) fn host(url: &str) -> Cow<'_, str> {
    /// No host is longer.
    const LONGEST: usize = 255;
    let Some((scheme, rest)) = url.split_once(':') else {
        return "".into();
    };
    let rest = rest.strip_prefix("//").unwrap_or_default();
    let end = rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len());
    let host = rest[..end].rsplit('@').next().unwrap_or_default();
    let named = match host {
        "" => &url[..=scheme.len()],
        host => {
            let end = host.char_indices().nth(LONGEST);
            end.map_or(host, |(end, _)| &host[..end])
        }
    };
    if named.bytes().any(|byte| byte.is_ascii_uppercase()) {
        named.to_ascii_lowercase().into()
    } else {
        named.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_of_urls() {
        for (url, expected) in [
            ("https://e.org/x@y", "e.org"),
            ("HTTPS://u:p@E.org:80?q", "e.org:80"),
            ("mailto:a@b", "mailto:"),
            ("file:///etc/x", "file:"),
            ("http://", "http:"),
        ] {
            assert_eq!(host(url), expected);
        }
        let long = host(&format!("x://{}", "é".repeat(300))).into_owned();
        assert_eq!(long, "é".repeat(255));
    }

    #[test]
    fn as_many_as_are_held() {
        let mut hosts = Hosts::default();
        for number in 0..MOST + 10 {
            hosts.count(&format!("h{number:06}"), 2);
        }
        hosts.count("h000003", 1);
        assert_eq!(hosts.held.len(), MOST);
        let (listed, others, references) = hosts.listed();
        assert_eq!(listed[..2], [("h000003", 3), ("h000000", 2)]);
        assert_eq!((listed.len(), others), (LISTED, None));
        assert_eq!(references, (MOST as u64 - 30) * 2 + 20);
    }
}
