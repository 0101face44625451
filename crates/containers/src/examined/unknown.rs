//! Names of elements and attributes that a feed has and abslink does not know.

use std::collections::{BTreeMap, BTreeSet};

use abslink_html::shared::Merge;

/// Values that look like relative links, where abslink knows no place of URLs:
/// [`Examined::unknown`](super::Examined::unknown).
///
/// # Examples
/// ```
/// use abslink_containers::{Context, Settings, feed};
///
/// let rss = b"<rss xmlns:f='urn:f'><channel><f:bar>/x</f:bar><f:bar>/y</f:bar></channel></rss>";
/// let (context, settings) = (Context::default(), Settings::default());
/// let examined = feed::rewrite(rss, &context, &settings, Default::default()).examined;
/// assert_eq!(examined.unknown.values, 2);
/// assert_eq!(examined.unknown.names(), ["f:bar"]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnknownPlaces {
    /// How many.
    pub values: u64,
    /// How many there are of a name.
    names: BTreeMap<String, u64>,
    /// Those of elements that hold HTML.
    of_markup: BTreeSet<String>,
}

/// So many names are kept, the first in their order: so the kept ones do not depend on the order of
/// documents.
const NAMES: usize = 64;
/// Longer ones are counted and not kept.
const LONGEST: usize = 100;

impl UnknownPlaces {
    /// Adds one, by the names of its element and attribute; without an attribute it is the element's text.
    pub(crate) fn count(&mut self, element: &[u8], attribute: Option<&[u8]>) {
        self.values += 1;
        let shown =
            |name: &[u8]| String::from_utf8_lossy(&name[..name.len().min(LONGEST)]).into_owned();
        let mut name = shown(element);
        if let Some(attribute) = attribute {
            name = format!("{name}@{}", shown(attribute));
        }
        if name.len() < LONGEST {
            *self.names.entry(name).or_default() += 1;
            self.truncate();
        }
    }

    /// Adds the text of an element that is HTML.
    pub(crate) fn count_markup(&mut self, element: &[u8]) {
        self.count(element, None);
        let name = String::from_utf8_lossy(element).into_owned();
        if self.names.contains_key(&name) {
            self.of_markup.insert(name);
        }
    }

    /// What KIND of `--attr` fits such a name.
    pub fn kind(&self, name: &str) -> &'static str {
        if self.of_markup.contains(name) {
            "html"
        } else {
            "url"
        }
    }

    fn truncate(&mut self) {
        while self.names.len() > NAMES {
            self.names.pop_last();
        }
        self.of_markup.retain(|name| self.names.contains_key(name));
    }

    /// `element` or `element@attribute`, as the feeds write them, the most frequent first.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<_> = self.names.iter().collect();
        names.sort_by_key(|(name, count)| (u64::MAX - **count, *name));
        names.into_iter().map(|(name, _)| &**name).collect()
    }
}

impl Merge for UnknownPlaces {
    fn add_up(&mut self, other: &UnknownPlaces) {
        self.values += other.values;
        self.of_markup.extend(other.of_markup.iter().cloned());
        for (name, count) in &other.names {
            *self.names.entry(name.clone()).or_default() += count;
        }
        self.truncate();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_names_are_kept_in_any_order() {
        let counted = |numbers: &mut dyn Iterator<Item = usize>| {
            let mut all = UnknownPlaces::default();
            for number in numbers {
                let mut one = UnknownPlaces::default();
                one.count(format!("f:{number:04}").as_bytes(), None);
                all.add_up(&one);
            }
            all
        };
        let (up, down) = (counted(&mut (0..200)), counted(&mut (0..200).rev()));
        assert_eq!(up, down);
        assert_eq!((up.values, up.names.len()), (200, NAMES));
        let mut long = UnknownPlaces::default();
        long.count("x".repeat(1_000).as_bytes(), Some(b"y"));
        assert_eq!((long.values, long.names().len()), (1, 0));
    }
}
