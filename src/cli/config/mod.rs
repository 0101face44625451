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
use clap::{ArgMatches, CommandFactory as _, Parser as _};

use crate::cli::args::Args;
use crate::cli::run::used::{PartOfTree, UsedSettings};
use crate::cli::terminal::print::{self, PathLine};
use file::{SettingsFile, UnreadableFile};
use keys::{FilesTable, ProjectSettings, SettingError};
use layers::TypedOptions;

mod file;
mod keys;
mod layers;
mod reader;
mod tables;

pub(crate) use keys::{Setting, SettingValue};
pub(crate) use tables::{Table, tables};

/// Why the settings of a project cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConfigError {
    #[error("{}: {error}", PathLine(path))]
    File {
        path: PathBuf,
        error: UnreadableFile,
    },
    #[error("{}:{line}: {wrong}", PathLine(path))]
    Line {
        path: PathBuf,
        line: usize,
        wrong: SettingError,
    },
    #[error("{}: {reason}", PathLine(path))]
    Together { path: PathBuf, reason: String },
}

impl ConfigError {
    /// What to do about it.
    pub(crate) fn hint(&self) -> Option<&'static str> {
        match self {
            ConfigError::File {
                error: UnreadableFile::Foreign,
                ..
            } => Some("--config FILE uses it, --no-config ignores it"),
            ConfigError::File { .. } => Some("fix it, or run with --no-config"),
            ConfigError::Line { .. } | ConfigError::Together { .. } => None,
        }
    }
}

/// Arguments, those of a project among them.
pub(crate) struct CommandLine {
    pub(crate) arguments: Vec<OsString>,
    /// What of them is the project's, if it has settings.
    pub(crate) used: Option<UsedSettings>,
    /// The arguments for parts of the tree.
    pub(crate) parts: Vec<PartOfTree>,
}

impl CommandLine {
    /// The command. As it is for each part of the tree, it makes sense as well.
    pub(crate) fn parse(&self) -> Result<Args, clap::Error> {
        let mut args = Args::try_parse_from(&self.arguments)?;
        let mut tool = Args::command();
        // Whoever reads them later may rely on that.
        for part in &self.parts {
            tool.try_get_matches_from_mut(&part.arguments)?;
        }
        args.command.note(self.used.clone(), self.parts.clone());
        Ok(args)
    }

    /// Says beside an error that there are arguments which nobody typed.
    pub(crate) fn explain(&self) {
        if let Some(line) = self.used.as_ref().and_then(UsedSettings::line) {
            print::note(format_args!("{line}; --no-config ignores them"));
        }
    }
}

/// The definition of the arguments, in which each command has all of its options.
fn tool() -> clap::Command {
    let mut tool = Args::command();
    tool.build();
    tool
}

