//! Whole runs through the library, on trees of their own.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use abslink::base::retrieval::{Layout, tree::Tree};
use abslink::batch::{
    Input, Located, Note, Observer, Output, Plan, PlanError, Report, RunError, Selection, Task,
    Trouble, run, survey,
};
use abslink::html::Examined;
use globset::{Glob, GlobSet};
use tempfile::TempDir;

#[cfg(unix)]
mod unix;

const RELATIVE: &str = "<a href=\"x.html\">\n";
const CLEAN: &str = "<a href=\"https://elsewhere/x\">\n";

/// A directory with files in it: `("a/b.html", "contents")`.
fn tree(files: &[(&str, &str)]) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    for (name, contents) in files {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, contents).unwrap();
    }
    directory
}

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
                name.to_string_lossy().into_owned(),
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
    Plan {
        inputs: inputs.into_iter().collect(),
        selection: Selection::default(),
        task,
        retrieval: Layout::Tree(Tree::new("https://h/d/", &[]).unwrap()).into(),
        root: None,
        html: Default::default(),
        message: Default::default(),
        jobs: 2,
        durable: false,
    }
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

    fn trouble(&self, trouble: &Trouble) {
        self.say(&trouble.path, &trouble.error);
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

#[test]
fn the_same_tree_elsewhere() {
    let site = tree(&[
        ("a.html", RELATIVE),
        ("b/c.HTM", RELATIVE),
        ("b/clean.html", CLEAN),
        ("style.css", "p {}"),
    ]);
    let target = tempfile::tempdir().unwrap();
    let output = target.path().join("new/out");
    let (report, out, said) = carry_out(&plan([directory(site.path())], to(&output)));
    holds(
        &output,
        &[
            ("a.html", "<a href=\"https://h/d/x.html\">\n"),
            ("b/c.HTM", "<a href=\"https://h/d/b/x.html\">\n"),
            ("b/clean.html", CLEAN),
        ],
    );
    assert_eq!((out.as_str(), said.len()), ("", 0));
    assert_eq!(report.files, 3);
    assert_eq!(report.files_changed, 2);
    assert_eq!(report.files_unchanged, 1);
    assert_eq!(report.tally.rewritten, 2);
    let bytes_out: usize = files(&output).iter().map(|file| file.1.len()).sum();
    assert_eq!(report.bytes_out, bytes_out as u64);
    assert_eq!(report.bytes_in, (2 * RELATIVE.len() + CLEAN.len()) as u64);

    // What is there already is replaced, and the rest comes too when asked for.
    fs::write(output.join("a.html"), "older").unwrap();
    let task = Task::Rewrite(Output::Directory {
        directory: output.clone(),
        copy_others: true,
    });
    let (report, _, _) = carry_out(&plan([directory(site.path())], task));
    assert_eq!(report.files_copied, 1);
    assert_eq!(files(&output).len(), 4);
    assert_eq!(
        fs::read_to_string(output.join("style.css")).unwrap(),
        "p {}"
    );
    assert_ne!(fs::read_to_string(output.join("a.html")).unwrap(), "older");
}

#[test]
fn several_inputs_go_below_their_names() {
    let site = tree(&[("one/a.html", CLEAN), ("two/a.html", CLEAN), ("f", CLEAN)]);
    let target = tempfile::tempdir().unwrap();
    let inputs = [
        directory(&site.path().join("one")),
        directory(&site.path().join("two/.")),
        file(site.path().join("f")),
    ];
    carry_out(&plan(inputs, to(target.path())));
    holds(
        target.path(),
        &[("f", CLEAN), ("one/a.html", CLEAN), ("two/a.html", CLEAN)],
    );
}

#[test]
fn a_file_goes_below_the_directory() {
    let site = tree(&[("a/b.txt", RELATIVE)]);
    let target = tempfile::tempdir().unwrap();
    carry_out(&plan(
        [file(site.path().join("a/b.txt"))],
        to(target.path()),
    ));
    holds(
        target.path(),
        &[("b.txt", "<a href=\"https://h/d/x.html\">\n")],
    );
}

#[test]
fn plans_that_cannot_be() {
    let site = tree(&[("one/x/a.html", RELATIVE), ("two/x/a.html", RELATIVE)]);
    let at = |name: &str| site.path().join(name);
    let both = [directory(&at("one/x")), directory(&at("two/x"))];
    type Case = (Plan, fn(&PlanError) -> bool);
    let checks: &[Case] = &[
        (plan(both.clone(), to(&at("out"))), |error| {
            matches!(error, PlanError::SameName { .. })
        }),
        (plan([directory(&at("one"))], to(&at("one"))), |error| {
            matches!(error, PlanError::OutputIsInput(_))
        }),
        (
            plan([directory(&at("one"))], to(&at("one/out/new"))),
            |error| matches!(error, PlanError::OutputInsideInput { .. }),
        ),
        (
            plan([directory(&at("one"))], to(&at("two/../one/../one/o"))),
            |error| matches!(error, PlanError::OutputInsideInput { .. }),
        ),
        (plan([directory(&at("one/x"))], to(&at("one"))), |error| {
            matches!(error, PlanError::InputInsideOutput { .. })
        }),
        (
            plan([file(at("one/x/a.html"))], to(&at("one/x"))),
            |error| matches!(error, PlanError::InputInsideOutput { .. }),
        ),
        (
            plan([directory(&at("two"))], to(&at("one/x/a.html"))),
            |error| matches!(error, PlanError::OutputNotDirectory(_)),
        ),
        (
            plan([directory(Path::new("/"))], Task::Rewrite(Output::Stdout)),
            |error| matches!(error, PlanError::StdoutTakesOne),
        ),
        (plan([Input::Stdin], in_place(None)), |error| {
            matches!(error, PlanError::StdinHasNoName)
        }),
        (plan(both.clone(), in_place(Some(""))), |error| {
            matches!(error, PlanError::BackupSuffix(_))
        }),
        (plan(both.clone(), in_place(Some("/../../x"))), |error| {
            matches!(error, PlanError::BackupSuffix(_))
        }),
        (
            plan(
                [directory(&at("one")), file(at("one/x/a.html"))],
                in_place(None),
            ),
            |error| matches!(error, PlanError::Overlap { .. }),
        ),
        (
            Plan {
                root: Some(at("one")),
                ..plan(both.clone(), Task::Examine)
            },
            |error| matches!(error, PlanError::OutsideRoot { .. }),
        ),
        (
            Plan {
                root: Some(at("none")),
                ..plan(both, Task::Examine)
            },
            |error| matches!(error, PlanError::Root { .. }),
        ),
    ];
    let before = files(site.path());
    for (index, (plan, expected)) in checks.iter().enumerate() {
        let error = plan.check().unwrap_err();
        assert!(expected(&error), "{index}: {error}");
        let result = run(plan, &Watch::default(), &mut io::sink());
        assert!(matches!(result, Err(RunError::Plan(_))), "{index}");
        assert!(!at("out").exists());
    }
    assert_eq!(files(site.path()), before);
}

#[test]
fn in_place_changes_what_is_to_change() {
    let site = tree(&[
        ("a.html", RELATIVE),
        ("clean.html", CLEAN),
        ("b.txt", RELATIVE),
    ]);
    let clean = site.path().join("clean.html");
    let before = clean.metadata().unwrap();
    let (report, _, said) = carry_out(&plan([directory(site.path())], in_place(None)));
    assert_eq!((report.files_changed, report.files_unchanged), (1, 1));
    assert!(said.is_empty(), "{said:?}");
    holds(
        site.path(),
        &[
            ("a.html", "<a href=\"https://h/d/x.html\">\n"),
            ("b.txt", RELATIVE),
            ("clean.html", CLEAN),
        ],
    );
    let after = clean.metadata().unwrap();
    assert_eq!(before.modified().unwrap(), after.modified().unwrap());
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        assert_eq!(before.ino(), after.ino());
    }
    let (report, _, _) = carry_out(&plan([directory(site.path())], in_place(None)));
    assert_eq!((report.files_changed, report.files_unchanged), (0, 2));
}

