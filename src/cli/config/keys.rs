//! Keys, each of which is an option of the command line by its long name.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use clap::{Arg, ArgAction, Command};

use crate::batch::Globs;
use crate::cli::terminal::print::OneLine;

/// The commands that have settings.
pub(super) const COMMANDS: [&str; 4] = ["rewrite", "check", "links", "base"];

/// The key for what is no option: the PATHs.
pub(super) const PATHS: &str = "paths";

/// The tables for parts of the tree.
pub(super) const FILES: &str = "files";

/// How many of them there may be. Each is a plan of its own, and its patterns take hundreds of times their length.
pub(super) const MOST_PARTS: usize = 4096;

/// How long their patterns may be together.
pub(super) const MOST_OF_PATTERNS: usize = 64 << 10;

pub(super) const INCLUDE: &str = "include";

/// The options that a part may have: those about a document.
pub(super) const OF_PART: [&str; 6] = ["as", "base-url", "layout", "only", "root", "skip"];

#[derive(Debug, thiserror::Error)]
pub(crate) enum SettingError {
    #[error("{0}")]
    Syntax(String),
    #[error("unknown key `{}`{}{}", OneLine(key), of(.table), meant(.nearest))]
    Unknown {
        key: String,
        table: Option<String>,
        nearest: Option<String>,
    },
    #[error(
        "unknown table [{}]{}",
        OneLine(key),
        meant_table(.nearest)
    )]
    UnknownTable {
        key: String,
        nearest: Option<String>,
    },
    #[error("`{key}`: expected {needed}, as in {example}")]
    Type {
        key: String,
        needed: &'static str,
        example: String,
    },
    #[error("{0} is not allowed in abslink.toml, for safety: {TYPE_IT}")]
    Never(String),
    #[error(
        "unknown key `{}` in [[files]]; expected include, {}",
        OneLine(.0),
        OF_PART.join(", ")
    )]
    NotOfPart(String),
    #[error(
        "[[files]] has no include, which says which files it is about, as in include = [\"blog/**\"]"
    )]
    NoInclude,
    #[error(
        "too many [[files]]: at most {MOST_PARTS}, whose patterns have at most {} KiB together",
        MOST_OF_PATTERNS >> 10
    )]
    TooManyParts,
    #[error("{0}")]
    Value(String),
    #[error(
        "{} is outside the directory of abslink.toml; give it on the command line",
        OneLine(.0)
    )]
    Outside(String),
}

fn of(table: &Option<String>) -> String {
    match table {
        Some(table) => format!(" in [{table}]"),
        None => String::new(),
    }
}

fn meant(nearest: &Option<String>) -> String {
    match nearest {
        Some(nearest) => format!("; did you mean `{nearest}`?"),
        None => String::new(),
    }
}

fn meant_table(nearest: &Option<String>) -> String {
    match nearest {
        Some(nearest) => format!("; did you mean [{nearest}]?"),
        None => "; expected [rewrite], [check], [links], [base] or [[files]]".to_owned(),
    }
}

const TYPE_IT: &str = "give it on the command line";

/// What a file never says: somebody else's project must not make a run write, show what is hidden, or take
/// along what lies outside, as a link in the project with `-o` and `copy-others` would.
pub(super) const NEVER: [&str; 6] = [
    "in-place",
    "output",
    "backup",
    "write-baseline",
    "follow",
    "show-passwords",
];

#[derive(Clone, Debug)]
pub(crate) struct Setting {
    /// The command whose table it is in; without one, it holds for all commands that have the option.
    pub(super) command: Option<String>,
    pub(crate) name: String,
    /// clap's id of the option.
    pub(super) id: String,
    pub(crate) value: SettingValue,
    /// Values are paths, relative to the file.
    pub(super) holds_paths: bool,
    pub(crate) line: usize,
    /// It follows from another key.
    pub(super) is_implied: bool,
}

#[derive(Debug)]
pub(super) struct ProjectSettings {
    pub(super) keys: Vec<Setting>,
    /// `[[files]]`.
    pub(super) parts: Vec<FilesTable>,
}

