//! What holds for every feed, and for every style sheet that is a file, as [`super::check`] has it for
//! documents.

use abslink::feed::{FeedBase, Read};
use abslink::{Context, Settings};
use abslink_html::sheet;

use super::check::{Checked, link, same};
use crate::support::links::Link;

/// A feed: it stays as a whole if it cannot be read; else each reference becomes what was announced,
/// what stays stays, and a second run changes nothing.
pub(crate) fn feed(input: &[u8]) -> Checked {
    let placed = Context::retrieved_from("https://h/d/f.xml").unwrap_or_default();
    for context in [Context::default(), placed] {
        for base in [FeedBase::Item, FeedBase::Document] {
            for read in [Read::of, Read::manifest, Read::speculation_rules] {
                read_as(read, input, &context, base)?;
            }
        }
    }
    Ok(())
}

fn read_as(
    read: fn(&[u8], &Settings) -> Read,
    input: &[u8],
    context: &Context,
    base: FeedBase,
) -> Checked {
    let settings = Settings::default();
    let links = |feed: &[u8]| {
        let mut links = Vec::new();
        let read = read(feed, &settings);
        read.examine(feed, context, &settings, base, &mut |found| {
            links.push(link(found));
        });
        links
    };
    let rewrite = |feed: &'_ [u8]| {
        let rewritten = read(feed, &settings).rewrite(feed, context, &settings, base);
        let is_damaged = rewritten.examined.damage.is_some();
        (
            rewritten.document.to_vec(),
            rewritten.is_changed(),
            is_damaged,
        )
    };
    let (new, is_changed, is_damaged) = rewrite(input);
    if is_damaged && is_changed {
        return Err("what cannot be read changed".into());
    }
    same("the second run", rewrite(&new).1, false)?;
    same_links(&links(input), &links(&new))
}

/// A style sheet, likewise.
pub(crate) fn css_file(input: &[u8]) -> Checked {
    let context = Context::retrieved_from("https://h/d/s.css").unwrap_or_default();
    let settings = Settings::default();
    let links = |sheet: &[u8]| {
        let mut links = Vec::new();
        sheet::examine(sheet, &context, &settings, &mut |found| {
            links.push(link(found))
        });
        links
    };
    let rewritten = sheet::rewrite(input, &context, &settings);
    let twice = sheet::rewrite(&rewritten.document, &context, &settings);
    same("the second run", twice.is_changed(), false)?;
    same_links(&links(input), &links(&rewritten.document))
}

fn same_links(before: &[Link], after: &[Link]) -> Checked {
    same("number of references", after.len(), before.len())?;
    for (x, y) in before.iter().zip(after) {
        match &x.absolute {
            Some(absolute) if x.outcome == "relative" => {
                same("the outcome of what was rewritten", &*y.outcome, "absolute")?;
                // What cannot stand in its place is escaped there.
                if !absolute.contains([' ', '%', '\0']) && absolute.is_ascii() {
                    same("what was announced", &y.reference, absolute)?;
                }
            }
            _ => {
                same("what stays", &y.reference, &x.reference)?;
                same("its outcome", &y.outcome, &x.outcome)?;
            }
        }
    }
    Ok(())
}
