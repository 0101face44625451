//! Whole commands compared on the same tree, and how abslink scales with its work.
//!
//! ```sh
//! cargo bench --bench compare -- all      # what docs/speed.md and docs/dev/speed.md show; takes 20 minutes
//! cargo bench --bench compare -- all --quick
//! cargo bench --bench compare -- tree --only cp,auto
//! ```
//!
//! - [`tree`]: `cp -r`, abslink and its [`peers`] rewrite a corpus in turn. Before they are timed
//!   their [`answers`] are compared.
//! - [`archives`]: abslink and other readers of web archives, beside inflating them.
//! - [`feeds`]: abslink beside lxml and feedparser.
//! - [`rows`]: abslink on JSON Lines, beside reading them and beside lxml.
//! - [`tags`]: user time beside a program in C that only reads tags.
//! - [`scaling`]: time and memory against the number of files, the size of one file, and jobs.
//!
//! Results go to standard output as Markdown, plots to target/compare. Runs take turns (A B C A B
//! C …), what they write is removed before each run, outside the measured time, and everything has
//! been read once before, so that no disk takes part.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "results and progress are printed"
)]

mod answers;
mod archives;
mod feeds;
mod generate;
mod machine;
#[path = "."]
mod oracle {
    #[path = "../../tests/oracle/css.rs"]
    mod css;
    #[path = "../../tests/oracle/decode.rs"]
    #[allow(dead_code, reason = "only its reading of encodings is needed here")]
    pub(crate) mod decode;
    #[path = "../../tests/oracle/places.rs"]
    pub(crate) mod places;
}
mod peers;
mod plot;
mod rows;
mod run;
mod scaling;
mod server;
mod tags;
mod tree;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, ValueEnum};

/// Compares whole commands on the same tree, and measures how abslink scales.
#[derive(Parser)]
#[command(name = "cargo bench --bench compare --")]
struct Args {
    /// What to measure
    what: Option<What>,
    /// What `tree` and `jobs` work on: a package in target/corpus, or a directory [default:
    /// rust-doc; for `warc` all packages that are there]
    #[arg(long)]
    corpus: Option<String>,
    /// How many runs a median is taken of [default: 5]
    #[arg(long)]
    runs: Option<usize>,
    /// Where trees are made [default: /dev/shm if there is room, else target/tmp]
    #[arg(long)]
    scratch: Option<PathBuf>,
    /// Which programs take part in `tree`; others are not installed
    #[arg(long, value_delimiter = ',', value_name = "NAME", value_parser = peers::NAMES)]
    only: Vec<String>,
    /// Small trees, one run: to see that everything works
    #[arg(long)]
    quick: bool,
    /// Reads rows, for `rows`
    #[arg(long, hide = true, value_name = "FILE")]
    read_rows: Option<PathBuf>,
    /// What cargo adds.
    #[arg(long, hide = true)]
    bench: bool,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum What {
    /// abslink and its peers on one tree
    Tree,
    /// abslink on 1,000 to 1,000,000 files
    Files,
    /// abslink on one file of 1 KB to 1 GB
    Size,
    /// abslink with 1, 2, ... threads
    Jobs,
    /// Web archives
    Warc,
    /// abslink, lxml and feedparser on feeds
    Feeds,
    /// abslink, serde_json and lxml on 2 GB of JSON Lines
    Rows,
    /// abslink beside a program in C that only reads tags
    Tags,
    /// All of these
    All,
}

/// What every measurement needs to know.
struct Setting {
    runs: usize,
    quick: bool,
    corpus: PathBuf,
    /// The pages of the web archive.
    pages: PathBuf,
    only: Vec<String>,
    /// Removed at the end.
    scratch: tempfile::TempDir,
}

fn main() -> ExitCode {
    let args = Args::parse();
    if let Some(rows) = args.read_rows {
        rows::read(&rows);
        return ExitCode::SUCCESS;
    }
    // A plain `cargo bench` comes here too, and must not take that long.
    let Some(what) = args.what else {
        println!("{}", Args::command().render_help());
        return ExitCode::SUCCESS;
    };
    let corpus = args.corpus.as_deref();
    let corpus = corpus.unwrap_or(if args.quick { "site" } else { "rust-doc" });
    let Some(corpus) = tree::corpus(corpus) else {
        eprintln!("there is no corpus {corpus}: testdata/fetch-corpora.sh brings those it knows");
        return ExitCode::from(2);
    };
    let setting = Setting {
        runs: args.runs.unwrap_or(if args.quick { 1 } else { 5 }).max(1),
        quick: args.quick,
        pages: match &args.corpus {
            None if !args.quick => tree::corpora(),
            _ => corpus.clone(),
        },
        corpus,
        only: args.only,
        scratch: machine::scratch(args.scratch),
    };
    machine::print(&setting);
    let wanted = |it| what == it || what == What::All;
    // First what measures memory: see `run`.
    if wanted(What::Files) {
        scaling::files(&setting);
    }
    if wanted(What::Size) {
        scaling::size(&setting);
    }
    if wanted(What::Jobs) {
        scaling::jobs(&setting);
    }
    if wanted(What::Rows) {
        rows::compare(&setting);
    }
    if wanted(What::Warc) {
        archives::compare(&setting);
    }
    if wanted(What::Tree) {
        tree::compare(&setting);
    }
    if wanted(What::Tags) {
        tags::compare(&setting);
    }
    if wanted(What::Feeds) {
        feeds::compare(&setting);
    }
    ExitCode::SUCCESS
}
