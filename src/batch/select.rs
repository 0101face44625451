//! Which files of a directory are documents.

use std::path::Path;

use super::glob::Globs;
use crate::html::Syntax;

/// As what files are read that were named themselves, and standard input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadAs {
    /// One document.
    Html,
    /// A message: mail, an MHTML archive, or what HTTP sends.
    Message,
}

/// Which files of a directory are documents.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Selection {
    /// As what the files that were named themselves are read; if that was not said, their names
    /// decide, as they do in directories.
    pub read_as: Option<ReadAs>,
    /// Endings, without the dot, in lower case; compared without regard to case.
    pub extensions: Vec<String>,
    /// Whether files whose first bytes are HTML count too. Where they do not,
    /// [`super::Report::not_taken`] says how many there are.
    pub detect_html: bool,
    /// If not empty, only files that match are read or copied; relative to PATH.
    pub include: Globs,
    /// Files that match are neither read nor copied, directories that match not entered;
    /// relative to PATH.
    pub exclude: Globs,
    /// Whether symbolic links are followed.
    pub follow_links: bool,
}

impl Default for Selection {
    /// The usual endings of HTML files and of messages with HTML in them, and no globs.
    fn default() -> Self {
        Selection {
            read_as: None,
            extensions: [
                "html", "htm", "xhtml", "xht", "shtml", "mht", "mhtml", "eml",
            ]
            .map(String::from)
            .into(),
            detect_html: false,
            include: Globs::default(),
            exclude: Globs::default(),
            follow_links: false,
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
        is_named(name, &self.extensions)
    }

    /// Whether a name that ends so is a document's.
    pub(super) fn is_ending(&self, suffix: &[u8]) -> bool {
        suffix.strip_prefix(b".").is_some_and(|ending| {
            let mut endings = self.extensions.iter();
            endings.any(|known| known.as_bytes().eq_ignore_ascii_case(ending))
        })
    }

    /// Whether the globs let a file at `relative` (to PATH) in.
    pub(super) fn lets_in(&self, relative: &Path) -> bool {
        (self.include.is_empty() || self.include.is_match(relative)) && !self.leaves_out(relative)
    }

    /// Whether the globs leave out the file or directory at `relative` (to PATH).
    pub(super) fn leaves_out(&self, relative: &Path) -> bool {
        // A set without globs takes the path apart before it says no.
        !self.exclude.is_empty() && self.exclude.is_match(relative)
    }
}

/// How a file is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Html(Syntax),
    Message,
}

/// How a file is read, by its name.
pub(super) fn format(name: &[u8]) -> Format {
    if is_named(name, &["mht", "mhtml", "eml"]) {
        Format::Message
    } else {
        Format::Html(syntax(name))
    }
}

/// By which rules a document is parsed, by its name: browsers go by the media type, and these are
/// the endings that servers give it for.
pub(super) fn syntax(name: &[u8]) -> Syntax {
    if is_named(name, &["xhtml", "xht"]) {
        Syntax::Xml
    } else {
        Syntax::Html
    }
}

/// Whether `name` has one of the endings, at its end or before a query.
fn is_named(name: &[u8], extensions: &[impl AsRef<str>]) -> bool {
    has_extension(name, extensions)
        || memchr::memchr2_iter(b'?', b'@', name)
            .any(|mark| has_extension(&name[..mark], extensions))
}

/// Whether `name` ends with one of the endings, and is more than that.
fn has_extension(name: &[u8], extensions: &[impl AsRef<str>]) -> bool {
    match memchr::memrchr(b'.', name) {
        None | Some(0) => false,
        Some(dot) => extensions
            .iter()
            .any(|extension| name[dot + 1..].eq_ignore_ascii_case(extension.as_ref().as_bytes())),
    }
}

#[cfg(test)]
mod tests {
    use super::{Format, Selection, format, syntax};
    use crate::html::Syntax;

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

    #[test]
    fn messages_by_name() {
        takes("page.MHT", true);
        takes("mail.eml", true);
        assert_eq!(format(b"page.MHTML"), Format::Message);
        assert_eq!(format(b"a.mht.html"), Format::Html(Syntax::Html));
    }

    #[test]
    fn xml_by_name() {
        assert_eq!(syntax(b"a.XHTML"), Syntax::Xml);
        assert_eq!(syntax(b"a.xht?b"), Syntax::Xml);
        assert_eq!(syntax(b"a.xhtml.html"), Syntax::Html);
        assert_eq!(syntax(b"-"), Syntax::Html);
    }
}
