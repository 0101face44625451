//! What is written into a document reads back: each character of a base URL, in each encoding of the
//! Encoding Standard, in each context. The witnesses are the decoders of encoding_rs, html5ever,
//! roxmltree, cssparser and serde_json.

use abslink::{Context, Settings, Syntax, rewrite_bytes};
use abslink_html::sheet;
use cssparser::{ParseError, Parser, ParserInput, Token};
use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};
use html5ever::tendril::TendrilSink;
use markup5ever_rcdom::{Handle, NodeData, RcDom};

/// All but `replacement`, which cannot be written.
const ENCODINGS: [&str; 39] = [
    "utf-8",
    "ibm866",
    "iso-8859-2",
    "iso-8859-3",
    "iso-8859-4",
    "iso-8859-5",
    "iso-8859-6",
    "iso-8859-7",
    "iso-8859-8",
    "iso-8859-8-i",
    "iso-8859-10",
    "iso-8859-13",
    "iso-8859-14",
    "iso-8859-15",
    "iso-8859-16",
    "koi8-r",
    "koi8-u",
    "macintosh",
    "windows-874",
    "windows-1250",
    "windows-1251",
    "windows-1252",
    "windows-1253",
    "windows-1254",
    "windows-1255",
    "windows-1256",
    "windows-1257",
    "windows-1258",
    "x-mac-cyrillic",
    "gbk",
    "gb18030",
    "big5",
    "euc-jp",
    "iso-2022-jp",
    "shift_jis",
    "euc-kr",
    "utf-16be",
    "utf-16le",
    "x-user-defined",
];

const HTML: &str = "<!doctype html><a href=\"x\" ping=\"x x\" style=\"a:url(x);b:url('x')\"></a>\
    <a href=x style=a:url(x)></a><img srcset=\"x 1x, x 2x\"><meta http-equiv=refresh content=\"0;url=x\">\
    <style>@import 'x';a{b:url(x)}</style><svg><style>a{b:url(x)}</style></svg>\
    <script type=application/ld+json>{\"url\": \"x\"}</script>\
    <iframe srcdoc=\"<a href='x' style=a:url(x)></a><style>a{b:url(x)}</style>\"></iframe>";
const IN_HTML: usize = 17;

const XHTML: &str = "<html xmlns='http://www.w3.org/1999/xhtml'><a href='x' style='a:url(x)'/>\
    <style>a{b:url(x)}</style><style><![CDATA[a{b:url(x)}]]></style></html>";
const IN_XHTML: usize = 4;

const SHEET: &str = "@import 'x';a{b:url(x)}";

fn in_encoding(text: &str, encoding: &'static Encoding) -> Vec<u8> {
    match encoding {
        _ if encoding == UTF_16LE => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        _ if encoding == UTF_16BE => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        _ => encoding.encode(text).0.into_owned(),
    }
}

fn css(text: &str, found: &mut Vec<String>) {
    fn tokens(parser: &mut Parser<'_, '_>, found: &mut Vec<String>) {
        while let Ok(token) = parser.next().cloned() {
            match token {
                Token::UnquotedUrl(url) | Token::QuotedString(url) => found.push(url.to_string()),
                Token::Function(_) | Token::CurlyBracketBlock | Token::ParenthesisBlock => {
                    let _ = parser.parse_nested_block(|inner| {
                        tokens(inner, found);
                        Ok::<_, ParseError<'_, ()>>(())
                    });
                }
                Token::BadUrl(url) | Token::BadString(url) => found.push(format!("bad: {url}")),
                _ => {}
            }
        }
    }
    tokens(&mut Parser::new(&mut ParserInput::new(text)), found);
}

fn attribute(name: &str, value: &str, found: &mut Vec<String>) {
    match name {
        "href" => found.push(value.to_owned()),
        "ping" => found.extend(value.split_ascii_whitespace().map(str::to_owned)),
        "style" => css(value, found),
        "srcset" => {
            let words = value.split_ascii_whitespace();
            found.extend(words.step_by(2).map(str::to_owned));
        }
        "content" => found.push(value.strip_prefix("0;url=").unwrap().to_owned()),
        "srcdoc" => html(value, found),
        _ => {}
    }
}

fn html(text: &str, found: &mut Vec<String>) {
    fn walk(node: &Handle, found: &mut Vec<String>) {
        if let NodeData::Element { name, attrs, .. } = &node.data {
            for attr in attrs.borrow().iter() {
                attribute(&attr.name.local, &attr.value, found);
            }
            let mut text = String::new();
            for child in node.children.borrow().iter() {
                if let NodeData::Text { contents } = &child.data {
                    text.push_str(&contents.borrow());
                }
            }
            match &*name.local {
                "style" => css(&text, found),
                "script" => {
                    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
                    found.push(json["url"].as_str().unwrap().to_owned());
                }
                _ => {}
            }
        }
        node.children
            .borrow()
            .iter()
            .for_each(|child| walk(child, found));
    }
    let dom = html5ever::parse_document(RcDom::default(), Default::default()).one(text);
    walk(&dom.document, found);
}

