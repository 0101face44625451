//! `--format` of `check` and `rewrite`.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Command};

use super::one_of;

/// A format of `check` and `rewrite`.
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
    /// The formats in the order of the variants, with a few words on each.
    const ALL: [(&'static str, FormatName, &'static str); 8] = [
        ("text", FormatName::Text, "For people"),
        ("json", FormatName::Json, "For programs"),
        (
            "github",
            FormatName::Github,
            "Annotations in a GitHub workflow",
        ),
        ("sarif", FormatName::Sarif, "SARIF 2.1.0, for code scanning"),
        ("gitlab", FormatName::Gitlab, "GitLab's code quality report"),
        (
            "junit",
            FormatName::Junit,
            "A test suite for each file with errors",
        ),
        (
            "markdown",
            FormatName::Markdown,
            "A summary for a job's page",
        ),
        ("html", FormatName::Html, "A page with pictures; needs FILE"),
    ];

    pub(crate) fn name(self) -> &'static str {
        FormatName::ALL[self as usize].0
    }
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
        let name = one_of(FormatName::ALL).parse_ref(command, argument, &name)?;
        if name == FormatName::Html && file.is_none() {
            let message = "html goes to a file; write for example --format html=report.html\n";
            return Err(command.clone().error(ErrorKind::InvalidValue, message));
        }
        Ok(FormatTo { name, file })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let values = FormatName::ALL.map(|(name, _, about)| PossibleValue::new(name).help(about));
        Some(Box::new(values.into_iter()))
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
