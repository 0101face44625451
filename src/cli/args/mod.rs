//! What was typed. Nothing is looked up here: [`super::plan`] does that.

mod values;

use std::ffi::OsString;
use std::path::PathBuf;

use crate::base::retrieval::EvidenceKind;
use crate::base::retrieval::mirror::ConvertedLinks;
use crate::batch::ReadAs;
use crate::html::{Engine, Fragments, ReferencePattern};
use crate::message::{Attachments, FileLocations};
use crate::resolver::Resolver;
use clap::{ArgGroup, Parser, Subcommand, ValueEnum, ValueHint};

use super::exit;
pub(crate) use values::Named;

/// Turn every relative URL in HTML files into an absolute one, and change nothing else
///
/// abslink finds each document's base URL the way RFC 1808 section 3 says, resolves each reference
/// with the algorithm of section 4, and replaces only the bytes of the references.
#[derive(Debug, Parser)]
#[command(
    name = "abslink",
    version,
    arg_required_else_help = true,
    max_term_width = 100,
    after_help = "Recipes and exit codes: abslink --help",
    after_long_help = format!("{RECIPES}\n\n{}", exit::TABLE),
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const RECIPES: &str = "\
Recipes:
  A documentation tree, made absolute into a new directory:
    abslink rewrite -b https://docs.example.org/3/ -o out docs/
  A mirror, in place, keeping each original as NAME.orig; look first, then do it:
    abslink rewrite -b https://www.example.org/ -i --backup .orig mirror/ --diff | less
    abslink rewrite -b https://www.example.org/ -i --backup .orig mirror/
  Mirrors that say themselves where they are from:
    abslink rewrite --layout wget -i mirror/
    abslink rewrite --url-map mirror/hts-cache/new.txt --root mirror -i mirror/www.example.org
  A CI job that fails where a document is not self-contained:
    abslink check --strict site/";

/// A command and its options.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Write the documents with absolute URLs
    #[command(after_long_help = exit::TABLE)]
    Rewrite(Rewrite),
    /// List the relative references that are there; exit 1 if there are any
    #[command(after_long_help = exit::TABLE)]
    Check(Check),
    /// List every reference, relative or not, as JSON Lines
    Links(Links),
    /// Say for each document which base URL applies, and why
    Base(Base),
    /// Resolve references against a base URL; no HTML involved
    Resolve(Resolve),
    /// Show the components of a URL, and where it departs from the grammar
    Parse(Parse),
}

/// `abslink rewrite`.
#[derive(Debug, clap::Args)]
pub(crate) struct Rewrite {
    #[command(flatten)]
    pub(crate) destination: Destination,
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(flatten)]
    pub(crate) strict: Strict,
    /// How the summary is written: text on standard error, or one JSON object on standard output
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

/// `abslink check`.
#[derive(Debug, clap::Args)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(flatten)]
    pub(crate) strict: Strict,
    /// How references are listed: a line for people, or the JSON Lines of `abslink links`
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

/// `abslink links`.
#[derive(Debug, clap::Args)]
pub(crate) struct Links {
    #[command(flatten)]
    pub(crate) common: Common,
    /// How references are listed: the lines of `abslink check`, or JSON Lines
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "json")]
    pub(crate) format: Format,
}

/// What `rewrite`, `check` and `links` have in common.
#[derive(Debug, clap::Args)]
pub(crate) struct Common {
    #[command(flatten)]
    pub(crate) documents: Documents,
    #[command(flatten)]
    pub(crate) location: Location,
    #[command(flatten)]
    pub(crate) reading: Reading,
    #[command(flatten)]
    pub(crate) running: Running,
}

