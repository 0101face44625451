//! Layout `tree`: base URL + path below it.

use super::path::{self, is_path_byte};
use super::records::wget;
use super::url_evidence::UrlEvidence;
use abslink_url::rfc1808::Components;
use abslink_url::{BaseUrl, UnsuitableBase};

/// Stands for the root of a tree whose URL is not known. No server has this name (RFC 6761 §6.4).
const NAMELESS: &str = "https://nameless-tree.invalid/";

/// Whether a URL is below the root of a tree whose URL is not known.
#[doc(hidden)]
pub fn is_nameless(url: &str) -> bool {
    url.starts_with(NAMELESS)
}

/// Layout `tree`: a document's URL is the base URL plus its path, names percent-encoded as needed.
///
/// # Examples
/// ```
/// use abslink_html::retrieval::Tree;
/// let tree = Tree::new("https://h/docs", &["index.html".into()])?;
/// assert_eq!(tree.url(b"a b/x.html"), "https://h/docs/a%20b/x.html");
/// assert_eq!(tree.url(b"a/index.html"), "https://h/docs/a/");
/// # Ok::<(), abslink_html::UnsuitableBase>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    /// The directory's URL, with its final slash.
    #[doc(hidden)]
    pub directory: String,
    /// Names that stand for their directory's URL.
    index: Vec<String>,
    /// Whether `wget -nH` named the files.
    #[doc(hidden)]
    pub by_wget: bool,
    /// What was given that no directory has.
    #[doc(hidden)]
    pub more: Option<&'static str>,
}

/// The endings of pages.
const PAGES: [&str; 10] = [
    "html", "htm", "xhtml", "xht", "shtml", "php", "asp", "aspx", "jsp", "cgi",
];

impl Tree {
    /// The tree below `directory`; a query and a fragment are taken off, and a missing final slash is
    /// added. `index` names the files that stand for their directory's URL. The URL of a page
    /// (`index.html`, `x.htm`, `x.php`) means the directory that the page is in.
    ///
    /// # Errors
    /// [`UnsuitableBase`] if `directory` is not a base URL.
    pub fn new(directory: &str, index: &[String]) -> Result<Tree, UnsuitableBase> {
        BaseUrl::parse(directory)?;
        let page = page(directory, index);
        let path = directory.split(['?', '#']).next().unwrap_or_default();
        let more = match (&page, directory[path.len()..].bytes().next()) {
            (Some(_), _) => Some("names a page"),
            (None, Some(b'?')) => Some("has a query"),
            (None, Some(_)) => Some("has a fragment"),
            (None, None) => None,
        };
        let mut directory = page.unwrap_or_else(|| path.to_owned());
        if !directory.ends_with('/') {
            directory.push('/');
        }
        Ok(Tree {
            directory,
            index: index.to_vec(),
            by_wget: false,
            more,
        })
    }

    /// A tree whose URL is not known: references lead from file to file, and what stands for its root is never
    /// written. `index` is as in [`Tree::new`].
    #[doc(hidden)]
    pub fn nameless(index: &[String]) -> Tree {
        Tree {
            directory: NAMELESS.to_owned(),
            index: index.to_vec(),
            by_wget: false,
            more: None,
        }
    }

    /// The same tree, whose files have the names that `wget -nH` gives: a `?` begins the query, and
    /// `.html` may have been appended.
    ///
    /// # Examples
    /// ```
    /// use abslink_html::retrieval::Tree;
    /// let tree = Tree::new("https://h/", &[])?;
    /// assert_eq!(tree.url(b"list?page=2"), "https://h/list%3Fpage=2");
    /// assert_eq!(tree.with_names_by_wget().url(b"list?page=2.html"), "https://h/list?page=2");
    /// # Ok::<(), abslink_html::UnsuitableBase>(())
    /// ```
    pub fn with_names_by_wget(self) -> Tree {
        Tree {
            by_wget: true,
            ..self
        }
    }

    /// The URL of the document at `path`, components separated by `/`.
    pub fn url(&self, path: &[u8]) -> String {
        self.says(path, false).says
    }

    /// §3.3: what the document's place in the tree says. `is_appended` is as in [`Evidence`](super::Evidence).
    pub(super) fn says(&self, path: &[u8], is_appended: bool) -> UrlEvidence {
        let directory = self.directory.clone();
        if self.by_wget {
            wget::below(directory, path, is_appended, &self.index)
        } else {
            path::below(directory, path, None, &self.index, is_path_byte)
        }
    }
}

/// The URL of the directory that a page is in, if a URL is that of a page.
fn page(url: &str, index: &[String]) -> Option<String> {
    let parts = Components::parse(url);
    let (_, name) = parts.path.rsplit_once('/')?;
    let is_ending = |ending: &str| PAGES.iter().any(|page| ending.eq_ignore_ascii_case(page));
    let has_ending = name
        .rsplit_once('.')
        .is_some_and(|(_, ending)| is_ending(ending));
    let directory = Components {
        path: &parts.path[..parts.path.len() - name.len()],
        params: None,
        query: None,
        fragment: None,
        ..parts
    };
    let is_page = has_ending || index.iter().any(|index| index == name);
    is_page.then(|| directory.to_string())
}

#[cfg(test)]
mod tests {
    use super::super::tree::Tree;

    #[test]
    fn the_url_of_a_page_means_its_directory() {
        let index = ["index.html".to_owned(), "Start".to_owned()];
        for (given, directory, names_page) in [
            ("http://h/x.html", "http://h/", true),
            ("http://h/a/INDEX.HTM", "http://h/a/", true),
            ("http://h/a/b.xhtml", "http://h/a/", true),
            ("http://h/Start", "http://h/", true),
            ("http://h/start", "http://h/start/", false),
            ("http://h/a/default.aspx", "http://h/a/", true),
            ("http://h/x.html/", "http://h/x.html/", false),
            ("http://x.html", "http://x.html/", false),
            ("http://x.html/x.html", "http://x.html/", true),
            ("http://h/a/x.html?y=/z#f", "http://h/a/", true),
            ("http://h/a?y=/x.html", "http://h/a/", false),
            ("http://h/v1.2", "http://h/v1.2/", false),
            ("http://h/html", "http://h/html/", false),
            ("http://h", "http://h/", false),
        ] {
            let tree = Tree::new(given, &index).unwrap();
            assert_eq!(
                (&*tree.directory, tree.more == Some("names a page")),
                (directory, names_page),
                "{given}"
            );
        }
    }
}
