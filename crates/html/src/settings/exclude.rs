//! References that are left alone: `--exclude-url`.

use std::fmt;
#[cfg(feature = "exclude")]
use std::str::FromStr;
use std::sync::Arc;

#[cfg(feature = "exclude")]
use regex::RegexBuilder;

/// How large a compiled regular expression may become. The time for one byte of a reference grows
/// with that size: here a few tens of microseconds, in the worst case.
#[cfg(feature = "exclude")]
const SIZE: usize = 512 << 10;

/// How large its lookup tables may become. With less, they would be thrown away and rebuilt for
/// expressions of the size above.
#[cfg(feature = "exclude")]
const TABLES: usize = 16 << 20;

/// A regular expression for references, in the syntax of the crate `regex`. It matches anywhere in
/// the decoded value, after the pre-step. Without the feature `exclude` no text is read as one.
///
/// # Examples
#[cfg_attr(feature = "exclude", doc = "```")]
#[cfg_attr(not(feature = "exclude"), doc = "```ignore")]
/// use abslink_html::ReferencePattern;
///
/// assert!("^/api/".parse::<ReferencePattern>().is_ok());
/// assert!("(".parse::<ReferencePattern>().is_err());
/// ```
#[derive(Clone)]
pub struct ReferencePattern {
    pattern: String,
    matches: Arc<dyn Fn(&str) -> bool + Send + Sync>,
}

/// Why a text is not a [`ReferencePattern`].
///
/// # Examples
/// ```
/// use abslink_html::ReferencePattern;
///
/// let error = "a(".parse::<ReferencePattern>().unwrap_err();
/// assert!(error.to_string().contains("unclosed group"));
/// ```
#[cfg(feature = "exclude")]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PatternError(String);

#[cfg(feature = "exclude")]
const TOO_BIG: &str = "compiled, it is larger than 512 KiB: {n,m} repeats what stands before it, \
                       and \\w, \\d and \\p{...} stand for all of Unicode; repeat less, or \
                       write for example [a-z0-9] for \\w";

impl ReferencePattern {
    /// A pattern in the syntax of whoever calls this: `matches` is given the pattern and a reference.
    /// The package for JavaScript has expressions of its own.
    #[doc(hidden)]
    pub fn of_host(pattern: String, matches: fn(&str, &str) -> bool) -> ReferencePattern {
        let own = pattern.clone();
        ReferencePattern {
            pattern,
            matches: Arc::new(move |reference| matches(&own, reference)),
        }
    }

    /// As it was given.
    #[doc(hidden)]
    pub fn as_str(&self) -> &str {
        &self.pattern
    }

    pub(crate) fn is_match(&self, reference: &str) -> bool {
        (self.matches)(reference)
    }
}

impl fmt::Debug for ReferencePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ReferencePattern({:?})", self.pattern)
    }
}

impl PartialEq for ReferencePattern {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

#[cfg(feature = "exclude")]
impl FromStr for ReferencePattern {
    type Err = PatternError;

    fn from_str(pattern: &str) -> Result<Self, PatternError> {
        let mut builder = RegexBuilder::new(pattern);
        let built = builder.size_limit(SIZE).dfa_size_limit(TABLES).build();
        let built = built.map(|regex| ReferencePattern {
            pattern: pattern.to_owned(),
            matches: Arc::new(move |reference| regex.is_match(reference)),
        });
        built.map_err(|error| {
            PatternError(match error {
                regex::Error::CompiledTooBig(_) => TOO_BIG.to_owned(),
                error => error.to_string(),
            })
        })
    }
}

#[cfg(all(test, feature = "exclude"))]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_the_same_that_are_written_alike() {
        let pattern = |text: &str| text.parse::<ReferencePattern>().unwrap();
        assert_eq!(pattern("a+"), pattern("a+"));
        assert_ne!(pattern("a+"), pattern("aa*"));
    }

    #[test]
    fn whoever_calls_may_bring_a_syntax() {
        let pattern = ReferencePattern::of_host("/api".to_owned(), |start, reference| {
            reference.starts_with(start)
        });
        assert!(pattern.is_match("/api/x") && !pattern.is_match("x/api"));
        assert_eq!(pattern.as_str(), "/api");
    }

    #[test]
    fn a_pattern_stays_small() {
        let error = |pattern: &str| pattern.parse::<ReferencePattern>().unwrap_err().to_string();
        let hosts: Vec<String> = (0..250)
            .map(|n| format!("^https://host{n}\\.org/"))
            .collect();
        for pattern in [&hosts.join("|"), r"\w+/\d+/\w+\.pdf$", "(?i)[0-9a-f]{32}"] {
            assert!(pattern.parse::<ReferencePattern>().is_ok(), "{pattern}");
        }
        for pattern in ["((a{1,50}){1,50}){1,50}$", r"\w{100}", "(a{999}){999}"] {
            assert_eq!(error(pattern), TOO_BIG);
        }
        assert!(error("(").contains("unclosed group"));
    }
}
