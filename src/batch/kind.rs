//! What a file is: `--as`, then an ending that is known, then the first bytes, else HTML.
//!
//! `--as` is for files that are named themselves and for standard input. In directories
//! `--detect-feeds` lets the first bytes count more than the name, and a file with the ending of a
//! feed is no document if the first bytes are none of a feed's.

use super::format::{Kind, ReadAs, by_name, is_usual_for_feeds};
use super::plan::{Input, Plan};
use super::walk::{FileKind, Item};
use super::{path, sniff};

/// How many of the first bytes of a file are needed to tell what it is.
pub(super) fn head(plan: &Plan, item: &Item<'_>) -> usize {
    let name = path::name(&item.path);
    let named = given(plan, item).or_else(|| by_name(name));
    let is_document = item.kind == FileKind::Document;
    let is_in_directory = matches!(item.source.input, Input::Directory(_));
    let may_be_feed = plan.selection.detect_feeds
        || named == Some(Kind::FEED)
        || !is_document && is_usual_for_feeds(name);
    match named {
        _ if is_in_directory && may_be_feed => sniff::FEED_HEADER,
        _ if is_in_directory && !is_document => sniff::HEADER,
        Some(_) => 0,
        None => sniff::FEED_HEADER,
    }
}

/// What a file is, whose first bytes are those; `None` if it is no document.
pub(super) fn of(plan: &Plan, item: &Item<'_>, head: &[u8]) -> Option<Kind> {
    let named = given(plan, item).or_else(|| by_name(path::name(&item.path)));
    let is_detected = item.kind == FileKind::Detect;
    let is_in_directory = matches!(item.source.input, Input::Directory(_));
    let is_feed = || sniff::is_feed(head);
    match named {
        _ if is_in_directory && plan.selection.detect_feeds && is_feed() => Some(Kind::FEED),
        Some(Kind::FEED) if is_in_directory && !is_detected => is_feed().then_some(Kind::FEED),
        _ if is_detected => {
            let is_html = plan.selection.detect_html && sniff::is_html(head);
            is_html.then_some(named.unwrap_or(Kind::HTML))
        }
        Some(kind) => Some(kind),
        None if sniff::is_archive(head) => Some(Kind::Archive),
        // As HTML its strings would be taken for markup; as a feed it is left if it is none.
        None if is_feed() || sniff::may_be_json_feed(head) => Some(Kind::FEED),
        None => Some(Kind::HTML),
    }
}

/// What `--as` says that a file is.
fn given(plan: &Plan, item: &Item<'_>) -> Option<Kind> {
    if matches!(item.source.input, Input::Directory(_)) {
        return None;
    }
    plan.selection.read_as.map(|given| match given {
        ReadAs::Html => Kind::HTML,
        ReadAs::Xhtml => Kind::XHTML,
        ReadAs::Message => Kind::MESSAGE,
        ReadAs::Feed => Kind::FEED,
        ReadAs::Warc => Kind::Archive,
        ReadAs::Css => Kind::STYLE_SHEET,
    })
}
