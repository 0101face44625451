//! What to say if the arguments make no sense and clap's own guess is misleading.

use std::ffi::OsString;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use clap::{Arg, Command, CommandFactory};
use std::error::Error as _;

use super::Args;

/// What to type for an option that is gone, or that other programs have, without its dashes.
pub(super) const HINTS: [(&str, &str); 38] = [
    ("R", "directories are read with all below them"),
    ("absolute", "links become absolute without an option"),
    (
        "attachments",
        "HTML attachments are rewritten like other parts",
    ),
    ("base", "--base-url URL"),
    ("check", "abslink check"),
    ("compression-level", "new records get the usual level"),
    ("css-field", "--field NAME:css"),
    ("date", "SOURCE_DATE_EPOCH in the environment sets the date"),
    ("detect-feeds", "--detect feeds"),
    ("detect-html", "--detect html"),
    ("encoding", "--charset LABEL"),
    ("feed-field", "--field NAME:feed"),
    (
        "file-locations",
        "links that were saved at a file: URL stay",
    ),
    ("follow-links", "--follow"),
    ("force", "-o and -i overwrite without asking"),
    ("glob", "--include GLOB"),
    ("html-field", "--field NAME"),
    (
        "ignore",
        "--exclude GLOB for files, --exclude-url REGEX for links",
    ),
    ("json", "--format json"),
    ("keep-index", "--index none"),
    ("log-level", "--quiet or --verbose"),
    ("map-url", "--move-url FROM=TO"),
    ("no-detect-html", "--detect none"),
    ("no-ignore", "ignore files count only with --gitignore"),
    ("out", "--output DIR"),
    ("output-dir", "--output DIR"),
    ("overwrite", "-o and -i overwrite without asking"),
    ("parallel", "--jobs N"),
    ("r", "directories are read with all below them"),
    ("recursive", "directories are read with all below them"),
    ("reference-field", "--field NAME:url"),
    ("relative", "--to relative"),
    ("report", "--format html=FILE"),
    ("silent", "--quiet"),
    ("stdin", "`-` as PATH reads standard input"),
    ("suffix", "--backup SUFFIX"),
    ("threads", "--jobs N"),
    ("url", "--base-url URL"),
];

/// The key of abslink.toml that stands for a name of this table.
pub(crate) fn key_for(name: &str) -> Option<&'static str> {
    hint_for(name)?.strip_prefix("--")?.split(' ').next()
}

fn hint_for(name: &str) -> Option<&'static str> {
    let row = HINTS.iter().find(|(typed, _)| *typed == name);
    row.map(|(_, hint)| *hint)
}

/// What is wrong, and on a line of its own what to type instead, where clap's words are not those of a person.
pub(crate) fn instead(error: &Error, typed: &[OsString]) -> Option<String> {
    match error.kind() {
        ErrorKind::InvalidSubcommand => without_command(error),
        ErrorKind::MissingRequiredArgument => missing(error, typed),
        ErrorKind::ValueValidation => value(error, typed),
        ErrorKind::InvalidValue => choice(error),
        ErrorKind::ArgumentConflict => conflict(error),
        ErrorKind::UnknownArgument => {
            before_command(error, typed).or_else(|| unknown(error, typed))
        }
        _ => None,
    }
}

/// What to type instead of a path without a command.
fn without_command(error: &Error) -> Option<String> {
    let typed = text(error, ContextKind::InvalidSubcommand)?;
    let is_path = typed.contains(['/', '.']) || Path::new(typed).exists();
    is_path.then(|| format!("`{typed}` is not a command\nhint: abslink check {typed}"))
}

/// What is missing, and what for.
fn missing(error: &Error, typed: &[OsString]) -> Option<String> {
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
    if command == "restore" && is_missing("--backup") {
        let hint = "abslink restore --backup .orig site";
        return Some(format!("no --backup SUFFIX given\nhint: {hint}"));
    }
    if is_missing("<PATH>") {
        // What was meant as PATH may have become the value of an option.
        if let [.., option, value] = typed
            && option.to_string_lossy().starts_with('-')
            && Path::new(value).exists()
        {
            let (option, value) = (option.to_string_lossy(), value.to_string_lossy());
            let taken = format!("no PATH given: {option} took `{value}` as its value");
            return Some(format!(
                "{taken}\nhint: abslink {command} {option} VALUE {value}"
            ));
        }
        let example = match command {
            "rewrite" => "rewrite -o out -b https://example.org/ site",
            "links" => "links -b https://example.org/ site",
            "restore" => "restore --backup .orig site",
            "base" => "base site",
            _ => "check site",
        };
        return Some(format!("no PATH given\nhint: abslink {example}"));
    }
    if command == "resolve" && is_missing("--base-url") {
        let hint = "abslink resolve -b https://example.org/docs/ ../x";
        return Some(format!("no --base-url given\nhint: {hint}"));
    }
    let url = "--base-url, --layout or --url-map";
    let pairs = [
        ("--in-place", "--backup", "--in-place"),
        ("--output", "--copy-others", "--output DIR"),
        ("--layout", "--any-host", "--layout"),
        ("--field", "--url-field", "--field NAME"),
        ("--field", "--delimiter", "--field NAME"),
        ("<--base-url", "--root", url),
        ("<--base-url", "--index", url),
    ];
    let mut pairs = pairs.into_iter();
    let (_, option, needed) = pairs.find(|(start, of, _)| is_missing(start) && has(of))?;
    Some(format!("{option} goes with {needed}"))
}

