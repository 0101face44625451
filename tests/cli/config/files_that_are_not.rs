//! What cannot be read as settings, and settings that make no sense: exit 2, with the line and the column.

use std::fs;

use super::{project, refused, run_in};

/// A file that is too large, and one that would overflow a stack.
#[test]
fn limits() {
    let sandbox = project("");
    let checked = |settings: String| {
        sandbox.write("abslink.toml", settings);
        sandbox.run("check site")
    };
    let large =
        "error: abslink.toml: larger than 1024 KiB\nhint: fix it, or run with --no-config\n";
    refused(&checked("#".repeat((1 << 20) + 1)), large);
    checked("#".repeat(1 << 20)).exits(1);
    let deep = format!("paths = {}", "[".repeat(1 << 19));
    refused(&checked(deep), "error: abslink.toml:1:");
    refused(
        &checked("a.".repeat(1 << 18) + "b = 1"),
        "error: abslink.toml:1:",
    );
}

#[cfg(unix)]
#[test]
fn a_file_that_may_not_be_read() {
    use std::os::unix::fs::PermissionsExt as _;

    let sandbox = project("");
    let file = sandbox.path().join("abslink.toml");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o000)).unwrap();
    // The superuser may.
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
    ran.says("settings from ../abslink.toml: strict\n");
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
