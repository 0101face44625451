//! Two trees, and whether a browser could tell them apart.

use std::borrow::Cow;
use std::fmt;

use encoding_rs::{EncoderResult, Encoding, UTF_8};
use html5ever::tendril::TendrilSink;
use html5ever::{ParseOpts, QualName, local_name, ns, parse_document};
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use serde_json::Value;
use url::Url;

use super::decode::encoding;
use super::marks::{Marks, explains};
use super::places::{self, Grammar, Piece};
use crate::support::links::Link;

/// A document and the URL that a browser loads it from.
#[derive(Clone, Copy)]
pub(crate) struct Page<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) url: &'a Url,
    /// What `links` says of it.
    pub(crate) links: &'a [Link],
    /// The values of `--also`.
    pub(crate) also: &'a [&'a str],
}

/// Every difference between two documents: in the tree, or in where a place leads. A place that
/// `links` says of the input that it was to be left alone, or that browsers disagree about, may
/// lead where `links` says.
pub(crate) fn differences(input: Page<'_>, output: Page<'_>) -> Vec<String> {
    differences_in(encoding(input.bytes), input, output)
}

/// As [`differences`], where the encoding is known.
pub(crate) fn differences_in(
    encoding: &'static Encoding,
    input: Page<'_>,
    output: Page<'_>,
) -> Vec<String> {
    let mut found = Vec::new();
    let (marked, marks) = Marks::put(encoding, input.links, output.bytes, output.links);
    compare_documents(
        &encoding.decode(input.bytes).0,
        &encoding.decode(&marked).0,
        &Pair {
            input: View::new(input.url.clone(), encoding),
            output: View::new(output.url.clone(), encoding),
            marks: &marks,
            also: input.also,
        },
        &mut found,
    );
    found
}

/// The bytes of a query. What the encoding lacks is percent-encoded already: a browser does so with
/// the `&` and the `;` of its numeric reference too.
fn encoded(mut query: &str, encoding: &'static Encoding) -> Vec<u8> {
    let mut encoder = encoding.new_encoder();
    let mut bytes = Vec::new();
    loop {
        bytes.reserve(4 * query.len() + 16);
        let (result, read) =
            encoder.encode_from_utf8_to_vec_without_replacement(query, &mut bytes, true);
        query = &query[read..];
        match result {
            EncoderResult::InputEmpty => return bytes,
            EncoderResult::OutputFull => {}
            EncoderResult::Unmappable(lacking) => {
                bytes.extend(format!("%26%23{}%3B", u32::from(lacking)).bytes());
            }
        }
    }
}

/// One side of a comparison: what its references are resolved against.
#[derive(Clone)]
struct View {
    /// The HTML standard's fallback base URL.
    fallback: Url,
    /// The document base URL.
    base: Url,
    encoding: &'static Encoding,
}

impl View {
    fn new(fallback: Url, encoding: &'static Encoding) -> View {
        View {
            base: fallback.clone(),
            fallback,
            encoding,
        }
    }

    /// Where a browser would go.
    fn target(&self, base: &Url, reference: &str) -> Option<Url> {
        let reference = pre_step(reference);
        // url 2.5.8 fails on `///x`, where the URL Standard skips surplus slashes.
        let slashes = reference.find(|c| c != '/' && c != '\\');
        let reference = match slashes {
            Some(count @ 3..) if base.is_special() && base.scheme() != "file" => {
                format!("//{}", &reference[count..])
            }
            _ => reference,
        };
        Url::options()
            .base_url(Some(base))
            .encoding_override(Some(&|query| Cow::Owned(encoded(query, self.encoding))))
            .parse(&reference)
            .ok()
    }

    /// The view of a document whose first `base` element with an `href` is given.
    fn with_base(&self, href: Option<&str>) -> View {
        let embedded = href
            .and_then(|href| self.target(&self.fallback, href))
            .filter(|url| !matches!(url.scheme(), "data" | "javascript"));
        View {
            base: embedded.unwrap_or_else(|| self.fallback.clone()),
            ..self.clone()
        }
    }
}

struct Pair<'a> {
    input: View,
    output: View,
    marks: &'a Marks<'a>,
    also: &'a [&'a str],
}

impl Pair<'_> {
    fn counts(&self, group: &str) -> bool {
        self.also.contains(&group)
    }
}

/// What every reference goes through first: see the URL Standard's basic parser, steps 1 to 3.
pub(super) fn pre_step(reference: &str) -> String {
    reference
        .trim_matches(|c| c <= ' ')
        .replace(['\t', '\n', '\r'], "")
}

/// A document of its own: its `base` element decides.
fn compare_documents(input: &str, output: &str, pair: &Pair<'_>, found: &mut Vec<String>) {
    let (input, output) = (parse(input), parse(output));
    let pair = Pair {
        input: pair.input.with_base(embedded_base(&input).as_deref()),
        output: pair.output.with_base(embedded_base(&output).as_deref()),
        ..*pair
    };
    compare_trees(&input, &output, &pair, found);
}

pub(crate) fn parse(text: &str) -> RcDom {
    parse_document(RcDom::default(), Default::default()).one(text)
}