/// `abslink base`.
#[derive(Debug, clap::Args)]
pub(crate) struct Base {
    #[command(flatten)]
    pub(crate) documents: Documents,
    #[command(flatten)]
    pub(crate) location: Location,
    #[command(flatten)]
    pub(crate) resolver: ResolverOption,
    #[command(flatten)]
    pub(crate) running: Running,
    /// List only documents whose evidence of the retrieval URL disagrees
    #[arg(long)]
    pub(crate) conflicts: bool,
    /// How documents are listed: aligned for people, or as JSON Lines
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

/// `abslink resolve`.
#[derive(Debug, clap::Args)]
pub(crate) struct Resolve {
    /// The base URL; a fragment is allowed
    #[arg(short, long, visible_alias = "base", value_name = "URL", value_hint = ValueHint::Url)]
    pub(crate) base_url: String,
    #[command(flatten)]
    pub(crate) resolver: ResolverOption,
    /// Show the components of both URLs, and each step of section 4 as it is taken
    #[arg(long)]
    pub(crate) explain: bool,
    /// Show all three resolvers side by side
    #[arg(long)]
    pub(crate) compare: bool,
    /// How results are written: one a line, or as JSON Lines
    ///
    /// Both are exact, but a terminal is shown control characters in a line as \u{1b} and the like.
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
    /// References to resolve; without any, one a line is read from standard input
    ///
    /// A reference that does not resolve has an empty line for a result, and the exit code is 1. So
    /// has a line that is not UTF-8, and the exit code is 2.
    #[arg(value_name = "REFERENCE")]
    pub(crate) references: Vec<String>,
}

/// `abslink parse`.
#[derive(Debug, clap::Args)]
pub(crate) struct Parse {
    /// How components are written: aligned for people, or as JSON Lines
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
    /// URLs to parse; without any, one a line is read from standard input
    ///
    /// A line that is not UTF-8 is left out, and the exit code is 2.
    #[arg(value_name = "URL")]
    pub(crate) urls: Vec<String>,
}

/// Where `rewrite` writes.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Where the result goes")]
pub(crate) struct Destination {
    /// Write the same tree below DIR
    ///
    /// The contents of one directory PATH go straight below DIR; several PATHs go each below its
    /// own file name. Only HTML documents are written, unless --copy-others is given. New directories
    /// have the modes of those that they are copies of, less what the umask takes away, as with
    /// `cp -r`; but the owner can always write to them.
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    #[arg(conflicts_with = "in_place")]
    pub(crate) output: Option<PathBuf>,
    /// Replace each changed file; unchanged ones are not touched
    ///
    /// A file is replaced as a whole: other names of it (hard links) keep the old contents. A
    /// symbolic link given as PATH stays one.
    #[arg(short, long)]
    pub(crate) in_place: bool,
    /// Write nothing; the summary is the same
    ///
    /// It goes with -o and -i, and needs neither. DIR is not made.
    #[arg(long, conflicts_with = "diff")]
    pub(crate) dry_run: bool,
    /// Write nothing but a unified diff to standard output
    ///
    /// It goes with -o and -i, and needs neither. DIR is not made. The diff is exact, but a terminal is
    /// shown control characters as \u{1b} and the like.
    #[arg(long)]
    pub(crate) diff: bool,
    /// With -o, also copy the files that are not HTML documents, backups among them
    ///
    /// Symbolic links are copied as links, whose text stays as it is; with --follow-links what they
    /// lead to is copied.
    // clap waives `requires` where what is required conflicts with what is given.
    #[arg(long, requires = "output", conflicts_with = "in_place")]
    pub(crate) copy_others: bool,
    /// With -i, keep each original beside it under its name plus SUFFIX
    ///
    /// An older backup is never overwritten. A file with this suffix, or with .orig, beside the file
    /// of that name without it is no document, unless it is named as PATH.
    #[arg(long, value_name = "SUFFIX", value_parser = values::suffix)]
    #[arg(requires = "in_place", conflicts_with = "output")]
    pub(crate) backup: Option<OsString>,
    /// With -o or -i, wait until each file is on the disk
    ///
    /// Then a power failure finds each file old or new as well; without it only a crash of the
    /// program does. It takes much longer.
    #[arg(long)]
    pub(crate) fsync: bool,
}

/// Which files are documents.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Which files")]
pub(crate) struct Documents {
    /// Files, directories, or `-` for one HTML document on standard input
    ///
    /// A file and `-` are taken as HTML whatever their name, unless it is that of a message.
    #[arg(value_name = "PATH", required = true, value_hint = ValueHint::AnyPath)]
    #[arg(help_heading = None::<&str>)]
    pub(crate) paths: Vec<PathBuf>,
    /// Endings of documents in directories, in any letter case
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = values::extension)]
    #[arg(default_value = "html,htm,xhtml,xht,shtml,mht,mhtml,eml")]
    pub(crate) ext: Vec<String>,
    /// Also take files whose first bytes are HTML
    ///
    /// This finds a mirror's `view.php?id=3`. The rule is that of the MIME sniffing standard. With
    /// --layout wget, wget-windows or httrack it is on, since mirrors keep pages under any name.
    ///
    /// A file whose name is that of a file beside it and something more may be a backup and is left:
    /// `page.bak` or `page_old` beside `page`. A longer query or number is another page: `page?id=3`,
    /// `page?id=32`, `page12` beside `page1`. The summary counts what is left.
    #[arg(long, overrides_with = "no_detect_html")]
    pub(crate) detect_html: bool,
    /// Take files by their names only
    ///
    /// The summary says in any case how many others look like HTML.
    #[arg(long, overrides_with = "detect_html")]
    pub(crate) no_detect_html: bool,
    /// Take only files that match
    ///
    /// May be given several times. GLOB is matched against the path below PATH; one without a slash
    /// against the names at any depth. A directory stands for all that is below it. All GLOBs
    /// together may have 32 KiB.
    #[arg(long, value_name = "GLOB")]
    pub(crate) include: Vec<String>,
    /// Leave out files that match; see --include
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
    /// Follow symbolic links; loops are reported
    #[arg(long)]
    pub(crate) follow_links: bool,
    #[command(flatten)]
    pub(crate) messages: Messages,
}

