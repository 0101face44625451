//! The help as it is shown: it begins with the examples of the command, `--help` groups the options, and `-h`
//! shows the everyday ones.

use std::ffi::OsString;

use clap::{Arg, Command, CommandFactory as _};

use super::Args;

/// The headings of `--help` for commands that read files, and the options below each, by their fields.
const HEADINGS: &str = include_str!("headings.tsv");

pub(super) const REPORTING: &str = "Reporting";

/// Where `--color`, which all commands have, stands among the options.
pub(super) const COLOR: usize = 60;

/// The options that `-h` shows, by their fields.
const EVERYDAY: &str = "paths output in_place backup copy_others dry_run diff base_url layout \
                        to ext exclude include follow read_as also only formats format \
                        conflicts strict list_files quiet verbose jobs";

/// Those that `check -h` shows as well: what a CI job needs.
const FOR_CI: &str = "exclude_url gitignore baseline write_baseline";

/// The options whose text says what their values mean, and which is the default.
const EXPLAINED: &str = "color progress url_from resolver fragments placeholders skip only converted_links \
                         detect read_as feed_base fsync";

/// Commands with the forms of each that people use, for usage lines and manual pages.
pub(crate) fn forms() -> impl Iterator<Item = (&'static str, &'static str)> {
    rows(include_str!("forms.tsv"))
}

/// The names of all commands.
pub(crate) fn commands() -> Vec<&'static str> {
    let mut names = Vec::from_iter(forms().map(|(command, _)| command));
    names.dedup();
    names
}

/// The rows of a table with two columns.
pub(super) fn rows(table: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    table.lines().filter_map(|line| line.split_once('\t'))
}

/// The line before the examples in the documentation of a command.
const EXAMPLES: &str = "Examples:\n";

/// The tool with its help, as these arguments ask for it.
pub(crate) fn help(typed: &[OsString]) -> Command {
    shown(typed.iter().any(|typed| typed == "-h"))
}

/// The tool, with its options below their headings.
pub(crate) fn grouped() -> Command {
    let explained = |option: Arg| match EXPLAINED.split(' ').any(|id| option.get_id() == id) {
        true => option.hide_default_value(true).hide_possible_values(true),
        false => option,
    };
    let tool = Args::command().mut_args(explained);
    tool.mut_subcommands(|command| {
        let mut command = command.mut_args(explained);
        if !reads_files(&command) {
            return command;
        }
        let mut order = 0;
        for (heading, options) in rows(HEADINGS) {
            for id in options.split(' ') {
                order += 1;
                if command.get_arguments().any(|it| it.get_id() == id) {
                    // It also comes last of all, which puts the headings in this order.
                    command = command.mut_arg(id, |option| {
                        option.help_heading(heading).display_order(order)
                    });
                }
            }
        }
        command
    })
}

fn reads_files(command: &Command) -> bool {
    command.get_arguments().any(|it| it.get_id() == "hook")
}

/// `is_short`: for `-h`.
pub(super) fn shown(is_short: bool) -> Command {
    grouped().mut_subcommands(|command| {
        let about = command.get_long_about().map(ToString::to_string);
        let about = about.unwrap_or_default();
        let Some((about, examples)) = about.split_once(EXAMPLES) else {
            return command;
        };
        let examples = format!("{EXAMPLES}{}", examples.trim_end());
        let about = about.trim_end().to_owned();
        let command = command.long_about(about).before_help(examples);
        if !is_short {
            return command;
        }
        let reads_files = reads_files(&command);
        let own = match command.get_name() {
            "check" => FOR_CI,
            _ => "",
        };
        command.mut_args(|option| {
            let id = option.get_id().to_string();
            let everyday = EVERYDAY.split(' ').chain(own.split(' '));
            let place = everyday.into_iter().position(|it| it == id);
            let option = if option.get_action().takes_values() {
                option.hide_default_value(true).hide_possible_values(true)
            } else {
                option
            };
            // One long value would leave less room for the descriptions of the others.
            let option = if id == "formats" {
                option.value_name("FORMAT")
            } else {
                option
            };
            if !reads_files {
                return option;
            }
            // A heading for two or three options would take more room than the options.
            let option = option.help_heading(None).hide(place.is_none());
            option.display_order(place.unwrap_or_default())
        })
    })
}
