//! `--include` and `--exclude`: what a pattern names.

use std::path::{Component, Path, PathBuf, is_separator};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

/// How long the patterns may be in all. The time for one byte of a path grows with that length:
/// here about a third of a millisecond, in the worst case.
const MAX_LENGTH: usize = 32 << 10;

/// Patterns for paths below PATH; one of them has to match.
///
/// As in `.gitignore`: a pattern without a slash names files and directories at any depth, one with
/// a slash is a path below PATH; `*` and `?` stop at a slash, `**` does not; a directory stands for
/// everything below it. A `./` at the beginning and a slash at the end do not count.
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
    /// Two for each pattern: what it names, and what is below that.
    set: GlobSet,
    /// The same for the patterns with a slash, as absolute paths: [`Globs::typed_in`].
    absolute: GlobSet,
    /// Which patterns these are.
    with_slash: Vec<usize>,
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
        let patterns = patterns
            .into_iter()
            .map(|pattern| pattern.as_ref().to_owned());
        let patterns: Vec<String> = patterns.collect();
        let length = patterns.iter().map(String::len).sum();
        let mut set = GlobSetBuilder::new();
        for pattern in &patterns {
            let path = names(pattern).join("/");
            let path = if path.is_empty() {
                // Nothing has no name.
                "/".to_owned()
            } else if pattern.starts_with(is_separator) || path.contains('/') {
                path
            } else {
                format!("**/{path}")
            };
            add(&mut set, pattern, path)?;
        }
        if length > MAX_LENGTH {
            return Err(GlobError::TooLong { length });
        }
        Ok(Globs {
            patterns,
            set: build(&set)?,
            ..Globs::default()
        })
    }

    /// A pattern with a slash is a path from this directory, too, as a shell completes it: `site/blog` names
    /// the same with PATH `site` as `blog` does.
    #[cfg(feature = "cli")]
    pub(crate) fn typed_in(mut self, directory: &Path) -> Result<Globs, GlobError> {
        let has_slash =
            |pattern: &str| pattern.starts_with(is_separator) || names(pattern).len() > 1;
        let with_slash = self.patterns.iter().enumerate();
        let with_slash = with_slash.filter(|(_, pattern)| has_slash(pattern));
        let mut set = GlobSetBuilder::new();
        let mut numbers = Vec::new();
        for (number, pattern) in with_slash {
            let mut path = if !Path::new(pattern).is_absolute() {
                escaped(&absolute(directory))
            } else if pattern.starts_with(is_separator) {
                vec!["".into()]
            } else {
                Vec::new()
            };
            for name in names(pattern) {
                match name {
                    // The root has no name above it.
                    ".." if path.len() > 1 => drop(path.pop()),
                    name => path.push(name.into()),
                }
            }
            // The root would be everything.
            if path.len() > 1 {
                add(&mut set, pattern, path.join("/"))?;
                numbers.push(number);
            }
        }
        self.absolute = build(&set)?;
        self.with_slash = numbers;
        Ok(self)
    }

    /// Whether absolute paths matter too.
    pub(crate) fn has_absolute(&self) -> bool {
        !self.absolute.is_empty()
    }

    /// Finds out which patterns match a file or directory: `absolute` is the same one as `path`.
    fn matches(&self, path: &Path, absolute: Option<&Path>, found: &mut Vec<usize>) {
        self.set.matches_into(path, found);
        found.iter_mut().for_each(|glob| *glob /= 2);
        if let Some(absolute) = absolute.filter(|_| self.has_absolute()) {
            let globs = self.absolute.matches(absolute);
            found.extend(globs.iter().map(|glob| self.with_slash[glob / 2]));
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    pub(crate) fn is_match(&self, path: &Path) -> bool {
        self.set.is_match(path)
    }
}

/// The names in a pattern that is a path.
fn names(pattern: &str) -> Vec<&str> {
    let names = pattern.split(is_separator);
    names.filter(|name| !matches!(*name, "" | ".")).collect()
}

/// Adds a pattern for what is at a path, and for all below it.
fn add(set: &mut GlobSetBuilder, pattern: &str, path: String) -> Result<(), GlobError> {
    for glob in [format!("{path}/**"), path] {
        let glob = GlobBuilder::new(&glob).literal_separator(true).build();
        set.add(glob.map_err(|error| GlobError::bad(pattern, &error))?);
    }
    Ok(())
}

fn build(set: &GlobSetBuilder) -> Result<GlobSet, GlobError> {
    let built = set.build();
    built.map_err(|error| GlobError::bad(error.glob().unwrap_or_default(), &error))
}

/// A path from the root, without `.` and `..`. Symbolic links are not looked up: patterns are compared with
/// names.
pub(crate) fn absolute(path: &Path) -> PathBuf {
    // It may be empty.
    let path = Path::new(".").join(path);
    let path = std::path::absolute(&path).unwrap_or(path);
    let mut absolute = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => drop(absolute.pop()),
            Component::CurDir => {}
            other => absolute.push(other),
        }
    }
    absolute
}

