//! The table, and agreement with two other decoders: html5ever's tokenizer and htmlize.

use std::cell::RefCell;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{BufferQueue, TagToken, Token, TokenSink, TokenSinkResult, Tokenizer};
use proptest::prelude::*;

use super::*;
use crate::places::attributes::ValueKind;
use crate::tests::{between, replaced, rows};
use crate::values::css;
use crate::values::found::FoundReference;

fn html(raw: &str) -> Cow<'_, str> {
    decode_attribute(raw, Syntax::Html).0
}

#[test]
fn table() {
    for row in rows("entity.tsv") {
        let [syntax, raw, text] = row.as_slice() else {
            panic!("{row:?}")
        };
        let syntax = match syntax.as_str() {
            "html" => Syntax::Html,
            "xml" => Syntax::Xml,
            other => panic!("unknown syntax {other}"),
        };
        let (decoded, _) = decode_attribute(raw, syntax);
        assert_eq!(decoded, *text, "{raw:?}");
        assert_eq!(matches!(decoded, Cow::Borrowed(_)), raw == text, "{raw:?}");
    }
}

#[test]
fn offsets_lead_back_to_the_source() {
    let raw = "a&amp;b\r\nc&NotEqualTilde;d";
    let (text, map) = decode_attribute(raw, Syntax::Html);
    assert_eq!(text, "a&b\nc\u{2242}\u{338}d");
    let raw_at = |c: char| map.source(text.find(c).expect("in the text"));
    assert_eq!(raw_at('a'), 0);
    assert_eq!(raw_at('&'), 1);
    assert_eq!(raw_at('b'), 6);
    // A CRLF is one newline: an edit that ends before it leaves both characters alone.
    assert_eq!(&raw[raw_at('\n')..], "\r\nc&NotEqualTilde;d");
    assert_eq!(raw_at('c'), 9);
    // Both characters of one reference come from its start.
    assert_eq!(raw_at('\u{2242}'), 10);
    assert_eq!(raw_at('\u{338}'), 10);
    assert_eq!(&raw[raw_at('d')..], "d");
    assert_eq!(map.source(text.len()), raw.len());
}

#[test]
fn offsets_are_the_same_where_nothing_decodes() {
    let (_, map) = decode_attribute("a&b=é", Syntax::Html);
    assert_eq!([0, 1, 4, 6].map(|at| map.source(at)), [0, 1, 4, 6]);
}

#[test]
fn an_open_reference_is_terminated_before_a_splice() {
    for (raw, terminator) in [
        ("url(&quot/a.png", ";"),
        ("a,&#x20/b", ";"),
        ("a,&#32/b", ";"),
        ("url(&quot;/a.png", ""),
        ("a /b", ""),
        ("a&b /b", ""),
        ("a\r\n/b", ""),
        ("a&amp;\n/b", ""),
        ("a&amp /b", ""),
        ("/b", ""),
    ] {
        let (text, map) = decode_attribute(raw, Syntax::Html);
        let slash = text.rfind('/').expect("a slash");
        assert_eq!(map.is_open_before(slash), terminator == ";", "{raw:?}");
        // Spliced there, the text is what was meant.
        let new = &raw[..map.source(slash)];
        let new = format!("{new}{terminator}file:x");
        assert_eq!(html(&new), format!("{}file:x", &text[..slash]), "{raw:?}");
    }
}

#[test]
fn encoding_is_minimal() {
    let encoded = |quote, syntax| {
        let mut out = String::new();
        encode_attribute("a&b\"c'd<e>\t\n\r\u{a0}é", quote, syntax, &mut out);
        out
    };
    assert_eq!(
        encoded(Quote::Double, Syntax::Html),
        "a&amp;b&quot;c'd&lt;e&gt;\t\n&#13;\u{a0}é"
    );
    assert_eq!(
        encoded(Quote::Single, Syntax::Html),
        "a&amp;b\"c&#39;d&lt;e&gt;\t\n&#13;\u{a0}é"
    );
    assert_eq!(
        encoded(Quote::Double, Syntax::Xml),
        "a&amp;b&quot;c'd&lt;e&gt;&#9;&#10;&#13;\u{a0}é"
    );
}

#[test]
fn quotes_are_needed_for_the_characters_that_end_or_spoil_an_unquoted_value() {
    let special: String = ('\0'..='\u{ff}')
        .filter(|&c| needs_quotes(&format!("a{c}")))
        .collect();
    assert_eq!(special, "\t\n\u{c}\r \"'<=>`");
    assert!(needs_quotes(""));
    assert!(!needs_quotes("http://a/b?c&d;e/"));
}

