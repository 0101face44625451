//! Finds files: every input in the order given, directories by name, one entry at a time.
//!
//! Only the names in open directories are held, because they have to be sorted.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use walkdir::{DirEntry, WalkDir};

use super::backup::{self, Backup, Siblings};
use super::ignored::Ignored;
use super::source::Source;
use super::{maildir, saved};
use crate::batch::kind::{extension, format};
use crate::batch::plan::glob::{self, UsedGlobs};
use crate::batch::plan::{Input, Plan};
use crate::batch::read::beneath::Directory;
use crate::batch::read::{Opener, Original, irregular};
use crate::batch::report::{FileError, Note, NoteKind, Observer, Problem, Report};
use crate::batch::{path, temporary};

/// What the walk finds.
#[derive(Debug)]
pub(crate) enum Visit<'p> {
    /// A file to process.
    Item(Item<'p>),
    /// Something that cannot be processed.
    Failed(Problem),
    /// A temporary file that a killed run may have left.
    Leftover(&'p Source<'p>, PathBuf),
    /// Something that is not processed, but is worth a note.
    Skipped(Note),
}

/// A file to process.
#[derive(Debug)]
pub(crate) struct Item<'p> {
    /// The input that it belongs to.
    pub(crate) source: &'p Source<'p>,
    /// The directory PATH that it is below and is opened from; `None` for a file PATH, and if links
    /// are followed.
    pub(crate) root: Option<Arc<Directory>>,
    /// Its path, as the user would name it.
    pub(crate) path: PathBuf,
    /// What is known about it by its name.
    pub(crate) kind: FileKind,
    /// Whether it is in a Maildir, so that it is a message if its bytes are one's.
    pub(crate) is_in_maildir: bool,
    /// Whether a browser has saved it with a page, so that it is copied with that.
    pub(crate) goes_along: bool,
}

/// What is known about a file by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileKind {
    /// It is a document.
    Document,
    /// Its first bytes decide whether it is a document, or looks like one and is counted.
    Undecided,
    /// It is a backup. If it would be a document otherwise, it is named.
    Backup(Backup),
    /// It is not a document, and is copied.
    Other,
    /// It is a symbolic link, and is copied as a link.
    Link,
}

impl Item<'_> {
    /// Its path below the input; empty if it is the input.
    pub(crate) fn relative(&self) -> &Path {
        relative(self.source, &self.path)
    }

    /// Opens it, if it is a regular file.
    pub(crate) fn open(&self, opener: &mut Opener) -> Result<Original, FileError> {
        let root = self.root.as_ref();
        opener.open(root, root.map_or(&*self.path, |_| self.relative()))
    }

    /// The text of a symbolic link that the walk did not follow.
    pub(crate) fn read_link(&self, opener: &mut Opener) -> Result<PathBuf, FileError> {
        opener.read_link(self.root.as_ref(), self.relative())
    }
}

fn relative<'a>(source: &Source<'_>, path: &'a Path) -> &'a Path {
    path::below(source.path(), path)
}

/// A directory PATH that the walk is in.
struct Entries<'p> {
    source: &'p Source<'p>,
    /// The directory itself, unless links are followed.
    root: Option<Arc<Directory>>,
    /// Its path from the root of the file system, if patterns are compared with that.
    absolute: Option<PathBuf>,
    entries: walkdir::IntoIter,
    /// Whether a document was met.
    has_document: bool,
    /// The symbolic links that were met before, to directories or with a document's name.
    links: u64,
}

/// The walk. It ends early when [`Observer::stop_requested`] says so.
pub(crate) struct Walk<'p> {
    plan: &'p Plan,
    observer: &'p dyn Observer,
    sources: std::slice::Iter<'p, Source<'p>>,
    directory: Option<Entries<'p>>,
    siblings: Siblings,
    maildir: maildir::MailFolders,
    include: UsedGlobs<'p>,
    exclude: UsedGlobs<'p>,
    /// What `.gitignore` and `.ignore` leave out, if that is asked for.
    ignored: Option<Ignored>,
    /// The symbolic links in each PATH that has no document but behind them.
    unfollowed: u64,
    /// The output directory, resolved, if a symbolic link might lead into it.
    output: Option<PathBuf>,
    /// The depth of the folder that the walk is in, if that was saved with a page and is copied.
    saved: Option<usize>,
}