/// The names of an absolute path, as a pattern for it has them; the first is empty, or a drive.
#[cfg(feature = "cli")]
fn escaped(path: &Path) -> Vec<std::borrow::Cow<'static, str>> {
    let names = path.components().filter_map(|component| match component {
        Component::RootDir => None,
        other => Some(globset::escape(&other.as_os_str().to_string_lossy()).into()),
    });
    let mut names: Vec<_> = names.collect();
    if !matches!(path.components().next(), Some(Component::Prefix(_))) {
        names.insert(0, "".into());
    }
    names
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
pub(crate) struct UsedGlobs<'g> {
    globs: &'g Globs,
    has_matched: Vec<bool>,
    found: Vec<usize>,
}

impl<'g> UsedGlobs<'g> {
    pub(crate) fn new(globs: &'g Globs) -> Self {
        UsedGlobs {
            globs,
            has_matched: vec![false; globs.patterns.len()],
            found: Vec::new(),
        }
    }

    /// Whether patterns match a file or directory: `absolute` is the same one as `path`.
    pub(crate) fn is_match(&mut self, path: &Path, absolute: Option<&Path>) -> bool {
        if self.globs.is_empty() {
            // An empty set would split the path before it says no.
            return false;
        }
        self.globs.matches(path, absolute, &mut self.found);
        for &pattern in &self.found {
            self.has_matched[pattern] = true;
        }
        !self.found.is_empty()
    }

    /// The patterns that have matched nothing.
    pub(crate) fn useless(&self) -> Vec<String> {
        let patterns = self.globs.patterns.iter().zip(&self.has_matched);
        let useless = patterns.filter(|(_, has_matched)| !**has_matched);
        useless.map(|(pattern, _)| pattern.clone()).collect()
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
    fn the_path_is_that_of_a_shell_too() {
        let globs = |pattern| Globs::new([pattern]).and_then(|it| it.typed_in(Path::new("/w/d")));
        let matches = |pattern, path| {
            let mut found = Vec::new();
            let globs = globs(pattern).expect("a pattern");
            globs.matches(Path::new("none"), Some(Path::new(path)), &mut found);
            found == [0]
        };
        for pattern in [
            "s/blog",
            "./s/blog/",
            "s//./blog",
            "../d/s/blog",
            "/w/d/s/blog",
            "s/b*",
        ] {
            assert!(matches(pattern, "/w/d/s/blog"), "{pattern}");
            assert!(matches(pattern, "/w/d/s/blog/x/a.html"), "{pattern}");
            assert!(!matches(pattern, "/w/d/blog/a.html"), "{pattern}");
            assert!(!matches(pattern, "/w/e/s/blog"), "{pattern}");
        }
        for nothing in ["d", "w", "", "/", "s", "./"] {
            assert!(!matches(nothing, "/w/d/s/blog"), "{nothing}");
        }
    }

    #[test]
    fn what_stands_around_a_path_does_not_count() {
        for pattern in ["blog", "./blog", "././blog/", "blog//"] {
            assert!(matches(pattern, "blog/a.html"), "{pattern}");
            assert!(matches(pattern, "x/blog/a.html"), "{pattern}");
        }
        assert!(matches("./x//blog/", "x/blog/a.html"));
        assert!(!matches("", "a.html") && !matches("/", "a.html"));
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
