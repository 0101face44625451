//! A cloned repository must not make a run write where nobody said, or show what is hidden.

use std::fs;

use super::{project, refused, run_in};
use crate::cli::Ran;

#[cfg(unix)]
#[test]
fn a_file_of_somebody_else_above_is_refused() {
    use std::os::unix::fs::{chown, lchown};

    let sandbox = project("strict = true\n");
    fs::remove_dir(sandbox.path().join(".git")).unwrap();
    let file = sandbox.path().join("abslink.toml");
    if chown(&file, Some(12345), None).is_err() {
        crate::support::skip::right("a file cannot be given to another user");
        return;
    }
    refused(
        &run_in(&sandbox, "site", "check ."),
        "error: ../abslink.toml: belongs to another user, and is not in the working directory\n\
         hint: --config FILE uses it, --no-config ignores it\n",
    );
    let counts = |ran: &Ran| ran.stderr.contains("abslink.toml: strict\n");
    assert!(!counts(&run_in(&sandbox, "site", "check --no-config .")));
    assert!(counts(&run_in(
        &sandbox,
        "site",
        "check --config ../abslink.toml ."
    )));
    // Where the working directory is theirs too, as in a container, or the file is there itself.
    assert!(counts(&sandbox.run("check site")));
    lchown(sandbox.path().join("site"), Some(12345), None).unwrap();
    assert!(counts(&run_in(&sandbox, "site", "check .")));
}