impl<'p> Walk<'p> {
    /// `output` is the output directory with every symbolic link resolved, if there is one.
    pub(crate) fn new(
        plan: &'p Plan,
        sources: &'p [Source<'p>],
        output: Option<PathBuf>,
        observer: &'p dyn Observer,
    ) -> Self {
        Walk {
            plan,
            observer,
            sources: sources.iter(),
            directory: None,
            siblings: Siblings::default(),
            maildir: maildir::MailFolders::default(),
            include: UsedGlobs::new(&plan.selection.include),
            exclude: UsedGlobs::new(&plan.selection.exclude),
            ignored: plan.selection.gitignore.then(Ignored::default),
            unfollowed: 0,
            output: output.filter(|_| plan.selection.follow_links),
            saved: None,
        }
    }

    /// Reports what was left out, and the patterns that have matched nothing.
    pub(crate) fn finish(self, report: &mut Report) {
        report.useless_includes = self.include.useless();
        report.useless_excludes = self.exclude.useless();
        report.ignored = self.ignored.map_or(0, |ignored| ignored.count);
        report.links_not_followed = self.unfollowed;
    }

    /// Counts a symbolic link that may lead to documents.
    fn count_link(&mut self, entry: &DirEntry) {
        let selection = &self.plan.selection;
        let is_candidate = || {
            let is_directory = || entry.path().metadata().is_ok_and(|found| found.is_dir());
            selection.takes_name(path::name(entry.path())) || is_directory()
        };
        if let Some(directory) = (self.directory.as_mut()).filter(|it| !it.has_document) {
            directory.links += u64::from(is_candidate());
        }
    }

    /// Whether `.gitignore` or `.ignore` leaves something out.
    fn is_ignored(&mut self, source: &Source<'_>, entry: &DirEntry) -> bool {
        let Some(ignored) = self.ignored.as_mut().filter(|_| entry.depth() > 0) else {
            return false;
        };
        let relative = relative(source, entry.path());
        ignored.is_match(entry.depth(), relative, entry.file_type().is_dir())
    }

    /// Whether the patterns let a file in. Both are always tried, so that it is known which have
    /// matched.
    fn lets_in(&mut self, relative: &Path) -> bool {
        let absolute = self.absolute(relative);
        let is_included = self.include.is_match(relative, absolute.as_deref())
            || self.plan.selection.include.is_empty();
        let is_excluded = self.exclude.is_match(relative, absolute.as_deref());
        is_included && !is_excluded
    }

    /// The path of something below PATH from the root of the file system, if patterns are compared with that.
    fn absolute(&self, relative: &Path) -> Option<PathBuf> {
        let absolute = self.directory.as_ref()?.absolute.as_ref();
        absolute.map(|absolute| absolute.join(relative))
    }

    /// Begins with an input: a directory PATH, or a single file.
    fn begin(&mut self, source: &'p Source<'p>) -> Option<Visit<'p>> {
        let Input::Directory(path) = source.input else {
            let canonical = source.canonical.as_deref().unwrap_or(source.path());
            return Some(Visit::Item(Item {
                source,
                root: None,
                path: source.path().to_owned(),
                kind: FileKind::Document,
                is_in_maildir: self.maildir.hold(canonical, true),
                goes_along: false,
            }));
        };
        let begun = (self.ignored.as_mut()).map_or(Ok(()), |ignored| ignored.begin(path));
        if let Err(problem) = begun {
            return Some(Visit::Failed(problem));
        }
        match self.entries(source, path) {
            Ok(entries) => {
                self.directory = Some(entries);
                None
            }
            Err(error) => Some(Visit::Failed(Problem {
                path: path.clone(),
                error: FileError::Walk(error),
            })),
        }
    }

    /// What is in a directory PATH.
    fn entries(&self, source: &'p Source<'p>, path: &Path) -> io::Result<Entries<'p>> {
        let follow_links = self.plan.selection.follow_links;
        let root = if follow_links {
            None
        } else {
            Some(Arc::new(Directory::by_path(path)?))
        };
        let entries = WalkDir::new(path)
            .follow_links(follow_links)
            // By name: in one directory, nothing else differs.
            .sort_by(|one, other| one.path().as_os_str().cmp(other.path().as_os_str()));
        let selection = &self.plan.selection;
        let has_absolute = selection.include.has_absolute() || selection.exclude.has_absolute();
        Ok(Entries {
            source,
            root,
            absolute: has_absolute.then(|| glob::absolute(path)),
            entries: entries.into_iter(),
            has_document: false,
            links: 0,
        })
    }

    /// Whether a directory must not be entered.
    fn keeps_out(&mut self, source: &Source<'_>, directory: &DirEntry) -> bool {
        let relative = relative(source, directory.path());
        let absolute = self.absolute(relative);
        directory.depth() > 0
            && (self.exclude.is_match(relative, absolute.as_deref())
                || self.is_ignored(source, directory))
    }

    /// Whether a directory is reached through a symbolic link that leads to the output.
    fn leads_to_output(&self, directory: &DirEntry) -> bool {
        match &self.output {
            Some(output) if directory.path_is_symlink() => directory
                .path()
                .canonicalize()
                .is_ok_and(|path| path.starts_with(output)),
            _ => false,
        }
    }

    /// Why a directory cannot be reached from PATH without following a link. It was listed by its path:
    /// what a link has been put in its place for is not what the user named.
    fn swapped(&self, source: &Source<'_>, directory: &DirEntry) -> Option<io::Error> {
        let root = self.directory.as_ref()?.root.as_ref()?;
        let below = (directory.depth() > 0).then(|| relative(source, directory.path()))?;
        root.enter(below).err()
    }

    /// Enters a directory, unless it must not be entered.
    fn enter(&mut self, source: &'p Source<'p>, directory: DirEntry) -> Option<Visit<'p>> {
        let error = if self.keeps_out(source, &directory) {
            None
        } else if self.leads_to_output(&directory) {
            Some(FileError::LinkToOutput)
        } else if let Some(error) = self.swapped(source, &directory) {
            Some(FileError::Walk(error))
        } else {
            let problem = self.read_rules(source, &directory)?;
            self.skip_directory();
            return Some(Visit::Failed(problem));
        };
        self.skip_directory();
        let path = directory.into_path();
        error.map(|error| Visit::Failed(Problem { path, error }))
    }

    fn skip_directory(&mut self) {
        if let Some(inside) = &mut self.directory {
            inside.entries.skip_current_dir();
        }
    }

    /// Begins a directory: what its names and its files of patterns say counts for what is in it. If its patterns
    /// cannot be read, nothing in it is taken.
    fn read_rules(&mut self, source: &Source<'_>, directory: &DirEntry) -> Option<Problem> {
        let (depth, path) = (directory.depth(), directory.path());
        self.siblings.enter(depth + 1);
        let may_be_saved = self.saved.is_none() && saved::are_copied(self.plan);
        if may_be_saved && saved::is_folder(path) {
            self.saved = Some(depth);
        }
        let ignored = self.ignored.as_mut()?;
        let mut problem = ignored.enter(depth, relative(source, path)).err()?;
        problem.path = path.join(problem.path.file_name().unwrap_or_default());
        Some(problem)
    }

    /// Decides what to do with something that is not a directory.
    fn met(&mut self, source: &'p Source<'p>, entry: DirEntry) -> Option<Visit<'p>> {
        let file_type = entry.file_type();
        let name = path::name(entry.path());
        if temporary::is_temporary(name) {
            let is_leftover = file_type.is_file();
            return is_leftover.then(|| Visit::Leftover(source, entry.into_path()));
        }
        // This comes before anything is left out: what is left out may have backups too.
        let beside = (self.siblings).come_to(entry.depth(), name, file_type.is_file());
        let backup = beside.backup(name, self.plan, || backup::is_marked(entry.path()));
        if !self.lets_in(relative(source, entry.path()))
            || self.plan.selection.is_own(entry.path())
            || self.is_ignored(source, &entry)
        {
            return None;
        }
        if file_type.is_symlink() {
            self.count_link(&entry);
            // PATH itself may be a link, and is followed.
            let is_copied = self.plan.copies_others() && entry.depth() > 0;
            return is_copied.then(|| self.item(source, entry, FileKind::Link, false));
        }
        let follow_links = self.plan.selection.follow_links;
        let is_in_maildir =
            entry.depth() > 1 && backup.is_none() && self.maildir.hold(entry.path(), follow_links);
        let kind = match kind_by_name(self.plan, name, backup) {
            None if is_in_maildir => FileKind::Undecided,
            kind => kind.or(self.saved.map(|_| FileKind::Other))?,
        };
        let selection = &self.plan.selection;
        if kind == FileKind::Document
            || kind == FileKind::Undecided
                && (is_in_maildir || selection.detect_html || selection.detect_feeds)
        {
            self.directory
                .iter_mut()
                .for_each(|it| it.has_document = true);
        }
        match irregular(file_type) {
            None => Some(self.item(source, entry, kind, is_in_maildir)),
            Some(what) => (kind == FileKind::Document).then(|| {
                let (path, what) = (entry.into_path(), NoteKind::NotRegular(what));
                Visit::Skipped(Note { path, what })
            }),
        }
    }

    fn item(
        &self,
        source: &'p Source<'p>,
        entry: DirEntry,
        kind: FileKind,
        is_in_maildir: bool,
    ) -> Visit<'p> {
        Visit::Item(Item {
            source,
            root: (self.directory.as_ref()).and_then(|directory| directory.root.clone()),
            path: entry.into_path(),
            kind,
            is_in_maildir,
            goes_along: self.saved.is_some(),
        })
    }
}

