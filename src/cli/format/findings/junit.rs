//! `--format junit`: JUnit's XML, a test suite for each document with errors.
//!
//! Each suite is written as soon as its document is done. The crate quick-junit holds all of them until the end, and
//! brings dates, UUIDs and another version of quick-xml.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::mem;
use std::path::PathBuf;

use super::place::Roots;
use super::{Finding, FindingFormat, Rule, Severity, Target};
use crate::cli::run::end::RunEnd;
use crate::cli::terminal::print::{Count, OneLine};

/// At most this many documents are written.
const MOST: u64 = 10_000;
/// At most this many findings of each.
const LINES: u64 = 20;
/// At most this many bytes.
const BYTES: usize = 20_000_000;

#[derive(Default)]
pub(in super::super) struct Junit {
    /// The document whose findings are coming.
    document: TestSuite,
    documents: u64,
    written: usize,
    left_out: u64,
}

#[derive(Default)]
struct TestSuite {
    path: PathBuf,
    /// The rule of the first finding, and how many there are.
    rule: Option<Rule>,
    findings: u64,
    lines: String,
    /// Why it could not be processed.
    failed: Option<String>,
}

impl Junit {
    /// Writes the suite of the document that is complete, if it has errors.
    fn close(&mut self, roots: &Roots, out: &mut dyn Write) -> io::Result<()> {
        let document = mem::take(&mut self.document);
        let is_there = [document.rule.is_some(), document.failed.is_some()];
        let [failures, errors] = is_there.map(u8::from);
        if failures + errors == 0 {
            return Ok(());
        }
        let path = roots.shown(&document.path);
        let suite = suite(&path, &document, failures, errors);
        if self.documents == MOST || self.written + suite.len() > BYTES {
            self.left_out += document.findings + u64::from(errors);
            return Ok(());
        }
        self.left_out += document.findings.saturating_sub(LINES);
        self.documents += 1;
        self.written += suite.len();
        out.write_all(suite.as_bytes())
    }
}

fn suite(path: &str, document: &TestSuite, failures: u8, errors: u8) -> String {
    let (directory, name) = path.rsplit_once('/').unwrap_or((".", path));
    let [path, directory, name] = [path, directory, name].map(escaped);
    let mut suite = format!(
        "<testsuite name=\"{path}\" tests=\"1\" failures=\"{failures}\" errors=\"{errors}\">\
         <testcase classname=\"{directory}\" name=\"{name}\" file=\"{path}\">"
    );
    // Writing to a String does not fail.
    if let Some(reason) = &document.failed {
        let rule = Rule::FailedFile.name();
        let reason = escaped(reason);
        let _ = write!(suite, "<error type=\"{rule}\" message=\"{reason}\"/>");
    }
    if let Some(rule) = document.rule {
        let (rule, count) = (rule.name(), Count(document.findings, "problem"));
        let _ = write!(
            suite,
            "<failure type=\"{rule}\" message=\"{count}\">{}",
            document.lines
        );
        let more = document.findings.saturating_sub(LINES);
        if more > 0 {
            let _ = write!(suite, "\nnot shown here: {}", Count(more, "problem"));
        }
        suite.push_str("</failure>");
    }
    suite.push_str("</testcase></testsuite>\n");
    suite
}

/// XML text, in content and in attributes. Characters that XML does not allow are shown escaped, as
/// in lines for people.
fn escaped(text: impl std::fmt::Display) -> String {
    let mut escaped = String::new();
    for character in OneLine(text).to_string().chars() {
        match character {
            '<' | '>' | '&' | '"' => {
                let _ = write!(escaped, "&#{};", u32::from(character));
            }
            '\u{fffe}' | '\u{ffff}' => escaped.push(char::REPLACEMENT_CHARACTER),
            other => escaped.push(other),
        }
    }
    escaped
}

impl FindingFormat for Junit {
    fn begin(&mut self, command: &'static str, out: &mut dyn Write) -> io::Result<()> {
        writeln!(
            out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"abslink {command}\">"
        )
    }

    fn finding(&mut self, finding: &Finding<'_>, to: &mut Target<'_>) -> io::Result<()> {
        let Target { roots, out } = to;
        if finding.level != Severity::Error {
            return Ok(());
        }
        if self.document.path != finding.path {
            self.close(roots, out)?;
            self.document.path = finding.path.to_path_buf();
        }
        let document = &mut self.document;
        if finding.rule == Rule::FailedFile {
            document.failed = Some(finding.message.to_string());
            return Ok(());
        }
        document.rule.get_or_insert(finding.rule);
        if document.findings < LINES {
            let message = escaped(&finding.message);
            let break_ = if document.findings > 0 { "\n" } else { "" };
            let (line, column) = (finding.line, finding.column);
            let _ = write!(document.lines, "{break_}{line}:{column}: {message}");
        }
        document.findings += 1;
        Ok(())
    }

    fn end(&mut self, _: &RunEnd, to: &mut Target<'_>) -> io::Result<u64> {
        let Target { roots, out } = to;
        self.close(roots, out)?;
        writeln!(
            out,
            "<testsuite name=\"abslink\" tests=\"1\" failures=\"0\" errors=\"0\">\
             <testcase classname=\"abslink\" name=\"all other documents\"/></testsuite>\n\
             </testsuites>"
        )?;
        Ok(self.left_out)
    }
}
