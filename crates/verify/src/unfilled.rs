//! Values that hold template placeholders: these stay byte for byte, and so does what follows one in
//! a reference.

use std::ops::Range;

use super::blanks::stripped;
use super::grammar::{self, Old, Same};
use super::spelled::Change;
use abslink_html::Placeholders;
use abslink_html::placeholder;
use abslink_html::{Settings, ValueKind, shared};

/// Begins what stands in for a placeholder: a character that Unicode has not assigned, of two bytes.
const MARK: char = '\u{378}';

/// Compares two values as [`grammar::compare`] does, which placeholders do not take apart. These are the
/// old value's: what looks like one in the new value only was made by a base URL, or by the spelling
/// of a URL.
pub(crate) fn compare(
    kind: ValueKind,
    old: &str,
    new: &str,
    settings: &Settings,
    same: Same<'_>,
) -> Result<Vec<Change>, String> {
    if settings.placeholders == Placeholders::Resolve {
        return grammar::compare(kind, old, new, same);
    }
    let places: Vec<_> = placeholder::each(kind, old).collect();
    if places.is_empty() {
        return grammar::compare(kind, old, new, same);
    }
    let runs = runs(old, &places);
    let marked_old = marked(old, &places);
    let mut wrong = None;
    // A base URL may have the same text.
    let ways: [(_, Find); 4] = [
        (&runs, early),
        (&runs, late),
        (&places, early),
        (&places, late),
    ];
    for (parts, find) in ways {
        let texts: Vec<_> = parts.iter().map(|part| &old[part.clone()]).collect();
        let Some(starts) = find(&texts, new) else {
            continue;
        };
        let moved = |place: &Range<usize>| {
            let part = parts.partition_point(|part| part.start <= place.start) - 1;
            let start = starts[part] + place.start - parts[part].start;
            start..start + place.len()
        };
        let new_places: Vec<_> = places.iter().map(moved).collect();
        match grammar::compare(kind, &marked_old, &marked(new, &new_places), same) {
            Ok(changes) => return Ok(changes),
            Err(what) => _ = wrong.get_or_insert(what),
        }
    }
    Err(wrong.unwrap_or_else(|| "a template placeholder changed".to_owned()))
}

/// Placeholders with what follows them in a reference, and what ends that: where several stand in one,
/// all of it from the first on.
fn runs(value: &str, places: &[Range<usize>]) -> Vec<Range<usize>> {
    let ends = |c: char| c <= ' ' || ",;=\"'()".contains(c);
    let next = places.iter().skip(1).map(|next| next.start);
    let mut runs = Vec::<Range<usize>>::new();
    let mut is_open = false;
    for (place, next) in places.iter().zip(next.chain([value.len()])) {
        let end = value[place.end..next].find(ends);
        let last = runs.pop_if(|_| is_open);
        let start = last.map_or(place.start, |last| last.start);
        runs.push(start..end.map_or(next, |at| place.end + at + 1));
        is_open = end.is_none();
    }
    runs
}

/// A value without its placeholders.
fn marked(value: &str, places: &[Range<usize>]) -> String {
    let mut marked = String::with_capacity(value.len());
    let mut last = 0;
    for place in places {
        marked.push_str(&value[last..place.start]);
        marked.push(MARK);
        marked.extend(std::iter::repeat_n('x', place.len() - MARK.len_utf8()));
        last = place.end;
    }
    marked + &value[last..]
}

type Find = fn(&[&str], &str) -> Option<Vec<usize>>;

/// Where texts begin in a value one after the other, each as early as it can.
fn early(texts: &[&str], value: &str) -> Option<Vec<usize>> {
    let mut from = 0;
    let place = |text: &&str| {
        let start = from + value[from..].find(text)?;
        from = start + text.len();
        Some(start)
    };
    texts.iter().map(place).collect()
}

/// Where they do, each as late as it can.
fn late(texts: &[&str], value: &str) -> Option<Vec<usize>> {
    let mut until = value.len();
    let place = |text: &&str| {
        until = value[..until].rfind(text)?;
        Some(until)
    };
    let mut places = texts.iter().rev().map(place).collect::<Option<Vec<_>>>()?;
    places.reverse();
    Some(places)
}

/// A letter.
const LETTER: &str = "x";

/// What is to be compared of two references, of which the old one has a placeholder: what comes before
/// that, with a letter behind it. `None` where it has none. White space that a URL loses is lost in the
/// new one.
pub(crate) fn both(
    kind: ValueKind,
    Old { text: old, spelled }: Old<'_>,
    new: &str,
    settings: &Settings,
) -> Result<Option<[String; 2]>, String> {
    // A template's engine knows no escapes of CSS or JSON.
    let found = placeholder::first(spelled, kind, settings.placeholders).map(|at| {
        let behind = shared::decode(kind, &spelled[at..]);
        old.len().saturating_sub(behind.len())
    });
    let found = old.find(MARK).into_iter().chain(found).min();
    let Some(at) = found else { return Ok(None) };
    // A letter, so that blanks before it are not at an end.
    let before = stripped(&[&old[..at], LETTER].concat()).into_owned();
    let whole = stripped(old);
    let behind = &whole[before.len() - LETTER.len()..];
    let new = (new.strip_suffix(behind)).filter(|_| before != LETTER);
    let Some(new) = new else {
        return Err("what a template placeholder decides changed".to_owned());
    };
    Ok(Some([before, [new, LETTER].concat()]))
}
