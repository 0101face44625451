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
    /// How many were looked up that begin with a name, and that climb.
    asked: [u8; 2],
    /// Whether one of them was found.
    found: [bool; 2],
}

/// At most this many references of each kind are looked up; the first that is found ends the
/// search.
const MOST: u8 = 32;

impl Confirmation {
    /// The state before the first link of a document in this mirror, if its links have to
    /// confirm its URL.
    pub fn wanted(mirror: &Mirror) -> Option<Confirmation> {
        mirror.wants_confirmation.then(Confirmation::default)
    }

    /// Looks for the file that a reference leads to, which resolves to `resolved`.
    pub fn ask(&mut self, mirror: &Mirror, reference: &str, resolved: &str) {
        let reference = Components::parse(reference);
        let path = reference.path;
        let elsewhere = reference.scheme.is_some() || reference.net_loc.is_some();
        if elsewhere || path.is_empty() || path.starts_with('/') || self.found[0] {
            return;
        }
        let kind = usize::from(matches!(path.split('/').next(), Some("." | "..")));
        if !self.found[kind] && self.asked[kind] < MOST {
            self.asked[kind] += 1;
            self.found[kind] = mirror.holds(resolved);
        }
    }

    /// Adds what another part of the document shows.
    pub fn merge(&mut self, other: &Confirmation) {
        for kind in 0..2 {
            self.asked[kind] = self.asked[kind].saturating_add(other.asked[kind]);
            self.found[kind] |= other.found[kind];
        }
    }

    /// Whether there were references, and none led to a file.
    pub fn is_missing(&self) -> bool {
        let kind = usize::from(self.asked[0] == 0);
        self.asked[kind] > 0 && !self.found[kind]
    }
}
