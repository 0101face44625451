//! `--include` and `--exclude`: what a pattern names.
//!
//! As in `.gitignore`: a pattern without a slash names files and directories at any depth, one with
//! a slash is a path below PATH; `*` and `?` stop at a slash, `**` does not; a directory stands for
//! everything below it.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

/// How long the patterns of one option may be together. What it takes to look at one byte of a path
/// grows with that length: about a third of a millisecond here, in the worst case.
const MAX_LENGTH: usize = 32 << 10;

/// Patterns that cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BadGlob {
    /// One is none.
    #[error("{option} {pattern}: {}", .source.kind())]
    Pattern {
        option: &'static str,
        pattern: String,
        source: globset::Error,
    },
    /// They are too long.
    #[error(
        "{option}: its GLOBs have {length} bytes together, more than {MAX_LENGTH}; name directories \
         instead of the files in them"
    )]
    TooLong { option: &'static str, length: usize },
}

/// All patterns of one option.
pub(crate) fn set(option: &'static str, patterns: &[String]) -> Result<GlobSet, BadGlob> {
    let length = patterns.iter().map(String::len).sum();
    if length > MAX_LENGTH {
        return Err(BadGlob::TooLong { option, length });
    }
    let bad = |pattern: &str, source| BadGlob::Pattern {
        option,
        pattern: pattern.to_owned(),
        source,
    };
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let path = pattern.trim_end_matches('/');
        let path = match path.strip_prefix('/') {
            Some(anchored) => anchored.to_owned(),
            None if path.contains('/') => path.to_owned(),
            None => format!("**/{path}"),
        };
        for glob in [format!("{path}/**"), path] {
            let glob = GlobBuilder::new(&glob).literal_separator(true).build();
            set.add(glob.map_err(|error| bad(pattern, error))?);
        }
    }
    set.build().map_err(|error| bad(&patterns.join(" "), error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn matches(pattern: &str, path: &str) -> bool {
        set("--include", &[pattern.to_owned()])
            .expect("a pattern")
            .is_match(path)
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
        assert!(set("--include", &patterns(32)).is_ok());
        let error = set("--include", &patterns(33)).expect_err("too long");
        let start = "--include: its GLOBs have 33792 bytes together, more than 32768; ";
        assert!(error.to_string().starts_with(start), "{error}");
    }

    #[test]
    fn a_bad_pattern_is_named() {
        let error = set("--exclude", &["a[".to_owned()]).expect_err("no pattern");
        assert!(error.to_string().starts_with("--exclude a[: "), "{error}");
    }
}
