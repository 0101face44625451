//! Layout `tree`: base URL + path below it.

use super::EvidenceKind;
use super::url_evidence::UrlEvidence;
use crate::resolver::{BaseUrl, UnsuitableBase, percent};

/// Layout `tree`: a document's URL is the base URL plus its path, names percent-encoded as needed.
///
/// # Examples
/// ```
/// use abslink::retrieval::Tree;
/// let tree = Tree::new("https://h/docs", &["index.html".into()])?;
/// assert_eq!(tree.url(b"a b/x.html"), "https://h/docs/a%20b/x.html");
/// assert_eq!(tree.url(b"a/index.html"), "https://h/docs/a/");
/// # Ok::<(), abslink::UnsuitableBase>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
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
        let (parents, name) = split_name(path);
        let mut url = String::with_capacity(self.directory.len() + path.len());
        url.push_str(&self.directory);
        percent::encode(parents, is_path_byte, &mut url);
        if !self.is_index(name) {
            percent::encode(name, is_path_byte, &mut url);
        }
        url
    }

    /// §3.3: what the document's place in the tree says.
    pub fn evidence(&self, path: &[u8]) -> UrlEvidence {
        let url = self.url(path);
        let (_, name) = split_name(path);
        UrlEvidence {
            index: self.is_index(name).then(|| {
                let mut url = url.clone();
                percent::encode(name, is_path_byte, &mut url);
                url
            }),
            ..UrlEvidence::plain(EvidenceKind::Layout, &url)
        }
    }

    fn is_index(&self, name: &[u8]) -> bool {
        self.index.iter().any(|index| index == name)
    }
}

/// Splits a path after its last slash.
pub(super) fn split_name(path: &[u8]) -> (&[u8], &[u8]) {
    let slash = path.iter().rposition(|&byte| byte == b'/');
    path.split_at(slash.map_or(0, |slash| slash + 1))
}

/// Bytes that stand for themselves in every segment, under each of the three resolvers: RFC 1808's
/// `pchar` without `%`, and `/`. `;` would start parameters, `?` a query.
pub(super) fn is_path_byte(rest: &[u8]) -> bool {
    const PUNCTUATION: u128 = set(b"/$-_.+!*'(),:@&=~");
    let plain = |&byte: &u8| {
        byte.is_ascii_alphanumeric() || (byte.is_ascii() && (PUNCTUATION >> byte) & 1 == 1)
    };
    rest.first().is_some_and(plain)
}

/// A set of ASCII characters, a bit for each.
const fn set(characters: &[u8]) -> u128 {
    let mut bits = 0;
    let mut at = 0;
    while at < characters.len() {
        bits |= 1 << characters[at];
        at += 1;
    }
    bits
}