#[test]
fn a_backup_is_the_oldest_and_no_document() {
    let site = tree(&[("a.html", RELATIVE)]);
    let plan = plan([directory(site.path())], in_place(Some(".old.html")));
    carry_out(&plan);
    let changed = "<a href=\"https://h/d/x.html\">\n";
    holds(
        site.path(),
        &[("a.html", changed), ("a.html.old.html", RELATIVE)],
    );
    fs::write(site.path().join("a.html"), "<a href=\"y.html\">\n").unwrap();
    let (report, _, said) = carry_out(&plan);
    assert_eq!(said, ["a.html: the older backup a.html.old.html is kept"]);
    assert_eq!((report.files, report.files_failed), (1, 0));
    let changed = "<a href=\"https://h/d/y.html\">\n";
    holds(
        site.path(),
        &[("a.html", changed), ("a.html.old.html", RELATIVE)],
    );
}

#[test]
fn dry_run_diff_and_stdout_write_no_file() {
    let site = tree(&[("a.html", RELATIVE), ("clean.html", CLEAN)]);
    let run = |input, output| carry_out(&plan([input], Task::Rewrite(output)));
    let (dry, out, _) = run(directory(site.path()), Output::DryRun);
    assert_eq!(out, "");
    let (diff, out, _) = run(directory(site.path()), Output::Diff);
    let name = site.path().join("a.html");
    let name = name.to_str().unwrap();
    assert_eq!(
        out,
        format!(
            "--- a{name}\n+++ b{name}\n@@ -1 +1 @@\n-{RELATIVE}+<a href=\"https://h/d/x.html\">\n"
        )
    );
    assert_eq!(dry, diff);
    assert_eq!((dry.files_changed, dry.files_unchanged), (1, 1));
    assert!(dry.bytes_out > dry.bytes_in);
    let (_, out, _) = run(file(site.path().join("clean.html")), Output::Stdout);
    assert_eq!(out, CLEAN);
    let (_, out, _) = run(file(name), Output::Stdout);
    assert_eq!(out, "<a href=\"https://h/d/x.html\">\n");
    holds(site.path(), &[("a.html", RELATIVE), ("clean.html", CLEAN)]);
}

