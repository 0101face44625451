//! What to say if the arguments make no sense and clap's own guess is misleading.

use std::ffi::OsString;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use clap::{Arg, Command, CommandFactory};
use std::error::Error as _;

use super::help::rows;
use super::hints::{new_directory, with_options};
use super::{Args, Fact, UsageError};
use crate::batch::quoted;

/// What to type for an option that is gone, or that other programs have, without its dashes; and for a command.
pub(super) fn hints() -> impl Iterator<Item = (&'static str, &'static str)> {
    rows(include_str!("tips.tsv"))
}

/// The key of abslink.toml that stands for a name of this table.
pub(crate) fn key_for(name: &str) -> Option<&'static str> {
    hint_for(name)?.strip_prefix("--")?.split(' ').next()
}

fn hint_for(name: &str) -> Option<&'static str> {
    hints().find_map(|(typed, hint)| (typed == name).then_some(hint))
}

/// What is wrong with arguments, and what to type instead.
pub(crate) fn explain(error: &Error, typed: &[OsString]) -> UsageError {
    let own = match error.kind() {
        ErrorKind::InvalidSubcommand => Some(command(error, typed)),
        ErrorKind::MissingSubcommand => {
            Some(UsageError::new("no command given").with_hints(&[&help(typed)]))
        }
        ErrorKind::MissingRequiredArgument => missing(error, typed),
        ErrorKind::ValueValidation => value(error, typed),
        ErrorKind::InvalidValue => choice(error),
        ErrorKind::TooManyValues => text(error, ContextKind::InvalidArg).map(|option| {
            let option = name(option);
            let value = text(error, ContextKind::InvalidValue).unwrap_or_default();
            let given = format!("{option}={value}");
            UsageError::new(format_args!("{option} takes no value: `{value}`"))
                .with_hints(&[&instead(typed, &given, option)])
        }),
        ErrorKind::ArgumentConflict => conflict(error),
        ErrorKind::UnknownArgument => {
            before_command(error, typed).or_else(|| unknown(error, typed))
        }
        _ => None,
    };
    own.unwrap_or_else(|| {
        let said = error.render().to_string();
        let first = said.lines().next().unwrap_or_default();
        let message = UsageError::new(first.strip_prefix("error: ").unwrap_or(first));
        message.with_hints(&[&help(typed)])
    })
}

/// An option as clap names it, without its value.
fn name(option: &str) -> &str {
    let option = option.trim_start_matches('[');
    option.split([' ', '[', ']', '=']).next().unwrap_or(option)
}

/// What to type instead of a path without a command, or of a command of another program.
fn command(error: &Error, typed: &[OsString]) -> UsageError {
    let word = text(error, ContextKind::InvalidSubcommand).unwrap_or_default();
    if word.contains(['/', '.']) || Path::new(word).exists() {
        let error = UsageError::new(format_args!("`{word}` is not a command"));
        return error.with_hints(&[&format!("abslink check {}", quoted(word))]);
    }
    let refused = UsageError::new(format_args!("unknown command `{word}`"));
    let meant = hint_for(word).and_then(|hint| hint.strip_prefix("abslink "));
    let meant = meant.or_else(|| suggested(error, ContextKind::SuggestedSubcommand));
    let has_suffix = typed
        .iter()
        .any(|it| it.to_string_lossy().starts_with("--backup"));
    match meant {
        Some("restore") if !has_suffix => {
            refused.with_hints(&[&instead(typed, word, "restore --backup .orig")])
        }
        Some(meant) => refused.with_hints(&[&instead(typed, word, meant)]),
        None => refused.with_hints(&[&help(typed)]),
    }
}

/// How to see the options of the command that was typed.
fn help(typed: &[OsString]) -> String {
    let tool = Args::command();
    let mut typed = typed.iter().skip(1);
    let command = typed.find_map(|it| Some(tool.find_subcommand(it)?.get_name()));
    format!(
        "abslink {}{}--help",
        command.unwrap_or_default(),
        command.map_or("", |_| " ")
    )
}

/// What was typed, with other words in the place of one.
fn instead(typed: &[OsString], word: &str, meant: &str) -> String {
    let words = replaced(typed, word, meant);
    let words: Vec<String> = words.iter().skip(1).map(|word| quoted(word)).collect();
    format!("abslink {}", words.join(" "))
}