/// The settings of a part of the tree.
#[derive(Debug)]
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
    pub(super) fn is_paths(&self) -> bool {
        self.name == PATHS
    }

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
        let spelled = |text: &String| {
            if self.holds_paths {
                below(directory, text)
            } else {
                OsString::from(text)
            }
        };
        let typed = |text: OsString| {
            if self.is_paths() {
                text
            } else {
                let mut typed = OsString::from(format!("--{}=", self.name));
                typed.push(text);
                typed
            }
        };
        texts.iter().map(spelled).map(typed).collect()
    }

    /// The directory that the URL of a tree stands for, which follows from the key of the URL.
    pub(super) fn root(of: &Setting, directory: &str) -> Setting {
        Setting {
            name: "root".to_owned(),
            id: "root".to_owned(),
            value: SettingValue::Texts([directory.to_owned()].into()),
            holds_paths: true,
            is_implied: true,
            ..of.clone()
        }
    }

    /// As it is for a part of the tree: a long list that is not about a document is the same for all of them, and
    /// its first value tells that it is there.
    pub(super) fn in_part(&self) -> Setting {
        const OWN: [&str; 6] = ["also", "skip", "only", "index", "url-from", PATHS];
        match &self.value {
            SettingValue::Texts(texts) if texts.len() > 1 && !OWN.contains(&&*self.name) => {
                Setting {
                    value: SettingValue::Texts(texts[..1].into()),
                    ..self.clone()
                }
            }
            _ => self.clone(),
        }
    }

    pub(super) fn texts(&self) -> &[String] {
        match &self.value {
            SettingValue::Texts(texts) => texts,
            _ => &[],
        }
    }

    /// The paths that it has: what a run reads and writes, or looks for names of files in.
    pub(super) fn paths(&self) -> &[String] {
        if self.holds_paths { self.texts() } else { &[] }
    }

    /// A path that is not below the file's directory, by its name.
    pub(super) fn outside(&self) -> Option<SettingError> {
        let is_inside = |text: &&String| {
            let mut components = Path::new(text.as_str()).components();
            components.all(|it| matches!(it, Component::Normal(_) | Component::CurDir))
        };
        let outside = self.paths().iter().find(|text| !is_inside(text));
        outside.map(|text| SettingError::Outside(text.clone()))
    }

    /// A format that goes to a file.
    pub(super) fn written(&self) -> Option<SettingError> {
        let is_written =
            self.name == "format" && self.texts().iter().any(|text| text.contains('='));
        is_written.then(|| SettingError::Never("a file in `format`".to_owned()))
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

/// Where the lines of a text begin.
pub(super) struct LineStarts(Vec<usize>);

impl LineStarts {
    pub(super) fn of(text: &str) -> LineStarts {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        LineStarts(breaks.map(|(at, _)| at).collect())
    }

    /// The line of a byte, counted from 1.
    pub(super) fn line(&self, at: usize) -> usize {
        self.0.partition_point(|line_break| *line_break < at) + 1
    }
}

/// The line of a byte, counted from 1.
pub(super) fn line(text: &str, at: usize) -> usize {
    let before = text.as_bytes().iter().take(at);
    before.filter(|byte| **byte == b'\n').count() + 1
}

/// The options of a command that may be keys.
pub(super) fn options(command: &Command) -> impl Iterator<Item = &Arg> {
    let is_key = |option: &&Arg| {
        let name = option.get_long().unwrap_or_default();
        let is_set = matches!(
            option.get_action(),
            ArgAction::Set | ArgAction::Append | ArgAction::SetTrue
        );
        let is_here = !["", "config", "no-config"].contains(&name) && !option.is_hide_set();
        option.get_id() == PATHS || is_set && is_here
    };
    command.get_arguments().filter(is_key)
}

/// The key that stands for an option.
pub(super) fn name(option: &Arg) -> &str {
    option.get_long().unwrap_or(PATHS)
}
