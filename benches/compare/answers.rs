//! What a program made of references, and of everything else.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use abslink::{Context, Settings, Syntax, examine};
use html5ever::tendril::TendrilSink;
use html5ever::{ParseOpts, QualName, ns, parse_document};
use markup5ever_rcdom::{NodeData, RcDom};
use rayon::prelude::*;
use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};
use url::Url;

use crate::oracle::decode;
use crate::oracle::places::{self, Grammar, Piece};

/// After this time a rough answer is enough.
const PATIENCE: Duration = Duration::from_secs(5);

/// A program's answers beside abslink's.
#[derive(Default)]
pub(crate) struct Answers {
    /// References that both made absolute and that lead to the same target.
    pub(crate) same: u64,
    /// Those that are still relative.
    pub(crate) relative: u64,
    /// Those that lead elsewhere, or are gone.
    pub(crate) other: u64,
    /// Bytes outside references that differ from the input's.
    pub(crate) bytes: u64,
}

impl Answers {
    fn add(self, more: Answers) -> Answers {
        Answers {
            same: self.same + more.same,
            relative: self.relative + more.relative,
            other: self.other + more.other,
            bytes: self.bytes + more.bytes,
        }
    }
}

/// Compares the documents of three trees: the input, abslink's output and another program's.
pub(crate) fn compare(documents: &[&PathBuf], trees: [&Path; 3]) -> Answers {
    documents
        .par_iter()
        .map(|name| {
            // The other program may have written nothing at all.
            let [input, ours, theirs] =
                trees.map(|tree| fs::read(tree.join(name)).unwrap_or_default());
            let mut answers = references(&urls(&input), &urls(&ours), &urls(&theirs));
            answers.bytes = changed(&without_references(&input), &without_references(&theirs));
            answers
        })
        .reduce(Answers::default, Answers::add)
}

/// Where a URL is, and the URL.
type Found = (String, String);

/// Compares by number, not by order: a parser that repairs a document may move elements.
fn references(input: &[Found], ours: &[Found], theirs: &[Found]) -> Answers {
    assert_eq!(input.len(), ours.len(), "abslink changed the tree");
    let mut left: HashMap<(&str, String), u64> = HashMap::new();
    for (place, url) in theirs {
        *left.entry((place, target(url))).or_default() += 1;
    }
    let mut take = |place, url| {
        let count = left.get_mut(&(place, url)).filter(|count| **count > 0);
        count.map(|count| *count -= 1).is_some()
    };
    let pairs = || input.iter().zip(ours);
    for ((place, url), _) in pairs().filter(|(before, after)| before == after) {
        take(place, target(url));
    }
    let mut answers = Answers::default();
    let mut rest: HashMap<&str, u64> = HashMap::new();
    for (_, (place, url)) in pairs().filter(|(before, after)| before != after) {
        if take(place, target(url)) {
            answers.same += 1;
        } else {
            *rest.entry(place).or_default() += 1;
        }
    }
    for (place, count) in rest {
        let still = left
            .iter()
            .filter(|((where_it_is, url), _)| *where_it_is == place && Url::parse(url).is_err())
            .map(|(_, count)| *count)
            .sum::<u64>()
            .min(count);
        answers.relative += still;
        answers.other += count - still;
    }
    answers
}

/// A URL in the spelling of the URL Standard, or a relative one as it is.
fn target(url: &str) -> String {
    Url::parse(url).map_or_else(|_| url.trim().to_owned(), String::from)
}

/// Every URL that html5ever sees.
fn urls(document: &[u8]) -> Vec<Found> {
    let mut found = Vec::new();
    collect(&decode::text(document), &mut found);
    found
}

