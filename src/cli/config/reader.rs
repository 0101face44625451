//! Reads keys of abslink.toml by the definition of the arguments.

use std::any::TypeId;
use std::path::{Path, PathBuf};

use abslink_url::{BaseUrl, pre_step};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, Command, Error};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::keys::{
    self, COMMANDS, FILES, FilesTable, INCLUDE, LineStarts, MOST_OF_PATTERNS, MOST_PARTS, NEVER,
    OF_PART, PATHS, ProjectSettings, Setting, SettingError, SettingValue, options,
};
use crate::batch::{GlobError, Globs};
use crate::cli::args::tips;
use crate::cli::terminal::passwords::{self, masked};
use crate::cli::terminal::print::OneLine;

type ReadResult<T> = Result<T, (usize, SettingError)>;

/// The settings of a text, in its order; an error comes with the byte that it is about.
pub(super) fn settings(text: &str, tool: &mut Command) -> ReadResult<ProjectSettings> {
    let table = DeTable::parse(text).map_err(|error| {
        let at = error.span().unwrap_or_default().start;
        (at, SettingError::Syntax(error.message().to_owned()))
    })?;
    let lines = LineStarts::of(text);
    let mut reader = Reader { lines, tool };
    let (mut keys, mut parts) = (Vec::new(), Vec::new());
    for (name, value) in in_order(table.get_ref()) {
        let is_command = COMMANDS.contains(&&**name.get_ref());
        match value.get_ref() {
            DeValue::Table(table) if is_command => {
                for (key, value) in in_order(table) {
                    keys.push(reader.key(Some(&**name.get_ref()), key, value)?);
                }
            }
            _ if is_command => {
                let key = name.get_ref().to_string();
                let example = format!("[{key}]");
                let needed = "a table of the options of a command";
                let wrong = SettingError::Type {
                    key,
                    needed,
                    example,
                };
                return Err((name.span().start, wrong));
            }
            DeValue::Array(tables) if name.get_ref() == FILES => {
                let mut length = 0;
                for table in tables.iter() {
                    let part = reader.part(table)?;
                    length += part.include.texts().iter().map(String::len).sum::<usize>();
                    if parts.len() == MOST_PARTS || length > MOST_OF_PATTERNS {
                        return Err((table.span().start, SettingError::TooManyParts));
                    }
                    parts.push(part);
                }
            }
            _ if name.get_ref() == FILES => return Err((name.span().start, no_parts())),
            DeValue::Table(_) => return Err((name.span().start, reader.no_table(name.get_ref()))),
            _ => keys.push(reader.key(None, name, value)?),
        }
    }
    Ok(ProjectSettings { keys, parts })
}

fn no_parts() -> SettingError {
    SettingError::Type {
        key: FILES.to_owned(),
        needed: "a table for each part of the tree",
        example: "[[files]]".to_owned(),
    }
}

type TomlKey<'t> = Spanned<std::borrow::Cow<'t, str>>;

fn in_order<'a, 't>(table: &'a DeTable<'t>) -> Vec<(&'a TomlKey<'t>, &'a Spanned<DeValue<'t>>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(name, _)| name.span().start);
    entries
}

/// Reads keys by the definition of the arguments.
struct Reader<'a> {
    lines: LineStarts,
    tool: &'a mut Command,
}

