//! Old and new are read again by the parser alone: the same events but for destinations, and these mean what they
//! meant. HTML goes to the second reader of HTML.

use std::ops::Range;

use abslink_html::shared::{DocumentParameters, escaped_destination};
use abslink_html::{Disagreement, Edit, Placeholders, ValueKind, placeholder, pre_step, splice};
use pulldown_cmark::{CowStr, Event, Tag, TextMergeWithOffset};

use super::front_matter;
use super::read::{self, Found};

/// Compares a document with what was made of it.
pub(super) fn check(
    known: DocumentParameters<'_, '_>,
    (old, found, edits): (&[u8], &Found, &[Edit]),
    new: &[u8],
) -> Result<(), Disagreement> {
    let (markup, mut written) = (found.html(), new_html(found, edits));
    (known.settings.verify).check(&mut written, 0, Vec::new, |reader, new, _| {
        reader.whole(known, [&markup, new])
    })?;
    read_again(known, (old, &written), new)
}

/// Whether a document has the same structure after edits that take away ends of lines, or in which there are control
/// characters: blanks of HTML and of Markdown differ.
pub(super) fn keeps_structure(
    known: DocumentParameters<'_, '_>,
    (old, found, edits): (&[u8], &Found, &[Edit]),
    new: &[u8],
) -> bool {
    let ends_line = |at: &usize| matches!(found.markup[*at], b'\n' | b'\r');
    let ends = edits.iter();
    let mut ends = ends
        .filter_map(|(old, _)| old.clone().find(ends_line))
        .peekable();
    let is_control = |byte: &u8| *byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r');
    if ends.peek().is_none() && !found.markup.iter().any(is_control) {
        return true;
    }
    // In a string of CSS, a bare end of a line would be the end of the string.
    let is_escaped = |end: usize| end > 0 && old[end - 1] == b'\\';
    !ends.any(is_escaped) && read_again(known, (old, &new_html(found, edits)), new).is_ok()
}

/// The HTML of a document after edits.
fn new_html(found: &Found, edits: &[Edit]) -> Vec<u8> {
    let markup = found.html();
    let edits = edits.iter().filter(|edit| !found.is_destination(&edit.0));
    let mut html = Vec::new();
    let parts = edits.map(|(at, new)| (at.clone(), (&markup[at.clone()], new)));
    // The first line break in a URL, and what begins the next line in Markdown, stand behind the new one.
    splice(&markup, parts, &mut html, |(old, new), out| {
        let breaks = old.iter().skip_while(is_text);
        let breaks = breaks.take_while(|byte| !is_text(byte));
        out.extend_from_slice(&new[..new.len().saturating_sub(breaks.clone().count())]);
        out.extend(breaks);
    });
    html
}

fn is_text(byte: &&u8) -> bool {
    !matches!(byte, b'\n' | b'\r')
}

/// Reads the new document by the parser alone. Its HTML should be `html`.
fn read_again(
    known: DocumentParameters<'_, '_>,
    (old, html): (&[u8], &[u8]),
    new: &[u8],
) -> Result<(), Disagreement> {
    let new = std::str::from_utf8(new).map_err(|_| at(old, 0, "it is not UTF-8 any more"))?;
    let again = read::read(new, known.settings.wanted()).map_err(|what| at(old, 0, what))?;
    if !(again.html().iter().filter(is_text)).eq(html.iter().filter(is_text)) {
        return Err(at(old, 0, "its HTML is not what was made of it"));
    }
    let old = std::str::from_utf8(old).unwrap_or_default();
    events(old, new, known)
}

/// Compares the events of two documents.
fn events(old: &str, new: &str, known: DocumentParameters<'_, '_>) -> Result<(), Disagreement> {
    let start = front_matter::length(old);
    let mut after = without_lines(&new[front_matter::length(new)..]);
    let is_moved = known.settings.moves_targets();
    for (event, range) in without_lines(&old[start..]) {
        let event = blank(event, is_moved);
        let other = after.next().map(|(it, _)| blank(it, is_moved));
        let [(event, target), (other, new_target)] = match other {
            Some(other) => [event, other],
            None => return Err(at(old.as_bytes(), start + range.start, "an event is gone")),
        };
        let is_same = event == other && means_same(known, &target, &new_target);
        if !is_same {
            let what = "the parser reads it in another way";
            return Err(at(old.as_bytes(), start + range.start, what));
        }
    }
    match after.next() {
        None => Ok(()),
        Some(_) => Err(at(old.as_bytes(), old.len(), "there is more than before")),
    }
}

