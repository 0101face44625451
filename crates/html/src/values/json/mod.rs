//! JSON in `script` elements: import maps, speculation rules, and JSON-LD.
//!
//! The URLs of the first two are known from the HTML standard. In JSON-LD a context decides which
//! strings are IRIs, and contexts are other documents: here `@id` and the URL properties of
//! schema.org that pages use count. None is parsed into a tree; a scanner follows the structure and
//! leaves every other byte alone. Invalid JSON has no references: nothing reads it.

pub use crate::text::json_scanner::{Scanner, Token};
pub use crate::text::json_string::{
    decode, encode, escaped, plain_length, said_by, stands_for_itself,
};

use super::found::FoundReference;
use crate::places::attributes::ValueKind;
use crate::text::json_scanner::{Level, is_valid, strings};

/// Properties of JSON-LD whose strings are taken for URLs.
const LINKED_DATA_URLS: &str = "@id acquireLicensePage actionableFeedbackPolicy additionalType \
    archivedAt codeRepository contentUrl correctionsPolicy discussionUrl diversityPolicy \
    diversityStaffingReport documentation downloadUrl embedUrl ethicsPolicy hasMap image \
    inCodeSet inDefinedTermSet installUrl isBasedOn isBasedOnUrl isPartOf item layoutImage license \
    logo mainEntityOfPage map maps masthead merchantReturnLink missionCoveragePrioritiesPolicy \
    noBylinesPolicy ownershipFundingInfo paymentUrl photo primaryImageOfPage publishingPrinciples \
    relatedLink replyToUrl sameAs screenshot sdLicense serviceUrl significantLink \
    significantLinks target targetUrl thumbnail thumbnailUrl tourBookingPage trackingUrl \
    unnamedSourcesPolicy url urlTemplate usageInfo verificationFactCheckingPolicy webFeed";

/// What the relative URLs of JSON-LD are relative to, by its own `@base`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkedDataBase {
    /// The document's base URL.
    None,
    /// This, which may be relative itself.
    Url(String),
    /// Several, or `null`: it cannot be told.
    Unknown,
}

/// JSON-LD 1.1 §4.1.3: the `@base` of the context at the top, if it is the only one.
pub fn linked_data_base(json: &str) -> LinkedDataBase {
    if memchr::memmem::find(json.as_bytes(), b"@base").is_none() || !is_valid(json) {
        return LinkedDataBase::None;
    }
    let (mut count, mut at_top) = (0, None);
    strings(json, |open, _, text, is_key| {
        count += usize::from(is_key && text == "@base");
        let contexts = match open {
            [top, context] | [top, Level { is_array: true, .. }, context] => [top, context],
            _ => return,
        };
        let is = |level: &Level<'_>, key: &str| !level.is_array && **level.key == *key;
        if !is_key && is(contexts[0], "@context") && is(contexts[1], "@base") {
            at_top = Some(text.to_string());
        }
    });
    match (count, at_top) {
        (0, _) => LinkedDataBase::None,
        (1, Some(base)) => LinkedDataBase::Url(base),
        _ => LinkedDataBase::Unknown,
    }
}

/// The URLs in `json`, in order. `kind` is one of the three of JSON.
pub(crate) fn references(json: &str, kind: ValueKind) -> Vec<FoundReference<'_>> {
    if !is_valid(json) {
        return Vec::new();
    }
    let mut found = Vec::new();
    strings(json, |open, span, value, is_key| {
        if is_url(open, kind, is_key, value) {
            found.push(FoundReference {
                ends_without_slash: is_key && is_address(open) && !value.ends_with('/'),
                is_module: !is_key && kind == ValueKind::ImportMap,
                value: value.clone(),
                ..FoundReference::plain(json, span)
            });
        }
    });
    found
}

/// HTML standard, "sort and normalize a module specifier map": whether what is there has an address,
/// which must end with a slash if its key does.
fn is_address(open: &[Level<'_>]) -> bool {
    let key = open.first().map_or("", |level| &*level.key);
    matches!((key, open.len()), ("imports", 2) | ("scopes", 3))
}

fn is_url(open: &[Level<'_>], kind: ValueKind, is_key: bool, value: &str) -> bool {
    let key = |depth: usize| open.get(depth).map_or("", |level| &**level.key);
    if kind == ValueKind::LinkedData {
        let key = open.last().map_or("", |level| &**level.key);
        let is_url = LINKED_DATA_URLS.split(' ').any(|url| url == key);
        return !is_key && is_url && !value.starts_with("_:");
    }
    if kind == ValueKind::SpeculationRules {
        let is_list = open.last().is_some_and(|level| level.is_array);
        return is_list && open.len() == 4 && &*open[2].key == "urls";
    }
    // HTML standard, "parse a URL-like import specifier": other keys are bare names.
    let is_specifier = ["/", "./", "../", "https://", "http://"]
        .iter()
        .any(|start| value.starts_with(start));
    match (key(0), open.len()) {
        ("imports", 2) => is_specifier,
        ("integrity", 2) => is_key && is_specifier,
        // A scope's prefix is parsed as a URL whatever it looks like.
        ("scopes", 2) => is_key,
        ("scopes", 3) => is_specifier,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::json_string::decode_with_places;

    fn urls(json: &str, kind: ValueKind) -> Vec<String> {
        references(json, kind)
            .into_iter()
            .map(|found| found.value.into_owned())
            .collect()
    }

    #[test]
    fn an_import_map() {
        let json = r#"{"imports": {"vue": "./v.js", "./a": "/b.js", "bare": "bare2"},
            "scopes": {"s/": {"x": "../y.js", "z": "z"}}, "integrity": {"./v.js": "sha384-./", "bare": "./no"},
            "other": {"./no": "./no"}}"#;
        assert_eq!(
            urls(json, ValueKind::ImportMap),
            ["./v.js", "./a", "/b.js", "s/", "../y.js", "./v.js"]
        );
    }

    #[test]
    fn linked_data() {
        let json = r##"[{"@type": "x", "@id": "#me", "image": ["a.png", {"url": "b.png"}],
            "name": "url", "sameAs": "_:b0", "logo": "caf\u00e9.png"}]"##;
        assert_eq!(
            urls(json, ValueKind::LinkedData),
            ["#me", "a.png", "b.png", "café.png"]
        );
    }

    #[test]
    fn an_escaped_quote_ends_no_string() {
        let json = r#"{"@id": "\"a\"b", "url": "c"}"#;
        assert_eq!(urls(json, ValueKind::LinkedData), ["\"a\"b", "c"]);
    }

    #[test]
    fn text_that_is_no_json() {
        for json in [
            "\"",
            "{\"@id\": \"a",
            "]}",
            "{\"@id\":\"\\",
            "[[[{",
            "\"\\u12",
        ] {
            urls(json, ValueKind::LinkedData);
        }
    }

    #[test]
    fn what_is_written_reads_back() {
        let mut out = String::new();
        encode("a\"\\<!--é\n", &mut out);
        assert_eq!(out, r#"a\"\\\u003c!--é\u000a"#);
        assert_eq!(decode_with_places(&out).0, "a\"\\<!--é\n");
    }
}
