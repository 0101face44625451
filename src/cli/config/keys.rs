//! Keys, each of which is an option of the command line by its long name.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Arg, ArgAction, Command};

use super::file::SettingsFile;
use crate::batch::Globs;

/// The commands that have settings.
pub(super) const COMMANDS: [&str; 4] = ["rewrite", "check", "links", "base"];

/// The key for what is no option: the PATHs.
pub(super) const PATHS: &str = "paths";

#[derive(Clone, Debug)]
pub(crate) struct Setting {
    /// The command whose table it is in; without one, it holds for all commands that have the option.
    pub(super) command: Option<String>,
    pub(crate) name: String,
    pub(crate) value: SettingValue,
    /// Values are paths, relative to the file.
    pub(super) holds_paths: bool,
    /// Its first byte in the file.
    pub(super) at: usize,
    pub(crate) line: usize,
    /// It follows from another key.
    pub(super) is_implied: bool,
}

pub(super) struct ProjectSettings {
    pub(super) file: SettingsFile,
    pub(super) keys: Vec<Setting>,
    /// `[[files]]`.
    pub(super) parts: Vec<FilesTable>,
}

/// The settings of a part of the tree.
pub(super) struct FilesTable {
    pub(super) include: Setting,
    pub(super) globs: Globs,
    pub(super) keys: Vec<Setting>,
}

/// The value of a setting, as arguments have it.
#[derive(Clone, Debug)]
pub(crate) enum SettingValue {
    Flag(bool),
    Number(String),
    /// Which the settings of all parts share.
    Texts(Arc<[String]>),
}

impl Setting {
    /// Whether there is an argument for it.
    pub(super) fn is_on(&self) -> bool {
        !matches!(self.value, SettingValue::Flag(false))
    }

    /// What would be typed for it; `directory` is where its paths begin.
    pub(super) fn arguments(&self, directory: &Path) -> Vec<OsString> {
        let texts = match &self.value {
            SettingValue::Flag(false) => return Vec::new(),
            SettingValue::Flag(true) => return vec![format!("--{}", self.name).into()],
            SettingValue::Number(number) => std::slice::from_ref(number),
            SettingValue::Texts(texts) => texts,
        };
        let typed = |text: &String| {
            let text = if self.holds_paths {
                below(directory, text)
            } else {
                OsString::from(text)
            };
            if self.name == PATHS {
                return text;
            }
            let mut typed = OsString::from(format!("--{}=", self.name));
            typed.push(text);
            typed
        };
        texts.iter().map(typed).collect()
    }

    /// Makes it what a part of the tree needs: a long list that is not about a document is the same for all of them,
    /// and its first value tells that it is there.
    pub(super) fn shorten(&mut self) {
        const OWN: [&str; 6] = ["also", "skip", "only", "index", "url-from", PATHS];
        if let SettingValue::Texts(texts) = &mut self.value
            && texts.len() > 1
            && !OWN.contains(&&*self.name)
        {
            *texts = texts[..1].into();
        }
    }

    pub(super) fn texts(&self) -> &[String] {
        match &self.value {
            SettingValue::Texts(texts) => texts,
            _ => &[],
        }
    }
}

/// A path of a file, as it would be typed in the working directory. No name is an option or a stream.
fn below(directory: &Path, text: &str) -> OsString {
    let path: PathBuf = directory.join(text).components().collect();
    match path.as_os_str().as_encoded_bytes().first() {
        None => ".".into(),
        Some(b'-') => Path::new(".").join(path).into(),
        Some(_) => path.into(),
    }
}

/// The option of a command that a key stands for.
pub(super) fn option<'t>(tool: &'t Command, command: &str, name: &str) -> Option<&'t Arg> {
    let mut options = options(tool, command);
    options.find(|option| self::name(option) == name)
}

/// The options of a command that may be keys.
pub(super) fn options<'t>(tool: &'t Command, command: &str) -> impl Iterator<Item = &'t Arg> {
    let is_key = |option: &&Arg| {
        let is_set = matches!(
            option.get_action(),
            ArgAction::Set | ArgAction::Append | ArgAction::SetTrue
        );
        let is_here = !["config", "no-config"].contains(&name(option)) && !option.is_hide_set();
        option.get_id() == PATHS || is_set && is_here
    };
    let command = tool.find_subcommand(command).into_iter();
    command.flat_map(Command::get_arguments).filter(is_key)
}

/// The key that stands for an option.
pub(super) fn name(option: &Arg) -> &str {
    option.get_long().unwrap_or(PATHS)
}
