//! The files of the tree that a document is in: which ones there are, and which URLs they were
//! retrieved from.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::checkout::CheckedOut;
use super::recent::Recent;
use super::recorded::{self, Recorded};
use crate::batch::find::backup::{APPENDED, Appended};
use crate::batch::find::saved;
use crate::batch::find::walk::Item;
use crate::batch::path;
use crate::batch::plan::{Input, Plan};
use crate::batch::read::beneath::{Directory, LinkPolicy};
use crate::batch::read::{self, Original, windows_names};
use abslink_html::To;
use abslink_html::base::retrieval::mirror::{ConvertedLinks, Files, KnownFile, Mirror};
use abslink_html::base::retrieval::neighbours::Neighbours;
use abslink_html::base::retrieval::repo::Checkout;
use abslink_html::base::retrieval::saved::SavedFiles;
use abslink_html::base::retrieval::surroundings::{Pinned, Pins, Surroundings};
use abslink_html::base::retrieval::target::DocumentPlace;
use abslink_html::base::retrieval::tree::Tree;
use abslink_html::base::retrieval::{Evidence, Layout, Sources, comment};
use abslink_html::base::{BaseSource, Context, Retrieval};

/// Remembers files: one to which every page leads is looked up once.
#[derive(Debug)]
pub(crate) struct FileCache {
    sources: Sources,
    /// The root that the plan names, from which files are opened if links are not followed.
    root: Option<Arc<Directory>>,
    /// One worker asks at a time: the lock is there because [`Files`] may go to other threads.
    found: Mutex<FoundFiles>,
    /// The same for files that may have the names that `wget -nH` gives, if they may without anybody saying so.
    by_wget: Option<Arc<FileCache>>,
    /// The URLs that files of the tree record, if all of them were read.
    recorded: Option<Arc<Recorded>>,
    /// The repository that the tree is in, if a forge shows it.
    /// What pages of the run name by a hash.
    pinned: Arc<Pinned>,
    pub(super) checkout: Option<Checkout>,
}

/// What was found of the files in the tree of the last document, by their paths in it.
#[derive(Debug, Default)]
struct FoundFiles {
    root: Option<Arc<TreeRoot>>,
    present: Recent<()>,
    /// Those of them whose URLs only their places tell.
    nameless: Recent<()>,
    known: Recent<Option<Arc<KnownFile>>>,
}

impl FileCache {
    pub(crate) fn new(
        plan: &Plan,
        recorded: Option<Arc<Recorded>>,
        pinned: Arc<Pinned>,
    ) -> FileCache {
        let mut sources = plan.sources().into_owned();
        sources.complete = false;
        // The URL of one document says nothing about the files around it.
        let is_of_one = |layout: &mut Layout| matches!(layout, Layout::Document(_));
        sources.layout.take_if(is_of_one);
        let root = (plan.root.as_deref()).filter(|_| !plan.selection.follow_links);
        // It was there a moment ago. If it is gone, there is nothing in it.
        let root = root.and_then(|root| Some(Arc::new(Directory::by_path(root).ok()?)));
        let is_open = plan.converted_links == ConvertedLinks::Auto;
        let by_wget = match &sources.layout {
            Some(Layout::Tree(tree)) if is_open => {
                let mut by_wget = sources.clone();
                by_wget.layout = Some(Layout::Tree(tree.clone().with_names_by_wget()));
                Some(by_wget)
            }
            _ => None,
        };
        let by_wget = by_wget.map(|sources| Arc::new(FileCache::of(sources, root.clone())));
        let checkout = match &sources.layout {
            Some(Layout::Repo(repo)) => Some(Checkout {
                repo: Arc::clone(repo),
                files: (plan.root.clone()).map(|root| Arc::new(CheckedOut::new(root)) as _),
            }),
            _ => None,
        };
        FileCache {
            by_wget,
            recorded,
            pinned,
            checkout,
            ..FileCache::of(sources, root)
        }
    }

    fn of(sources: Sources, root: Option<Arc<Directory>>) -> FileCache {
        FileCache {
            sources,
            root,
            by_wget: None,
            found: Mutex::default(),
            recorded: None,
            pinned: Arc::default(),
            checkout: None,
        }
    }

