//! The help as it is shown: it begins with the examples of the command, `--help` groups the options, and `-h`
//! shows the everyday ones.

use std::ffi::OsString;

use clap::{Command, CommandFactory as _};

use super::Args;

/// The headings of `--help` for commands that read files, and the options below each, by their fields.
const HEADINGS: [(&str, &str); 9] = [
    ("Output", "output in_place backup copy_others dry_run diff"),
    ("Files to read", "ext detect include exclude follow read_as"),
    ("Base URL", "base_url root repo"),
    (
        "Mirrors",
        "layout scheme any_host index url_map url_from converted_links only_missing unwrap",
    ),
    (
        "Links to change",
        "also skip only attr exclude_url fragments placeholders resolver charset",
    ),
    ("Relative links", "to site try_ext remove_base move_url"),
    (
        "Feeds, mail, archives, rows",
        "feed_base field url_field delimiter warc_as",
    ),
    (
        REPORTING,
        "list_files formats format conflicts strict allow_empty quiet verbose progress color \
         show_passwords baseline write_baseline",
    ),
    ("Other", "jobs verify fsync config no_config gitignore"),
];

pub(super) const REPORTING: &str = "Reporting";

/// Where `--color`, which all commands have, stands among the options.
pub(super) const COLOR: usize = 60;

/// The options that `-h` shows, by their fields.
const EVERYDAY: &str = "paths output in_place backup copy_others dry_run diff base_url layout \
                        to ext exclude include follow read_as also only formats format \
                        conflicts strict list_files quiet verbose jobs";

/// Those that `check -h` shows as well: what a CI job needs.
const FOR_CI: &str = "exclude_url gitignore baseline write_baseline";

/// The forms of commands that people use, for usage lines and manual pages.
pub(crate) const FORMS: [(&str, &[&str]); 10] = [
    (
        "rewrite",
        &[
            "-o DIR [--copy-others] [OPTIONS] PATH...",
            "-i [--backup SUFFIX] [OPTIONS] PATH...",
            "-n|--diff [OPTIONS] PATH...",
            "[OPTIONS] FILE|-",
        ],
    ),
    ("check", &["[OPTIONS] PATH..."]),
    ("links", &["[OPTIONS] PATH..."]),
    ("base", &["[OPTIONS] PATH..."]),
    ("restore", &["--backup SUFFIX [-n] [--force] PATH..."]),
    (
        "resolve",
        &[
            "-b URL [--to FORM] [OPTIONS] [REFERENCE...]",
            "-b URL --explain|--compare [OPTIONS] [REFERENCE...]",
        ],
    ),
    ("parse", &["[--format FORMAT] [URL...]"]),
    ("config", &["[--config FILE] [--format FORMAT]"]),
    ("completions", &["SHELL"]),
    ("man", &["[COMMAND]", "-o DIR [COMMAND]"]),
];

/// The line before the examples in the documentation of a command.
const EXAMPLES: &str = "Examples:\n";

/// The tool with its help, as these arguments ask for it.
pub(crate) fn help(typed: &[OsString]) -> Command {
    shown(typed.iter().any(|typed| typed == "-h"))
}

/// The tool, with its options below their headings.
pub(crate) fn grouped() -> Command {
    Args::command().mut_subcommands(|mut command| {
        if !reads_files(&command) {
            return command;
        }
        let mut order = 0;
        for (heading, options) in HEADINGS {
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
