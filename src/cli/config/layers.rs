//! Which settings count: what is typed comes before what is set for a part of the tree, then come the table of the
//! command and what is set for all commands. A later layer gives way where the two exclude each other.

use std::collections::BTreeSet;
use std::ffi::OsString;

use abslink_html::To;
use clap::error::ErrorKind;
use clap::{Arg, Command};

use super::keys::{FilesTable, PATHS, ProjectSettings, Setting, SettingValue, option};
use crate::cli::args::UsageError;

/// The options that say together which URL documents were retrieved from. One of the first four that is
/// typed is about the PATH that is typed, and none of these settings is.
const LOCATION: [&str; 8] = [
    "base-url", "repo", "layout", "url-map", "root", "any-host", "scheme", "url-from",
];

/// Makes arguments of settings, and of what was typed.
pub(super) struct Merge<'m> {
    pub(super) settings: &'m ProjectSettings,
    pub(super) tool: &'m mut Command,
    pub(super) typed: &'m [OsString],
    pub(super) command: &'m str,
    /// The options that were typed, by their keys.
    pub(super) names: BTreeSet<String>,
    /// The document is on standard input.
    pub(super) is_piped: bool,
    /// `--to`, if it was typed.
    pub(super) to: Option<To>,
}

impl Merge<'_> {
    fn has(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// The settings that make no sense beside what is typed, though each of the two is an option that may be
    /// typed with the other.
    fn fallen(&self) -> Vec<&'static str> {
        let mut fallen = Vec::new();
        if self.is_piped {
            // What is about names of files. The URL is that of the document, as it is where both are typed.
            fallen.extend(&LOCATION[2..]);
        }
        if LOCATION[..4].iter().any(|name| self.has(name)) {
            fallen.extend(LOCATION);
        }
        // These are for references that become absolute.
        if self.to.is_some_and(|to| to != To::Absolute) {
            fallen.push("only-missing");
        }
        if self.has("only-missing") {
            fallen.push("to");
        }
        fallen
    }

    /// The settings that count, and all arguments: for a part of the tree, or for the whole.
    pub(super) fn arguments(
        &mut self,
        part: Option<&FilesTable>,
    ) -> Result<(Vec<Setting>, Vec<OsString>), UsageError> {
        let mut counting = self.counting(part)?;
        if part.is_some() {
            counting.iter_mut().for_each(Setting::shorten);
        }
        self.wait(&mut counting);
        let counting = self.met(counting);
        let arguments = self.joined(self.typed, &counting);
        Ok((counting, arguments))
    }

    /// The settings that count, with what follows from them. Where a file gives the URL of a tree and no `root`, the
    /// URL stands for the one directory that `paths` names, or for that of the file, as it does for a part:
    /// whatever PATH is typed, a page then has the same URL.
    pub(super) fn counting(&self, part: Option<&FilesTable>) -> Result<Vec<Setting>, UsageError> {
        let gives_url = |key: &Setting| LOCATION[..3].contains(&&*key.name);
        let mut counting = self.layered(part)?;
        let has_root = self.has("root") || counting.iter().any(|key| key.name == "root");
        if let Some(at) = counting.iter().position(gives_url)
            && !has_root
            && !self.is_piped
        {
            let paths_of = |table: Option<&str>| {
                let mut keys = self.settings.keys.iter();
                keys.find(|key| key.name == PATHS && key.command.as_deref() == table)
            };
            let is_of_part = part.is_some_and(|part| part.keys.iter().any(gives_url));
            let paths = paths_of(Some(self.command)).or_else(|| paths_of(None));
            let directory = match paths.map_or(&[][..], Setting::texts) {
                [one] if !is_of_part && self.settings.file.directory.join(one).is_dir() => one,
                _ => ".",
            };
            let root = Setting {
                name: "root".to_owned(),
                value: SettingValue::Texts([directory.to_owned()].into()),
                holds_paths: true,
                is_implied: true,
                ..counting[at].clone()
            };
            counting.insert(at + 1, root);
        }
        Ok(counting)
    }

    fn layered(&self, part: Option<&FilesTable>) -> Result<Vec<Setting>, UsageError> {
        let (command, names) = (self.command, &self.names);
        let option = |name: &str| option(self.tool, command, name);
        let declares = |one: &Arg, other: &Arg| {
            let definition = self.tool.find_subcommand(command);
            let excluded = definition.map(|it| it.get_arg_conflicts_with(one));
            (excluded.iter().flatten()).any(|it| it.get_id() == other.get_id())
        };
        let excludes = |one: &str, other: &str| {
            option(one)
                .zip(option(other))
                .is_some_and(|(one, other)| declares(one, other) || declares(other, one))
        };
        let of = |table: Option<&str>| {
            let keys = self.settings.keys.iter();
            keys.filter(|key| key.command.as_deref() == table).collect()
        };
        let of_part: Vec<&Setting> = part.iter().flat_map(|part| &part.keys).collect();
        let fallen = self.fallen();
        let mut taken: Vec<Setting> = Vec::new();
        for layer in [of_part, of(Some(command)), of(None)] {
            let of_layers_before = taken.len();
            for key in layer {
                let is_named =
                    names.contains(&key.name) || taken.iter().any(|it| it.name == key.name);
                let is_excluded = |other: &str| key.is_on() && excludes(&key.name, other);
                if option(&key.name).is_none()
                    || is_named
                    || fallen.contains(&&*key.name)
                    || names.iter().any(|typed| is_excluded(typed))
                {
                    continue;
                }
                match taken
                    .iter()
                    .position(|it| it.is_on() && is_excluded(&it.name))
                {
                    None => taken.push(key.clone()),
                    Some(other) if other < of_layers_before => {}
                    Some(other) => {
                        let (name, other) = (&key.name, &taken[other].name);
                        let wrong = format!("{name} cannot be used with {other}");
                        return Err(self.settings.file.error(key.at, &wrong));
                    }
                }
            }
        }
        taken.sort_by_key(|key| key.at);
        Ok(taken)
    }

    /// Takes out what says how another option is meant, as long as that is missing.
    fn wait(&self, taken: &mut Vec<Setting>) {
        let is_on = |name: &str, taken: &[Setting]| {
            self.has(name) || taken.iter().any(|key| key.name == name && key.is_on())
        };
        let set = taken.iter().find(|key| key.name == "to");
        let set = set.and_then(|key| key.texts().first()).cloned();
        let to = self.to.map(|to| to.name().to_owned()).or(set);
        let to = to.unwrap_or_else(|| To::Absolute.name().to_owned());
        // A document or a diff on standard output leaves no room for anything else.
        let goes_somewhere = ["output", "in-place", "dry-run"]
            .iter()
            .any(|name| is_on(name, taken));
        let has_stdout = self.command != "rewrite" || goes_somewhere && !is_on("diff", taken);
        taken.retain(|key| match &*key.name {
            "try-ext" => to == To::Files.name(),
            "site" => ![To::Absolute, To::Keep].map(To::name).contains(&&*to),
            "format" | "list-files" => has_stdout,
            _ => true,
        });
    }

    /// Takes out the settings that need an option which is neither typed nor set: `copy-others` says how -o is
    /// meant, and nothing about a run without it.
    fn met(&mut self, keys: Vec<Setting>) -> Vec<Setting> {
        let typed = self.typed;
        if !self.lacks(typed, &keys) {
            return keys;
        }
        let alone = ["abslink", self.command, "."].map(OsString::from);
        let (needy, mut taken): (Vec<Setting>, Vec<Setting>) = keys
            .into_iter()
            .partition(|key| self.lacks(&alone, std::slice::from_ref(key)));
        for key in needy {
            taken.push(key);
            if self.lacks(typed, &taken) {
                taken.pop();
            }
        }
        taken
    }

    fn lacks(&mut self, typed: &[OsString], keys: &[Setting]) -> bool {
        let arguments = self.joined(typed, keys);
        let parsed = self.tool.try_get_matches_from_mut(arguments);
        parsed.is_err_and(|error| error.kind() == ErrorKind::MissingRequiredArgument)
    }

    /// Settings as arguments: behind the command and before all that was typed, but for the PATHs, which come
    /// last.
    fn joined(&self, typed: &[OsString], keys: &[Setting]) -> Vec<OsString> {
        let is_command = |typed: &OsString| typed == self.command;
        // No value of an option before it has such a name.
        let behind = typed.iter().position(is_command).map_or(0, |at| at + 1);
        let (before, rest) = typed.split_at(behind);
        let (paths, options): (Vec<&Setting>, Vec<&Setting>) =
            keys.iter().partition(|key| key.name == PATHS);
        let arguments = |key: &Setting| key.arguments(&self.settings.file.directory);
        let options = options.into_iter().flat_map(arguments);
        let paths = paths.into_iter().flat_map(arguments);
        let typed = before.iter().cloned().chain(options);
        typed.chain(rest.iter().cloned()).chain(paths).collect()
    }
}
