//! What to say if the arguments make no sense and clap's own guess is misleading.

use std::error::Error as _;
use std::ffi::OsString;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use clap::{Arg, Command, CommandFactory};

use super::help::rows;
use super::hints::{new_directory, with_options};
use super::{Args, Fact, UsageError, usage};
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
    let tool = Args::command();
    let refused = Refused { error, typed, tool };
    refused.explained().unwrap_or_else(|| {
        let said = error.render().to_string();
        let first = said.lines().next().unwrap_or_default();
        let message = first.strip_prefix("error: ").unwrap_or(first);
        refused.with_help(usage!("{message}"))
    })
}

/// Arguments that clap does not take.
struct Refused<'a> {
    error: &'a Error,
    typed: &'a [OsString],
    tool: Command,
}

impl Refused<'_> {
    fn explained(&self) -> Option<UsageError> {
        match self.error.kind() {
            ErrorKind::InvalidSubcommand => Some(self.command()),
            ErrorKind::MissingSubcommand => Some(self.with_help(usage!("no command given"))),
            ErrorKind::MissingRequiredArgument => self.missing(),
            ErrorKind::ValueValidation => self.value(),
            ErrorKind::InvalidValue => self.choice(),
            ErrorKind::TooManyValues => {
                let option = name(self.text(ContextKind::InvalidArg)?);
                let value = self.text(ContextKind::InvalidValue).unwrap_or_default();
                let error = usage!("{option} takes no value: `{value}`");
                let hint = self.instead(&format!("{option}={value}"), option);
                Some(error.with_hints([hint]))
            }
            ErrorKind::ArgumentConflict => self.conflict(),
            ErrorKind::UnknownArgument => self.before_command().or_else(|| self.unknown()),
            _ => None,
        }
    }

    /// What clap says of the error; the first of several.
    fn text(&self, kind: ContextKind) -> Option<&str> {
        text(self.error, kind)
    }

    /// All that clap says of it.
    fn texts(&self, kind: ContextKind) -> &[String] {
        match self.error.get(kind) {
            Some(ContextValue::Strings(texts)) => texts,
            Some(ContextValue::String(text)) => std::slice::from_ref(text),
            _ => &[],
        }
    }

    fn is_typed(&self, start: &str) -> bool {
        let mut typed = self.typed.iter();
        typed.any(|it| it.to_string_lossy().starts_with(start))
    }

    /// The command that was typed.
    fn typed_command(&self) -> Option<&str> {
        let mut typed = self.typed.iter().skip(1);
        typed.find_map(|it| Some(self.tool.find_subcommand(it)?.get_name()))
    }

    /// With how to see the options of the command that was typed.
    fn with_help(&self, error: UsageError) -> UsageError {
        let command = self.typed_command().into_iter();
        let words: Vec<&str> = ["abslink"].into_iter().chain(command).collect();
        error.with_hints([words.join(" ") + " --help"])
    }

    /// What was typed, with other words in the place of one.
    fn instead(&self, word: &str, meant: &str) -> String {
        joined(&replaced(self.typed, word, meant))
    }

    /// What to type instead of a path without a command, or of a command of another program.
    fn command(&self) -> UsageError {
        let kind = ContextKind::InvalidSubcommand;
        let word = self.text(kind).unwrap_or_default();
        if word.contains(['/', '.']) || Path::new(word).exists() {
            let error = usage!("`{word}` is not a command");
            return error.with_hints([format!("abslink check {}", quoted(word))]);
        }
        let refused = usage!("unknown command `{word}`");
        let meant = hint_for(word).and_then(|hint| hint.strip_prefix("abslink "));
        match meant.or_else(|| self.text(ContextKind::SuggestedSubcommand)) {
            Some("restore") if !self.is_typed("--backup") => {
                refused.with_hints([self.instead(word, RESTORE)])
            }
            Some(meant) => refused.with_hints([self.instead(word, meant)]),
            None => self.with_help(refused),
        }
    }

    /// What is missing, and what for.
    fn missing(&self) -> Option<UsageError> {
        let missing = self.texts(ContextKind::InvalidArg);
        let is_missing = |start: &str| missing.iter().any(|it| it.starts_with(start));
        let command = self.typed_command()?;
        if command == "restore" && is_missing("--backup") && !is_missing("<PATH>") {
            return Some(usage!("no --backup SUFFIX given").because(Fact::NoSuffix, &[]));
        }
        if is_missing("<PATH>") {
            return Some(self.missing_path(command));
        }
        if command == "resolve" && is_missing("--base-url") {
            return Some(usage!("no --base-url given").because(Fact::NoBase, &[]));
        }
        let url = "--base-url, --layout or --url-map";
        // An option, and what it needs: for clap, and for people.
        let pairs = [
            ("--backup", "--in-place", "--in-place"),
            ("--copy-others", "--output", "--output DIR"),
            ("--any-host", "--layout", "--layout"),
            ("--url-field", "--field", "--field NAME"),
            ("--delimiter", "--field", "--field NAME"),
            ("--root", "<--base-url", url),
            ("--index", "<--base-url", url),
        ];
        let is_it =
            |(option, start, _): &(&str, &str, &str)| is_missing(start) && self.is_typed(option);
        let Some((option, _, needed)) = pairs.into_iter().find(is_it) else {
            return Some(self.with_help(usage!("no {} given", missing.join(", "))));
        };
        let error = usage!("{option} goes with {needed}");
        Some(match option {
            "--backup" => error.because(Fact::BackupAlone, &[]),
            "--copy-others" => error.because(Fact::CopyAlone, &[&new_directory(&[])]),
            "--root" | "--index" => error.because(Fact::NoBase, &[]),
            _ => error,
        })
    }

    fn missing_path(&self, command: &str) -> UsageError {
        // What was meant as PATH may have become the value of an option.
        if let [.., option, value] = self.typed
            && option.to_string_lossy().starts_with('-')
            && Path::new(value).exists()
        {
            let (option, value) = (option.to_string_lossy(), value.to_string_lossy());
            let meant = match &*option {
                "--backup" => ".orig",
                "-o" | "--output" => "out",
                _ => "VALUE",
            };
            let hint = self.instead(&option, &format!("{option} {meant}"));
            let error = usage!("no PATH given: {option} took `{value}` as its value");
            return error.with_hints([hint]);
        }
        let error = usage!("no PATH given");
        if command != "restore" && is_piped() {
            return error.because(Fact::Piped, &["-"]);
        }
        error.with_hints([match command {
            "rewrite" => "abslink rewrite -o out -b https://example.org/ site",
            "links" => "abslink links -b https://example.org/ site",
            "restore" => "abslink restore --backup .orig site",
            "base" => "abslink base site",
            _ => "abslink check site",
        }])
    }

    /// What is wrong with the value of an option.
    fn value(&self) -> Option<UsageError> {
        let long = name(self.text(ContextKind::InvalidArg)?);
        let value = self.text(ContextKind::InvalidValue)?;
        let reason = self.error.source()?.to_string();
        // What is wrong with a regular expression comes below a drawing of it.
        let reason = reason.rsplit("\nerror: ").next().unwrap_or_default();
        if reason.starts_with(long) {
            let error = UsageError::split(reason);
            let hints = error.hints.iter().map(|it| with_options(it, None));
            let hints: Vec<String> = hints.collect();
            return Some(error.with_hints(hints));
        }
        let is_it = |option: &&Arg| option.get_long() == long.strip_prefix("--");
        let mut options = (self.tool.get_subcommands()).flat_map(Command::get_arguments);
        let short = options.find(is_it).and_then(Arg::get_short);
        let option = match short.filter(|_| !self.is_typed(long)) {
            Some(short) => format!("-{short}"),
            None => long.to_owned(),
        };
        Some(UsageError::split(&format!("{option} {value}: {reason}")))
    }

    /// What to type instead of an unknown value.
    fn choice(&self) -> Option<UsageError> {
        // `--only <GROUP>`, or `[COMMAND]`.
        let whole = self.text(ContextKind::InvalidArg)?;
        let long = name(whole);
        let message = match self.text(ContextKind::InvalidValue).unwrap_or_default() {
            "" => usage!("no value given: {whole}"),
            value => {
                let nearest = self.text(ContextKind::SuggestedValue);
                let nearest = nearest.map(|nearest| format!("; did you mean `{nearest}`?"));
                let nearest = nearest.unwrap_or_default();
                usage!("{long}: unknown value `{value}`{nearest}")
            }
        };
        Some(match (self.texts(ContextKind::ValidValue), long) {
            ([], "--backup") => message.because(Fact::NoSuffix, &[]),
            ([], _) => message,
            (known, _) => message.with_hints([format!("one of {}", known.join(", "))]),
        })
    }

    /// Which two options exclude each other.
    fn conflict(&self) -> Option<UsageError> {
        let option = self.text(ContextKind::InvalidArg)?;
        let others = match self.texts(ContextKind::PriorArg) {
            [] => return None,
            others => others.join(", "),
        };
        Some(if others == option {
            usage!("{} given twice", name(option))
        } else {
            usage!("{option} cannot be used with {others}")
        })
    }

    /// What to type instead of an unknown option.
    fn unknown(&self) -> Option<UsageError> {
        let option = self.text(ContextKind::InvalidArg)?;
        // sed and perl have `-i.orig`.
        let mut glued = self
            .typed
            .iter()
            .filter_map(|it| it.to_str()?.strip_prefix("-i."));
        if let Some(suffix) = glued.next().filter(|_| option == "-.") {
            let glued = format!("-i.{suffix}");
            let hint = self.instead(&glued, &format!("-i --backup .{suffix}"));
            return Some(usage!("unknown option `{glued}`").with_hints([hint]));
        }
        let name = option
            .strip_prefix("--")
            .or_else(|| option.strip_prefix('-'));
        let Some(name) = name else {
            return Some(self.with_help(usage!("unexpected argument `{option}`")));
        };
        let refused = usage!("unknown option `{option}`");
        // A file may have such a name.
        let is_path = Path::new(option).symlink_metadata().is_ok();
        let as_path = || format!("a file of that name is given after `--`: -- {option}");
        let hint = is_path
            .then(as_path)
            .or_else(|| self.known_or_near(option, name));
        Some(match hint.or_else(|| self.of_other_command(name)) {
            Some(hint) => refused.with_hints([hint]),
            None => self.with_help(refused),
        })
    }

    fn known_or_near(&self, option: &str, name: &str) -> Option<String> {
        if let Some(hint) = hint_for(name) {
            // What `rewrite` says for programs is not for where its documents go.
            let hint = match self.typed.get(1) {
                Some(command) if command == "rewrite" && name == "json" => "--format json=FILE",
                _ => hint,
            };
            let whole = option_alone(hint).map(|meant| self.instead(option, meant));
            let whole = whole.or_else(|| self.other_command(hint, option));
            return Some(whole.unwrap_or_else(|| hint.to_owned()));
        }
        let nearest = self.text(ContextKind::SuggestedArg)?;
        // A guess may take what was meant as PATH for its value.
        let words = replaced(self.typed, option, nearest);
        let makes_sense = self.tool.clone().try_get_matches_from(&words).is_ok();
        Some(match makes_sense {
            true => joined(&words),
            false => format!("did you mean `{nearest}`?"),
        })
    }

    /// The command that a hint names, in the place of the one that was typed with an option.
    fn other_command(&self, hint: &str, option: &str) -> Option<String> {
        let meant = match hint.strip_prefix("abslink ")? {
            "restore" => RESTORE,
            meant => meant,
        };
        let others = self.typed.iter().filter(|it| *it != option);
        let others: Vec<OsString> = others.cloned().collect();
        Some(joined(&replaced(&others, self.typed_command()?, meant)))
    }

    fn of_other_command(&self, name: &str) -> Option<String> {
        let mut commands = self.tool.get_subcommands();
        let command = commands.find(|command| has(command, name))?.get_name();
        Some(format!("an option of abslink {command}"))
    }

    /// What to type instead of an option before the command.
    fn before_command(&self) -> Option<UsageError> {
        let option = name(self.text(ContextKind::InvalidArg)?);
        let is_it = |typed: &OsString| typed.to_string_lossy().starts_with(option);
        let is_command = |typed: &OsString| self.tool.find_subcommand(typed).is_some();
        // The first one is the program.
        let mut before = self.typed.iter().skip(1).take_while(|typed| !is_it(typed));
        if before.any(is_command) {
            return None;
        }
        let bare = option.trim_start_matches('-');
        let known = (self.tool.get_subcommands()).filter(|command| has(command, bare));
        let known = Vec::from_iter(known.map(Command::get_name));
        let typed = self.typed[1..].iter();
        let (given, words): (Vec<&OsString>, _) = typed.partition(|it| is_command(it));
        let [given, words] = [given, words].map(|typed: Vec<&OsString>| {
            let words = typed.iter().map(|it| it.to_string_lossy().into_owned());
            words.collect::<Vec<String>>()
        });
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
        let lines = starts.into_iter().map(|start| {
            let start = ["abslink"].into_iter().chain(start).map(str::to_owned);
            start.chain(words.clone()).collect::<Vec<String>>()
        });
        let makes_sense = |line: &Vec<String>| {
            !has_choice || self.tool.clone().try_get_matches_from(line).is_ok()
        };
        let hints = lines.filter(makes_sense).take(2).map(|line| joined(&line));
        let hints: Vec<String> = hints.collect();
        Some(usage!("`{option}` comes after the command").with_hints(hints))
    }
}

/// What brings originals back, with the suffix that most people take.
const RESTORE: &str = "restore --backup .orig";

/// An option as clap names it, without its value.
fn name(option: &str) -> &str {
    let option = option.trim_start_matches('[');
    option.split([' ', '[', ']', '=']).next().unwrap_or(option)
}

/// The words of a command, of which the first is the program.
fn joined(words: &[String]) -> String {
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
        let new = meant.split(' ').map(str::to_owned);
        words.splice(at + 1..at + 2, new);
        words[at + meant.split(' ').count()].push_str(&rest);
    }
    words
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

/// Whether a command has an option of this name, without dashes.
fn has(command: &Command, name: &str) -> bool {
    command.get_arguments().any(|arg| {
        let long = arg.get_long_and_visible_aliases().unwrap_or_default();
        long.contains(&name) || arg.get_short().is_some_and(|it| name == it.to_string())
    })
}

/// What clap says of an error; the first of several.
pub(crate) fn text(error: &Error, kind: ContextKind) -> Option<&str> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text),
        ContextValue::Strings(texts) => texts.first().map(String::as_str),
        _ => None,
    }
}
