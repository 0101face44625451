//! Which places may lead elsewhere, and where to: those that `links` reports as left alone or as
//! divergent. Each is marked in the output by a reference that nothing else has, so that what is
//! said of one place excuses no other one, whatever its text.

use encoding_rs::{Encoding, ISO_2022_JP, UTF_16BE, UTF_16LE};
use url::Url;

use crate::support::links::Link;

/// A mark begins with one of these and ends with [`END`]; the second is for what must remain a
/// fragment.
const STARTS: [&str; 2] = ["https://place.invalid/", "#place."];
const END: char = '.';

/// What is known of the places of a document.
#[derive(Default)]
pub(crate) struct Marks<'a>(&'a [Link]);

impl<'a> Marks<'a> {
    /// The output with its marks, and what they stand for. Nothing is marked where the two lists
    /// do not name the same places; [`super::bytes`] says so then.
    pub(crate) fn put(
        encoding: &'static Encoding,
        before: &'a [Link],
        output: &[u8],
        after: &[Link],
    ) -> (Vec<u8>, Marks<'a>) {
        let mut marked = Vec::with_capacity(output.len());
        let mut done = 0;
        if before.len() == after.len() {
            for (nth, (x, y)) in before.iter().zip(after).enumerate() {
                // A mark would be another base. What is empty leads to the base itself.
                if !is_excused(x) || is_base(x) || y.start == y.end || y.start < done {
                    continue;
                }
                let start = STARTS[usize::from(x.reference.starts_with('#'))];
                marked.extend_from_slice(&output[done..y.start]);
                marked.extend(spell(encoding, &format!("{start}{nth}{END}")));
                done = y.end;
            }
        }
        marked.extend_from_slice(&output[done..]);
        (marked, Marks(before))
    }

    /// What `links` says of a place, if a reference of the output is a mark.
    pub(crate) fn of(&self, reference: &str) -> Option<&'a Link> {
        let rest = STARTS.iter().find_map(|it| reference.strip_prefix(it))?;
        self.0.get(rest.strip_suffix(END)?.parse::<usize>().ok()?)
    }

    /// Text of the output without its marks.
    pub(crate) fn removed(&self, text: &str) -> String {
        let mut plain = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = STARTS.iter().filter_map(|it| rest.find(it)).min() {
            plain.push_str(&rest[..at]);
            rest = &rest[at..];
            let digits = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(0);
            let end = rest[digits..]
                .find(END)
                .map_or(rest.len(), |end| digits + end + 1);
            match self.of(&rest[..end]) {
                Some(link) => plain.push_str(&link.reference),
                None => plain.push_str(&rest[..end]),
            }
            rest = &rest[end..];
        }
        plain + rest
    }

    /// What `links` says of `base` elements with this reference. All of them are resolved against
    /// the same URL, so that their text tells them apart.
    pub(crate) fn of_base(&self, reference: &str) -> Option<&'a Link> {
        let is_it = |link: &&Link| is_base(link) && is_excused(link) && link.reference == reference;
        self.0.iter().find(is_it)
    }
}

/// Whether a place that `links` says this of may lead from where the reference stands to `target`:
/// anywhere if it was to be left alone; else where a browser goes, by what `links` says, or where
/// the new reference leads.
pub(crate) fn explains(link: &Link, reference: &str, target: Option<&Url>) -> bool {
    let is = |url: &str| target == Url::parse(url).ok().as_ref();
    link.reference == reference
        && match (&link.divergent, &link.absolute) {
            (Some(browser), absolute) => is(browser) || absolute.as_deref().is_some_and(is),
            (None, _) => true,
        }
}

fn is_excused(link: &Link) -> bool {
    let is_left = matches!(
        &*link.outcome,
        "same-document" | "unresolved" | "excluded" | "placeholder"
    );
    is_left || link.divergent.is_some()
}

fn is_base(link: &Link) -> bool {
    (&*link.element, &*link.attribute) == ("base", "href")
}

fn spell(encoding: &'static Encoding, mark: &str) -> Vec<u8> {
    let units = mark.encode_utf16();
    match encoding {
        it if it == UTF_16LE => units.flat_map(u16::to_le_bytes).collect(),
        it if it == UTF_16BE => units.flat_map(u16::to_be_bytes).collect(),
        // What was before may have been in another state.
        it if it == ISO_2022_JP => [b"\x1b(B", mark.as_bytes()].concat(),
        _ => mark.into(),
    }
}
