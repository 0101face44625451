//! Where the URLs of a value are before and after, and whether anything else in it changed.
//!
//! Both values are read by one grammar. What stands between the URLs of both is the same text, so that a new URL
//! which ends too early, or adds one, shows.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use abslink_html::shared;
use abslink_html::{Placeholders, Settings, ValueKind, placeholder};
use abslink_url::pre_step;

use crate::fault::{Fault, Result};
use crate::text::Texts;

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
    texts: &Texts<'_>,
    settings: &Settings,
    same: &mut dyn FnMut(UrlPair<'_>) -> Result,
) -> Result {
    let [old_text, new_text] = texts.text();
    let olds = shared::urls(kind, old_text, settings.placeholders);
    let news = if placeholder::is_json(kind) {
        let insides = [old_text, new_text].map(strings);
        let number = |old: &Range<usize>| {
            insides[0]
                .binary_search_by_key(&old.start, |it| it.start)
                .ok()
        };
        olds.iter()
            .filter_map(|(old, _)| insides[1].get(number(old)?))
            .cloned()
            .collect()
    } else {
        let masked = masked(kind, [old_text, new_text], settings.placeholders);
        let news = shared::urls(kind, &masked, Placeholders::Resolve);
        news.into_iter().map(|(url, _)| url).collect::<Vec<_>>()
    };
    if olds.len() != news.len() {
        return Err(Fault::of("the number of its URLs changed"));
    }
    let between = |parts: [Range<usize>; 2]| {
        let [old, new] = [&old_text[parts[0].clone()], &new_text[parts[1].clone()]];
        match old == new && texts.are_spelled_alike(parts) {
            true => Ok(()),
            false => Err(no_url(old, new)),
        }
    };
    let [mut done, mut new_done] = [0, 0];
    for ((old, template), new) in olds.iter().zip(&news) {
        between([done..old.start, new_done..new.start])?;
        let (spelled, written) = (&old_text[old.clone()], &new_text[new.clone()]);
        if spelled != written {
            let template = template.map(|at| at - old.start);
            same(pair(kind, spelled, template, written)?)?;
        }
        [done, new_done] = [old.end, new.end];
    }
    between([done..old_text.len(), new_done..new_text.len()])
}

/// The insides of all strings of JSON.
fn strings(json: &str) -> Vec<Range<usize>> {
    let (bytes, mut strings, mut at) = (json.as_bytes(), Vec::new(), 0);
    while let Some(open) = memchr::memchr(b'"', &bytes[at..]) {
        let start = at + open + 1;
        at = start;
        while let Some(next) = memchr::memchr2(b'"', b'\\', &bytes[at..]) {
            at += next;
            if bytes[at] == b'"' {
                strings.push(start..at);
                break;
            }
            at = bytes.len().min(at + 2);
        }
        at = bytes.len().min(at + 1);
    }
    strings
}

/// Whether this is the inside of a string of JSON.
pub(crate) fn is_string(inside: &str) -> bool {
    is_json(&format!("\"{inside}\""))
}

pub(crate) fn is_json(text: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

fn no_url(old: &str, new: &str) -> Fault {
    if old == new {
        return Fault::SPELLING;
    }
    let pairs = old.char_indices().zip(new.chars());
    let start: usize = pairs
        .take_while(|((_, x), y)| x == y)
        .map(|(_, y)| y.len_utf8())
        .sum();
    let [old, new] = [&old[start..], &new[start..]];
    let pairs = old.chars().rev().zip(new.chars().rev());
    let end: usize = pairs
        .take_while(|(x, y)| x == y)
        .map(|(_, y)| y.len_utf8())
        .sum();
    let [old, new] = [old, new].map(|text| &text[..text.len() - end]);
    Fault::from(format!("`{old}` is not a URL, but became `{new}`"))
}

/// The new value with letters for the placeholders of the old one, so that its grammar does not take them apart.
/// Another one was made by a base URL, or by the spelling of a URL.
fn masked(kind: ValueKind, [old, new]: [&str; 2], placeholders: Placeholders) -> Cow<'_, str> {
    let mut masked = Cow::Borrowed(new);
    if placeholders == Placeholders::Resolve {
        return masked;
    }
    let known: HashSet<_> = placeholder::each(kind, old)
        .map(|place| &old[place])
        .collect();
    let is_known = |place: &Range<usize>| known.contains(&new[place.clone()]);
    for place in placeholder::each(kind, new).filter(is_known) {
        let letters = "x".repeat(place.len());
        masked.to_mut().replace_range(place, &letters);
    }
    masked
}

/// Two URLs, of which the old one may have a placeholder. That and what follows stays, but for the white space
/// that a URL loses.
fn pair<'v>(
    kind: ValueKind,
    old: &'v str,
    template: Option<usize>,
    new: &'v str,
) -> Result<UrlPair<'v>> {
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
