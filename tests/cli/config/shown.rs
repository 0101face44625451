//! `abslink config`.

use super::{project, run_in};

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
