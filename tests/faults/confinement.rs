//! Nothing is written outside of what was named.

use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::symlink;
use std::process::Stdio;
use std::sync::{Mutex, Once};

use abslink::batch::{self, Input, Located, Observer, Plan, Problem, Report, Task};
use abslink::retrieval::{Layout, Tree};

use super::*;
use crate::support::sandbox::Sandbox;

/// Swaps something once the first document is done.
struct Swap<F> {
    swap: F,
    once: Once,
    said: Mutex<Vec<String>>,
}

impl<F: Fn() + Sync> Observer for Swap<F> {
    fn reference(&self, found: &Located<'_>, out: &mut Vec<u8>) {
        out.extend(found.reference.reference.as_bytes());
    }

    fn document_done(&self, _: u64) {
        self.once.call_once(&self.swap);
    }

    fn problem(&self, problem: &Problem) {
        let line = format!("{}: {}", problem.path.display(), problem.error);
        self.said.lock().unwrap().push(line);
    }
}

/// Runs with one job, and with `swap` after the first document: the report, what was printed, and
/// what was said.
fn swapped(site: &Path, task: Task, swap: impl Fn() + Sync) -> (Report, String, Vec<String>) {
    let mut plan = Plan::new(vec![Input::Directory(site.into())], task);
    plan.retrieval = Layout::Tree(Tree::new(BASE, &[]).unwrap()).into();
    plan.jobs = 1;
    let swap = Swap {
        swap,
        once: Once::new(),
        said: Mutex::default(),
    };
    let mut out = Vec::new();
    let report = batch::run(&plan, &swap, &mut out).unwrap();
    let out = String::from_utf8(out).unwrap();
    (report, out, swap.said.into_inner().unwrap())
}

/// A directory with these files, all of which hold the same.
fn tree(names: &[&str], text: &str) -> (TempDir, Files) {
    let directory = tempfile::tempdir().unwrap();
    let files = names.iter().map(|name| (name.into(), text.into()));
    let files = files.collect();
    write(directory.path(), &files);
    (directory, files)
}

const OURS: &str = "<a href=ours>";
const THEIRS: &str = "<a href=theirs>";

#[test]
fn a_link_swapped_in_during_the_run_is_not_written_through() {
    let site = Site::new(1);
    let (elsewhere, theirs) = tree(&["index.html", "install.html", "x.html"], THEIRS);
    let task = Task::Rewrite(batch::Output::InPlace {
        backup: Some("~".into()),
    });
    let (report, ..) = swapped(site.path(), task, || {
        fs::rename(site.path().join("0/guide"), site.path().join("moved")).unwrap();
        symlink(elsewhere.path(), site.path().join("0/guide")).unwrap();
        let index = site.path().join("0/index.html");
        fs::remove_file(&index).unwrap();
        symlink(elsewhere.path().join("index.html"), index).unwrap();
    });
    assert!(report.files_failed >= 2, "{report:?}");
    assert_eq!(files(elsewhere.path()), theirs);
    assert!(site.path().join("0/guide").is_symlink());
    assert!(site.path().join("0/index.html").is_symlink());
}

/// Puts a link in the place of the output directory, once the first document is written.
struct SwapOutput<'a> {
    output: &'a Path,
    moved: &'a Path,
    elsewhere: &'a Path,
    once: Once,
}

impl Observer for SwapOutput<'_> {
    fn document_done(&self, _: u64) {
        self.once.call_once(|| {
            fs::rename(self.output, self.moved).unwrap();
            symlink(self.elsewhere, self.output).unwrap();
        });
    }
}

