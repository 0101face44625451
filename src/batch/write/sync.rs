//! Many files reach the disk at once.
//!
//! Waiting for the disk with each file takes far longer than writing it. So many files are written, one
//! call writes all of them to the disk, and only then does each take its place; one more call, and
//! the names are there as well. Whatever the moment at which the power fails, each place has the old
//! contents or all of the new ones.

use std::collections::BTreeMap;
use std::io;
use std::rc::Rc;

use super::system::{Folder, Temporary as _};
use super::{FolderHere, Prepared};

/// The contents of all of these reach the disk. Returns what became of each.
pub(crate) fn contents<'p>(prepared: impl Iterator<Item = &'p Prepared>) -> Vec<io::Result<()>> {
    let prepared: Vec<&Prepared> = prepared.collect();
    let folders = prepared.iter().map(|prepared| &*prepared.folder);
    each_or_at_once(
        folders,
        // The first is the oldest, and learns of every failure since it was made.
        |first| prepared[first].temporary.sync_file_system(),
        |nth| prepared[nth].temporary.file().sync_all(),
    )
}

/// The names that were given in all of these folders reach the disk. Returns what became of each.
pub(crate) fn names(folders: &[Rc<FolderHere>]) -> Vec<io::Result<()>> {
    each_or_at_once(
        folders.iter().map(|folder| &**folder),
        |first| folders[first].sync_file_system(),
        |nth| folders[nth].sync_names(),
    )
}

/// Those in a file system that is synced at once, if there are several, with one call; if that fails,
/// and where there is no such call, each by itself.
fn each_or_at_once<'f>(
    folders: impl Iterator<Item = &'f FolderHere>,
    at_once: impl Fn(usize) -> io::Result<()>,
    each: impl Fn(usize) -> io::Result<()>,
) -> Vec<io::Result<()>> {
    let mut systems = BTreeMap::<_, Vec<usize>>::new();
    let mut results = Vec::new();
    for (nth, folder) in folders.enumerate() {
        systems
            .entry(folder.synced_at_once())
            .or_default()
            .push(nth);
        results.push(Ok(()));
    }
    for (system, members) in systems {
        let is_done = system.is_some() && members.len() > 1 && at_once(members[0]).is_ok();
        for nth in members.into_iter().filter(|_| !is_done) {
            results[nth] = each(nth);
        }
    }
    results
}