/// What a browser without scripts makes of text that one with scripts takes for raw.
pub(crate) fn parse_without_scripting(text: &str) -> RcDom {
    let mut options = ParseOpts::default();
    options.tree_builder.scripting_enabled = false;
    parse_document(RcDom::default(), options).one(text)
}

/// The `href` of the first HTML `base` element that has one. Templates keep their content apart,
/// so none of theirs is met.
pub(super) fn embedded_base(dom: &RcDom) -> Option<String> {
    let mut open = vec![dom.document.clone()];
    while let Some(node) = open.pop() {
        if let NodeData::Element { name, attrs, .. } = &node.data
            && name.ns == ns!(html)
            && name.local == local_name!("base")
            && let Some(href) = attrs.borrow().iter().find(|a| &*a.name.local == "href")
        {
            return Some(href.value.to_string());
        }
        open.extend(node.children.borrow().iter().rev().cloned());
    }
    None
}

/// Walks two trees side by side. The walk keeps its own stack: pages nest deeper than ours may.
///
/// It borrows whole documents, since a node that is dropped takes the children of all its
/// descendants away, even of those that somebody else still holds.
fn compare_trees(input: &RcDom, output: &RcDom, pair: &Pair<'_>, found: &mut Vec<String>) {
    let mut open = vec![(input.document.clone(), output.document.clone())];
    while let Some((a, b)) = open.pop() {
        match (&a.data, &b.data) {
            (NodeData::Text { contents: x }, NodeData::Text { contents: y }) => {
                compare_text(&a, &x.borrow(), &y.borrow(), pair, found);
            }
            (NodeData::Comment { contents: x }, NodeData::Comment { contents: y }) => {
                compare_comments(x, y, pair, found);
            }
            (NodeData::Element { name: x, .. }, NodeData::Element { name: y, .. }) if x == y => {
                compare_attributes(&a, &b, pair, found);
                if let (Some(x), Some(y)) = (template_contents(&a), template_contents(&b)) {
                    open.push((x, y));
                }
            }
            (NodeData::Document, NodeData::Document)
            | (NodeData::Doctype { .. }, NodeData::Doctype { .. })
            | (NodeData::ProcessingInstruction { .. }, NodeData::ProcessingInstruction { .. }) => {}
            _ => return found.push(format!("{} became {}", Shown(&a), Shown(&b))),
        }
        let (x, y) = (a.children.borrow(), b.children.borrow());
        if x.len() != y.len() {
            let counts = format!("{}: {} children became {}", Shown(&a), x.len(), y.len());
            return found.push(counts);
        }
        open.extend(x.iter().cloned().zip(y.iter().cloned()).rev());
    }
}

pub(crate) fn template_contents(node: &Handle) -> Option<Handle> {
    match &node.data {
        NodeData::Element {
            template_contents, ..
        } => template_contents.borrow().clone(),
        _ => None,
    }
}

/// Text is the same, except in a style sheet, and in what a browser without scripting or without
/// frames would take for markup.
fn compare_text(node: &Handle, x: &str, y: &str, pair: &Pair<'_>, found: &mut Vec<String>) {
    if x == y && x.is_empty() {
        return;
    }
    match parent_name(node).as_deref() {
        Some("style") => compare_value("style", x, y, Grammar::Css, pair, found),
        Some("noscript" | "noframes") => {
            let (x, y) = (parse_without_scripting(x), parse_without_scripting(y));
            compare_trees(&x, &y, pair, found);
        }
        Some("script") if pair.counts("json") && x != y => {
            match (serde_json::from_str(x), serde_json::from_str(y)) {
                (Ok(x), Ok(y)) => compare_import_maps(&x, &y, pair, found),
                _ => found.push(format!("a script changed: {x:?} to {y:?}")),
            }
        }
        _ if x == y => {}
        parent => found.push(format!("text in {parent:?} changed: {x:?} to {y:?}")),
    }
}

/// A comment is the same, except for the markup in one that Internet Explorer read.
fn compare_comments(x: &str, y: &str, pair: &Pair<'_>, found: &mut Vec<String>) {
    fn conditional(comment: &str) -> Option<(&str, &str)> {
        let rest = comment.strip_prefix("[if ")?.strip_suffix("<![endif]")?;
        rest.split_once("]>")
    }
    match (conditional(x), conditional(y)) {
        (Some((when, x)), Some((then, y))) if pair.counts("comments") && when == then => {
            compare_trees(&parse(x), &parse(y), pair, found);
        }
        _ if x == y => {}
        _ => found.push(format!("comment {x:?} became {y:?}")),
    }
}

