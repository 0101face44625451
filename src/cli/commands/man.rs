//! `abslink man`: manual pages, made from the definition of the arguments.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use clap_mangen::Man;

use crate::cli::args;
use crate::cli::run::exit::{self, Exit};
use crate::cli::terminal::print::cannot_write;

/// The date of the manual pages: a constant, so the same program gives the same pages.
const DATE: &str = "2026-11-21";

/// Writes the page of a command, or each to a file of its own in `directory`.
pub(crate) fn run(
    asked: Option<&str>,
    directory: Option<&Path>,
    out: &mut dyn Write,
) -> io::Result<Exit> {
    // `help` has no page: the pages are made from it.
    let mut abslink = args::grouped().disable_help_subcommand(true);
    abslink.build();
    if let Some(directory) = directory {
        fs::create_dir_all(directory).map_err(|error| cannot_write(directory, &error))?;
    }
    let commands = abslink.get_subcommands().cloned();
    for command in [abslink.clone()].into_iter().chain(commands) {
        let is_asked = match (asked, directory) {
            (Some(asked), _) => command.get_name() == asked,
            (None, Some(_)) => true,
            (None, None) => command.get_name() == "abslink",
        };
        if !is_asked {
            continue;
        }
        let name = match command.get_name() {
            "abslink" => "abslink".to_owned(),
            other => format!("abslink-{other}"),
        };
        let mut roff = Vec::new();
        page(&name, command, &mut roff)?;
        match directory {
            None => out.write_all(&roff)?,
            Some(directory) => {
                let path = directory.join(format!("{name}.1"));
                fs::write(&path, roff).map_err(|error| cannot_write(&path, &error))?;
            }
        }
    }
    Ok(Exit::Done)
}

/// The page of one command: its examples and exit codes get the sections that
/// manual pages have for them.
fn page(name: &str, command: clap::Command, out: &mut dyn Write) -> io::Result<()> {
    let text = |styled: Option<&clap::builder::StyledStr>| styled.map(ToString::to_string);
    let about = text(command.get_long_about()).unwrap_or_default();
    let after = text(command.get_after_long_help()).unwrap_or_default();
    let (about, in_about) = examples(&about);
    let (_, in_after) = examples(&after);
    let examples = [in_about, in_after].concat();
    let has_codes = after.contains(exit::TABLE);
    let about = match about.trim() {
        "" => text(command.get_about()).unwrap_or_default(),
        about => about.to_owned(),
    };
    let bare = (command.long_about(about))
        .after_help("")
        .after_long_help("");
    let man = Man::new(bare)
        .title(name.to_uppercase())
        .date(DATE)
        .source(concat!("abslink ", env!("CARGO_PKG_VERSION")))
        .manual("User Commands");
    man.render_title(out)?;
    man.render_name_section(out)?;
    synopsis(name, out)?;
    man.render_description_section(out)?;
    man.render_options_section(out)?;
    if name == "abslink" {
        man.render_subcommands_section(out)?;
    }
    if has_codes {
        let rows = exit::TABLE.lines().skip(1).collect::<Vec<_>>();
        section("EXIT STATUS", &rows, out)?;
    }
    if !examples.is_empty() {
        section("EXAMPLES", &examples, out)?;
    }
    Ok(())
}

/// The forms of a command that people use.
fn synopsis(name: &str, out: &mut dyn Write) -> io::Result<()> {
    let (mut lines, mut last) = (Vec::new(), "");
    for (command, form) in args::forms() {
        let is_own = name.strip_prefix("abslink-") == Some(command);
        if is_own || name == "abslink" && last != command {
            lines.push(format!("abslink {command} {form}"));
        }
        last = command;
    }
    section("SYNOPSIS", &lines, out)
}

/// What comes before the examples in a text, and the lines of the examples.
fn examples(text: &str) -> (&str, Vec<&str>) {
    let Some((before, behind)) = text.split_once("Examples:\n") else {
        return (text, Vec::new());
    };
    let behind = behind.split(exit::TABLE).next().unwrap_or_default();
    (before, behind.trim_end().lines().collect())
}

/// A section whose lines are not filled.
fn section(title: &str, lines: &[impl AsRef<str>], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, ".SH \"{title}\"\n.nf")?;
    for line in lines {
        // A line that begins with a dot or a quote is a request; a hyphen to be typed is not a
        // dash.
        let line = line.as_ref().replace('\\', "\\e").replace('-', "\\-");
        writeln!(out, "\\&{line}")?;
    }
    writeln!(out, ".fi")
}