/// What the name of a file says about it, and whether it is a backup; `None` if there is nothing
/// to do with it.
fn kind_by_name(plan: &Plan, name: &[u8], backup: Option<Backup>) -> Option<FileKind> {
    let other = || plan.copies_others().then_some(FileKind::Other);
    let selection = &plan.selection;
    let is_of_others = || extension::is_of_others(name);
    let is_looked_for = selection.detect_html && !is_of_others();
    let has_usual_name = || format::is_usual_for_feeds(name) || format::is_usual_for_lists(name);
    match backup {
        Some(backup) if is_looked_for || selection.takes_name(name) => {
            Some(FileKind::Backup(backup))
        }
        Some(backup @ (Backup::Original | Backup::Likely)) if !is_of_others() => {
            Some(FileKind::Backup(backup))
        }
        Some(_) => other(),
        None if selection.takes_name(name) => Some(FileKind::Document),
        None if selection.detect_feeds || has_usual_name() || !is_of_others() => {
            Some(FileKind::Undecided)
        }
        None => other(),
    }
}

impl<'p> Iterator for Walk<'p> {
    type Item = Visit<'p>;

    fn next(&mut self) -> Option<Visit<'p>> {
        while !self.observer.stop_requested() {
            let found = match &mut self.directory {
                None => {
                    let source = self.sources.next()?;
                    self.begin(source)
                }
                Some(directory) => {
                    let source = directory.source;
                    match directory.entries.next() {
                        None => {
                            if !directory.has_document {
                                self.unfollowed += directory.links;
                            }
                            (self.directory, self.saved) = (None, None);
                            None
                        }
                        Some(Err(error)) => Some(failed(source, error)),
                        Some(Ok(entry)) => {
                            self.saved.take_if(|depth| entry.depth() <= *depth);
                            if entry.file_type().is_dir() {
                                self.enter(source, entry)
                            } else {
                                self.met(source, entry)
                            }
                        }
                    }
                }
            };
            if found.is_some() {
                return found;
            }
        }
        None
    }
}

fn failed<'p>(source: &Source<'_>, error: walkdir::Error) -> Visit<'p> {
    let path = error.path().unwrap_or(source.path()).to_owned();
    let error = match error.loop_ancestor().map(Path::to_owned) {
        Some(ancestor) => FileError::LinkLoop(ancestor),
        // Without the surrounding text, which would name the path again.
        None => FileError::Walk(
            error
                .into_io_error()
                .unwrap_or_else(|| io::ErrorKind::Other.into()),
        ),
    };
    Visit::Failed(Problem { path, error })
}
