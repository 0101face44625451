//! RFC 1808 §2.3: which schemes relative URLs can be used with.

use std::fmt;

use crate::text::named::named;

named! {
/// §2.3: the categories of schemes.
///
/// # Examples
/// ```
/// use abslink_url::rfc1808::SchemeClass;
///
/// assert_eq!(SchemeClass::of("mailto"), SchemeClass::Never);
/// assert_eq!(SchemeClass::of("ftp"), SchemeClass::Always);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SchemeClass {
    /// "Never used with relative URLs".
    Never = "never",
    /// "Relative URLs can be used with these schemes whenever the applicable base URL follows the
    /// generic-RL syntax."
    WheneverGeneric = "whenever-generic",
    /// "Can always be parsed using the generic-RL syntax."
    Always = "always",
    /// A scheme that §2.3 does not mention. It is treated like [`SchemeClass::WheneverGeneric`].
    Unlisted = "unlisted",
}
/// The category's name in JSON.
name
}

/// §2.3, as a table.
const SCHEMES: [(&str, SchemeClass); 10] = [
    ("file", SchemeClass::Always),
    ("ftp", SchemeClass::Always),
    ("gopher", SchemeClass::WheneverGeneric),
    ("http", SchemeClass::Always),
    ("mailto", SchemeClass::Never),
    ("news", SchemeClass::Never),
    ("nntp", SchemeClass::Always),
    ("prospero", SchemeClass::WheneverGeneric),
    ("telnet", SchemeClass::Never),
    ("wais", SchemeClass::WheneverGeneric),
];

impl SchemeClass {
    /// §2.3: the category of a scheme; upper and lower case are the same.
    ///
    /// # Examples
    /// ```
    /// use abslink_url::rfc1808::SchemeClass;
    /// assert_eq!(SchemeClass::of("FTP"), SchemeClass::Always);
    /// assert_eq!(SchemeClass::of("mailto"), SchemeClass::Never);
    /// assert_eq!(SchemeClass::of("https"), SchemeClass::Unlisted);
    /// ```
    pub fn of(scheme: &str) -> SchemeClass {
        SCHEMES
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(scheme))
            .map_or(SchemeClass::Unlisted, |(_, class)| *class)
    }
}

impl fmt::Display for SchemeClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SchemeClass::Never => "never used with relative URLs",
            SchemeClass::WheneverGeneric => {
                "used with relative URLs whenever the base follows the generic-RL syntax"
            }
            SchemeClass::Always => "always parsed by the generic-RL syntax",
            SchemeClass::Unlisted => "not listed; taken to follow the generic-RL syntax",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_class_says_what_it_is() {
        for (scheme, name, text) in [
            ("news", "never", "never used"),
            ("wais", "whenever-generic", "whenever the base follows"),
            ("http", "always", "always parsed"),
            ("x", "unlisted", "not listed"),
        ] {
            let class = SchemeClass::of(scheme);
            assert_eq!(class.name(), name);
            assert!(class.to_string().contains(text), "{class}");
        }
    }
}
