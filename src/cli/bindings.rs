//! The commands as functions, for packages that bring abslink to other languages: they take options
//! as they would be typed, and print nothing.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use clap::Command;

use crate::batch::{self, Located, Plan, Report};
use crate::cli::args;
use crate::cli::args::OutputFormat;
use crate::cli::format::{Printer as _, Summary};
use crate::cli::plan;
use crate::cli::run::end::RunEnd;
use crate::cli::run::exit::Remaining;
use crate::cli::session::{Listing, ShownItems};
use crate::cli::terminal::passwords;
use abslink_html::base::Context;
use abslink_html::line_column::Lines;
use abslink_html::{self as html, Examined, Settings, Syntax};

pub use crate::cli::terminal::panic::silence;
pub use abslink_html::OUTGROWN;
pub use abslink_url::password;
pub use abslink_url::rfc1738::Login;

/// What `abslink rewrite` would do.
pub struct Rewrite {
    /// The plan.
    pub plan: Plan,
    args: args::RewriteArgs,
}

impl Rewrite {
    /// Parses the arguments that would follow `abslink rewrite`; an error says what is wrong
    /// with them.
    pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Rewrite, String> {
        let arguments: Vec<OsString> = arguments.into_iter().collect();
        let args: args::RewriteArgs = typed(command::<args::RewriteArgs>(), &arguments)?;
        let plan = plan::rewrite(&args, &[]);
        let (plan, _) = plan.map_err(|error| with_hints(&error, &arguments))?;
        Ok(Rewrite { plan, args })
    }

    /// The long names of the options.
    pub fn options() -> Vec<String> {
        names(&command::<args::RewriteArgs>())
    }

    /// `--list-files`.
    pub fn lists_files(&self) -> bool {
        self.args.listed.list_files
    }

    /// The summary of a run as `--format json` has it, and the exit code.
    pub fn summary(&self, report: Report, elapsed: Duration) -> (String, u8) {
        let allow_empty = self.args.common.running.allow_empty;
        let mut end = RunEnd::new(&self.plan, allow_empty, report, elapsed);
        end.exit = end.exit_of(Remaining::Unresolved, self.args.strict.strict);
        let summary = Summary::new(false);
        let mut json = Vec::new();
        // Writing to memory does not fail.
        let _ = summary.end(&end, &mut json);
        (String::from_utf8_lossy(&json).into_owned(), end.exit.code())
    }
}

/// What `abslink check` would do.
pub struct Check {
    /// The plan.
    pub plan: Plan,
    listing: Listing,
    args: args::CheckArgs,
}

impl Check {
    /// Parses the arguments that would follow `abslink check`; an error says what is wrong
    /// with them.
    pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Check, String> {
        let arguments: Vec<OsString> = arguments.into_iter().collect();
        let args: args::CheckArgs = typed(command::<args::CheckArgs>(), &arguments)?;
        let plan = plan::examine(&args.common);
        let plan = plan.map_err(|error| with_hints(&error, &arguments))?;
        let json = OutputFormat::Json;
        Ok(Check {
            listing: Listing::new(ShownItems::Relative, json, plan.html.has_forms()),
            plan,
            args,
        })
    }

    /// The long names of the options.
    pub fn options() -> Vec<String> {
        names(&command::<args::CheckArgs>())
    }

    /// Appends a line of JSON to `out` for a reference that `abslink check` lists.
    pub fn reference(&self, found: &Located<'_>, out: &mut Vec<u8>) {
        self.listing.reference(found, out);
    }

    /// How many documents were read, and the exit code.
    pub fn end(&self, report: Report, elapsed: Duration) -> (u64, u8) {
        let allow_empty = self.args.common.running.allow_empty;
        let end = RunEnd::new(&self.plan, allow_empty, report, elapsed);
        let exit = end.exit_of(Remaining::Relative, self.args.strict.strict);
        (end.report.files, exit.code())
    }
}

fn command<A: clap::Args>() -> Command {
    A::augment_args(Command::new("abslink"))
}

fn names(command: &Command) -> Vec<String> {
    let names = command
        .get_opts()
        .filter_map(clap::Arg::get_long_and_visible_aliases);
    names.flatten().map(str::to_owned).collect()
}

/// Reads arguments; an error says what is wrong with them.
fn typed<A: clap::FromArgMatches>(command: Command, arguments: &[OsString]) -> Result<A, String> {
    let typed = [OsString::new()].into_iter();
    let matches = command.try_get_matches_from(typed.chain(arguments.iter().cloned()));
    (matches.and_then(|matches| A::from_arg_matches(&matches)))
        .map_err(|error| passwords::in_message(&reason(&error), arguments))
}

/// What is wrong with arguments, and what to do, on one line.
fn with_hints(error: &args::UsageError, arguments: &[OsString]) -> String {
    let lines = [&[error.to_string()], &*error.hints].concat();
    passwords::in_message(&lines.join("; "), arguments)
}

/// Does some work; an error is the message of the panic that ended it. Nothing that the work has
/// touched may be used afterwards.
pub fn catch_panic<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    batch::catch_panic(work)
}

/// clap's message about wrong arguments, without the parts that only help at a prompt.
fn reason(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let reason = text.split("\n\nUsage:").next().unwrap_or_default();
    let reason = reason.split("\n\nFor more information").next();
    let reason = reason.unwrap_or_default().trim();
    reason.strip_prefix("error: ").unwrap_or(reason).to_owned()
}

/// [`examine`](html::examine), with the line and the column of each reference.
pub fn examine(
    document: &[u8],
    syntax: Syntax,
    context: &Context,
    settings: &Settings,
    each: &mut dyn FnMut(&Located<'_>),
) -> Examined {
    let mut lines = Lines::default();
    html::examine(document, syntax, context, settings, &mut |reference| {
        each(&Located::new(
            &mut lines,
            document,
            Path::new(""),
            reference,
        ));
    })
}
