//! Which files of a directory are documents.

use std::path::{Path, PathBuf};

use super::glob::Globs;
use crate::batch::kind::format::{self, Kind};

/// Which files of a directory are documents.
///
/// # Examples
/// ```
/// use abslink::batch::{Globs, Selection};
///
/// let mut selection = Selection::default();
/// selection.extensions.push("php".to_owned());
/// selection.include = Globs::new(["blog"])?;
/// assert!(selection.takes_name(b"view.PHP"));
/// # Ok::<(), abslink::batch::GlobError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Selection {
    /// What named files are read as; if this is not given, their names decide, as in directories.
    pub read_as: Option<Kind>,
    /// File extensions, without the dot, in lower case; compared without regard to case.
    pub extensions: Vec<String>,
    /// Those of `extensions` that nobody asked for: a file with such a name that is not what the name says is
    /// left.
    pub(crate) by_default: Vec<&'static str>,
    /// Whether files whose first bytes are HTML count too. If not,
    /// [`Report::not_taken`](crate::batch::Report::not_taken) says how many there are.
    pub detect_html: bool,
    /// Whether they count where something shows that they were downloaded: a query in the name, or an extended
    /// attribute with the URL.
    pub(crate) detect_saved: bool,
    /// Whether files whose root is a feed's count too, whatever their names.
    pub detect_feeds: bool,
    /// If not empty, only files in directories that match are read or copied; relative to PATH.
    pub include: Globs,
    /// Files that match are neither read nor copied, and directories that match are not entered;
    /// relative to PATH.
    pub exclude: Globs,
    /// Whether what `.gitignore` and `.ignore` name is left out: it is neither read nor copied.
    pub gitignore: bool,
    /// Whether symbolic links are followed.
    pub follow_links: bool,
    /// Files that the run writes besides documents, such as a report, without symbolic links in their
    /// paths. They are neither read nor copied, wherever they are.
    pub own_files: Vec<PathBuf>,
}

impl Default for Selection {
    /// The usual endings of HTML files and of files with HTML in them, and no globs.
    fn default() -> Self {
        Selection {
            read_as: None,
            extensions: format::default_endings().map(String::from).collect(),
            by_default: Vec::new(),
            detect_html: false,
            detect_saved: false,
            detect_feeds: false,
            include: Globs::default(),
            exclude: Globs::default(),
            gitignore: false,
            follow_links: false,
            own_files: Vec::new(),
        }
    }
}

impl Selection {
    /// Whether a file is a document by its name: by its ending, or by an ending before the query
    /// that wget keeps in the name (`name.html?query`, `name.html@query`).
    ///
    /// # Examples
    /// ```
    /// let selection = abslink::batch::Selection::default();
    /// assert!(selection.takes_name(b"a.HTML"));
    /// assert!(selection.takes_name(b"view.html?id=3"));
    /// assert!(!selection.takes_name(b"a.html.orig"));
    /// ```
    pub fn takes_name(&self, name: &[u8]) -> bool {
        let is = format::comparison(name);
        self.extensions.iter().any(|ending| is(name, ending))
    }

    /// Whether nobody asked for a file of this name.
    pub(crate) fn takes_by_default(&self, name: &[u8]) -> bool {
        let is = format::comparison(name);
        self.by_default.iter().any(|ending| is(name, ending))
    }

    /// Whether style sheets and the like may be among the documents, which pages may name by a hash.
    pub(crate) fn may_take_sheets(&self) -> bool {
        // Asked for each document.
        let is_sheet = |ending: &String| {
            ending.eq_ignore_ascii_case("css") || ending.eq_ignore_ascii_case("svg")
        };
        self.extensions.iter().any(is_sheet)
    }

    /// Whether a file is one that the run itself writes.
    pub(crate) fn is_own(&self, path: &Path) -> bool {
        // Resolving the path of each file would take long.
        let mut same_name =
            (self.own_files.iter()).filter(|own| own.file_name() == path.file_name());
        same_name.any(|own| path.canonicalize().is_ok_and(|path| path == *own))
    }
}

#[cfg(test)]
mod tests {
    use super::Selection;

    #[track_caller]
    fn takes(name: &str, expected: bool) {
        assert_eq!(
            Selection::default().takes_name(name.as_bytes()),
            expected,
            "{name}"
        );
    }

    #[test]
    fn names() {
        takes("a.html", true);
        takes("a.HtMl", true);
        takes("a.b.xht", true);
        takes("a", false);
        takes("html", false);
        takes(".html", false);
        takes("a.html.gz", false);
        takes("a.css", false);
    }

    #[test]
    fn names_that_wget_gives() {
        takes("a.html?b=c.d", true);
        takes("a.html@b=c.d", true);
        takes("a.htm?x@y?z", true);
        takes("a@b.htm?x", true);
        takes("a.php?b=c", false);
        takes("?a.css", false);
        takes(".html?a", false);
    }

    #[test]
    fn names_that_are_not_utf8() {
        assert!(Selection::default().takes_name(b"\xff.html"));
    }
}
