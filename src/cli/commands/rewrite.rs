//! `abslink rewrite`: writes the documents with absolute URLs.

use std::ffi::OsString;

use crate::batch::{ArchiveForm, Output, Plan, Report, Task};

use super::Error;
use crate::cli::args::RewriteArgs;
use crate::cli::run::exit::{Exit, Remaining};
use crate::cli::summary::{CommandSummary, Notice, documents};
use crate::cli::terminal::print::{Count, Number, PathLine, counted};
use crate::cli::{plan, session};

pub(crate) fn run(args: &RewriteArgs, typed: &[OsString]) -> Result<Exit, Error> {
    let (plan, listing) = plan::rewrite(args, typed)?;
    let (running, strict) = (&args.common.running, args.strict.strict);
    Ok(session::run(&plan, &listing, running, strict, |end| {
        CommandSummary {
            left: Remaining::Unresolved,
            lead: lead(&plan, &end.report),
            last: leftover(&plan, &end.report),
            ..CommandSummary::default()
        }
    })?)
}

fn lead(plan: &Plan, report: &Report) -> String {
    let (verb, form) = match (&plan.task, plan.html.has_forms()) {
        (Task::Try { .. }, false) => ("dry run: would make", " absolute"),
        (Task::Rewrite(_) | Task::Examine, false) => ("made", " absolute"),
        (Task::Try { .. }, true) => ("dry run: would change", ""),
        (Task::Rewrite(_) | Task::Examine, true) => ("changed", ""),
    };
    format!(
        "{verb} {}{form} in {} of {}{}{}",
        Count(report.tally.rewritten, "link"),
        Number(report.files_changed),
        documents(report),
        in_archives(plan, report),
        written(plan, report),
    )
}

/// Where the result is.
fn written(plan: &Plan, report: &Report) -> String {
    match &plan.task {
        Task::Rewrite(Output::Directory { directory, .. }) if report.placed > 0 => {
            format!(", written to {}", PathLine(directory))
        }
        Task::Rewrite(Output::InPlace { .. }) if report.files_changed > 0 => {
            ", in place".to_owned()
        }
        _ => String::new(),
    }
}

/// What the archives have that are written.
fn in_archives(plan: &Plan, report: &Report) -> String {
    let captures = Count(report.captures, "response");
    let conversions = Count(report.conversions, "conversion");
    match plan.archives.form {
        _ if report.records == 0 => String::new(),
        ArchiveForm::Conversions => {
            format!("; web archives: {conversions}, without the {captures}")
        }
        ArchiveForm::Append => format!("; web archives: {captures}, {conversions}"),
        ArchiveForm::Response => format!("; web archives: {captures}"),
    }
}

/// For example, pages that are gone from the input are still in the output.
fn leftover(plan: &Plan, report: &Report) -> Option<Notice> {
    let directory = plan.output_directory()?;
    let files = counted(report.leftover, "# file[|s] from before this run")?;
    let text = format!("{} also has {files}", PathLine(directory));
    Some(Notice::note(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lead_says_what_was_done() {
        let mut report = Report {
            files: 1_030,
            files_changed: 28,
            ..Report::default()
        };
        report.tally.rewritten = 1_204;
        let mut written = Plan::new(Vec::new(), Task::Rewrite(Output::Stdout));
        assert_eq!(
            lead(&written, &report),
            "made 1,204 links absolute in 28 of 1,030 files"
        );
        written.html.to = abslink_html::To::Relative;
        assert_eq!(
            lead(&written, &report),
            "changed 1,204 links in 28 of 1,030 files"
        );
        let (output, diff) = (None, false);
        let tried = Plan::new(Vec::new(), Task::Try { output, diff });
        let report = Report {
            files: 1,
            ..Report::default()
        };
        assert_eq!(
            lead(&tried, &report),
            "dry run: would make 0 links absolute in 0 of 1 file"
        );
    }

    #[test]
    fn what_is_not_from_this_run_is_counted() {
        let line = |leftover| {
            let report = Report {
                leftover,
                ..Report::default()
            };
            let directory = "out".into();
            let copy_others = false;
            let output = Output::Directory {
                directory,
                copy_others,
            };
            let plan = Plan::new(Vec::new(), Task::Rewrite(output));
            super::leftover(&plan, &report).map(|notice| notice.text)
        };
        assert_eq!(line(0), None);
        let one = "out also has 1 file from before this run";
        assert_eq!(line(1).as_deref(), Some(one));
        let many = "out also has 1,200 files from before this run";
        assert_eq!(line(1_200).as_deref(), Some(many));
    }
}
