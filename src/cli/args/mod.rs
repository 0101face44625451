//! What was typed. Nothing is looked up here: [`crate::cli::plan`] does that.

#![allow(
    rustdoc::bare_urls,
    rustdoc::broken_intra_doc_links,
    reason = "what is documented here is shown by --help, and links nowhere"
)]

mod destination;
mod documents;
mod help;
pub(crate) mod hints;
mod options;
pub(super) mod tips;
mod usage_error;
mod values;

use std::ffi::OsString;
use std::path::PathBuf;

use abslink_html::To;
use clap::builder::PossibleValuesParser;
use clap::{ArgAction, ColorChoice, CommandFactory as _, Parser, Subcommand, ValueHint};

use crate::batch::Globs;
use crate::cli::run::exit;
pub(crate) use destination::DestinationArgs;
pub(crate) use documents::DocumentArgs;
pub(crate) use help::{commands, forms, grouped, help};
pub(crate) use hints::Fact;
pub(crate) use options::{
    LayoutName, LinkArgs, ListFilesArgs, LocationArgs, OutputFormat, ResolverArgs, RunArgs,
    StrictArgs,
};
pub(crate) use usage_error::{UsageError, usage};
pub(crate) use values::{Detect, ExtItem, FormatName, FormatTo, GroupName};