    fn found(&self) -> MutexGuard<'_, FoundFiles> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The tree around one document.
struct MirrorTree {
    root: Arc<TreeRoot>,
    /// The directory that files are opened from; `None` if links are followed.
    directory: Option<Arc<Directory>>,
    memory: Arc<FileCache>,
}

/// Where a tree is. Two trees may share files, with different paths and URLs in each.
#[derive(Debug, PartialEq, Eq, Hash)]
struct TreeRoot {
    directory: PathBuf,
    /// What the user wrote before the name of a document that is below no root; a map may do so
    /// too.
    prefix: Option<Vec<u8>>,
    links: LinkPolicy,
}

impl TreeRoot {
    /// Whether it is written like another: comparing two paths part by part takes longer, for each document.
    fn is(&self, other: &TreeRoot) -> bool {
        self.directory.as_os_str() == other.directory.as_os_str()
            && (&self.prefix, self.links) == (&other.prefix, other.links)
    }
}

/// Adds to `context` the files around a document, if the plan needs them.
pub(crate) fn around(
    plan: &Plan,
    item: &Item<'_>,
    evidence: &Evidence<'_>,
    context: &mut Context,
    memory: &Arc<FileCache>,
) {
    let Some(retrieval) = &context.retrieval else {
        return;
    };
    let (html, sources, links) = (&plan.html, &plan.retrieval, plan.converted_links);
    let place = |path| DocumentPlace::new(sources, path, &retrieval.url);
    let is_mirror = is_mirror(plan, retrieval);
    // Where other forms are asked for, a name that leads to a file is right as it is.
    let by_wget = (memory.by_wget.as_ref()).filter(|_| !is_mirror && html.to == To::Absolute);
    if let Some(memory) = by_wget
        && let Some((tree, path)) = tree(plan, item, evidence, memory)
    {
        let mut mirror = Mirror::new(place(path), Arc::new(tree), links, false);
        mirror.is_of_marks = true;
        context.mirror = Some(mirror);
    }
    let wants_files =
        html.to == To::Files || retrieval.source == BaseSource::Tree || !html.try_ext.is_empty();
    let directory = plan.hints.then(|| sources.path_of_tree()).flatten();
    let takes_sheets = plan.selection.may_take_sheets();
    if !(is_mirror || wants_files || takes_sheets || directory.is_some()) {
        return;
    }
    let Some((tree, path)) = tree(plan, item, evidence, memory) else {
        return;
    };
    let (files, place): (Arc<dyn Files>, _) = (Arc::new(tree), place(path));
    // A file alone is in no tree.
    if !evidence.path.is_empty() {
        let neighbours = || neighbours(plan, retrieval, memory, place.clone(), Arc::clone(&files));
        context.pins = takes_sheets.then(|| Pins {
            neighbours: neighbours(),
            pinned: Arc::clone(&memory.pinned),
        });
        context.neighbours = wants_files.then(|| neighbours().with(&html.try_ext, &html.moves));
        context.surroundings = directory.map(|directory| {
            Surroundings::new(Arc::clone(&files), directory, &sources.assumptions.index)
        });
    }
    if is_mirror {
        let by_httrack = comment::is_by_httrack(evidence.head)
            || sources.are_by_httrack(evidence.path, evidence.name, retrieval.source);
        let mut mirror = Mirror::new(place, files, links, by_httrack);
        mirror.wants_confirmation = sources.wants_confirmation(retrieval);
        context.mirror = Some(mirror);
    }
}

/// Whether links may be the names of files, or are looked up in the tree for another reason.
fn is_mirror(plan: &Plan, retrieval: &Retrieval) -> bool {
    let sources = &plan.retrieval;
    plan.html.only_missing
        || sources.wants_confirmation(retrieval)
        || match plan.converted_links {
            ConvertedLinks::Auto => sources.may_be_renamed(),
            ConvertedLinks::Always => true,
            ConvertedLinks::Never => false,
        }
}

/// The files around a document in a tree.
fn neighbours(
    plan: &Plan,
    retrieval: &Retrieval,
    memory: &FileCache,
    place: DocumentPlace,
    files: Arc<dyn Files>,
) -> Neighbours {
    let used = plan.sources();
    let is_by_url = |tree: &Tree| !tree.by_wget;
    let ignores_queries = matches!(&used.layout, Some(Layout::Tree(tree)) if is_by_url(tree));
    // An export has links from file to file, whatever the URLs of its pages were.
    let is_mapped = retrieval.source == BaseSource::Map && !plan.retrieval.are_mapped();
    let mut neighbours = Neighbours::new(place, files, ignores_queries);
    neighbours.are_named_freely = memory.recorded.is_some() && used.layout.is_none() || is_mapped;
    neighbours
}

/// Adds to `context` what a browser has saved with a document.
pub(crate) fn saved_with(
    plan: &Plan,
    item: &Item<'_>,
    evidence: &Evidence<'_>,
    context: &mut Context,
    memory: &Arc<FileCache>,
) {
    let is_wanted = plan.converted_links != ConvertedLinks::Never;
    if !(is_wanted && comment::is_by_browser(evidence.head)) {
        return;
    }
    let Some((tree, path)) = tree(plan, item, evidence, memory) else {
        return;
    };
    let folders = memchr::memchr_iter(b'/', path).map(|slash| &path[..slash]);
    let folders = folders.filter(|folder| {
        let below = on_disk(folder).map(|below| tree.root.directory.join(below));
        below.is_some_and(|folder| saved::is_folder(&folder))
    });
    let mut around: Vec<Vec<u8>> = folders.map(|folder| [folder, b"/"].concat()).collect();
    if saved::is_folder(&tree.root.directory) {
        around.push(Vec::new());
    }
    context.saved = Some(SavedFiles::new(path, Arc::new(tree), around));
}

/// The tree that a document is in, and its path there.
fn tree<'e>(
    plan: &Plan,
    item: &'e Item<'_>,
    evidence: &Evidence<'e>,
    memory: &Arc<FileCache>,
) -> Option<(MirrorTree, &'e [u8])> {
    let name = item.path.file_name()?.as_encoded_bytes();
    let (directory, path) = match (&plan.root, item.source.input) {
        (Some(root), _) => (root.clone(), evidence.path),
        (None, Input::Directory(root)) => (root.clone(), evidence.path),
        (None, Input::File(file)) => (file.parent()?.to_owned(), name),
        (None, Input::Stdin) => return None,
    };
    let is_alone = evidence.path.is_empty();
    let before = evidence.name.strip_suffix(name).unwrap_or_default();
    let root = TreeRoot {
        directory,
        prefix: is_alone.then(|| before.to_owned()),
        links: match item.source.input {
            Input::Directory(_) if !plan.selection.follow_links => LinkPolicy::Refuse,
            _ => LinkPolicy::Follow,
        },
    };
    let directory = match (root.links, &plan.root) {
        (LinkPolicy::Follow, _) => None,
        (LinkPolicy::Refuse, Some(_)) => Some(memory.root.clone()?),
        (LinkPolicy::Refuse, None) => Some(item.root.clone()?),
    };
    let root = {
        let mut found = memory.found();
        match &found.root {
            Some(last) if last.is(&root) => Arc::clone(last),
            _ => {
                let root = Arc::new(root);
                *found = FoundFiles {
                    root: Some(Arc::clone(&root)),
                    ..FoundFiles::default()
                };
                root
            }
        }
    };
    let tree = MirrorTree {
        root,
        directory,
        memory: Arc::clone(memory),
    };
    Some((tree, path))
}

