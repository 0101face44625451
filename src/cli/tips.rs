//! What to say if the arguments make no sense and clap's own guess is misleading.

use std::ffi::OsString;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use clap::{Arg, Command, CommandFactory};

use super::args::Args;

/// Takes out the tips that mislead.
pub(super) fn mend(error: &mut Error) {
    if error.kind() != ErrorKind::UnknownArgument {
        return;
    }
    let typed = text(error, ContextKind::InvalidArg).unwrap_or_default();
    let typed = typed.split(' ').next().unwrap_or_default().to_owned();
    // The tip that it may be a PATH helps only if there is such a file.
    if Path::new(&typed).symlink_metadata().is_err() {
        error.remove(ContextKind::Suggested);
    }
    // `--url-map` looks like it, but whoever types `--url` has a URL.
    if typed == "--url" && text(error, ContextKind::SuggestedArg).is_some() {
        let meant = ContextValue::String("--base-url".to_owned());
        error.insert(ContextKind::SuggestedArg, meant);
        // It would show the option that was guessed.
        error.remove(ContextKind::Usage);
    }
}

/// What to type instead of a path without a command.
pub(super) fn without_command(error: &Error) -> Option<String> {
    let typed = text(error, ContextKind::InvalidSubcommand)?;
    let is_path = typed.contains(['/', '.']) || Path::new(typed).exists();
    (error.kind() == ErrorKind::InvalidSubcommand && is_path).then(|| {
        format!(
            "`{typed}` is no command, and a PATH comes after one: `abslink check {typed}` lists its relative \
             references, `abslink rewrite --help` says how to make them absolute"
        )
    })
}

/// What to type instead of an option before the command.
pub(super) fn before_command(error: &Error, typed: &[OsString]) -> Option<String> {
    let option = text(error, ContextKind::InvalidArg)?
        .split([' ', '='])
        .next()?;
    let is_it = |typed: &OsString| typed.to_string_lossy().starts_with(option);
    let commands = Args::command();
    let is_command = |typed: &OsString| commands.find_subcommand(typed).is_some();
    // The first one is the program.
    let before = typed.iter().skip(1).take_while(|typed| !is_it(typed));
    if error.kind() != ErrorKind::UnknownArgument || before.into_iter().any(is_command) {
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
    Some(
        match known.contains(&"check") && known.contains(&"rewrite") {
            true => format!(
                "`{option}` comes after a command: `abslink check {option} ...` lists relative references, \
             `abslink rewrite {option} ...` makes them absolute"
            ),
            false => {
                let command = known.first()?;
                format!("`{option}` comes after its command: `abslink {command} {option} ...`")
            }
        },
    )
}

fn text(error: &Error, kind: ContextKind) -> Option<&str> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text),
        _ => None,
    }
}
