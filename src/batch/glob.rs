//! `--include` and `--exclude`: what a pattern names.

use std::path::Path;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

/// How long the patterns may be in all. The time for one byte of a path grows with that length:
/// here about a third of a millisecond, in the worst case.
const MAX_LENGTH: usize = 32 << 10;

/// Patterns for paths below PATH; one of them has to match.
///
/// As in `.gitignore`: a pattern without a slash names files and directories at any depth, one with
/// a slash is a path below PATH; `*` and `?` stop at a slash, `**` does not; a directory stands for
/// everything below it.
///
/// # Examples
/// ```
/// use abslink::batch::{Globs, Selection};
///
/// let mut selection = Selection::default();
/// selection.exclude = Globs::new(["drafts", "old/**/index.html"])?;
/// assert!(Globs::new(["a["]).is_err());
/// # Ok::<(), abslink::batch::GlobError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Globs {
    patterns: Vec<String>,
    set: GlobSet,
}

/// The set follows from the patterns.
impl PartialEq for Globs {
    fn eq(&self, other: &Globs) -> bool {
        self.patterns == other.patterns
    }
}

impl Eq for Globs {}

/// Why patterns cannot be used.
///
/// # Examples
/// ```
/// use abslink::batch::{GlobError, Globs};
///
/// let error = Globs::new(&["a[".to_owned()]).unwrap_err();
/// assert!(matches!(error, GlobError::Pattern { .. }), "{error}");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GlobError {
    /// One is not a pattern.
    #[error("{pattern}: {reason}")]
    Pattern {
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
        reason: String,
    },
    /// They are too long.
    #[error(
        "GLOBs have {length} bytes in all, more than {MAX_LENGTH}; name directories instead of \
         the files in them"
    )]
    TooLong {
        /// How long, in bytes.
        length: usize,
    },
}

impl Globs {
    /// Patterns, in any order. Without one, nothing matches.
    ///
    /// # Errors
    /// [`GlobError`] names the invalid pattern.
    pub fn new(patterns: impl IntoIterator<Item = impl AsRef<str>>) -> Result<Globs, GlobError> {
        let mut set = GlobSetBuilder::new();
        let patterns = patterns
            .into_iter()
            .map(|pattern| pattern.as_ref().to_owned());
        let patterns: Vec<String> = patterns.collect();
        let length = patterns.iter().map(String::len).sum();
        for pattern in &patterns {
            let path = pattern.trim_end_matches('/');
            let path = match path.strip_prefix('/') {
                Some(anchored) => anchored.to_owned(),
                None if path.contains('/') => path.to_owned(),
                None => format!("**/{path}"),
            };
            for glob in [format!("{path}/**"), path] {
                let glob = GlobBuilder::new(&glob).literal_separator(true).build();
                set.add(glob.map_err(|error| GlobError::bad(pattern, &error))?);
            }
        }
        if length > MAX_LENGTH {
            return Err(GlobError::TooLong { length });
        }
        match set.build() {
            Ok(set) => Ok(Globs { patterns, set }),
            Err(error) => Err(GlobError::bad(error.glob().unwrap_or_default(), &error)),
        }
    }

    /// Finds out which patterns match a path; each has two entries in the set.
    fn matches(&self, path: &Path, found: &mut Vec<usize>) {
        self.set.matches_into(path, found);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    pub(crate) fn is_match(&self, path: &Path) -> bool {
        self.set.is_match(path)
    }
}

impl GlobError {
    fn bad(pattern: &str, error: &globset::Error) -> GlobError {
        GlobError::Pattern {
            pattern: pattern.to_owned(),
            reason: error.kind().to_string(),
        }
    }
}

/// Patterns, and which of them have matched something.
#[derive(Debug)]
pub(super) struct Tried<'g> {
    globs: &'g Globs,
    has_matched: Vec<bool>,
    /// How many have not matched yet.
    left: usize,
    found: Vec<usize>,
}

impl<'g> Tried<'g> {
    pub(super) fn new(globs: &'g Globs) -> Self {
        let left = globs.patterns.len();
        Tried {
            globs,
            has_matched: vec![false; left],
            left,
            found: Vec::new(),
        }
    }

    pub(super) fn is_match(&mut self, path: &Path) -> bool {
        if self.globs.is_empty() {
            // An empty set would split the path before it says no.
            return false;
        } else if self.left == 0 {
            return self.globs.is_match(path);
        }
        self.globs.matches(path, &mut self.found);
        for pattern in self.found.iter().map(|glob| glob / 2) {
            self.left -= usize::from(!self.has_matched[pattern]);
            self.has_matched[pattern] = true;
        }
        !self.found.is_empty()
    }

    /// The patterns that have matched nothing.
    pub(super) fn useless(&self) -> impl Iterator<Item = &'g str> {
        let patterns = self.globs.patterns.iter().zip(&self.has_matched);
        patterns
            .filter(|(_, has_matched)| !**has_matched)
            .map(|(pattern, _)| pattern.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn matches(pattern: &str, path: &str) -> bool {
        Globs::new([pattern])
            .expect("a pattern")
            .is_match(Path::new(path))
    }

    #[test]
    fn without_a_slash_it_is_a_name() {
        assert!(matches("*.html", "a.html"));
        assert!(matches("*.html", "a/b/c.html"));
        assert!(!matches("*.html", "a.html.orig"));
        assert!(matches("drafts", "a/drafts/b/c.html"));
        assert!(matches("drafts/", "drafts/c.html"));
        assert!(!matches("drafts", "old-drafts/c.html"));
    }

    #[test]
    fn with_a_slash_it_is_a_path() {
        assert!(matches("a/*.html", "a/b.html"));
        assert!(!matches("a/*.html", "a/b/c.html"));
        assert!(!matches("a/*.html", "x/a/b.html"));
        assert!(matches("a/**/c.html", "a/x/y/c.html"));
        assert!(matches("/a", "a/b.html"));
        assert!(!matches("/a", "b/a"));
    }

    #[test]
    fn patterns_have_an_end() {
        let patterns = |count| vec!["*a".repeat(512); count];
        assert!(Globs::new(patterns(32)).is_ok());
        let error = Globs::new(patterns(33)).expect_err("too long");
        let start = "GLOBs have 33792 bytes in all, more than 32768; ";
        assert!(error.to_string().starts_with(start), "{error}");
    }

    #[test]
    fn a_bad_pattern_is_named() {
        let error = Globs::new(["a["]).expect_err("no pattern");
        assert!(error.to_string().starts_with("a[: "), "{error}");
    }
}
