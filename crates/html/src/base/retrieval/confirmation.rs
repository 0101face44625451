//! Whether a document is where its links suggest: RFC 1808 §3.3 for a page that was redirected.
//!
//! wget names a file after the URL that was asked for, whatever it was redirected to, and the name
//! does not show that. But then the document's relative references, resolved as if there had been no
//! redirect, lead to nothing in the mirror; those of a page at its right place lead to what was
//! fetched with it. The converse proves nothing: at the edge of a mirror, what pages
//! lead to was not fetched.

use super::mirror::Mirror;
use abslink_url::rfc1808::Components;

/// What the relative references of one document show about its URL.
///
/// References that begin with a name come first: one that begins with `../` may lead to a file even
/// from a wrong directory, and counts only if there are no others. Those without a path, or from
/// the root of the host, mean the same in every directory.
#[derive(Clone, Copy, Debug, Default)]
pub struct Confirmation {
    by_name: Lookups,
    by_climbing: Lookups,
}

/// The references of one kind.
#[derive(Clone, Copy, Debug, Default)]
struct Lookups {
    number: u8,
    found: bool,
}

/// At most this many references of each kind are looked up; the first that is found ends the
/// search.
const MOST: u8 = 32;

impl Confirmation {
    /// The state before the first link of a document in this mirror, if its links have to
    /// confirm its URL.
    pub fn wanted(mirror: &Mirror) -> Option<Confirmation> {
        mirror.wants_confirmation().then(Confirmation::default)
    }

    /// Looks for the file that a reference leads to, which resolves to `resolved`.
    pub fn ask(&mut self, mirror: &Mirror, reference: &str, resolved: &str) {
        let reference = Components::parse(reference);
        let path = reference.path;
        let elsewhere = reference.scheme.is_some() || reference.net_loc.is_some();
        if elsewhere || path.is_empty() || path.starts_with('/') || self.by_name.found {
            return;
        }
        let climbs = matches!(path.split('/').next(), Some("." | ".."));
        let asked = if climbs {
            &mut self.by_climbing
        } else {
            &mut self.by_name
        };
        if !asked.found && asked.number < MOST {
            asked.number += 1;
            asked.found = mirror.holds(resolved);
        }
    }

    /// Adds what another part of the document shows.
    pub fn merge(&mut self, other: &Confirmation) {
        for (asked, other) in [
            (&mut self.by_name, other.by_name),
            (&mut self.by_climbing, other.by_climbing),
        ] {
            asked.number = asked.number.saturating_add(other.number);
            asked.found |= other.found;
        }
    }

    /// Whether there were references, and none led to a file.
    pub fn is_missing(&self) -> bool {
        match (self.by_name, self.by_climbing) {
            (Lookups { number: 0, .. }, climbing) => climbing.number > 0 && !climbing.found,
            (by_name, _) => !by_name.found,
        }
    }
}
