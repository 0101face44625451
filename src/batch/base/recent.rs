//! What was found of the files that were asked about most recently.

use std::collections::HashMap;

use foldhash::fast::RandomState;

/// How many paths are remembered at least; at most twice as many are.
const MANY: usize = 2048;

/// A value for each of the paths that were asked about most recently. When there are too many, those that nobody has
/// asked about for a while go.
#[derive(Debug, Default)]
pub(super) struct Recent<V> {
    new: HashMap<Box<[u8]>, V, RandomState>,
    old: HashMap<Box<[u8]>, V, RandomState>,
}

impl<V: Clone> Recent<V> {
    pub(super) fn get(&mut self, path: &[u8]) -> Option<V> {
        self.new.get(path).cloned().or_else(|| {
            let value = self.old.remove(path)?;
            self.insert(path, value.clone());
            Some(value)
        })
    }

    pub(super) fn insert(&mut self, path: &[u8], value: V) {
        if self.new.len() == MANY {
            self.old = std::mem::take(&mut self.new);
        }
        self.new.insert(path.into(), value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_about_stays() {
        let path = |number: usize| number.to_string().into_bytes();
        let mut recent = Recent::default();
        for number in 0..10 * MANY {
            assert!(recent.get(&path(number)).is_none());
            recent.insert(&path(number), number);
            assert_eq!(recent.get(b"0"), Some(0));
            assert!(recent.new.len() + recent.old.len() <= 2 * MANY);
        }
        assert!(recent.get(&path(9 * MANY)).is_some() && recent.get(b"1").is_none());
    }
}
