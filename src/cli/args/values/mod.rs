//! Values of options that the library defines: their names, and a few words on each for the help.

mod ext;
mod formats;
mod groups;

use std::ffi::OsString;

use crate::batch::{ArchiveForm, Fsync, Kind};
use abslink_containers::feed::FeedBase;
use abslink_html::BaseSource;
use abslink_html::base::retrieval::mirror::ConvertedLinks;
use abslink_html::{Engine, Fragments, Placeholders, To};
use abslink_url::Resolver;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

pub(crate) use ext::{ExtItem, ending};
pub(super) use formats::FormatParser;
pub(crate) use formats::{FormatName, FormatTo};
pub(crate) use groups::{GroupName, groups};

/// `--resolver`.
pub(super) fn resolver() -> impl TypedValueParser<Value = Resolver> {
    one_of("resolver", Resolver::ALL)
}

/// `--fragments`.
pub(super) fn fragments() -> impl TypedValueParser<Value = Fragments> {
    one_of(
        "fragments",
        [Fragments::Auto, Fragments::Resolve, Fragments::Keep],
    )
}

/// `--placeholders`.
pub(super) fn placeholders() -> impl TypedValueParser<Value = Placeholders> {
    one_of("placeholders", [Placeholders::Keep, Placeholders::Resolve])
}

/// `--converted-links`.
pub(super) fn converted_links() -> impl TypedValueParser<Value = ConvertedLinks> {
    one_of(
        "converted-links",
        [
            ConvertedLinks::Auto,
            ConvertedLinks::Always,
            ConvertedLinks::Never,
        ],
    )
}

/// `--url-from`.
pub(super) fn source() -> impl TypedValueParser<Value = BaseSource> {
    use BaseSource::{Comment, Layout, Map, SelfLink, Xattr};
    one_of("url-from", [Map, Xattr, Comment, Layout, SelfLink])
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

/// `--to`.
pub(super) fn to() -> impl TypedValueParser<Value = To> {
    one_of("to", To::ALL)
}

/// `--to` of `resolve`, which knows of no files.
pub(super) fn to_by_url() -> impl TypedValueParser<Value = To> {
    one_of("to", [To::Absolute, To::Relative, To::Root])
}

/// `--engine`.
pub(super) fn engine() -> impl TypedValueParser<Value = Engine> {
    one_of("engine", [Engine::Auto, Engine::Memory, Engine::Stream])
}

/// `--as`.
pub(super) fn read_as() -> impl TypedValueParser<Value = Kind> {
    one_of(
        "as",
        [
            Kind::HTML,
            Kind::XHTML,
            Kind::MESSAGE,
            Kind::FEED,
            Kind::Archive,
            Kind::STYLE_SHEET,
            Kind::MARKDOWN,
            Kind::MANIFEST,
            Kind::SPECULATION_RULES,
            Kind::JSON,
            Kind::JSON_LINES,
            Kind::CSV,
            Kind::TSV,
        ],
    )
}

/// What `--detect` looks for in files whose names do not say what they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detect {
    Html,
    Feeds,
    All,
    None,
}

/// `--detect`.
pub(super) fn detect() -> impl TypedValueParser<Value = Detect> {
    one_of(
        "detect",
        [Detect::Html, Detect::Feeds, Detect::All, Detect::None],
    )
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

/// `--warc-as`.
pub(super) fn archive_form() -> impl TypedValueParser<Value = ArchiveForm> {
    one_of(
        "warc-as",
        [
            ArchiveForm::Append,
            ArchiveForm::Conversions,
            ArchiveForm::Response,
        ],
    )
}

/// `--fsync`.
pub(super) fn fsync() -> impl TypedValueParser<Value = Fsync> {
    one_of("fsync", [Fsync::Always, Fsync::Batch, Fsync::Never])
}

/// `--charset`.
pub(super) fn charset(given: &str) -> Result<String, &'static str> {
    match encoding_rs::Encoding::for_label(given.as_bytes()) {
        Some(_) => Ok(given.to_owned()),
        None => Err("not a label of the Encoding Standard; write for example utf-8 or shift_jis"),
    }
}

/// `--feed-base`.
pub(super) fn feed_base() -> impl TypedValueParser<Value = FeedBase> {
    one_of(
        "feed-base",
        [FeedBase::Item, FeedBase::Feed, FeedBase::Document],
    )
}

/// The values of an option, and a few words on each.
fn rows(option: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let rows = include_str!("values.tsv").lines();
    rows.filter_map(move |row| {
        row.strip_prefix(option)?
            .strip_prefix('\t')?
            .split_once('\t')
    })
}

/// A parser for the names of these values, which have the order of the table. The help explains each, and an error
/// lists them.
fn one_of<T, const N: usize>(
    option: &'static str,
    values: [T; N],
) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync + 'static,
{
    PossibleValuesParser::new(possible(option).take(N)).try_map(move |given| {
        let row = rows(option).position(|(name, _)| name == given);
        row.map(|row| values[row]).ok_or("no such value")
    })
}

/// The values as clap shows them.
fn possible(option: &'static str) -> impl Iterator<Item = PossibleValue> {
    rows(option).map(|(name, about)| PossibleValue::new(name).help(about))
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
