//! Where URLs stand, written down a second time: from the HTML standard's and SVG's lists of
//! attributes, not from abslink's table.

use html5ever::{Namespace, ns};

use super::css;

/// How a value is taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grammar {
    /// One URL. An empty value asks for none.
    Url,
    /// One URL, where the empty one is the base itself.
    UrlOrEmpty,
    /// One URL; one of the form `#x` means this document and stays.
    UrlOrSame,
    /// Separated by white space.
    Spaces,
    /// Separated by commas.
    Commas,
    Srcset,
    Refresh,
    Css,
    /// A document.
    Srcdoc,
}

/// A part of a value.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Piece<'a> {
    Text(&'a str),
    /// With the escapes of CSS undone.
    Url(String),
}

/// What [`grammar`] needs to know of an element.
pub(crate) struct Element<'a> {
    pub(crate) namespace: &'a Namespace,
    /// In lower case.
    pub(crate) name: &'a str,
    /// The values of `--also`.
    pub(crate) also: &'a [&'a str],
    /// An attribute's value in lower case.
    pub(crate) attribute: &'a dyn Fn(&str) -> Option<String>,
}

const SVG_PAINT: &[&str] = &[
    "clip-path",
    "cursor",
    "fill",
    "filter",
    "marker",
    "marker-start",
    "marker-mid",
    "marker-end",
    "mask",
    "stroke",
];

/// The grammar of an attribute that carries URLs.
pub(crate) fn grammar(element: &Element<'_>, attribute: &str) -> Option<Grammar> {
    if attribute == "style" {
        return Some(Grammar::Css);
    }
    if *element.namespace == ns!(svg) {
        svg(element.name, attribute)
    } else if *element.namespace == ns!(mathml) {
        mathml(element.name, attribute)
    } else {
        html(element, attribute)
    }
}

fn html(element: &Element<'_>, attribute: &str) -> Option<Grammar> {
    let name = element.name;
    let grammar = match (name, attribute) {
        ("a" | "area" | "base", "href") | (_, "itemid") => Grammar::UrlOrEmpty,
        ("blockquote" | "q" | "del" | "ins", "cite") => Grammar::UrlOrEmpty,
        ("img" | "iframe" | "frame", "longdesc") => Grammar::UrlOrEmpty,
        (_, "href" | "src") => Grammar::Url,
        ("form" | "isindex", "action") | ("input" | "button", "formaction") => Grammar::Url,
        ("object", "data" | "codebase") | ("applet", "codebase") => Grammar::Url,
        ("video", "poster") | ("img", "lowsrc" | "dynsrc") => Grammar::Url,
        ("html", "manifest") => Grammar::Url,
        ("embed", "pluginspage" | "pluginurl") | ("menuitem" | "command", "icon") => Grammar::Url,
        (
            "body" | "table" | "thead" | "tbody" | "tfoot" | "tr" | "td" | "th" | "layer"
            | "ilayer",
            "background",
        ) => Grammar::Url,
        ("param", "value") if (element.attribute)("valuetype").as_deref() == Some("ref") => {
            Grammar::Url
        }
        ("a" | "area", "ping") | ("head", "profile") | ("object", "archive") => Grammar::Spaces,
        ("a" | "area" | "img" | "script", "attributionsrc") => Grammar::Spaces,
        ("applet", "archive") => Grammar::Commas,
        ("img" | "source", "srcset") | ("link", "imagesrcset") => Grammar::Srcset,
        (_, "srcset") if name.contains('-') => Grammar::Srcset,
        ("iframe", "srcdoc") => Grammar::Srcdoc,
        ("meta", "content") if (element.attribute)("http-equiv").as_deref() == Some("refresh") => {
            Grammar::Refresh
        }
        ("meta", "content") if element.also.contains(&"meta") && names_url(element) => Grammar::Url,
        (_, "data-src" | "data-href") if element.also.contains(&"lazy") => Grammar::Url,
        (_, "data-srcset") if element.also.contains(&"lazy") => Grammar::Srcset,
        _ => return None,
    };
    Some(grammar)
}

/// Whether a `meta` says of its content that it is a URL, in one of the three ways to say it.
fn names_url(element: &Element<'_>) -> bool {
    [
        ("property", &["og:image", "og:url", "og:video"][..]),
        ("name", &["twitter:image", "msapplication-tileimage"]),
        ("itemprop", &["image", "url"]),
    ]
    .into_iter()
    .any(|(attribute, names)| {
        (element.attribute)(attribute).is_some_and(|name| names.contains(&&*name))
    })
}

