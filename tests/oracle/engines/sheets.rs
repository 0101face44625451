//! Style sheets, and documents with them.

use abslink::Syntax;

use super::documents::HTML;
use crate::support::generate::Random;

const URLS: &[&str] = &[
    "x",
    "../y.png",
    "?q",
    "#f",
    "",
    "a b",
    "\\78 y",
    "x\\\ny",
    "\u{e9}?\u{e9}",
    "//n.example/z",
    "data:,x",
    "y\\)z",
    "http://abs.example/",
    "w'v",
    "u(t",
    "&amp;s",
    "%20",
];

fn url(random: &mut Random) -> String {
    let url = random.pick(URLS);
    match random.below(4) {
        0 => format!("url({url})"),
        1 => format!("url(\"{url}\")"),
        2 => format!("url( '{}' )", url.replace('\'', "")),
        _ => format!(
            "URL({}{url}{} )",
            random.pick(&["", " ", "\n"]),
            random.pick(&["", " "])
        ),
    }
}

/// The text of a style sheet.
pub(super) fn sheet(random: &mut Random, out: &mut String, syntax: Syntax) {
    let mut text = String::new();
    for _ in 0..1 + random.below(4) {
        let url = url(random);
        text += &match random.below(12) {
            0 => format!("@import {url};"),
            1 => format!("@import \"{}\";", random.pick(URLS)),
            2 => format!("@namespace n {url};"),
            3 => format!("@media print {{ p {{ background-image: {url} }} }}"),
            4 => format!("p {{ --x: {url} a; cursor: {url}, auto }}"),
            5 => format!(
                "p {{ background-image: image-set({url} 1x, \"{}\" 2x) }}",
                random.pick(URLS)
            ),
            6 => format!("@font-face {{ font-family: f; src: {url} format(\"woff\") }}"),
            7 => format!("/* {url} */ p::after {{ content: \"url(z)\" {url} }}"),
            8 => format!("q {{ & b {{ list-style: {url} }} border-image: {url} 30 }}"),
            9 => format!(
                "p {{ background: {url} }} @supports (mask: {url}) {{ a {{ mask: {url} }} }}"
            ),
            10 => format!("@import {url} layer(a) supports(color: red) print;"),
            _ => format!("p {{ background-image: {url}, {url} }}"),
        };
    }
    match random.below(12) {
        0 => text += "@import \"../w ",
        1 => text += "p { background-image: url(../w ",
        2 => text += "p { background-image: url('../w",
        _ => {}
    }
    match syntax {
        Syntax::Html => *out += &text.replace("</", "<"),
        Syntax::Xml => xml_text(random, &text, out),
    }
}

/// Text with sections, comments and elements in it anywhere.
fn xml_text(random: &mut Random, text: &str, out: &mut String) {
    let mut is_literal = false;
    for c in text.chars() {
        if random.one_in(25) {
            if std::mem::take(&mut is_literal) {
                *out += "]]>";
            }
            match random.below(5) {
                0 => *out += "<!-- url(c) -->",
                1 => *out += "<b>url(b)</b>",
                2 => *out += "<?p url(d)?>",
                _ => {
                    *out += "<![CDATA[";
                    is_literal = true;
                }
            }
        }
        match c {
            _ if is_literal => out.push(c),
            '&' => *out += "&amp;",
            '<' => *out += "&lt;",
            '>' => *out += "&gt;",
            _ => out.push(c),
        }
    }
    if is_literal {
        *out += "]]>";
    }
}

/// A document with style sheets, in elements and in attributes.
pub(super) fn css(random: &mut Random, syntax: Syntax) -> String {
    let mut out = match syntax {
        Syntax::Html => "<!DOCTYPE html><html><head><meta charset=utf-8>".to_owned(),
        Syntax::Xml => format!("<html xmlns='{HTML}'><head>"),
    };
    if random.one_in(4) {
        out += "<base href='/base/'/>";
    }
    for _ in 0..1 + random.below(3) {
        out += "<style>";
        sheet(random, &mut out, syntax);
        out += "</style>";
    }
    out += "</head><body>";
    for _ in 0..random.below(4) {
        let value = format!(
            "background-image: {}; cursor: {}, auto",
            url(random),
            url(random)
        );
        let value = value
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('"', "&quot;");
        out += &format!("<p style=\"{value}\">x</p>");
    }
    out += "</body></html>";
    out
}
