//! Where documents go, and how web archives are written there.

use crate::batch::{ArchiveForm, ArchiveOptions, Input, Output, Plan, PlanError, Task};

use super::Result;
use super::{archive, formats, inputs};
use crate::cli::args::hints::new_directory;
use crate::cli::args::{DestinationArgs, Fact, UsageError, usage};
use crate::cli::terminal::print::PathLine;

/// What `rewrite` does: `--dry-run` and `--diff` change nothing about where documents would go.
pub(super) fn task(destination: &DestinationArgs, inputs: &[Input]) -> Result<Task> {
    let output = output(destination, inputs)?;
    match output {
        output if destination.dry_run || destination.diff => Ok(Task::Try {
            output,
            diff: destination.diff,
        }),
        Some(output) => Ok(Task::Rewrite(output)),
        None => stdout(inputs).map(Task::Rewrite),
    }
}

/// Where documents go by the options that say so.
fn output(destination: &DestinationArgs, inputs: &[Input]) -> Result<Option<Output>> {
    let needs_name = |option| match inputs {
        [Input::Stdin] => Err(usage!(
            "`-` has no file name, which {option} needs: leave the option out, and the document goes \
             to standard output"
        )),
        _ => Ok(()),
    };
    if let Some(directory) = &destination.output {
        needs_name("-o")?;
        inputs::check_output(directory, inputs)?;
        Ok(Some(Output::Directory {
            directory: directory.clone(),
            copy_others: destination.copy_others,
        }))
    } else if destination.in_place {
        needs_name("-i")?;
        Ok(Some(Output::InPlace {
            backup: destination.backup.clone(),
        }))
    } else {
        Ok(None)
    }
}

/// Without such an option, one document goes to standard output.
fn stdout(inputs: &[Input]) -> Result<Output> {
    let directory = inputs.iter().find_map(|input| match input {
        Input::Directory(path) => Some(PathLine(path)),
        Input::File(_) | Input::Stdin => None,
    });
    let message = match (directory, inputs.len()) {
        (Some(path), _) => format!("{path} is a directory: say where its files go"),
        (None, 1) => return Ok(Output::Stdout),
        (None, paths) => format!("{paths} PATHs cannot all go to standard output"),
    };
    let directory = new_directory(inputs);
    let output = Output::Directory {
        directory: directory.clone().into(),
        copy_others: false,
    };
    let fact = match Plan::new(inputs.to_vec(), Task::Rewrite(output)).check() {
        Err(PlanError::SameName { .. }) => Fact::NoOwnNames,
        _ => Fact::NoDestination,
    };
    Err(UsageError::new(message).because(fact, &[&directory]))
}

/// How web archives are written.
pub(super) fn archives(destination: &DestinationArgs, plan: &Plan) -> Result<ArchiveOptions> {
    if destination.in_place
        && destination.warc_as == Some(ArchiveForm::Conversions)
        && let Some(path) = archive(plan)
    {
        return Err(usage!(
            "-i cannot replace {} by its conversions: add --warc-as append or --warc-as response, or write \
             the conversions as a new archive with -o DIR",
            PathLine(path)
        ));
    }
    Ok(ArchiveOptions {
        form: destination.warc_as.unwrap_or_default(),
        replaces_found: destination.warc_as.is_some(),
        date: formats::source_date()?,
        show_passwords: false,
    })
}