/// How messages with HTML in them are read.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Messages: .mht, .mhtml, .eml")]
pub(crate) struct Messages {
    /// As what `-` and file PATHs are read, whatever their name
    #[arg(long = "as", value_name = "WHAT", value_parser = values::read_as())]
    pub(crate) read_as: Option<ReadAs>,
    /// What happens to HTML parts that are attachments
    #[arg(long, value_name = "RULE", value_parser = values::attachments())]
    #[arg(default_value = "rewrite")]
    pub(crate) attachments: Attachments,
    /// What happens to parts that a program saved at a file: URL, as Word does
    #[arg(long, value_name = "RULE", value_parser = values::file_locations())]
    #[arg(default_value = "keep")]
    pub(crate) file_locations: FileLocations,
}

/// RFC 1808 §3.3: which URL a document was retrieved from.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Which URL the documents were retrieved from")]
#[command(group = ArgGroup::new("spelling").args(["base_url", "layout", "url_map"]).multiple(true))]
pub(crate) struct Location {
    /// The URL of the document, or of the directory, that PATH is
    ///
    /// For a file or `-` it is the document's own URL, for a directory the URL of that directory.
    /// A `<base href>` in a document comes first. Without any base URL, references stay as they
    /// are, and the exit code is 1.
    #[arg(short, long, value_name = "URL", value_hint = ValueHint::Url)]
    pub(crate) base_url: Option<String>,
    /// The directory that --base-url stands for, when PATHs are files below it
    ///
    /// The paths of --layout and --url-map are counted from there too.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, requires = "spelling")]
    pub(crate) root: Option<PathBuf>,
    /// How a path spells a URL; with --base-url it is `tree`
    #[arg(long, value_enum, value_name = "LAYOUT")]
    pub(crate) layout: Option<Layout>,
    /// The scheme, where a mirror does not record it
    ///
    /// One that mirrors are made of: https, http, ftp, ftps, gopher, nntp, prospero or wais. Without
    /// this option https is assumed, and `abslink base` says so.
    #[arg(long, value_name = "SCHEME", value_parser = values::scheme)]
    pub(crate) scheme: Option<String>,
    /// With a mirror's --layout, take every first directory for a host
    ///
    /// Otherwise only those count that look like one: with a dot, a port or an address, or
    /// `localhost`. The layout says nothing of documents in others, such as `docs`.
    #[arg(long, requires = "layout")]
    pub(crate) any_host: bool,
    /// Names that stand for the URL of their directory
    #[arg(
        long,
        value_name = "NAME,...",
        value_delimiter = ',',
        requires = "spelling"
    )]
    #[arg(default_value = "index.html,index.htm")]
    pub(crate) index: Vec<String>,
    /// Let no name stand for its directory: keep index.html in URLs
    #[arg(long, conflicts_with = "index", requires = "spelling")]
    pub(crate) keep_index: bool,
    /// A map from paths below PATH to URLs
    ///
    /// CSV or TSV with the columns path and url, JSON Lines with such fields, or HTTrack's
    /// hts-cache/new.txt.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) url_map: Option<PathBuf>,
    /// Which evidence counts, in this order
    ///
    /// By default `map,layout` with --base-url, --layout or --url-map, and `xattr,comment` without
    /// them.
    #[arg(long, value_name = "SOURCE,...", value_delimiter = ',', value_parser = values::source())]
    pub(crate) url_from: Vec<EvidenceKind>,
}

/// Which standard resolves.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "What is resolved, and how")]
pub(crate) struct ResolverOption {
    /// The standard that resolves references
    #[arg(long, value_name = "NAME", value_parser = values::resolver())]
    #[arg(default_value = "rfc1808")]
    pub(crate) resolver: Resolver,
}

