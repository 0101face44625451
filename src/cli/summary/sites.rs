//! What is said at the end of a run about sites that move, are mirrored, or become relative.

use abslink_html::To;
use abslink_html::base::retrieval::Layout;
use abslink_html::base::retrieval::mirror::ConvertedLinks;

use super::notice::{Notice, said};
use super::passed_over::with_first;
use crate::batch::{FirstPaths, Input, Output, Task};
use crate::cli::args::Fact;
use crate::cli::run::end::RunEnd;
use crate::cli::run::mirror::{has_links_to_index, port};
use crate::cli::terminal::passwords::masked;
use crate::cli::terminal::print::{MessageLevel, OneLine, PathLine, counted, list};

pub(super) fn feeds_left(end: &RunEnd) -> Option<Notice> {
    let feeds = end.report.feeds_left;
    let text = counted(
        feeds,
        "left # feed[|s] unchanged: relative links, but no base URL",
    )?;
    let text = with_first(&text, feeds, &end.report.feed_left);
    Some(Notice::note(text).with_fact(Fact::FeedWithoutUrl))
}

fn changed(end: &RunEnd) -> &'static str {
    if matches!(end.plan.task, Task::Rewrite(_)) {
        "changed"
    } else {
        "would change"
    }
}

pub(super) fn broken_integrity(end: &RunEnd) -> Option<Notice> {
    let FirstPaths { number, paths } = &end.report.broken_pins;
    let names = paths.iter().map(|path| PathLine(path).to_string());
    let more = (*number > paths.len() as u64).then(|| "…".to_owned());
    let (names, changed) = (list(names.chain(more)), changed(end));
    let text = format!(
        "# file[|s] {changed} that pages check with integrity=; browsers will not load [it|them]"
    );
    let text = counted(*number, &text)?;
    Some(Notice::warning(format!("{text}: {names}")))
}

pub(super) fn broken_policies(end: &RunEnd) -> Option<Notice> {
    let text = format!(
        "an inline style or import map that its page allows by hash (Content-Security-Policy) {} \
         in # page[|s]; browsers will not use it",
        changed(end)
    );
    counted(end.report.tally.hashed, &text).map(Notice::warning)
}

pub(super) fn other_site(end: &RunEnd) -> Option<Notice> {
    let (url, links) = (end.report.aliases.iter().rev()).max_by_key(|(_, links)| **links)?;
    let text = counted(*links, "# link[ leads|s lead] to another URL of this site")?;
    let text = format!("{text}: {}", OneLine(masked(url)));
    Some(Notice::note(text).with_hint(Fact::OtherUrl.hint_with(&[url])))
}

pub(super) fn built_for_root(end: &RunEnd) -> Option<Notice> {
    // A site that leads to itself in another way was not built for the root.
    let [in_tree, elsewhere, relative] = end.report.tally.from_root;
    let is_built_so = in_tree > elsewhere && in_tree > relative;
    let path = end.plan.retrieval.path_of_tree().filter(|_| is_built_so)?;
    let links = counted(in_tree, "# link[|s] from the root [leads|lead] outside")?;
    let files = if in_tree == 1 { "a file" } else { "files" };
    let text = format!("{links} {path}, to {files} of this tree; see docs/moving.md");
    Some(Notice::new(MessageLevel::Hint, text))
}

/// What pages show or run, and a run did not copy.
pub(super) fn not_copied(end: &RunEnd) -> Option<Notice> {
    let is_bare = matches!(
        end.plan.output(),
        Some(Output::Directory {
            copy_others: false,
            ..
        })
    );
    let is_alone = end.report.leftover == 0 && end.report.files_copied == 0;
    said(end.report.tally.embedded, Fact::NotCopied).filter(|_| is_bare && is_alone)
}

/// Links that wget -k may have written in place of others.
pub(super) fn links_to_index(end: &RunEnd) -> Option<Notice> {
    let [Input::Directory(root)] = &end.plan.inputs[..] else {
        return None;
    };
    let layout = end.plan.retrieval.layout.as_ref();
    let is_asked = layout.is_some_and(Layout::has_hosts)
        && end.plan.converted_links == ConvertedLinks::Auto
        && end.plan.html.to == To::Absolute
        && !matches!(end.plan.task, Task::Examine);
    (is_asked && has_links_to_index(root)).then(|| {
        Notice::note(
            "pages call themselves x/, but links lead to x/index.html, as wget -k writes them",
        )
        .with_fact(Fact::NamesOfFiles)
    })
}

/// Hosts whose scheme nothing tells.
pub(super) fn assumed_scheme(end: &RunEnd) -> Option<Notice> {
    let assumed = &end.report.assumed;
    let writes = !matches!(end.plan.task, Task::Examine) && end.plan.html.to == To::Absolute;
    let (host, _) = assumed.iter().max_by_key(|(_, links)| **links)?;
    let others = counted(assumed.len() as u64 - 1, " and # other host[|s]").unwrap_or_default();
    let port = match &end.plan.inputs[..] {
        [Input::Directory(root)] => port(root, host).filter(|_| writes),
        _ => None,
    };
    let port = port.map(|port| format!(", which its pages call {}:{port}", OneLine(host)));
    let port = port.unwrap_or_default();
    let text = format!(
        "assumed https for # link[|s] to {}{port}{others}",
        OneLine(host)
    );
    let text = counted(assumed.values().sum(), &text).filter(|_| writes)?;
    let hint = format!("if the site has no https: {}", Fact::AssumedScheme.hint());
    Some(Notice::note(text).with_hint(hint))
}

/// What links from the root lead to where no URL is known.
pub(super) fn nameless(end: &RunEnd) -> Option<Notice> {
    let tally = &end.report.tally;
    let (Some(_), [Input::Directory(root)]) = (&end.plan.retrieval.nameless, &end.plan.inputs[..])
    else {
        return None;
    };
    let missing = counted(
        tally.nameless_missing,
        "; left # of them unchanged: no such file[|s] there",
    );
    let (root, missing) = (PathLine(root), missing.unwrap_or_default());
    let text = format!("no base URL given: links that begin with / start at {root}{missing}");
    let hint = end
        .plan
        .mirror
        .map(|layout| Fact::IsMirror.hint_with(&[layout]));
    (tally.nameless > 0).then(|| Notice::note(text).with_hint(hint.unwrap_or_default()))
}
