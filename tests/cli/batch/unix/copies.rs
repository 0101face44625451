//! What `-o` copies besides files: the modes of directories, and symbolic links.

use std::os::unix::fs::MetadataExt;

use super::*;

/// The rights of a new directory that anybody might write to, which the umask leaves.
fn left_by_umask() -> u32 {
    let directory = Sandbox::of(&[]);
    let path = directory.path().join("d");
    fs::create_dir(&path).unwrap();
    mode(&path)
}

fn mode(path: &Path) -> u32 {
    path.metadata().unwrap().permissions().mode() & 0o7777
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

fn copying(output: &Path) -> Task {
    Task::Rewrite(Output::Directory {
        directory: output.into(),
        copy_others: true,
    })
}

#[test]
fn directories_keep_their_modes() {
    let site = Sandbox::of(&[]);
    const MODES: [u32; 7] = [0o700, 0o750, 0o711, 0o777, 0o1777, 0o555, 0o500];
    for mode in MODES {
        let inner = site.path().join(format!("s/{mode:o}/private"));
        fs::create_dir_all(&inner).unwrap();
        fs::write(inner.join("a.html"), RELATIVE).unwrap();
        fs::write(inner.with_file_name("b.html"), RELATIVE).unwrap();
        set_mode(&inner, 0o700);
        set_mode(&site.path().join(format!("s/{mode:o}")), mode);
    }
    set_mode(&site.path().join("s"), 0o710);
    let umask = left_by_umask();
    let target = Sandbox::of(&[]);
    let check = |copy: &Path| {
        assert_eq!(mode(copy), 0o710, "{}", copy.display());
        for source in MODES {
            let copy = copy.join(format!("{source:o}"));
            // What is read-only can be written to by its owner, or nothing could be put into it.
            let expected = source & (umask | 0o1000) | 0o700;
            assert_eq!(mode(&copy), expected, "{}", copy.display());
            assert_eq!(mode(&copy.join("private")), 0o700);
        }
    };
    let run_to = |output: &Path, plan: Plan| {
        for _ in 0..2 {
            skip::without_override(|| {
                let (report, _, said) = carry_out(&plan);
                assert_eq!(report.files_failed, 0, "{said:?}");
            });
        }
        files(output)
    };
    let at = |name: &str| target.path().join(name);
    let source = || directory(&site.path().join("s"));
    // DIR is a copy of the one PATH, or holds a copy of each; what is above it is nobody's copy.
    let written = run_to(&at("x/one"), plan([source()], to(&at("x/one"))));
    assert_eq!(written.len(), 2 * MODES.len());
    check(&at("x/one"));
    assert_eq!(mode(&at("x")), umask);
    run_to(&at("link"), following(plan([source()], to(&at("link")))));
    check(&at("link"));
    let empty = Sandbox::of(&[]);
    let two = plan([source(), directory(empty.path())], to(&at("two")));
    run_to(&at("two"), two);
    assert_eq!(mode(&at("two")), umask);
    check(&at("two/s"));
    // What is there stays as it is.
    fs::create_dir_all(at("old/700")).unwrap();
    set_mode(&at("old/700"), 0o705);
    set_mode(&at("old"), 0o755);
    run_to(&at("old"), plan([source()], to(&at("old"))));
    assert_eq!((mode(&at("old")), mode(&at("old/700"))), (0o755, 0o705));
    assert_eq!(mode(&at("old/750")), 0o750 & umask);
    // Or the superuser alone can remove them.
    for root in [site.path(), target.path()] {
        for mode in MODES {
            let _ = fs::set_permissions(
                root.join(format!("s/{mode:o}")),
                fs::Permissions::from_mode(0o700),
            );
        }
    }
}

/// The text of every symbolic link below a directory.
fn links(directory: &Path) -> Vec<(String, String)> {
    let entries = walkdir::WalkDir::new(directory).sort_by_file_name();
    let entries = entries.into_iter().map(Result::unwrap);
    let links = entries.filter(|entry| entry.path_is_symlink());
    let text = |path: &Path| path.to_str().unwrap().to_owned();
    links
        .map(|entry| {
            let name = entry.path().strip_prefix(directory).unwrap();
            (text(name), text(&entry.path().read_link().unwrap()))
        })
        .collect()
}

#[test]
fn links_are_copied_as_links() {
    let elsewhere = Sandbox::of(&[("secret.html", RELATIVE)]);
    let site = Sandbox::of(&[("d/a.html", CLEAN), ("style.css", "p {}")]);
    let long = format!("{}x", "./".repeat(2_000));
    let made = [
        ("absolute", elsewhere.path().to_str().unwrap()),
        ("broken.html", "no such"),
        ("d/file.html", "a.html"),
        ("d/up", "../.."),
        ("dir", "d"),
        ("long", &long),
        ("loop", "loop"),
        ("style", "style.css"),
    ];
    for (name, text) in made {
        symlink(text, site.path().join(name)).unwrap();
    }
    let expected: Vec<_> = made
        .iter()
        .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()))
        .collect();
    let target = Sandbox::of(&[]);
    let at = |name: &str| target.path().join(name);
    let copying = plan([directory(site.path())], copying(target.path()));
    let (report, _, said) = carry_out(&copying);
    assert_eq!(said, [""; 0]);
    assert_eq!(links(target.path()), expected);
    holds(target.path(), &[("d/a.html", CLEAN), ("style.css", "p {}")]);
    assert_eq!((report.files, report.files_copied), (1, 9));

    // One that leads elsewhere is replaced, and so is a file; one that is right is left alone.
    let identity = || fs::symlink_metadata(at("dir")).unwrap().ino();
    let before = identity();
    fs::remove_file(at("absolute")).unwrap();
    symlink("other", at("absolute")).unwrap();
    fs::remove_file(at("d/up")).unwrap();
    fs::write(at("d/up"), "older").unwrap();
    carry_out(&copying);
    assert_eq!(links(target.path()), expected);
    assert_eq!(identity(), before);
    assert_eq!(files(target.path()).len(), 2);

    // Nothing goes through what was copied: `dir` leads to `d` there.
    fs::remove_file(site.path().join("dir")).unwrap();
    fs::create_dir(site.path().join("dir")).unwrap();
    fs::write(site.path().join("dir/new.html"), CLEAN).unwrap();
    let (report, _, said) = carry_out(&copying);
    assert_eq!(report.files_failed, 1);
    assert!(said[0].starts_with("new.html: cannot write "), "{said:?}");
    assert_eq!(files(target.path()).len(), 2);
}

