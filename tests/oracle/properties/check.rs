//! What holds for every input, however odd. The fuzz targets of `fuzz/` run these checks as well;
//! each answers with what is wrong.

use std::fmt::Debug;

use abslink::rfc1808::{Components, explain};
use abslink::{
    BaseUrl, Context, Group, Groups, Placeholders, Reference, Resolver, Settings, Syntax, edits,
    examine, pre_step, rewrite_bytes,
};
use abslink_html::locate::{Attribute, Handler, RawText, Spelling, StartTag, html};
use abslink_url::rfc1808::grammar;
use abslink_url::{divergence, rfc1738};

use crate::oracle::bytes;
use crate::oracle::places::{Grammar, Piece, pieces};
use crate::support::links::Link;
use crate::support::transcription;

use crate::oracle::{browser, witness};

pub(crate) type Checked = Result<(), String>;

pub(super) fn same<T: PartialEq + Debug>(what: &str, found: T, expected: T) -> Checked {
    if found == expected {
        return Ok(());
    }
    Err(format!("{what}: found {found:?}, expected {expected:?}"))
}

/// The resolvers against the transcription of RFC 1808 and oxiri.
pub(crate) fn resolver(base_text: &str, reference: &str) -> Checked {
    let _ = (
        grammar::validate(reference),
        grammar::validate_generic(reference),
    );
    let _ = rfc1738::validate(reference);
    let components = Components::parse(reference).to_string();
    same("components", components.as_str(), reference)?;

    let base = BaseUrl::any(base_text);
    for resolver in Resolver::ALL {
        if let Ok(resolved) = resolver.resolve(&base, reference) {
            let _ = divergence(&base, reference, &resolved);
        }
    }
    let _ = explain(&base, reference);
    shortcut(&base, reference)?;
    let resolve = |resolver: Resolver, reference: &str| {
        let resolved = resolver.resolve(&base, reference);
        resolved.ok().map(String::from)
    };
    let resolved = resolve(Resolver::Rfc1808, reference);
    let transcribed = transcription::resolve(base_text, reference);
    same("RFC 1808", resolved.as_ref(), Some(&transcribed))?;
    if BaseUrl::parse(base_text).is_ok() {
        let again = resolve(Resolver::Rfc1808, &transcribed);
        same("once more", again, resolved)?;
    }
    if let Ok(base) = oxiri::Iri::parse(base_text)
        && let Ok(relative) = oxiri::IriRef::parse(reference)
        && let Ok(expected) = base.resolve(&relative)
    {
        let resolved = resolve(Resolver::Rfc3986, reference);
        same("RFC 3986", resolved.as_deref(), Some(expected.as_str()))?;
    }
    Ok(())
}

/// The shortcut against the long way; says whether it had an answer.
pub(crate) fn shortcut(base: &BaseUrl, reference: &str) -> Result<bool, String> {
    let shortcut = base.shortcut();
    let Some((new, dropped)) = shortcut.and_then(|it| it.resolve(reference.as_bytes())) else {
        return Ok(false);
    };
    let short = format!("{new}{}", &reference[dropped..]);
    let resolved = Resolver::Rfc1808.resolve(base, reference);
    same("by the shortcut", Some(&*short), resolved.ok().as_deref())?;
    let absolute = Resolver::Rfc1808.is_absolute(base, reference);
    same("an absolute reference is taken", absolute, false)?;
    same("after the pre-step", &*pre_step(reference), reference)?;
    same(
        "divergence",
        divergence::differs(base, reference, &short),
        None,
    )?;
    Ok(true)
}

/// The locators against each other: they may differ in which tags they see, but not in what a tag
/// that both see holds. And ours against itself, asked for less.
pub(crate) fn locators(document: &[u8]) -> Checked {
    let mut memory = Tags::default();
    html::locate(document, true, &mut memory);
    let mut witness = Tags::default();
    witness::locate(document, true, &mut witness);
    for (start, attributes) in &witness.0 {
        if let Ok(other) = memory.0.binary_search_by_key(start, |(start, _)| *start) {
            same("attributes", attributes, &memory.0[other].1)?;
        }
    }
    let mut links = Links(Tags::default());
    html::locate(document, true, &mut links);
    same("links", hrefs(document, links.0), hrefs(document, memory))
}