/// Adds the settings of a project to what was typed. What makes no sense as it was typed stays as it is:
/// whoever reads it says so.
pub(crate) fn add(typed: &[OsString]) -> Result<CommandLine, ConfigError> {
    let plain = || CommandLine {
        arguments: typed.to_vec(),
        used: None,
        parts: Vec::new(),
    };
    let is_named = |typed: &OsString| typed.to_string_lossy().starts_with("--config");
    let found = file::find();
    if found.is_none() && !typed.iter().any(is_named) {
        return Ok(plain());
    }
    let mut tool = tool();
    let Some((command, matches)) = parsed(&mut tool, typed) else {
        return Ok(plain());
    };
    let named = matches.get_one::<PathBuf>("config");
    let place = named.map(|path| SettingsFile::named(path)).or(found);
    let Some(place) = place.filter(|_| !matches.get_flag("no_config")) else {
        return Ok(plain());
    };
    let settings = read(&place, &mut tool)?;
    let options: Vec<String> = tool
        .find_subcommand(&command)
        .into_iter()
        .flat_map(clap::Command::get_arguments)
        .map(|option| option.get_id().to_string())
        .collect();
    let is_typed = |id: &&str| {
        matches.try_contains_id(id).is_ok()
            && matches.value_source(id) == Some(ValueSource::CommandLine)
    };
    let typed_options = TypedOptions {
        command: &command,
        ids: options.iter().map(|id| &**id).filter(is_typed).collect(),
        matches: &matches,
    };
    let mut merge = Merge {
        settings: &settings,
        place: &place,
        tool: &mut tool,
        typed,
        options: &typed_options,
    };
    let (counting, arguments) = merge.arguments(None)?;
    let mut names = names_of(&counting);
    let (mut parts, mut of_parts) = (Vec::new(), BTreeSet::new());
    if let Ok(directory) = or_here(&place.directory).canonicalize() {
        for part in &settings.parts {
            let (counting, arguments) = merge.arguments(Some(part))?;
            let is_kind = |key: &Setting| key.name == "as";
            let mut of_part = part.keys.iter().filter(|key| is_kind(key));
            let kind = counting.iter().find(|key| is_kind(key));
            let counts = |key: &&Setting| counting.iter().any(|it| it.line == key.line);
            of_parts.extend(part.keys.iter().filter(counts).map(|key| key.name.clone()));
            parts.push(PartOfTree {
                globs: part.globs.clone(),
                directory: directory.clone(),
                arguments,
                used: Some(used(&place, names_of(&counting))),
                has_one_kind: of_part.any(|key| kind.is_some_and(|kind| kind.line == key.line)),
            });
        }
    }
    names.extend((!parts.is_empty()).then(|| "files".to_owned()));
    let is_url_of_stdin = typed_options.is_piped() && names.iter().any(|name| name == "base-url");
    let used = UsedSettings {
        is_url_of_stdin,
        of_parts,
        ..used(&place, names)
    };
    Ok(CommandLine {
        arguments,
        used: Some(used),
        parts,
    })
}

/// The names of the settings that count, without what follows from them.
fn names_of(counting: &[Setting]) -> Vec<String> {
    let names = counting.iter().filter(|key| !key.is_implied && key.is_on());
    names.map(|key| key.name.clone()).collect()
}

fn used(place: &SettingsFile, names: Vec<String>) -> UsedSettings {
    UsedSettings {
        path: place.path.clone(),
        names,
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
    keys::COMMANDS
        .contains(&&*command)
        .then_some((command, matches))
}

/// The settings in a file, all of which make sense.
fn read(place: &SettingsFile, tool: &mut clap::Command) -> Result<ProjectSettings, ConfigError> {
    let path = || place.path.clone();
    let text = place.read().map_err(|error| {
        let path = path();
        ConfigError::File { path, error }
    })?;
    reader::settings(&text, tool).map_err(|(at, wrong)| ConfigError::Line {
        path: path(),
        line: keys::line(&text, at),
        wrong,
    })
}

/// The settings that count, with what follows from them. Where a file gives the URL of a tree and no `root`, the
/// URL stands for the one directory that `paths` names, or for that of the file, as it does for a part:
/// whatever PATH is typed, a page then has the same URL.
fn counting(
    settings: &ProjectSettings,
    part: Option<&FilesTable>,
    tool: &clap::Command,
    typed: &TypedOptions<'_>,
    place: &SettingsFile,
) -> Vec<Setting> {
    let mut counting = layers::counting(settings, part, tool, typed);
    let gives_url = |key: &&Setting| ["base_url", "layout", "url_map"].contains(&&*key.id);
    let has_root = typed.ids.contains("root") || counting.iter().any(|key| key.id == "root");
    let Some(of) = counting
        .iter()
        .find(gives_url)
        .filter(|_| !has_root && !typed.is_piped())
    else {
        return counting;
    };
    let paths_of = |table: Option<&str>| {
        let mut keys = settings.keys.iter();
        keys.find(|key| key.is_paths() && key.command.as_deref() == table)
    };
    let is_of_part = part.is_some_and(|part| part.keys.iter().any(|key| gives_url(&key)));
    let paths = paths_of(Some(typed.command)).or_else(|| paths_of(None));
    let directory = match paths.map(|paths| &paths.value) {
        Some(SettingValue::Texts(texts)) if texts.len() == 1 && !is_of_part => texts.first(),
        _ => None,
    };
    let directory = directory.filter(|path| place.directory.join(path).is_dir());
    let root = Setting::root(of, directory.map_or(".", |path| path));
    counting.push(root);
    counting.sort_by_key(|key| key.line);
    counting
}

/// Makes arguments of settings.
struct Merge<'m> {
    settings: &'m ProjectSettings,
    place: &'m SettingsFile,
    tool: &'m mut clap::Command,
    typed: &'m [OsString],
    options: &'m TypedOptions<'m>,
}

