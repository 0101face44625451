//! Where references lead: how many to each host.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::HashMap;

use super::text::{LONGEST, shown};
use crate::cli::terminal::print::Count;

/// At most this many hosts are held. Those that come later, in path order, are counted together.
const MOST: usize = 16_384;
/// At most this many are listed.
pub(super) const LISTED: usize = 30;

/// A row of the table.
pub(super) struct Host {
    /// Empty for all others together.
    pub(super) name: String,
    pub(super) note: String,
    pub(super) references: u64,
}

/// How many references lead to each host.
#[derive(Default)]
pub(super) struct Hosts {
    held: HashMap<String, u64>,
    /// References to hosts that are not held.
    beyond: u64,
}

impl Hosts {
    pub(super) fn count(&mut self, host: &str) {
        if let Some(references) = self.held.get_mut(host) {
            *references += 1;
        } else if self.held.len() < MOST {
            self.held.insert(host.to_owned(), 1);
        } else {
            self.beyond += 1;
        }
    }

    /// How many references lead to a host.
    pub(super) fn references(&self) -> u64 {
        self.held.values().sum::<u64>() + self.beyond
    }

    /// Those with the most references, ties by name, and all others together.
    pub(super) fn rows(&self) -> Vec<Host> {
        let mut held: Vec<_> = self.held.iter().collect();
        held.sort_unstable_by_key(|&(host, references)| (Reverse(references), host));
        let others = held.split_off(held.len().min(LISTED));
        let mut rows: Vec<Host> = (held.into_iter())
            .map(|(host, references)| Host {
                name: shown(host, LONGEST),
                note: if host.ends_with(':') { "no host" } else { "" }.to_owned(),
                references: *references,
            })
            .collect();
        let references = others.iter().map(|(_, references)| *references);
        let references = references.sum::<u64>() + self.beyond;
        if references > 0 {
            rows.push(Host {
                name: String::new(),
                note: match self.beyond {
                    0 => Count(others.len() as u64, "other host").to_string(),
                    _ => "all other hosts".to_owned(),
                },
                references,
            });
        }
        rows
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
            hosts.count(&format!("h{number:06}"));
        }
        hosts.count("h000003");
        assert_eq!(hosts.held.len(), MOST);
        let rows = hosts.rows();
        let [first, second, .., others] = &rows[..] else {
            panic!("{} rows", rows.len());
        };
        assert_eq!((&*first.name, first.references), ("h000003", 2));
        assert_eq!((&*second.name, second.references), ("h000000", 1));
        assert_eq!((rows.len(), &*others.note), (LISTED + 1, "all other hosts"));
        assert_eq!(others.references, MOST as u64 - 30 + 10);
    }
}
