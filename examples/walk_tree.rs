//! Rewrites a directory into another one, and shows its progress.
//!
//! Usage: `cargo run --example walk_tree -- FROM TO URL`

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program prints"
)]

use std::sync::atomic::{AtomicU64, Ordering};

use abslink::batch::{self, Input, Observer, Output, Plan, Problem, Task};
use abslink::retrieval::{Layout, Tree};

/// Counts documents as they are done, in any order, and prints what goes wrong.
#[derive(Default)]
struct Progress {
    files: AtomicU64,
    bytes: AtomicU64,
}

impl Observer for Progress {
    fn document_done(&self, bytes: u64) {
        let files = 1 + self.files.fetch_add(1, Ordering::Relaxed);
        let bytes = bytes + self.bytes.fetch_add(bytes, Ordering::Relaxed);
        eprintln!("{files} documents, {bytes} bytes");
    }

    fn problem(&self, problem: &Problem) {
        eprintln!("{}: {}", problem.path.display(), problem.error);
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [from, to, url] = &arguments[..] else {
        return Err("give FROM, TO and the URL of FROM".into());
    };
    let output = Output::Directory {
        directory: to.into(),
        copy_others: true,
    };
    let mut plan = Plan::new(vec![Input::Directory(from.into())], Task::Rewrite(output));
    plan.retrieval = Layout::Tree(Tree::new(url, &["index.html".to_owned()])?).into();

    let report = batch::run(&plan, &Progress::default(), &mut std::io::stdout())?;
    println!(
        "{} of {} documents changed",
        report.files_changed, report.files
    );
    Ok(())
}
