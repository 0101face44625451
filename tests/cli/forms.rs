//! `--to`, `--site` and `--move-url`, by the command.

use super::Sandbox;

/// No form shows a password that the absolute one does not.
#[test]
fn no_form_shows_a_password() {
    let page = "<a href=http://u:s3cr3t@h/d/x><a href=//u:s3cr3t@h/y><a href=http://h/z>";
    let sandbox = Sandbox::of(&[("b.html", page)]);
    for options in [
        "--to relative",
        "--to root",
        "--move-url http://h/=http://u:s3cr3t@o/",
    ] {
        for format in [
            "text", "json", "github", "sarif", "gitlab", "junit", "markdown",
        ] {
            let ran = sandbox.run(&format!(
                "check -b http://u:s3cr3t@h/d/b.html --format {format} b.html {options}"
            ));
            ran.exits(1).never_says("s3cr3t");
            assert!(!ran.stdout.contains("s3cr3t"), "{ran:?}");
        }
    }
}

/// What is remembered of the files around does not grow with the tree.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "slow tier: memory"]
fn many_files_take_no_more_memory() {
    let sandbox = Sandbox::of(&[]);
    let tree = |name: &str, directories: usize| {
        for directory in 0..directories {
            for file in 0..50 {
                let other = (directory * 7 + file * 11 + 1) % directories;
                let page = format!(
                    "<a href=https://e.org/d{other}/f{file}.html><a href=../d{other}/f1.html>"
                );
                sandbox.write(format!("{name}/d{directory}/f{file}.html"), page);
            }
        }
    };
    tree("few", 10);
    tree("many", 120);
    for form in ["relative", "root", "files"] {
        let peak = |name: &str| {
            let mut command = crate::support::links::abslink();
            command.args(["rewrite", "-q", "--dry-run", "--to", form]);
            command.args(["-b", "https://e.org/", name]);
            let (ended, peak) = crate::support::peak::run(command.current_dir(sandbox.path()));
            assert!(ended.success(), "{form} {name}");
            peak
        };
        let (few, many) = (peak("few"), peak("many"));
        assert!(many < few + (6 << 20), "{form}: {few} {many}");
    }
}
