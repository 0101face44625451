//! What is known about a document's base URL from outside its content: RFC 1808 §3.3, with the
//! files and attributes that it is read from.

use std::ffi::OsStr;
use std::path::Path;

use super::per_file::{FilePlan, RunPins};
use super::{recorded, tree};
use crate::batch::find::source::Source;
use crate::batch::find::walk::Item;
use crate::batch::path;
use crate::batch::plan::{Input, Plan};
use crate::batch::read::Original;
use crate::batch::report::{FirstPaths, Level, NoHost, Note, NoteKind, Observer};
use abslink_html::BaseSource;
use abslink_html::base::Context;
use abslink_html::base::retrieval::url_evidence::{Caveat, UrlEvidence};
use abslink_html::base::retrieval::{Evidence, Layout, comment, url_map};

/// The base URL and encoding that are known from outside a document. `bytes` is all of it, or its beginning; `own` is
/// the URL that it says it has, `is_mail` whether it is a message of a Maildir, and `path` memory for its path.
pub(crate) fn context(
    reading: &FilePlan<'_>,
    item: &Item<'_>,
    original: Option<&Original>,
    bytes: &[u8],
    own: Option<&str>,
    is_mail: bool,
    path: &mut Vec<u8>,
) -> Context {
    let FilePlan { plan, memory, .. } = reading;
    let has_place = reading.evidence(item, path);
    let name = item.path.as_os_str().as_encoded_bytes();
    let sources = plan.sources();
    let origin = original.and_then(|original| recorded::origin(&sources, &original.file));
    let is_tree = matches!(sources.layout, Some(Layout::Tree(_)));
    let path: &[u8] = if is_mail && is_tree && sources.mapped(path, name).is_none() {
        // As in an mbox: in a Maildir, directories are states and folders.
        b""
    } else {
        path
    };
    let evidence = Evidence {
        path,
        name: name.strip_prefix(b"./").unwrap_or(name),
        xattr: origin.as_ref(),
        head: &bytes[..bytes.len().min(comment::HEAD)],
        own,
        is_appended: sources.are_by_wget() && tree::is_appended(item),
    };
    let mut context = Context::default();
    context.charset.clone_from(&plan.charset);
    if !has_place {
        return context;
    }
    let first = sources.first(&evidence);
    context.retrieval = first.as_ref().and_then(UrlEvidence::retrieval);
    context.assumes_scheme = first.is_some_and(|first| first.caveats.contains(&Caveat::Scheme));
    context.checkout.clone_from(&memory.checkout);
    context = context.unwrapped(&plan.html);
    if sources.complete {
        context.evidence = sources.all(&evidence);
    }
    // The index that HTTrack makes of a mirror, at the top of PATH.
    context.stays_without_base = context.retrieval.is_none()
        && item.relative() == Path::new("index.html")
        && comment::is_index_of_httrack(evidence.head);
    tree::around(plan, item, &evidence, &mut context, memory);
    tree::saved_with(plan, item, &evidence, &mut context, memory);
    context
}

/// The document that was done last has no base URL: records what its path lacks, if the layout
/// expects a host in it.
pub(crate) fn without_host(
    reading: &FilePlan<'_>,
    item: &Item<'_>,
    path: &mut Vec<u8>,
) -> Option<NoHost> {
    let plan = reading.plan;
    let sources = &plan.retrieval;
    let layout = (sources.layout.as_ref()).filter(|layout| layout.has_hosts())?;
    if !sources.asks_for(BaseSource::Layout) {
        return None;
    }
    reading.evidence(item, path);
    let path = String::from_utf8_lossy(path);
    let mut directories: Vec<&str> = path.split('/').collect();
    directories.pop();
    // The host is below these.
    let holding = directories.iter().take_while(|it| layout.holds_hosts(it));
    directories.drain(..holding.count().min(1));
    let (root, canonical) = match &plan.root {
        Some(root) => (root.as_path(), root.canonicalize().ok()),
        None => (item.source.path(), item.source.canonical.clone()),
    };
    let root_name = canonical.as_deref().and_then(Path::file_name);
    let root_name = root_name.and_then(OsStr::to_str);
    let is_host = |name: &str| layout.is_host(name);
    let level = if root_name.is_some_and(is_host) {
        Level::Above
    } else if directories.get(1).copied().is_some_and(is_host) {
        Level::Below
    } else {
        Level::Unknown
    };
    Some(NoHost {
        directory: directories.first().map(|&directory| directory.to_owned()),
        path: item.path.clone(),
        root: root.to_owned(),
        level,
        documents: 1,
    })
}

/// At most this many missing files are named; one more line in the summary says how many there are.
const NAMED: u64 = 10;

/// Reports the files for which the order of the map's lines decided.
pub(crate) fn guessed(plan: &Plan, observer: &dyn Observer) {
    let guessed = plan.retrieval.map.as_deref().map(url_map::guessed);
    for path in guessed.unwrap_or_default().into_iter().take(NAMED as usize) {
        note(&path, NoteKind::MappedGuess, observer);
    }
}

/// Reports something about a path of the map, as far as it can be shown.
fn note(path: &[u8], what: NoteKind, observer: &dyn Observer) {
    let lossy = || String::from_utf8_lossy(path).as_ref().into();
    let path = path::native(path).map_or_else(lossy, Path::to_owned);
    observer.note(&Note { path, what });
}

/// The files that pages name by a hash and that changed.
pub(crate) fn broken_pins(pins: &RunPins) -> FirstPaths {
    let mut broken = FirstPaths::default();
    let changed = pins.changed.take().into_iter();
    for path in changed.filter(|path| pins.pinned.holds(path)) {
        broken.count(Path::new(&*String::from_utf8_lossy(&path)));
    }
    broken
}

/// Reports the lines of the map whose files are not there, and counts them.
pub(crate) fn missing(plan: &Plan, sources: &[Source<'_>], observer: &dyn Observer) -> u64 {
    let Some(map) = &plan.retrieval.map else {
        return 0;
    };
    let mut roots: Vec<&Path> = plan.root.as_deref().into_iter().collect();
    if roots.is_empty() {
        roots.extend(sources.iter().map(|source| match source.input {
            Input::Directory(root) => root,
            Input::File(_) | Input::Stdin => Path::new(""),
        }));
    }
    let mut missing = 0;
    for path in url_map::unasked(map) {
        // The map may name files outside PATH too. None is opened.
        let is_there = |path: &Path| roots.iter().any(|root| root.join(path).exists());
        let mut names = url_map::names(map, path).into_iter();
        if names.any(|name| path::native(&name).is_some_and(is_there)) {
            continue;
        }
        missing += 1;
        if missing <= NAMED {
            note(path, NoteKind::MappedMissing, observer);
        }
    }
    missing
}
