//! Where the URLs of a value are before and after, and whether anything else in it changed.
//!
//! Both values are read by one grammar. What stands between the URLs of both is the same text, so that a new URL
//! which ends too early, or adds one, shows.

use std::borrow::Cow;
use std::ops::Range;

use abslink_html::shared::{self, Edited};
use abslink_html::{Placeholders, Settings, ValueKind, placeholder};
use abslink_url::pre_step;

use crate::fault::Fault;

/// What is compared of two URLs. Where a template placeholder decides what the old one means, `is_unfilled`, it is
/// what stands before that, with a letter in its place.
pub(crate) struct UrlPair<'v> {
    pub(crate) old: Cow<'v, str>,
    pub(crate) new: Cow<'v, str>,
    pub(crate) is_unfilled: bool,
}

/// Compares a value of a kind with what was made of it; `same` compares two URLs.
pub(crate) fn compare(
    kind: ValueKind,
    edited: Edited<'_, str>,
    settings: &Settings,
    same: &mut dyn FnMut(UrlPair<'_>) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let olds = shared::urls(kind, edited.old, settings.placeholders);
    let news = if placeholder::is_json(kind) {
        strings(&olds, edited)
    } else {
        let masked = masked(kind, edited, settings.placeholders)?;
        let news = shared::urls(kind, &masked, Placeholders::Resolve);
        news.into_iter().map(|(url, _)| url).collect()
    };
    for [old, new] in edited.changes {
        let index = olds.partition_point(|(url, _)| url.end < old.start);
        let url = olds.get(index).map(|(url, _)| url);
        if !url.is_some_and(|url| url.start <= old.start && old.end <= url.end) {
            let [old, new] = [edited.old.get(old.clone()), edited.new.get(new.clone())];
            return Err(no_url(old.unwrap_or_default(), new.unwrap_or_default()));
        }
    }
    if olds.len() != news.len() {
        return Err(Fault::of("the number of its URLs changed"));
    }
    let [mut done, mut new_done] = [0, 0];
    for ((old, template), new) in olds.iter().zip(&news) {
        let between = [done..old.start, new_done..new.start];
        same_text(edited, between)?;
        let (spelled, written) = (&edited.old[old.clone()], &edited.new[new.clone()]);
        if spelled != written {
            let template = template.map(|at| at - old.start);
            same(pair(kind, spelled, template, written)?)?;
        }
        [done, new_done] = [old.end, new.end];
    }
    same_text(edited, [done..edited.old.len(), new_done..edited.new.len()])
}

/// The new strings for these of JSON, as long as each still is one. Of an import map a URL in full is no reference.
fn strings(olds: &[(Range<usize>, Option<usize>)], edited: Edited<'_, str>) -> Vec<Range<usize>> {
    let news = olds.iter().map(|(old, _)| {
        let start = (edited.changes).partition_point(|[change, _]| change.start < old.start);
        let end = (edited.changes).partition_point(|[change, _]| change.end <= old.end);
        moved(edited, start, old.start)..moved(edited, end, old.end)
    });
    let is_one = |new: &Range<usize>| edited.new.get(new.clone()).is_some_and(is_string);
    news.filter(is_one).collect()
}

/// Where a place of the old text is in the new one, behind so many changes.
fn moved(edited: Edited<'_, str>, changes: usize, at: usize) -> usize {
    let last = edited.changes[..changes].last();
    let (end, new_end) = last.map_or((0, 0), |[old, new]| (old.end, new.end));
    (new_end + at).saturating_sub(end)
}

/// Whether this is the inside of a string of JSON.
pub(crate) fn is_string(inside: &str) -> bool {
    is_json(&format!("\"{inside}\""))
}

pub(crate) fn is_json(text: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

fn same_text(edited: Edited<'_, str>, [old, new]: [Range<usize>; 2]) -> Result<(), Fault> {
    let (old, new) = (&edited.old[old], &edited.new[new]);
    if old == new {
        Ok(())
    } else {
        Err(no_url(old, new))
    }
}

fn no_url(old: &str, new: &str) -> Fault {
    Fault::from(if old == new {
        format!("`{old}` is not a URL, but its spelling changed")
    } else {
        format!("`{old}` is not a URL, but became `{new}`")
    })
}

/// The new value with letters for the placeholders of the old one, so that its grammar does not take them apart.
/// What looks like one in the new value only was made by a base URL, or by the spelling of a URL.
fn masked<'v>(
    kind: ValueKind,
    edited: Edited<'v, str>,
    placeholders: Placeholders,
) -> Result<Cow<'v, str>, Fault> {
    let mut masked = Cow::Borrowed(edited.new);
    if placeholders == Placeholders::Resolve {
        return Ok(masked);
    }
    for old in placeholder::each(kind, edited.old) {
        let before = (edited.changes).partition_point(|[change, _]| change.end <= old.start);
        let start = moved(edited, before, old.start);
        let new = start..start + old.len();
        if edited.new.get(new.clone()) != edited.old.get(old.clone()) {
            return Err(Fault::of("a template placeholder changed"));
        }
        let letters = "x".repeat(new.len());
        masked.to_mut().replace_range(new, &letters);
    }
    Ok(masked)
}

/// Two URLs, of which the old one may have a placeholder. That and what follows stays, but for the white space
/// that a URL loses.
fn pair<'v>(
    kind: ValueKind,
    old: &'v str,
    template: Option<usize>,
    new: &'v str,
) -> Result<UrlPair<'v>, Fault> {
    const LETTER: &str = "x";
    let (old, behind) = old.split_at(template.unwrap_or(old.len()));
    let (old, new) = (shared::decode(kind, old), shared::decode(kind, new));
    if template.is_none() {
        return Ok(UrlPair {
            old,
            new,
            is_unfilled: false,
        });
    }
    // A letter, so that blanks before it are not at an end.
    let behind = [LETTER, &*shared::decode(kind, behind)].concat();
    let behind = &pre_step(&behind)[LETTER.len()..];
    let old = [&*old, LETTER].concat();
    let new = pre_step(&new);
    let new = new.strip_suffix(behind).map(|new| [new, LETTER].concat());
    match new {
        Some(new) if pre_step(&old) != LETTER => Ok(UrlPair {
            old: Cow::Owned(old),
            new: Cow::Owned(new),
            is_unfilled: true,
        }),
        _ => Err(Fault::of("what a template placeholder decides changed")),
    }
}
