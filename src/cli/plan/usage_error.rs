//! What is wrong with arguments.

use std::io;
use std::path::PathBuf;

use crate::batch::{GlobError, PlanError, RowFields};
use abslink_html::base::retrieval::url_map::MapError;
use abslink_url::UnsuitableBase;

use super::forms::FormError;
use super::inputs::InputError;
use super::level::LevelError;
use super::places::PlaceError;
use super::typed::TypedError;
use crate::cli::format::BaselineError;
use crate::cli::terminal::passwords::masked;
use crate::cli::terminal::print::{OneLine, PathLine};

/// Why arguments, each well-formed, cannot be combined or do not fit this file system.
#[derive(Debug, thiserror::Error)]
pub(crate) enum UsageError {
    #[error(
        "the hook needs `--` before the names of files, or a name could be an option: end its args with it, \
         as in args: [--root=site, --]"
    )]
    NamesNeedDashes,
    #[error(transparent)]
    Inputs(#[from] InputError),
    #[error(
        "`-` has no file name, which {option} needs: leave the option out, and the document goes \
         to standard output"
    )]
    StdinHasNoName { option: &'static str },
    #[error(
        "`-` is not below a directory: leave --root out, and give the URL of the document with -b"
    )]
    StdinHasNoRoot,
    #[error("{} is a directory: say where its files go", PathLine(path))]
    DirectoryGoesNowhere { path: PathBuf },
    #[error("{paths} PATHs cannot all go to standard output")]
    ManyGoNowhere { paths: usize },
    #[error(
        "the document or the diff goes to standard output, where --format {name} would write too: \
         choose -o DIR, -i or --dry-run, or give it a file: --format {name}=FILE"
    )]
    FormatHasNoPlace { name: &'static str },
    #[error("the document or the diff goes to standard output, where --list-files would print too")]
    FilesHaveNoPlace,
    #[error("--list-files and --format {name} would both write to standard output")]
    FormatMeetsFiles { name: &'static str },
    #[error(
        "--format text of rewrite is the summary on standard error, and goes to no file: leave `=FILE` out"
    )]
    TextIsOnStderr,
    #[error(
        "--format {one} and --format {other} would both write to standard output: give one of them a file: --format {other}=FILE"
    )]
    FormatsMeet {
        one: &'static str,
        other: &'static str,
    },
    #[error("--format {name}={}: cannot be written: {error}", PathLine(path))]
    FormatFile {
        name: &'static str,
        path: PathBuf,
        error: io::Error,
    },
    #[error("--format html can be given once")]
    OnePage,
    #[error(
        "SOURCE_DATE_EPOCH is `{}`: not a number of seconds",
        OneLine(.0)
    )]
    SourceDateEpoch(String),
    #[error(transparent)]
    Baseline(#[from] BaselineError),
    #[error(transparent)]
    Level(#[from] LevelError),
    #[error(transparent)]
    Form(#[from] FormError),
    #[error(transparent)]
    Place(#[from] PlaceError),
    #[error("{}: no such file or directory", PathLine(.0))]
    NoSuchPath(PathBuf),
    #[error("several PATHs share one --base-url")]
    OneUrlForMany,
    #[error(
        "--root {}: not a directory; it is the directory that --base-url stands for",
        PathLine(path)
    )]
    RootIsNoDirectory { path: PathBuf },
    #[error("--root {}: {error}", PathLine(path))]
    Root { path: PathBuf, error: io::Error },
    #[error("--layout tree needs --base-url, the URL that the tree stands for")]
    TreeNeedsUrl,
    #[error(
        "--base-url is for --layout tree only: in the other layouts the directories name their \
         hosts; leave one of the two options out"
    )]
    UrlIsForTree,
    #[error(
        "--any-host is for layouts in which the first directory is a host: wget, wget-windows, httrack"
    )]
    LayoutHasNoHosts,
    #[error("empty name in --index; `none` keeps all names")]
    EmptyIndex,
    #[error("--scheme is for layouts without schemes; --base-url has one")]
    UrlHasScheme,
    #[error(
        "with this --layout the first directory is a host: give the mirror's directory as PATH, or \
         add --root DIR for files below it"
    )]
    LayoutNeedsRoot,
    #[error("--url-from {0} needs {1}")]
    SourceNeeds(&'static str, &'static str),
    #[error("--url-map {}: {error}", PathLine(path))]
    Map { path: PathBuf, error: MapError },
    #[error("{}:{line}: {reason}", PathLine(path))]
    MapLine {
        path: PathBuf,
        line: u64,
        reason: String,
    },
    #[error(
        "--only-missing needs a tree to look for files in, and `-` has none: give a file or a directory"
    )]
    StdinHasNoTree,
    #[error("`-` has no file name: add --as json, jsonl, csv or tsv")]
    RowsOnStdin,
    #[error("too many fields: at most {}", RowFields::MOST)]
    TooManyFields,
    #[error("{option} is not for web archives: each record names its URL")]
    NotForArchives { option: &'static str },
    #[error(
        "-i cannot replace {} by its conversions: add --warc-as append or --warc-as response, or write \
         the conversions as a new archive with -o DIR",
        PathLine(path)
    )]
    ConversionsInPlace { path: PathBuf },
    #[error(transparent)]
    Typed(#[from] TypedError),
    #[error("--base-url {}: {reason}", OneLine(masked(url)))]
    Base { url: String, reason: UnsuitableBase },
    #[error("--base-url {}: a URL has no spaces: write {}", OneLine(masked(url)), OneLine(masked(&url.replace(' ', "%20"))))]
    SpaceInUrl { url: String },
    #[error("--ext: `+` comes once, before the whole list")]
    PlusFurtherOn { list: String },
    #[error("{option} none cannot be combined with other values")]
    NoneAndOthers { option: &'static str },
    #[error("{option} {error}")]
    Glob {
        option: &'static str,
        error: GlobError,
    },
    #[error(transparent)]
    Paths(#[from] PlanError),
}

impl UsageError {
    /// Commands to type instead, one for each choice.
    pub(crate) fn hints(&self) -> Vec<String> {
        const OUTPUT: &str = "-o DIR writes a new tree";
        const DRY_RUN: &str = "--dry-run only counts what would change";
        const DIFF: &str = "--diff only shows it";
        let hints: &[&str] = match self {
            UsageError::Typed(error) | UsageError::Form(FormError::Typed(error)) => {
                return error.hint().into_iter().collect();
            }
            UsageError::Inputs(error) => return error.hint().into_iter().collect(),
            UsageError::DirectoryGoesNowhere { .. } => {
                &[OUTPUT, "-i rewrites them in place", DRY_RUN, DIFF]
            }
            UsageError::ManyGoNowhere { .. } => {
                &[OUTPUT, "-i rewrites the files in place", DRY_RUN, DIFF]
            }
            UsageError::FilesHaveNoPlace => &[OUTPUT, "-i rewrites files in place", DRY_RUN],
            UsageError::PlusFurtherOn { list } => return vec![format!("--ext +{list}")],
            UsageError::FormatMeetsFiles { name } => {
                return vec![format!("--format {name}=FILE writes to a file")];
            }
            UsageError::Form(FormError::KeepsAll) => &["add --move-url FROM=TO or --unwrap"],
            UsageError::OneUrlForMany => {
                &["--root DIR names the directory that the URL stands for"]
            }
            _ => &[],
        };
        hints.iter().map(|hint| (*hint).to_owned()).collect()
    }
}
