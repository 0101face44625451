//! `abslink config`.

use super::{project, run_in};
use crate::support::same;

const SETTINGS: &str = "\
paths = [\"site\"]
base-url = \"https://u:secret@e.org/docs/\"
strict = true

[check]
only = [\"canonical\", \"meta\"]
baseline = \"ci/known.jsonl\"

[rewrite]
strict = false
jobs = 2

[base]
base-url = \"http://h/\"
";

#[test]
fn each_command_has_its_settings_with_their_lines() {
    let sandbox = project(SETTINGS);
    let shown = "\
[rewrite]
paths = [\"site\"]                           # abslink.toml:1
base-url = \"https://u:***@e.org/docs/\"     # abslink.toml:2
root = \"site\"                              # abslink.toml:2
strict = false                             # abslink.toml:10
jobs = 2                                   # abslink.toml:11

[check]
paths = [\"site\"]                           # abslink.toml:1
base-url = \"https://u:***@e.org/docs/\"     # abslink.toml:2
root = \"site\"                              # abslink.toml:2
strict = true                              # abslink.toml:3
only = [\"canonical\",\"meta\"]                # abslink.toml:6
baseline = \"ci/known.jsonl\"                # abslink.toml:7

[links]
paths = [\"site\"]                           # abslink.toml:1
base-url = \"https://u:***@e.org/docs/\"     # abslink.toml:2
root = \"site\"                              # abslink.toml:2

[base]
paths = [\"site\"]           # abslink.toml:1
base-url = \"http://h/\"     # abslink.toml:14
root = \"site\"              # abslink.toml:14
";
    let ran = sandbox.run("config");
    assert_eq!((ran.code, &*ran.stderr), (Some(0), ""));
    let squeezed = |text: &str| {
        let lines = text
            .lines()
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
        lines.collect::<Vec<_>>()
    };
    assert_eq!(squeezed(&ran.stdout), squeezed(shown));
    let ran = run_in(&sandbox, "site", "config");
    assert!(
        ran.stdout.contains("# ../abslink.toml:14\n"),
        "{}",
        ran.stdout
    );
    // What it prints is TOML, and makes the same settings.
    sandbox.write("again.toml", &sandbox.run("config").stdout);
    let again = sandbox.run("config --config again.toml").stdout;
    let keys = |text: &str| {
        let keys = text
            .lines()
            .map(|line| line.split('#').next().unwrap().trim().to_owned());
        keys.collect::<Vec<_>>()
    };
    assert_eq!(keys(&again), keys(&sandbox.run("config").stdout));
}

#[test]
fn json_has_a_line_for_each() {
    let sandbox = project("paths = [\"a.html\", \"site\"]\njobs = 3\n[check]\nstrict = true\n");
    let ran = sandbox.run("config --format json");
    let lines: Vec<serde_json::Value> = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 9, "{}", ran.stdout);
    let of_check: Vec<_> = lines
        .iter()
        .filter(|line| line["table"] == "check")
        .collect();
    let strict = serde_json::json!({"table": "check", "key": "strict", "value": true, "file": "abslink.toml", "line": 4});
    assert_eq!(*of_check[2], strict);
    assert_eq!(of_check[0]["value"], serde_json::json!(["a.html", "site"]));
    assert_eq!(of_check[1]["value"], 3);
}

#[test]
fn without_a_file_there_is_nothing_to_show() {
    let sandbox = project("");
    let ran = sandbox.run("config");
    let expected = (Some(0), "", "abslink.toml sets nothing\n");
    assert_eq!((ran.code, &*ran.stdout, &*ran.stderr), expected);
    std::fs::remove_file(sandbox.path().join("abslink.toml")).unwrap();
    let ran = sandbox.run("config");
    assert_eq!((ran.code, &*ran.stdout), (Some(0), ""));
    same(
        "standard error",
        &ran.stderr,
        "no abslink.toml from the working directory up to the root of the repository or the home directory\n",
    );
    let ran = sandbox.run("config x");
    assert_eq!(ran.code, Some(2));
}
