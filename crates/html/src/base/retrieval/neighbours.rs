//! The files around a document, and the way to them: RFC 1808 §3.3 read backwards, for `--to files`.

use std::sync::Arc;

use super::super::moves::MappedPrefixes;
use super::mirror::Files;
use super::path::is_path_byte;
use super::records::wayback::moment;
use super::target::{DocumentPlace, same_url};
use super::tree::is_nameless;
use super::url_evidence::UrlEvidence;
use crate::base::BaseSource;
use crate::text::splice::sort_by_number;
use abslink_url::inverse::normal;
use abslink_url::rfc1808::Components;
use abslink_url::{percent, split};

/// The files around a document.
#[derive(Clone, Debug)]
pub struct Neighbours {
    #[doc(hidden)]
    pub place: DocumentPlace,
    /// Where the document's directory ends in its path, and those above it, without their slashes.
    directories: Vec<usize>,
    files: Arc<dyn Files>,
    /// Whether a query may follow a file's name that does not contain it. What opens a file from a disk
    /// does not look at it.
    ignores_queries: bool,
    /// What a server may append to a path ([`Settings::try_ext`](crate::Settings::try_ext)).
    endings: Vec<String>,
    /// Where the URLs of files are moved.
    moves: MappedPrefixes,
    /// Whether files may have any names, so that a reference which leads to one, and by the document's URL to
    /// none, is from an earlier run.
    pub are_named_freely: bool,
}

impl Neighbours {
    /// The files around the document at `place`.
    pub fn new(place: DocumentPlace, files: Arc<dyn Files>, ignores_queries: bool) -> Neighbours {
        let slashes = memchr::memrchr_iter(b'/', &place.path);
        Neighbours {
            directories: slashes
                .chain((!place.path.is_empty()).then_some(0))
                .collect(),
            place,
            files,
            ignores_queries,
            endings: Vec::new(),
            moves: MappedPrefixes::default(),
            are_named_freely: false,
        }
    }

    /// Whether a reference leads to a file by its name, although by the document's URL it means another.
    pub(crate) fn are_named(&self, reference: &str) -> bool {
        if !self.are_named_freely {
            return false;
        }
        let path = (self.place).local(&Components::parse(reference), None);
        let known = path.and_then(|path| self.files.known(&path));
        let known = known.filter(|known| known.is_there);
        known.is_some_and(|known| {
            let evidence = known.evidence.as_ref();
            evidence.is_none_or(|evidence| evidence.source != BaseSource::Tree)
        })
    }

    /// The same files, where a server appends one of `endings` to a path, and all URLs are moved.
    pub fn with(self, endings: &[String], moves: &MappedPrefixes) -> Neighbours {
        let url = moves.moved(&self.place.url);
        Neighbours {
            place: DocumentPlace {
                url: url.unwrap_or(self.place.url),
                ..self.place
            },
            endings: endings.to_vec(),
            moves: moves.clone(),
            ..self
        }
    }

    /// Whether the path of a URL is that of its file, and of no other, as far as neither has escapes.
    pub(crate) fn are_plain(&self) -> bool {
        self.ignores_queries && !self.files.may_be_recorded() && self.moves.is_empty()
    }

    /// Whether this is the name of the document's own file.
    pub(crate) fn is_own_name(&self, name: &[u8]) -> bool {
        self.place.path.rsplit(|&byte| byte == b'/').next() == Some(name)
    }

    /// Whether a relative path without dot segments leads to a file that has its URL from its path, so many
    /// directories above the document's. `path` is memory for it.
    pub(crate) fn has_file(&self, levels: usize, rest: &[u8], path: &mut Vec<u8>) -> bool {
        let Some(end) = self.directories.get(levels) else {
            return false;
        };
        path.clear();
        path.extend_from_slice(&self.place.path[..*end]);
        if *end > 0 {
            path.push(b'/');
        }
        path.extend_from_slice(rest);
        if is_nameless(&self.place.url) {
            self.files.is_still_nameless(path)
        } else {
            self.files.is_still_file(path)
        }
    }

    /// The reference that leads from the document's file to that of a target; `None` if there is no
    /// such file.
    pub(crate) fn reference(&self, target: &str, fragment_alone: bool) -> Option<String> {
        let (url, fragment) = split(target, '#');
        let usual = normal(url)?;
        let (path, query) = self.file(&usual)?;
        let mut reference = match fragment {
            Some(_) if fragment_alone && path == self.place.path && query.is_none() => {
                String::new()
            }
            _ => self.relative_path(&path),
        };
        for (mark, part) in [('?', query), ('#', fragment)] {
            if let Some(part) = part {
                reference.push(mark);
                reference.push_str(part);
            }
        }
        Some(reference)
    }