fn replaced(typed: &[OsString], word: &str, meant: &str) -> Vec<String> {
    let mut words: Vec<String> = typed.iter().map(|it| it.to_string_lossy().into()).collect();
    let is_it = |it: &String| {
        let rest = it.strip_prefix(word);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
    };
    if let Some(at) = words.iter().skip(1).position(is_it) {
        let rest = words[at + 1][word.len()..].to_owned();
        let mut new: Vec<String> = meant.split(' ').map(str::to_owned).collect();
        if let Some(last) = new.last_mut() {
            last.push_str(&rest);
        }
        words.splice(at + 1..at + 2, new);
    }
    words
}

/// What is missing, and what for.
fn missing(error: &Error, typed: &[OsString]) -> Option<UsageError> {
    let Some(ContextValue::Strings(missing)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let is_missing = |start: &str| missing.iter().any(|it| it.starts_with(start));
    let has = |option: &&str| {
        typed
            .iter()
            .any(|it| it.to_string_lossy().starts_with(option))
    };
    let commands = Args::command();
    let mut names = typed.iter().skip(1);
    let command = names
        .find_map(|it| commands.find_subcommand(it))?
        .get_name();
    if command == "restore" && is_missing("--backup") && !is_missing("<PATH>") {
        return Some(UsageError::new("no --backup SUFFIX given").because(Fact::NoSuffix, &[]));
    }
    if is_missing("<PATH>") {
        // What was meant as PATH may have become the value of an option.
        if let [.., option, value] = typed
            && option.to_string_lossy().starts_with('-')
            && Path::new(value).exists()
        {
            let (option, value) = (option.to_string_lossy(), value.to_string_lossy());
            let meant = match &*option {
                "--backup" => ".orig",
                "-o" | "--output" => "out",
                _ => "VALUE",
            };
            let hint = instead(typed, &option, &format!("{option} {meant}"));
            let taken = format_args!("no PATH given: {option} took `{value}` as its value");
            return Some(UsageError::new(taken).with_hints(&[&hint]));
        }
        let error = UsageError::new("no PATH given");
        if command != "restore" && is_piped() {
            return Some(error.because(Fact::Piped, &["-"]));
        }
        let example = match command {
            "rewrite" => "rewrite -o out -b https://example.org/ site",
            "links" => "links -b https://example.org/ site",
            "restore" => "restore --backup .orig site",
            "base" => "base site",
            _ => "check site",
        };
        return Some(error.with_hints(&[&format!("abslink {example}")]));
    }
    if command == "resolve" && is_missing("--base-url") {
        return Some(UsageError::new("no --base-url given").because(Fact::NoBase, &[]));
    }
    let url = "--base-url, --layout or --url-map";
    let pairs = [
        (
            "--in-place",
            "--backup",
            "--in-place",
            Some(Fact::BackupAlone),
        ),
        (
            "--output",
            "--copy-others",
            "--output DIR",
            Some(Fact::CopyAlone),
        ),
        ("--layout", "--any-host", "--layout", None),
        ("--field", "--url-field", "--field NAME", None),
        ("--field", "--delimiter", "--field NAME", None),
        ("<--base-url", "--root", url, Some(Fact::NoBase)),
        ("<--base-url", "--index", url, Some(Fact::NoBase)),
    ];
    let mut pairs = pairs.into_iter();
    let pair = pairs.find(|(start, of, ..)| is_missing(start) && has(of));
    Some(match pair {
        Some((_, option, needed, fact)) => {
            let error = UsageError::new(format_args!("{option} goes with {needed}"));
            match fact {
                Some(fact) => error.because(fact, &[&new_directory(&[])]),
                None => error,
            }
        }
        None => {
            let missing = missing.join(", ");
            UsageError::new(format_args!("no {missing} given")).with_hints(&[&help(typed)])
        }
    })
}

/// Whether standard input is what another program writes, or a file.
fn is_piped() -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        let metadata = Path::new("/dev/stdin").metadata();
        metadata.is_ok_and(|it| it.is_file() || it.file_type().is_fifo())
    }
    #[cfg(not(unix))]
    {
        use std::io::IsTerminal as _;
        !std::io::stdin().is_terminal()
    }
}

/// What is wrong with the value of an option.
fn value(error: &Error, typed: &[OsString]) -> Option<UsageError> {
    let long = name(text(error, ContextKind::InvalidArg)?);
    let value = text(error, ContextKind::InvalidValue)?;
    let reason = reason(error)?;
    if reason.starts_with(long) {
        let error = UsageError::split(&reason);
        let hints: Vec<String> = error
            .hints
            .iter()
            .map(|it| with_options(it, None))
            .collect();
        return Some(error.with_hints(hints));
    }
    let is_long = typed
        .iter()
        .any(|it| it.to_string_lossy().starts_with(long));
    let is_it = |option: &&Arg| option.get_long() == long.strip_prefix("--");
    let commands = Args::command();
    let mut options = commands.get_subcommands().flat_map(Command::get_arguments);
    let short = options.find(is_it).and_then(Arg::get_short);
    let option = match short.filter(|_| !is_long) {
        Some(short) => format!("-{short}"),
        None => long.to_owned(),
    };
    Some(UsageError::split(&format!("{option} {value}: {reason}")))
}

