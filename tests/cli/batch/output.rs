//! Where new contents go.

use super::*;

#[test]
fn the_same_tree_elsewhere() {
    let site = Sandbox::of(&[
        ("a.html", RELATIVE),
        ("b/c.HTM", RELATIVE),
        ("b/clean.html", CLEAN),
        ("style.css", "p {}"),
    ]);
    let target = Sandbox::of(&[]);
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
    assert_eq!(target.read("new/out/style.css"), "p {}");
    assert_ne!(target.read("new/out/a.html"), "older");
}

#[test]
fn several_inputs_go_below_their_names() {
    let site = Sandbox::of(&[("one/a.html", CLEAN), ("two/a.html", CLEAN), ("f", CLEAN)]);
    let target = Sandbox::of(&[]);
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
    let site = Sandbox::of(&[("a/b.old", RELATIVE)]);
    let target = Sandbox::of(&[]);
    carry_out(&plan(
        [file(site.path().join("a/b.old"))],
        to(target.path()),
    ));
    holds(
        target.path(),
        &[("b.old", "<a href=\"https://h/d/x.html\">\n")],
    );
}

#[test]
fn in_place_changes_what_is_to_change() {
    let site = Sandbox::of(&[
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
    let site = Sandbox::of(&[("a.html", RELATIVE)]);
    let plan = plan([directory(site.path())], in_place(Some(".old.html")));
    carry_out(&plan);
    let changed = "<a href=\"https://h/d/x.html\">\n";
    holds(
        site.path(),
        &[("a.html", changed), ("a.html.old.html", RELATIVE)],
    );
    fs::write(site.path().join("a.html"), "<a href=\"y.html\">\n").unwrap();
    let (report, _, said) = carry_out(&plan);
    assert_eq!(
        said,
        [
            "a.html: the older backup a.html.old.html is kept",
            "a.html.old.html: skipped: looks like a backup by its name, or has abslink's mark"
        ],
        "what the run says of the two backups"
    );
    assert_eq!((report.files, report.files_failed), (1, 0));
    let changed = "<a href=\"https://h/d/y.html\">\n";
    holds(
        site.path(),
        &[("a.html", changed), ("a.html.old.html", RELATIVE)],
    );
}

#[test]
fn dry_run_diff_and_stdout_write_no_file() {
    let site = Sandbox::of(&[("a.html", RELATIVE), ("clean.html", CLEAN)]);
    let run = |input, task| carry_out(&plan([input], task));
    let output = None;
    let (dry, out, _) = run(directory(site.path()), trial(output.clone(), false));
    assert_eq!(out, "");
    let (diff, out, _) = run(directory(site.path()), trial(output, true));
    let name = site.path().join("a.html");
    let name = name.to_str().unwrap().replace('\\', "/");
    // A path that begins with a drive's letter, too.
    let name = format!("/{}", name.trim_start_matches('/'));
    assert_eq!(
        out,
        format!(
            "--- a{name}\n+++ b{name}\n@@ -1 +1 @@\n-{RELATIVE}+<a href=\"https://h/d/x.html\">\n"
        )
    );
    assert_eq!(dry, diff);
    assert_eq!((dry.files_changed, dry.files_unchanged), (1, 1));
    assert!(dry.bytes_out > dry.bytes_in);
    let stdout = Task::Rewrite(Output::Stdout);
    let (_, out, _) = run(file(site.path().join("clean.html")), stdout.clone());
    assert_eq!(out, CLEAN);
    let (_, out, _) = run(file(site.path().join("a.html")), stdout);
    assert_eq!(out, "<a href=\"https://h/d/x.html\">\n");
    holds(site.path(), &[("a.html", RELATIVE), ("clean.html", CLEAN)]);
}

/// The report of a run that writes nothing is that of the run that does.
#[test]
fn a_trial_counts_what_the_run_does() {
    for in_place in [false, true] {
        let site = Sandbox::of(&[
            ("a.html", RELATIVE),
            ("b/clean.html", CLEAN),
            ("b/style.css", "p {}"),
            ("p.html", RELATIVE),
            ("p.html.old", RELATIVE),
        ]);
        let target = Sandbox::of(&[
            ("a.html", "older"),
            ("b/style.css", ""),
            ("gone/a.html", CLEAN),
        ]);
        let before = [files(site.path()), files(target.path())];
        let output = match in_place {
            true => Output::InPlace {
                backup: Some(".old".into()),
            },
            false => Output::Directory {
                directory: target.path().into(),
                copy_others: true,
            },
        };
        let carry_out = |task| carry_out(&plan([directory(site.path())], task));
        let (tried, out, _) = carry_out(trial(Some(output.clone()), false));
        assert_eq!(out, "");
        let (shown, out, _) = carry_out(trial(Some(output.clone()), true));
        assert!(out.contains("+<a href=\"https://h/d/x.html\">"), "{out}");
        assert_eq!(tried, shown);
        assert_eq!([files(site.path()), files(target.path())], before);
        let (mut done, _, _) = carry_out(Task::Rewrite(output));
        if !in_place {
            // Only what is there can be replaced; the run has made the rest.
            assert_eq!((tried.placed, done.placed), (2, 5));
            assert_eq!((tried.leftover, tried.files_copied), (1, 2));
            done.placed = tried.placed;
        }
        assert_eq!(tried, done);
    }
}

#[test]
fn what_the_output_held_before_is_counted() {
    let site = Sandbox::of(&[("a.html", RELATIVE), ("b/c.html", CLEAN), ("x.png", "")]);
    let target = Sandbox::of(&[]);
    let output = target.path().join("out");
    let leftover = |task| carry_out(&plan([directory(site.path())], task)).0.leftover;
    let tried = || {
        trial(
            Some(Output::Directory {
                directory: output.clone(),
                copy_others: false,
            }),
            false,
        )
    };
    assert_eq!(leftover(tried()), 0);
    assert!(!output.exists(), "{}", output.display());
    assert_eq!(leftover(to(&output)), 0);
    assert_eq!(leftover(to(&output)), 0);
    fs::create_dir(output.join("d")).unwrap();
    for name in ["d/old.html", "d/x", "b/y.css"] {
        fs::write(output.join(name), "").unwrap();
    }
    assert_eq!(leftover(to(&output)), 3);
    assert_eq!(leftover(tried()), 3);
    // One that this run would have written, if that was still there.
    fs::remove_file(site.path().join("a.html")).unwrap();
    assert_eq!(leftover(to(&output)), 4);
    assert_eq!(leftover(tried()), 4);
}

#[test]
fn a_target_that_cannot_be_written_leaves_nothing_behind() {
    let site = Sandbox::of(&[
        ("a.html", RELATIVE),
        ("b/c.html", RELATIVE),
        ("d.html", CLEAN),
    ]);
    // A directory in the place of a file, and a file in the place of a directory.
    let target = Sandbox::of(&[("a.html/x", "x"), ("b", "x")]);
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
