//! Which files are documents, and what holds documents.

use std::path::PathBuf;
use std::sync::LazyLock;

use crate::batch::{self, ReadAs, RowHolds};
use abslink_containers::feed::FeedBase;
use abslink_containers::rows;
use clap::ValueHint;

use super::values::{self, Detect, ExtItem};

/// Which files are documents.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Which files")]
pub(crate) struct DocumentArgs {
    /// For hooks: refuse to run without a `--` before the PATHs, which may have any names
    #[arg(long, hide = true)]
    pub(crate) hook: bool,
    /// Files, directories, or `-` for one HTML document on standard input
    ///
    /// A file's name and first bytes decide what it is. A file that is something else, such as a script or
    /// a picture, or is not recognised, is left, and the exit code is 2. --as says what a file PATH is. See docs/files.md. Without a PATH, those of the project's abslink.toml count.
    #[arg(value_name = "PATH", required = true, value_hint = ValueHint::AnyPath)]
    #[arg(help_heading = None::<&str>)]
    pub(crate) paths: Vec<PathBuf>,
    /// Which files in directories are documents, by the ending of their names, in any letter case
    ///
    /// A `+` at the start adds the whole list to the default: `+css,svg`.
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = values::ending)]
    #[arg(default_value = DEFAULT_ENDINGS.as_str())]
    pub(crate) ext: Vec<ExtItem>,
    /// The character encoding of HTML files, as the server gives it in Content-Type
    ///
    /// It takes precedence over what a document declares, and a byte order mark over it. Messages and
    /// web archives name the encodings of their documents themselves.
    #[arg(long, value_name = "LABEL", value_parser = values::charset)]
    pub(crate) charset: Option<String>,
    /// Also take files whose contents say what they are
    ///
    /// May be given several times. It adds to what --layout wget, wget-windows and httrack turn on, which is
    /// html; only `none` turns that off. A file whose ending says that it is something else, such as `app.js`, is
    /// never taken, and backups are not. The summary says how many files were left. See docs/files.md.
    #[arg(long, value_name = "KIND,...", value_delimiter = ',', value_parser = values::detect())]
    pub(crate) detect: Vec<Detect>,
    /// Take only files that match
    ///
    /// May be given several times. A GLOB with a slash is a path below PATH, or one as you would type it
    /// here; one without is the name of a file or directory at any depth. A directory that matches stands
    /// for all files below it. Together the GLOBs may be 32 KiB long.
    #[arg(long, value_name = "GLOB")]
    pub(crate) include: Vec<String>,
    /// Leave out files that match; see --include
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
    /// Leave out what .gitignore and .ignore name
    ///
    /// The files in each directory below the root of the repository count, as for git; .ignore counts outside
    /// of one too, and wins. What is given as PATH is read. The summary says how much was left out. Off by
    /// default: what CI builds and checks is often just what git ignores.
    #[arg(long)]
    pub(crate) gitignore: bool,
    /// Follow symbolic links; loops are reported
    #[arg(short = 'L', long)]
    pub(crate) follow: bool,
    /// What the HTML in feeds is relative to
    ///
    /// An xml:base in the feed comes first, and the feed's own URL last. The links of the feed
    /// itself are always relative to one of these two.
    #[arg(long, value_name = "WHAT", value_parser = values::feed_base())]
    #[arg(default_value = "item")]
    pub(crate) feed_base: FeedBase,
    #[command(flatten)]
    pub(crate) messages: MessageArgs,
    #[command(flatten)]
    pub(crate) rows: RowArgs,
}

/// Which fields of rows hold documents.
#[derive(Debug, clap::Args)]
#[command(
    next_help_heading = "Rows: .jsonl, .json, .csv, .tsv and the like, also with .gz or .zst"
)]
pub(crate) struct RowArgs {
    /// A field with HTML, or with what KIND says; repeatable
    ///
    /// In JSON a JSON Pointer such as /posts/*/html, with * for every element, or the name of a member
    /// at the top. In CSV the name of a column. Each is a document with a base URL of its own. KIND is
    /// html (the default), feed, css, url or urls (a JSON array, or URLs with blanks, `|` or commas between
    /// them). A name with a colon needs its KIND: `g:link:url`.
    #[arg(long, value_name = "NAME[:KIND]", value_parser = rows::field)]
    pub(crate) field: Vec<(RowHolds, String)>,
    /// The field with the URL that the row's HTML was retrieved from; a relative one is relative to
    /// --base-url
    #[arg(long, value_name = "NAME")]
    pub(crate) url_field: Option<String>,
    /// What stands between the fields of CSV, if it is neither a comma nor in .tsv a tab
    #[arg(long, value_name = "CHARACTER", value_parser = values::delimiter)]
    pub(crate) delimiter: Option<u8>,
}

/// The endings of `--ext` where it is not given.
static DEFAULT_ENDINGS: LazyLock<String> =
    LazyLock::new(|| batch::default_endings().collect::<Vec<_>>().join(","));

/// How messages with HTML in them are read.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Messages: .mht, .mhtml, .eml")]
pub(crate) struct MessageArgs {
    /// Read `-` and file PATHs as this, whatever their names are
    #[arg(long = "as", value_name = "WHAT", value_parser = values::read_as())]
    pub(crate) read_as: Option<ReadAs>,
}