/// Make relative links in HTML absolute, and change nothing else
///
/// abslink finds the base URL of each page as RFC 1808 section 3 says, resolves each link with the
/// algorithm of section 4, and replaces only the bytes of the links.
#[derive(Debug, Parser)]
#[command(
    name = "abslink",
    version,
    arg_required_else_help = true,
    max_term_width = 100,
    after_help = "Examples and exit codes: abslink --help",
    after_long_help = format!("{EXAMPLES}\n\n{}", exit::TABLE),
)]
pub(crate) struct Args {
    /// Choose when text has colours: auto, always or never
    ///
    /// auto (the default): on a terminal; respects NO_COLOR, CLICOLOR and CLICOLOR_FORCE.
    #[arg(long, global = true, hide_short_help = true)]
    #[arg(value_enum, value_name = "WHEN", default_value = "auto")]
    #[arg(help_heading = help::REPORTING, display_order = help::COLOR)]
    pub(crate) color: ColorChoice,
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  A documentation tree, made absolute in a new directory:
    abslink rewrite -b https://docs.example.org/3/ -o out docs/
  A mirror, in place, keeping each original as NAME.orig; look first, then do it:
    abslink rewrite -b https://www.example.org/ --diff mirror/ | less
    abslink rewrite -b https://www.example.org/ -i --backup .orig mirror/
  Mirrors made by wget and by HTTrack, which record where they are from:
    abslink rewrite --layout wget -i mirror/
    abslink rewrite -i mirror/
  A CI job that fails if a page has relative links:
    abslink check --strict site/
  A mirror with absolute links, to be opened without a server:
    abslink rewrite -b https://www.example.org/ --to files -i mirror/";

/// The definition of the arguments. A flag that is given twice means what it means once.
pub(crate) fn definition() -> clap::Command {
    Args::command().mut_subcommands(|command| {
        command.mut_args(|option| match option.get_action() {
            ArgAction::SetTrue => {
                let id = option.get_id().clone();
                option.overrides_with(id)
            }
            _ => option,
        })
    })
}

/// A command and its options. The help of each begins with examples; for `rewrite`, one for each of
/// its uses.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Make the links in files absolute
    ///
    /// Examples:
    ///   A mirrored site, in place; each original stays as NAME.orig (--diff to look):
    ///     abslink rewrite -b https://www.example.org/ -i --backup .orig mirror/
    ///   A documentation tree, with its style sheets and pictures, in a new place:
    ///     abslink rewrite -b https://docs.example.org/3/ --copy-others -o out docs/
    ///   A mirror by wget -r, in place; after wget -k add --converted-links always:
    ///     abslink rewrite --layout wget --scheme https -i mirror/
    #[command(verbatim_doc_comment, after_long_help = exit::TABLE)]
    Rewrite(RewriteArgs),
    /// List relative links; exit 1 if there are any
    ///
    /// Examples:
    ///   A CI job that fails if a page has relative links:
    ///     abslink check --strict site/
    ///   The same for programs, with the URL that each link would become:
    ///     abslink check -b https://www.example.org/ --format json site/
    #[command(verbatim_doc_comment, after_long_help = exit::TABLE)]
    Check(CheckArgs),
    /// List every link, relative or not, as JSON Lines
    ///
    /// Examples:
    ///   Every URL that the pages of a site link to:
    ///     abslink links -b https://www.example.org/ site/ | jq -r .absolute
    #[command(verbatim_doc_comment)]
    Links {
        #[command(flatten)]
        common: CommonArgs,
        /// Write the lines of `abslink check`, or JSON Lines
        #[arg(long, value_enum, value_name = "FORMAT", default_value = "json")]
        format: OutputFormat,
    },
    /// Show the base URL of each page, and where it comes from
    ///
    /// Examples:
    ///   The URLs of a mirror made by wget, and what is doubtful about them:
    ///     abslink base --layout wget mirror/
    ///   Saved pages for which two records name different URLs:
    ///     abslink base --conflicts saved/
    #[command(verbatim_doc_comment)]
    Base {
        #[command(flatten)]
        common: CommonArgs<ResolverArgs>,
        /// Show only pages whose records name different URLs
        #[arg(long)]
        conflicts: bool,
        /// Write text for people, or JSON Lines
        #[arg(long, value_enum, value_name = "FORMAT", default_value = "text")]
        format: OutputFormat,
    },
    /// Restore the originals that `rewrite -i --backup` kept
    ///
    /// Examples:
    ///   A run that went wrong:
    ///     abslink restore --backup .orig -n mirror/
    ///     abslink restore --backup .orig mirror/
    #[command(verbatim_doc_comment)]
    Restore(RestoreArgs),
    /// Resolve URLs against a base URL; no HTML involved
    ///
    /// Examples:
    ///   One URL per line, the steps of RFC 1808, and three standards side by side:
    ///     abslink resolve -b 'http://a/b/c/d;p?q' ../g '?y'
    ///     abslink resolve -b 'http://a/b/c/d;p?q' --explain ../g
    ///     abslink resolve -b 'http://a/b/c/d;p?q' --compare ../../../g
    ///   The way back, from a target to a relative link:
    ///     abslink resolve -b https://e.org/docs/a.html --to relative https://e.org/docs/b.html
    #[command(verbatim_doc_comment)]
    Resolve(ResolveArgs),
    /// Show the components of a URL, and what is wrong with it
    ///
    /// Examples:
    ///   The user, the password and the type of a file on an FTP server:
    ///     abslink parse 'ftp://ann:secret@example.org/d;type=a'
    #[command(verbatim_doc_comment)]
    Parse {
        /// Write text for people, or JSON Lines
        #[arg(long, value_enum, value_name = "FORMAT", default_value = "text")]
        format: OutputFormat,
        /// URLs to parse; without any, lines of standard input
        ///
        /// A line that is not UTF-8 is skipped, and the exit code is 2.
        #[arg(value_name = "URL")]
        urls: Vec<String>,
    },
    /// Show the settings of abslink.toml, and where each is set
    ///
    /// Examples:
    ///   For the nearest abslink.toml, and for one that is elsewhere:
    ///     abslink config
    ///     abslink config --config ci/abslink.toml
    #[command(verbatim_doc_comment)]
    Config {
        /// Show the settings of FILE, not of the nearest abslink.toml
        #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
        config: Option<PathBuf>,
        /// Write TOML with a comment on each line, or JSON Lines
        #[arg(long, value_enum, value_name = "FORMAT", default_value = "text")]
        format: OutputFormat,
    },
    /// Print completions for a shell
    ///
    /// Examples:
    ///   For bash, in every new shell; then Tab completes commands, options and their values:
    ///     abslink completions bash > ~/.local/share/bash-completion/completions/abslink
    ///   For fish:
    ///     abslink completions fish > ~/.config/fish/completions/abslink.fish
    #[command(verbatim_doc_comment)]
    Completions {
        /// Shell to print completions for
        #[arg(value_enum, value_name = "SHELL")]
        shell: clap_complete::Shell,
    },
    /// Print a manual page, or write all of them to a directory
    ///
    /// Examples:
    ///   Read one, and install them all:
    ///     abslink man rewrite | man -l -
    ///     abslink man -o /usr/local/share/man/man1
    #[command(verbatim_doc_comment)]
    Man {
        /// Command to print the page of; by default abslink itself
        ///
        /// With -o and without COMMAND all pages are written.
        #[arg(value_name = "COMMAND", value_parser = PossibleValuesParser::new(commands()))]
        command: Option<String>,
        /// Write to files in DIR, such as abslink-rewrite.1
        ///
        /// DIR is made if it is not there.
        #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
        output: Option<PathBuf>,
    },
}

impl Command {
    /// How a command that reads documents runs.
    pub(crate) fn running(&mut self) -> Option<&mut RunArgs> {
        match self {
            Command::Rewrite(args) => Some(&mut args.common.running),
            Command::Check(args) => Some(&mut args.common.running),
            Command::Links { common, .. } => Some(&mut common.running),
            Command::Base { common, .. } => Some(&mut common.running),
            _ => None,
        }
    }
}

/// The command as it is for a part of the tree: only what is about a document differs.
#[derive(Debug)]
pub(crate) struct PartOfTree {
    /// Patterns for paths below the directory.
    pub(crate) globs: Globs,
    pub(crate) directory: PathBuf,
    pub(crate) command: Command,
    /// `--as` counts for all of its documents.
    pub(crate) has_one_kind: bool,
}

