//! A file system for which `A` and `a` are one name: NTFS as Windows has it, by ntfs-3g.
//!
//! Needs root and FUSE.

use std::fs::File;

use super::disk::goes_well;
use super::power::{Mounted, may_mount};
use super::*;
use crate::support::sandbox::command;

/// The file system, and a directory beside it on one that respects case.
struct Lab {
    directory: TempDir,
    mounted: Mounted,
}

impl Lab {
    /// `None` where it cannot be mounted.
    fn new() -> Option<Lab> {
        const SIZE: u64 = 16 << 20;
        let has_tools =
            may_mount(&["/dev/fuse"]) && ["lowntfs-3g", "mkntfs"].into_iter().all(skip::has_tool);
        if !has_tools {
            return None;
        }
        let directory = tempfile::tempdir().unwrap();
        let [image, place] = ["image", "mounted"].map(|name| directory.path().join(name));
        File::create(&image).unwrap().set_len(SIZE).unwrap();
        fs::create_dir(&place).unwrap();
        let [image_name, place_name] = [&image, &place].map(|it| it.as_os_str());
        let options = ["-o", "ignore_case"].map(AsRef::as_ref);
        if !goes_well("mkntfs", &["-q".as_ref(), "-F".as_ref(), image_name])
            || !goes_well(
                "lowntfs-3g",
                &[&options[..], &[image_name, place_name]].concat(),
            )
        {
            skip::tool("no file system that ignores case can be mounted here");
            return None;
        }
        let mounted = Mounted(place);
        write(&mounted.0, &[("Upper".into(), Vec::new())].into());
        assert!(mounted.0.join("uPPER").exists());
        Some(Lab { directory, mounted })
    }

    fn write(&self, files: &[(&str, &str)]) {
        let files = files
            .iter()
            .map(|(path, text)| (path.into(), text.as_bytes().to_vec()));
        write(self.directory.path(), &files.collect());
    }

    /// Runs the command on one thread, where paths begin in the directory.
    #[track_caller]
    fn run(&self, arguments: &str, code: i32) -> String {
        let rewrite = format!("rewrite -q -j1 {arguments}");
        let mut command = command(self.directory.path(), &rewrite);
        let ran = Ran::by(&mut command);
        ran.exits(code);
        ran.stderr
    }

    /// Names in lower case, as the file system lists them, and what the files hold.
    fn found(&self, below: &str) -> Vec<(String, String)> {
        let files = files(&self.mounted.0.join(below)).into_iter();
        let shown = |path: PathBuf| path.to_str().unwrap().to_lowercase();
        files
            .map(|(path, bytes)| (shown(path), String::from_utf8(bytes).unwrap()))
            .collect()
    }
}

/// The second of two inputs is left with an error that names both, and again in a second run.
#[test]
#[ignore = "slow tier: faults"]
fn no_two_inputs_are_one_file() {
    let Some(lab) = Lab::new() else { return };
    let mail = "From: a\nTo: b\nContent-Type: text/html\n\n<a href=x>\n";
    lab.write(&[
        ("in/A.html", "<a href=upper>"),
        ("in/a.html", "<a href=lower>"),
        ("in/sub/b.html", "<a href=b>"),
        // The links in them make other sizes.
        ("mail/cur/1.H,S=36:2,S", mail),
        ("mail/cur/1.h,S=36:2,S", mail),
        ("mail/new/2.h", mail),
        ("mail/tmp/x", ""),
        ("way/20200101000000/H.org/p.html", "<a href=upper>"),
        ("way/20200101000000/h.org/P.html", "<a href=lower>"),
    ]);
    let cases: [(&str, &str, &str, &[&str]); 3] = [
        (
            "-b http://h/",
            "in",
            "in/a.html: cannot write mounted/in/a.html: in/A.html has this name",
            &["upper", "/b>"],
        ),
        (
            "-b http://h/",
            "mail",
            "mail/cur/1.h,S=36:2,S: cannot write mounted/mail/cur/1.h:2,S: mail/cur/1.H,S=36:2,S has this name",
            &["", ""],
        ),
        (
            "--layout wayback --scheme http",
            "way",
            "another input has this name",
            &["http://H.org/upper"],
        ),
    ];
    for (options, input, error, held) in cases {
        let mut before = None;
        for _ in 0..2 {
            let said = lab.run(&format!("{options} -o mounted/{input} {input}"), 2);
            assert_eq!(said.matches("error: ").count(), 1, "{said}");
            assert!(said.contains(error), "{said}");
            let found = lab.found(input);
            assert_eq!(found.len(), held.len(), "{found:?}");
            for ((name, text), held) in found.iter().zip(held) {
                assert!(
                    text.contains("http://") && text.contains(held),
                    "{name}: {text}"
                );
            }
            assert_eq!(*before.get_or_insert(found.clone()), found);
        }
    }
}

/// A directory is itself, however its name is typed.
#[test]
#[ignore = "slow tier: faults"]
fn a_name_in_another_case_is_the_same() {
    let Some(lab) = Lab::new() else { return };
    let page = "<a href=x>";
    let leftover = "mounted/Site/.abslink-0123456789abcdef-0123456789abcdef.tmp";
    lab.write(&[("mounted/Site/Sub/Page.html", page), (leftover, "")]);
    for (place, file) in [
        ("mounted/sITE", "mounted/Site"),
        ("mounted/SITE", "mounted/Site/Sub/Page.html"),
        ("mounted/site/sub", "mounted/Site"),
        ("mounted/site", "mounted/Site/Sub"),
    ] {
        let said = lab.run(&format!("-b http://h/ -o {place} {file}"), 2);
        assert!(said.contains("the output directory"), "{said}");
    }
    assert_eq!(
        lab.found("Site/Sub"),
        [("page.html".to_owned(), page.to_owned())]
    );
    for _ in 0..2 {
        lab.run("-b http://h/ --backup .orig -i mounted/SITE", 0);
        let found = lab.found("Site");
        let texts: Vec<&str> = found.iter().map(|(_, text)| &**text).collect();
        assert_eq!(texts, ["<a href=http://h/sub/x>", page], "{found:?}");
    }
}
