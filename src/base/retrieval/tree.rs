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
    index: Vec<String>,
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
            index: index.to_vec(),
        })
    }

    /// The URL of the document at `path`, components separated by `/`.
    pub fn url(&self, path: &[u8]) -> String {
        self.evidence(path).says
    }

    /// §3.3: what the document's place in the tree says.
    pub fn evidence(&self, path: &[u8]) -> UrlEvidence {
        below(self.directory.clone(), path, "", &self.index, is_path_byte)
    }
}

/// What a path below a directory says, whose URL ends with a slash. The last name of the path is left
/// out where it is one of `index`; `stays` is as for [`percent::encode`], and `query` is spelled
/// already.
pub(super) fn below(
    mut url: String,
    path: &[u8],
    query: &str,
    index: &[String],
    stays: impl Fn(&[u8]) -> bool,
) -> UrlEvidence {
    let (parents, name) = split_name(path);
    percent::encode(parents, &stays, &mut url);
    let mut whole = url.clone();
    percent::encode(name, &stays, &mut whole);
    whole.push_str(query);
    if !index.iter().any(|index| index.as_bytes() == name) {
        return UrlEvidence::plain(EvidenceKind::Layout, &whole);
    }
    UrlEvidence {
        index: Some(whole),
        ..UrlEvidence::plain(EvidenceKind::Layout, &(url + query))
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
    matches!(
        rest,
        [
            b'!' | b'$' | b'&'..=b':' | b'=' | b'@'..=b'Z' | b'_' | b'a'..=b'z' | b'~',
            ..,
        ]
    )
}
