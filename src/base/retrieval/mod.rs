//! RFC 1808 §3.3: the URL that a document was retrieved from, from what is known about its file.

pub mod tree;

use super::Retrieval;

/// The evidence that a run may use, and its order.
#[derive(Clone, Debug, Default)]
pub enum Sources {
    /// Nothing is known.
    #[default]
    None,
    /// The one document's own URL.
    Document(Retrieval),
    /// Layout `tree`: documents lie below a URL as they lie below a directory.
    Tree(tree::Tree),
}

/// What is known about one document.
#[derive(Clone, Copy, Debug)]
pub struct Evidence<'a> {
    /// Path below PATH (or below `--root`), components separated by `/`, in the file system's
    /// bytes. Empty where the document is not below a directory.
    pub path: &'a [u8],
}

impl Sources {
    /// §3.3: the retrieval URL of one document.
    pub fn retrieval(&self, evidence: &Evidence<'_>) -> Option<Retrieval> {
        match self {
            Sources::None => None,
            Sources::Document(retrieval) => Some(retrieval.clone()),
            Sources::Tree(tree) => tree.retrieval(evidence.path),
        }
    }
}
