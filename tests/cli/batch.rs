//! Whole runs through the library, on trees of their own.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use abslink::Examined;
use abslink::batch::{
    Globs, Input, Located, Note, Observer, Output, Plan, PlanError, Problem, Report, RunError,
    Selection, Task, extent, run,
};
use abslink::retrieval::{Layout, Tree};

use crate::support::sandbox::Sandbox;

mod output;
mod reading;
#[cfg(unix)]
mod unix;

const RELATIVE: &str = "<a href=\"x.html\">\n";
const CLEAN: &str = "<a href=\"https://elsewhere/x\">\n";

/// Every file below a directory with its contents, but for what stands in a link.
fn files(directory: &Path) -> Vec<(String, String)> {
    let mut files: Vec<_> = walkdir::WalkDir::new(directory)
        .into_iter()
        .map(Result::unwrap)
        .filter(|entry| entry.file_type().is_file())
        .map(|entry| {
            let name = entry.path().strip_prefix(directory).unwrap();
            let contents = fs::read(entry.path()).unwrap();
            (
                name.to_string_lossy().replace('\\', "/"),
                String::from_utf8_lossy(&contents).into_owned(),
            )
        })
        .collect();
    files.sort();
    files
}

#[track_caller]
fn holds(directory: &Path, expected: &[(&str, &str)]) {
    let expected: Vec<_> = expected
        .iter()
        .map(|(name, contents)| ((*name).to_owned(), (*contents).to_owned()))
        .collect();
    assert_eq!(files(directory), expected);
}

fn plan(inputs: impl IntoIterator<Item = Input>, task: Task) -> Plan {
    let mut plan = Plan::new(inputs.into_iter().collect(), task);
    plan.retrieval = Layout::Tree(Tree::new("https://h/d/", &[]).unwrap()).into();
    plan.jobs = 2;
    plan
}

fn directory(path: &Path) -> Input {
    Input::Directory(path.into())
}

fn file(path: impl Into<PathBuf>) -> Input {
    Input::File(path.into())
}

fn to(output: &Path) -> Task {
    Task::Rewrite(Output::Directory {
        directory: output.into(),
        copy_others: false,
    })
}

fn in_place(backup: Option<&str>) -> Task {
    let backup = backup.map(OsString::from);
    Task::Rewrite(Output::InPlace { backup })
}

fn trial(output: Option<Output>, diff: bool) -> Task {
    Task::Try { output, diff }
}

/// Writes down what it sees.
#[derive(Default)]
struct Watch {
    said: Mutex<Vec<String>>,
    /// Stops the run after so many documents, if not 0.
    stop_after: usize,
    done: AtomicUsize,
}

impl Watch {
    fn say(&self, path: &Path, what: &dyn std::fmt::Display) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        self.said.lock().unwrap().push(format!("{name}: {what}"));
    }

    fn said(self) -> Vec<String> {
        self.said.into_inner().unwrap()
    }
}

impl Observer for Watch {
    fn reference(&self, found: &Located<'_>, out: &mut Vec<u8>) {
        let name = found.path.file_name().unwrap().to_string_lossy();
        assert_ne!(name, "panic.html", "as the test wants it");
        let reference = found.reference.reference;
        let line = format!("{name}:{}:{}:{reference}\n", found.line, found.column);
        out.extend(line.as_bytes());
    }

    fn document_done(&self, _bytes: u64) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    fn problem(&self, problem: &Problem) {
        self.say(&problem.path, &problem.error);
    }

    fn note(&self, note: &Note) {
        self.say(&note.path, &note.what);
    }

    fn stop_requested(&self) -> bool {
        self.stop_after > 0 && self.done.load(Ordering::Relaxed) >= self.stop_after
    }
}

/// Carries out a plan: the report, what was printed, and what was said.
#[track_caller]
fn carry_out(plan: &Plan) -> (Report, String, Vec<String>) {
    let watch = Watch::default();
    let mut out = Vec::new();
    let report = run(plan, &watch, &mut out).unwrap();
    (report, String::from_utf8(out).unwrap(), watch.said())
}
