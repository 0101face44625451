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

pub(crate) use ext::{ExtItem, ending, is_list, meant};
pub(super) use formats::FormatParser;
pub(crate) use formats::{FormatName, FormatTo};
pub(crate) use groups::{GroupName, groups};

/// `--resolver`.
pub(super) fn resolver() -> impl TypedValueParser<Value = Resolver> {
    one_of(Resolver::ALL.map(|resolver| (resolver.name(), resolver, standard(resolver))))
}

fn standard(resolver: Resolver) -> &'static str {
    match resolver {
        Resolver::Rfc1808 => "RFC 1808 section 4",
        Resolver::Rfc3986 => "RFC 3986 section 5.2",
        Resolver::Whatwg => "The URL Standard: what browsers do",
    }
}

/// `--fragments`.
pub(super) fn fragments() -> impl TypedValueParser<Value = Fragments> {
    one_of([
        (
            "auto",
            Fragments::Auto,
            "It is resolved, but stays in Markdown",
        ),
        (
            "resolve",
            Fragments::Resolve,
            "It is resolved like every other reference",
        ),
        (
            "keep",
            Fragments::Keep,
            "It stays if the base URL is the document's own URL",
        ),
    ])
}

/// `--placeholders`.
pub(super) fn placeholders() -> impl TypedValueParser<Value = Placeholders> {
    one_of([
        ("keep", Placeholders::Keep, "They stay as they are"),
        (
            "resolve",
            Placeholders::Resolve,
            "They are text like any other",
        ),
    ])
}

/// `--converted-links`.
pub(super) fn converted_links() -> impl TypedValueParser<Value = ConvertedLinks> {
    one_of([
        (
            "auto",
            ConvertedLinks::Auto,
            "Each one in HTTrack's pages; elsewhere only a link that the server cannot know",
        ),
        (
            "always",
            ConvertedLinks::Always,
            "Each one; for mirrors made by wget -k",
        ),
        (
            "never",
            ConvertedLinks::Never,
            "None; for mirrors made by httrack -K4",
        ),
    ])
}

/// `--url-from`.
pub(super) fn source() -> impl TypedValueParser<Value = BaseSource> {
    let helps = [
        (BaseSource::Map, "The file of --url-map"),
        (
            BaseSource::Xattr,
            "The extended attribute that wget --xattr and curl --xattr write",
        ),
        (
            BaseSource::Comment,
            "The comment of a browser, HTTrack, SingleFile or monolith",
        ),
        (BaseSource::Layout, "The path, by --base-url or --layout"),
        (
            BaseSource::SelfLink,
            "The URL that a feed gives for itself (rel=self, feed_url)",
        ),
    ];
    one_of(helps.map(|(source, help)| (source.name(), source, help)))
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
    one_of(To::ALL.map(|to| (to.name(), to, about_form(to))))
}

/// `--to` of `resolve`, which knows of no files.
pub(super) fn to_by_url() -> impl TypedValueParser<Value = To> {
    let known = [To::Absolute, To::Relative, To::Root];
    one_of(known.map(|to| (to.name(), to, about_form(to))))
}

fn about_form(to: To) -> &'static str {
    match to {
        To::Relative => "From the directory of the base URL",
        To::Root => "From the root of its server",
        To::Files => "From the page's file to the file that the tree has",
        To::Keep => "The form that each link has",
        _ => "The URL in full",
    }
}

/// `--engine`.
pub(super) fn engine() -> impl TypedValueParser<Value = Engine> {
    one_of([
        (
            "auto",
            Engine::Auto,
            "Files up to 16 MiB, and standard input up to 8 MiB, whole; larger ones in pieces",
        ),
        ("memory", Engine::Memory, "Every document whole"),
        ("stream", Engine::Stream, "Every document in pieces"),
    ])
}

/// `--as`.
pub(super) fn read_as() -> impl TypedValueParser<Value = Kind> {
    one_of([
        ("html", Kind::HTML, "One HTML document"),
        ("xhtml", Kind::XHTML, "One XHTML document"),
        (
            "message",
            Kind::MESSAGE,
            "A mail, an MHTML file, or an HTTP message with its header",
        ),
        (
            "feed",
            Kind::FEED,
            "A feed (RSS, Atom, JSON Feed), a sitemap or OPML",
        ),
        ("warc", Kind::Archive, "A web archive"),
        ("css", Kind::STYLE_SHEET, "A style sheet"),
        ("markdown", Kind::MARKDOWN, "Markdown: CommonMark and GFM"),
        ("manifest", Kind::MANIFEST, "A web app manifest"),
        (
            "speculation-rules",
            Kind::SPECULATION_RULES,
            "Speculation rules in a file of their own",
        ),
        ("json", Kind::JSON, "A JSON value with HTML in its fields"),
        ("jsonl", Kind::JSON_LINES, "A JSON value in each line"),
        (
            "csv",
            Kind::CSV,
            "Records of fields, the first of which has their names",
        ),
        ("tsv", Kind::TSV, "The same, separated by tabs"),
    ])
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
    one_of([
        (
            "html",
            Detect::Html,
            "HTML, by the first bytes, and page templates such as page.html.j2",
        ),
        (
            "feeds",
            Detect::Feeds,
            "Feeds, sitemaps and OPML, by the root element, and JSON Feed",
        ),
        ("all", Detect::All, "Both"),
        (
            "none",
            Detect::None,
            "Neither, with a mirror's --layout too",
        ),
    ])
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
    one_of([
        (
            "append",
            ArchiveForm::Append,
            "The archive as it is, with each conversion after its original",
        ),
        (
            "conversions",
            ArchiveForm::Conversions,
            "A new archive with a conversion of each page that changes",
        ),
        (
            "response",
            ArchiveForm::Response,
            "The archive with the pages themselves changed",
        ),
    ])
}

/// `--fsync`.
pub(super) fn fsync() -> impl TypedValueParser<Value = Fsync> {
    one_of([
        (
            "always",
            Fsync::Always,
            "With each file: its contents before it takes its place, and then its name. The slowest",
        ),
        (
            "batch",
            Fsync::Batch,
            "With many files at once, before they take their places: even after a power failure each is the old or \
             the new one, whole",
        ),
        (
            "never",
            Fsync::Never,
            "When the system sees fit: after a power failure, a file that was replaced just before may be empty",
        ),
    ])
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
    one_of([
        (
            "item",
            FeedBase::Item,
            "The page of the item, else the site",
        ),
        ("feed", FeedBase::Feed, "The site that the feed links to"),
        ("document", FeedBase::Document, "The feed's own URL"),
    ])
}

/// A parser for one of a few names. The help explains each, and an error lists them.
fn one_of<T, const N: usize>(
    table: [(&'static str, T, &'static str); N],
) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync + 'static,
{
    let names = table.map(|(name, _, about)| PossibleValue::new(name).help(about));
    PossibleValuesParser::new(names).try_map(move |given| {
        let row = table.iter().find(|(name, ..)| *name == given);
        row.map(|(_, value, _)| *value).ok_or("no such value")
    })
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