/// Whether the original that wget -K has saved of a document shows that wget -E has appended the ending of its
/// name.
pub(crate) fn is_appended(item: &Item<'_>) -> bool {
    let path = match &item.root {
        Some(_) => item.relative(),
        None => &item.path,
    };
    shows_appended(path.as_os_str().as_encoded_bytes(), |path| {
        let is_file = |path: &Path| match &item.root {
            Some(root) => root.at(path, Directory::is_file).unwrap_or(false),
            None => path.is_file(),
        };
        path::native(path).is_some_and(is_file)
    })
}

/// If there is a file with the name without the extension, the original is the backup of that.
fn shows_appended(path: &[u8], is_file: impl Fn(&[u8]) -> bool) -> bool {
    let stem_of =
        |appended: &'static Appended| Some((path.strip_suffix(appended.ending)?, appended));
    let stem = APPENDED.iter().find_map(stem_of);
    stem.is_some_and(|(stem, appended)| {
        is_file(&[stem, appended.original].concat()) && !is_file(stem)
    })
}

/// The file that a URL stands for, if the system can have one of that name.
fn on_disk(path: &[u8]) -> Option<&Path> {
    path::native(path).filter(|path| windows_names::refuse(path).is_ok())
}

impl Files for MirrorTree {
    fn may_be_recorded(&self) -> bool {
        self.memory.sources.may_be_recorded()
    }

