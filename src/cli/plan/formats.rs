//! `--format`: which formats a run writes, and where each goes.

use std::path::Path;

use crate::batch::Input;
use crate::cli::args::hints::new_directory;
use crate::cli::args::{Fact, FormatName, FormatTo, OutputFormat, UsageError};
use crate::cli::format::target::{of_findings, printer};
use crate::cli::format::{FileList, Mode, Several, Sink, Target};
use crate::cli::session::{Listing, ShownItems};
use crate::cli::terminal::print::PathLine;

/// The listing of `check`. `forms` says whether references get another form than the absolute one, `lists` whether
/// files are listed and not what is in them. If it is `quiet`, text for people is left out.
pub(super) fn check(
    formats: &[FormatTo],
    forms: bool,
    lists: bool,
    quiet: bool,
) -> Result<Listing, UsageError> {
    check_stdout(formats)?;
    let files = lists.then(|| files(formats, true)).transpose()?;
    let is_left_out = |to: &FormatTo| match (to.name, &to.file) {
        (FormatName::Text, None) => lists || quiet,
        (FormatName::Json, None) => lists,
        _ => false,
    };
    let kept = formats.iter().filter(|to| !is_left_out(to)).cloned();
    let kept: Vec<FormatTo> = kept.collect();
    let command = Mode::Check { forms };
    let listing = listing(&kept, command, ShownItems::Relative)?;
    Ok(Listing { files, ..listing })
}

/// How files are listed on standard output, where no format has that.
fn files(formats: &[FormatTo], is_check: bool) -> Result<FileList, UsageError> {
    let there = formats.iter().find(|format| format.file.is_none());
    let format = match there.map_or(FormatName::Text, |format| format.name) {
        FormatName::Text => Some(OutputFormat::Text),
        FormatName::Json if is_check => Some(OutputFormat::Json),
        FormatName::Json => None,
        other => {
            let name = other.name();
            return Err(UsageError::new(format_args!(
                "--list-files and --format {name} would both write to standard output"
            ))
            .because(Fact::WrongValue, &[name, &format!("{name}=FILE")]));
        }
    };
    Ok(FileList::new(format, is_check))
}

/// The listing of `rewrite`. `prints` says whether documents or a diff go to standard output, `lists` whether the
/// files that change are listed.
pub(super) fn rewrite(
    formats: &[FormatTo],
    prints: bool,
    lists: bool,
    inputs: &[Input],
) -> Result<Listing, UsageError> {
    if lists && prints {
        return Err(UsageError::new(
            "the document or the diff goes to standard output, where --list-files would print too",
        )
        .because(Fact::ListBesideDocument, &[&new_directory(inputs)]));
    }
    for FormatTo { name, file } in formats {
        match (name, file) {
            (FormatName::Text, Some(_)) => {
                return Err(UsageError::new(
                    "--format text of rewrite is the summary on standard error, and goes to no file: leave \
                     `=FILE` out",
                ));
            }
            (FormatName::Text, None) => {}
            (name, None) if prints => {
                let name = name.name();
                return Err(UsageError::new(format_args!(
                    "the document or the diff goes to standard output, where --format {name} would write too"
                ))
                .because(Fact::WrongValue, &[name, &format!("{name}=FILE")]));
            }
            _ => {}
        }
    }
    let listing = listing(formats, Mode::Rewrite { lists }, ShownItems::Nothing)?;
    let files = lists.then(|| files(formats, false)).transpose()?;
    Ok(Listing { files, ..listing })
}

/// `shows` is for a format of items on standard output; the others are shown everything.
fn listing(formats: &[FormatTo], command: Mode, shows: ShownItems) -> Result<Listing, UsageError> {
    check_stdout(formats)?;
    // The summary for programs replaces it.
    let is_summary = |to: &FormatTo| to.name == FormatName::Json && to.file.is_none();
    let is_check = matches!(command, Mode::Check { .. });
    let summary = is_check || !formats.iter().any(is_summary);
    // The page is made elsewhere.
    let formats = formats.iter().filter(|to| to.name != FormatName::Html);
    let formats: Vec<&FormatTo> = formats.collect();
    if formats.is_empty() {
        let nothing = Several::new(Vec::new(), Vec::new(), command);
        return Ok(Listing::of(ShownItems::Nothing, Box::new(nothing)));
    }
    if let [only @ FormatTo { file: None, .. }] = formats[..]
        && let Some(printer) = printer(only, command)
    {
        return Ok(Listing {
            summary,
            ..Listing::of(shows, printer)
        });
    }
    let (mut lines, mut targets) = (Vec::new(), Vec::new());
    for (to, number) in formats.iter().copied().zip(0..u8::MAX) {
        let FormatTo { name, file } = to;
        let sink = match file {
            // Its reader may have seen enough while files still have to be written.
            None => Sink::stdout(!is_check || formats.len() > 1),
            Some(path) => sink(*name, path)?,
        };
        lines.extend(printer(to, command).map(|printer| (number, printer)));
        targets.push(Target {
            name: *name,
            sink,
            format: of_findings(*name),
        });
    }
    let several = Several::new(lines, targets, command);
    let shows = ShownItems::References;
    Ok(Listing {
        summary,
        ..Listing::of(shows, Box::new(several))
    })
}

pub(super) fn sink(name: FormatName, path: &Path) -> Result<Sink, UsageError> {
    Sink::file(path).map_err(|error| {
        let (name, path) = (name.name(), PathLine(path));
        UsageError::new(format_args!(
            "--format {name}={path}: cannot be written: {error}"
        ))
    })
}

/// Standard output takes one format.
fn check_stdout(formats: &[FormatTo]) -> Result<(), UsageError> {
    let mut there = formats.iter().filter(|format| format.file.is_none());
    match (there.next(), there.next()) {
        (Some(one), Some(other)) => {
            let (one, other) = (one.name.name(), other.name.name());
            let text = "would both write to standard output";
            let error = UsageError::new(format_args!("--format {one} and --format {other} {text}"));
            Err(error.because(Fact::WrongValue, &[other, &format!("{other}=FILE")]))
        }
        _ => Ok(()),
    }
}
