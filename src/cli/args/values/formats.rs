//! `--format` of `check` and `rewrite`.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Command};

use super::{names, one_of};

/// A format of `check` and `rewrite`, in the order of the table of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FormatName {
    Text,
    Json,
    Github,
    Sarif,
    Gitlab,
    Junit,
    Markdown,
    Html,
}

impl FormatName {
    /// It is about what CI systems are given.
    pub(crate) fn has_findings(self) -> bool {
        let others = [FormatName::Text, FormatName::Json, FormatName::Html];
        !others.contains(&self)
    }

    pub(crate) fn name(self) -> &'static str {
        let name = names("format").nth(self as usize);
        name.map_or("", |(name, _)| name)
    }
}

fn parser() -> impl TypedValueParser<Value = FormatName> {
    use FormatName::{Github, Gitlab, Html, Json, Junit, Markdown, Sarif, Text};
    let all = [Text, Json, Github, Sarif, Gitlab, Junit, Markdown, Html];
    one_of("format", all)
}

/// What `--format` says: a format, and the file that it goes to, or standard output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FormatTo {
    pub(crate) name: FormatName,
    pub(crate) file: Option<PathBuf>,
}

/// `--format` of `check` and `rewrite`.
#[derive(Clone)]
pub(crate) struct FormatParser;

impl TypedValueParser for FormatParser {
    type Value = FormatTo;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<FormatTo, clap::Error> {
        let (name, file) = match cut(value) {
            Some((name, file)) => (name, Some(PathBuf::from(file))),
            None => (value.to_owned(), None),
        };
        if file
            .as_ref()
            .is_some_and(|file| file.as_os_str().is_empty())
        {
            let message =
                "a file is missing after `=`; write for example --format sarif=report.sarif\n";
            return Err(command.clone().error(ErrorKind::InvalidValue, message));
        }
        let name = parser().parse_ref(command, argument, &name)?;
        if name == FormatName::Html && file.is_none() {
            let message = "html goes to a file; write for example --format html=report.html\n";
            return Err(command.clone().error(ErrorKind::InvalidValue, message));
        }
        Ok(FormatTo { name, file })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let names = names("format");
        Some(Box::new(
            names.map(|(name, about)| PossibleValue::new(name).help(about)),
        ))
    }
}

/// What is before the first `=`, and what is after it; file names may have any bytes.
fn cut(value: &OsStr) -> Option<(OsString, OsString)> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt as _;
        let bytes = value.as_bytes();
        let (name, file) = bytes.split_at(memchr::memchr(b'=', bytes)?);
        let owned = |bytes| OsStr::from_bytes(bytes).to_owned();
        Some((owned(name), owned(&file[1..])))
    }
    #[cfg(not(unix))]
    {
        let (name, file) = value.to_str()?.split_once('=')?;
        Some((name.into(), file.into()))
    }
}
