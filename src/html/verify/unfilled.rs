//! Values that hold placeholders of templates: these stay byte for byte, and so does what follows one in
//! a reference.

use std::ops::Range;

use super::super::placeholder::{self, Placeholders};
use super::super::{Settings, ValueKind};
use super::blanks::stripped;
use super::grammar::{self, Same};
use super::spelled::Change;

/// Begins what stands in for a placeholder: a character that Unicode has not assigned, of two bytes.
const MARK: char = '\u{378}';

/// Compares two values as [`grammar::compare`] does, which placeholders do not take apart. These are the
/// old value's: what looks like one in the new value only was made by a base URL, or by the spelling
/// of a URL.
pub(super) fn compare(
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
    let lengths = places.iter().map(|place| place.len());
    let texts: Vec<_> = places.iter().map(|place| &old[place.clone()]).collect();
    let ends = places.iter().skip(1).map(|next| next.start);
    let longer: Vec<_> = (places.iter().zip(ends.chain([old.len()])))
        .map(|(place, end)| &old[place.start..][..longer(&old[..end], place)])
        .collect();
    // A base URL may have the same text.
    let starts = [early(&longer, new), early(&texts, new), late(&texts, new)];
    let old = marked(old, &places);
    let mut wrong = None;
    for starts in starts.into_iter().flatten() {
        let ranges = starts.into_iter().zip(lengths.clone());
        let new_places: Vec<_> = ranges
            .map(|(start, length)| start..start + length)
            .collect();
        match grammar::compare(kind, &old, &marked(new, &new_places), same) {
            Ok(changes) => return Ok(changes),
            Err(what) => _ = wrong.get_or_insert(what),
        }
    }
    Err(wrong.unwrap_or_else(|| "a placeholder of a template changed".to_owned()))
}

/// The length of a placeholder with what follows it in a reference, and what ends that.
fn longer(value: &str, place: &Range<usize>) -> usize {
    let ends = |c: char| c <= ' ' || ",;=\"'()".contains(c);
    let behind = &value[place.end..];
    place.len() + behind.find(ends).map_or(behind.len(), |at| at + 1)
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
pub(super) fn both(
    kind: ValueKind,
    old: &str,
    new: &str,
    settings: &Settings,
) -> Result<Option<[String; 2]>, String> {
    let found = placeholder::first(old, kind, settings.placeholders);
    let found = old.find(MARK).into_iter().chain(found).min();
    let Some(at) = found else { return Ok(None) };
    // A letter, so that blanks before it are not at an end.
    let before = stripped(&[&old[..at], LETTER].concat()).into_owned();
    let whole = stripped(old);
    let behind = &whole[before.len() - LETTER.len()..];
    let new = (new.strip_suffix(behind)).filter(|_| before != LETTER);
    let Some(new) = new else {
        return Err("what a placeholder of a template decides changed".to_owned());
    };
    Ok(Some([before, [new, LETTER].concat()]))
}
