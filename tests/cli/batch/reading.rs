//! What is read, in which order, and what is told about it.

use std::io::Write as _;

use abslink::batch::Engine;

use super::*;

#[test]
fn plans_that_cannot_be() {
    let site = Sandbox::of(&[("one/x/a.html", RELATIVE), ("two/x/a.html", RELATIVE)]);
    let at = |name: &str| site.path().join(name);
    let both = [directory(&at("one/x")), directory(&at("two/x"))];
    let below = |root| {
        let mut plan = plan(both.clone(), Task::Examine);
        plan.root = Some(root);
        plan
    };
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
        (below(at("one")), |error| {
            matches!(error, PlanError::OutsideRoot { .. })
        }),
        (below(at("none")), |error| {
            matches!(error, PlanError::Root { .. })
        }),
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
fn output_is_in_path_order_with_any_number_of_jobs() {
    let site = Sandbox::of(&[]);
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
        let mut plan = plan([directory(site.path())], Task::Examine);
        plan.jobs = jobs;
        let (report, out, _) = carry_out(&plan);
        assert!(out == expected, "with {jobs} jobs");
        assert_eq!(report.files, 3000);
    }
}

#[test]
fn inputs_that_are_missing_or_something_else() {
    let site = Sandbox::of(&[("d.html/a.html", CLEAN)]);
    let inputs = [
        file(site.path().join("missing.html")),
        directory(&site.path().join("missing")),
        file(site.path().join("d.html")),
        directory(site.path()),
    ];
    let (report, _, said) = carry_out(&plan(inputs, Task::Examine));
    assert_eq!((report.files, report.files_failed), (1, 3));
    assert!(
        said[0].starts_with("missing.html: no such file or directory"),
        "{said:?}"
    );
    assert!(said[1].starts_with("missing: cannot read: "), "{said:?}");
    assert!(said[2].starts_with("d.html: is a directory"), "{said:?}");
}

#[test]
fn a_panic_concerns_one_document() {
    let site = Sandbox::of(&[
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
        said[0].starts_with("panic.html: skipped: internal error (")
            && said[0].contains("as the test wants it"),
        "{said:?}"
    );
}

#[test]
fn a_run_can_be_stopped() {
    let site = Sandbox::of(&[]);
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
    let site = Sandbox::of(&[("a.html", RELATIVE), ("b.html", RELATIVE)]);
    let plan = plan([directory(site.path())], Task::Examine);
    match run(&plan, &Watch::default(), &mut Closed) {
        Err(RunError::Output(error)) => assert_eq!(error.kind(), io::ErrorKind::BrokenPipe),
        other => panic!("{other:?}"),
    }
}

#[test]
fn globs_and_first_bytes_choose() {
    let site = Sandbox::of(&[
        ("a.html", CLEAN),
        ("skip/b.html", CLEAN),
        ("view.php?id=3", "<!DOCTYPE html><a href=\"y\">"),
        ("view.php?id=4", "plain text"),
    ]);
    let count = |choose: fn(&mut Selection)| {
        let mut plan = plan([directory(site.path())], Task::Examine);
        choose(&mut plan.selection);
        carry_out(&plan).0.files
    };
    assert_eq!(count(|_| {}), 2);
    assert_eq!(count(|it| it.detect_html = true), 3);
    assert_eq!(count(|it| it.exclude = Globs::new(["skip"]).unwrap()), 1);
    assert_eq!(count(|it| it.exclude = Globs::new(["*.html"]).unwrap()), 0);
    assert_eq!(count(|it| it.include = Globs::new(["skip/*"]).unwrap()), 1);
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
    let site = Sandbox::of(&[("a.html", RELATIVE), ("b.html", ""), ("c.html", RELATIVE)]);
    let plan = plan([directory(site.path())], Task::Examine);
    let mut out = Vec::new();
    run(&plan, &Listing, &mut out).unwrap();
    let out = String::from_utf8(out).unwrap();
    assert_eq!(out, "x.html a.html 1\n b.html 0\nx.html c.html 1\n");
}

#[test]
fn a_survey_counts_what_a_run_reads() {
    let site = Sandbox::of(&[("a.html", RELATIVE), ("d/b.html", CLEAN), ("c.css", CLEAN)]);
    let plan = plan([directory(site.path()), file("missing")], Task::Examine);
    let extent = extent(&plan, &Watch::default());
    let (report, _, _) = carry_out(&plan);
    assert_eq!(
        (extent.files, extent.bytes_in),
        (report.files, report.bytes_in)
    );
}

#[test]
fn urls_are_counted_from_the_root() {
    let site = Sandbox::of(&[("a/b/c.html", RELATIVE)]);
    for input in [
        directory(&site.path().join("a/b")),
        file(site.path().join("a/./b/c.html")),
    ] {
        let mut plan = plan([input], trial(None, true));
        plan.root = Some(site.path().into());
        let (_, out, _) = carry_out(&plan);
        assert!(
            out.contains("+<a href=\"https://h/d/a/b/x.html\">"),
            "{out}"
        );
    }
}

/// With `findings`, whoever watches a rewrite sees the references of documents in which one does not
/// resolve or a browser takes one elsewhere, at their places in the input; what it notes comes back
/// in path order and not to the output stream, held in memory or read in pieces.
#[test]
fn a_rewrite_tells_of_what_it_leaves() {
    struct Findings(Mutex<Vec<u8>>);
    impl Observer for Findings {
        fn reference(&self, found: &Located<'_>, out: &mut Vec<u8>) {
            let name = found.path.file_name().unwrap().to_string_lossy();
            let (start, end) = found.utf16_columns;
            writeln!(
                out,
                "{name}:{}:{}-{}:{} {start}-{end} {}",
                found.line,
                found.column,
                found.end_line,
                found.end_column,
                found.reference.outcome.name()
            )
            .unwrap();
        }
        fn in_order(&self, shown: &[u8], _: &mut dyn io::Write) -> io::Result<()> {
            self.0.lock().unwrap().extend_from_slice(shown);
            Ok(())
        }
    }
    let site = Sandbox::of(&[
        ("a.html", "<p>\n😀<a href=\"///h\">\n"),
        ("b.html", RELATIVE),
        ("c.html", "<base href=mailto:a><a href=x>"),
    ]);
    for engine in [Engine::Memory, Engine::Stream] {
        let out = Sandbox::of(&[]);
        let mut plan = plan([directory(site.path())], to(out.path()));
        plan.findings = abslink::batch::Findings::Left;
        plan.html.engine = engine;
        let findings = Findings(Mutex::default());
        let mut stream = Vec::new();
        run(&plan, &findings, &mut stream).unwrap();
        assert!(stream.is_empty(), "{stream:?}");
        let found = String::from_utf8(findings.0.into_inner().unwrap()).unwrap();
        assert_eq!(
            found,
            "a.html:2:11-2:15 12-16 relative\n\
             c.html:1:12-1:20 12-20 absolute\n\
             c.html:1:29-1:30 29-30 unresolved\n",
            "{engine:?}"
        );
        let changed = fs::read_to_string(out.path().join("b.html")).unwrap();
        assert_eq!(changed, "<a href=\"https://h/d/x.html\">\n");
    }
}
