//! What cannot be read as settings, and settings that make no sense: exit 2, with the line and the column.

use std::fs;

use super::{project, refused, run_in};
use crate::cli::Sandbox;

#[track_caller]
fn wrong(settings: &str, message: &str) {
    let sandbox = project(settings);
    for command in [
        "check site",
        "rewrite --dry-run site",
        "links a.html",
        "base a.html",
        "config",
    ] {
        let ran = sandbox.run(command);
        refused(&ran, &format!("error: abslink.toml:{message}"));
    }
    // It does not matter to whoever does not want it, or to commands without settings.
    assert_eq!(sandbox.run("check --no-config site").code, Some(1));
    assert_eq!(sandbox.run("resolve -b http://h/ x").code, Some(0));
    assert_eq!(sandbox.run("--version").code, Some(0));
}

#[test]
fn malformed() {
    wrong("\n\nbase-url = https://e.org/\n", "3:12: ");
    wrong("a = 1\na = 2\n", "2:1: ");
    wrong("[check\n", "1:7: ");
    wrong("paths = [\"site\"\n", "");
}

#[test]
fn unknown_names() {
    wrong(
        "\nbase_url = \"http://h/\"\n",
        "2:1: unknown key `base_url`; did you mean `base-url`?",
    );
    wrong(
        "layuot = \"wget\"\n",
        "1:1: unknown key `layuot`; did you mean `layout`?",
    );
    wrong(
        "[check]\nbackup-of = 1\n",
        "2:1: unknown key `backup-of` in [check]",
    );
    wrong(
        "[links]\n\n\nbaseline = \"x\"\n",
        "4:1: unknown key `baseline` in [links]",
    );
    wrong(
        "[chekc]\nstrict = true\n",
        "1:2: unknown table [chekc]; did you mean [check]?",
    );
    wrong(
        "[resolve]\nbase-url = \"http://h/\"\n",
        "1:2: unknown table [resolve]; expected [rewrite], [check], [links], [base] or [[files]]",
    );
    wrong("config = \"x\"\n", "1:1: unknown key `config`\n");
    wrong("no-config = true\n", "1:1: unknown key `no-config`\n");
    wrong("hook = true\n", "1:1: unknown key `hook`\n");
    wrong("help = true\n", "1:1: unknown key `help`\n");
    wrong(
        "b = \"http://h/\"\n",
        "1:1: unknown key `b`; did you mean `base-url`?\n",
    );
    wrong(
        "path = [\"site\"]\n",
        "1:1: unknown key `path`; did you mean `paths`?\n",
    );
    // What may never be set is nothing to point at.
    wrong("in_place = true\n", "1:1: unknown key `in_place`\n");
    wrong("\"a\\u001bb\" = 1\n", "1:1: unknown key `a\\u{1b}b`\n");
}

#[test]
fn values_of_no_use() {
    wrong(
        "\nbase-url = \"mailto:a@h\"\n",
        "2:12: base-url mailto:a@h: `mailto:` URLs are never used",
    );
    wrong("base-url = \"foo\"\n", "1:12: base-url foo: ");
    wrong("base-url = \"u:s3cr3t@h\"\n", "1:12: base-url ");
    wrong("include = [\"[\"]\n", "1:11: include: [: ");
    wrong("exclude = [\"a\", \"{\"]\n", "1:11: exclude: {: ");
    // Of two that exclude each other nothing counts, and that is shown too.
    let sandbox = project("quiet = true\nverbose = true\nbase-url = \"http://h/\"\n");
    for command in ["check .", "config"] {
        let ran = sandbox.run(command);
        refused(
            &ran,
            "abslink.toml:2:1: verbose cannot be used with quiet\n",
        );
    }
}

#[test]
fn wrong_types() {
    wrong(
        "strict = \"yes\"\n",
        "1:10: `strict`: expected true or false, as in strict = true",
    );
    wrong("strict = 1\n", "1:10: `strict`: expected true or false");
    wrong(
        "base-url = [\"http://h/\"]\n",
        "1:12: `base-url`: expected a string, as in base-url = \"text\"",
    );
    wrong("base-url = true\n", "1:12: `base-url`: expected a string");
    wrong(
        "jobs = \"2\"\n",
        "1:8: `jobs`: expected a number, as in jobs = 4",
    );
    wrong(
        "also = [\n  \"meta\",\n  2,\n]\n",
        "3:3: `also`: expected a string, or an array of strings, as in also = [\"one\", \"two\"]",
    );
    wrong(
        "paths = 1979-05-27\n",
        "1:9: `paths`: expected a string, or an array of strings",
    );
    wrong(
        "check = true\n",
        "1:1: `check`: expected a table of the options of a command, as in [check]",
    );
    wrong(
        "base = \"http://h/\"\n",
        "1:1: `base`: expected a table of the options of a command",
    );
    wrong("jobs = 1.5\n", "1:8: `jobs`: expected a number");
}

#[test]
fn wrong_values() {
    wrong(
        "\nresolver = \"rfc2396\"\n",
        "2:12: resolver: unknown value `rfc2396`; did you mean `rfc3986`?",
    );
    wrong("jobs = 0\n", "1:8: jobs 0: ");
    wrong("jobs = -1\n", "1:8: jobs -1: ");
    wrong("jobs = 99999999999999999999\n", "1:8: ");
    wrong(
        "also = [\"links\", \"nope\"]\n",
        "1:8: also: unknown value `nope`\nhint: one of links, canonical, ",
    );
    wrong("exclude-url = \"(\"\n", "1:15: ");
    wrong("charset = \"\"\n", "1:11: ");
    // One command takes it, and another does not.
    wrong(
        "format = \"sarif\"\n",
        "1:10: format: unknown value `sarif`\nhint: one of text, json (in links; ",
    );
    wrong(
        "[rewrite]\nfsync = \"maybe\"\n",
        "2:9: fsync: unknown value `maybe`\nhint: one of always, batch, never",
    );
}

