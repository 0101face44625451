//! XHTML before and after, as roxmltree reads it, and each target by the transcription of RFC 1808.
//!
//! The witness reads namespaces, CDATA sections and general entities, those that hold markup too. A
//! value with an entity that the document declares has to stay, and so has all that a declaration
//! spells. It does not read what browsers apply besides: default attributes, the entities of HTML,
//! and character references in an entity that come to stand for markup. It refuses documents that
//! are not well-formed. Generated documents have nothing of the kind; the fixtures that have are
//! named below.

use std::ops::Range;

use abslink::{Context, Settings, Syntax, edits, pre_step};
use html5ever::{Namespace, ns};
use roxmltree::{Attribute, Document, Node, ParsingOptions};

use super::places::{Element, Grammar, Piece, grammar, pieces};
use crate::document::fixtures::each_case_of;
use crate::support::transcription;

use crate::support::generate;

const XLINK: &str = "http://www.w3.org/1999/xlink";

fn parse(text: &str) -> Result<Document<'_>, String> {
    let options = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    Document::parse_with_options(text, options).map_err(|error| error.to_string())
}

/// The expected side of a comparison.
struct View<'d> {
    /// The URL that a reference to nowhere else leads to.
    base: String,
    retrieval: String,
    /// Where the document itself begins: nodes before come from declarations.
    root: usize,
    /// The document before.
    input: &'d str,
}

/// What stands before the root, with the targets of style sheets in place of their references.
fn prolog(document: &Document<'_>, text: &str, retrieval: &str) -> String {
    let root = document.root_element().range().start;
    let (mut out, mut done) = (String::new(), 0);
    for node in document
        .root()
        .children()
        .filter(|node| node.range().end <= root)
    {
        let instruction = &text[node.range()];
        let is_stylesheet = node.pi().is_some_and(|pi| pi.target == "xml-stylesheet");
        let Some(at) = instruction.find("href").filter(|_| is_stylesheet) else {
            continue;
        };
        let rest = instruction[at + "href".len()..].trim_start_matches(['=', ' ']);
        let Some(quote) = rest.chars().next().filter(|c| ['"', '\''].contains(c)) else {
            continue;
        };
        let start = node.range().end - rest.len() + 1;
        let length = rest[1..].find(quote).unwrap();
        out.push_str(&text[done..start]);
        out.push_str(&transcription::resolve(
            retrieval,
            &text[start..start + length],
        ));
        done = start + length;
    }
    out + &text[done..root]
}

/// Compares two documents; says how many references were looked at.
fn compare(input: &str, output: &str, retrieval: &str) -> Result<usize, String> {
    let before = parse(input)?;
    let after = parse(output).map_err(|error| format!("what comes out: {error}\n{output}"))?;
    let href = before.descendants().find_map(|node| {
        let is_base = node.has_tag_name((HTML, "base"));
        node.attribute("href").filter(|_| is_base)
    });
    // HTML standard, "set the frozen base URL".
    let href = href.filter(|href| !href.starts_with("javascript:"));
    let view = View {
        base: href.map_or(retrieval.to_owned(), |href| {
            transcription::resolve(retrieval, &pre_step(href))
        }),
        retrieval: retrieval.to_owned(),
        root: before.root_element().range().start,
        input,
    };
    if prolog(&before, input, retrieval) != prolog(&after, output, retrieval) {
        return Err("the declarations changed".into());
    }
    // The text of a style sheet is compared as a whole: a URL may go from one run into another.
    let is_apart = |node: &Node<'_, '_>| !is_of_style(*node);
    let mut xs = before.descendants().filter(is_apart);
    let mut ys = after.descendants().filter(is_apart);
    let mut count = 0;
    loop {
        match (xs.next(), ys.next()) {
            (None, None) => return Ok(count),
            (Some(x), Some(y)) => count += view.compare_nodes(x, y)?,
            (x, y) => return Err(format!("{x:?} became {y:?}")),
        }
    }
}

const HTML: &str = "http://www.w3.org/1999/xhtml";