impl Reader<'_> {
    fn key(
        &mut self,
        table: Option<&str>,
        key: &TomlKey<'_>,
        value: &Spanned<DeValue<'_>>,
    ) -> ReadResult<Setting> {
        let name = key.get_ref().as_ref();
        let at = key.span().start;
        if NEVER.contains(&name) {
            return Err((at, SettingError::Never(format!("`{name}`"))));
        }
        let commands: Vec<&str> = match table {
            Some(table) => vec![table],
            None => COMMANDS.to_vec(),
        };
        let has = |command: &&str| self.option(command, name).is_some();
        let having: Vec<&str> = commands.iter().copied().filter(has).collect();
        let Some(option) = having.first().and_then(|first| self.option(first, name)) else {
            let instead = tips::key_for(name);
            let nearest = commands.iter().find_map(|it| self.nearest(it, name));
            let nearest = instead.map(str::to_owned).or(nearest);
            return Err((
                at,
                SettingError::Unknown {
                    key: name.to_owned(),
                    table: table.map(str::to_owned),
                    nearest,
                },
            ));
        };
        let holds_paths = option.get_value_parser().type_id() == TypeId::of::<PathBuf>();
        let id = option.get_id().to_string();
        let value = self::value(option, name, value)?;
        if let SettingValue::Texts(texts) = &value {
            passwords::remember_setting(name, texts);
        }
        let key = Setting {
            command: table.map(str::to_owned),
            name: name.to_owned(),
            id,
            value,
            holds_paths,
            line: self.lines.line(at),
            is_implied: false,
        };
        let wrong = key.outside().or_else(|| key.written());
        let wrong = wrong.or_else(|| useless(&key));
        let wrong = wrong.or_else(|| self.refused_by(&having, &key));
        wrong.map_or(Ok(key), |wrong| Err((at, wrong)))
    }

    /// A table of `[[files]]`.
    fn part(&mut self, table: &Spanned<DeValue<'_>>) -> ReadResult<FilesTable> {
        let DeValue::Table(entries) = table.get_ref() else {
            return Err((table.span().start, no_parts()));
        };
        let (mut include, mut keys) = (None, Vec::new());
        for (name, value) in in_order(entries) {
            if name.get_ref() == INCLUDE {
                let key = self.key(Some("check"), name, value)?;
                let globs = match &key.value {
                    SettingValue::Texts(texts) => Globs::new(&**texts),
                    _ => Ok(Globs::default()),
                };
                let wrong =
                    |error: GlobError| (value.span().start, SettingError::Value(error.to_string()));
                include = Some((key, globs.map_err(wrong)?));
            } else if OF_PART.contains(&&**name.get_ref()) {
                keys.push(self.key(None, name, value)?);
            } else {
                let key = name.get_ref().to_string();
                return Err((name.span().start, SettingError::NotOfPart(key)));
            }
        }
        let Some((include, globs)) = include else {
            return Err((table.span().start, SettingError::NoInclude));
        };
        Ok(FilesTable {
            include,
            globs,
            keys,
        })
    }

    fn option(&self, command: &str, name: &str) -> Option<&Arg> {
        let mut options = options(self.tool.find_subcommand(command)?);
        options.find(|option| keys::name(option) == name)
    }

    /// The option that was meant, as far as clap guesses it.
    fn nearest(&mut self, command: &str, name: &str) -> Option<String> {
        // For clap that is no option.
        if ["path", PATHS]
            .iter()
            .any(|it| name.eq_ignore_ascii_case(it))
        {
            return Some(PATHS.to_owned());
        }
        let letter = |option: &&Arg| option.get_short().is_some_and(|it| name == it.to_string());
        if let Some(option) = options(self.tool.find_subcommand(command)?).find(letter) {
            let long = keys::name(option);
            return (!NEVER.contains(&long)).then(|| long.to_owned());
        }
        let error = self.error(&["abslink", command, &format!("--{name}"), "."])?;
        let nearest = tips::suggested(&error, ContextKind::SuggestedArg)?;
        let nearest = nearest.trim_start_matches('-');
        let is_key = self.option(command, nearest).is_some() && !NEVER.contains(&nearest);
        is_key.then(|| nearest.to_owned())
    }

    fn no_table(&mut self, name: &str) -> SettingError {
        let error = self.error(&["abslink", name]);
        let nearest = error
            .as_ref()
            .and_then(|error| tips::suggested(error, ContextKind::SuggestedSubcommand))
            .filter(|nearest| COMMANDS.contains(nearest));
        SettingError::UnknownTable {
            key: name.to_owned(),
            nearest: nearest.map(str::to_owned),
        }
    }

    fn error(&mut self, arguments: &[&str]) -> Option<Error> {
        self.tool.try_get_matches_from_mut(arguments).err()
    }

    /// Why one of these commands does not take the value.
    fn refused_by(&mut self, commands: &[&str], key: &Setting) -> Option<SettingError> {
        let refusals = commands.iter().map(|it| self.refused(it, key));
        let refusals: Vec<Option<String>> = refusals.collect();
        let is_taken = refusals.iter().any(Option::is_none);
        let (command, reason) = commands
            .iter()
            .zip(refusals)
            .find_map(|(command, refusal)| Some((command, refusal?)))?;
        Some(SettingError::Value(if is_taken {
            format!("{reason} (in {command}; a table such as [check] is for one command)")
        } else {
            reason
        }))
    }

    /// Why a command does not take the value. What it needs besides may be typed.
    fn refused(&mut self, command: &str, key: &Setting) -> Option<String> {
        let mut arguments = vec!["abslink".into(), command.into()];
        arguments.extend(key.arguments(Path::new("")));
        let error = self.tool.try_get_matches_from_mut(arguments).err()?;
        let is_of_value = matches!(
            error.kind(),
            ErrorKind::InvalidValue | ErrorKind::ValueValidation | ErrorKind::InvalidUtf8
        );
        is_of_value.then(|| wrong_value(key, &error).unwrap_or_else(|| reason(&error)))
    }
}