fn svg(name: &str, attribute: &str) -> Option<Grammar> {
    let grammar = match (name, attribute) {
        ("a", "href" | "xlink:href") => Grammar::UrlOrEmpty,
        ("a", "ping") => Grammar::Spaces,
        (
            "image" | "script" | "cursor" | "font-face-uri" | "color-profile",
            "href" | "xlink:href",
        ) => Grammar::Url,
        (
            "feimage" | "use" | "lineargradient" | "radialgradient" | "pattern" | "mpath"
            | "textpath" | "filter" | "tref" | "altglyph" | "glyphref" | "animate"
            | "animatemotion" | "animatetransform" | "set" | "discard",
            "href" | "xlink:href",
        ) => Grammar::UrlOrSame,
        (_, paint) if SVG_PAINT.contains(&paint) => Grammar::Css,
        _ => return None,
    };
    Some(grammar)
}

fn mathml(name: &str, attribute: &str) -> Option<Grammar> {
    match (name, attribute) {
        (_, "href" | "xlink:href") => Some(Grammar::UrlOrEmpty),
        ("mglyph" | "annotation" | "annotation-xml", "src") | ("math", "altimg") => {
            Some(Grammar::Url)
        }
        _ => None,
    }
}

/// Takes a value apart.
pub(crate) fn pieces(value: &str, grammar: Grammar) -> Vec<Piece<'_>> {
    let space = |c: char| c.is_ascii_whitespace();
    match grammar {
        Grammar::Url if value.is_empty() => vec![Piece::Text("")],
        Grammar::UrlOrSame if value.is_empty() || value.starts_with('#') => {
            vec![Piece::Text(value)]
        }
        Grammar::Url | Grammar::UrlOrEmpty | Grammar::UrlOrSame | Grammar::Srcdoc => {
            vec![Piece::Url(value.to_owned())]
        }
        Grammar::Spaces => list(value, space),
        Grammar::Commas => list(value, |c| c == ',' || space(c)),
        Grammar::Srcset => srcset(value),
        Grammar::Refresh => refresh(value),
        Grammar::Css => css::pieces(value),
    }
}

fn list(value: &str, separates: impl Fn(char) -> bool) -> Vec<Piece<'_>> {
    value
        .split_inclusive(&separates)
        .flat_map(|item| {
            let url = item.trim_end_matches(&separates);
            let rest = &item[url.len()..];
            let url = (!url.is_empty()).then(|| Piece::Url(url.to_owned()));
            url.into_iter().chain([Piece::Text(rest)])
        })
        .collect()
}

/// HTML, "parse a srcset attribute".
fn srcset(value: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = value;
    loop {
        let start = rest.trim_start_matches(|c: char| c == ',' || c.is_ascii_whitespace());
        pieces.push(Piece::Text(&rest[..rest.len() - start.len()]));
        if start.is_empty() {
            return pieces;
        }
        let end = start
            .find(|c: char| c.is_ascii_whitespace())
            .unwrap_or(start.len());
        let (run, after) = start.split_at(end);
        let url = run.trim_end_matches(',');
        pieces.push(Piece::Url(url.to_owned()));
        pieces.push(Piece::Text(&run[url.len()..]));
        let descriptors = if url.len() == run.len() {
            descriptors_end(after)
        } else {
            0
        };
        let (descriptors, next) = after.split_at(descriptors);
        pieces.push(Piece::Text(descriptors));
        rest = next;
    }
}

/// The end of a candidate's descriptors: the first comma outside parentheses.
fn descriptors_end(text: &str) -> usize {
    let mut inside = false;
    for (at, c) in text.char_indices() {
        match c {
            '(' => inside = true,
            ')' => inside = false,
            ',' if !inside => return at,
            _ => {}
        }
    }
    text.len()
}

/// HTML, "shared declarative refresh steps".
fn refresh(value: &str) -> Vec<Piece<'_>> {
    match refresh_url(value) {
        Some((start, end)) if start < end => vec![
            Piece::Text(&value[..start]),
            Piece::Url(value[start..end].to_owned()),
            Piece::Text(&value[end..]),
        ],
        _ => vec![Piece::Text(value)],
    }
}

fn refresh_url(value: &str) -> Option<(usize, usize)> {
    let space = |c: char| c.is_ascii_whitespace();
    let rest = value.trim_start_matches(space);
    rest.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        .then_some(())?;
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    rest.starts_with(|c: char| c == ';' || c == ',' || space(c))
        .then_some(())?;
    let rest = rest.trim_start_matches(space);
    let rest = rest.strip_prefix([';', ',']).unwrap_or(rest);
    let rest = rest.trim_start_matches(space);
    let named = rest
        .get(..3)
        .filter(|word| word.eq_ignore_ascii_case("url"))
        .and_then(|_| rest[3..].trim_start_matches(space).strip_prefix('='))
        .map(|rest| rest.trim_start_matches(space));
    let url = named.unwrap_or(rest);
    let mismatch = named.is_none() && url.starts_with(['u', 'U']);
    let quote = url
        .chars()
        .next()
        .filter(|c| !mismatch && matches!(c, '"' | '\''));
    let url = &url[quote.map_or(0, char::len_utf8)..];
    let start = value.len() - url.len();
    let length = quote.and_then(|quote| url.find(quote)).unwrap_or(url.len());
    Some((start, start + length))
}
