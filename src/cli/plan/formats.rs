//! `--format`: which formats a run writes, and where each goes.

use std::env;
use std::ffi::OsString;
use std::sync::Mutex;

use super::Result;
use crate::batch::{Findings, Moment, Output, Plan, Task};
use crate::cli::args::hints::new_directory;
use crate::cli::args::{
    CheckArgs, Fact, FormatName, FormatTo, OutputFormat, RewriteArgs, UsageError, usage,
};
use crate::cli::format::target::printer;
use crate::cli::format::{FileList, Mode, Printer, Sink};
use crate::cli::html_report::HtmlReport;
use crate::cli::session::{FormatOutput, Listing, ShownItems};
use crate::cli::terminal::print::OneLine;

/// The listing of `check`. With `--quiet`, text for people is left out, and with `--list-files` what is in the files.
pub(super) fn check(args: &CheckArgs, typed: &[OsString], plan: &mut Plan) -> Result<Listing> {
    check_stdout(&args.formats)?;
    let lists = args.listed.list_files;
    let files = lists.then(|| files(&args.formats, true)).transpose()?;
    let is_left_out = |to: &FormatTo| match (to.name, &to.file) {
        (FormatName::Text, None) => lists || args.common.running.quiet,
        (FormatName::Json, None) => lists,
        _ => false,
    };
    let listed = args.formats.iter().filter(|to| !is_left_out(to)).cloned();
    let listed: Vec<FormatTo> = listed.collect();
    let forms = plan.html.has_forms();
    let mode = Mode::Check { forms };
    let listing = listing(&listed, mode, ShownItems::Relative, typed, plan)?;
    Ok(Listing { files, ..listing })
}

/// How files are listed on standard output, where no format has that.
fn files(formats: &[FormatTo], is_check: bool) -> Result<FileList> {
    let there = formats.iter().find(|format| format.file.is_none());
    let format = match there.map_or(FormatName::Text, |format| format.name) {
        FormatName::Text => Some(OutputFormat::Text),
        FormatName::Json if is_check => Some(OutputFormat::Json),
        FormatName::Json => None,
        other => {
            let name = other.name();
            let taken =
                usage!("--list-files and --format {name} would both write to standard output");
            return Err(to_file(taken, name));
        }
    };
    Ok(FileList::new(format, is_check))
}

/// The listing of `rewrite`. Documents or a diff may go to standard output.
pub(super) fn rewrite(args: &RewriteArgs, typed: &[OsString], plan: &mut Plan) -> Result<Listing> {
    let (formats, lists) = (&args.formats, args.listed.list_files);
    let prints = matches!(
        plan.task,
        Task::Rewrite(Output::Stdout) | Task::Try { diff: true, .. }
    );
    if lists && prints {
        return Err(usage!(
            "the document or the diff goes to standard output, where --list-files would print too"
        )
        .because(Fact::ListBesideDocument, &[&new_directory(&plan.inputs)]));
    }
    for FormatTo { name, file } in formats {
        match (name, file) {
            (FormatName::Text, Some(_)) => {
                return Err(usage!(
                    "--format text of rewrite is the summary on standard error, and goes to no file: leave \
                     `=FILE` out"
                ));
            }
            (FormatName::Text, None) | (_, Some(_)) => {}
            (name, None) if prints => {
                let name = name.name();
                let taken = usage!(
                    "the document or the diff goes to standard output, where --format {name} would write too"
                );
                return Err(to_file(taken, name));
            }
            (_, None) => {}
        }
    }
    let mode = Mode::Rewrite { lists };
    let listing = listing(formats, mode, ShownItems::Nothing, typed, plan)?;
    let files = lists.then(|| files(formats, false)).transpose()?;
    Ok(Listing { files, ..listing })
}

/// `shows` is for a format of items on standard output alone. The run then finds what the formats are about.
fn listing(
    formats: &[FormatTo],
    mode: Mode,
    shows: ShownItems,
    typed: &[OsString],
    plan: &mut Plan,
) -> Result<Listing> {
    check_stdout(formats)?;
    // The summary for programs replaces it.
    let is_summary = |to: &FormatTo| to.name == FormatName::Json && to.file.is_none();
    let is_check = matches!(mode, Mode::Check { .. });
    let summary = is_check || !formats.iter().any(is_summary);
    let is_page = |to: &&FormatTo| to.name == FormatName::Html;
    let pages = formats.iter().filter(is_page).count();
    if pages > 1 {
        return Err(usage!("--format html can be given once"));
    }
    if pages > 0 {
        // It covers all references, and evidence that did not count.
        plan.findings = Findings::All;
        plan.retrieval.complete = true;
    } else if formats.iter().any(|to| to.name.has_findings()) {
        plan.findings = Findings::Left;
    }
    let mut outputs = Vec::new();
    for to in formats {
        let finds = to.name.has_findings();
        let is_alone = formats.len() - pages == 1 && to.file.is_none();
        let sink = match &to.file {
            Some(path) => {
                let name = to.name.name();
                Some(Sink::file(format_args!("--format {name}="), path)?)
            }
            None if is_alone && !finds => None,
            // Its reader may have seen enough while files still have to be written.
            None => Some(Sink::stdout(!is_check || !is_alone)),
        };
        let (printer, shows) = match printer(to, mode) {
            Some(printer) if finds => (printer, ShownItems::References),
            Some(printer) if is_alone => (printer, shows),
            Some(printer) => (printer, ShownItems::Left),
            None => {
                let page = HtmlReport::new(mode, typed, source_date()?);
                let page: Box<dyn Printer> = Box::new(page);
                (page, ShownItems::All)
            }
        };
        outputs.push(FormatOutput {
            printer,
            shows,
            sink: sink.map(Mutex::new),
        });
    }
    Ok(Listing {
        summary,
        ..Listing::of(outputs)
    })
}

/// Standard output takes one format.
fn check_stdout(formats: &[FormatTo]) -> Result<()> {
    let mut there = formats.iter().filter(|format| format.file.is_none());
    match (there.next(), there.next()) {
        (Some(one), Some(other)) => {
            let (one, other) = (one.name.name(), other.name.name());
            let text = "would both write to standard output";
            let error = usage!("--format {one} and --format {other} {text}");
            Err(to_file(error, other))
        }
        _ => Ok(()),
    }
}

/// The format can go to a file.
fn to_file(error: UsageError, name: &str) -> UsageError {
    error.because(Fact::WrongValue, &[name, &format!("{name}=FILE")])
}

/// The date for everything that is made.
pub(super) fn source_date() -> Result<Option<Moment>> {
    let seconds = env::var("SOURCE_DATE_EPOCH").unwrap_or_default();
    if seconds.is_empty() {
        return Ok(None);
    }
    // A date with more digits in its year is not one.
    let moment = seconds.parse().ok().map(Moment::at);
    match moment.filter(|moment| moment.as_str().parse() == Ok(moment.clone())) {
        Some(moment) => Ok(Some(moment)),
        None => Err(usage!(
            "SOURCE_DATE_EPOCH is `{}`: not a number of seconds",
            OneLine(seconds)
        )),
    }
}