fn collect(document: &str, found: &mut Vec<Found>) {
    let mut options = ParseOpts::default();
    // As lxml reads it: the content of noscript is markup.
    options.tree_builder.scripting_enabled = false;
    let dom = parse_document(RcDom::default(), options).one(document);
    let mut open = vec![dom.document.clone()];
    while let Some(node) = open.pop() {
        let children = node.children.borrow();
        open.extend(children.iter().rev().cloned());
        let NodeData::Element {
            name,
            attrs,
            template_contents,
            ..
        } = &node.data
        else {
            continue;
        };
        open.extend(template_contents.borrow().clone());
        let attributes = attrs.borrow();
        let element = places::Element {
            namespace: &name.ns,
            name: &name.local.to_ascii_lowercase(),
            also: &[],
            attribute: &|wanted| {
                let mut attributes = attributes.iter();
                let found = attributes.find(|attribute| &*attribute.name.local == wanted);
                found.map(|attribute| attribute.value.to_ascii_lowercase())
            },
        };
        for attribute in attributes.iter() {
            let qualified = qualified(&attribute.name);
            let place = || format!("{} {qualified}", element.name);
            match places::grammar(&element, &qualified) {
                Some(Grammar::Srcdoc) => collect(&attribute.value, found),
                Some(grammar) => found.extend(pieces(place, &attribute.value, grammar)),
                None => {}
            }
        }
        if element.name == "style" && name.ns != ns!(mathml) {
            for child in children.iter() {
                if let NodeData::Text { contents } = &child.data {
                    found.extend(pieces(|| "style".into(), &contents.borrow(), Grammar::Css));
                }
            }
        }
    }
}

fn qualified(name: &QualName) -> String {
    match &name.prefix {
        Some(prefix) => format!("{prefix}:{}", name.local),
        None => name.local.to_string(),
    }
}

fn pieces(
    place: impl Fn() -> String,
    value: &str,
    grammar: Grammar,
) -> impl Iterator<Item = Found> {
    places::pieces(value, grammar)
        .into_iter()
        .filter_map(move |piece| match piece {
            Piece::Url(url) => Some((place(), url)),
            Piece::Text(_) => None,
        })
}

/// A document without the bytes of its references, the quotes around them and the `=` before
/// them: those come with a reference that needs them.
fn without_references(document: &[u8]) -> Vec<u8> {
    let mut spans = Vec::new();
    examine(
        document,
        Syntax::Html,
        &Context::default(),
        &Settings::default(),
        &mut |reference| spans.push(reference.span.clone()),
    );
    spans.sort_by_key(|span| span.start);
    let mut out = Vec::with_capacity(document.len());
    let mut at = 0;
    for span in spans {
        let before = &document[at..span.start.max(at)];
        let unquoted = before.strip_suffix(b"\"").or(before.strip_suffix(b"'"));
        let quoted = unquoted.is_some() && matches!(document.get(span.end), Some(b'"' | b'\''));
        let before = unquoted.filter(|_| quoted).unwrap_or(before);
        out.extend(before.strip_suffix(b"=").unwrap_or(before));
        at = at.max(span.end + usize::from(quoted));
    }
    out.extend(&document[at..]);
    out
}

/// How many bytes differ, in the smallest parts of tags and text that contain a difference.
fn changed(input: &[u8], output: &[u8]) -> u64 {
    if input == output {
        return 0;
    }
    let (old, new) = (parts(input), parts(output));
    let deadline = Some(Instant::now() + PATIENCE);
    let differences = capture_diff_slices_deadline(Algorithm::Myers, &old, &new, deadline);
    differences
        .iter()
        .filter(|difference| !matches!(difference, DiffOp::Equal { .. }))
        .map(|difference| {
            let (_, before, after) = difference.as_tag_tuple();
            let (before, after) = (old[before].concat(), new[after].concat());
            let common = |pairs: &mut dyn Iterator<Item = (&u8, &u8)>| {
                pairs.take_while(|(a, b)| a == b).count()
            };
            let start = common(&mut before.iter().zip(&after));
            let [a, b] = [&before, &after].map(|part| &part[start..]);
            let end = common(&mut a.iter().rev().zip(b.iter().rev()));
            (a.len().max(b.len()) - end) as u64
        })
        .sum()
}

/// Tags, and the lines between them.
fn parts(document: &[u8]) -> Vec<&[u8]> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, byte) in document.iter().enumerate() {
        let end = match byte {
            b'<' => at,
            b'>' | b'\n' => at + 1,
            _ => continue,
        };
        if end > start {
            parts.push(&document[start..end]);
        }
        start = end;
    }
    parts.push(&document[start..]);
    parts
}
