//! Real exports: what WordPress and Blogger have written, as feeds and in the rows of several programs, and read
//! again by Python's json and csv, and by lxml.

use std::process::Command;

use crate::support::skip;

#[test]
#[ignore = "slow tier: another program"]
fn each_link_leads_where_lxml_says() {
    let Some(exports) = skip::suite("exports") else {
        return;
    };
    let run = Command::new("python3").args(["-c", "import lxml"]).output();
    if !run.is_ok_and(|run| run.status.success()) {
        return skip::tool("there is no Python with lxml");
    }
    let script = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/containers/rows/exports.py"
    );
    let mut python = Command::new("python3");
    python.args([script, env!("CARGO_BIN_EXE_abslink")]);
    let run = python.arg(exports).output().unwrap();
    let told = String::from_utf8_lossy(&run.stdout);
    let shown = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{shown}");
    // How many posts there are, and how many of them have changed in all their forms.
    assert_eq!(told, "23 13\n", "{shown}");
}
