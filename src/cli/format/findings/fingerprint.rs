//! How a finding is recognised in the next run: the line is not part of it, so text that has only
//! moved is not a new finding.

use std::collections::HashMap;

use sha2::{Digest as _, Sha256};

use super::Finding;

/// Tells findings apart, one file after the other.
#[derive(Default)]
pub(super) struct Fingerprints {
    path: String,
    /// How many findings of this file there were with each hash: only their order tells them apart.
    seen: HashMap<[u8; 16], u64>,
}

impl Fingerprints {
    /// The first 32 hexadecimal digits of the SHA-256 of rule, path, element, attribute, reference and
    /// the number of equal findings before it in the file, with NUL between them.
    pub(super) fn of(&mut self, path: &str, finding: &Finding<'_>) -> String {
        if self.path != path {
            path.clone_into(&mut self.path);
            self.seen.clear();
        }
        let mut hash = Sha256::new();
        for field in [
            finding.rule.name(),
            path,
            &finding.element,
            &finding.attribute,
            &finding.reference,
        ] {
            hash.update(field);
            hash.update([0]);
        }
        let equal = self.seen.entry(first(&hash)).or_default();
        hash.update(equal.to_string());
        *equal += 1;
        first(&hash)
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }
}

/// The first 32 hexadecimal digits.
fn first(hash: &Sha256) -> [u8; 16] {
    let whole = hash.clone().finalize();
    std::array::from_fn(|index| whole[index])
}

#[cfg(test)]
mod tests {
    use super::super::{Rule, failed};
    use super::*;

    #[test]
    fn equal_findings_are_counted_in_each_file() {
        let mut prints = Fingerprints::default();
        let mut finding = failed("x".as_ref(), "x");
        finding.rule = Rule::RelativeReference;
        finding.element = "a".into();
        finding.attribute = "href".into();
        finding.reference = "/q".into();
        // printf 'relative-reference\0a b/é.html\0a\0href\0/q\0000' | sha256sum
        let first = prints.of("a b/é.html", &finding);
        assert_eq!(first, "b25b983605b8e2fe8a2d7fb12ea3796a");
        let second = prints.of("a b/é.html", &finding);
        assert_eq!(second, "4419170ce2dbacbc1a84504033b368ea");
        let other = prints.of("a b/é.html", &failed("x".as_ref(), "x"));
        assert_ne!(prints.of("x", &finding), first);
        assert_eq!(prints.of("a b/é.html", &finding), first);
        assert!(other != first && other != second);
    }
}