/// What to type instead of an unknown value.
fn choice(error: &Error) -> Option<UsageError> {
    // `--only <GROUP>`, or `[COMMAND]`.
    let whole = text(error, ContextKind::InvalidArg)?;
    let long = name(whole);
    let value = text(error, ContextKind::InvalidValue).unwrap_or_default();
    let known = match error.get(ContextKind::ValidValue) {
        Some(ContextValue::Strings(known)) => known.join(", "),
        _ => String::new(),
    };
    let message = if value.is_empty() {
        UsageError::new(format_args!("no value given: {whole}"))
    } else {
        let nearest = suggested(error, ContextKind::SuggestedValue);
        let nearest = nearest.map_or(String::new(), |nearest| {
            format!("; did you mean `{nearest}`?")
        });
        UsageError::new(format_args!("{long}: unknown value `{value}`{nearest}"))
    };
    Some(match (&*known, long) {
        ("", "--backup") => message.because(Fact::NoSuffix, &[]),
        ("", _) => message,
        _ => message.with_hints(&[format!("one of {known}")]),
    })
}

/// Which two options exclude each other.
fn conflict(error: &Error) -> Option<UsageError> {
    let option = text(error, ContextKind::InvalidArg)?;
    let others = match error.get(ContextKind::PriorArg)? {
        ContextValue::String(other) => other.clone(),
        ContextValue::Strings(others) => others.join(", "),
        _ => return None,
    };
    Some(if others == option {
        UsageError::new(format_args!("{} given twice", name(option)))
    } else {
        UsageError::new(format_args!("{option} cannot be used with {others}"))
    })
}

/// What to type instead of an unknown option.
fn unknown(error: &Error, typed: &[OsString]) -> Option<UsageError> {
    let option = text(error, ContextKind::InvalidArg)?;
    if let Some(suffix) = suffix(option, typed) {
        let glued = format!("-i.{suffix}");
        let error = UsageError::new(format_args!("unknown option `{glued}`"));
        let meant = format!("-i --backup .{suffix}");
        return Some(error.with_hints(&[instead(typed, &glued, &meant)]));
    }
    let name = option
        .strip_prefix("--")
        .or_else(|| option.strip_prefix('-'));
    let refused = UsageError::new(match name {
        Some(_) => format!("unknown option `{option}`"),
        None => format!("unexpected argument `{option}`"),
    });
    let Some(name) = name else {
        return Some(refused.with_hints(&[&help(typed)]));
    };
    let nearest = || suggested(error, ContextKind::SuggestedArg);
    let hint = as_path(option).or_else(|| {
        if let Some(hint) = hint_for(name) {
            // What `rewrite` says for programs is not for where its documents go.
            let hint = match typed.get(1) {
                Some(command) if command == "rewrite" && name == "json" => "--format json=FILE",
                _ => hint,
            };
            let whole = option_alone(hint).map(|meant| instead(typed, option, meant));
            let whole = whole.or_else(|| other_command(hint, typed, option));
            return Some(whole.unwrap_or_else(|| hint.to_owned()));
        }
        let nearest = nearest()?;
        // A guess may take what was meant as PATH for its value.
        let words = replaced(typed, option, nearest);
        let makes_sense = Args::command().try_get_matches_from(words).is_ok();
        Some(match makes_sense {
            true => instead(typed, option, nearest),
            false => format!("did you mean `{nearest}`?"),
        })
    });
    let hint = hint.or_else(|| of_other_command(name));
    Some(match hint {
        Some(hint) => refused.with_hints(&[&hint]),
        None => refused.with_hints(&[&help(typed)]),
    })
}

/// What a hint puts in the place of an option, whose value stays: `--output` of `--output DIR`.
fn option_alone(hint: &str) -> Option<&str> {
    let (option, value) = hint.split_once(' ').unwrap_or((hint, ""));
    let is_name = value.bytes().all(|byte| byte.is_ascii_uppercase());
    let is_value = value.starts_with(|first: char| first.is_ascii_lowercase());
    let is_value = is_value && !value.contains(' ');
    match option.starts_with("--") {
        true if is_name => Some(option),
        true if is_value => Some(hint),
        _ => None,
    }
}