    /// The path of the file of a URL below the root of the tree.
    pub(crate) fn path(&self, url: &str) -> Option<Vec<u8>> {
        let url = normal(url.split('#').next().unwrap_or_default())?;
        Some(self.file(&url)?.0)
    }

    /// Whether there is a file with the query of a URL in its name, where that is not how names are read.
    pub(crate) fn have_with_query(&self, target: &str) -> bool {
        let url = target.split('#').next().unwrap_or_default();
        let has_query = url.contains('?') && (self.ignores_queries || is_nameless(url));
        let is_there = |path: &Vec<u8>| {
            let known = (self.files.known(path)).filter(|_| path.contains(&b'?'));
            known.is_some_and(|known| known.is_there)
        };
        has_query && self.place.candidates(url).any(|path| is_there(&path))
    }

    /// The file of a URL, and the query that its name does not contain.
    fn file<'u>(&self, url: &'u str) -> Option<(Vec<u8>, Option<&'u str>)> {
        if let Some(path) = self.by_url(url) {
            return Some((path, None));
        }
        match url.split_once('?') {
            Some((url, query)) if self.ignores_queries || is_nameless(url) => {
                Some((self.by_url(url)?, Some(query)))
            }
            _ => None,
        }
    }

    /// The file whose URL this is, with its query.
    fn by_url(&self, url: &str) -> Option<Vec<u8>> {
        let find = |url: &str, is: &dyn Fn(&UrlEvidence) -> bool| {
            let candidates = self.place.candidates(url);
            let before = self.moves.unmoved(url);
            let mut recorded = self.files.recorded(before.as_deref().unwrap_or(url));
            // Of several copies of a page, one that was taken at the same time.
            if recorded.len() > 1 {
                let own = moment(&self.place.path);
                let is_of_another = |path: &Vec<u8>| own.is_some() && moment(path) != own;
                sort_by_number(&mut recorded, |path| is_of_another(path).into());
            }
            recorded.into_iter().chain(candidates).find(|path| {
                let known = self.files.known(path).filter(|known| known.is_there);
                known.is_some_and(|known| known.evidence.as_ref().is_some_and(is))
            })
        };
        let is =
            |says: &str, url: &str| is_same(self.moves.moved(says).as_deref().unwrap_or(says), url);
        // The URL of a directory, and that of its index page.
        let may_be_directory = !url.ends_with('/') && !url.contains('?');
        let of_page = |evidence: &UrlEvidence| {
            is(&evidence.says, url)
                || evidence.index.as_ref().is_some_and(|index| is(index, url))
                || may_be_directory && is(&evidence.says, &format!("{url}/"))
        };
        let other = || {
            let own = self.own_url(url)?;
            find(&own, &|evidence| is_same(&evidence.says, &own))
        };
        let made = || {
            self.made_of(url)
                .find_map(|made| find(&made, &|it| is(&it.says, &made)))
        };
        made()
            .or_else(|| find(url, &of_page))
            .or_else(other)
            .or_else(|| {
                let (path, query) = url.split_at(url.find('?').unwrap_or(url.len()));
                let is_page = !path.ends_with('/') && path.contains("://");
                let mut endings =
                    (self.endings.iter()).filter(|ending| is_page && !ending.contains('='));
                endings.find_map(|ending| {
                    let url = format!("{path}{ending}{query}");
                    find(&url, &|evidence| is(&evidence.says, &url))
                })
            })
    }

    /// The URLs of pages that may have been made of what a URL names: with `.md=.html`, its page.
    fn made_of<'u>(&'u self, url: &'u str) -> impl Iterator<Item = String> + 'u {
        let (path, query) = url.split_at(url.find('?').unwrap_or(url.len()));
        self.endings.iter().filter_map(move |ending| {
            let (source, page) = ending.split_once('=')?;
            Some([path.strip_suffix(source)?, page, query].concat())
        })
    }

    /// The URL of the page that was made of a target, if that is in the tree.
    pub fn page_of(&self, target: &str) -> Option<String> {
        let (url, fragment) = target.split_at(target.find('#').unwrap_or(target.len()));
        let mut made = self.made_of(url);
        let page = made.find(|page| self.path(page).is_some())?;
        Some(page + fragment)
    }

    /// The URL of the file for which a map names this one too, before it is moved.
    fn own_url(&self, url: &str) -> Option<String> {
        let before = self.moves.unmoved(url);
        self.files.own_url(before.as_deref().unwrap_or(url))
    }

    /// The path from the document to a file, as a reference spells it.
    fn relative_path(&self, path: &[u8]) -> String {
        let own = &self.place.path;
        let common = own.iter().zip(path).take_while(|(a, b)| a == b).count();
        let shared = memchr::memrchr(b'/', &own[..common]).map_or(0, |slash| slash + 1);
        let above = memchr::memchr_iter(b'/', &own[shared..]).count();
        let mut reference = "../".repeat(above);
        percent::encode(&path[shared..], is_path_byte, &mut reference);
        let first = reference.split('/').next().unwrap_or_default();
        if first.is_empty() || first.contains(':') {
            format!("./{reference}")
        } else {
            reference
        }
    }

    /// Whether a reference, read by what opens files, leads to one whose URL is `target`: for a second
    /// reader.
    #[doc(hidden)]
    pub fn leads_to(&self, path: &[u8], query: Option<&str>, target: &str) -> bool {
        let url = target.split('#').next().unwrap_or_default();
        let (url, is_query) = match query {
            Some(_) if self.ignores_queries || is_nameless(url) => {
                let (url, of_target) = split(url, '?');
                (url, of_target == query)
            }
            Some(_) => return false,
            None => (url, true),
        };
        let known = self.files.known(path).filter(|known| known.is_there);
        let Some(evidence) = known.as_ref().and_then(|known| known.evidence.as_ref()) else {
            return false;
        };
        let appended = (self.endings.iter()).map(|ending| format!("{url}{ending}"));
        let urls: Vec<String> = appended
            .chain([url.to_owned(), format!("{url}/")])
            .chain(self.made_of(url))
            .collect();
        let index = evidence.index.as_deref();
        let mut says = [Some(&*evidence.says), index].into_iter().flatten();
        let other = self.own_url(url);
        is_query
            && says.any(|says| {
                let moved = self.moves.moved(says);
                other.as_ref().is_some_and(|own| is_same(says, own))
                    || (urls.iter()).any(|url| is_same(moved.as_deref().unwrap_or(says), url))
            })
    }
}

