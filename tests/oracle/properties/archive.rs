//! What holds for every web archive, as [`super::check`] has it for documents.

use std::fs;
use std::path::Path;
use std::sync::Mutex;

use abslink::batch::{
    self, ArchiveForm, FileError, Input, Kind, Observer, Output, Plan, Problem, Report, Task,
};

use super::check::{Checked, same};

/// An archive: it is read without a panic, the same with any number of jobs, and where nothing is damaged,
/// what was appended once is not appended again.
pub(crate) fn archive(input: &[u8]) -> Checked {
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    let path = directory.path().join("in");
    let write = |bytes: &[u8]| fs::write(&path, bytes).map_err(|error| error.to_string());
    for form in [
        ArchiveForm::Conversions,
        ArchiveForm::Append,
        ArchiveForm::Response,
    ] {
        write(input)?;
        let (once, report) = rewritten(&path, form, 1)?;
        let (again, _) = rewritten(&path, form, 3)?;
        same("what three jobs write", again.len(), once.len())?;
        same("its bytes", again == once, true)?;
        write(&once)?;
        let (twice, second) = rewritten(&path, form, 1)?;
        if report.files_failed > 0 {
            continue;
        }
        same("what is damaged in the output", second.files_failed, 0)?;
        match form {
            ArchiveForm::Append => same("the second run", twice == once, true)?,
            ArchiveForm::Response => same("records", second.records, report.records)?,
            _ => same("records", second.records, 1 + report.files_changed)?,
        }
    }
    Ok(())
}

/// Takes the first panic.
#[derive(Default)]
struct Panics(Mutex<Option<String>>);

impl Observer for Panics {
    fn problem(&self, problem: &Problem) {
        if let (FileError::Panicked(message), Ok(mut first)) = (&problem.error, self.0.lock()) {
            first.get_or_insert_with(|| format!("{}: {message}", problem.path.display()));
        }
    }
}

fn rewritten(path: &Path, form: ArchiveForm, jobs: usize) -> Result<(Vec<u8>, Report), String> {
    let mut plan = Plan::new(
        vec![Input::File(path.into())],
        Task::Rewrite(Output::Stdout),
    );
    plan.selection.read_as = Some(Kind::Archive);
    plan.archives.form = form;
    plan.archives.date = "2026-01-31T12:00:00Z".parse().ok();
    plan.jobs = jobs;
    let panics = Panics::default();
    let mut out = Vec::new();
    let report = batch::run(&plan, &panics, &mut out).map_err(|error| error.to_string())?;
    match panics.0.into_inner() {
        Ok(None) => Ok((out, report)),
        Ok(Some(panic)) => Err(panic),
        Err(error) => Err(error.to_string()),
    }
}
