//! How each document of a tree is read: [`Part`] may say that it is read in another way.

use std::borrow::Cow;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::recorded::Recorded;
use super::tree::FileCache;
use crate::batch::find::source;
use crate::batch::find::walk::Item;
use crate::batch::kind::format;
use crate::batch::path;
use crate::batch::plan::{Input, Part, Plan};
use abslink_html::base::retrieval::surroundings::Pinned;
use abslink_html::{MappedPrefix, Placeholders, To};

/// The plan for one file, and what is remembered for it.
#[derive(Clone)]
pub(crate) struct FilePlan<'p> {
    pub(crate) plan: &'p Plan,
    variants: &'p PlanVariants<'p>,
    pub(crate) memory: Arc<FileCache>,
    /// The files that pages name by a hash, and those of them that change.
    pub(crate) pins: &'p RunPins,
    /// Its references are written as absolute URLs, whatever the others get.
    pub(crate) is_in_full: bool,
}

/// The plan of a run or of a part, and the same for documents whose references get another form than the others.
pub(crate) struct PlanVariants<'p> {
    plan: &'p Plan,
    part: Option<&'p Part>,
    /// For feeds, whose readers do not agree on what is relative to what: absolute URLs only.
    in_full: Option<Plan>,
    /// For error pages, which a server shows at any path.
    from_root: Option<Plan>,
    /// For files whose language has placeholders of its own.
    of_pages: [(&'static [&'static str], OnceLock<Plan>, Placeholders); 2],
}

/// Razor's files, and those of ASP.NET Web Forms.
const RAZOR: &[&str] = &["cshtml", "razor", "vbhtml"];
const WEB_FORMS: &[&str] = &["aspx", "ascx", "master"];

impl<'p> PlanVariants<'p> {
    pub(crate) fn of(plan: &'p Plan, part: Option<&'p Part>) -> PlanVariants<'p> {
        let with = |to| {
            let mut plan = plan.clone();
            plan.html.to = to;
            plan
        };
        let to = plan.html.to;
        PlanVariants {
            plan,
            part,
            in_full: to.is_short().then(|| {
                let mut plan = with(To::Absolute);
                // What stands for a tree whose URL is not known is never written.
                plan.retrieval.nameless = None;
                plan
            }),
            from_root: (to == To::Relative).then(|| {
                // A second run would not know on which of two servers a path from the root was.
                let is_known = !plan.html.moves.iter().any(MappedPrefix::changes_root);
                with(if is_known { To::Root } else { To::Absolute })
            }),
            of_pages: [
                (RAZOR, OnceLock::new(), Placeholders::KeepRazor),
                (WEB_FORMS, OnceLock::new(), Placeholders::KeepWebForms),
            ],
        }
    }

    /// The plan for a file whose language, by its name, has placeholders of its own.
    fn of_page(&self, path: &Path) -> Option<&Plan> {
        let is_read = self.plan.html.placeholders == Placeholders::Resolve;
        let name = (!is_read).then(|| path::name(path))?;
        let is_named = |ending: &&str| format::is_named(name, ending);
        let (_, plan, placeholders) =
            (self.of_pages.iter()).find(|(endings, ..)| endings.iter().any(is_named))?;
        Some(plan.get_or_init(|| {
            let mut plan = self.plan.clone();
            plan.html.placeholders = *placeholders;
            plan
        }))
    }
}

/// Files below the root of the tree that pages name by a hash, and files that change.
#[derive(Default)]
pub(crate) struct RunPins {
    pub(crate) pinned: Arc<Pinned>,
    pub(crate) changed: Pinned,
}

impl<'p> FilePlan<'p> {
    /// For all files of a run or of a part.
    pub(crate) fn new(
        variants: &'p PlanVariants<'p>,
        pins: &'p RunPins,
        recorded: Option<Arc<Recorded>>,
    ) -> FilePlan<'p> {
        let plan = variants.plan;
        FilePlan {
            plan,
            variants,
            memory: Arc::new(FileCache::new(plan, recorded, Arc::clone(&pins.pinned))),
            pins,
            is_in_full: false,
        }
    }

    /// For one file: this is the plan of the run, which counts unless a part has the file.
    pub(crate) fn or_of_part(&self, parts: &[FilePlan<'p>], item: &Item<'_>) -> FilePlan<'p> {
        let path = (!parts.is_empty()).then(|| real_path(item)).flatten();
        let holds = |part: &&Part| path.as_deref().is_some_and(|path| part.holds(path));
        let has_file = |it: &&FilePlan<'_>| it.variants.part.filter(holds).is_some();
        let reading = parts.iter().find(has_file).unwrap_or(self).clone();
        let from_root = reading.variants.from_root.as_ref();
        match from_root.filter(|_| is_error_page(item)) {
            Some(plan) => FilePlan { plan, ..reading },
            None => FilePlan {
                plan: reading.variants.of_page(&item.path).unwrap_or(reading.plan),
                ..reading
            },
        }
    }

    /// The same for a document whose references are only written in full.
    pub(crate) fn in_full(&self) -> FilePlan<'p> {
        let in_full = self.variants.in_full.as_ref();
        FilePlan {
            plan: in_full.unwrap_or(self.plan),
            is_in_full: in_full.is_some(),
            ..self.clone()
        }
    }

    /// An error page, whose references become paths from the root.
    pub(crate) fn is_from_root(&self) -> bool {
        let from_root = self.variants.from_root.as_ref();
        from_root.is_some_and(|plan| std::ptr::eq(plan, self.plan))
    }

    /// The path by which the file's URL is told; `false` if it lies outside the root of its part, and so has
    /// none.
    pub(crate) fn evidence(&self, item: &Item<'_>, path: &mut Vec<u8>) -> bool {
        let Some(root) = self.variants.part.and_then(|part| part.root.as_deref()) else {
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

/// Servers show these at the path of any page that is missing.
fn is_error_page(item: &Item<'_>) -> bool {
    let names = ["404.html", "404.htm", "404/index.html"];
    let is_in_directory = matches!(item.source.input, Input::Directory(_));
    is_in_directory && names.iter().any(|name| item.relative() == Path::new(name))
}

/// The path of a file, as far as it is known without asking for each one.
fn real_path<'i>(item: &'i Item<'_>) -> Option<Cow<'i, Path>> {
    let canonical = item.source.canonical.as_deref()?;
    let relative = item.relative();
    Some(if relative.as_os_str().is_empty() {
        canonical.into()
    } else {
        canonical.join(relative).into()
    })
}