/// The command that a hint names, in the place of the one that was typed with an option.
fn other_command(hint: &str, typed: &[OsString], option: &str) -> Option<String> {
    let meant = match hint.strip_prefix("abslink ")? {
        "restore" => "restore --backup .orig",
        meant => meant,
    };
    let tool = Args::command();
    let command = typed
        .iter()
        .find_map(|it| Some(tool.find_subcommand(it)?.get_name()))?;
    let others: Vec<OsString> = typed.iter().filter(|it| *it != option).cloned().collect();
    Some(instead(&others, command, meant))
}

/// sed and perl have `-i.orig`.
fn suffix<'t>(option: &str, typed: &'t [OsString]) -> Option<&'t str> {
    let mut glued = typed
        .iter()
        .filter_map(|it| it.to_str()?.strip_prefix("-i."));
    (option == "-.").then(|| glued.next()).flatten()
}

/// What clap suggests; the first of several.
pub(crate) fn suggested(error: &Error, kind: ContextKind) -> Option<&str> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text),
        ContextValue::Strings(texts) => texts.first().map(String::as_str),
        _ => None,
    }
}

/// Why a value was refused.
fn reason(error: &Error) -> Option<String> {
    let reason = error.source()?.to_string();
    // What is wrong with a regular expression comes below a drawing of it.
    Some(match reason.rsplit_once("\nerror: ") {
        Some((_, reason)) => reason.to_owned(),
        None => reason,
    })
}

fn of_other_command(name: &str) -> Option<String> {
    let commands = Args::command();
    let command = commands
        .get_subcommands()
        .find(|command| has(command, name))?;
    Some(format!("an option of abslink {}", command.get_name()))
}

/// Whether a command has an option of this name, without dashes.
fn has(command: &Command, name: &str) -> bool {
    command.get_arguments().any(|arg| {
        let long = arg.get_long_and_visible_aliases().unwrap_or_default();
        long.contains(&name) || arg.get_short().is_some_and(|it| name == it.to_string())
    })
}

/// A file may have such a name.
fn as_path(option: &str) -> Option<String> {
    let is_there = Path::new(option).symlink_metadata().is_ok();
    is_there.then(|| format!("a file of that name is given after `--`: -- {option}"))
}

/// What to type instead of an option before the command.
fn before_command(error: &Error, typed: &[OsString]) -> Option<UsageError> {
    let option = name(text(error, ContextKind::InvalidArg)?);
    let is_it = |typed: &OsString| typed.to_string_lossy().starts_with(option);
    let commands = Args::command();
    let is_command = |typed: &OsString| commands.find_subcommand(typed).is_some();
    // The first one is the program.
    let mut before = typed.iter().skip(1).take_while(|typed| !is_it(typed));
    if before.any(is_command) {
        return None;
    }
    let bare = option.trim_start_matches('-');
    let known = commands
        .get_subcommands()
        .filter(|command| has(command, bare));
    let known = Vec::from_iter(known.map(Command::get_name));
    let (given, words): (Vec<&OsString>, _) = typed[1..].iter().partition(|it| is_command(it));
    let given: Vec<_> = given.iter().map(|it| it.to_string_lossy()).collect();
    let words: Vec<_> = words.iter().map(|it| it.to_string_lossy()).collect();
    let words: Vec<&str> = words.iter().map(|word| &**word).collect();
    let new = new_directory(&[]);
    let starts = match (&given[..], &known[..]) {
        (_, []) => return None,
        ([given, ..], _) => vec![vec![&**given]],
        ([], [only]) => vec![vec![*only]],
        _ => vec![
            vec!["check"],
            vec!["rewrite", "--output", &new],
            vec!["rewrite"],
        ],
    };
    let has_choice = starts.len() > 1;
    let lines = starts
        .into_iter()
        .map(|start| [vec!["abslink"], start, words.clone()].concat());
    let makes_sense =
        |line: &Vec<&str>| !has_choice || commands.clone().try_get_matches_from(line).is_ok();
    let hints = lines.filter(makes_sense).take(2).map(|line| {
        let words: Vec<String> = line.into_iter().map(quoted).collect();
        words.join(" ")
    });
    let hints: Vec<String> = hints.collect();
    let error = UsageError::new(format_args!("`{option}` comes after the command"));
    Some(error.with_hints(hints))
}

fn text(error: &Error, kind: ContextKind) -> Option<&str> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text),
        _ => None,
    }
}
