//! `--repo`: where links lead that stand in a file of a repository, by the rules of the forge that shows it.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use abslink_url::{BaseUrl, Resolver, percent, pre_step};

use super::tree::Tree;
use crate::locate::name_filter::is_in;

/// What a forge makes of a link. In URLs `{repo}` is the repository, `{path}` its path on the server, and `{ref}` the
/// tag, branch or commit.
#[derive(Debug, PartialEq, Eq)]
struct Forge {
    /// Its servers. With a dot at the end: all those whose names begin so.
    hosts: &'static [&'static str],
    /// Whether servers of others are known by `mark`.
    has_others: bool,
    /// What stands between the repository and the ref.
    mark: &'static str,
    /// What the ref begins with, where that says what it is.
    kinds: &'static [&'static str],
    link: &'static str,
    directory: &'static str,
    embedded: &'static str,
    /// What is embedded and in Git LFS.
    stored: &'static str,
    /// Whether `/x` is the server's; otherwise it is the repository's.
    slash_is_of_server: bool,
    /// GitLab's ways: `../` stops at the root of the repository, a directory loses its last slash, and links to
    /// pictures, sound and films lead to what would be embedded.
    is_gitlab: bool,
}

macro_rules! forges {
    ($($hosts:tt $has_others:literal $mark:literal $kinds:tt $link:literal $directory:literal
       $embedded:literal $stored:literal $slash_is_of_server:literal $is_gitlab:literal)*) => {
        &[$(Forge {
            hosts: &$hosts,
            has_others: $has_others,
            mark: $mark,
            kinds: &$kinds,
            link: $link,
            directory: $directory,
            embedded: $embedded,
            stored: $stored,
            slash_is_of_server: $slash_is_of_server,
            is_gitlab: $is_gitlab,
        }),*]
    };
}

/// Where each is from: docs.github.com, "Relative links", 2026; GitHub Enterprise Server 3.18; GitLab 18,
/// lib/banzai/filter/repository_link_filter.rb; Gitea 1.23, modules/markup, and Forgejo 12, which has the same routes;
/// Bitbucket Cloud, 2026; scmsrht 0.22 with core.sr.ht's markdown.py.
#[rustfmt::skip]
static FORGES: &[Forge] = forges! {
//  hosts                         others mark        kinds                        link                       directory                  embedded                                     in LFS                  /x of server, GitLab
    ["github.com"]                false  "/tree/"    [""]                         "{repo}/blob/{ref}/"       "{repo}/tree/{ref}/"       "https://raw.githubusercontent.com{path}/{ref}/" "{repo}/raw/{ref}/" false false
    ["github."]                   false  "/tree/"    [""]                         "{repo}/blob/{ref}/"       "{repo}/tree/{ref}/"       "{repo}/raw/{ref}/"                          "{repo}/raw/{ref}/"     false false
    ["gitlab.com"]                true   "/-/tree/"  [""]                         "{repo}/-/blob/{ref}/"     "{repo}/-/tree/{ref}/"     "{repo}/-/raw/{ref}/"                        "{repo}/-/raw/{ref}/"   false true
    ["codeberg.org", "gitea.com"] true   "/src/"     ["tag/", "branch/", "commit/"] "{repo}/src/{ref}/"      "{repo}/src/{ref}/"        "{repo}/raw/{ref}/"                          "{repo}/media/{ref}/"   false false
    ["bitbucket.org"]             false  "/src/"     [""]                         "{repo}/src/{ref}/"        "{repo}/src/{ref}/"        "{repo}/raw/{ref}/"                          "{repo}/raw/{ref}/"     false false
    ["git.sr.ht"]                 false  "/tree/"    [""]                         "{repo}/tree/{ref}/item/"  "{repo}/tree/{ref}/item/"  "{repo}/blob/{ref}/"                         "{repo}/blob/{ref}/"    true  false
};

/// The endings of what GitLab shows in a text: lib/gitlab/file_type_detection.rb.
const MEDIA: &str =
    "png jpg jpeg gif bmp tiff ico webp svg mp4 m4v mov webm ogv mp3 oga ogg spx wav flac aac m4a";

/// The files of a repository at one tag, branch or commit, on a forge.
///
/// # Examples
/// ```
/// use abslink_html::retrieval::Repo;
///
/// let repo: Repo = "https://github.com/o/r/tree/v1.2".parse()?;
/// assert_eq!(repo.url(b"docs/a.md"), "https://github.com/o/r/blob/v1.2/docs/a.md");
/// assert!("https://github.com/o/r".parse::<Repo>().is_err());
/// # Ok::<(), abslink_html::retrieval::RepoError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repo {
    forge: &'static Forge,
    pub(crate) files: Tree,
    directory: String,
    embedded: String,
    stored: String,
}