/// The `href` attributes of all tags that have one.
fn hrefs(document: &[u8], Tags(mut tags): Tags) -> Vec<(usize, Vec<Attribute>)> {
    for (_, attributes) in &mut tags {
        attributes.retain(|attribute| is_href(&document[attribute.name.clone()]));
    }
    tags.retain(|(_, attributes)| !attributes.is_empty());
    tags
}

fn is_href(name: &[u8]) -> bool {
    name.eq_ignore_ascii_case(b"href")
}

/// Asks for `href` only.
struct Links(Tags);

impl Handler for Links {
    fn wants(&self, attribute: &[u8]) -> bool {
        is_href(attribute)
    }

    fn wants_bare(&self) -> bool {
        false
    }

    fn start_tag(&mut self, tag: &StartTag<'_>) {
        self.0.start_tag(tag);
    }

    fn raw_text(&mut self, _: RawText, _: Spelling, _: std::ops::Range<usize>) {}

    fn comment(&mut self, _: std::ops::Range<usize>) {}
}

/// The tags of a document by where they start.
#[derive(Default)]
struct Tags(Vec<(usize, Vec<Attribute>)>);

impl Handler for Tags {
    fn start_tag(&mut self, tag: &StartTag<'_>) {
        self.0.push((tag.name.start, tag.attributes.to_vec()));
    }

    fn raw_text(&mut self, _: RawText, _: Spelling, _: std::ops::Range<usize>) {}

    fn comment(&mut self, _: std::ops::Range<usize>) {}
}

/// A document: only its references change, each to what was announced, and a second run changes
/// nothing.
pub(crate) fn document(input: &[u8], syntax: Syntax) -> Checked {
    // Not JSON: an import map's addresses count as references only where they are relative.
    let every = [Group::Meta, Group::Lazy, Group::Comments];
    let every = every.into_iter().fold(Groups::default(), Groups::with);
    for (resolver, groups) in [
        (Resolver::Rfc1808, Groups::default()),
        (Resolver::Whatwg, every),
    ] {
        let mut settings = Settings::default();
        settings.resolver = resolver;
        settings.groups = groups;
        let mut before = links(input, syntax, &settings);
        if becomes_placeholder(&before) {
            settings.placeholders = Placeholders::Resolve;
            before = links(input, syntax, &settings);
        }
        let output = rewritten(input, syntax, &settings);
        same(
            "what comes out where somebody looks at the references",
            String::from_utf8_lossy(&looked_at(input, syntax, &settings)),
            String::from_utf8_lossy(&output),
        )?;
        let after = links(&output, syntax, &settings);
        if bytes::can_tell(input, &before) {
            bytes::outside(input, &before, &output, &after)
                .map_err(|what| format!("{what}: {:?}", String::from_utf8_lossy(&output)))?;
        }
        let twice = rewritten(&output, syntax, &settings);
        same(
            "the second run",
            String::from_utf8_lossy(&twice),
            String::from_utf8_lossy(&output),
        )?;
    }
    Ok(())
}

/// Whether resolving makes what looks like a placeholder: browsers write "{%60" for "{`", and "%%EF" for what is no
/// character behind "%". In the output, where no reference is left that could change, it would reach beyond its own.
fn becomes_placeholder(links: &[Link]) -> bool {
    let opens = |text: &str| {
        let pairs = text.as_bytes().windows(2);
        pairs
            .filter(|pair| matches!(pair, [b'{' | b'%', b'%']))
            .count()
    };
    links.iter().any(|link| {
        let absolute = link.absolute.as_deref();
        absolute.is_some_and(|absolute| opens(absolute) > opens(&link.reference))
    })
}

