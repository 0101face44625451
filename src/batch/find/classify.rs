//! What a file is.
//!
//! For a file that was named itself and for standard input, in this order: `--as`; the root of a feed,
//! a sitemap, OPML or an SVG image, or the beginning of a web archive; the ending of the name ([`extension`]); the first bytes
//! ([`magic`]). If these do not look like HTML either, a file is left: mail or CSV that is read as HTML is damaged. A
//! filter's input is HTML even if it has no tag at all.
//!
//! In directories the endings of `--ext` decide, and the first bytes only if these say nothing.
//! `--detect html` takes what is HTML by the MIME Sniffing Standard or by its ending; without the option, such files are
//! counted.

use std::fs::File;

use super::backup::Backup;
use super::walk::{FileKind, Item};
use crate::batch::kind::extension::{self, NameKind};
use crate::batch::kind::format::{self, Format, Kind};
use crate::batch::kind::magic;
use crate::batch::plan::{Input, Plan, PlanError};
use crate::batch::report::NotRead;
use crate::batch::{path, read, read::attributes};
use abslink_containers::{feed, message, warc};
use abslink_html::base::retrieval::xattr::ORIGIN;

/// The root of a feed has to begin within this many bytes.
pub(crate) const HEADER: usize = 64 << 10;

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It is processed as this.
    Document(Kind),
    /// It was named, and is not a document.
    Refused(NotRead),
    /// It looks like HTML, and `--detect html` would take it.
    HtmlNotTaken,
    /// It is a feed with a name that feeds have, and `--detect feeds` would take it.
    FeedNotTaken,
    /// It is a sitemap or OPML, likewise.
    ListNotTaken,
    /// It is Markdown by its name, which nobody asked for.
    MarkdownNotTaken,
    /// It would be a document if it were no backup.
    Backup(Backup),
    /// It is not what its name says, and nobody asked for it.
    NotAsNamed,
    /// It is not a document.
    Other,
}

/// How many of a file's first bytes are needed to tell what it is.
pub(crate) fn head(plan: &Plan, item: &Item<'_>) -> usize {
    let selection = &plan.selection;
    let by_name = || format::by_name(path::name(&item.path));
    let is_settled = match item.kind {
        FileKind::Document if is_listed(plan, item) => {
            let is_by_default = selection.takes_by_default(path::name(&item.path));
            !selection.detect_feeds
                && !is_by_default
                && by_name().is_some_and(|kind| kind != Kind::FEED)
        }
        // Rows may be compressed.
        FileKind::Document => {
            (selection.read_as).is_some_and(|given| !matches!(given, Kind::Rows(_)))
        }
        FileKind::Other | FileKind::Link => true,
        FileKind::Undecided | FileKind::Backup(_) => false,
    };
    let is_known = is_settled && !item.is_in_maildir;
    if is_known { 0 } else { HEADER }
}

/// What becomes of a file that begins with `head`; `file` is `None` for standard input.
pub(crate) fn of(plan: &Plan, item: &Item<'_>, file: Option<&File>, head: &[u8]) -> Verdict {
    let name = path::name(&item.path);
    let selection = &plan.selection;
    match item.kind {
        FileKind::Document if is_listed(plan, item) => listed(plan, name, head),
        FileKind::Document => match selection.read_as {
            Some(given) => Verdict::Document(given),
            None => given(plan, item.source.input, name, head),
        },
        FileKind::Undecided => match undecided(plan, name, head) {
            Verdict::HtmlNotTaken if is_saved(plan, item, file) => Verdict::Document(Kind::HTML),
            verdict => verdict,
        },
        FileKind::Backup(backup) if selection.takes_name(name) => match listed(plan, name, head) {
            Verdict::Document(_) => Verdict::Backup(backup),
            other => other,
        },
        FileKind::Backup(backup) => match nature(plan, name, head) {
            Verdict::Document(Kind::One(Format::Html(_))) => Verdict::Backup(backup),
            _ => Verdict::Other,
        },
        FileKind::Other | FileKind::Link => Verdict::Other,
    }
}