impl View<'_> {
    fn compare_nodes(&self, x: Node<'_, '_>, y: Node<'_, '_>) -> Result<usize, String> {
        let same = x.node_type() == y.node_type()
            && x.tag_name() == y.tag_name()
            // What stands before the root was compared as text.
            && (x.pi() == y.pi() || x.range().start < self.root)
            && children(x) == children(y)
            && (!x.is_comment() || x.text() == y.text());
        if !same {
            return Err(format!("{x:?} became {y:?}"));
        }
        if x.is_text() {
            let is_same = x.text() == y.text();
            let changed = || format!("text {:?} became {:?}", x.text(), y.text());
            return is_same.then_some(0).ok_or_else(changed);
        }
        let is_declared = x.range().start < self.root;
        let mut count = 0;
        if is_style(x) {
            let text = |node: Node<'_, '_>| -> String {
                let texts = node.children().filter(Node::is_text);
                texts.filter_map(|node| node.text()).collect()
            };
            let content = x
                .first_child()
                .map(|child| child.range().start..x.range().end);
            let stays = is_declared || content.is_some_and(|content| self.has_entity(content));
            let place = ("style", Grammar::Css, stays);
            count += self.compare_values(place, &text(x), &text(y))?;
        }
        if x.attributes().len() != y.attributes().len() {
            return Err(format!("{x:?} has other attributes in {y:?}"));
        }
        for (a, b) in x.attributes().zip(y.attributes()) {
            if (a.namespace(), a.name()) != (b.namespace(), b.name()) {
                return Err(format!("{a:?} became {b:?}"));
            }
            match attribute_grammar(x, a.namespace(), a.name()) {
                Some(grammar) => {
                    // The base element's own does not count for itself.
                    let place = match x.has_tag_name((HTML, "base")) {
                        true => "base",
                        false => a.name(),
                    };
                    // What a `meta` element is may depend on another attribute.
                    let decides = |other: &Attribute<'_, '_>| {
                        x.has_tag_name((HTML, "meta")) && self.has_entity(other.range_value())
                    };
                    let stays = is_declared
                        || self.has_entity(a.range_value())
                        || x.attributes().any(|other| decides(&other));
                    let place = (place, grammar, stays);
                    count += self.compare_values(place, a.value(), b.value())?;
                }
                None if a.value() == b.value() => {}
                None => return Err(format!("{a:?} became {b:?}")),
            }
        }
        Ok(count)
    }

    /// Whether an entity spells a part of a value, outside of CDATA sections and comments.
    fn has_entity(&self, value: Range<usize>) -> bool {
        const PREDEFINED: [&str; 5] = ["amp", "lt", "gt", "quot", "apos"];
        let mut text = self.input[value].to_owned();
        for (open, close) in [("<![CDATA[", "]]>"), ("<!--", "-->"), ("<?", "?>")] {
            while let Some((before, rest)) = text.split_once(open) {
                let after = rest.split_once(close).map_or("", |(_, after)| after);
                text = format!("{before}{after}");
            }
        }
        text.split('&').skip(1).any(|reference| {
            let name = reference.split(';').next().unwrap_or_default();
            !name.starts_with('#') && !PREDEFINED.contains(&name)
        })
    }

    fn compare_values(
        &self,
        (place, grammar, stays): (&str, Grammar, bool),
        x: &str,
        y: &str,
    ) -> Result<usize, String> {
        if stays || grammar == Grammar::Srcdoc {
            return (x == y)
                .then_some(0)
                .ok_or(format!("{place}: {x} became {y}"));
        }
        let (xs, ys) = (pieces(x, grammar), pieces(y, grammar));
        if xs.len() != ys.len() {
            return Err(format!("{place}: other structure: {x:?} to {y:?}"));
        }
        let mut count = 0;
        for piece in xs.iter().zip(&ys) {
            match piece {
                (Piece::Text(x), Piece::Text(y)) if x == y => {}
                (Piece::Url(x), Piece::Url(y)) => {
                    let base = match place {
                        "base" => &self.retrieval,
                        _ => &self.base,
                    };
                    let expected = transcription::resolve(base, &pre_step(x));
                    // White space would end a URL in a list.
                    let spelt = |url: &str| url.replace(' ', "%20");
                    if spelt(&pre_step(y)) != spelt(&expected) {
                        return Err(format!("{place}: {x:?} is {expected:?}, not {y:?}"));
                    }
                    count += 1;
                }
                (x, y) => return Err(format!("{place}: {x:?} became {y:?}")),
            }
        }
        Ok(count)
    }
}

