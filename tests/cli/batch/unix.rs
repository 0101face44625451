//! Links, permissions, names and faults as only Unix has them.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};

use super::*;
use crate::support::skip;

mod copies;

fn following(mut plan: Plan) -> Plan {
    plan.selection.follow_links = true;
    plan
}

#[test]
fn permissions_go_along() {
    let site = Sandbox::of(&[("a.html", RELATIVE)]);
    let path = site.path().join("a.html");
    fs::set_permissions(path, fs::Permissions::from_mode(0o640)).unwrap();
    let target = Sandbox::of(&[]);
    carry_out(&plan([directory(site.path())], to(target.path())));
    let mode = target
        .path()
        .join("a.html")
        .metadata()
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o640);
}

#[test]
fn what_may_not_be_read_is_told() {
    let site = Sandbox::of(&[("a.html", CLEAN), ("d/b.html", CLEAN), ("z.html", CLEAN)]);
    let none = fs::Permissions::from_mode(0o000);
    fs::set_permissions(site.path().join("a.html"), none.clone()).unwrap();
    fs::set_permissions(site.path().join("d"), none).unwrap();
    skip::without_override(|| {
        let (report, _, said) = carry_out(&plan([directory(site.path())], Task::Examine));
        assert_eq!((report.files, report.files_failed), (1, 2), "{said:?}");
    });
    fs::set_permissions(site.path().join("d"), fs::Permissions::from_mode(0o700)).unwrap();
}

/// A trial says of a read-only file, and of one in a read-only directory, what the run would say.
#[test]
fn what_may_not_be_written_is_foreseen() {
    let site = Sandbox::of(&[("a.html", RELATIVE), ("d/b.html", RELATIVE)]);
    let output = Sandbox::of(&[]);
    let set_mode = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    set_mode(&site.path().join("a.html"), 0o444);
    set_mode(&site.path().join("d"), 0o555);
    set_mode(output.path(), 0o555);
    skip::without_override(|| {
        for task in [in_place(None), to(output.path())] {
            let Task::Rewrite(destination) = task.clone() else {
                unreachable!("both are written");
            };
            let trial = Task::Try {
                output: Some(destination),
                diff: false,
            };
            let (done, _, said) = carry_out(&plan([directory(site.path())], task));
            let (tried, _, foreseen) = carry_out(&plan([directory(site.path())], trial));
            assert_eq!(foreseen, said);
            assert_eq!(tried.files_failed, done.files_failed);
            assert!(done.files_failed > 0, "{said:?}");
        }
    });
    for directory in [&site.path().join("d"), output.path()] {
        set_mode(directory, 0o755);
    }
}

/// Nobody has asked for a file that is only looked into.
#[test]
fn what_is_only_looked_into_need_not_be_readable() {
    let site = Sandbox::of(&[("a.html", CLEAN), ("page", "<p>"), ("secret", "<p>")]);
    let none = fs::Permissions::from_mode(0o000);
    fs::set_permissions(site.path().join("secret"), none).unwrap();
    let target = Sandbox::of(&[]);
    let copied = Task::Rewrite(Output::Directory {
        directory: target.path().into(),
        copy_others: true,
    });
    skip::without_override(|| {
        // What is to be copied has to be read.
        for (task, failed) in [(Task::Examine, 0), (to(target.path()), 0), (copied, 1)] {
            let (report, _, said) = carry_out(&plan([directory(site.path())], task));
            let counts = (report.files, report.not_taken, report.files_failed);
            assert_eq!(counts, (1, 1, failed), "{said:?}");
        }
    });
}

#[test]
fn names_that_are_not_utf8() {
    let site = Sandbox::of(&[]);
    let name = OsStr::from_bytes(b"\xe4.html");
    fs::write(site.path().join(name), RELATIVE).unwrap();
    let target = Sandbox::of(&[]);
    carry_out(&plan([directory(site.path())], to(target.path())));
    let new = fs::read_to_string(target.path().join(name)).unwrap();
    assert_eq!(new, "<a href=\"https://h/d/x.html\">\n");
}

#[test]
fn names_of_255_bytes() {
    let name = format!("{}.html", "n".repeat(250));
    let site = Sandbox::of(&[(&name, RELATIVE)]);
    let (report, _, said) = carry_out(&plan([directory(site.path())], in_place(None)));
    assert_eq!(report.files_changed, 1, "{said:?}");
}

#[test]
fn links_are_not_followed_until_asked_for() {
    let site = Sandbox::of(&[("real/a.html", CLEAN)]);
    symlink("real", site.path().join("dir")).unwrap();
    symlink("real/a.html", site.path().join("l.html")).unwrap();
    symlink("..", site.path().join("real/loop")).unwrap();
    let plan = plan([directory(site.path())], Task::Examine);
    let (report, _, said) = carry_out(&plan);
    assert_eq!((report.files, said.len()), (1, 0));
    let (report, _, said) = carry_out(&following(plan));
    assert_eq!((report.files, report.files_failed), (3, 2));
    for line in said {
        assert!(
            line.starts_with("loop: not followed: symbolic link back to "),
            "{line}"
        );
    }
}