/// What is wrong with the value of an option.
fn value(error: &Error, typed: &[OsString]) -> Option<String> {
    let long = text(error, ContextKind::InvalidArg)?.split(' ').next()?;
    let value = text(error, ContextKind::InvalidValue)?;
    let reason = reason(error)?;
    if reason.starts_with(long) {
        return Some(reason);
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
    Some(format!("{option} {value}: {reason}"))
}

/// What to type instead of an unknown value.
fn choice(error: &Error) -> Option<String> {
    // `--only <GROUP>`, or `[COMMAND]`.
    let long = text(error, ContextKind::InvalidArg)?
        .trim_start_matches('[')
        .split([' ', '[', ']', '='])
        .next()?;
    let value = text(error, ContextKind::InvalidValue).filter(|value| !value.is_empty())?;
    let ContextValue::Strings(known) = error.get(ContextKind::ValidValue)? else {
        return None;
    };
    let nearest = suggested(error, ContextKind::SuggestedValue);
    let nearest = nearest.map_or(String::new(), |nearest| {
        format!("; did you mean `{nearest}`?")
    });
    let known = known.join(", ");
    Some(format!(
        "{long}: unknown value `{value}`{nearest}\nhint: one of {known}"
    ))
}

/// Which two options exclude each other.
fn conflict(error: &Error) -> Option<String> {
    let option = text(error, ContextKind::InvalidArg)?;
    let others = match error.get(ContextKind::PriorArg)? {
        ContextValue::String(other) => other.clone(),
        ContextValue::Strings(others) => others.join(", "),
        _ => return None,
    };
    Some(format!("{option} cannot be used with {others}"))
}

/// What to type instead of an unknown option.
fn unknown(error: &Error, typed: &[OsString]) -> Option<String> {
    let option = text(error, ContextKind::InvalidArg)?;
    if let Some(suffix) = suffix(option, typed) {
        let hint = format!("-i --backup .{suffix}");
        return Some(format!("unknown option `-i.{suffix}`\nhint: {hint}"));
    }
    let name = option
        .strip_prefix("--")
        .or_else(|| option.strip_prefix('-'))?;
    let hint = match hint_for(name) {
        Some(hint) => Some(hint.to_owned()),
        None => suggested(error, ContextKind::SuggestedArg)
            .map(|nearest| format!("did you mean `{nearest}`?"))
            .or_else(|| of_other_command(name))
            .or_else(|| as_path(option)),
    };
    let hint = hint.map_or(String::new(), |hint| format!("\nhint: {hint}"));
    Some(format!("unknown option `{option}`{hint}"))
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
    let is_it = |arg: &Arg| {
        arg.get_long() == Some(name) || arg.get_short().is_some_and(|it| name == it.to_string())
    };
    let commands = Args::command();
    let mut commands = commands.get_subcommands();
    let command = commands.find(|command| command.get_arguments().any(is_it))?;
    Some(format!("an option of abslink {}", command.get_name()))
}

/// A file may have such a name.
fn as_path(option: &str) -> Option<String> {
    let is_there = Path::new(option).symlink_metadata().is_ok();
    is_there.then(|| format!("a file of that name is given after `--`: -- {option}"))
}

/// What to type instead of an option before the command.
fn before_command(error: &Error, typed: &[OsString]) -> Option<String> {
    let option = text(error, ContextKind::InvalidArg)?
        .split([' ', '='])
        .next()?;
    let is_it = |typed: &OsString| typed.to_string_lossy().starts_with(option);
    let commands = Args::command();
    let is_command = |typed: &OsString| commands.find_subcommand(typed).is_some();
    // The first one is the program.
    let before = typed.iter().skip(1).take_while(|typed| !is_it(typed));
    if before.into_iter().any(is_command) {
        return None;
    }
    let is_its = |arg: &Arg| {
        let long = arg.get_long_and_visible_aliases().unwrap_or_default();
        let is_short = |short| option.strip_prefix('-') == Some(String::from(short).as_str());
        long.iter()
            .any(|long| option.strip_prefix("--") == Some(long))
            || arg.get_short().is_some_and(is_short)
    };
    let has = |command: &&Command| command.get_arguments().any(is_its);
    let names = commands
        .get_subcommands()
        .filter(has)
        .map(Command::get_name);
    let known = Vec::from_iter(names);
    Some(if known.contains(&"check") && known.contains(&"rewrite") {
        format!(
            "`{option}` comes after a command: `abslink check {option} ...` lists relative links, \
             `abslink rewrite {option} ...` makes them absolute"
        )
    } else {
        let command = known.first()?;
        format!("`{option}` comes after its command: `abslink {command} {option} ...`")
    })
}

fn text(error: &Error, kind: ContextKind) -> Option<&str> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text),
        _ => None,
    }
}
