//! What abslink promises of a page, on odd ones, with all forms, resolvers, `--remove-base`, `--unwrap` and
//! `--move-url`.

use abslink::{Context, Group, Groups, Resolver, Settings, Syntax, To, rewrite_bytes};
use abslink_html::{BasePrescan, ChunkedRewriter, EncodingPrescan};
use encoding_rs::Encoding;
use html5ever::ns;
use markup5ever_rcdom::{NodeData, RcDom};

use super::check::Checked;
use crate::oracle::trees;
use crate::support::generate::{self, Random, odd};

const OWN: &str = "https://e.org/docs/a/b.html";

#[test]
fn odd_documents() {
    generate::each_seed(2_000, kept);
}

#[test]
#[ignore = "slow tier: 100,000 documents"]
fn many_odd_documents() {
    generate::each_seed(100_000, kept);
}

/// The trees before and after, with scripts and without them.
#[test]
fn trees_of_odd_documents() {
    generate::each_seed(2_000, same_tree);
}

#[test]
#[ignore = "slow tier: 10,000 documents, and as many trees"]
fn trees_of_many_odd_documents() {
    generate::each_seed(10_000, same_tree);
}

fn settings(random: &mut Random) -> Settings {
    let mut settings = Settings::default();
    settings.to = random.pick(&[To::Absolute, To::Relative, To::Root, To::Keep]);
    settings.resolver = random.pick(&Resolver::ALL);
    settings.remove_base = random.one_in(2);
    settings.unwrap = random.one_in(4);
    settings.verify = abslink_verify::second_reader();
    if random.one_in(3) {
        settings.groups = Group::ALL.into_iter().fold(Groups::default(), Groups::with);
    }
    if random.one_in(4) {
        let moved = "https://old.org/a/=https://new.org/a/".parse().unwrap();
        settings.moves = settings.moves.with(moved).unwrap();
    }
    settings
}

fn context(label: &str) -> Context {
    let mut context = Context::retrieved_from(OWN).unwrap();
    context.charset = Some(label.to_owned());
    context
}

/// No refusal, nothing to do for a second run, and the same bytes in pieces.
fn kept(seed: u64) -> Checked {
    let (syntax, label, document) = odd::document(seed);
    let mut random = Random(seed);
    let (settings, context) = (settings(&mut random), context(label));
    let shown = || {
        format!(
            "{syntax:?} {label} {settings:?}\n{}",
            document.escape_ascii()
        )
    };
    let new = rewrite_bytes(&document, syntax, &context, &settings);
    if let Some(refusal) = &new.examined.disagreement {
        return Err(format!("{refusal}\n{}", shown()));
    }
    let again = rewrite_bytes(&new.document, syntax, &context, &settings);
    if again.is_changed() {
        let [one, two] = [&new, &again].map(|it| it.document.escape_ascii());
        return Err(format!("once\n{one}\ntwice\n{two}\n{}", shown()));
    }
    if settings.remove_base || new.examined.left.is_some() {
        return Ok(());
    }
    match pieces(&document, syntax, &context, &settings, 1 + random.below(40)) {
        Some(pieces) if pieces != *new.document => {
            let [one, two] = [&*new.document, &pieces].map(|it| it.escape_ascii());
            Err(format!("whole\n{one}\nin pieces\n{two}\n{}", shown()))
        }
        _ => Ok(()),
    }
}

/// `None` where it has to be read whole.
fn pieces(
    document: &[u8],
    syntax: Syntax,
    context: &Context,
    settings: &Settings,
    length: usize,
) -> Option<Vec<u8>> {
    let mut prescan = EncodingPrescan::new(syntax, context.charset.as_deref());
    let pieces = || {
        let pieces = document.chunks(length).map(|piece| (piece, false));
        pieces.chain([(&[][..], true)])
    };
    pieces().for_each(|(piece, _)| prescan.look(piece));
    let mut facts = prescan.finish();
    if facts.need_search() {
        let mut search = BasePrescan::new(&mut facts);
        pieces().any(|(piece, last)| search.look(piece, last));
    }
    if facts.need_whole() {
        return None;
    }
    let mut rewriter = ChunkedRewriter::new(&facts, context, settings);
    let mut out = Vec::new();
    pieces().for_each(|(piece, last)| rewriter.rewrite(piece, last, &mut out));
    Some(out)
}

