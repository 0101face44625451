//! The help as it is shown: it begins with the examples of the command, and `-h` shows the most used
//! options on one screen.
//!

use std::ffi::OsString;

use clap::{Command, CommandFactory as _};

use super::Args;

/// The options, by their fields, that `-h` shows for a command that reads documents. `--help` shows
/// all.
const MOST_USED: [&str; 16] = [
    "paths",
    "output",
    "in_place",
    "dry_run",
    "diff",
    "copy_others",
    "backup",
    "verify",
    "base_url",
    "layout",
    "scheme",
    "url_map",
    "conflicts",
    "strict",
    "format",
    "formats",
];

/// The line before the examples in the documentation of a command.
const EXAMPLES: &str = "Examples:\n";

/// The tool with its help, as these arguments ask for it.
pub(crate) fn help(typed: &[OsString]) -> Command {
    shown(typed.iter().any(|typed| typed == "-h"))
}

/// `is_short`: for `-h`.
pub(super) fn shown(is_short: bool) -> Command {
    Args::command().mut_subcommands(|command| {
        let about = command.get_long_about().map(ToString::to_string);
        let about = about.unwrap_or_default();
        let Some((about, examples)) = about.split_once(EXAMPLES) else {
            return command;
        };
        let examples = format!("{EXAMPLES}{}", examples.trim_end());
        let about = about.trim_end().to_owned();
        let command = command.long_about(about).before_help(examples);
        if !is_short || command.get_arguments().all(|it| it.get_id() != "paths") {
            return command;
        }
        command.mut_args(|option| {
            let id = option.get_id().to_string();
            let id = id.as_str();
            let (is_hidden, lists_values) = (!MOST_USED.contains(&id), id == "layout");
            let option = if option.get_action().takes_values() {
                option
                    .hide_default_value(true)
                    .hide_possible_values(!lists_values)
            } else {
                option
            };
            // One long value would leave less room for the descriptions of the others.
            let option = if id == "formats" {
                option.value_name("FORMAT")
            } else {
                option
            };
            // A heading for two or three options would take more room than the options.
            option.help_heading(None).hide(is_hidden)
        })
    })
}
