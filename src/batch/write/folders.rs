//! The folders that files go to, held open.

use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::{Folder, FolderHere, PublishError};
use crate::batch::plan::Fsync;

/// The folder used last, which is most often the one used next.
#[derive(Debug)]
pub(crate) struct Folders<'r, F: Folder = FolderHere> {
    fsync: Fsync,
    /// The output directory, if there is one.
    output: Option<&'r F::Root>,
    /// The input directory that was used last.
    input: Option<(PathBuf, F::Root)>,
    /// With its input directory (`None` for the output directory), and its path below that.
    last: Option<(Option<PathBuf>, PathBuf, Rc<F>)>,
    /// Folders above the last one in which leftovers were looked for.
    cleaned: Vec<PathBuf>,
}

impl<'r, F: Folder> Folders<'r, F> {
    /// `fsync`: when what is written reaches the disk.
    pub(crate) fn new(output: Option<&'r F::Root>, fsync: Fsync) -> Self {
        Folders {
            fsync,
            output,
            input: None,
            last: None,
            cleaned: Vec::new(),
        }
    }

    /// The folder at `below` in the output directory; what is missing there is made, with the `mode`
    /// for its path.
    pub(crate) fn make(&mut self, below: &Path, mode: &dyn Fn(&Path) -> u32) -> io::Result<&Rc<F>> {
        self.in_output(below, |output, fsync| F::make(output, below, fsync, mode))
    }

    /// The folder at `below` in the output directory, if both are there.
    pub(crate) fn find(&mut self, below: &Path) -> io::Result<&Rc<F>> {
        self.in_output(below, |output, fsync| F::open(output, below, fsync))
    }

    /// Puts what waits in the folder used last in its place.
    pub(crate) fn finish(&self) -> Result<(), PublishError> {
        (self.last.as_ref()).map_or(Ok(()), |(_, _, folder)| folder.finish())
    }

    fn in_output(
        &mut self,
        below: &Path,
        open: impl FnOnce(&F::Root, Fsync) -> io::Result<F>,
    ) -> io::Result<&Rc<F>> {
        let (output, fsync) = (self.output, self.fsync);
        self.get(None, below, |_| {
            open(output.ok_or(io::ErrorKind::NotFound)?, fsync)
        })
    }

    /// The folder at `below` under `root`.
    pub(crate) fn open(&mut self, root: &Path, below: &Path) -> io::Result<&Rc<F>> {
        let fsync = self.fsync;
        self.get(Some(root), below, |input| {
            let held = match input.take() {
                Some(held) if is_spelled(&held.0, root) => held,
                _ => (root.to_owned(), F::root(root)?),
            };
            F::open(&input.insert(held).1, below, fsync)
        })
    }

    fn get(
        &mut self,
        root: Option<&Path>,
        below: &Path,
        open: impl FnOnce(&mut Option<(PathBuf, F::Root)>) -> io::Result<F>,
    ) -> io::Result<&Rc<F>> {
        let is_root = |last: &Option<PathBuf>| match (last, root) {
            (Some(last), Some(root)) => is_spelled(last, root),
            (last, root) => last.is_none() && root.is_none(),
        };
        let last = match self.last.take() {
            Some(last) if is_spelled(&last.1, below) && is_root(&last.0) => last,
            last => {
                let path_of =
                    |root: Option<&Path>, below: &Path| root.unwrap_or(Path::new("")).join(below);
                if let Some((root, below, _)) = last.filter(|(_, _, folder)| folder.cleaned().get())
                {
                    self.cleaned.push(path_of(root.as_deref(), &below));
                }
                let path = path_of(root, below);
                self.cleaned.retain(|above| path.starts_with(above));
                let folder = open(&mut self.input)?;
                folder.cleaned().set(self.cleaned.contains(&path));
                (root.map(Path::to_owned), below.to_owned(), Rc::new(folder))
            }
        };
        Ok(&self.last.insert(last).2)
    }
}

/// Whether two paths are spelled the same; comparing their components takes far longer.
fn is_spelled(path: &Path, other: &Path) -> bool {
    path.as_os_str() == other.as_os_str()
}