/// The same tree but for the values of places, text around `base` elements that became one node, and those elements, of
/// which as many give no URL any more as are counted.
fn same_tree(seed: u64) -> Checked {
    let (_, label, document) = odd::document(seed);
    let encoding = Encoding::for_label(label.as_bytes()).unwrap();
    for to in [To::Absolute, To::Relative, To::Files] {
        let mut settings = Settings::default();
        (settings.to, settings.remove_base) = (to, true);
        let new = rewrite_bytes(&document, Syntax::Html, &context(label), &settings);
        if !new.is_changed() {
            continue;
        }
        let text = |bytes| encoding.decode(bytes).0.into_owned();
        let (old_text, new_text) = (text(&document), text(&new.document));
        let gone = new.examined.tally.bases_removed;
        for parse in [trees::parse, trees::parse_without_scripting] {
            let [(old, bases), (new, left)] =
                [&old_text, &new_text].map(|text| nodes(&parse(text)));
            // A `frameset` may take the place of all that is in the body.
            let is_counted = old_text.contains("<frameset") || bases == left + gone;
            if old != new || !is_counted {
                let mut pairs = old.iter().zip(&new);
                let first = pairs.find(|(old, new)| old != new);
                return Err(format!(
                    "{to:?} {label} {first:?} {bases} - {gone} = {left}\n{old_text:?}\n{new_text:?}"
                ));
            }
        }
    }
    Ok(())
}

/// Attributes whose values are URLs, or have some in them.
const PLACES: &str = "href src srcset imagesrcset style ping cite data action content archive codebase classid srcdoc \
                      xlink:href";

/// A line for each node of a tree, and how many `base` elements give a URL.
fn nodes(dom: &RcDom) -> (Vec<String>, u64) {
    let mut lines: Vec<String> = Vec::new();
    let (mut bases, mut inert) = (0, 0);
    let mut open = vec![(dom.document.clone(), 0, false)];
    while let Some((node, depth, is_raw)) = open.pop() {
        inert = if depth <= inert { 0 } else { inert };
        let mut is_raw = is_raw;
        match &node.data {
            NodeData::Text { .. } if is_raw => {}
            NodeData::Text { contents } => {
                let text = format!("{depth} {}", contents.borrow());
                let joined = lines
                    .last_mut()
                    .filter(|last| last.starts_with(&format!("{depth} ")));
                match joined {
                    Some(last) => last.push_str(&contents.borrow()),
                    None => lines.push(text),
                }
            }
            NodeData::Comment { contents } if contents.starts_with("[if") => {}
            NodeData::Comment { contents } => lines.push(format!("{depth}!{contents}")),
            NodeData::Element { name, attrs, .. } => {
                let is_html = name.ns == ns!(html);
                if is_html && &*name.local == "base" {
                    let has_url = attrs.borrow().iter().any(|it| &*it.name.local == "href");
                    bases += u64::from(has_url && inert == 0);
                    continue;
                }
                is_raw = matches!(
                    &*name.local,
                    "style" | "script" | "noscript" | "noframes" | "iframe"
                );
                let attributes = attrs.borrow();
                let attributes = attributes.iter().map(|it| {
                    let name = trees::qualified(&it.name);
                    match PLACES.split(' ').any(|place| place == name) {
                        true => name,
                        false => format!("{name}={}", it.value),
                    }
                });
                let attributes: Vec<_> = attributes.collect();
                lines.push(format!(
                    "{depth}<{} {:?} {attributes:?}",
                    name.local, name.ns
                ));
            }
            other => lines.push(format!(
                "{depth}?{}",
                matches!(other, NodeData::Doctype { .. })
            )),
        }
        let inner = trees::template_contents(&node);
        open.extend(
            node.children
                .borrow()
                .iter()
                .rev()
                .map(|it| (it.clone(), depth + 1, is_raw)),
        );
        if inner.is_some() && inert == 0 {
            inert = depth;
        }
        open.extend(inner.map(|it| (it, depth + 1, false)));
    }
    (lines, bases)
}
