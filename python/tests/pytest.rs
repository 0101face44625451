//! Runs pytest's tests with the module as cargo has just built it, for `.ci/mutants`. After changing the
//! package, install it and run pytest, as CONTRIBUTING.md says.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

#[test]
fn pytest() {
    // cargo-mutants changes a copy of this package only.
    let root = env::var_os("ABSLINK_ROOT").map_or("..".into(), PathBuf::from);
    let root = root.canonicalize().unwrap();
    let python = env::var_os("ABSLINK_PYTHON").map(PathBuf::from);
    let interpreter = python.map_or("python3".into(), |python| python.join("bin/python"));

    // The package as it would be installed. Cargo has put the module beside this program.
    let site = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pytest");
    let package = site.join("abslink");
    let _ = fs::remove_dir_all(&package);
    fs::create_dir_all(&package).unwrap();
    for file in fs::read_dir(root.join("python/abslink")).unwrap() {
        let file = file.unwrap();
        if file.path().is_file() {
            fs::copy(file.path(), package.join(file.file_name())).unwrap();
        }
    }
    let module = env::current_exe().unwrap().with_file_name("lib_abslink.so");
    fs::copy(module, package.join("_abslink.abi3.so")).unwrap();

    let mut command = Command::new(interpreter);
    command.args(["-m", "pytest", "-qx", "-p", "no:cacheprovider"]);
    command.arg(root.join("python/tests"));
    // Python looks for the package where it is started first.
    command.current_dir(&site).env("PYTHONPATH", &site);
    assert!(command.status().unwrap().success());
}