impl Merge<'_> {
    /// The settings that count, and all arguments: for a part of the tree, or for the whole.
    fn arguments(
        &mut self,
        part: Option<&FilesTable>,
    ) -> Result<(Vec<Setting>, Vec<OsString>), ConfigError> {
        let (settings, options, place) = (self.settings, self.options, self.place);
        let mut counting = counting(settings, part, self.tool, options, place);
        if part.is_some() {
            counting = counting.iter().map(Setting::in_part).collect();
        }
        layers::wait(options, &mut counting);
        let counting = self.met(counting);
        place.holds(&counting)?;
        let arguments = self.joined(self.typed, &counting);
        let parsed = self.tool.try_get_matches_from_mut(&arguments);
        match parsed {
            Err(error) if error.kind() == ErrorKind::ArgumentConflict => {
                let (path, reason) = (place.path.clone(), reader::reason(&error));
                Err(ConfigError::Together { path, reason })
            }
            _ => Ok((counting, arguments)),
        }
    }

    /// Takes out the settings that need an option which is neither typed nor set: `copy-others` says how -o is
    /// meant, and nothing about a run without it.
    fn met(&mut self, keys: Vec<Setting>) -> Vec<Setting> {
        if !self.lacks(self.typed, &keys) {
            return keys;
        }
        let alone = ["abslink", self.options.command, "."].map(OsString::from);
        let (needy, mut kept): (Vec<Setting>, Vec<Setting>) = keys
            .into_iter()
            .partition(|key| !key.is_paths() && self.lacks(&alone, std::slice::from_ref(key)));
        for key in needy {
            kept.push(key);
            if self.lacks(self.typed, &kept) {
                kept.pop();
            }
        }
        kept
    }

    fn lacks(&mut self, typed: &[OsString], keys: &[Setting]) -> bool {
        let arguments = self.joined(typed, keys);
        let parsed = self.tool.try_get_matches_from_mut(arguments);
        parsed.is_err_and(|error| error.kind() == ErrorKind::MissingRequiredArgument)
    }

    /// Settings as arguments: behind the command and before all that was typed, but for the PATHs, which come
    /// last.
    fn joined(&self, typed: &[OsString], keys: &[Setting]) -> Vec<OsString> {
        let is_command = |typed: &OsString| typed == self.options.command;
        // No value of an option before it has such a name.
        let behind = typed.iter().position(is_command).map_or(0, |at| at + 1);
        let (before, rest) = typed.split_at(behind);
        let directory = &self.place.directory;
        let arguments = |paths: bool| {
            let keys = keys.iter().filter(move |key| key.is_paths() == paths);
            keys.flat_map(move |key| key.arguments(directory))
        };
        let before = before.iter().cloned();
        let options = before.chain(arguments(false)).chain(rest.iter().cloned());
        options.chain(arguments(true)).collect()
    }
}

/// The directory that a path from a file begins at, as a person would type it.
fn or_here(directory: &Path) -> &Path {
    if directory.as_os_str().is_empty() {
        Path::new(".")
    } else {
        directory
    }
}