#[test]
fn output_is_in_path_order_with_any_number_of_jobs() {
    let site = tempfile::tempdir().unwrap();
    let mut expected = String::new();
    for number in 0..3000 {
        // Names of one length, so that their order is that of the numbers.
        let name = format!("{number:04}.html");
        // Longer and shorter ones, so that they are not done in order.
        let padding = " \n".repeat(number % 7 * 1000);
        fs::write(site.path().join(&name), format!("{padding}{RELATIVE}")).unwrap();
        let line = 1 + number % 7 * 1000;
        expected += &format!("{name}:{line}:10:x.html\n");
    }
    for jobs in [1, 2, 8] {
        let plan = Plan {
            jobs,
            ..plan([directory(site.path())], Task::Examine)
        };
        let (report, out, _) = carry_out(&plan);
        assert!(out == expected, "with {jobs} jobs");
        assert_eq!(report.files, 3000);
    }
}

#[test]
fn inputs_that_are_missing_or_something_else() {
    let site = tree(&[("d.html/a.html", CLEAN)]);
    let inputs = [
        file(site.path().join("missing.html")),
        directory(&site.path().join("missing")),
        file(site.path().join("d.html")),
        directory(site.path()),
    ];
    let (report, _, said) = carry_out(&plan(inputs, Task::Examine));
    assert_eq!((report.files, report.files_failed), (1, 3));
    assert!(
        said[0].starts_with("missing.html: cannot read: "),
        "{said:?}"
    );
    assert!(said[1].starts_with("missing: cannot read: "), "{said:?}");
    assert!(
        said[2].starts_with("d.html: cannot read: it is a directory"),
        "{said:?}"
    );
}

#[test]
fn a_panic_concerns_one_document() {
    let site = tree(&[
        ("a.html", RELATIVE),
        ("panic.html", RELATIVE),
        ("z.html", RELATIVE),
    ]);
    let (report, out, said) = carry_out(&plan([directory(site.path())], Task::Examine));
    assert_eq!(out, "a.html:1:10:x.html\nz.html:1:10:x.html\n");
    assert_eq!(
        (report.files, report.files_unchanged, report.files_failed),
        (3, 2, 1)
    );
    assert!(
        said[0].starts_with("panic.html: left as it is: abslink failed on it (")
            && said[0].contains("as the test wants it"),
        "{said:?}"
    );
}

#[test]
fn a_run_can_be_stopped() {
    let site = tempfile::tempdir().unwrap();
    for number in 0..200 {
        fs::write(site.path().join(format!("{number}.html")), RELATIVE).unwrap();
    }
    let watch = Watch {
        stop_after: 10,
        ..Watch::default()
    };
    let plan = plan([directory(site.path())], in_place(None));
    let report = run(&plan, &watch, &mut io::sink()).unwrap();
    assert!(report.stopped);
    assert!((10..20).contains(&report.files), "{}", report.files);
    let changed = files(site.path())
        .iter()
        .filter(|file| file.1 != RELATIVE)
        .count();
    assert_eq!(changed as u64, report.files_changed);
    assert!(!carry_out(&plan).0.stopped);
}