/// What clap takes for a value, and no run does.
fn useless(key: &Setting) -> Option<SettingError> {
    let url = key.texts().first().filter(|_| key.name == "base-url");
    let url = url.and_then(|url| {
        let reason = BaseUrl::parse(&pre_step(url)).err()?;
        Some(format!("base-url {}: {reason}", OneLine(masked(url))))
    });
    let is_glob = [INCLUDE, "exclude"].contains(&&*key.name);
    let glob = is_glob.then(|| Globs::new(key.texts()).err()).flatten();
    let glob = glob.map(|error| format!("{}: {error}", key.name));
    url.or(glob).map(SettingError::Value)
}

/// A value of the kind that an option has.
fn value(option: &Arg, name: &str, value: &Spanned<DeValue<'_>>) -> ReadResult<SettingValue> {
    let action = option.get_action();
    let is_number = option.get_value_parser().type_id() == TypeId::of::<u16>();
    let is_list = matches!(action, ArgAction::Append) || option.get_id() == PATHS;
    let may_be_bare = option.get_num_args().is_some_and(|it| it.min_values() == 0);
    let (needed, example) = match action {
        ArgAction::SetTrue => ("true or false", "true"),
        _ if is_list => ("a string, or an array of strings", "[\"one\", \"two\"]"),
        _ if is_number => ("a number", "4"),
        _ => ("a string", "\"text\""),
    };
    let wrong = |value: &Spanned<DeValue<'_>>| {
        let (key, example) = (name.to_owned(), format!("{name} = {example}"));
        let wrong = SettingError::Type {
            key,
            needed,
            example,
        };
        (value.span().start, wrong)
    };
    let text = |value: &Spanned<DeValue<'_>>| match value.get_ref() {
        DeValue::String(text) => Ok(text.to_string()),
        _ => Err(wrong(value)),
    };
    match (value.get_ref(), action) {
        (DeValue::Boolean(is_on), ArgAction::SetTrue) => Ok(SettingValue::Flag(*is_on)),
        (_, ArgAction::SetTrue) => Err(wrong(value)),
        (DeValue::Boolean(is_on), _) if may_be_bare => Ok(SettingValue::Flag(*is_on)),
        (DeValue::Integer(number), _) if is_number => {
            let decimal = i128::from_str_radix(number.as_str(), number.radix());
            Ok(SettingValue::Number(
                decimal.map_or_else(|_| number.to_string(), |it| it.to_string()),
            ))
        }
        (_, _) if is_number => Err(wrong(value)),
        (DeValue::Array(texts), _) if is_list => {
            let texts: Result<_, _> = texts.iter().map(text).collect();
            texts.map(|texts: Vec<String>| SettingValue::Texts(texts.into()))
        }
        _ => Ok(SettingValue::Texts([text(value)?].into())),
    }
}

/// What is wrong with a value, in the words of the file.
fn wrong_value(key: &Setting, error: &Error) -> Option<String> {
    let value = tips::suggested(error, ContextKind::InvalidValue)?;
    let Some(ContextValue::Strings(known)) = error.get(ContextKind::ValidValue) else {
        let reason = tips::reason(error)?;
        return Some(format!("{} {}: {reason}", key.name, OneLine(value)));
    };
    let instead = match tips::suggested(error, ContextKind::SuggestedValue) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => format!("there are {}", known.join(", ")),
    };
    let value = OneLine(value);
    Some(format!("{}: unknown value `{value}`; {instead}", key.name))
}

/// What clap says about arguments, on one line and without what helps only at a prompt.
pub(super) fn reason(error: &Error) -> String {
    let text = error.render().to_string();
    let reason = text.split("\n\nUsage:").next().unwrap_or_default();
    let reason = reason.split("\n\nFor more information").next();
    let reason = reason.unwrap_or_default().trim();
    let lines = reason.strip_prefix("error: ").unwrap_or(reason).lines();
    let lines: Vec<&str> = lines
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    lines.join("; ")
}