/// What is resolved, and how.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "What is resolved, and how")]
pub(crate) struct Reading {
    #[command(flatten)]
    pub(crate) resolver: ResolverOption,
    /// What happens to `href="#x"` on `a` and `area`
    #[arg(long, value_name = "RULE", value_parser = values::fragments())]
    #[arg(default_value = "resolve")]
    pub(crate) fragments: Fragments,
    /// Take these places too
    #[arg(long, value_name = "GROUP,...", value_delimiter = ',', value_parser = values::groups())]
    pub(crate) also: Vec<Named>,
    /// Leave these places alone; the groups are those of --also
    ///
    /// `--skip all --also links` takes links only, and `--also all --skip css` all but css.
    #[arg(long, value_name = "GROUP,...", value_delimiter = ',', value_parser = values::groups())]
    #[arg(hide_possible_values = true)]
    pub(crate) skip: Vec<Named>,
    /// Leave alone the references whose target is in the tree
    ///
    /// A partial mirror stays browsable and reaches the origin for the rest.
    #[arg(long)]
    pub(crate) only_missing: bool,
    /// Whether links that lead to files of the mirror mean what these files were retrieved from
    ///
    /// HTTrack rewrites links to the names that it gave its files, and so does wget -k.
    #[arg(long, value_name = "WHEN", value_parser = values::converted_links())]
    #[arg(default_value = "auto")]
    pub(crate) converted_links: ConvertedLinks,
    /// Leave alone the references that match
    ///
    /// REGEX may take 512 KiB when it is compiled: the time that a long reference takes grows with
    /// that size.
    #[arg(long, value_name = "REGEX")]
    pub(crate) exclude_url: Option<ReferencePattern>,
}

/// How the command runs.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "How it runs")]
pub(crate) struct Running {
    /// Number of files worked on at a time; by default one for each core
    #[arg(short, long, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
    /// How much of a document is held in memory; the result is the same
    #[arg(long, value_name = "NAME", value_parser = values::engine(), default_value = "auto")]
    pub(crate) engine: Engine,
    /// Show how far it is, on standard error
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
    pub(crate) progress: When,
    /// No summary and no progress on standard error; only errors
    #[arg(short, long, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Say for each document which base URL was used, and which was refused
    #[arg(short, long)]
    pub(crate) verbose: bool,
    /// Take it as success if there is no document at all; otherwise the exit code is 2
    #[arg(long)]
    pub(crate) allow_empty: bool,
}

/// What a CI job may want to fail on.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "How it runs")]
pub(crate) struct Strict {
    /// Take it as an error if files look like HTML and were not taken; the exit code is 2
    ///
    /// Without this option the summary says how many there are.
    #[arg(long)]
    pub(crate) strict: bool,
}

/// How a path spells a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Layout {
    /// The base URL plus the path
    Tree,
    /// [scheme/]host[:port]/path[?query]: wget -r
    Wget,
    /// [scheme/]host[+port]/path[@query]: wget -r --restrict-file-names=windows
    WgetWindows,
    /// host[_port]/path: HTTrack
    Httrack,
}

/// For people or for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// For programs
    Json,
}

/// When progress is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    /// If standard error is a terminal
    Auto,
    /// Also in a log, a line now and then
    Always,
    /// Not at all
    Never,
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        Args::command().debug_assert();
    }

    /// The long help, without the spaces at line ends that clap leaves.
    fn help_of(command: &mut clap::Command) -> String {
        let help = command.render_long_help().to_string();
        help.lines()
            .map(|line| format!("{}\n", line.trim_end()))
            .collect()
    }

    /// The help of the tool and of each command is kept in testdata/cli/. After an intended change:
    /// `ABSLINK_BLESS=1 cargo test help_text`, and read the diff.
    #[test]
    fn help_text() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/cli");
        let mut tool = Args::command().term_width(100);
        tool.build();
        let mut texts = vec![("abslink".to_owned(), help_of(&mut tool))];
        for command in tool.get_subcommands_mut() {
            if command.get_name() != "help" {
                texts.push((command.get_name().to_owned(), help_of(command)));
            }
        }
        for (name, text) in texts {
            let file = folder.join(format!("{name}.help.txt"));
            if std::env::var_os("ABSLINK_BLESS").is_some() {
                std::fs::write(&file, &text).expect("testdata is writable");
            }
            let kept = std::fs::read_to_string(&file).unwrap_or_default();
            // Line by line: the first difference says more than both texts.
            let mut kept = kept.lines();
            for line in text.lines() {
                assert_eq!(kept.next(), Some(line), "{}", file.display());
            }
            assert_eq!(kept.next(), None, "{}", file.display());
        }
    }
}
