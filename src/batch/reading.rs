//! How each document of a tree is read: [`Part`] may say that it is read in another way.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use super::plan::{Part, Plan};
use super::source;
use super::tree::Memory;
use super::walk::Item;

/// How a document is read.
#[derive(Clone)]
pub(super) struct Reading<'p> {
    pub(super) plan: &'p Plan,
    /// The part that it is in.
    pub(super) part: Option<&'p Part>,
    pub(super) memory: Arc<Memory>,
}

impl<'p> Reading<'p> {
    pub(super) fn new(plan: &'p Plan, part: Option<&'p Part>) -> Reading<'p> {
        let plan = part.map_or(plan, |part| &part.plan);
        Reading {
            plan,
            part,
            memory: Arc::new(Memory::new(plan)),
        }
    }

    /// Whether a file is in the part.
    fn holds(&self, path: &Path) -> bool {
        self.part.is_some_and(|part| part.holds(path))
    }

    /// The path by which the file's URL is told; `false` if it lies outside the root of its part, and so has
    /// none.
    pub(super) fn evidence(&self, item: &Item<'_>, path: &mut Vec<u8>) -> bool {
        let Some(root) = self.part.and_then(|part| part.root.as_deref()) else {
            item.source.evidence(item.relative(), path);
            return true;
        };
        path.clear();
        let real = real_path(item);
        let below = real
            .as_deref()
            .and_then(|real| real.strip_prefix(root).ok());
        below
            .map(|below| source::push_components(path, below))
            .is_some()
    }
}

/// How the documents of a run are read.
pub(super) struct Readings<'p> {
    whole: Reading<'p>,
    parts: Vec<Reading<'p>>,
}

impl<'p> Readings<'p> {
    pub(super) fn new(plan: &'p Plan) -> Readings<'p> {
        let parts = plan.parts.iter();
        Readings {
            whole: Reading::new(plan, None),
            parts: parts.map(|part| Reading::new(plan, Some(part))).collect(),
        }
    }

    /// How a file is read, if there is more than one way.
    pub(super) fn of(&self, item: &Item<'_>) -> Option<&Reading<'p>> {
        if self.parts.is_empty() {
            return None;
        }
        let path = real_path(item);
        let holds = |part: &&Reading<'_>| path.as_deref().is_some_and(|path| part.holds(path));
        Some(self.parts.iter().find(holds).unwrap_or(&self.whole))
    }

    pub(super) fn whole(&self) -> Reading<'p> {
        self.whole.clone()
    }
}

/// The path of a file, as far as it is known without asking for each one.
fn real_path<'i>(item: &'i Item<'_>) -> Option<Cow<'i, Path>> {
    let canonical = item.source.canonical.as_deref()?;
    let relative = item.relative();
    Some(match relative.as_os_str().is_empty() {
        true => canonical.into(),
        false => canonical.join(relative).into(),
    })
}