fn xhtml(text: &str, found: &mut Vec<String>) {
    let document = roxmltree::Document::parse(text).unwrap();
    for node in document.descendants().filter(|node| node.is_element()) {
        for attr in node.attributes() {
            attribute(attr.name(), attr.value(), found);
        }
        if node.tag_name().name() == "style" {
            css(node.text().unwrap_or_default(), found);
        }
    }
}

fn percent_decoded(url: &str) -> String {
    let mut parts = url.split('%');
    let mut bytes = parts.next().unwrap().as_bytes().to_vec();
    for part in parts {
        bytes.push(u8::from_str_radix(&part[..2], 16).unwrap());
        bytes.extend(&part.as_bytes()[2..]);
    }
    String::from_utf8(bytes).unwrap()
}

/// Reads the references of a document.
type Witness = fn(&str, &mut Vec<String>);

/// Whether new references into the directory of that name read back, in all contexts.
fn reads_back(directory: &str, label: &str) -> Result<(), String> {
    let encoding = Encoding::for_label(label.as_bytes()).unwrap();
    let expected = format!("http://h/{directory}/x");
    let mut context = Context::retrieved_from(&format!("http://h/{directory}/p")).unwrap();
    context.charset = Some(label.to_owned());
    let mut settings = Settings::default();
    settings.groups = settings.groups.with(abslink::Group::Json);
    let witnesses: [(&str, usize, Witness); 3] = [
        (HTML, IN_HTML, html),
        (XHTML, IN_XHTML, xhtml),
        (SHEET, 2, css),
    ];
    for (document, count, witness) in witnesses {
        let given_places = in_encoding(document, encoding);
        let written = match document {
            HTML => rewrite_bytes(&given_places, Syntax::Html, &context, &settings),
            XHTML => rewrite_bytes(&given_places, Syntax::Xml, &context, &settings),
            _ => sheet::rewrite(&given_places, &context, &settings),
        };
        let (text, damaged) = encoding.decode_without_bom_handling(&written.document);
        let mut found = Vec::new();
        witness(&text, &mut found);
        let wrong = found.iter().find(|url| percent_decoded(url) != expected);
        if damaged || found.len() != count || wrong.is_some() {
            return Err(format!(
                "{label}: {} of {count}, {wrong:?}\n{text}",
                found.len()
            ));
        }
    }
    Ok(())
}

/// Every character that the encoder of an encoding takes, but that its decoder does not give back,
/// and characters of every kind: all below U+3100 and those for private use, and of the others some.
/// `ABSLINK_CHARACTERS=all` takes them all, and minutes.
#[test]
#[ignore = "slow tier: thousands of documents"]
fn every_character_reads_back_in_every_encoding() {
    let takes_all = std::env::var("ABSLINK_CHARACTERS").is_ok_and(|which| which == "all");
    let mut changed = 0;
    for (label, nth) in ENCODINGS.into_iter().zip(0..) {
        let encoding = Encoding::for_label(label.as_bytes()).unwrap();
        let mut chosen = String::new();
        for c in '\u{1}'..=char::MAX {
            let is_of_url = matches!(c, '\t' | '\n' | '\r' | ' ' | '#' | '%' | '/' | ';' | '?');
            let mut buffer = [0; 4];
            let text = &*c.encode_utf8(&mut buffer);
            let is_changed = || {
                let bytes = encoding.encode(text);
                !bytes.2 && bytes.1.decode_without_bom_handling(&bytes.0).0 != text
            };
            let is_of_some = u32::from(c) % 251 == nth;
            let is_chosen = match c {
                '\0'..'\u{3100}' | '\u{e000}'..='\u{ffff}' => {
                    takes_all || u32::from(c) % 5 == nth % 5
                }
                _ => takes_all || is_of_some,
            };
            let is_special = c < '\u{100}' || c < '\u{10000}' && is_changed();
            changed += u32::from(c >= '\u{100}' && is_special);
            if !is_of_url && (is_chosen || is_special) {
                chosen.push(c);
            }
            if chosen.len() > 1_500 || c == char::MAX {
                let directory = std::mem::take(&mut chosen);
                reads_back(&directory, label).unwrap_or_else(|wrong| panic!("{wrong}"));
            }
        }
    }
    assert!(changed > 60, "{changed}");
}

/// A value that gains quotes has to escape those in it.
#[test]
fn quotes_in_a_value_that_gains_quotes() {
    let context = Context::retrieved_from("http://h/a=b/").unwrap();
    let rewritten = |document: &str| {
        let settings = Settings::default();
        let new = rewrite_bytes(document.as_bytes(), Syntax::Html, &context, &settings);
        String::from_utf8(new.document.into_owned()).unwrap()
    };
    for (old, new) in [
        (
            "<p style=a:url(x)\"url(y)&copy>",
            "<p style=\"a:url(http://h/a=b/x)&quot;url(y)&copy\">",
        ),
        (
            "<p style=\"a:url(x);b:&quot>",
            "<p style=\"a:url(x);b:&quot>",
        ),
        (
            "<p style=a:'\"';b:url(x)&amp;'\">",
            "<p style=\"a:'&quot;';b:url(http://h/a=b/x)&amp;'&quot;\">",
        ),
        ("<a href=a\"b>", "<a href=\"http://h/a=b/a&quot;b\">"),
    ] {
        assert_eq!(rewritten(old), new);
    }
}
