//! Whole runs over a real tree, beside `cp -r` of the same tree in the same run.
//!
//! The tree is rust-doc of target/corpus (see testdata/fetch-corpora.sh), copied into memory
//! (/dev/shm) where there is such a place, so that no disk takes part; without it testdata/site.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use divan::Bencher;
use tempfile::TempDir;

fn main() {
    divan::main();
}

/// The tree, and room beside it.
struct Setting {
    room: TempDir,
    tree: PathBuf,
}

static SETTING: LazyLock<Setting> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let corpus = root.join("target/corpus/rust-doc");
    let source = if corpus.is_dir() {
        corpus
    } else {
        root.join("testdata/site/in")
    };
    let memory = Path::new("/dev/shm");
    let room = if memory.is_dir() {
        TempDir::new_in(memory)
    } else {
        TempDir::new()
    };
    let room = room.expect("room for a copy of the tree");
    let tree = room.path().join("tree");
    run(Command::new("cp").arg("-r").arg(source).arg(&tree));
    Setting { room, tree }
});

fn run(command: &mut Command) {
    let status = command
        .stdout(Stdio::null())
        .status()
        .expect("the command starts");
    assert!(status.success(), "{command:?} failed");
}

fn abslink(command_name: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_abslink"));
    command
        .arg(command_name)
        .arg("--quiet")
        .args(["--base-url", "https://docs.example.org/"]);
    command
}

/// Runs a command that makes `name`, and removes that again outside the time that is taken.
fn making(bencher: Bencher<'_, '_>, name: &str, command: impl Fn(&Path, &Path) -> Command) {
    let setting = &*SETTING;
    let made = setting.room.path().join(name);
    bencher
        .with_inputs(|| {
            if made.exists() {
                fs::remove_dir_all(&made).expect("the last result goes away");
            }
        })
        .bench_local_values(|()| run(&mut command(&setting.tree, &made)));
    fs::remove_dir_all(&made).expect("the result goes away");
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn a_cp(bencher: Bencher<'_, '_>) {
    making(bencher, "copy", |tree, copy| {
        let mut command = Command::new("cp");
        command.arg("-r").arg(tree).arg(copy);
        command
    });
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn b_rewrite_to_a_new_tree(bencher: Bencher<'_, '_>) {
    making(bencher, "out", |tree, out| {
        let mut command = abslink("rewrite");
        command.arg("--output").arg(out).arg(tree);
        command
    });
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn c_second_run_in_place(bencher: Bencher<'_, '_>) {
    let setting = &*SETTING;
    let converted = setting.room.path().join("converted");
    run(abslink("rewrite")
        .arg("--output")
        .arg(&converted)
        .arg(&setting.tree));
    bencher.bench_local(|| run(abslink("rewrite").arg("--in-place").arg(&converted)));
    fs::remove_dir_all(&converted).expect("the converted tree goes away");
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn d_dry_run(bencher: Bencher<'_, '_>) {
    bencher.bench_local(|| run(abslink("rewrite").arg("--dry-run").arg(&SETTING.tree)));
}