fn context() -> Context {
    Context::retrieved_from("https://h/d/x.html").unwrap_or_default()
}

fn rewritten(input: &[u8], syntax: Syntax, settings: &Settings) -> Vec<u8> {
    (rewrite_bytes(input, syntax, &context(), settings).document).into_owned()
}

/// As [`rewritten`], the long way: each reference is shown.
fn looked_at(input: &[u8], syntax: Syntax, settings: &Settings) -> Vec<u8> {
    let (context, mut output, mut done) = (context(), Vec::new(), 0);
    let (examined, edits) = edits(input, syntax, &context, settings, &mut |_| {});
    for (old, new) in edits {
        output.extend_from_slice(&input[done..old.start]);
        output.extend(new);
        done = old.end;
    }
    output.extend_from_slice(&input[done..]);
    let quick = rewrite_bytes(input, syntax, &context, settings);
    assert_eq!(examined.tally, quick.examined.tally);
    output
}

fn links(input: &[u8], syntax: Syntax, settings: &Settings) -> Vec<Link> {
    let mut links = Vec::new();
    examine(input, syntax, &context(), settings, &mut |found| {
        links.push(link(found));
    });
    links
}

/// As `abslink links` would report it.
pub(super) fn link(found: &Reference<'_>) -> Link {
    Link {
        start: found.span.start,
        end: found.span.end,
        reference: found.reference.to_owned(),
        absolute: found.absolute.map(str::to_owned),
        outcome: found.outcome.name().to_owned(),
        ..Link::default()
    }
}

/// The references of the one place that a document has, without the empty ones. The second readings know no
/// placeholders.
fn references(document: &str) -> Vec<String> {
    let mut settings = Settings::default();
    settings.placeholders = Placeholders::Resolve;
    let links = links(document.as_bytes(), Syntax::Html, &settings);
    let references = links.into_iter().map(|link| link.reference);
    references
        .filter(|reference| !reference.is_empty())
        .collect()
}

/// A `srcset` against a second reading of HTML's algorithm.
pub(crate) fn srcset(value: &str) -> Checked {
    list(value, "<img srcset=\"", Grammar::Srcset)
}

/// A `<meta http-equiv=refresh>` against a second reading of HTML's algorithm.
pub(crate) fn refresh(value: &str) -> Checked {
    let start = "<meta http-equiv=refresh content=\"";
    list(value, start, Grammar::Refresh)
}

fn list(value: &str, start: &str, grammar: Grammar) -> Checked {
    let value = plain(value);
    let html = format!("{start}{}\">", attribute(&value));
    document(html.as_bytes(), Syntax::Html)?;
    let expected = pieces(&value, grammar).into_iter().filter_map(|piece| {
        let Piece::Url(url) = piece else { return None };
        Some(pre_step(&url).into_owned()).filter(|url| !url.is_empty())
    });
    same("references", references(&html), expected.collect())
}

/// What a tokenizer would change is changed before: a second reading starts from the value.
fn plain(value: &str) -> String {
    value.replace(['\r', '\0'], "\n")
}

fn attribute(value: &str) -> String {
    value.replace('&', "&amp;").replace('"', "&quot;")
}

/// A `style` attribute and a style sheet against cssparser.
pub(crate) fn css(text: &str) -> Checked {
    let text = plain(text);
    document(format!("<style>{text}").as_bytes(), Syntax::Html)?;
    let html = format!("<p style=\"{}\">", attribute(&text));
    document(html.as_bytes(), Syntax::Html)?;
    // cssparser reads an escaped parenthesis and an escaped newline unlike the standard, at-rules
    // whose prelude names URLs are beyond a tokenizer, and no browser looks at what stands in
    // brackets that do not match.
    if text.contains(['@', '\\']) || !is_balanced(&text) {
        return Ok(());
    }
    let mut input = cssparser::ParserInput::new(&text);
    let mut expected = Vec::new();
    css_urls(
        &mut cssparser::Parser::new(&mut input),
        Strings::None,
        &mut expected,
    );
    expected.retain(|url| !url.is_empty());
    same("references", references(&html), expected)
}

