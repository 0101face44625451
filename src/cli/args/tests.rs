use std::path::Path;

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
    for (name, hint) in tips::hints() {
        assert!(!is_option(name), "{name}");
        let command = hint.strip_prefix("abslink ");
        let is_command = |it: &str| it == "--version" || tool.find_subcommand(it).is_some();
        assert!(command.is_none_or(is_command), "{hint}");
        let words = hint.split([' ', '=']).filter(|_| command.is_none());
        for option in words.filter_map(|word| word.strip_prefix("--")) {
            assert!(is_option(option), "{hint}");
        }
    }
    assert!(tips::hints().is_sorted());
}

/// Each name of the table is one of an option's, and has the meaning that the library gives it.
#[test]
fn names_of_values_are_those_of_the_library() {
    let tool = definition();
    let rewrite = tool.find_subcommand("rewrite").expect("a command");
    for (option, row) in help::rows(include_str!("values.tsv")) {
        let (name, about) = row.split_once('\t').expect("three columns");
        let is_it = |it: &&clap::Arg| it.get_long() == Some(option);
        let values = rewrite.get_arguments().find(is_it).expect(option);
        let values = values.get_possible_values();
        let value = values.iter().find(|it| it.get_name() == name).expect(name);
        assert_eq!(
            value.get_help().map(ToString::to_string).as_deref(),
            Some(about)
        );
    }
    for (option, names) in [
        ("to", To::ALL.map(To::name).to_vec()),
        (
            "resolver",
            abslink_url::Resolver::ALL.map(|it| it.name()).to_vec(),
        ),
        (
            "url-from",
            vec!["map", "xattr", "comment", "layout", "self"],
        ),
    ] {
        for name in names {
            let line = format!("abslink links --{option} {name} .");
            let args = Args::try_parse_from(line.split(' ')).expect(name);
            let Command::Links {
                common: CommonArgs {
                    location, reading, ..
                },
                ..
            } = args.command
            else {
                panic!("{line}");
            };
            let parsed = match option {
                "to" => reading.to.name(),
                "resolver" => reading.resolver.resolver.name(),
                _ => location.url_from[0].name(),
            };
            assert_eq!(parsed, name);
        }
    }
}

/// A hint names options that a command has.
#[test]
fn hints_can_be_typed() {
    let mut tool = Args::command();
    tool.build();
    let is_option = |name: &str| {
        let mut options = tool
            .get_subcommands()
            .flat_map(clap::Command::get_arguments);
        options.any(|it| it.get_long() == Some(name)) || name == "{}"
    };
    for row in Fact::ALL.iter().flat_map(|fact| fact.rows()) {
        let mut words = row.split(' ');
        let first = words.next().unwrap();
        assert!(
            ["say", "+"].contains(&first) || tool.find_subcommand(first).is_some(),
            "{row}"
        );
        let added = words.filter_map(|word| word.strip_prefix("--").or(word.strip_prefix('!')));
        for option in added.filter(|_| first != "say") {
            assert!(is_option(option), "{row}: {option}");
        }
    }
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

/// `-h` in a terminal of 100 columns.
#[test]
fn a_short_help_has_a_line_for_each_everyday_option() {
    let mut tool = help::shown(true).term_width(100);
    tool.build();
    for command in tool
        .get_subcommands_mut()
        .filter(|it| it.get_name() != "help")
    {
        let name = command.get_name().to_owned();
        let help = command.render_help().to_string();
        assert!(help.starts_with("Examples:\n"), "{help}");
        assert!(help.lines().count() <= 42, "{name}\n{help}");
        for line in help.lines() {
            assert!(line.len() <= 100, "{name}: {line}");
        }
        let options = help.split_once("\nOptions:\n").expect("options").1;
        for line in options.lines() {
            assert!(line.trim_start().starts_with('-'), "{name}: {line:?}");
        }
        if name == "rewrite" {
            let count = options.lines().count();
            assert!((20..=25).contains(&count), "{count}");
            let everyday = "-o -i --backup --copy-others -n --diff -b --layout --to --ext --exclude --include -L \
                            --as --also --only --format --strict -l -q -v -j";
            let has = |option| {
                options
                    .lines()
                    .any(|line| line.trim_start().starts_with(option))
            };
            let missing: Vec<&str> = everyday.split(' ').filter(|it| !has(*it)).collect();
            assert!(missing.is_empty(), "{missing:?}");
        }
    }
}

/// `--help` in a terminal of 100 columns.
#[test]
fn a_long_help_is_at_most_400_lines() {
    let mut tool = help::shown(false).term_width(100);
    tool.build();
    for command in tool.get_subcommands_mut() {
        let lines = help_of(command).lines().count();
        assert!(lines <= 400, "{}: {lines}", command.get_name());
    }
}

/// Every option says in a few words what it does, and stands below a heading where there are many.
#[test]
fn an_option_begins_with_a_short_line() {
    let tool = grouped();
    for command in tool.get_subcommands() {
        let name = command.get_name();
        for option in command.get_arguments().filter(|it| !it.is_hide_set()) {
            let id = option.get_id();
            let text = option
                .get_help()
                .map(ToString::to_string)
                .unwrap_or_default();
            let length = text.chars().count();
            assert!((1..=60).contains(&length), "{name} {id}: {length}: {text}");
            let long = option.get_long_help().map(ToString::to_string);
            let long = long.unwrap_or_default();
            // Ten lines of what is left of 100 columns.
            assert!(long.chars().count() <= 900, "{name} {id}: {long}");
            let is_grouped = ["rewrite", "check", "links", "base"].contains(&name);
            let has_heading = option.get_help_heading().is_some() || option.is_positional();
            assert!(has_heading || !is_grouped, "{name} {id}");
        }
    }
}

/// The forms of a command can be found in its manual page.
#[test]
fn each_command_has_forms() {
    let tool = Args::command();
    let commands = tool.get_subcommands().map(|command| command.get_name());
    assert!(commands.eq(super::commands()));
}

/// The help of the tool and of each command is in testdata/cli/. After an intended change:
/// `ABSLINK_BLESS=1 cargo test help_text`, and read the diff.
#[test]
fn help_text() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/cli");
    let mut short = help::shown(true).term_width(100);
    short.build();
    let mut tool = help::shown(false).term_width(100);
    tool.build();
    let mut texts = vec![("abslink".to_owned(), help_of(&mut tool))];
    for name in ["rewrite", "check", "links", "base", "resolve"] {
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
        let expected = std::fs::read_to_string(&file).unwrap_or_default();
        // Line by line: the first difference says more than both texts.
        let mut expected = expected.lines();
        for line in text.lines() {
            assert_eq!(expected.next(), Some(line), "{}", file.display());
        }
        assert_eq!(expected.next(), None, "{}", file.display());
    }
}
