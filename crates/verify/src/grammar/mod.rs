//! Where the URLs of a value are, by a second reading of each grammar; and whether a value that
//! changed has the same ones.
//!
//! What stands between the URLs of two values is the same text, so a reader of either is in the same
//! state where each URL begins. That is why the old value and the new one have the same tokens.

pub(crate) mod blanks;
mod css;

use std::borrow::Cow;
use std::ops::Range;

use crate::fault::Fault;
use abslink_html::ValueKind;
use abslink_html::shared::Edited;
use smallvec::{SmallVec, smallvec};

/// Says whether two URLs, before and after, mean the same, or what is wrong.
pub(crate) type CompareUrls<'s> = &'s mut dyn FnMut(OldUrl<'_>, &str) -> Result<(), Fault>;

/// A URL of the old value.
#[derive(Clone, Copy)]
pub(crate) struct OldUrl<'v> {
    pub(crate) text: &'v str,
    /// The same with the escapes of the grammar.
    pub(crate) spelled: &'v str,
}

/// A URL in a value.
pub(crate) struct ValueUrl<'v> {
    /// Where it is spelled.
    pub(crate) place: Range<usize>,
    pub(crate) text: Cow<'v, str>,
}

/// Compares a value of a kind with what was made of it.
pub(crate) fn compare(
    kind: ValueKind,
    edited: Edited<'_, str>,
    same: CompareUrls<'_>,
) -> Result<(), Fault> {
    if is_json(kind) && is_valid(edited.old) != is_valid(edited.new) {
        return Err(Fault::NotJson);
    }
    let (olds, news) = (urls(kind, edited.old)?, urls(kind, edited.new)?);
    for [old, new] in edited.changes {
        let is_behind = |url: &ValueUrl<'_>| url.place.end < old.start;
        let url = olds.get(olds.partition_point(is_behind));
        if !url.is_some_and(|url| url.place.start <= old.start && old.end <= url.place.end) {
            let text =
                |text: &str, place: &Range<usize>| text.get(place.clone()).map(str::to_owned);
            let [old, new] =
                [text(edited.old, old), text(edited.new, new)].map(Option::unwrap_or_default);
            return Err(no_url(&old, &new));
        }
    }
    if olds.len() != news.len() {
        return Err(Fault::UrlCount);
    }
    let [mut done, mut new_done] = [0, 0];
    let ends = [edited.old, edited.new].map(|text| text.len()..text.len());
    let [end, new_end] = ends.map(|place| ValueUrl {
        place,
        text: "".into(),
    });
    let pairs = olds.iter().zip(&news).chain([(&end, &new_end)]);
    for (old, new) in pairs {
        let between = [
            &edited.old[done..old.place.start],
            &edited.new[new_done..new.place.start],
        ];
        if between[0] != between[1] {
            return Err(no_url(between[0], between[1]));
        }
        [done, new_done] = [old.place.end, new.place.end];
        let spelled = &edited.old[old.place.clone()];
        if *spelled != edited.new[new.place.clone()] {
            let text = &*decoded(kind, &old.text)?;
            same(OldUrl { text, spelled }, &decoded(kind, &new.text)?)?;
        }
    }
    Ok(())
}

fn no_url(old: &str, new: &str) -> Fault {
    let (old, new) = (old.to_owned(), new.to_owned());
    if old == new {
        Fault::OtherSpelling(old)
    } else {
        Fault::NoUrl { old, new }
    }
}

/// The URL that a value spells.
fn decoded(kind: ValueKind, spelled: &str) -> Result<Cow<'_, str>, Fault> {
    if !is_json(kind) {
        return Ok(spelled.into());
    }
    let text = serde_json::from_str(&format!("\"{spelled}\""));
    text.map_err(|_| Fault::NotJsonString(spelled.to_owned()))
}

/// Whether the value is JSON.
fn is_json(kind: ValueKind) -> bool {
    use ValueKind::{ImportMap, LinkedData, SpeculationRules};
    matches!(kind, ImportMap | SpeculationRules | LinkedData)
}

/// The URLs of a value, in order.
fn urls(kind: ValueKind, value: &str) -> Result<SmallVec<[ValueUrl<'_>; 1]>, Fault> {
    let blank = |c: char| c.is_ascii_whitespace();
    let places = match kind {
        ValueKind::CssDeclarations | ValueKind::CssStylesheet | ValueKind::CssFile => {
            let urls = css::urls(value)?.into_iter();
            return Ok(urls
                .map(|(place, url)| ValueUrl {
                    place,
                    text: url.into(),
                })
                .collect());
        }
        ValueKind::Url => {
            let place = trimmed(value, 0..value.len());
            let text = value[place.clone()].into();
            return Ok(smallvec![ValueUrl { place, text }]);
        }
        ValueKind::SpaceList => list(value, &blank),
        ValueKind::CommaList => list(value, &|c| c == ',' || blank(c)),
        ValueKind::SemicolonList => list(value, &|c| c == ';' || blank(c)),
        ValueKind::Srcset => srcset(value),
        ValueKind::Refresh => Vec::from_iter(refresh(value)),
        ValueKind::TileTask => task(value),
        _ if is_json(kind) => strings(value),
        _ => Vec::new(),
    };
    let url = |place: Range<usize>| ValueUrl {
        text: value[place.clone()].into(),
        place,
    };
    Ok(places.into_iter().map(url).collect())
}

