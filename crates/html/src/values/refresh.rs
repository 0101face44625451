//! HTML's refresh grammar: `<meta http-equiv=refresh content="5; url=next.html">`.
//!
//! The algorithm is "shared declarative refresh steps" of the HTML standard, as far as it decides
//! where the URL is.

use super::found::FoundReference;
use abslink_url::percent;

/// The URL in `content`, which is decoded.
///
/// `None` if it is not a refresh, or if its URL is empty: then it means the document itself, and
/// there is no reference.
pub(crate) fn reference(content: &str) -> Option<FoundReference<'_>> {
    let bytes = content.as_bytes();
    let skip = |from: usize, accept: fn(u8) -> bool| {
        from + bytes[from..].iter().take_while(|&&b| accept(b)).count()
    };
    let is_any = |at: usize, of: &[u8]| bytes.get(at).is_some_and(|b| of.contains(b));
    let whitespace: fn(u8) -> bool = |b| b.is_ascii_whitespace();

    let time = skip(0, whitespace);
    let mut at = skip(time, |b| b.is_ascii_digit());
    if at == time && !is_any(at, b".") {
        return None;
    }
    at = skip(at, |b| b.is_ascii_digit() || b == b'.');
    if !is_any(at, b";, \t\n\x0c\r") {
        return None;
    }
    at = skip(at, whitespace);
    if is_any(at, b";,") {
        at += 1;
    }
    let start = skip(at, whitespace);

    at = start;
    if is_any(at, b"uU") {
        // Without a whole `url =` these letters are part of the URL, which then has no quotes.
        let equals = (is_any(at + 1, b"rR") && is_any(at + 2, b"lL"))
            .then(|| skip(at + 3, whitespace))
            .filter(|&equals| is_any(equals, b"="));
        let Some(equals) = equals else {
            return Some(FoundReference::plain(content, start..content.len()));
        };
        at = skip(equals + 1, whitespace);
    }
    let quote = is_any(at, b"'\"").then(|| char::from(bytes[at]));
    let start = at + usize::from(quote.is_some());
    let url = &content[start..];
    let length = quote.and_then(|quote| url.find(quote)).unwrap_or(url.len());
    (length > 0).then(|| FoundReference {
        quote,
        ..FoundReference::plain(content, start..start + length)
    })
}

/// Appends `url` as it must be written in place of a reference with that quote: without the
/// quote, which would end it.
pub(crate) fn encode(url: &str, quote: Option<char>, out: &mut String) {
    let ends = |b: u8| quote == Some(char::from(b));
    percent::encode(url.as_bytes(), |rest| !ends(rest[0]), out);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tests::{between, marked, replaced, rows};

    #[test]
    fn table() {
        for row in rows("refresh.tsv") {
            let (content, expected) = marked(&row[1]);
            let found: Vec<_> = reference(&content).map(|r| r.span).into_iter().collect();
            assert_eq!(found, expected, "{}: {content:?}", row[0]);
        }
    }

    #[test]
    fn only_the_quote_that_is_there_is_encoded() {
        let encoded = |quote| {
            let mut out = String::new();
            encode("http://a/'b\"c", quote, &mut out);
            out
        };
        assert_eq!(encoded(Some('\'')), "http://a/%27b\"c");
        assert_eq!(encoded(Some('"')), "http://a/'b%22c");
        assert_eq!(encoded(None), "http://a/'b\"c");
    }

    proptest! {
        #[test]
        fn replacing_changes_the_url_and_nothing_else(
            content in r#" ?[0-9.]{0,2}[;, ]{0,3}([uU]([rR]([lL] ?=?)?)?)? ?['"]?[a-zé;='" ]{0,8}"#,
            url in r#"[a-z]{1,6}:[a-z/'"=; é]{0,12}"#,
        ) {
            if let Some(FoundReference { span, quote, .. }) = reference(&content) {
                let mut encoded = String::new();
                encode(&url, quote, &mut encoded);
                let after = replaced(&content, &[(span.clone(), encoded.clone())]);
                let again = reference(&after).expect("still a refresh");
                prop_assert_eq!(&after[again.span.clone()], encoded);
                prop_assert_eq!(between(&after, &[again.span]), between(&content, &[span]));
            }
        }
    }
}
