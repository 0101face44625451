//! The URLs that the files of a tree record, by which links between them become paths (`--to files`): RFC 1808 §3.3
//! read backwards, where neither a layout nor a map tells; and, with layout `wayback`, the files of all moments.

use std::collections::hash_map::DefaultHasher;
use std::fs::File;
use std::hash::{Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

use crate::batch::find::source::{self, Source};
use crate::batch::find::walk::{FileKind, Item, Visit, Walk};
use crate::batch::kind::format::{self, Format, Kind};
use crate::batch::path;
use crate::batch::plan::{Input, Output, Plan, PlanError, Task};
use crate::batch::read::{self, Opener, attributes};
use crate::batch::report::{Note, NoteKind, Observer};
use abslink_containers::feed;
use abslink_html::base::retrieval::url_evidence::Caveat;
use abslink_html::base::retrieval::wayback::moment;
use abslink_html::base::retrieval::xattr::{OF_CURL, ORIGIN, Origin};
use abslink_html::base::retrieval::{Evidence, Layout, Sources};
use abslink_html::{BaseSource, To};
use abslink_url::inverse::normal;
use abslink_url::{percent, without_fragment};

/// How much of a file is read.
const HEAD: usize = 4 << 10;

/// How much of a feed is, which may say late where it is.
const FEED: usize = 1 << 20;

/// The URLs of files, in path order.
#[derive(Debug, Default)]
pub(crate) struct Recorded {
    roots: Vec<RecordedTree>,
}

#[derive(Debug, Default)]
struct RecordedTree {
    directory: PathBuf,
    /// Sorted; of one hash in path order.
    urls: Vec<(u64, usize)>,
    /// The paths below the directory, each with a NUL behind it; a file is known by where its path begins.
    paths: Vec<u8>,
}

impl Recorded {
    /// For how many files there is room.
    pub(crate) const MOST: usize = 1_000_000;

    /// At most this many files whose URLs others have are named.
    const NAMED: usize = 10;

    /// Reads the beginnings of all files, where their URLs are asked for backwards.
    ///
    /// # Errors
    /// More than [`Recorded::MOST`] files record URLs.
    pub(crate) fn of(
        plan: &Plan,
        sources: &[Source<'_>],
        observer: &dyn Observer,
    ) -> Result<Option<Recorded>, PlanError> {
        let retrieval = &plan.retrieval;
        let is_told = retrieval.map.is_some()
            || (retrieval.layout.as_ref()).is_some_and(|layout| *layout != Layout::Wayback);
        if plan.html.to != To::Files || is_told {
            return Ok(None);
        }
        // Pictures have attributes, too.
        let mut all = plan.clone();
        all.task = Task::Rewrite(Output::Directory {
            directory: PathBuf::new(),
            copy_others: true,
        });
        all.retrieval.nameless = None;
        let mut recorded = Recorded::default();
        let mut opener = Opener::default();
        let mut number = 0;
        for found in Walk::new(&all, sources, None, observer) {
            let Visit::Item(item) = found else { continue };
            let Input::Directory(root) = item.source.input else {
                continue;
            };
            let last = recorded.roots.last();
            if last.is_none_or(|last| last.directory != *root) {
                recorded.roots.push(RecordedTree {
                    directory: root.clone(),
                    ..RecordedTree::default()
                });
            }
            if let Some(url) = url(&all, &item, &mut opener)
                && let Some(root) = recorded.roots.last_mut()
            {
                number += 1;
                root.push(&item, &url);
            }
            if number > Recorded::MOST {
                return Err(PlanError::TooManyRecords(Recorded::MOST));
            }
        }
        for root in &mut recorded.roots {
            root.urls.sort_by_key(|(hash, _)| *hash);
            root.name_same(observer);
        }
        Ok(Some(recorded))
    }

    /// Appends the paths of the files below a directory that record a URL, as far as hashes tell.
    pub(crate) fn paths_of(&self, directory: &Path, url: &str, paths: &mut Vec<Vec<u8>>) {
        let hash = hash(url);
        for root in self.roots.iter().filter(|root| root.directory == directory) {
            let start = root.urls.partition_point(|(other, _)| *other < hash);
            let same = root.urls[start..]
                .iter()
                .take_while(|(other, _)| *other == hash);
            paths.extend(same.map(|(_, file)| root.path(*file).to_owned()));
        }
    }
}

impl RecordedTree {
    fn push(&mut self, item: &Item<'_>, url: &str) {
        let start = self.paths.len();
        let mut below = Vec::new();
        source::push_components(&mut below, item.relative());
        self.paths.extend_from_slice(&below);
        self.paths.push(0);
        self.urls.push((hash(url), start));
    }

    fn path(&self, file: usize) -> &[u8] {
        let rest = &self.paths[file..];
        &rest[..memchr::memchr(0, rest).unwrap_or(rest.len())]
    }

    /// Names the files whose URLs others before them have.
    fn name_same(&self, observer: &dyn Observer) {
        let native = |file: usize| {
            let below = path::native(self.path(file));
            below.map(|below| self.directory.join(below))
        };
        let same = self.urls.chunk_by(|(one, _), (next, _)| one == next);
        let mut later: Vec<(usize, usize)> = same
            .flat_map(|same| same[1..].iter().map(|(_, file)| (*file, same[0].1)))
            .collect();
        later.sort_by_key(|(file, _)| *file);
        // Copies of one page at several times are meant to be.
        let is_copy = |file: usize| moment(self.path(file)).is_some();
        later.retain(|(file, _)| !is_copy(*file));
        for (file, first) in later.into_iter().take(Recorded::NAMED) {
            if let (Some(path), Some(first)) = (native(file), native(first)) {
                let what = NoteKind::SameUrl(first);
                observer.note(&Note { path, what });
            }
        }
    }
}

/// The URL that a file records.
fn url(plan: &Plan, item: &Item<'_>, opener: &mut Opener) -> Option<String> {
    if matches!(item.kind, FileKind::Backup(_) | FileKind::Link) {
        return None;
    }
    // The name tells. Copies of other moments are all that the names of other files do not lead to.
    if plan.retrieval.layout.is_some() {
        let mut path = Vec::new();
        source::push_components(&mut path, item.relative());
        moment(&path)?;
        let evidence = Evidence {
            path: &path,
            ..Evidence::default()
        };
        let evidence = plan.retrieval.first(&evidence)?;
        // Without the query, it is the URL of another page.
        let is_whole = !evidence.caveats.contains(&Caveat::Query);
        return is_whole.then_some(evidence.says);
    }
    let original = item.open(opener).ok()?;
    let is_feed = format::by_name(path::name(&item.path)) == Some(Kind::One(Format::Feed));
    let most = match item.kind {
        // Of what is no page, only the attribute counts.
        FileKind::Other => 0,
        _ if is_feed => FEED,
        _ => HEAD,
    };
    let head = read::head(&original.file, most);
    let feed = is_feed.then(|| feed::Read::of(&head, &plan.html));
    let xattr = origin(&plan.retrieval, &original.file);
    let evidence = Evidence {
        xattr: xattr.as_ref(),
        head: &head,
        own: feed.as_ref().and_then(feed::Read::own_url),
        ..Evidence::default()
    };
    Some(plan.retrieval.first(&evidence)?.says)
}

/// Reads it, if that is asked for. If it cannot be read, there is none.
pub(crate) fn origin(sources: &Sources, file: &File) -> Option<Origin> {
    if !sources.asks_for(BaseSource::Xattr) {
        return None;
    }
    let get = |name: &str| attributes::get(file, name).ok().flatten();
    let url = get(ORIGIN)?;
    let by_curl = OF_CURL.iter().any(|name| get(name).is_some());
    Some(Origin { url, by_curl })
}

/// The hash of a URL, whatever is escaped in it, and with or without a slash at its end.
fn hash(url: &str) -> u64 {
    let url = without_fragment(url);
    let usual = normal(url);
    let decoded = percent::decode(usual.as_deref().unwrap_or(url));
    let mut hasher = DefaultHasher::new();
    decoded
        .strip_suffix(b"/")
        .unwrap_or(&decoded)
        .hash(&mut hasher);
    hasher.finish()
}