/// A file that was named itself, or standard input.
fn given(plan: &Plan, input: &Input, name: &[u8], head: &[u8]) -> Verdict {
    let is_unknown = extension::of(name).is_none() && !plan.selection.takes_name(name);
    let may_be_message = is_unknown || format::is_named(name, "txt");
    let nature = nature(plan, name, head);
    if is_unknown
        && !matches!(nature, Verdict::Document(_))
        && let Some(syntax) = magic::xhtml(head)
    {
        return Verdict::Document(Kind::One(Format::Html(syntax)));
    }
    match nature {
        Verdict::Document(_) => nature,
        _ if may_be_message && message::framing(head).is_some() => Verdict::Document(Kind::MESSAGE),
        Verdict::Refused(_) => nature,
        _ if *input == Input::Stdin => {
            if magic::is_csv(head, HEADER) {
                Verdict::Refused(NotRead::CSV)
            } else {
                Verdict::Document(Kind::HTML)
            }
        }
        _ if is_unknown && !magic::is_markup(head) => Verdict::Refused(NotRead::UNRECOGNISED),
        _ => Verdict::Document(Kind::HTML),
    }
}

/// Checks that each file is known to be something else, or says how it spells rows, if fields of rows are named.
pub(crate) fn check_rows(plan: &Plan) -> Result<(), PlanError> {
    if plan.rows.is_empty() || plan.selection.read_as.is_some() {
        return Ok(());
    }
    for input in &plan.inputs {
        // One may not be there, which is found when its turn comes.
        if let Input::File(path) = input
            && let Ok(original) = read::open(path)
            && given(
                plan,
                input,
                path::name(path),
                &read::head(&original.file, HEADER),
            ) == Verdict::Refused(NotRead::UNRECOGNISED)
        {
            return Err(PlanError::UnknownRows(path.clone()));
        }
    }
    Ok(())
}

/// A file in a directory whose ending is one of `--ext`.
fn listed(plan: &Plan, name: &[u8], head: &[u8]) -> Verdict {
    match format::by_name(name) {
        _ if plan.selection.detect_feeds && is_of_feeds(head) => Verdict::Document(Kind::FEED),
        kind if plan.selection.takes_by_default(name) => by_default(plan, kind, head),
        Some(Kind::FEED) if !is_of_feeds(head) => Verdict::Other,
        Some(kind) => Verdict::Document(kind),
        None => match (nature(plan, name, head), format::rows_by_name(name)) {
            (nature @ Verdict::Document(_), _) => nature,
            // By its root it is no image, and read as HTML it would be another document.
            _ if format::is_named(name, "svg") => Verdict::Other,
            (_, Some(rows)) => Verdict::Document(Kind::Rows(rows)),
            (Verdict::Refused(_), None) => Verdict::Other,
            _ => Verdict::Document(Kind::HTML),
        },
    }
}

/// A file whose ending nobody asked for, and says that it is of this kind. Mirroring programs keep error pages under
/// the names of what was not there.
fn by_default(plan: &Plan, kind: Option<Kind>, head: &[u8]) -> Verdict {
    match kind {
        _ if magic::is_page(head) && plan.selection.detect_html => Verdict::Document(Kind::HTML),
        _ if magic::is_page(head) => Verdict::NotAsNamed,
        Some(kind) => Verdict::Document(kind),
        None if magic::is_svg(head) => Verdict::Document(Kind::SVG),
        // Where an entity stands for the namespace, as Illustrator writes it, an image cannot be read.
        None if magic::is_svg_by_entity(head) && memchr::memmem::find(head, b"href").is_none() => {
            Verdict::Other
        }
        None => Verdict::NotAsNamed,
    }
}

