//! Which files are documents, and which fields of rows.

use std::path::PathBuf;
use std::sync::LazyLock;

use crate::batch::{self, Kind, RowHolds};
use abslink_containers::feed::FeedBase;
use abslink_containers::rows;
use clap::ValueHint;

use super::values::{self, Detect, ExtItem};

/// Which files are documents.
#[derive(Debug, clap::Args)]
pub(crate) struct DocumentArgs {
    /// For hooks: refuse to run without a `--` before the PATHs, which may have any names
    #[arg(long, hide = true)]
    pub(crate) hook: bool,
    /// Files, directories, or `-` for standard input
    ///
    /// Its name and first bytes decide what a file is; --as overrides that for files named here. A file that
    /// is not recognised is skipped, with exit code 2: see docs/files.md. Without a PATH, those of
    /// abslink.toml are used.
    #[arg(value_name = "PATH", required = true, value_hint = ValueHint::AnyPath)]
    pub(crate) paths: Vec<PathBuf>,
    /// File extensions to read, in directories
    ///
    /// A `+` at the start adds the whole list to the default: `+css,svg`.
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = values::ending)]
    #[arg(default_value = DEFAULT_ENDINGS.as_str())]
    pub(crate) ext: Vec<ExtItem>,
    /// Also read files whose contents say what they are
    ///
    /// In directories: html (page templates too), feeds (sitemaps and OPML too), all, or none. html is on in
    /// mirrors, for names with a query, and for files that record a URL. A file whose ending says
    /// otherwise (`app.js`) is never read, nor is a backup.
    #[arg(long, value_name = "KIND,...", value_delimiter = ',', value_parser = values::detect())]
    pub(crate) detect: Vec<Detect>,
    /// Read only files that match
    ///
    /// Repeatable. A GLOB with a slash is a path below PATH, or one as you would type it here; one without
    /// is the name of a file or directory at any depth. A directory stands for all files below it.
    #[arg(long, value_name = "GLOB")]
    pub(crate) include: Vec<String>,
    /// Skip files that match; see --include
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
    /// Follow symbolic links
    #[arg(short = 'L', long)]
    pub(crate) follow: bool,
    /// Read `-` and the files given as PATH as this
    ///
    /// html, xhtml, markdown, message, feed, warc, css, manifest, speculation-rules, json, jsonl, csv, tsv
    #[arg(long = "as", value_name = "KIND", value_parser = values::read_as())]
    pub(crate) read_as: Option<Kind>,
    /// Set the encoding of HTML files, as Content-Type does
    ///
    /// It wins over what a page declares, but not over a byte order mark. Messages and web archives name
    /// their own encodings.
    #[arg(long, value_name = "LABEL", value_parser = values::charset)]
    pub(crate) charset: Option<String>,
    /// Skip what .gitignore and .ignore name
    ///
    /// As git does, and .ignore outside of a repository too. What is given as PATH is read. Off by default:
    /// what CI checks is often just what git ignores.
    #[arg(long)]
    pub(crate) gitignore: bool,
    /// Choose what the HTML in feeds is relative to
    ///
    /// item (the default): its item's page, else the site; feed: the site that the feed links to; document:
    /// the feed's own URL. An xml:base in the feed comes first.
    #[arg(long, value_name = "WHAT", value_parser = values::feed_base())]
    #[arg(default_value = "item")]
    pub(crate) feed_base: FeedBase,
    /// Read this field of JSON and CSV
    ///
    /// Repeatable. NAME is a JSON Pointer such as /posts/*/html, a member at the top, or a column. KIND is
    /// html (the default), xhtml, markdown, feed, css, url or urls (a list). A name with a colon needs its KIND:
    /// `g:link:url`. See docs/rows.md.
    #[arg(long, value_name = "NAME[:KIND]", value_parser = rows::field)]
    pub(crate) field: Vec<(RowHolds, String)>,
    /// Take the URL of each row from this field
    #[arg(long, value_name = "NAME", requires = "field")]
    pub(crate) url_field: Option<String>,
    /// Set the field separator of CSV
    #[arg(long, value_name = "CHARACTER", value_parser = values::delimiter, requires = "field")]
    pub(crate) delimiter: Option<u8>,
}

/// The endings of `--ext` where it is not given.
static DEFAULT_ENDINGS: LazyLock<String> =
    LazyLock::new(|| batch::default_endings().collect::<Vec<_>>().join(","));