#[test]
fn a_closed_pipe_ends_the_run() {
    struct Closed;
    impl io::Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let site = tree(&[("a.html", RELATIVE), ("b.html", RELATIVE)]);
    let plan = plan([directory(site.path())], Task::Examine);
    match run(&plan, &Watch::default(), &mut Closed) {
        Err(RunError::Output(error)) => assert_eq!(error.kind(), io::ErrorKind::BrokenPipe),
        other => panic!("{other:?}"),
    }
}

#[test]
fn globs_and_first_bytes_choose() {
    let site = tree(&[
        ("a.html", CLEAN),
        ("skip/b.html", CLEAN),
        ("view.php?id=3", "<!DOCTYPE html><a href=\"y\">"),
        ("view.php?id=4", "plain text"),
    ]);
    let globs = |glob: &str| {
        let mut set = GlobSet::builder();
        set.add(Glob::new(glob).unwrap());
        set.build().unwrap()
    };
    let count = |selection| {
        let plan = Plan {
            selection,
            ..plan([directory(site.path())], Task::Examine)
        };
        carry_out(&plan).0.files
    };
    assert_eq!(count(Selection::default()), 2);
    assert_eq!(
        count(Selection {
            detect_html: true,
            ..Selection::default()
        }),
        3
    );
    assert_eq!(
        count(Selection {
            exclude: globs("skip"),
            ..Selection::default()
        }),
        1
    );
    assert_eq!(
        count(Selection {
            exclude: globs("*.html"),
            ..Selection::default()
        }),
        0
    );
    assert_eq!(
        count(Selection {
            include: globs("skip/*"),
            ..Selection::default()
        }),
        1
    );
}

#[test]
fn documents_are_shown_in_order_after_their_references() {
    struct Listing;
    impl Observer for Listing {
        fn reference(&self, found: &Located<'_>, out: &mut Vec<u8>) {
            out.extend(found.reference.reference.as_bytes());
        }
        fn document(&self, path: &Path, examined: &Examined, out: &mut Vec<u8>) {
            let name = path.file_name().unwrap().to_str().unwrap();
            out.extend(format!(" {name} {}\n", examined.tally.references).as_bytes());
        }
    }
    let site = tree(&[("a.html", RELATIVE), ("b.html", ""), ("c.html", RELATIVE)]);
    let plan = plan([directory(site.path())], Task::Examine);
    let mut out = Vec::new();
    run(&plan, &Listing, &mut out).unwrap();
    let out = String::from_utf8(out).unwrap();
    assert_eq!(out, "x.html a.html 1\n b.html 0\nx.html c.html 1\n");
}

#[test]
fn a_survey_counts_what_a_run_reads() {
    let site = tree(&[("a.html", RELATIVE), ("d/b.html", CLEAN), ("c.css", CLEAN)]);
    let plan = plan([directory(site.path()), file("missing")], Task::Examine);
    let extent = survey(&plan, &Watch::default());
    let (report, _, _) = carry_out(&plan);
    assert_eq!(
        (extent.files, extent.bytes),
        (report.files, report.bytes_in)
    );
}

#[test]
fn urls_are_counted_from_the_root() {
    let site = tree(&[("a/b/c.html", RELATIVE)]);
    for input in [
        directory(&site.path().join("a/b")),
        file(site.path().join("a/./b/c.html")),
    ] {
        let plan = Plan {
            root: Some(site.path().into()),
            ..plan([input], Task::Rewrite(Output::Diff))
        };
        let (_, out, _) = carry_out(&plan);
        assert!(
            out.contains("+<a href=\"https://h/d/a/b/x.html\">"),
            "{out}"
        );
    }
}

#[test]
fn a_target_that_cannot_be_written_leaves_nothing_behind() {
    let site = tree(&[
        ("a.html", RELATIVE),
        ("b/c.html", RELATIVE),
        ("d.html", CLEAN),
    ]);
    // A directory in the place of a file, and a file in the place of a directory.
    let target = tree(&[("a.html/x", "x"), ("b", "x")]);
    let (report, _, said) = carry_out(&plan([directory(site.path())], to(target.path())));
    assert_eq!(
        (report.files, report.files_failed, report.files_unchanged),
        (3, 2, 1)
    );
    assert!(said[0].starts_with("a.html: cannot write "), "{said:?}");
    assert!(said[1].starts_with("c.html: cannot write "), "{said:?}");
    holds(
        target.path(),
        &[("a.html/x", "x"), ("b", "x"), ("d.html", CLEAN)],
    );
}
