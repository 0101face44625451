//! The list of keys in docs/config.md has all options, and each is taken.

use std::collections::BTreeMap;

use super::project;
use crate::cli::Sandbox;
use crate::docs::readme::text;

const COMMANDS: [&str; 4] = ["rewrite", "check", "links", "base"];

/// The lines of the list: the key, an example, and the commands, which the last comment above names.
fn rows() -> Vec<(String, String, Vec<String>)> {
    let text = text("docs/config.md");
    let (_, rest) = text
        .split_once("\n# rewrite, check, links, base\n")
        .unwrap();
    let (list, _) = rest.split_once("```").unwrap();
    let mut commands = COMMANDS.map(str::to_owned).to_vec();
    let mut rows = Vec::new();
    for line in list.lines() {
        match line.strip_prefix("# ") {
            Some(names) => commands = names.split(", ").map(str::to_owned).collect(),
            None => {
                let (key, _) = line.split_once(" = ").unwrap();
                rows.push((key.to_owned(), line.to_owned(), commands.clone()));
            }
        }
    }
    rows
}

/// The options of each command, from its help.
fn options() -> BTreeMap<String, Vec<String>> {
    const NO_KEYS: [&str; 9] = [
        "backup",
        "config",
        "follow",
        "help",
        "in-place",
        "no-config",
        "output",
        "show-passwords",
        "write-baseline",
    ];
    let sandbox = Sandbox::new();
    let mut options = BTreeMap::from([("paths".to_owned(), COMMANDS.map(str::to_owned).to_vec())]);
    for command in COMMANDS {
        let help = sandbox.run(&format!("{command} --help")).stdout;
        // What stands further to the right is about them.
        let lines = help.lines().filter(|line| !line.starts_with("          "));
        for line in lines.map(str::trim_start) {
            let option = line
                .split_whitespace()
                .find_map(|word| word.strip_prefix("--"));
            if !line.starts_with('-') || option.is_none() {
                continue;
            }
            let name: String = option
                .unwrap()
                .chars()
                .take_while(|c| c.is_ascii_lowercase() || *c == '-')
                .collect();
            if !name.is_empty() && !NO_KEYS.contains(&&*name) {
                options.entry(name).or_default().push(command.to_owned());
            }
        }
    }
    options
}

#[test]
fn each_option_has_a_row() {
    let rows = rows().into_iter().map(|(key, _, commands)| (key, commands));
    let rows: BTreeMap<_, _> = rows.collect();
    assert_eq!(rows, options());
    assert!(rows.len() > 50, "{}", rows.len());
}

/// Each example is taken by the commands that the row names, and by no other.
#[test]
fn each_example_is_a_setting() {
    for (key, example, commands) in rows() {
        assert!(example.starts_with(&format!("{key} = ")), "{example}");
        let sandbox = project("");
        for command in COMMANDS {
            sandbox.write("abslink.toml", format!("[{command}]\n{example}\n"));
            let ran = sandbox.run("config --format json");
            if commands.iter().any(|it| it == command) {
                ran.exits(0).shows(format!("\"key\":\"{key}\""));
            } else {
                ran.exits(2);
            }
        }
        sandbox.write("abslink.toml", format!("{example}\n"));
        sandbox.run("config").exits(0);
    }
}