/// Why a URL is not a [`Repo`].
///
/// # Examples
/// ```
/// use abslink_html::retrieval::{Repo, RepoError};
///
/// let error = "git@github.com:o/r.git".parse::<Repo>().unwrap_err();
/// assert_eq!(error, RepoError::NoRef("https://github.com/o/r/tree/TAG".to_owned()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RepoError {
    /// No forge has such URLs.
    #[error("not the URL of a tree on a known forge")]
    Unknown,
    /// It names no tag, branch or commit. What it would be with one.
    #[error("no tag, branch or commit in it")]
    NoRef(String),
}

impl std::str::FromStr for Repo {
    type Err = RepoError;

    fn from_str(url: &str) -> Result<Repo, RepoError> {
        let url = pre_step(url);
        let url = url.strip_prefix("git+").unwrap_or(&url);
        let (scheme, rest) = match url.split_once("://") {
            Some((scheme @ ("http" | "https"), rest)) => (scheme, rest.to_owned()),
            Some(("ssh" | "git", rest)) => ("https", rest.to_owned()),
            Some(_) => return Err(RepoError::Unknown),
            // As scp writes it.
            None => ("https", url.replacen(':', "/", 1)),
        };
        let (server, path) = rest.split_at(rest.find('/').ok_or(RepoError::Unknown)?);
        let host = server.rsplit('@').next().unwrap_or_default();
        // That of ssh is another one.
        let host = if url.starts_with("ssh:") {
            host.split(':').next().unwrap_or_default()
        } else {
            host
        };
        let host = host.to_ascii_lowercase();
        let is_it = |it: &&str| **it == host || it.ends_with('.') && host.starts_with(*it);
        let is_its = |forge: &&Forge| forge.hosts.iter().any(&is_it);
        let known = FORGES.iter().find(is_its);
        let others = FORGES.iter().filter(|it| it.has_others && known.is_none());
        let mut forges = known.into_iter().chain(others);
        let split = forges.find_map(|forge| Some((forge, forge.split(path)?)));
        let Some((forge, (path, at))) = split else {
            let forge = known.ok_or(RepoError::Unknown)?;
            let path = forge.repository(path).ok_or(RepoError::Unknown)?;
            let (mark, kind) = (forge.mark, forge.kinds[0]);
            return Err(RepoError::NoRef(format!(
                "{scheme}://{host}{path}{mark}{kind}TAG"
            )));
        };
        let repo = format!("{scheme}://{host}{path}");
        let mut escaped = String::new();
        let stays = |rest: &[u8]| {
            rest[0] > b' '
                && !b"\"#<>?\\^`{|}".contains(&rest[0])
                && (rest[0] != b'%' || percent::escape(rest).is_some())
        };
        percent::encode(at.as_bytes(), stays, &mut escaped);
        let filled = |pattern: &str| {
            pattern
                .replace("{repo}", &repo)
                .replace("{path}", path)
                .replace("{ref}", &escaped)
        };
        Ok(Repo {
            forge,
            files: Tree::new(&filled(forge.link), &[]).map_err(|_| RepoError::Unknown)?,
            directory: filled(forge.directory),
            embedded: filled(forge.embedded),
            stored: filled(forge.stored),
        })
    }
}

impl Forge {
    /// The path of a repository, and the ref.
    fn split<'p>(&self, path: &'p str) -> Option<(&'p str, &'p str)> {
        let repository = self.repository(path)?;
        let rest = path.strip_prefix(repository)?;
        let rest = rest.strip_prefix(".git").unwrap_or(rest);
        let at = rest.strip_prefix(self.mark)?.trim_end_matches('/');
        let has_kind = |kind: &&str| at.len() > kind.len() && at.starts_with(*kind);
        self.kinds.iter().any(has_kind).then_some((repository, at))
    }

    /// The path of a repository, with which another one begins. GitLab has groups in groups.
    fn repository<'p>(&self, path: &'p str) -> Option<&'p str> {
        let end = if self.mark.starts_with("/-/") {
            path.find("/-/").unwrap_or(path.len())
        } else {
            let mut slashes = path.match_indices('/').map(|(at, _)| at);
            slashes.nth(2).unwrap_or(path.len())
        };
        let path = path[..end].trim_end_matches('/');
        let path = path.strip_suffix(".git").unwrap_or(path);
        let mut names = path.split('/').skip(1);
        (names.clone().count() > 1 && names.all(|name| !name.is_empty())).then_some(path)
    }
}

