//! Reads keys of abslink.toml by the definition of the arguments. A struct for serde would list them and their types a
//! second time, and would have to say what clap says better: which name was meant, and why a value is wrong.

use std::any::TypeId;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use abslink_url::{BaseUrl, pre_step};
use clap::error::{ContextKind, ErrorKind};
use clap::{Arg, ArgAction, Command, Error};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::file::SettingsFile;
use super::keys::{self, COMMANDS, FilesTable, PATHS, Setting, SettingValue, option, options};
use crate::batch::Globs;
use crate::cli::args::{UsageError, tips};
use crate::cli::terminal::passwords::{self, masked};

/// The tables for parts of the tree.
const FILES: &str = "files";

/// How many of them there may be. Each is a plan of its own, and its patterns take hundreds of times their length.
const MOST_PARTS: usize = 4096;

/// How long their patterns may be together.
const MOST_OF_PATTERNS: usize = 64 << 10;

const INCLUDE: &str = "include";

/// The options that a part may have: those about a document.
const OF_PART: [&str; 6] = ["as", "base-url", "layout", "only", "root", "skip"];

/// What a file never says: somebody else's project must not make a run write, show what is hidden, or take
/// along what lies outside, as a link in the project with `-o` and `copy-others` would.
const NEVER: [&str; 6] = [
    "in-place",
    "output",
    "backup",
    "write-baseline",
    "follow",
    "show-passwords",
];

/// The settings of a text, in its order.
pub(super) fn settings(
    file: &SettingsFile,
    tool: &mut Command,
) -> Result<(Vec<Setting>, Vec<FilesTable>), UsageError> {
    let table = DeTable::parse(&file.text).map_err(|error| {
        let at = error.span().unwrap_or_default().start;
        file.error(at, error.message())
    })?;
    let mut reader = Reader { file, tool };
    let (mut keys, mut parts) = (Vec::new(), Vec::new());
    let mut length = 0;
    for (name, value) in in_order(table.get_ref()) {
        let (at, is_command) = (name.span().start, COMMANDS.contains(&&**name.get_ref()));
        match (&**name.get_ref(), value.get_ref()) {
            (command, DeValue::Table(table)) if is_command => {
                for (key, value) in in_order(table) {
                    keys.push(reader.key(Some(command), key, value)?);
                }
            }
            (command, _) if is_command => {
                let needed = "a table of the options of a command";
                let wrong = format!("`{command}`: expected {needed}, as in [{command}]");
                return Err(file.error(at, &wrong));
            }
            (FILES, DeValue::Array(tables)) => {
                for table in tables.iter() {
                    let part = reader.part(table)?;
                    length += part.include.texts().iter().map(String::len).sum::<usize>();
                    if parts.len() == MOST_PARTS || length > MOST_OF_PATTERNS {
                        let wrong = format!(
                            "too many [[files]]: at most {MOST_PARTS}, whose patterns have at most {} KiB together",
                            MOST_OF_PATTERNS >> 10
                        );
                        return Err(file.error(table.span().start, &wrong));
                    }
                    parts.push(part);
                }
            }
            (FILES, _) => return Err(file.error(at, NO_PARTS)),
            (name, DeValue::Table(_)) => {
                let nearest = reader.suggested(&["abslink", name]);
                let nearest = nearest.filter(|nearest| COMMANDS.contains(&&**nearest));
                let instead = match nearest {
                    Some(nearest) => format!("did you mean [{nearest}]?"),
                    None => "expected [rewrite], [check], [links], [base] or [[files]]".to_owned(),
                };
                let wrong = format!("unknown table [{name}]; {instead}");
                return Err(file.error(at, &wrong));
            }
            _ => keys.push(reader.key(None, name, value)?),
        }
    }
    Ok((keys, parts))
}

const NO_PARTS: &str = "`files`: expected a table for each part of the tree, as in [[files]]";

type TomlKey<'t> = Spanned<std::borrow::Cow<'t, str>>;

fn in_order<'a, 't>(table: &'a DeTable<'t>) -> Vec<(&'a TomlKey<'t>, &'a Spanned<DeValue<'t>>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(name, _)| name.span().start);
    entries
}

struct Reader<'a> {
    file: &'a SettingsFile,
    tool: &'a mut Command,
}