/// Whether brackets match, those in strings and comments too, and what else has two ends is not
/// there at all.
fn is_balanced(text: &str) -> bool {
    let mut open = Vec::new();
    for byte in text.bytes() {
        match byte {
            b'\n' => return false,
            b'(' => open.push(b')'),
            b'[' => open.push(b']'),
            b'{' => open.push(b'}'),
            b')' | b']' | b'}' if open.pop() != Some(byte) => return false,
            _ => {}
        }
    }
    open.is_empty()
}

/// Which strings of a block are URLs.
#[derive(Clone, Copy, PartialEq)]
enum Strings {
    None,
    /// The one that the block begins with.
    First,
    All,
}

/// Every URL that cssparser sees.
fn css_urls(parser: &mut cssparser::Parser<'_, '_>, strings: Strings, urls: &mut Vec<String>) {
    use cssparser::Token;
    let mut count = 0;
    while let Ok(token) = parser.next().cloned() {
        count += 1;
        let nested = match token {
            Token::UnquotedUrl(url) => {
                urls.push(pre_step(&url).into_owned());
                continue;
            }
            Token::QuotedString(url) => {
                if strings == Strings::All || strings == Strings::First && count == 1 {
                    urls.push(pre_step(&url).into_owned());
                }
                continue;
            }
            Token::Function(name) => match &*name.to_ascii_lowercase() {
                "url" | "src" => Strings::First,
                "image-set" | "-webkit-image-set" | "image" | "cross-fade"
                | "-webkit-cross-fade" => Strings::All,
                _ => Strings::None,
            },
            Token::ParenthesisBlock | Token::SquareBracketBlock | Token::CurlyBracketBlock => {
                Strings::None
            }
            _ => continue,
        };
        // A block that does not end properly is read to its end as well.
        let _ = parser.parse_nested_block(|parser| {
            css_urls(parser, nested, urls);
            Ok::<(), cssparser::ParseError<'_, ()>>(())
        });
    }
}

/// Character references in an attribute, before and after, against html5ever.
pub(crate) fn entities(value: &str) -> Checked {
    let value = plain(value).replace('"', "'");
    let html = format!("<a href=\"{value}\">");
    document(html.as_bytes(), Syntax::Html)?;
    let found = links(html.as_bytes(), Syntax::Html, &Settings::default());
    let decoded = href(&html);
    same("one reference", found.len(), 1)?;
    same("decoded", found[0].reference.as_str(), &pre_step(&decoded))?;
    let Some(absolute) = found[0]
        .absolute
        .as_deref()
        .filter(|_| found[0].outcome == "relative")
    else {
        return Ok(());
    };
    let output = rewritten(html.as_bytes(), Syntax::Html, &Settings::default());
    let written = href(&String::from_utf8_lossy(&output));
    same("written", pre_step(&written).as_ref(), absolute)
}

/// The first attribute of a document, as html5ever decodes it.
fn href(document: &str) -> String {
    let mut tags = browser::parse(document).tags.into_iter();
    let attribute = tags
        .next()
        .and_then(|tag| tag.attributes.into_iter().next());
    attribute.map(|(_, value)| value).unwrap_or_default()
}

/// A document in an encoding that it declares, after a byte order mark or not, by its bytes.
pub(crate) fn encoding(label: &str, bytes: &[u8]) -> Checked {
    let declared = [
        format!("<meta charset={label}>").into_bytes(),
        format!("<?xml version='1.0' encoding='{label}'?>").into_bytes(),
        b"\xef\xbb\xbf".to_vec(),
        b"\xff\xfe".to_vec(),
        b"\xfe\xff".to_vec(),
        Vec::new(),
    ];
    for mut start in declared {
        start.extend_from_slice(bytes);
        document(&start, Syntax::Html)?;
        document(&start, Syntax::Xml)?;
    }
    Ok(())
}