    fn are_mapped(&self) -> bool {
        self.memory.sources.are_mapped()
    }

    fn own_url(&self, url: &str) -> Option<String> {
        let sources = &self.memory.sources;
        sources.map_in_use()?.own_url(url)
    }

    fn recorded(&self, url: &str) -> Vec<Vec<u8>> {
        let sources = &self.memory.sources;
        let mut paths = sources
            .map_in_use()
            .map_or_else(Vec::new, |map| map.paths_of(url));
        if let Some(recorded) = &self.memory.recorded {
            recorded.paths_of(&self.root.directory, url, &mut paths);
        }
        paths
    }

    fn is_file(&self, path: &[u8]) -> bool {
        on_disk(path).is_some_and(|path| self.holds(path))
    }

    fn directories(&self, path: &[u8]) -> Vec<Vec<u8>> {
        let directory = path::native(path).and_then(|path| match &self.directory {
            Some(root) => root.enter(path).ok(),
            None => Directory::by_path(&self.root.directory.join(path)).ok(),
        });
        let names = directory.and_then(|directory| directory.directories().ok());
        let names = names.into_iter().flatten();
        names.map(OsString::into_encoded_bytes).collect()
    }

    fn is_still_file(&self, path: &[u8]) -> bool {
        self.is_still(path, |found| &mut found.present, || self.is_file(path))
    }

    fn is_still_nameless(&self, path: &[u8]) -> bool {
        let is_nameless = || self.known(path).is_some_and(|known| known.is_nameless());
        self.is_still(path, |found| &mut found.nameless, is_nameless)
    }

    fn known(&self, path: &[u8]) -> Option<Arc<KnownFile>> {
        if let Some(known) = self.memory.found().known.get(path) {
            return known;
        }
        let known = self.look(path).map(Arc::new);
        self.memory.found().known.insert(path, known.clone());
        known
    }
}

impl MirrorTree {
    /// Whether a path is among those of a kind that were found before, or is found now.
    fn is_still(
        &self,
        path: &[u8],
        kind: fn(&mut FoundFiles) -> &mut Recent<()>,
        is_found: impl FnOnce() -> bool,
    ) -> bool {
        if kind(&mut self.memory.found()).get(path).is_some() {
            return true;
        }
        let is_found = is_found();
        if is_found {
            kind(&mut self.memory.found()).insert(path, ());
        }
        is_found
    }

    /// Whether there is a regular file, without a symbolic link on the way that the walk would not
    /// follow.
    fn holds(&self, path: &Path) -> bool {
        match &self.directory {
            Some(directory) => directory.at(path, Directory::is_file).unwrap_or(false),
            None => self.root.directory.join(path).is_file(),
        }
    }

    fn open(&self, path: &Path) -> Option<Original> {
        match &self.directory {
            Some(directory) => read::open_beneath(directory, path).ok(),
            None => read::open(&self.root.directory.join(path)).ok(),
        }
    }

    /// Reads a file's evidence, as far as it counts. A file that cannot be read gives none.
    fn look(&self, path: &[u8]) -> Option<KnownFile> {
        let sources = &self.memory.sources;
        let below = on_disk(path)?;
        let prefix = self.root.prefix.as_ref();
        let alone = prefix.map(|prefix| [prefix, path].concat());
        let (path, name) = match &alone {
            Some(name) => (&[][..], &name[..]),
            None => (path, &[][..]),
        };
        if !self.holds(below) {
            let evidence = Some(sources.mapped(path, name)?);
            let is_there = false;
            return Some(KnownFile { is_there, evidence });
        }
        let in_file = [BaseSource::Xattr, BaseSource::Comment];
        let mut head = Vec::new();
        let mut origin = None;
        if in_file.iter().any(|&source| sources.asks_for(source))
            && let Some(original) = self.open(below)
        {
            origin = recorded::origin(sources, &original.file);
            head = read::head(&original.file, comment::HEAD);
        }
        let evidence = sources.first(&Evidence {
            path,
            name,
            xattr: origin.as_ref(),
            head: &head,
            own: None,
            is_appended: sources.are_by_wget() && shows_appended(path, |path| self.is_file(path)),
        });
        let is_there = true;
        Some(KnownFile { is_there, evidence })
    }
}