fn is_of_style(node: Node<'_, '_>) -> bool {
    node.is_text() && node.parent_element().is_some_and(is_style)
}

/// No run of text is lost, either.
fn children(node: Node<'_, '_>) -> usize {
    node.children().count()
}

fn is_style(node: Node<'_, '_>) -> bool {
    let name = node.tag_name();
    name.name() == "style" && matches!(name.namespace(), Some(HTML | "http://www.w3.org/2000/svg"))
}

fn attribute_grammar(node: Node<'_, '_>, space: Option<&str>, name: &str) -> Option<Grammar> {
    let namespace: Namespace = match node.tag_name().namespace()? {
        HTML => ns!(html),
        "http://www.w3.org/2000/svg" => ns!(svg),
        "http://www.w3.org/1998/Math/MathML" => ns!(mathml),
        _ => return None,
    };
    let is_spelled_right = |name: &str| !name.bytes().any(|byte| byte.is_ascii_uppercase());
    let element = node.tag_name().name();
    if namespace == ns!(html) && !is_spelled_right(element) || !is_spelled_right(name) {
        return None;
    }
    let name = match space {
        None => name,
        Some(XLINK) if name == "href" => "xlink:href",
        Some(_) => return None,
    };
    let attribute = |name: &str| node.attribute(name).map(str::to_ascii_lowercase);
    let element = Element {
        namespace: &namespace,
        name: &known(element),
        also: &[],
        attribute: &attribute,
    };
    grammar(&element, name)
}

/// An element's name as the table of places has it, if it is spelled as its vocabulary spells it; else
/// one that no table has.
fn known(element: &str) -> String {
    const MIXED: [&str; 8] = [
        "altGlyph",
        "animateMotion",
        "animateTransform",
        "feImage",
        "glyphRef",
        "linearGradient",
        "radialGradient",
        "textPath",
    ];
    let lower = element.to_ascii_lowercase();
    let mixed = MIXED.iter().find(|it| it.eq_ignore_ascii_case(element));
    match *mixed.unwrap_or(&&*lower) == element {
        true => lower,
        false => "unknown".to_owned(),
    }
}

const RETRIEVAL: &str = "https://h.example/d/x.xhtml";

/// What abslink writes for a document.
fn rewritten(input: &str) -> Result<String, String> {
    let context = Context::retrieved_from(RETRIEVAL).map_err(|error| error.to_string())?;
    let settings = Settings::default();
    let (examined, edits) = edits(
        input.as_bytes(),
        Syntax::Xml,
        &context,
        &settings,
        &mut |_| {},
    );
    if let Some(reason) = examined.left {
        return Err(format!("left: {reason}"));
    }
    let values = values(&parse(input)?);
    let (mut output, mut done) = (Vec::new(), 0);
    for (old, new) in edits {
        let is_in = |value: &Range<usize>| value.start <= old.start && old.end <= value.end;
        if !values.iter().any(is_in) {
            return Err(format!("no value stands at {old:?}"));
        }
        output.extend_from_slice(&input.as_bytes()[done..old.start]);
        output.extend(new);
        done = old.end;
    }
    output.extend_from_slice(&input.as_bytes()[done..]);
    String::from_utf8(output).map_err(|error| error.to_string())
}

/// Where edits may be: in attribute values, and in the content of `style`.
fn values(document: &Document<'_>) -> Vec<Range<usize>> {
    let root = document.root_element().range().start;
    let nodes = document
        .descendants()
        .filter(|node| node.range().start >= root);
    nodes
        .flat_map(|node| {
            let first = node.first_child().filter(|_| is_style(node));
            let content = first.map(|child| child.range().start..node.range().end);
            let values = node.attributes().map(|attribute| attribute.range_value());
            content.into_iter().chain(values).collect::<Vec<_>>()
        })
        .collect()
}

#[test]
fn generated_documents_mean_the_same() {
    let mut count = 0;
    generate::xhtml::documents(3_000, |document| {
        // There is none that the witness cannot read.
        count += compare(document, &rewritten(document)?, RETRIEVAL)?;
        Ok(())
    });
    println!("{count} references");
}