#[test]
fn links_are_copied_only_where_they_are_asked_for() {
    let site = Sandbox::of(&[("d/a.html", CLEAN), ("style.css", "p {}")]);
    symlink("d", site.path().join("dir")).unwrap();
    symlink("style.css", site.path().join("style")).unwrap();
    let after = |plan: fn(Task) -> Plan, task: fn(&Path) -> Task, site: &Path| {
        let target = Sandbox::of(&[]);
        let mut plan = plan(task(target.path()));
        plan.inputs = vec![directory(site)];
        let (_, _, said) = carry_out(&plan);
        assert_eq!(said, [""; 0]);
        (links(target.path()), files(target.path()).len())
    };
    let plain = |task| plan([], task);
    assert_eq!(after(plain, to, site.path()), (vec![], 1));
    // What they lead to is copied, under their names.
    let following = |task| following(plan([], task));
    assert_eq!(after(following, copying, site.path()), (vec![], 4));
    let excluding = |task| {
        let mut plan = plan([], task);
        plan.selection.exclude = Globs::new(["sty*"]).unwrap();
        plan
    };
    let dir = ("dir".to_owned(), "d".to_owned());
    assert_eq!(after(excluding, copying, site.path()), (vec![dir], 1));
    // A PATH that is one is followed.
    let link = site.path().with_extension("link");
    symlink(site.path(), &link).unwrap();
    let (links, files) = after(plain, copying, &link);
    fs::remove_file(link).unwrap();
    assert_eq!((links.len(), files), (2, 2));
}
