//! `abslink.toml`: options that a project keeps.
//!
//! ```text
//! file (found and read) -> reader (keys, each an option of clap's list) -> layers (which of them count) -> arguments
//! ```
//!
//! What counts becomes arguments beside those that were typed, so there is one list of options, one place
//! that reads their values, and one that knows which of them exclude each other.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, FromArgMatches as _};

use crate::cli::args::{Args, PartOfTree, UsageError, definition};
use crate::cli::run::used::UsedSettings;
use file::SettingsFile;
use keys::{COMMANDS, PATHS, ProjectSettings};
use layers::Merge;

mod file;
mod keys;
mod layers;
mod reader;

pub(crate) use keys::{Setting, SettingValue};

/// Arguments, those of a project among them.
pub(crate) struct CommandLine {
    pub(crate) arguments: Vec<OsString>,
    /// What of them is the project's, if it has settings.
    pub(crate) used: Option<UsedSettings>,
    pub(crate) args: Result<Args, clap::Error>,
}

/// The definition of the arguments, in which each command has all of its options.
fn tool() -> clap::Command {
    let mut tool = definition();
    tool.build();
    tool
}

/// Adds the settings of a project to what was typed. What makes no sense as it was typed stays as it is:
/// whoever reads it says so.
pub(crate) fn add(typed: &[OsString]) -> Result<CommandLine, UsageError> {
    let plain = || CommandLine {
        arguments: typed.to_vec(),
        used: None,
        args: parse(&mut definition(), typed),
    };
    let may_be_named = |typed: &OsString| typed.to_string_lossy().starts_with("--config");
    let found = file::find();
    if found.is_none() && !typed.iter().any(may_be_named) {
        return Ok(plain());
    }
    let mut tool = tool();
    let Some((command, matches)) = parsed(&mut tool, typed) else {
        return Ok(plain());
    };
    let named = matches.get_one::<PathBuf>("config").cloned();
    let is_named = named.is_some();
    let Some(path) = named.or(found).filter(|_| !matches.get_flag("no_config")) else {
        return Ok(plain());
    };
    let settings = read(path, is_named, &mut tool)?;
    let is_typed = |option: &&clap::Arg| {
        let id = option.get_id().as_str();
        matches.try_contains_id(id).is_ok()
            && matches.value_source(id) == Some(ValueSource::CommandLine)
    };
    let options = keys::options(&tool, &command).filter(is_typed);
    let names: BTreeSet<String> = options.map(keys::name).map(str::to_owned).collect();
    let mut paths = matches.get_many::<PathBuf>(PATHS).into_iter().flatten();
    let to = matches.try_get_one("to").ok().flatten();
    let mut merge = Merge {
        settings: &settings,
        tool: &mut tool,
        typed,
        command: &command,
        is_piped: paths.any(|path| path == Path::new("-")),
        to: to.copied().filter(|_| names.contains("to")),
        names,
    };
    let file = &settings.file;
    let (counting, arguments) = merge.arguments(None)?;
    let mut used = used(file, &counting);
    used.is_url_of_stdin = merge.is_piped && used.names.iter().any(|name| name == "base-url");
    let mut args = parse(merge.tool, &arguments);
    if let (Ok(whole), Some(directory)) = (&mut args, &file.real_directory) {
        let mut parts = Vec::new();
        for part in &settings.parts {
            let (counting, arguments) = merge.arguments(Some(part))?;
            let mut args = parse(merge.tool, &arguments).map_err(|error| {
                let reason = reader::reason(&error, &arguments);
                file.error(part.include.at, &reason)
            })?;
            if let Some(running) = args.command.running() {
                running.settings = Some(self::used(file, &counting));
            }
            let counts = |key: &&Setting| counting.iter().any(|it| it.at == key.at);
            let own = part.keys.iter().filter(counts);
            let own: BTreeSet<String> = own.map(|key| key.name.clone()).collect();
            parts.push(PartOfTree {
                globs: part.globs.clone(),
                directory: directory.clone(),
                command: args.command,
                has_one_kind: own.contains("as"),
            });
            used.of_parts.extend(own);
        }
        if !parts.is_empty() {
            used.names.push("files".to_owned());
        }
        if let Some(running) = whole.command.running() {
            (running.settings, running.parts) = (Some(used.clone()), parts);
        }
    }
    Ok(CommandLine {
        arguments,
        used: Some(used),
        args,
    })
}

fn parse(tool: &mut clap::Command, arguments: &[OsString]) -> Result<Args, clap::Error> {
    Args::from_arg_matches(&tool.try_get_matches_from_mut(arguments)?)
}

/// The settings that count, without what follows from them.
fn used(file: &SettingsFile, counting: &[Setting]) -> UsedSettings {
    let names = counting.iter().filter(|key| !key.is_implied && key.is_on());
    UsedSettings {
        path: file.path.clone(),
        names: names.map(|key| key.name.clone()).collect(),
        of_parts: BTreeSet::new(),
        is_url_of_stdin: false,
    }
}

/// What was typed: a command that has settings, and its options. What an option needs, or the PATH, may be
/// among the settings.
fn parsed(tool: &mut clap::Command, typed: &[OsString]) -> Option<(String, ArgMatches)> {
    let matches = match tool.try_get_matches_from_mut(typed) {
        Err(error) if error.kind() == ErrorKind::MissingRequiredArgument => {
            let lax = tool.clone().ignore_errors(true);
            lax.try_get_matches_from(typed)
        }
        matches => matches,
    };
    let (command, matches) = matches.ok()?.remove_subcommand()?;
    COMMANDS.contains(&&*command).then_some((command, matches))
}

/// The settings in a file, all of which make sense.
fn read(
    path: PathBuf,
    is_named: bool,
    tool: &mut clap::Command,
) -> Result<ProjectSettings, UsageError> {
    let file = SettingsFile::read(path, is_named)?;
    let (keys, parts) = reader::settings(&file, tool)?;
    Ok(ProjectSettings { file, keys, parts })
}

/// The settings of a command, or of a part of the tree (`files`).
pub(crate) type Table = (&'static str, Vec<Setting>);

/// The tables of the file at `named`, or of the nearest one, that set anything; and its path. As if nothing were typed.
pub(crate) fn tables(named: Option<&Path>) -> Result<Option<(PathBuf, Vec<Table>)>, UsageError> {
    let Some(path) = named.map(Path::to_owned).or_else(file::find) else {
        return Ok(None);
    };
    let mut tool = tool();
    let settings = read(path, named.is_some(), &mut tool)?;
    let mut tables = Vec::new();
    for command in COMMANDS {
        let merge = Merge {
            settings: &settings,
            tool: &mut tool,
            typed: &[],
            command,
            names: BTreeSet::new(),
            is_piped: false,
            to: None,
        };
        tables.push((command, merge.counting(None)?));
    }
    for part in settings.parts {
        let keys = [part.include].into_iter().chain(part.keys);
        tables.push(("files", keys.collect()));
    }
    tables.retain(|(_, keys)| !keys.is_empty());
    Ok(Some((settings.file.path, tables)))
}