/// `abslink rewrite`.
#[derive(Debug, clap::Args)]
pub(crate) struct RewriteArgs {
    #[command(flatten)]
    pub(crate) destination: DestinationArgs,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
    #[command(flatten)]
    pub(crate) strict: StrictArgs,
    /// Report in this format, to FILE if one is given
    ///
    /// Repeatable, once without FILE. json is the summary as one object. The formats of CI systems report
    /// pages without a base URL, links that do not resolve or that a browser takes elsewhere, and files that
    /// could not be processed. html is a page with all of that and more: see docs/report.md.
    #[arg(long = "format", value_name = "FORMAT[=FILE]", default_value = "text")]
    #[arg(value_parser = values::FormatParser)]
    pub(crate) formats: Vec<FormatTo>,
    #[command(flatten)]
    pub(crate) listed: ListFilesArgs,
}

/// `abslink check`.
#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) common: CommonArgs,
    #[command(flatten)]
    pub(crate) strict: StrictArgs,
    /// List links in this format, to FILE if one is given
    ///
    /// Repeatable, once without FILE. json is the JSON Lines of `abslink links`. The formats of CI systems
    /// also report links that a browser takes elsewhere, and files that could not be processed. html is a
    /// page with all of that and more: see docs/report.md.
    #[arg(long = "format", value_name = "FORMAT[=FILE]", default_value = "text")]
    #[arg(value_parser = values::FormatParser)]
    pub(crate) formats: Vec<FormatTo>,
    /// Ignore the links listed in FILE
    ///
    /// FILE was written with --write-baseline. A link is known by its file, its element and attribute, and
    /// its text, so lines may move. Links that are gone are named; with --strict the exit code is then 2.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    #[arg(conflicts_with = "write_baseline")]
    pub(crate) baseline: Option<PathBuf>,
    /// Write the links that are found to FILE, for --baseline
    ///
    /// They are not listed then, and the exit code is 0. FILE has a line of JSON for each kind of link.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) write_baseline: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) listed: ListFilesArgs,
}

/// What all commands that read documents have in common. `R`: the options for how references are
/// resolved.
#[derive(Debug, clap::Args)]
pub(crate) struct CommonArgs<R: clap::Args = LinkArgs> {
    #[command(flatten)]
    pub(crate) documents: DocumentArgs,
    #[command(flatten)]
    pub(crate) location: LocationArgs,
    #[command(flatten)]
    pub(crate) reading: R,
    #[command(flatten)]
    pub(crate) running: RunArgs,
}

/// `abslink restore`.
#[derive(Debug, clap::Args)]
pub(crate) struct RestoreArgs {
    /// Look for backups that end with SUFFIX, as given to rewrite
    #[arg(long, value_name = "SUFFIX", value_parser = values::suffix)]
    pub(crate) backup: OsString,
    /// Show what would be restored; write nothing
    #[arg(short = 'n', long)]
    pub(crate) dry_run: bool,
    /// Overwrite edits, and use backups of other programs
    #[arg(long)]
    pub(crate) force: bool,
    /// Print only errors
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// Files, and directories to search for backups
    ///
    /// Each original takes its place again in one step, and its backup is gone. A file that was edited since
    /// is skipped, with exit code 1: a checksum in an extended attribute of the backup shows that, or else the
    /// file's time. A backup without a checksum is skipped where the file system has such attributes, since
    /// other programs write .orig too.
    #[arg(value_name = "PATH", required = true, value_hint = ValueHint::AnyPath)]
    pub(crate) paths: Vec<PathBuf>,
}

/// `abslink resolve`.
#[derive(Debug, clap::Args)]
pub(crate) struct ResolveArgs {
    /// Resolve against this URL
    #[arg(short, long, value_name = "URL", value_hint = ValueHint::Url)]
    pub(crate) base_url: String,
    #[command(flatten)]
    pub(crate) resolver: ResolverArgs,
    /// Write results as relative URLs
    ///
    /// A target on another server stays absolute, and so does one that the three resolvers would read
    /// differently. With --explain the steps back are shown too.
    #[arg(long, value_name = "FORM", value_parser = values::to_by_url(), default_value = "absolute")]
    #[arg(conflicts_with = "compare")]
    pub(crate) to: To,
    /// Replace URLs of a web archive by the URLs in them
    #[arg(long)]
    pub(crate) unwrap: bool,
    /// Show the components and each step of RFC 1808 section 4
    #[arg(long)]
    pub(crate) explain: bool,
    /// Show all three resolvers side by side
    #[arg(long)]
    pub(crate) compare: bool,
    /// Write one result per line, or JSON Lines
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: OutputFormat,
    /// URLs to resolve; without any, lines of standard input
    ///
    /// The result is an empty line for one that does not resolve (exit code 1) or is not UTF-8 (2).
    #[arg(value_name = "REFERENCE")]
    pub(crate) references: Vec<String>,
}

#[cfg(test)]
mod tests;