/// The events of a document, those of HTML not for each line.
fn without_lines(document: &str) -> impl Iterator<Item = (Event<'_>, Range<usize>)> {
    let mut was_html = false;
    TextMergeWithOffset::new(read::parser(document).into_offset_iter()).filter(move |(event, _)| {
        let is_html = matches!(event, Event::Html(_));
        !(std::mem::replace(&mut was_html, is_html) && is_html)
    })
}

/// An event without its destination, and that. HTML is compared elsewhere.
fn blank(mut event: Event<'_>, is_moved: bool) -> (Event<'_>, CowStr<'_>) {
    let mut target = CowStr::Borrowed("");
    match &mut event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
            target = std::mem::replace(dest_url, target);
        }
        Event::Html(text) | Event::InlineHtml(text) => *text = CowStr::Borrowed(""),
        // The text of a bare URL that moves is the URL.
        Event::Text(text) if is_moved => *text = CowStr::Borrowed(""),
        _ => {}
    }
    (event, target)
}

/// Whether a destination leads where it led. Where targets move, only the resolver knows that.
fn means_same(known: DocumentParameters<'_, '_>, old: &str, new: &str) -> bool {
    let DocumentParameters {
        settings, context, ..
    } = known;
    if old == new || settings.moves_targets() {
        return true;
    }
    let [old, new] = &filled(settings.placeholders, [old, new]);
    let Some(base) = &known.document_base.base else {
        return false;
    };
    let target = |url: &str| {
        let url = pre_step(url);
        let target = settings.resolver.resolve(base, &url).ok()?;
        Some(target.into_owned())
    };
    let Some(new) = target(new) else {
        return false;
    };
    // What a label stands for may be a picture and a link.
    let on_forge = [false, true].into_iter().filter_map(|is_embedded| {
        let checkout = context.checkout.as_ref()?;
        checkout.target(settings.resolver, base, &pre_step(old), is_embedded)
    });
    let meant = target(old).into_iter();
    meant
        .chain(on_forge)
        .any(|old| escaped_destination(&old) == escaped_destination(&new))
}

/// Both destinations with a letter for what a template fills in, and all behind it, if that stays: the letter decides
/// as little as the template may.
fn filled(placeholders: Placeholders, [old, new]: [&str; 2]) -> [String; 2] {
    let mut places = placeholder::each(ValueKind::Url, old);
    let place = places
        .next()
        .filter(|_| placeholders != Placeholders::Resolve);
    let (old_head, tail) = old.split_at(place.map_or(old.len(), |place| place.start));
    let new_head = escaped_destination(new);
    match new_head.strip_suffix(&*escaped_destination(tail)) {
        Some(new_head) if !tail.is_empty() => [old_head, new_head].map(|head| format!("{head}x")),
        _ => [old, new].map(str::to_owned),
    }
}

fn at(document: &[u8], offset: usize, what: &str) -> Disagreement {
    let before = &document[..offset];
    let line_start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
    Disagreement {
        line: memchr::memchr_iter(b'\n', before).count() + 1,
        column: String::from_utf8_lossy(&before[line_start..])
            .chars()
            .count()
            + 1,
        what: what.to_owned(),
        is_bug: true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use abslink_html::base::{self, Context};
    use abslink_html::{Settings, Syntax};

    #[test]
    fn what_is_not_as_it_was() {
        let settings = Settings::default();
        let context = Context::retrieved_from("http://h/a/").unwrap();
        let document_base = &base::document_base(None, &context, settings.resolver);
        let known = DocumentParameters {
            syntax: Syntax::Html,
            encoding: encoding_rs::UTF_8,
            document_base,
            context: &context,
            settings: &settings,
        };
        let agrees = |old: &str, new: &str| events(old, new, known).is_ok();
        assert!(agrees("[x](y \"t\") `a`", "[x](http://h/a/y \"t\") `a`"));
        assert!(agrees("![x](<y z>)", "![x](<http://h/a/y%20z>)"));
        assert!(agrees("[x](.#{y})", "[x](http://h/a/.#{y})"));
        for (old, new) in [
            ("[x](y)", "[x](http://h/y)"),
            ("[x](y)", "[x](http://h/a/y z)"),
            ("[x](.#{y})", "[x](http://h/.#{y})"),
            ("[x](.#{y})", "[x](http://h/a/.#{z})"),
            ("[x](y \"t\")", "[x](http://h/a/y \"u\")"),
            ("[x](y) `a`", "[x](http://h/a/y) `b`"),
            ("[x](y)\n", "[x](http://h/a/y)\n\nz"),
            ("[x](y)\n\nz", "[x](http://h/a/y)\n"),
        ] {
            assert!(!agrees(old, new), "{new}");
        }
    }
}