#[test]
fn in_place_no_link_leads_out_of_the_tree() {
    let elsewhere = Sandbox::of(&[("e.html", RELATIVE), ("clean.html", CLEAN)]);
    let site = Sandbox::of(&[("a.html", RELATIVE)]);
    symlink(elsewhere.path(), site.path().join("out")).unwrap();
    symlink("a.html", site.path().join("l.html")).unwrap();
    let (report, _, said) = carry_out(&following(plan([directory(site.path())], in_place(None))));
    assert_eq!(
        (report.files_changed, report.files_unchanged),
        (1, 1),
        "{said:?}"
    );
    assert_eq!(report.files_failed, 1);
    assert!(
        said[0].starts_with("l.html: skipped: symbolic link to a file in this tree"),
        "{said:?}"
    );
    assert!(said[1].starts_with("e.html: symbolic link to "), "{said:?}");
    holds(
        elsewhere.path(),
        &[("clean.html", CLEAN), ("e.html", RELATIVE)],
    );
    assert!(site.path().join("l.html").is_symlink());
}

#[test]
fn a_link_that_is_named_stays_one() {
    let site = Sandbox::of(&[("real/a.html", RELATIVE)]);
    let link = site.path().join("l.html");
    symlink("real/a.html", &link).unwrap();
    let (report, _, said) = carry_out(&plan([file(&link)], in_place(Some(".orig"))));
    assert_eq!(report.files_changed, 1, "{said:?}");
    assert!(link.is_symlink());
    let changed = "<a href=\"https://h/d/x.html\">\n";
    holds(
        site.path(),
        &[("real/a.html", changed), ("real/a.html.orig", RELATIVE)],
    );
}

#[test]
fn output_and_input_are_compared_through_links() {
    let site = Sandbox::of(&[("one/a.html", RELATIVE)]);
    symlink(site.path().join("one"), site.path().join("link")).unwrap();
    let at = |name: &str| site.path().join(name);
    for (input, output) in [
        ("one", "link"),
        ("link", "one/out"),
        ("one", "link/new/out"),
    ] {
        assert!(
            plan([directory(&at(input))], to(&at(output)))
                .check()
                .is_err(),
            "{output}"
        );
    }
}

#[test]
fn no_link_in_the_output_is_written_through() {
    let site = Sandbox::of(&[("d/a.html", RELATIVE), ("b.html", RELATIVE)]);
    let elsewhere = Sandbox::of(&[("b.html", "theirs")]);
    let target = Sandbox::of(&[]);
    symlink(elsewhere.path(), target.path().join("d")).unwrap();
    symlink(
        elsewhere.path().join("b.html"),
        target.path().join("b.html"),
    )
    .unwrap();
    let (report, _, said) = carry_out(&plan([directory(site.path())], to(target.path())));
    assert_eq!(
        (report.files_changed, report.files_failed),
        (1, 1),
        "{said:?}"
    );
    holds(elsewhere.path(), &[("b.html", "theirs")]);
    holds(
        target.path(),
        &[("b.html", "<a href=\"https://h/d/x.html\">\n")],
    );
}

#[test]
fn a_link_that_leads_to_the_output_is_not_followed() {
    let target = Sandbox::of(&[("out/old.html", RELATIVE)]);
    let site = Sandbox::of(&[("a.html", CLEAN)]);
    symlink(target.path().join("out"), site.path().join("l")).unwrap();
    let plan = plan([directory(site.path())], to(&target.path().join("out")));
    let (report, _, said) = carry_out(&following(plan));
    assert_eq!((report.files, report.files_failed), (1, 1));
    assert_eq!(
        said,
        ["l: not followed: symbolic link to the output directory"]
    );
}

#[test]
fn what_is_no_file_is_never_opened() {
    let site = Sandbox::of(&[("a.html", CLEAN)]);
    // Opening a FIFO would wait for a writer, and the test would not end.
    let fifo = site.path().join("f.html");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status();
    if !made.is_ok_and(|status| status.success()) {
        skip::tool("mkfifo makes no FIFO here");
        return;
    }
    // One whose name says nothing is passed over.
    fs::hard_link(&fifo, site.path().join("page")).unwrap();
    let inputs = [directory(site.path()), file(&fifo), file("/dev/zero")];
    let (report, _, said) = carry_out(&plan(inputs, Task::Examine));
    assert_eq!((report.files, report.files_failed), (1, 2));
    assert_eq!(said[0], "f.html: skipped: it is a FIFO");
    assert!(said[1].starts_with("f.html: is a FIFO"), "{said:?}");
    assert!(said[2].starts_with("zero: is a device"), "{said:?}");
}

/// Needs root, to mount a file system that is soon full.
#[test]
fn a_full_disk_loses_nothing() {
    let disk = Sandbox::of(&[]);
    let mount = |arguments: &[&str]| {
        let status = std::process::Command::new(arguments[0])
            .args(&arguments[1..])
            .arg(disk.path())
            .stderr(std::process::Stdio::null())
            .status();
        status.is_ok_and(|status| status.success())
    };
    if !mount(&["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs"]) {
        skip::right("mounting a file system is not allowed here");
        return;
    }
    let site = disk.path().join("site");
    fs::create_dir(&site).unwrap();
    let big = format!("{RELATIVE}{}", "x".repeat(30_000));
    fs::write(site.join("big.html"), &big).unwrap();
    fs::write(site.join("clean.html"), CLEAN).unwrap();
    fs::write(site.join("filler"), vec![0; 20_000]).unwrap();
    let result = std::panic::catch_unwind(|| {
        let (report, _, said) = carry_out(&plan([directory(&site)], in_place(Some("~"))));
        assert_eq!((report.files_failed, report.files_unchanged), (1, 1));
        assert!(said[0].starts_with("big.html: cannot write "), "{said:?}");
        let mut names = files(&site);
        names.retain(|file| file.0 != "filler");
        assert_eq!(
            names,
            [
                ("big.html".into(), big),
                ("clean.html".into(), CLEAN.into())
            ]
        );
    });
    mount(&["umount"]);
    if let Err(panic) = result {
        std::panic::resume_unwind(panic);
    }
}