/// A part of a value, without the blanks around it.
fn trimmed(value: &str, part: Range<usize>) -> Range<usize> {
    // For NUL the HTML standard puts another character.
    let is_blank = |c: char| c <= ' ' && c != '\0';
    let rest = value[part.clone()].trim_start_matches(is_blank);
    let start = part.end - rest.len();
    start..start + rest.trim_end_matches(is_blank).len()
}

fn list(value: &str, separates: &dyn Fn(char) -> bool) -> Vec<Range<usize>> {
    let mut at = 0;
    let places = value.split_inclusive(separates).map(|part| {
        let start = at;
        at += part.len();
        start..start + part.trim_end_matches(separates).len()
    });
    places.filter(|place| !place.is_empty()).collect()
}

/// HTML, "parse a srcset attribute".
fn srcset(value: &str) -> Vec<Range<usize>> {
    let blank = |c: char| c.is_ascii_whitespace();
    let (mut places, mut rest) = (Vec::new(), value);
    loop {
        rest = rest.trim_start_matches(|c: char| c == ',' || blank(c));
        if rest.is_empty() {
            return places;
        }
        let start = value.len() - rest.len();
        let (run, after) = rest.split_at(rest.find(blank).unwrap_or(rest.len()));
        let url = run.trim_end_matches(',');
        places.push(start..start + url.len());
        rest = if url.len() == run.len() {
            &after[descriptors(after)..]
        } else {
            after
        };
    }
}

/// How long a candidate's descriptors are: up to the first comma outside parentheses.
fn descriptors(text: &str) -> usize {
    let mut inside = false;
    let end = text.find(|c| {
        match c {
            '(' => inside = true,
            ')' => inside = false,
            _ => {}
        }
        c == ',' && !inside
    });
    end.unwrap_or(text.len())
}

/// HTML, "shared declarative refresh steps".
fn refresh(value: &str) -> Option<Range<usize>> {
    let blank = |c: char| c.is_ascii_whitespace();
    let time = value.trim_start_matches(blank);
    let rest = time.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let ends = rest.starts_with(|c: char| c == ';' || c == ',' || blank(c));
    let rest = rest.trim_start_matches(blank);
    let rest = rest.strip_prefix([';', ',']).unwrap_or(rest);
    if time.len() == rest.len() || !ends {
        return None;
    }
    let rest = rest.trim_start_matches(blank);
    let named = rest.get(.."url".len()).and_then(|word| {
        let after = rest["url".len()..].trim_start_matches(blank);
        let after = after.strip_prefix('=')?.trim_start_matches(blank);
        word.eq_ignore_ascii_case("url").then_some(after)
    });
    let url = named.unwrap_or(rest);
    let quote = url.chars().next().filter(|c| matches!(c, '"' | '\''));
    let url = &url[quote.map_or(0, char::len_utf8)..];
    let end = quote.and_then(|quote| url.find(quote)).unwrap_or(url.len());
    let start = value.len() - url.len();
    Some(trimmed(value, start..start + end))
}

/// `msapplication-task`.
fn task(value: &str) -> Vec<Range<usize>> {
    let mut at = 0;
    let places = value.split_inclusive(';').filter_map(|pair| {
        let start = at;
        at += pair.len();
        let (name, url) = pair.trim_end_matches(';').split_once('=')?;
        let known = name.trim().to_ascii_lowercase();
        let polling = known.strip_prefix("polling-uri");
        let is_url = ["action-uri", "icon-uri"].contains(&&*known)
            || polling.is_some_and(|number| ["", "2", "3", "4", "5"].contains(&number));
        let start = start + name.len() + "=".len();
        is_url.then_some(start..start + url.len())
    });
    places.collect()
}

/// The strings of JSON, without their quotes. TagFilter of them are URLs is not asked.
pub(crate) fn strings(json: &str) -> Vec<Range<usize>> {
    let (mut places, mut at) = (Vec::new(), 0);
    while let Some(open) = json[at..].find('"') {
        let start = at + open + "\"".len();
        let mut is_escaped = false;
        let length = json[start..].find(|c| {
            let ends = c == '"' && !is_escaped;
            is_escaped = c == '\\' && !is_escaped;
            ends
        });
        let Some(length) = length else { break };
        places.push(start..start + length);
        at = start + length + "\"".len();
    }
    places
}

/// Whether a text is JSON.
pub(crate) fn is_valid(json: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(json).is_ok()
}