proptest! {
    #[test]
    fn agrees_with_html5ever(
        raw in r"(&|#|x|X|;|=|amp|copy|not|notin|lt|NotEqualTilde|[0-9a-f]|[g-z]|é|\r|\n|\x00| ){0,16}",
    ) {
        let expected = html5ever_values(std::slice::from_ref(&raw));
        prop_assert_eq!(&html(&raw), &expected[0]);
    }

    #[test]
    fn agrees_with_htmlize_on_whole_values(
        raw in r"(&|#|x|;|=|amp|copy|not|notin|lt|nGg|[0-9a-f]|[g-z]|é| ){0,16}",
    ) {
        prop_assert_eq!(html(&raw), htmlize::unescape_attribute(&raw));
    }

    #[test]
    fn what_is_encoded_decodes_to_itself(text in r#"[ -~\r\n\té"'&<>#;a-c]{0,24}"#) {
        for (syntax, quote) in [
            (Syntax::Html, Quote::Double),
            (Syntax::Html, Quote::Single),
            (Syntax::Html, Quote::None),
            (Syntax::Xml, Quote::Double),
            (Syntax::Xml, Quote::Single),
        ] {
            let mut raw = String::new();
            encode_attribute(&text, quote, syntax, &mut raw);
            prop_assert_eq!(&decode_attribute(&raw, syntax).0, &text);
        }
    }

    #[test]
    fn pieces_decode_to_their_parts_of_the_text(
        raw in r"(&amp;|&quot;|&#x20;|&nGg;|&x|\r\n|\r|[a-z/=]| |é){0,12}",
    ) {
        let (text, map) = decode_attribute(&raw, Syntax::Html);
        for (at, c) in text.char_indices() {
            let (before, after) = raw.split_at(map.source(at));
            // Every reference has its semicolon.
            prop_assert!(!map.is_open_before(at));
            // The second character of `&nGg;` has no part of the source to itself.
            if c != '\u{338}' {
                prop_assert_eq!(&html(before), &text[..at]);
                prop_assert_eq!(&html(after), &text[at..]);
            }
        }
    }
}

proptest! {
    /// The way of a style attribute: decoded, searched, encoded twice, spliced.
    #[test]
    fn splicing_through_css_and_references_changes_the_urls_and_nothing_else(
        raw in r"(url\(|url&#40|src\(|&quot|&quot;|'|&#39;|&#x27|&#x20| |\r\n|&#92|&amp|&|a|f|#|/|\)|&#41;?){0,16}",
        url in r#"[a-z]{1,6}:[a-f0-9/"'()<>&;#\\é \t\r-]{0,12}"#,
    ) {
        let (text, map) = decode_attribute(&raw, Syntax::Html);
        let kind = ValueKind::CssDeclarations;
        let found: Vec<_> = css::references(&text, kind).collect();
        let places: Vec<_> = found
            .iter()
            .map(|reference| {
                let (mut escaped, mut encoded) = (String::new(), String::new());
                css::encode(&url, reference.quote, kind, &mut escaped);
                if map.is_open_before(reference.span.start) {
                    encoded.push(';');
                }
                encode_attribute(&escaped, Quote::Double, Syntax::Html, &mut encoded);
                let raw = |offset| map.source(offset);
                (raw(reference.span.start)..raw(reference.span.end), encoded)
            })
            .collect();
        let after = replaced(&raw, &places);
        let after = html(&after);
        let again: Vec<_> = css::references(&after, kind).collect();
        for reference in &again {
            let unquoted = reference.quote.is_none();
            let expected = if unquoted { url.replace(' ', "%20") } else { url.clone() };
            prop_assert_eq!(&reference.value, &expected);
        }
        let spans = |found: &[FoundReference<'_>]| found.iter().map(|r| r.span.clone()).collect::<Vec<_>>();
        prop_assert_eq!(between(&after, &spans(&again)), between(&text, &spans(&found)));
    }
}

/// What these values mean to html5ever between double quotes.
fn html5ever_values(raw: &[String]) -> Vec<String> {
    #[derive(Default)]
    struct Values(RefCell<Vec<String>>);

    impl TokenSink for Values {
        type Handle = ();

        fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
            if let TagToken(tag) = token {
                self.0
                    .borrow_mut()
                    .extend(tag.attrs.iter().map(|a| a.value.to_string()));
            }
            TokenSinkResult::Continue
        }
    }

    let queue = BufferQueue::default();
    for value in raw {
        queue.push_back(StrTendril::from(format!("<a b=\"{value}\">")));
    }
    let tokenizer = Tokenizer::new(Values::default(), Default::default());
    let _ = tokenizer.feed(&queue);
    tokenizer.end();
    tokenizer.sink.0.into_inner()
}
