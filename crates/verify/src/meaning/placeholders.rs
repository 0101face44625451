//! Values that hold template placeholders: these stay byte for byte, and so does what follows one in
//! a reference.

use std::ops::Range;

use crate::fault::Fault;
use crate::grammar::blanks::stripped;
use crate::grammar::{self, CompareUrls, OldUrl};
use abslink_html::placeholder;
use abslink_html::shared::Edited;
use abslink_html::{Placeholders, Settings, ValueKind, shared};

/// Begins what stands in for a placeholder: a character that Unicode has not assigned, of two bytes.
const MARK: char = '\u{378}';

/// Compares two values as [`grammar::compare`] does, which placeholders do not take apart. These are the
/// old value's: what looks like one in the new value only was made by a base URL, or by the spelling
/// of a URL.
pub(crate) fn compare(
    kind: ValueKind,
    edited: Edited<'_, str>,
    settings: &Settings,
    same: CompareUrls<'_>,
) -> Result<(), Fault> {
    let places: Vec<_> = match settings.placeholders {
        Placeholders::Resolve => Vec::new(),
        _ => placeholder::each(kind, edited.old).collect(),
    };
    if places.is_empty() {
        return grammar::compare(kind, edited, same);
    }
    let moved = |place: &Range<usize>| {
        let index = (edited.changes).partition_point(|[old, _]| old.end <= place.start);
        let (before, behind) = edited.changes.split_at(index);
        let is_cut = behind.first().is_some_and(|[old, _]| old.start < place.end);
        let (end, new_end) = before.last().map_or((0, 0), |[x, y]| (x.end, y.end));
        let start = new_end + place.start - end;
        let new = start..start + place.len();
        let stays = !is_cut && edited.old.get(place.clone()) == edited.new.get(new.clone());
        stays.then_some(new)
    };
    let new_places = places.iter().map(moved).collect::<Option<Vec<_>>>();
    let new_places = new_places.ok_or(Fault::Placeholder)?;
    let (old, new) = (marked(edited.old, &places), marked(edited.new, &new_places));
    let (old, new) = (&*old, &*new);
    grammar::compare(kind, Edited { old, new, ..edited }, same)
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

/// A letter.
const LETTER: &str = "x";

/// What is to be compared of two references, of which the old one has a placeholder: what comes before
/// that, with a letter behind it. `None` where it has none. White space that a URL loses is lost in the
/// new one.
pub(crate) fn both(
    kind: ValueKind,
    OldUrl { text: old, spelled }: OldUrl<'_>,
    new: &str,
    settings: &Settings,
) -> Result<Option<[String; 2]>, Fault> {
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
        return Err(Fault::AroundPlaceholder);
    };
    Ok(Some([before, [new, LETTER].concat()]))
}
