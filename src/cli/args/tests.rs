use std::path::Path;

use clap::CommandFactory as _;

use super::*;

#[test]
fn the_definition_is_consistent() {
    Args::command().debug_assert();
}

/// No option has a hint, and each option that a hint names is there.
#[test]
fn hints_are_for_what_is_no_option() {
    let tool = Args::command();
    let rewrite = tool.find_subcommand("rewrite").expect("a command");
    let is_option = |name: &str| {
        rewrite
            .get_arguments()
            .any(|it| it.get_long() == Some(name))
    };
    for (name, hint) in tips::HINTS {
        assert!(!is_option(name), "{name}");
        let words = hint.split([' ', '=']);
        for option in words.filter_map(|word| word.strip_prefix("--")) {
            assert!(is_option(option), "{hint}");
        }
    }
    assert!(tips::HINTS.is_sorted());
}

/// What is asked for alone can have nothing added or taken away.
#[test]
fn only_stands_alone() {
    let parsed = |also: &str| {
        let words = format!("abslink check --only canonical {also}.");
        Args::try_parse_from(words.split_whitespace()).map(drop)
    };
    assert!(parsed("").is_ok());
    for also in ["--skip links ", "--also meta "] {
        let error = parsed(also).expect_err(also).to_string();
        assert!(
            error.contains("'--only <GROUP,...>' cannot be used with"),
            "{error}"
        );
    }
}

/// The examples in the help can be typed as they are.
#[test]
fn examples_are_commands() {
    let mut tool = help::shown(false);
    let helps = tool.get_subcommands_mut().map(help_of);
    let all = helps.chain([EXAMPLES.to_owned()]).collect::<String>();
    let mut examples = 0;
    for line in all.lines().filter(|line| line.starts_with("    abslink ")) {
        let command = line.split(" | ").flat_map(|part| part.split(" > ")).next();
        let command = command.unwrap_or_default();
        let words = command
            .split_whitespace()
            .map(|word| word.trim_matches('\''));
        assert!(Args::try_parse_from(words).is_ok(), "{line}");
        examples += 1;
    }
    assert!(examples > 12, "{examples}");
}

/// The long help, without the spaces at line ends that clap leaves.
fn help_of(command: &mut clap::Command) -> String {
    trimmed(&command.render_long_help().to_string())
}

fn trimmed(help: &str) -> String {
    let lines = help.lines().map(|line| format!("{}\n", line.trim_end()));
    lines.collect()
}

/// `-h` in a terminal of 80 columns.
#[test]
fn a_short_help_fits_on_a_screen_and_begins_with_examples() {
    let mut tool = help::shown(true).term_width(80);
    tool.build();
    for command in tool.get_subcommands_mut() {
        let name = command.get_name().to_owned();
        let help = command.render_help().to_string();
        let (lines, longest) = (help.lines().count(), help.lines().map(str::len).max());
        assert!(lines <= 32, "{name}: {lines} lines\n{help}");
        assert!(longest <= Some(80), "{name}: {longest:?}\n{help}");
        assert!(help.starts_with("Examples:\n") || name == "help", "{help}");
    }
}

/// The help of the tool and of each command is kept in testdata/cli/. After an intended change:
/// `ABSLINK_BLESS=1 cargo test help_text`, and read the diff.
#[test]
fn help_text() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/cli");
    let mut short = help::shown(true).term_width(80);
    short.build();
    let mut tool = help::shown(false).term_width(100);
    tool.build();
    let mut texts = vec![("abslink".to_owned(), help_of(&mut tool))];
    for name in ["rewrite", "check"] {
        let command = short.find_subcommand_mut(name).expect("a command");
        let help = command.render_help().to_string();
        texts.push((format!("{name}.short"), trimmed(&help)));
    }
    for command in tool.get_subcommands_mut() {
        if command.get_name() != "help" {
            texts.push((command.get_name().to_owned(), help_of(command)));
        }
    }
    for (name, text) in texts {
        let file = folder.join(format!("{name}.help.txt"));
        if std::env::var_os("ABSLINK_BLESS").is_some() {
            std::fs::write(&file, &text).expect("testdata is writable");
        }
        let kept = std::fs::read_to_string(&file).unwrap_or_default();
        // Line by line: the first difference says more than both texts.
        let mut kept = kept.lines();
        for line in text.lines() {
            assert_eq!(kept.next(), Some(line), "{}", file.display());
        }
        assert_eq!(kept.next(), None, "{}", file.display());
    }
}
