//! The table, replacement, and agreement with cssparser.

use cssparser::{ParseError, Parser, ParserInput};
use proptest::prelude::*;

use super::*;
use crate::tests::{between, marked, replaced, rows};

fn context(name: &str) -> ValueKind {
    match name {
        "sheet" => ValueKind::CssStylesheet,
        "style" => ValueKind::CssDeclarations,
        other => panic!("unknown context {other}"),
    }
}

#[test]
fn table() {
    for row in rows("css.tsv") {
        let (css, expected) = marked(&row[1]);
        let found: Vec<_> = references(&css, context(&row[0])).collect();
        let spans: Vec<_> = found.iter().map(|r| r.span.clone()).collect();
        assert_eq!(spans, expected, "{css:?}");
        for (index, reference) in found.iter().enumerate() {
            let written = &css[reference.span.clone()];
            let value = row.get(2 + index).map_or(written, String::as_str);
            assert_eq!(reference.value, value, "{css:?}");
            let before = css[..reference.span.start].chars().last();
            let quote = before.filter(|before| matches!(before, '"' | '\''));
            assert_eq!(reference.quote, quote, "{css:?}");
        }
    }
}

#[test]
fn encoding_by_form_and_context() {
    let encoded = |form, context| {
        let mut out = String::new();
        encode("a \"'()\\<!--</style>\n\t\x7fé", form, context, &mut out);
        out
    };
    assert_eq!(
        encoded(None, ValueKind::CssDeclarations),
        r#"a%20\"\'\(\)\\<!--</style>\a \9 \7f é"#
    );
    assert_eq!(
        encoded(Some('"'), ValueKind::CssStylesheet),
        r#"a \"'()\\\3c !--\3c /style\3e \a \9 \7f é"#
    );
    assert_eq!(
        encoded(Some('\''), ValueKind::CssDeclarations),
        r#"a "\'()\\<!--</style>\a \9 \7f é"#
    );
}

/// Nesting costs heap, not stack, and only in proportion.
#[test]
fn deep_nesting_is_harmless() {
    let depth = 1_000_000;
    let css = "image-set(".repeat(depth) + "'a'" + &")".repeat(depth) + "url(b)";
    assert_eq!(references(&css, ValueKind::CssStylesheet).count(), 2);
    let css = "{[(".repeat(depth) + "url(b)";
    assert_eq!(references(&css, ValueKind::CssStylesheet).count(), 1);
}

/// CSS full of what matters to the tokenizer.
fn css() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "url(",
        "URL(",
        "u\\72l(",
        "\\75 rl(",
        "src(",
        "image-set(",
        "cross-fade(",
        "type(",
        "@import ",
        "@namespace ",
        "@document ",
        "@media ",
        "a",
        "é",
        "\u{2028}",
        "url",
        "1",
        "1e3",
        "-",
        "--",
        "+",
        ".",
        "%",
        "#",
        "@",
        "/",
        "/*",
        "*/",
        "/**/",
        "<!--",
        "-->",
        "\"",
        "'",
        "\\",
        "\\\n",
        "\\a",
        "\\61 ",
        "\\0",
        "\\d800 ",
        "\\110000",
        "\\é",
        "\\)",
        "\\\"",
        " ",
        "\t",
        "\n",
        "\r\n",
        "\r",
        "\x0c",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ";",
        ":",
        ",",
        "!",
        "<",
        ">",
        "\x01",
        "\x7f",
        "http://x/y",
        "#f",
        "a.png",
    ]);
    prop::collection::vec(piece, 0..16).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn replacing_changes_the_urls_and_nothing_else(
        css in css(),
        sheet: bool,
        url in r#"[a-z]{1,6}:[a-f0-9/"'()<>!\\é \t\n\x0c\x7f-]{0,12}"#,
    ) {
        let context = if sheet { ValueKind::CssStylesheet } else { ValueKind::CssDeclarations };
        let found: Vec<_> = references(&css, context).collect();
        let places: Vec<_> = found
            .iter()
            .map(|r| {
                let mut encoded = String::new();
                encode(&url, r.quote, context, &mut encoded);
                (r.span.clone(), encoded)
            })
            .collect();
        let after = replaced(&css, &places);
        let again: Vec<_> = references(&after, context).collect();
        for reference in &again {
            let expected = match reference.quote {
                None => url.replace(' ', "%20"),
                _ => url.clone(),
            };
            prop_assert_eq!(&reference.value, &expected);
        }
        let spans = |found: &[FoundReference<'_>]| found.iter().map(|r| r.span.clone()).collect::<Vec<_>>();
        prop_assert_eq!(between(&after, &spans(&again)), between(&css, &spans(&found)));
        prop_assert!(!sheet || after.matches("</style").eq(css.matches("</style")));
    }

    #[test]
    fn tokens_agree_with_cssparser(css in css()) {
        // Two readings of cssparser that §4.3.14 and §4.3.9 do not have: an escaped parenthesis
        // that makes a bad url one also ends it, and `-\` before a newline begins a name.
        let mut css = css.replace(r"\)", r"\ )");
        for newline in ["\n", "\r", "\x0c"] {
            css = css.replace(&format!("-\\{newline}"), &format!("- {newline}"));
        }
        let mut input = ParserInput::new(&css);
        let mut expected = Vec::new();
        cssparser_tokens(&mut Parser::new(&mut input), &mut expected);
        prop_assert_eq!(our_tokens(&css), expected);
    }
}

/// Our tokens with their values, without irrelevant ones.
fn our_tokens(css: &str) -> Vec<(&'static str, String)> {
    let value = |range: Range<usize>| unescape(&css[range]).into_owned();
    let named = |token| match token {
        CssToken::AtKeyword(name) => Some(("at", value(name))),
        CssToken::Function(name) => Some(("function", value(name))),
        CssToken::Url(url) => Some(("url", value(url))),
        CssToken::String(text, _) => Some(("string", value(text))),
        CssToken::Open(bracket) => Some(("open", char::from(bracket).into())),
        CssToken::Close(_) | CssToken::Blank | CssToken::Semicolon | CssToken::Other => None,
    };
    Tokens::new(css).filter_map(named).collect()
}

/// The same from cssparser, entering every block.
fn cssparser_tokens(parser: &mut Parser<'_, '_>, out: &mut Vec<(&'static str, String)>) {
    use cssparser::Token;
    while let Ok(token) = parser.next_including_whitespace_and_comments() {
        let (named, block) = match token {
            Token::AtKeyword(name) => (("at", name.to_string()), false),
            Token::Function(name) => (("function", name.to_string()), true),
            Token::UnquotedUrl(url) => (("url", url.to_string()), false),
            Token::QuotedString(text) => (("string", text.to_string()), false),
            Token::ParenthesisBlock => (("open", "(".into()), true),
            Token::SquareBracketBlock => (("open", "[".into()), true),
            Token::CurlyBracketBlock => (("open", "{".into()), true),
            _ => continue,
        };
        out.push(named);
        if block {
            let _: Result<(), ParseError<'_, ()>> = parser.parse_nested_block(|inner| {
                cssparser_tokens(inner, out);
                Ok(())
            });
        }
    }
}