#[test]
fn values_of_each_kind() {
    let sandbox = project(
        "paths = \"site\"\njobs = 0x2\n# a comment\nalso = \"meta,lazy\"\nstrict = false\ncolor = \"never\"\n\
         'attr' = ['img@x:url']\n[rewrite]\nfsync = true\njobs = 1_0\n",
    );
    let ran = sandbox.run("rewrite -b http://h/ -o out");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let line = "settings from abslink.toml: paths, also, color, attr, fsync, jobs\n";
    assert!(ran.stderr.contains(line), "{}", ran.stderr);
    sandbox.write("abslink.toml", "[rewrite]\nfsync = \"never\"\n");
    assert_eq!(
        sandbox.run("rewrite -b http://h/ -o out2 site").code,
        Some(0)
    );
    // Empty, with a mark or with line ends of Windows.
    for settings in ["", "\u{feff}[check]\r\nstrict = true\r\n", "# nothing\n"] {
        sandbox.write("abslink.toml", settings);
        assert_eq!(sandbox.run("check site").code, Some(1), "{settings:?}");
    }
}

#[test]
fn no_text() {
    let sandbox = project("");
    let file = sandbox.path().join("abslink.toml");
    fs::write(&file, b"# a\nbase-url = \"http://h/\xff\"\n").unwrap();
    refused(
        &sandbox.run("check site"),
        "error: abslink.toml: line 2 is not UTF-8\nhint: fix it, or run with --no-config\n",
    );
    fs::write(&file, "#".repeat((1 << 20) + 1)).unwrap();
    refused(
        &sandbox.run("check site"),
        "error: abslink.toml: larger than 1024 KiB\nhint: fix it, or run with --no-config\n",
    );
    fs::write(&file, "#".repeat(1 << 20)).unwrap();
    assert_eq!(sandbox.run("check site").code, Some(1));
    // Deep nesting is an error and no overflow.
    fs::write(&file, format!("paths = {}", "[".repeat(1 << 19))).unwrap();
    refused(&sandbox.run("check site"), "error: abslink.toml:1:");
    fs::write(&file, "a.".repeat(1 << 18) + "b = 1").unwrap();
    refused(&sandbox.run("check site"), "error: abslink.toml:1:");
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    refused(
        &sandbox.run("check site"),
        "error: abslink.toml: not a regular file",
    );
    refused(
        &sandbox.run("check --config none.toml site"),
        "error: none.toml: cannot be read: ",
    );
    refused(
        &sandbox.run("check --config site site"),
        "error: site: not a regular file",
    );
    refused(
        &sandbox.run("check --config none.toml --no-config site"),
        "cannot be used with",
    );
    refused(
        &sandbox.run("config --config none.toml"),
        "error: none.toml: cannot be read: ",
    );
}

#[cfg(unix)]
#[test]
fn other_files() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    let sandbox = Sandbox::new();
    let file = sandbox.path().join("abslink.toml");
    symlink("gone", &file).unwrap();
    refused(
        &sandbox.run("check site"),
        "error: abslink.toml: cannot be read: ",
    );
    fs::remove_file(&file).unwrap();
    symlink("/dev/zero", &file).unwrap();
    refused(
        &sandbox.run("check site"),
        "error: abslink.toml: not a regular file",
    );
    fs::remove_file(&file).unwrap();
    let made = std::process::Command::new("mkfifo").arg(&file).status();
    if made.is_ok_and(|made| made.success()) {
        refused(
            &sandbox.run("check site"),
            "error: abslink.toml: not a regular file",
        );
        fs::remove_file(&file).unwrap();
    }
    // Through a link its paths begin where the link is; of what it leads to, no line is shown.
    sandbox.write("elsewhere/shared.toml", "paths = [\"site\"]\n");
    symlink("elsewhere/shared.toml", &file).unwrap();
    assert_eq!(sandbox.run("check").code, Some(1));
    sandbox.write("elsewhere/shared.toml", "root:x:secret:0:0\n");
    let ran = sandbox.run("check");
    refused(&ran, "error: abslink.toml:1:");
    assert!(!ran.stderr.contains("secret"), "{}", ran.stderr);
    fs::remove_file(&file).unwrap();
    sandbox.write("abslink.toml", "");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::File::open(&file).is_err() {
        refused(
            &sandbox.run("check site"),
            "error: abslink.toml: cannot be read: ",
        );
    }
}

/// Where the working directory is gone there is nothing to look for.
#[cfg(unix)]
#[test]
fn no_working_directory() {
    let sandbox = project("strict = true\n");
    let ran = run_in(&sandbox, "w", "check ../a.html");
    assert!(
        ran.stderr
            .contains("settings from ../abslink.toml: strict\n"),
        "{}",
        ran.stderr
    );
    let directory = sandbox.path().join("gone");
    fs::create_dir(&directory).unwrap();
    let program = env!("CARGO_BIN_EXE_abslink");
    let script = format!(
        "rmdir ../gone && {program} resolve -b http://h/ x && {program} check {}",
        sandbox.path().join("a.html").display()
    );
    let mut shell = std::process::Command::new("sh");
    let ran = shell
        .args(["-c", &script])
        .current_dir(&directory)
        .output()
        .unwrap();
    assert_eq!(ran.status.code(), Some(1), "{ran:?}");
}
