//! `--include` and `--exclude`: what a pattern names.
//!
//! As in `.gitignore`: a pattern without a slash names files and directories at any depth, one with
//! a slash is a path below PATH; `*` and `?` stop at a slash, `**` does not; a directory stands for
//! everything below it.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use super::print::OneLine;

/// A pattern that is none.
#[derive(Debug, thiserror::Error)]
#[error("{option} {}: {}", OneLine(.pattern), .source.kind())]
pub(crate) struct BadGlob {
    option: &'static str,
    pattern: String,
    source: globset::Error,
}

/// All patterns of one option.
pub(crate) fn set(option: &'static str, patterns: &[String]) -> Result<GlobSet, BadGlob> {
    let bad = |pattern: &str, source| BadGlob {
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
    fn a_bad_pattern_is_named() {
        let error = set("--exclude", &["a[".to_owned()]).expect_err("no pattern");
        assert!(error.to_string().starts_with("--exclude a[: "), "{error}");
    }
}