#[test]
fn an_output_directory_swapped_for_a_link_is_still_the_one_that_was_opened() {
    let site = Site::new(1);
    let [scratch, elsewhere] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let [output, moved] = ["output", "moved"].map(|name| scratch.path().join(name));
    let inputs = vec![Input::Directory(site.path().into())];
    let mut plan = Plan::new(
        inputs,
        Task::Rewrite(batch::Output::Directory {
            directory: output.clone(),
            copy_others: true,
        }),
    );
    plan.retrieval =
        Layout::Tree(Tree::new(BASE, &["index.html".into(), "index.htm".into()]).unwrap()).into();
    plan.jobs = 2;
    let swap = SwapOutput {
        output: &output,
        moved: &moved,
        elsewhere: elsewhere.path(),
        once: Once::new(),
    };
    let report = batch::run(&plan, &swap, &mut std::io::sink()).unwrap();
    assert_eq!(report.files_failed, 0, "{report:?}");
    assert!(output.is_symlink());
    assert_eq!(files(elsewhere.path()), Files::new());
    assert_eq!(files(&moved), site.new);
}

/// So many documents that the walk has not come to the end while the first is done.
const MANY: usize = 1_000;

/// Documents before those in `z`, in whose place a link shall be put.
fn site_before_z(before: usize) -> TempDir {
    let names: Vec<_> = (0..before)
        .map(|number| format!("a{number:04}.html"))
        .collect();
    let mut names: Vec<_> = names.iter().map(String::as_str).collect();
    names.extend(["z/a.html", "z/d/b.html", "z/style.css"]);
    tree(&names, OURS).0
}

/// Puts a link to `elsewhere` in the place of a directory.
fn put_link(directory: &Path, elsewhere: &Path) {
    fs::rename(directory, directory.with_extension("moved")).unwrap();
    symlink(elsewhere, directory).unwrap();
}

#[test]
fn a_link_swapped_in_during_the_run_is_not_read_through() {
    const SAID: &str = "cannot read: the path became a symbolic link while abslink was running";
    let (elsewhere, theirs) = tree(&["a.html", "d/b.html", "secret.html", "style.css"], THEIRS);
    let output = tempfile::tempdir().unwrap();
    let to_output = Task::Rewrite(batch::Output::Directory {
        directory: output.path().into(),
        copy_others: true,
    });
    let in_place = Task::Rewrite(batch::Output::InPlace { backup: None });
    for task in [Task::Examine, to_output, in_place] {
        let copies_others = matches!(task, Task::Rewrite(batch::Output::Directory { .. }));
        // What is in `z` is listed before the link is there, or after that. Then what the listing
        // says is not even named.
        for before in [1, MANY] {
            let site = site_before_z(before);
            let z = site.path().join("z");
            let swap = || put_link(&z, elsewhere.path());
            let (report, out, said) = swapped(site.path(), task.clone(), swap);
            let said_of = |name: &str| format!("{}: {SAID}", z.join(name).display());
            let expected = match before {
                MANY => vec![format!(
                    "{}: {SAID}; files below it were left out",
                    z.display()
                )],
                _ if copies_others => ["a.html", "d/b.html", "style.css"].map(said_of).into(),
                _ => ["a.html", "d/b.html"].map(said_of).into(),
            };
            assert_eq!(said, expected);
            assert_eq!(report.files_failed, expected.len() as u64);
            assert_eq!(report.files, before as u64);
            assert!(!out.contains("theirs"), "{out}");
            for (path, bytes) in files(output.path()) {
                let text = String::from_utf8(bytes).unwrap();
                assert!(text.contains("ours"), "{}: {text}", path.display());
            }
            assert_eq!(files(elsewhere.path()), theirs);
        }
    }
}