/// HTML, "parse a URL-like import specifier": whatever begins like a path leads where it led,
/// names and values; the rest is the same.
fn compare_import_maps(x: &Value, y: &Value, pair: &Pair<'_>, found: &mut Vec<String>) {
    let is_same = |x: &str, y: &str| {
        let leads = |view: &View, reference| view.target(&view.base, reference);
        match ["/", "./", "../"].iter().any(|start| x.starts_with(start)) {
            true => leads(&pair.input, x) == leads(&pair.output, y),
            false => x == y,
        }
    };
    match (x, y) {
        (Value::String(x), Value::String(y)) if is_same(x, y) => {}
        (Value::Object(x), Value::Object(y)) if x.len() == y.len() => {
            for ((name, x), (new_name, y)) in x.iter().zip(y) {
                if !is_same(name, new_name) {
                    found.push(format!("import map: {name} became {new_name}"));
                }
                compare_import_maps(x, y, pair, found);
            }
        }
        // Numbers and such.
        _ if x == y && !x.is_string() => {}
        _ => found.push(format!("import map: {x} became {y}")),
    }
}

pub(super) fn parent_name(node: &Handle) -> Option<String> {
    let parent = node.parent.take();
    node.parent.set(parent.clone());
    match &parent?.upgrade()?.data {
        // In SVG the others are elements like any other, and MathML has none of them.
        NodeData::Element { name, .. }
            if name.ns == ns!(html) || name.ns == ns!(svg) && &*name.local == "style" =>
        {
            Some(name.local.to_string())
        }
        _ => None,
    }
}

fn compare_attributes(a: &Handle, b: &Handle, pair: &Pair<'_>, found: &mut Vec<String>) {
    let (NodeData::Element { name, attrs: x, .. }, NodeData::Element { attrs: y, .. }) =
        (&a.data, &b.data)
    else {
        return;
    };
    let (x, y) = (x.borrow(), y.borrow());
    if !x.iter().map(|a| &a.name).eq(y.iter().map(|a| &a.name)) {
        return found.push(format!("{}: other attributes", Shown(a)));
    }
    let element = places::Element {
        namespace: &name.ns,
        name: &name.local.to_ascii_lowercase(),
        also: pair.also,
        attribute: &|wanted| {
            x.iter()
                .find(|a| &*a.name.local == wanted)
                .map(|a| a.value.to_ascii_lowercase())
        },
    };
    for (x, y) in x.iter().zip(y.iter()) {
        let foreign = if name.ns == ns!(html) { "" } else { "foreign " };
        let place = format!("{foreign}{} {}", element.name, qualified(&x.name));
        match places::grammar(&element, &qualified(&x.name)) {
            Some(grammar) => compare_value(&place, &x.value, &y.value, grammar, pair, found),
            None if *x.value == *pair.marks.removed(&y.value) => {}
            None => found.push(format!("{place}: {} became {}", x.value, y.value)),
        }
    }
}

pub(crate) fn qualified(name: &QualName) -> String {
    match &name.prefix {
        Some(prefix) => format!("{prefix}:{}", name.local),
        None => name.local.to_string(),
    }
}

/// The parts of two values that are no URLs are the same; the URLs lead to the same targets.
fn compare_value(
    place: &str,
    x: &str,
    y: &str,
    grammar: Grammar,
    pair: &Pair<'_>,
    found: &mut Vec<String>,
) {
    if grammar == Grammar::Srcdoc {
        let inner = Pair {
            input: View::new(pair.input.base.clone(), UTF_8),
            output: View::new(pair.output.base.clone(), UTF_8),
            ..*pair
        };
        return compare_documents(x, y, &inner, found);
    }
    let (xs, ys) = (places::pieces(x, grammar), places::pieces(y, grammar));
    if xs.len() != ys.len() {
        return found.push(format!("{place}: other structure: {x} to {y}"));
    }
    // These two are resolved before any base element counts.
    let own = matches!(place, "base href" | "html manifest");
    for piece in xs.iter().zip(&ys) {
        match piece {
            (Piece::Text(x), Piece::Text(y)) if x == y || **x == pair.marks.removed(y) => {}
            (Piece::Url(x), Piece::Url(y)) => {
                let [before, after] = [(&pair.input, x), (&pair.output, y)].map(|(view, url)| {
                    let base = if own { &view.fallback } else { &view.base };
                    view.target(base, url)
                });
                let said = match place {
                    "base href" => pair.marks.of_base(&pre_step(x)),
                    _ => pair.marks.of(&pre_step(y)),
                };
                let is_explained =
                    said.is_some_and(|link| explains(link, &pre_step(x), before.as_ref()));
                if before != after && !is_explained {
                    let shown = |url: Option<Url>| url.map_or("nothing".into(), String::from);
                    let (before, after) = (shown(before), shown(after));
                    found.push(format!(
                        "{place}: {x} led to {before}, {y} leads to {after}"
                    ));
                }
            }
            (x, y) => found.push(format!("{place}: {x:?} became {y:?}")),
        }
    }
}

/// A node in a message.
struct Shown<'a>(&'a Handle);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0.data {
            NodeData::Element { name, .. } => write!(f, "<{}>", name.local),
            NodeData::Text { contents } => write!(f, "text {:?}", contents.borrow()),
            NodeData::Comment { contents } => write!(f, "comment {contents:?}"),
            NodeData::Document => f.write_str("document"),
            NodeData::Doctype { .. } => f.write_str("doctype"),
            NodeData::ProcessingInstruction { .. } => f.write_str("processing instruction"),
        }
    }
}