/// The generator makes what it is there for.
#[test]
fn generated_documents_have_references() {
    let count = |marks: &[&str]| {
        let documents = (0..300).map(generate::xhtml::document);
        documents
            .filter(|it| marks.iter().all(|mark| it.contains(mark)))
            .count()
    };
    for marks in [
        ["<!ENTITY", "&root;p"],
        ["<!ENTITY", "&links;"],
        ["<svg", "xl:href"],
        ["style>", "<![CDATA["],
        ["<base", "&"],
    ] {
        assert!(count(&marks) > 20, "{marks:?}");
    }
    let looked_at: usize = (0..300)
        .map(generate::xhtml::document)
        .map(|document| compare(&document, &rewritten(&document).unwrap(), RETRIEVAL).unwrap())
        .sum();
    assert!(looked_at > 1_000, "{looked_at}");
}

/// Fixtures with what the witness does not read, and one for another resolver.
const BEYOND: &[&str] = &[
    "xhtml-defaults",
    "xhtml-endless-entities",
    "xhtml-endless-markup",
    "xhtml-html-entities",
    "xhtml-label-with-space",
    "xhtml-unknown-entities",
];

#[test]
fn fixtures_mean_the_same() {
    let mut count = 0;
    each_case_of("html", |case| {
        if !case.input.ends_with(".xhtml") || case.code == 2 || BEYOND.contains(&&*case.name) {
            return Ok(());
        }
        count += 1;
        let input = std::fs::read_to_string(case.path(&case.input)).unwrap();
        let output = std::str::from_utf8(&case.expected).unwrap();
        compare(&input, output, case.retrieval_url().as_str()).map(drop)
    });
    assert!(count >= 6, "{count}");
}

/// An oracle that finds nothing wrong anywhere would be agreeable, and useless.
#[test]
fn planted_errors_are_found() {
    let page = |subset: &str, body: &str| {
        format!("<!DOCTYPE html [{subset}]><html xmlns='{HTML}' xmlns:x='{XLINK}'>{body}</html>")
    };
    let base = "https://h.example/d/";
    for (what, subset, input, output) in [
        (
            "a link that stays",
            "",
            "<a href='x'/>",
            "<a href='x'/>".to_owned(),
        ),
        (
            "another target",
            "",
            "<a href='x'/>",
            format!("<a href='{base}y'/>"),
        ),
        (
            "an entity taken literally",
            "<!ENTITY r 'http://o/'>",
            "<a href='&r;p'/>",
            format!("<a href='{base}&r;p'/>"),
        ),
        (
            "an entity expanded",
            "<!ENTITY r 'p'>",
            "<a href='&r;'/>",
            format!("<a href='{base}p'/>"),
        ),
        (
            "another prefix left out",
            "",
            "<svg xmlns='http://www.w3.org/2000/svg' x:href=''><a x:href='b'/></svg>",
            "<svg xmlns='http://www.w3.org/2000/svg' x:href=''><a x:href='b'/></svg>".to_owned(),
        ),
        (
            "text that splits a token",
            "",
            "<style>a{b:url(x<![CDATA[y)]]>}</style>",
            format!("<style>a{{b:url({base}x)<![CDATA[y)]]>}}</style>"),
        ),
        (
            "a newline in a string",
            "",
            "<style>a{b:url('x\\\ny')}</style>",
            format!("<style>a{{b:url('{base}x\ny')}}</style>"),
        ),
        ("an element more", "", "<p/>", "<p/><p/>".to_owned()),
        (
            "another attribute",
            "",
            "<p id='a'/>",
            "<p id='b'/>".to_owned(),
        ),
        (
            "other declarations",
            "<!ENTITY r 'x'>",
            "<p/>",
            String::new(),
        ),
    ] {
        let (input, output) = match &*output {
            "" => (page(subset, input), page("<!ENTITY r 'y'>", input)),
            output => (page(subset, input), page(subset, output)),
        };
        assert!(
            compare(&input, &output, RETRIEVAL).is_err(),
            "{what} was not found"
        );
    }
}