/// A file in a directory whose ending is not one of `--ext`.
fn undecided(plan: &Plan, name: &[u8], head: &[u8]) -> Verdict {
    let selection = &plan.selection;
    match nature(plan, name, head) {
        _ if selection.detect_feeds && is_of_feeds(head) => Verdict::Document(Kind::FEED),
        _ if format::is_usual_for_feeds(name) && feed::is_feed(head) => Verdict::FeedNotTaken,
        _ if format::is_usual_for_lists(name) && feed::is_list(head) => Verdict::ListNotTaken,
        nature @ Verdict::Document(Kind::One(Format::Html(_))) if selection.detect_html => nature,
        Verdict::Document(Kind::One(Format::Html(_))) => Verdict::HtmlNotTaken,
        Verdict::Document(Kind::MARKDOWN) => Verdict::MarkdownNotTaken,
        _ => Verdict::Other,
    }
}

/// Whether something shows that a file was downloaded.
fn is_saved(plan: &Plan, item: &Item<'_>, file: Option<&File>) -> bool {
    let has_url = || file.is_some_and(|file| matches!(attributes::get(file, ORIGIN), Ok(Some(_))));
    plan.selection.detect_saved && (path::name(&item.path).contains(&b'?') || has_url())
}

/// What a file is by its name and its first bytes: a document, refused, or text that nothing identifies further.
fn nature(plan: &Plan, name: &[u8], head: &[u8]) -> Verdict {
    if warc::is_archive(head) {
        return Verdict::Document(Kind::Archive);
    } else if is_of_feeds(head) {
        return Verdict::Document(Kind::FEED);
    }
    // An HTML file may begin with a picture, and is one by its name.
    if magic::is_svg(head) && !matches!(extension::of(name), Some(NameKind::Ours(_))) {
        return Verdict::Document(Kind::SVG);
    }
    if !plan.rows.is_empty()
        && let Some(rows) = format::rows_by_name(name)
    {
        return Verdict::Document(Kind::Rows(rows));
    }
    // An ending that the user calls a document's cannot be that of something else.
    let is_listed = plan.selection.takes_name(name);
    let ending = extension::of(name).filter(|it| !(is_listed && matches!(it, NameKind::Other(_))));
    let by_bytes = || magic::other(head, plan.charset.as_deref());
    match ending {
        Some(NameKind::Ours(kind)) => Verdict::Document(kind),
        // The reader of feeds leaves it if it is not a feed; a long object may say so only at its end.
        None | Some(NameKind::Other(extension::JSON))
            if head.len() >= HEADER && magic::is_json_object(head) =>
        {
            Verdict::Document(Kind::FEED)
        }
        Some(NameKind::Other(what)) => {
            Verdict::Refused(magic::by_root(head).unwrap_or(what.beside(head)))
        }
        Some(NameKind::Template) => {
            by_bytes().map_or(Verdict::Document(Kind::HTML), Verdict::Refused)
        }
        None | Some(NameKind::Page | NameKind::Program(_)) if magic::is_html(head) => {
            Verdict::Document(Kind::HTML)
        }
        Some(NameKind::Program(what)) => Verdict::Refused(what.beside(head)),
        None | Some(NameKind::Page) => by_bytes().map_or(Verdict::Other, Verdict::Refused),
    }
}

/// Whether a file is in a directory PATH, where names and first bytes decide.
fn is_listed(plan: &Plan, item: &Item<'_>) -> bool {
    matches!(item.source.input, Input::Directory(_)) && !plan.has_one_kind
}

/// Whether nobody asked for a file: it is in a directory, and has an ending that is only taken by default.
pub(crate) fn is_by_default(plan: &Plan, item: &Item<'_>) -> bool {
    is_listed(plan, item) && plan.selection.takes_by_default(path::name(&item.path))
}

/// Whether the root element in the first bytes of a file is a feed's, a sitemap's or OPML's.
fn is_of_feeds(head: &[u8]) -> bool {
    let head = &head[..head.len().min(HEADER)];
    feed::is_feed(head) || feed::is_list(head)
}
