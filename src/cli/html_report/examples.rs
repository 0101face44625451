//! References that are shown one by one: the first that a browser takes elsewhere, of each class, and
//! the first of each element and attribute that changes.
//!
//! Workers meet them in any order, and the first ones by path are shown. All workers know what the
//! files before have given, so they need not send what would not be shown.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering};

use serde::{Deserialize, Serialize};

use super::text::{LONGEST, LONGEST_SENTENCE, shown};
use crate::batch::Located;
use crate::cli::format::text::described;
use crate::cli::run::exit::{Remaining, is_left};
use abslink_html::{Outcome, ValueKind};

/// At most this many of each class are shown.
const OF_CLASS: u8 = 3;
/// At most this many changes are shown.
const CHANGES: usize = 20;
/// At most this many of those that are left.
const LEFT: usize = 200;
/// More than there are classes; their numbers begin at 1.
const CLASSES: usize = 32;

/// A reference that may be shown.
#[derive(Serialize, Deserialize)]
pub(super) enum Example {
    /// The class of its divergence. If as many as are shown have that, it only counts.
    Divergent(u8, Option<Divergent>),
    Change(Change),
    /// Where a reference is that is relative and should not be; its element, attribute and text, and its absolute
    /// form or why it has none.
    Left(String, String),
}

/// A reference that a browser takes elsewhere.
#[derive(Serialize, Deserialize)]
pub(super) struct Divergent {
    pub(super) class: String,
    pub(super) explanation: String,
    pub(super) place: String,
    pub(super) reference: String,
    pub(super) resolved: Option<String>,
    pub(super) browser: Option<String>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct Change {
    key: u64,
    pub(super) place: String,
    /// The text before the value, and after it.
    pub(super) before: String,
    pub(super) after: String,
    /// The part of the value that is removed, the part that is added, and the rest.
    pub(super) removed: String,
    pub(super) added: String,
    pub(super) rest: String,
}

/// Counts of earlier files, so that workers do not make examples that nobody needs.
#[derive(Default)]
pub(super) struct ExampleCounts {
    classes: [AtomicU8; CLASSES],
    changes: [AtomicU64; CHANGES],
    left: AtomicUsize,
}

impl ExampleCounts {
    /// The example of a reference that a browser takes elsewhere.
    pub(super) fn divergent(&self, found: &Located<'_>) -> Option<Example> {
        let reference = found.reference;
        let divergence = reference.divergent?;
        let number = divergence.class.number();
        let of_class = self.classes.get(usize::from(number))?;
        let url = |url: &str| shown(url, LONGEST);
        let is_shown = of_class.load(Ordering::Relaxed) < OF_CLASS;
        let divergent = is_shown.then(|| Divergent {
            class: divergence.class.name().to_owned(),
            explanation: divergence.class.to_string(),
            place: place(found),
            reference: url(reference.reference),
            resolved: reference.absolute.map(url),
            browser: divergence.browser.as_deref().map(url),
        });
        Some(Example::Divergent(number, divergent))
    }

    /// The example of a reference that is left.
    pub(super) fn left(&self, found: &Located<'_>, left: Remaining) -> Option<Example> {
        let outcome = found.reference.outcome;
        let is_left = match left {
            Remaining::Relative => is_left(found.reference),
            _ => outcome == Outcome::Unresolved,
        };
        if !is_left || self.left.load(Ordering::Relaxed) >= LEFT {
            return None;
        }
        let described = described(found.reference, None, LONGEST);
        let described = shown(&described, LONGEST_SENTENCE);
        Some(Example::Left(place(found), described))
    }

    /// The example of a reference that changes.
    pub(super) fn change(&self, found: &Located<'_>) -> Option<Example> {
        let reference = found.reference;
        let to = reference.to?;
        let mut hasher = DefaultHasher::new();
        (reference.element, reference.attribute).hash(&mut hasher);
        // Zero stands for none.
        let key = hasher.finish().max(1);
        // If it is known already, or there is no room, nothing is sent.
        for known in &self.changes {
            match known.load(Ordering::Relaxed) {
                0 => return Some(Example::Change(change(found, to, key))),
                known if known == key => return None,
                _ => {}
            }
        }
        None
    }
}

/// Where a reference is, for people.
fn place(found: &Located<'_>) -> String {
    let path = shown(&found.path.to_string_lossy(), LONGEST);
    format!("{path}:{}:{}", found.line, found.column)
}

fn change(found: &Located<'_>, absolute: &str, key: u64) -> Change {
    let reference = found.reference;
    let (element, attribute) = (shown(reference.element, 40), shown(reference.attribute, 40));
    let (mut before, mut after) = match &*attribute {
        "" => (format!("<{element}>"), format!("</{element}>")),
        _ => (format!("<{element} {attribute}=\""), "\">".to_owned()),
    };
    // The value has more than the reference.
    if !matches!(reference.kind, ValueKind::Url | ValueKind::HashName) {
        before.push_str("… ");
        after.insert_str(0, " …");
    }
    let (old, new) = (reference.reference, absolute);
    let same = old.chars().rev().zip(new.chars().rev());
    let same = same.take_while(|(old, new)| old == new);
    let rest: usize = same.map(|(character, _)| character.len_utf8()).sum();
    let (removed, rest) = old.split_at(old.len() - rest);
    let added = &new[..new.len() - rest.len()];
    let [removed, added, rest] = [removed, added, rest].map(|text| shown(text, LONGEST));
    let place = place(found);
    Change {
        key,
        place,
        before,
        after,
        removed,
        added,
        rest,
    }
}

/// References of one class.
#[derive(Default)]
pub(super) struct ClassExamples {
    pub(super) references: u64,
    pub(super) first: Vec<Divergent>,
}

#[derive(Default)]
pub(super) struct Examples {
    /// By the numbers of the classes.
    pub(super) divergent: BTreeMap<u8, ClassExamples>,
    pub(super) changes: Vec<Change>,
    /// Places, and what is there.
    pub(super) left: Vec<(String, String)>,
}

impl Examples {
    /// Takes an example, in path order.
    pub(super) fn take(&mut self, example: Example, known: &ExampleCounts) {
        match example {
            Example::Divergent(class, divergent) => {
                let of_class = self.divergent.entry(class).or_default();
                of_class.references += 1;
                if let Some(divergent) = divergent
                    && of_class.first.len() < usize::from(OF_CLASS)
                {
                    of_class.first.push(divergent);
                    if let Some(known) = known.classes.get(usize::from(class)) {
                        known.fetch_add(1, Ordering::Relaxed);
                    }
                }
            }
            Example::Change(change) => {
                let is_new = self.changes.iter().all(|shown| shown.key != change.key);
                if let Some(known) = known.changes.get(self.changes.len()).filter(|_| is_new) {
                    known.store(change.key, Ordering::Relaxed);
                    self.changes.push(change);
                }
            }
            Example::Left(place, described) => {
                if self.left.len() < LEFT {
                    self.left.push((place, described));
                    known.left.store(self.left.len(), Ordering::Relaxed);
                }
            }
        }
    }
}