impl Reader<'_> {
    fn key(
        &mut self,
        table: Option<&str>,
        key: &TomlKey<'_>,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<Setting, UsageError> {
        let (name, at) = (&**key.get_ref(), key.span().start);
        if NEVER.contains(&name) {
            return Err(self.file.error(at, &never(&format!("`{name}`"))));
        }
        let commands = table.map_or(COMMANDS.to_vec(), |table| vec![table]);
        let has = |command: &&str| option(self.tool, command, name).is_some();
        let having: Vec<&str> = commands.iter().copied().filter(has).collect();
        let Some(option) = having.first().and_then(|it| option(self.tool, it, name)) else {
            let nearest = tips::key_for(name).map(str::to_owned);
            let nearest = nearest.or_else(|| commands.iter().find_map(|it| self.nearest(it, name)));
            let of = table.map_or(String::new(), |table| format!(" in [{table}]"));
            let meant = nearest.map_or(String::new(), |it| format!("; did you mean `{it}`?"));
            let wrong = format!("unknown key `{name}`{of}{meant}");
            return Err(self.file.error(at, &wrong));
        };
        let setting = Setting {
            command: table.map(str::to_owned),
            name: name.to_owned(),
            holds_paths: option.get_value_parser().type_id() == TypeId::of::<PathBuf>(),
            value: self.value(option, name, value)?,
            at,
            line: self.file.line(at),
            is_implied: false,
        };
        passwords::remember_setting(name, setting.texts());
        let wrong = self.unsafe_in(&setting).or_else(|| useless(&setting));
        let wrong = wrong.or_else(|| self.refused_by(&having, &setting));
        match wrong {
            Some(wrong) => Err(self.file.error(value.span().start, &wrong)),
            None => Ok(setting),
        }
    }

    /// A table of `[[files]]`.
    fn part(&mut self, table: &Spanned<DeValue<'_>>) -> Result<FilesTable, UsageError> {
        let DeValue::Table(entries) = table.get_ref() else {
            return Err(self.file.error(table.span().start, NO_PARTS));
        };
        let (mut include, mut keys) = (None, Vec::new());
        for (key, value) in in_order(entries) {
            let name = &**key.get_ref();
            if name == INCLUDE {
                include = Some(self.key(Some("check"), key, value)?);
            } else if OF_PART.contains(&name) {
                keys.push(self.key(None, key, value)?);
            } else {
                let known = OF_PART.join(", ");
                let wrong = format!("unknown key `{name}` in [[files]]; expected include, {known}");
                return Err(self.file.error(key.span().start, &wrong));
            }
        }
        let missing = "[[files]] has no include, which says which files it is about, as in include = [\"blog/**\"]";
        let include = include.ok_or_else(|| self.file.error(table.span().start, missing))?;
        let globs = Globs::new(include.texts());
        Ok(FilesTable {
            globs: globs.map_err(|error| self.file.error(include.at, &error.to_string()))?,
            include,
            keys,
        })
    }

    /// A value of the kind that an option has.
    fn value(
        &self,
        option: &Arg,
        name: &str,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<SettingValue, UsageError> {
        let is_flag = matches!(option.get_action(), ArgAction::SetTrue);
        let is_number = option.get_value_parser().type_id() == TypeId::of::<u16>();
        let is_list = matches!(option.get_action(), ArgAction::Append);
        let may_be_bare = option.get_num_args().is_some_and(|it| it.min_values() == 0);
        let wrong = |value: &Spanned<DeValue<'_>>| {
            let (needed, example) = match () {
                () if is_flag => ("true or false", "true"),
                () if is_list => ("a string, or an array of strings", "[\"one\", \"two\"]"),
                () if is_number => ("a number", "4"),
                () => ("a string", "\"text\""),
            };
            let wrong = format!("`{name}`: expected {needed}, as in {name} = {example}");
            self.file.error(value.span().start, &wrong)
        };
        let text = |item: &Spanned<DeValue<'_>>| match item.get_ref() {
            DeValue::String(text) if !is_flag && !is_number => Ok(text.to_string()),
            _ => Err(wrong(item)),
        };
        Ok(match value.get_ref() {
            DeValue::Boolean(is_on) if may_be_bare => SettingValue::Flag(*is_on),
            DeValue::Integer(number) if is_number => {
                let decimal = i128::from_str_radix(number.as_str(), number.radix());
                SettingValue::Number(
                    decimal.map_or_else(|_| number.to_string(), |it| it.to_string()),
                )
            }
            DeValue::Array(items) if is_list => {
                let texts: Result<Vec<String>, _> = items.iter().map(text).collect();
                SettingValue::Texts(texts?.into())
            }
            _ => SettingValue::Texts([text(value)?].into()),
        })
    }

    /// The option that was meant, as far as clap guesses it.
    fn nearest(&mut self, command: &str, name: &str) -> Option<String> {
        // For clap that is no option.
        if name.to_lowercase().trim_end_matches('s') == "path" {
            return Some(PATHS.to_owned());
        }
        let letter = |option: &&Arg| option.get_short().is_some_and(|it| name == it.to_string());
        let short = options(self.tool, command).find(letter).map(keys::name);
        let nearest = match short {
            Some(long) => long.to_owned(),
            None => self.suggested(&["abslink", command, &format!("--{name}"), "."])?,
        };
        let is_key = option(self.tool, command, &nearest).is_some() && !NEVER.contains(&&*nearest);
        is_key.then_some(nearest)
    }

    /// The name that clap suggests instead of the last one of these.
    fn suggested(&mut self, arguments: &[&str]) -> Option<String> {
        let error = self.tool.try_get_matches_from_mut(arguments).err()?;
        let kinds = [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand];
        let nearest = kinds.iter().find_map(|kind| tips::text(&error, *kind));
        Some(nearest?.trim_start_matches('-').to_owned())
    }

    /// What would write, or lead out of the project.
    fn unsafe_in(&self, key: &Setting) -> Option<String> {
        if key.name == "format" && key.texts().iter().any(|text| text.contains('=')) {
            return Some(never("a file in `format`"));
        }
        let mut paths = key.texts().iter().filter(|_| key.holds_paths);
        let outside = paths.find(|path| !self.file.holds(path))?;
        let reason = "is outside the directory of abslink.toml; give it on the command line";
        Some(format!("{outside} {reason}"))
    }

    /// Why one of these commands does not take the value.
    fn refused_by(&mut self, commands: &[&str], key: &Setting) -> Option<String> {
        let mut commands = commands.iter().enumerate();
        commands.find_map(|(at, command)| {
            let reason = self.refused(command, key)?;
            Some(match at {
                0 => reason,
                // Those before it take the value.
                _ => format!("{reason} (in {command}; a table such as [check] is for one command)"),
            })
        })
    }

    /// Why a command does not take the value. What it needs besides may be typed.
    fn refused(&mut self, command: &str, key: &Setting) -> Option<String> {
        let mut arguments = vec!["abslink".into(), command.into()];
        arguments.extend(key.arguments(Path::new("")));
        let error = self.tool.try_get_matches_from_mut(&arguments).err()?;
        let is_of_value = matches!(
            error.kind(),
            ErrorKind::InvalidValue | ErrorKind::ValueValidation | ErrorKind::InvalidUtf8
        );
        is_of_value.then(|| reason(&error, &arguments))
    }
}

/// Why clap does not take arguments, in the words of the file.
pub(super) fn reason(error: &Error, arguments: &[OsString]) -> String {
    let refused = tips::explain(error, arguments);
    let hint = refused.hints.first();
    let hint = hint.map(|hint| format!("\nhint: {hint}"));
    let reason = format!("{refused}{}", hint.unwrap_or_default());
    reason.trim_start_matches("--").to_owned()
}

fn never(what: &str) -> String {
    format!("{what} is not allowed in abslink.toml, for safety: give it on the command line")
}

/// What clap takes for a value, and no run does.
fn useless(key: &Setting) -> Option<String> {
    match &*key.name {
        "base-url" => {
            let url = key.texts().first()?;
            let reason = BaseUrl::parse(&pre_step(url)).err()?;
            Some(format!("base-url {}: {reason}", masked(url)))
        }
        INCLUDE | "exclude" => {
            let error = Globs::new(key.texts()).err()?;
            Some(format!("{}: {error}", key.name))
        }
        _ => None,
    }
}