/// Whether two URLs are the same: paths apart from unnecessary escapes, queries apart from escapes of what separates
/// nothing in them, since names of files have `%2F` for a slash, and none for most other bytes.
fn is_same(says: &str, url: &str) -> bool {
    let query = |url: &str| Some(plain(url.split_once('?')?.1));
    if says == url {
        return true;
    }
    let (Some(says), Some(url)) = (normal(says), normal(url)) else {
        return false;
    };
    says == url || same_url(&says, &url) && query(&says) == query(&url)
}

/// A query whose only escapes are those of separators.
fn plain(query: &str) -> Vec<u8> {
    let mut parts = query.split('%');
    let mut plain = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let escape = part.get(..2).unwrap_or_default();
        match percent::decode(&format!("%{escape}"))[..] {
            [byte] if !matches!(byte, b'%' | b'&' | b'+' | b';' | b'=') => {
                plain.push(byte);
                plain.extend(&part.as_bytes()[2..]);
            }
            _ => {
                plain.push(b'%');
                plain.extend(escape.to_ascii_uppercase().bytes());
                plain.extend(&part.as_bytes()[escape.len()..]);
            }
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_the_same_but_for_separators() {
        let url = "http://h/a?u=/p%3Aq&v=%26";
        for same in ["http://h/a?u=%2Fp:q&v=%26", "http://h/%61?u=%2fp%3aq&v=%26"] {
            assert!(is_same(same, url), "{same}");
        }
        for other in [
            "http://h/a?u=/p:q&v=&",
            "http://h/a?u=/p:q%26v=%26",
            "http://h/a?u=/p:Q&v=%26",
            "http://h/a?u=/p:q&v=%",
            "http://h/a",
        ] {
            assert!(!is_same(other, url), "{other}");
        }
        assert!(!is_same("http://h/a?b+c", "http://h/a?b%2Bc"));
        assert!(is_same("http://h/a?b%2bc%", "http://h/a?b%2Bc%"));
    }
}