/// What is in a repository.
pub trait RepoFiles: fmt::Debug + Send + Sync {
    /// Whether there is a directory of this path.
    fn has_directory(&self, path: &[u8]) -> bool;
    /// Whether Git LFS stores what is at this path.
    fn is_stored(&self, path: &[u8]) -> bool;
}

/// A repository, and what is in it, if that is known.
#[derive(Clone, Debug)]
pub struct Checkout {
    /// The repository.
    pub repo: Arc<Repo>,
    /// What is in it.
    pub files: Option<Arc<dyn RepoFiles>>,
}

impl Repo {
    /// The URL of the file at `path`, components separated by `/`.
    pub fn url(&self, path: &[u8]) -> String {
        self.files.url(path)
    }
}

impl Checkout {
    /// What a reference leads to, if it is resolved against a file of the repository.
    pub fn target(
        &self,
        resolver: Resolver,
        base: &BaseUrl,
        reference: &str,
        is_embedded: bool,
    ) -> Option<String> {
        const ROOT: &str = "https://repository.invalid/";
        let Repo { forge, files, .. } = &*self.repo;
        base.as_str().strip_prefix(&*files.directory)?;
        let root = BaseUrl::any(&files.directory);
        let (base, reference) = match reference.as_bytes() {
            [b'/', b'/' | b'\\', ..] => return None,
            // It may have a colon.
            [b'/', ..] if !forge.slash_is_of_server => {
                (&root, Cow::Owned(format!("./{}", &reference[1..])))
            }
            _ => (base, Cow::Borrowed(reference)),
        };
        let target = resolver.resolve(base, &reference).ok()?;
        let stopped = match target.strip_prefix(&*files.directory) {
            Some(_) => None,
            None if forge.is_gitlab => {
                let own = base.as_str().strip_prefix(&*files.directory)?;
                let base = BaseUrl::any(&format!("{ROOT}{own}"));
                let stopped = Resolver::Rfc3986.resolve(&base, &reference).ok()?;
                Some(stopped.into_owned())
            }
            // It is a page of the forge.
            None => return Some(target.into_owned()),
        };
        let below = match &stopped {
            Some(stopped) => stopped.strip_prefix(ROOT)?,
            None => &target[files.directory.len()..],
        };
        let (path, behind) = below.split_at(below.find(['?', '#']).unwrap_or(below.len()));
        let name = percent::decode(path);
        let known = self.files.as_ref();
        let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
        let is_media = || is_in(ending.as_bytes(), MEDIA);
        let is_directory = path.is_empty()
            || path.ends_with('/')
            || known.is_some_and(|files| files.has_directory(&name));
        let mut target = if is_directory && !is_embedded {
            let directory = self.repo.directory.clone() + path;
            if forge.is_gitlab {
                directory.trim_end_matches('/').to_owned()
            } else {
                directory
            }
        } else if !(is_embedded || forge.is_gitlab && is_media()) {
            files.directory.clone() + path
        } else if known.is_some_and(|files| files.is_stored(&name)) {
            self.repo.stored.clone() + path
        } else {
            self.repo.embedded.clone() + path
        };
        target.push_str(behind);
        Some(target)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::rows;

    #[derive(Debug)]
    struct Known;

    impl RepoFiles for Known {
        fn has_directory(&self, path: &[u8]) -> bool {
            path == b"src"
        }

        fn is_stored(&self, path: &[u8]) -> bool {
            path.ends_with(b".psd")
        }
    }

    #[test]
    fn what_a_forge_makes_of_a_link() {
        for row in rows("forges.tsv") {
            let [url, file, reference, place, becomes] = &row[..] else {
                panic!("{row:?}");
            };
            let repo = match url.parse::<Repo>() {
                Ok(repo) => Arc::new(repo),
                Err(RepoError::NoRef(example)) => {
                    assert_eq!(example, *becomes, "{row:?}");
                    continue;
                }
                Err(RepoError::Unknown) => {
                    assert_eq!("?", becomes, "{row:?}");
                    continue;
                }
            };
            let base = BaseUrl::any(&repo.url(file.as_bytes()));
            let files = Some(Arc::new(Known) as _);
            let checkout = Checkout { repo, files };
            for resolver in [Resolver::Rfc1808, Resolver::Rfc3986, Resolver::Whatwg] {
                let target = checkout.target(resolver, &base, reference, place == "loaded");
                let usual = || resolver.resolve(&base, reference).unwrap().into_owned();
                assert_eq!(target.unwrap_or_else(usual), *becomes, "{row:?}");
            }
        }
    }
}
