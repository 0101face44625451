use std::path::Path;

use clap::CommandFactory as _;

use super::*;

#[test]
fn the_definition_is_consistent() {
    Args::command().debug_assert();
}

/// What stands in the help can be typed.
#[test]
fn examples_are_commands() {
    let mut tool = Args::command();
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
    let help = command.render_long_help().to_string();
    help.lines()
        .map(|line| format!("{}\n", line.trim_end()))
        .collect()
}

/// The help of the tool and of each command is kept in testdata/cli/. After an intended change:
/// `ABSLINK_BLESS=1 cargo test help_text`, and read the diff.
#[test]
fn help_text() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/cli");
    let mut tool = Args::command().term_width(100);
    tool.build();
    let mut texts = vec![("abslink".to_owned(), help_of(&mut tool))];
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