/// The same with the command, which waits with `z` still before it: nobody takes what it prints.
#[test]
fn a_link_swapped_in_during_the_run_makes_exit_code_2() {
    let site = site_before_z(MANY);
    let (elsewhere, _) = tree(&["a.html", "secret.html"], THEIRS);
    let mut run = abslink()
        .args(["links", "-j", "1", "-b", BASE])
        .arg(site.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut list = BufReader::new(run.stdout.take().unwrap());
    let mut printed = String::new();
    list.read_line(&mut printed).unwrap();
    let z = site.path().join("z");
    put_link(&z, elsewhere.path());
    list.read_to_string(&mut printed).unwrap();
    let ran = Ran::from(&run.wait_with_output().unwrap());
    assert_eq!(printed.lines().count(), MANY);
    assert!(!printed.contains("theirs"), "{printed}");
    let line = format!(
        "error: {}: cannot read: the path became a symbolic link while abslink was running; files below \
         it were left out\n",
        z.display()
    );
    ran.exits(2).says(line).never_says("secret");
}

/// That a PATH is a link is the user's will; what it leads to is opened once.
#[test]
fn a_path_that_is_a_link_is_followed_once() {
    let site = site_before_z(MANY);
    let (elsewhere, _) = tree(&["a0001.html", "z/a.html", "secret.html"], THEIRS);
    let output = tempfile::tempdir().unwrap();
    let link = site.path().with_extension("link");
    symlink(site.path(), &link).unwrap();
    let task = Task::Rewrite(batch::Output::Directory {
        directory: output.path().into(),
        copy_others: false,
    });
    let (report, _, said) = swapped(&link, task, || {
        fs::remove_file(&link).unwrap();
        symlink(elsewhere.path(), &link).unwrap();
    });
    fs::remove_file(&link).unwrap();
    // The names are those that the path leads to when it is their turn.
    assert!(report.files >= MANY as u64, "{report:?}");
    assert!(
        said.iter().all(|line| line.contains("No such file")),
        "{said:?}"
    );
    let written = files(output.path());
    assert!(!written.is_empty(), "{report:?}");
    assert!(written.values().all(|bytes| bytes.ends_with(b"ours>")));
}

/// That the name of the output directory is a link is the user's will; a link below it is not.
#[test]
fn an_output_directory_that_is_a_link() {
    let site = Site::new(1);
    let [real, elsewhere] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let link = site.path().with_extension("link");
    symlink(real.path(), &link).unwrap();
    fs::create_dir(real.path().join("0")).unwrap();
    symlink(elsewhere.path(), real.path().join("0/guide")).unwrap();
    let ran = site.run_into(&link, "");
    fs::remove_file(&link).unwrap();
    ran.exits(2).says("guide");
    assert_eq!(files(elsewhere.path()), Files::new());
    let written = files(real.path());
    assert_eq!(
        written[Path::new("0/index.html")],
        site.new[Path::new("0/index.html")]
    );
}

/// `..` in a PATH is the user's way to a directory; what is below it stays below the output.
#[test]
fn dots_in_a_path_lead_nowhere_else() {
    let site = Site::new(1);
    let output = tempfile::tempdir().unwrap();
    let below = output.path().join("below");
    let mut run = abslink();
    run.args(["rewrite", "-b", BASE, "--copy-others", "-o"]);
    let path = site.path().join("0/app/../../0/..");
    Ran::of(run.args([&below, &path])).exits(0);
    assert_eq!(files(&below), site.new);
    assert_eq!(files(output.path()).len(), site.new.len());
}

#[test]
fn temporary_files_of_others_are_no_documents() {
    let site = Site::new(1);
    let leftover = site.path().join("0/.abslink-1-2.tmp");
    fs::write(&leftover, "<!DOCTYPE html><a href=x>").unwrap();
    let listed = site.run(&format!("links --detect=html -b {BASE}"));
    listed.shows("install.html");
    assert!(!listed.stdout.contains(".abslink"), "{listed:?}");
    site.finish();
}

#[test]
fn other_names_of_a_file_keep_the_old_contents() {
    let sandbox = Sandbox::of(&[("page.html", "<a href=x>")]);
    let [page, other] = ["page.html", "other"].map(|name| sandbox.path().join(name));
    fs::hard_link(page, other).unwrap();
    let run = "rewrite -b https://h/page.html -i page.html";
    sandbox.run(run).exits(0);
    assert_eq!(sandbox.read("page.html"), "<a href=https://h/x>");
    assert_eq!(sandbox.read("other"), "<a href=x>");
}
