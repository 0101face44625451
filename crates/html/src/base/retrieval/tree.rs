//! Layout `tree`: base URL + path below it.

use super::path::{self, is_path_byte};
use super::url_evidence::UrlEvidence;
use super::wget;
use abslink_url::{BaseUrl, UnsuitableBase};

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
    directory: String,
    /// Names that stand for their directory's URL.
    index: Vec<String>,
    /// Whether `wget -nH` named the files.
    by_wget: bool,
}

impl Tree {
    /// The tree below `directory`; a query and a fragment are taken off, and a missing final slash is
    /// added. `index` names the files that stand for their directory's URL.
    ///
    /// # Errors
    /// [`UnsuitableBase`] if `directory` is not a base URL.
    pub fn new(directory: &str, index: &[String]) -> Result<Tree, UnsuitableBase> {
        BaseUrl::parse(directory)?;
        let path = directory.split(['?', '#']).next().unwrap_or_default();
        let mut directory = path.to_owned();
        if !directory.ends_with('/') {
            directory.push('/');
        }
        Ok(Tree {
            directory,
            index: index.to_vec(),
            by_wget: false,
        })
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

    /// Whether `wget -nH` named its files.
    #[doc(hidden)]
    pub fn is_by_wget(&self) -> bool {
        self.by_wget
    }

    /// The URL of the directory, with its final slash.
    #[doc(hidden)]
    pub fn directory(&self) -> &str {
        &self.directory
    }

    /// The URL of the document at `path`, components separated by `/`.
    pub fn url(&self, path: &[u8]) -> String {
        self.evidence(path).says
    }

    /// §3.3: what the document's place in the tree says.
    pub fn evidence(&self, path: &[u8]) -> UrlEvidence {
        self.says(path, false)
    }

    /// `is_appended` is as in [`Evidence`](super::Evidence).
    pub(super) fn says(&self, path: &[u8], is_appended: bool) -> UrlEvidence {
        let directory = self.directory.clone();
        match self.by_wget {
            true => wget::below(directory, path, is_appended, &self.index),
            false => path::below(directory, path, None, &self.index, is_path_byte),
        }
    }
}
