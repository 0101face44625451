//! Layout `tree`: base URL + path below it.

use std::fmt::Write as _;

use crate::base::{Retrieval, Rung};
use crate::resolver::{BaseUrl, UnsuitableBase};

/// Layout `tree`: a document's URL is the base URL plus its path, names percent-encoded as needed.
///
/// # Examples
/// ```
/// use abslink::base::retrieval::tree::Tree;
/// let tree = Tree::new("https://h/docs", &["index.html".into()])?;
/// assert_eq!(tree.url(b"a b/x.html"), "https://h/docs/a%20b/x.html");
/// assert_eq!(tree.url(b"a/index.html"), "https://h/docs/a/");
/// # Ok::<(), abslink::resolver::UnsuitableBase>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tree {
    /// The directory's URL, with its final slash.
    directory: String,
    /// Names that stand for their directory's URL.
    index: Vec<Vec<u8>>,
}

impl Tree {
    /// The tree below `directory`; a missing final slash is added. `index` names the files that
    /// stand for their directory's URL.
    ///
    /// # Errors
    /// [`UnsuitableBase`] where `directory` is no base URL, or has a query or a fragment.
    pub fn new(directory: &str, index: &[String]) -> Result<Tree, UnsuitableBase> {
        BaseUrl::parse(directory)?;
        let mut directory = directory.to_owned();
        if !directory.ends_with('/') {
            directory.push('/');
        }
        Ok(Tree {
            directory,
            index: index.iter().map(|name| name.clone().into_bytes()).collect(),
        })
    }

    /// The URL of the document at `path`, components separated by `/`.
    pub fn url(&self, path: &[u8]) -> String {
        let name_start = path
            .iter()
            .rposition(|&byte| byte == b'/')
            .map_or(0, |slash| slash + 1);
        let (parents, name) = path.split_at(name_start);
        let name = if self.index.iter().any(|index| index == name) {
            b""
        } else {
            name
        };
        let mut url = self.directory.clone();
        for &byte in parents.iter().chain(name) {
            if is_path_byte(byte) {
                url.push(char::from(byte));
            } else {
                let _ = write!(url, "%{byte:02X}");
            }
        }
        url
    }

    /// §3.3: the retrieval URL of the document at `path`.
    pub fn retrieval(&self, path: &[u8]) -> Option<Retrieval> {
        let url = BaseUrl::parse(&self.url(path)).ok()?;
        Some(Retrieval {
            url,
            rung: Rung::Layout,
        })
    }
}

/// Bytes that stand for themselves in every segment, under each of the three resolvers: RFC 1808's
/// `pchar` without `%`, and `/`. `;` would start parameters, `?` a query.
fn is_path_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"/$-_.+!*'(),:@&=~".contains(&byte)
}
