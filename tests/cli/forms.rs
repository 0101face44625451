//! `--to`, `--site` and `--move-url`, by the command.

use std::fs;
use std::path::Path;

use crate::support::links::abslink;

pub(super) fn run(arguments: &[&str], folder: &Path) -> (i32, String, String) {
    let done = abslink()
        .current_dir(folder)
        .args(arguments)
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (
        done.status.code().unwrap(),
        text(done.stdout),
        text(done.stderr),
    )
}

pub(super) fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

/// No form shows a password that the absolute one does not.
#[test]
fn no_form_shows_a_password() {
    let page = "<a href=http://u:s3cr3t@h/d/x><a href=//u:s3cr3t@h/y><a href=http://h/z>";
    let folder = tree(&[("b.html", page)]);
    let moves = ["--move-url", "http://h/=http://u:s3cr3t@o/"];
    for options in [&["--to", "relative"][..], &["--to", "root"], &moves] {
        for format in [
            "text", "json", "github", "sarif", "gitlab", "junit", "markdown",
        ] {
            let check = [
                "check",
                "-b",
                "http://u:s3cr3t@h/d/b.html",
                "--format",
                format,
                "b.html",
            ];
            let (code, out, error) = run(&[&check[..], options].concat(), folder.path());
            assert_eq!(code, 1, "{error}");
            assert!(
                !out.contains("s3cr3t") && !error.contains("s3cr3t"),
                "{options:?} {out}{error}"
            );
        }
    }
}

/// What is remembered of the files around does not grow with the tree.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "slow tier: memory"]
fn many_files_take_no_more_memory() {
    let folder = tempfile::tempdir().unwrap();
    let tree = |name: &str, directories: usize| {
        for directory in 0..directories {
            let path = folder.path().join(name).join(format!("d{directory}"));
            fs::create_dir_all(&path).unwrap();
            for file in 0..50 {
                let other = (directory * 7 + file * 11 + 1) % directories;
                let page = format!(
                    "<a href=https://e.org/d{other}/f{file}.html><a href=../d{other}/f1.html>"
                );
                fs::write(path.join(format!("f{file}.html")), page).unwrap();
            }
        }
    };
    tree("few", 10);
    tree("many", 120);
    for form in ["relative", "root", "files"] {
        let peak = |name: &str| {
            let mut command = abslink();
            command.args(["rewrite", "-q", "--dry-run", "--to", form]);
            command.args(["-b", "https://e.org/", name]);
            let (ended, peak) = crate::support::peak::run(command.current_dir(folder.path()));
            assert!(ended.success(), "{form} {name}");
            peak
        };
        let (few, many) = (peak("few"), peak("many"));
        assert!(many < few + (6 << 20), "{form}: {few} {many}");
    }
}
