//! Lists of names, and a quick way to tell that most names are not in one.
//!
//! A list is one text, in lower case, with a space between two names.

/// A set of names that looks only at length and first letter: it lets through every name
/// that was put in, in any letter case, and holds back nearly all others.
#[derive(Clone, Debug)]
pub(crate) struct NameFilter([bool; SIZE]);

/// How many values [`hash`] has.
pub(crate) const SIZE: usize = 1 << 10;

impl NameFilter {
    /// A filter that lets nothing through.
    pub(crate) const fn new() -> NameFilter {
        NameFilter([false; SIZE])
    }

    /// Lets a name through.
    pub(crate) const fn with(mut self, name: &str) -> NameFilter {
        self.0[hash(name.as_bytes())] = true;
        self
    }

    /// Lets the names of a list through.
    pub(crate) const fn with_all(mut self, list: &str) -> NameFilter {
        let mut rest = list.as_bytes();
        while let [_, ..] = rest {
            let mut end = 0;
            while end < rest.len() && rest[end] != b' ' {
                end += 1;
            }
            let (name, after) = rest.split_at(end);
            self.0[hash(name)] = true;
            rest = match after {
                [_, after @ ..] => after,
                [] => after,
            };
        }
        self
    }

    /// Whether `name` may be one of those that were put in; `false` is certain.
    #[inline]
    pub(crate) fn passes(&self, name: &[u8]) -> bool {
        self.0[hash(name)]
    }
}

/// A list of names in which only what its filter lets through is looked up.
pub(crate) struct NameSet {
    filter: NameFilter,
    list: &'static str,
}

impl NameSet {
    pub(crate) const fn of(list: &'static str) -> NameSet {
        let filter = NameFilter::new().with_all(list);
        NameSet { filter, list }
    }

    /// Whether `name` is in the list, in whatever letter case.
    #[inline]
    pub(crate) fn holds(&self, name: &[u8]) -> bool {
        self.filter.passes(name) && is_in(name, self.list)
    }
}

/// Whether `name` is in a list, in whatever letter case.
pub(crate) fn is_in(name: &[u8], list: &str) -> bool {
    let mut names = list.as_bytes().split(|byte| *byte == b' ');
    names.any(|each| is(name, each))
}

/// What a filter looks at: a number that is equal for names that differ only in letter case.
#[inline]
pub(crate) const fn hash(name: &[u8]) -> usize {
    let [first, ..] = name else {
        return 0;
    };
    (name.len() << 5 | (*first & 0x1f) as usize) % SIZE
}

/// Whether two names are the same, in whatever letter case; quickest if the letter case is the same
/// too, as it mostly is.
#[inline]
pub(crate) fn is(name: &[u8], other: &[u8]) -> bool {
    let mut pairs = name.iter().zip(other);
    name.len() == other.len() && pairs.all(|(a, b)| a == b || a.eq_ignore_ascii_case(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_equal_in_any_letter_case() {
        for (source, name, equal) in [
            ("xlink:href", "xlink:href", true),
            ("XLink:HREF", "xlink:href", true),
            ("href", "HREF", true),
            ("hReF", "HrEf", true),
            ("hrefs", "href", false),
            ("hre", "href", false),
            ("", "a", false),
            // As far apart as upper and lower case letters are.
            ("data\r", "data-", false),
            ("\x1alt", ":lt", false),
        ] {
            assert_eq!(is(source.as_bytes(), name.as_bytes()), equal, "{source:?}");
        }
    }

    #[test]
    fn what_was_put_in_passes_in_any_letter_case() {
        static FILTER: NameFilter = NameFilter::new().with("href").with_all("xlink:href src");
        for name in ["href", "HREF", "Xlink:Href", "src"] {
            assert!(FILTER.passes(name.as_bytes()), "{name}");
        }
        for name in ["", "class", "id", "a", "hrefs"] {
            assert!(!FILTER.passes(name.as_bytes()), "{name}");
        }
    }

    #[test]
    fn a_set_holds_the_names_of_its_list() {
        static SET: NameSet = NameSet::of("alt src xlink:href");
        for (name, expected) in [
            ("alt", true),
            ("SRC", true),
            ("xlink:href", true),
            // Just as long, and with the same first letter.
            ("arc", false),
            ("alt src", false),
            ("", false),
        ] {
            assert_eq!(SET.holds(name.as_bytes()), expected, "{name}");
        }
    }
}
