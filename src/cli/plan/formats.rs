//! `--format`: which formats a run writes, and where each goes.

use super::super::args::{FormatName, FormatTo};
use super::super::format::{Command, Listing, Several, Shows, Sink, Target, Writes};
use super::UsageError;

/// What `check` shows. `forms` says whether references get another form than the absolute one.
pub(super) fn check(formats: &[FormatTo], forms: bool) -> Result<Listing, UsageError> {
    let only_relative = true;
    let command = Command::Check { forms };
    listing(formats, command, Shows::References { only_relative })
}

/// What `rewrite` shows besides its summary. `prints` says whether documents or a diff go to
/// standard output, `only_missing` whether references are left if their target is there.
pub(super) fn rewrite(
    formats: &[FormatTo],
    prints: bool,
    only_missing: bool,
) -> Result<Listing, UsageError> {
    for FormatTo { name, file } in formats {
        match (name, file) {
            (FormatName::Text, Some(_)) => return Err(UsageError::TextIsOnStderr),
            (FormatName::Text, None) => {}
            (name, None) if prints => {
                return Err(UsageError::FormatHasNoPlace { name: name.name() });
            }
            _ => {}
        }
    }
    let command = Command::Rewrite { only_missing };
    listing(formats, command, Shows::Nothing)
}

/// `shows` is for a format of items on standard output; the others are shown everything.
fn listing(formats: &[FormatTo], command: Command, shows: Shows) -> Result<Listing, UsageError> {
    check_stdout(formats)?;
    // The summary for programs replaces it.
    let is_summary = |to: &FormatTo| to.name == FormatName::Json && to.file.is_none();
    let is_check = matches!(command, Command::Check { .. });
    let summary = is_check || !formats.iter().any(is_summary);
    if let [only @ FormatTo { file: None, .. }] = formats
        && let Writes::Lines(printer) = Writes::of(only, command)
    {
        return Ok(Listing {
            summary,
            ..Listing::of(shows, printer)
        });
    }
    let mut targets = Vec::new();
    for to @ FormatTo { name, file } in formats {
        let sink = match file {
            // Its reader may have seen enough while files still have to be written.
            None => Sink::stdout(!is_check || formats.len() > 1),
            Some(path) => Sink::file(path).map_err(|error| UsageError::FormatFile {
                name: name.name(),
                path: path.clone(),
                error,
            })?,
        };
        targets.push(Target {
            name: *name,
            writes: Writes::of(to, command),
            sink,
        });
    }
    let several = Several::new(targets, is_check);
    let only_relative = false;
    let shows = Shows::References { only_relative };
    Ok(Listing {
        summary,
        ..Listing::of(shows, Box::new(several))
    })
}

/// Standard output takes one format.
fn check_stdout(formats: &[FormatTo]) -> Result<(), UsageError> {
    let mut there = formats.iter().filter(|format| format.file.is_none());
    match (there.next(), there.next()) {
        (Some(one), Some(other)) => Err(UsageError::FormatsMeet {
            one: one.name.name(),
            other: other.name.name(),
        }),
        _ => Ok(()),
    }
}
