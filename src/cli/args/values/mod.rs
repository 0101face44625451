//! Values of options that the library defines: what their names (values.tsv) stand for.

mod ext;
mod formats;
mod groups;

use std::ffi::OsString;
use std::sync::LazyLock;

use crate::batch::{ArchiveForm, Fsync, Kind};
use abslink_containers::feed::FeedBase;
use abslink_html::BaseSource;
use abslink_html::base::retrieval::mirror::ConvertedLinks;
use abslink_html::{Engine, Fragments, Placeholders, To};
use abslink_url::Resolver;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::help::rows;

pub(crate) use ext::{ExtItem, ending, is_list, meant};
pub(super) use formats::FormatParser;
pub(crate) use formats::{FormatName, FormatTo};
pub(crate) use groups::{GroupName, groups};

/// What `--detect` looks for in files whose names do not say what they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detect {
    Html,
    Feeds,
    All,
    None,
}

/// Defines the parser of each option, for the values that its names stand for, in the order of the table.
macro_rules! parsers {
    ($($option:literal $parser:ident: $type:ident { $($value:ident)* })*) => {
        $(pub(super) fn $parser() -> impl TypedValueParser<Value = $type> {
            one_of($option, [$($type::$value),*])
        })*
    };
}

parsers! {
    "as" read_as: Kind {
        HTML XHTML MESSAGE FEED Archive STYLE_SHEET MARKDOWN MANIFEST SPECULATION_RULES JSON JSON_LINES CSV TSV
    }
    "converted-links" converted_links: ConvertedLinks { Auto Always Never }
    "detect" detect: Detect { Html Feeds All None }
    "engine" engine: Engine { Auto Memory Stream }
    "feed-base" feed_base: FeedBase { Item Feed Document }
    "fragments" fragments: Fragments { Auto Resolve Keep }
    "fsync" fsync: Fsync { Always Batch Never }
    "placeholders" placeholders: Placeholders { Keep Resolve }
    "resolver" resolver: Resolver { Rfc1808 Rfc3986 Whatwg }
    "to" to: To { Absolute Relative Root Files Keep }
    // `resolve` knows of no files.
    "to" to_by_url: To { Absolute Relative Root }
    "url-from" source: BaseSource { Map Xattr Comment Layout SelfLink }
    "warc-as" archive_form: ArchiveForm { Append Conversions Response }
}

/// The names that values of an option have, each with a few words for the help.
fn names(option: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    // Each start asks for all options.
    static ROWS: LazyLock<Vec<[&str; 3]>> = LazyLock::new(|| {
        let rows = rows(include_str!("../values.tsv"));
        let cells = rows.filter_map(|(of, row)| Some((of, row.split_once('\t')?)));
        cells.map(|(of, (name, about))| [of, name, about]).collect()
    });
    let rows = ROWS.iter().filter(move |[of, ..]| *of == option);
    rows.map(|[_, name, about]| (*name, *about))
}

/// A parser for the first of these names. The help explains each, and an error lists them.
fn one_of<T, const N: usize>(
    option: &'static str,
    values: [T; N],
) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync + 'static,
{
    let names = || names(option).take(N);
    let known = names().map(|(name, about)| PossibleValue::new(name).help(about));
    let values: Vec<(&str, T)> = names().map(|(name, _)| name).zip(values).collect();
    PossibleValuesParser::new(known).try_map(move |given| {
        let found = values.iter().find(|(name, _)| *name == given);
        found.map(|(_, value)| *value).ok_or("no such value")
    })
}

/// The schemes that a mirror may have been made from: those of RFC 1808 §2.3 that allow relative
/// URLs and whose URLs name a host, and later ones that wget knows.
const SCHEMES: [&str; 8] = [
    "https", "http", "ftp", "ftps", "gopher", "nntp", "prospero", "wais",
];

/// `--scheme`.
pub(super) fn scheme(given: &str) -> Result<String, String> {
    let scheme = given.trim_end_matches("://").to_ascii_lowercase();
    if SCHEMES.contains(&&*scheme) {
        return Ok(scheme);
    }
    let choices = SCHEMES.join(", ");
    Err(format!("unknown scheme; expected one of {choices}"))
}

/// `--delimiter`.
pub(super) fn delimiter(given: &str) -> Result<u8, String> {
    match given.as_bytes() {
        b"\\t" => Ok(b'\t'),
        [byte] if byte.is_ascii() && !b"\"\r\n".contains(byte) => Ok(*byte),
        _ => Err(
            "expected one ASCII character, not a quote or a line break; \\t is a tab".to_owned(),
        ),
    }
}

/// `--charset`.
pub(super) fn charset(given: &str) -> Result<String, &'static str> {
    match encoding_rs::Encoding::for_label(given.as_bytes()) {
        Some(_) => Ok(given.to_owned()),
        None => Err("not a label of the Encoding Standard; write for example utf-8 or shift_jis"),
    }
}

/// `--jobs`.
pub(super) fn jobs(given: &str) -> Result<u16, &'static str> {
    match given.trim().parse::<i128>() {
        Ok(number) => (u16::try_from(number).ok())
            .filter(|jobs| (1..=1024).contains(jobs))
            .ok_or("expected 1 to 1024"),
        Err(_) => Err("not a number"),
    }
}

/// What a backup's name adds to the original's. With a slash the backup would go to another
/// directory, and nothing would replace the original.
pub(super) fn suffix(given: &str) -> Result<OsString, &'static str> {
    match given {
        "" => Err("empty suffix; write for example .orig"),
        suffix if suffix.contains(['/', '\\']) => {
            Err("suffixes cannot contain a slash; write for example .orig")
        }
        suffix => Ok(suffix.into()),
    }
}

#[cfg(test)]
mod tests {
    use abslink_url::{BaseUrl, rfc1808::schemes::SchemeClass};

    use super::*;

    #[test]
    fn a_scheme_is_one_that_is_known() {
        assert_eq!(scheme("HTTP").as_deref(), Ok("http"));
        assert_eq!(scheme("ftp://").as_deref(), Ok("ftp"));
        for unknown in ["htps", "x", "mailto", "news", "file", "h/x", ""] {
            let message = scheme(unknown).expect_err(unknown);
            assert!(message.contains("https, http, ftp, "), "{message}");
        }
    }

    #[test]
    fn a_scheme_has_a_host_and_carries_relative_urls() {
        for scheme in SCHEMES {
            assert_ne!(SchemeClass::of(scheme), SchemeClass::Never, "{scheme}");
            assert!(
                BaseUrl::parse(&format!("{scheme}://host/a")).is_ok(),
                "{scheme}"
            );
        }
    }

    #[test]
    fn a_suffix_stays_in_the_directory() {
        assert_eq!(suffix(".orig"), Ok(".orig".into()));
        assert!(suffix("/x").is_err());
        assert!(suffix("").is_err());
    }
}
