//! Findings: what CI systems are given, each as a line, an annotation or a test case.
//!
//! | rule | one for each |
//! |---|---|
//! | `relative-reference` | reference that is relative (`check` only) |
//! | `no-base-url` | file with documents that have none, at its first relative reference (`rewrite` only) |
//! | `unresolvable-reference` | reference with a base URL that it does not resolve against |
//! | `divergent-reference` | reference that a browser takes elsewhere, in addition to its other finding |
//! | `wrong-form` | reference that gets another form (`check` with `--to` or `--move-url`) |
//! | `failed-file` | file that could not be processed |
//!
//! ```text
//! reference -> of (workers, any order) -> Finding -> FindingFormat (path order): github, sarif, ...
//! ```
//! There is one file for each format. [`place`] says where paths begin, and [`fingerprint`] how a
//! finding is recognised in the next run.

pub(super) mod fingerprint;
pub(super) mod github;
pub(super) mod gitlab;
pub(super) mod junit;
pub(super) mod markdown;
pub(super) mod place;
pub(super) mod printer;
pub(super) mod sarif;

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use url::Url;

use super::text::described;
use crate::batch::Located;
use crate::cli::run::end::RunEnd;
use crate::cli::terminal::print::OneLine;
use abslink_html::Outcome;
use place::Roots;

/// A format that findings are written in.
pub(crate) trait FindingFormat: Send {
    /// Writes what comes before all findings.
    fn begin(&mut self, _command: &'static str, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    /// Writes a finding. Those of one file come one after the other.
    fn finding(&mut self, finding: &Finding<'_>, to: &mut Target<'_>) -> io::Result<()>;

    /// Writes what comes after all findings, even if a signal has ended the run. Returns how many
    /// findings were left out because of this format's limit.
    fn end(&mut self, end: &RunEnd, to: &mut Target<'_>) -> io::Result<u64>;
}

/// Where findings go, and where their paths begin.
pub(crate) struct Target<'t> {
    roots: &'t Roots,
    out: &'t mut dyn Write,
}

/// In the order of `rules.tsv`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Rule {
    RelativeReference,
    NoBaseUrl,
    UnresolvableReference,
    DivergentReference,
    FailedFile,
    WrongForm,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Severity {
    Error,
    Warning,
    Note,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Finding<'a> {
    /// Of the file, as the user would name it.
    #[serde(with = "place")]
    pub(crate) path: Cow<'a, Path>,
    pub(crate) rule: Rule,
    pub(crate) level: Severity,
    /// Lines and columns count from 1.
    pub(crate) line: usize,
    /// In characters.
    pub(crate) column: usize,
    /// The last line, and the column after the end; `None` if the whole file is meant.
    pub(crate) end: Option<(usize, usize)>,
    /// Both columns in units of UTF-16.
    pub(crate) utf16: (usize, usize),
    /// On one line.
    pub(crate) message: Cow<'a, str>,
    /// The element, the attribute and the reference, if it is about one.
    pub(crate) element: Cow<'a, str>,
    pub(crate) attribute: Cow<'a, str>,
    pub(crate) reference: Cow<'a, str>,
}

impl Rule {
    pub(super) const ALL: [Rule; 6] = [
        Rule::RelativeReference,
        Rule::NoBaseUrl,
        Rule::UnresolvableReference,
        Rule::DivergentReference,
        Rule::FailedFile,
        Rule::WrongForm,
    ];

    pub(super) fn name(self) -> &'static str {
        self.told()[0]
    }

    /// Its name, what it is about in short and in full, and what helps.
    pub(super) fn told(self) -> [&'static str; 4] {
        // Each finding asks for the name.
        static ROWS: LazyLock<Vec<[&str; 4]>> = LazyLock::new(|| {
            let rows = include_str!("rules.tsv").lines().skip(1);
            let rows = rows.map(|row| {
                let mut columns = row.split('\t');
                [(); 4].map(|()| columns.next().unwrap_or_default())
            });
            rows.collect()
        });
        ROWS.get(self as usize).copied().unwrap_or_default()
    }
}

/// At most this many characters of a value are shown.
const LONGEST: usize = 200;

/// A finding about a reference that is found.
fn about<'a>(found: &Located<'a>, rule: Rule, level: Severity, message: String) -> Finding<'a> {
    let reference = found.reference;
    Finding {
        path: found.path.into(),
        rule,
        level,
        line: found.line,
        column: found.column,
        end: Some((found.end_line, found.end_column)),
        utf16: found.utf16_columns,
        message: message.into(),
        element: reference.element.into(),
        attribute: reference.attribute.into(),
        reference: reference.reference.into(),
    }
}

/// The findings about a reference; `relative` says whether being relative is one. If not, a reference without a base
/// URL is a part of the one that its file has.
pub(super) fn of<'a>(
    found: &Located<'a>,
    relative: bool,
) -> impl Iterator<Item = Finding<'a>> + use<'a> {
    let reference = found.reference;
    let becomes_absolute =
        reference.outcome == Outcome::Relative && reference.to == reference.absolute;
    let lacks_base = reference.outcome == Outcome::Unresolved
        && reference.base.is_none()
        && reference.base_from == abslink_html::base::BaseSource::None;
    let rule = match (reference.outcome, reference.to) {
        (Outcome::Unresolved, _) if !lacks_base => Some(Rule::UnresolvableReference),
        (Outcome::Unresolved, _) => relative.then_some(Rule::RelativeReference),
        (_, Some(_)) if becomes_absolute => relative.then_some(Rule::RelativeReference),
        (_, Some(_)) => relative.then_some(Rule::WrongForm),
        (_, None) => None,
    };
    let described = |divergence| OneLine(described(reference, divergence, LONGEST)).to_string();
    let itself = rule.map(|rule| about(found, rule, Severity::Error, described(None)));
    let divergent = reference.divergent.map(|divergence| {
        let level = match (reference.absolute, &divergence.browser) {
            (Some(absolute), Some(browser)) if same_host(absolute, browser) => Severity::Note,
            _ => Severity::Warning,
        };
        let described = described(Some(divergence));
        about(found, Rule::DivergentReference, level, described)
    });
    let part = (lacks_base && !relative).then(|| Finding {
        element: "".into(),
        attribute: "".into(),
        reference: "".into(),
        ..about(found, Rule::NoBaseUrl, Severity::Error, String::new())
    });
    itself.into_iter().chain(divergent).chain(part)
}

/// As browsers read them.
fn same_host(one: &str, other: &str) -> bool {
    let host = |url: &str| Url::parse(url).map(|url| url.host_str().map(str::to_owned));
    host(one).is_ok_and(|one| host(other) == Ok(one))
}

/// A file that could not be processed.
pub(super) fn failed<'a>(path: &'a Path, reason: &str) -> Finding<'a> {
    Finding {
        path: path.into(),
        rule: Rule::FailedFile,
        level: Severity::Error,
        line: 1,
        column: 1,
        end: None,
        utf16: (1, 1),
        message: OneLine(reason).to_string().into(),
        element: "".into(),
        attribute: "".into(),
        reference: "".into(),
    }
}
