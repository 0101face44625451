//! How things are written for people: numbers, names, and lines on standard error.
//!
//! Every line for people goes through [`OneLine`], which escapes what a terminal would obey, so that
//! a path, reference or argument can only be read. That holds wherever the line goes, so a run
//! prints the same on every stream. On standard error a line has no password either
//! ([`super::passwords`]). Three things are not such lines:
//! - JSON is exact;
//! - the results of `resolve`, one per line, and the diff of `rewrite` are exact too, except on a
//!   terminal ([`screened`]);
//! - a document that `rewrite` writes to standard output is always exact.
//!
//! In a CI system, lines contain no commands to its runner ([`ci_log`]) either; JSON never does.

use std::borrow::Cow;
use std::fmt::{self, Display, Write as _};
use std::io::{self, Write as _};
use std::path::Path;

use clap::builder::styling::Style;
use serde::Serialize;
use serde_json::Value;

use crate::batch::FirstPaths;

use super::by_line::ByLine;
use super::ci_log;
use super::color::{ATTENTION, ERROR, HINT, NOTE};
use super::passwords::masked_line;

/// Standard error; styles are dropped where it has no [colour](super::color).
pub(crate) use anstream::stderr;

/// Writes a line to standard error at once. A run goes on if that is closed.
pub(crate) fn note(line: impl Display) {
    let line = line.to_string();
    let line = OneLine(masked_line(&line));
    let _ = stderr().write_all(format!("{line}\n").as_bytes());
}

/// Writes `error: ` and a message to standard error.
pub(crate) fn error(message: impl Display) {
    marked(ERROR, "error:", message);
}

/// How serious a line is that is not an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum MessageLevel {
    Warning,
    Note,
    Hint,
}

/// Writes `warning: `, `note: ` or `hint: ` and a message to standard error.
pub(crate) fn say(level: MessageLevel, message: impl Display) {
    let (style, mark) = match level {
        MessageLevel::Warning => (ATTENTION, "warning:"),
        MessageLevel::Note => (NOTE, "note:"),
        MessageLevel::Hint => (HINT, "hint:"),
    };
    marked(style, mark, message);
}

pub(crate) fn warning(message: impl Display) {
    say(MessageLevel::Warning, message);
}

pub(crate) fn hint(message: impl Display) {
    say(MessageLevel::Hint, message);
}

fn marked(style: Style, mark: &str, message: impl Display) {
    let message = message.to_string();
    let message = OneLine(masked_line(&message));
    let line = format!("{style}{mark}{style:#} {message}\n");
    let _ = stderr().write_all(line.as_bytes());
}

/// Writes a line for people to a stream.
pub(crate) fn line(out: &mut impl io::Write, line: impl Display) -> io::Result<()> {
    writeln!(out, "{}", OneLine(line))
}

pub(crate) use indicatif::HumanCount as Number;

/// A number of things, such as `1 file` or `1,204 files`; the plural is the noun with an `s`.
pub(crate) struct Count(pub(crate) u64, pub(crate) &'static str);

impl Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Count(number, noun) = *self;
        let plural = if number == 1 { "" } else { "s" };
        write!(f, "{} {noun}{plural}", Number(number))
    }
}

/// A text about a number of things, which `#` stands for; `None` for zero. Of `[link leads|links lead]` it has
/// the first for one thing, and the second for many.
pub(crate) fn counted(number: u64, text: &str) -> Option<String> {
    let (mut counted, mut rest) = (String::new(), text);
    while let Some((before, choice)) = rest.split_once('[')
        && let Some((one, choice)) = choice.split_once('|')
        && let Some((many, after)) = choice.split_once(']')
    {
        counted.push_str(before);
        counted.push_str(if number == 1 { one } else { many });
        rest = after;
    }
    counted.push_str(rest);
    (number > 0).then(|| counted.replacen('#', &Number(number).to_string(), 1))
}

/// Those of some numbers that are not zero, each with what it counts.
pub(crate) fn numbers(all: &[(u64, &str)]) -> String {
    let all = all.iter().filter(|(number, _)| *number > 0);
    list(all.map(|(number, what)| format!("{} {what}", Number(*number))))
}

/// A number of bytes, in the largest unit (powers of 1000) that leaves a whole part.
pub(crate) struct Bytes(pub(crate) u64);

impl Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [(f64, &str); 4] = [(1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")];
        // Exact up to 2^53; beyond, a digit that is not shown is lost.
        let bytes = self.0 as f64;
        match UNITS.iter().find(|(unit, _)| bytes >= *unit) {
            Some((unit, name)) => write!(f, "{:.1} {name}", bytes / unit),
            None => Count(self.0, "byte").fmt(f),
        }
    }
}

/// Whether a terminal would do anything with a character other than show it: control characters,
/// line and paragraph separators, and what Unicode calls Bidi_Control, which changes the order in
/// which text is shown.
fn is_obeyed(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        )
}

/// Whether text is printable ASCII, as nearly all is. All of it is looked at, many bytes at a time.
fn is_printable(text: &[u8]) -> bool {
    let other = |other, &byte: &u8| other | !matches!(byte, b' '..=b'~');
    !text.iter().fold(false, other)
}

/// Writes text with `\u{1b}` and the like for the characters that a terminal would obey and
/// `exempt` does not name.
fn escape(text: &str, exempt: &[char], out: &mut impl fmt::Write) -> fmt::Result {
    let mut rest = text;
    let is_escaped = |c: char| is_obeyed(c) && !exempt.contains(&c);
    while !is_printable(rest.as_bytes())
        && let Some(found) = rest.find(is_escaped)
    {
        let (plain, from_found) = rest.split_at(found);
        out.write_str(plain)?;
        let mut chars = from_found.chars();
        for character in chars.by_ref().take(1) {
            write!(out, "{}", character.escape_default())?;
        }
        rest = chars.as_str();
    }
    out.write_str(rest)
}

/// Text on one line: what a terminal would obey is escaped, so that it neither breaks the line nor
/// commands the terminal.
pub(crate) struct OneLine<T>(pub(crate) T);

impl<T: Display> Display for OneLine<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if ci_log::reads() {
            let mut line = String::new();
            escape(&self.0.to_string(), &[], &mut line)?;
            return f.write_str(&ci_log::disarmed(&line));
        }
        /// Escapes what is written to it.
        struct Escaping<'f, 'g>(&'f mut fmt::Formatter<'g>);

        impl fmt::Write for Escaping<'_, '_> {
            fn write_str(&mut self, text: &str) -> fmt::Result {
                escape(text, &[], self.0)
            }
        }

        write!(Escaping(f), "{}", self.0)
    }
}

/// A terminal that gets lines which may also go to a file, such as those of a diff: what it would
/// obey is escaped, apart from tabs, and so are bytes that are not UTF-8.
pub(crate) fn screened<W: io::Write>(terminal: W) -> impl io::Write {
    ByLine::new(terminal, |terminal: &mut W, line| {
        let mut shown = String::new();
        for chunk in line.utf8_chunks() {
            // Writing to a String does not fail.
            let _ = escape(chunk.valid(), &['\t', '\n'], &mut shown);
            shown.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
        }
        terminal.write_all(shown.as_bytes())
    })
}

/// Text without what a terminal or a runner would obey, but for line breaks.
pub(crate) fn with_breaks(text: &str) -> String {
    let mut shown = String::new();
    // Writing to a String does not fail.
    let _ = escape(text, &['\r', '\n'], &mut shown);
    if ci_log::reads() {
        ci_log::disarmed(&shown).into_owned()
    } else {
        shown
    }
}

/// A path on one line; bytes that are not UTF-8 show as U+FFFD.
pub(crate) struct PathLine<'a>(pub(crate) &'a Path);

impl Display for PathLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        OneLine(&self.0.to_string_lossy()).fmt(f)
    }
}

/// A path with `/` between its names, on every system: for programs. Bytes that are not UTF-8 become U+FFFD.
pub(crate) fn with_slashes(path: &Path) -> Cow<'_, str> {
    let text = path.to_string_lossy();
    if cfg!(windows) {
        Cow::Owned(text.replace('\\', "/"))
    } else {
        text
    }
}

/// Appends a line for people to output that is collected in memory.
pub(crate) fn push_line(out: &mut Vec<u8>, line: impl Display) {
    // Writing to a Vec does not fail.
    let _ = self::line(out, line);
}

/// Ends a line whose beginning was appended to `out` at `start`, if it can be shown as it is: nothing in it
/// is escaped, and it is not for a runner. Otherwise takes it off again; [`push_line`] has to write it.
pub(crate) fn end_plain_line(out: &mut Vec<u8>, start: usize) -> bool {
    let is_plain = is_printable(&out[start..]) && !ci_log::reads();
    if is_plain {
        out.push(b'\n')
    } else {
        out.truncate(start)
    }
    is_plain
}

/// Writes a value as JSON.
pub(crate) fn json(out: &mut dyn io::Write, value: &impl Serialize) -> io::Result<()> {
    let mut json = serde_json::to_vec(value)?;
    ci_log::disarmed_json(&mut json, 0);
    out.write_all(&json)
}

/// The same, on a line of its own.
pub(crate) fn json_line(out: &mut dyn io::Write, value: &impl Serialize) -> io::Result<()> {
    json(out, value)?;
    out.write_all(b"\n")
}

/// Takes the fields without a value out of JSON, at any depth.
pub(crate) fn without_nulls(mut value: Value) -> Value {
    take_nulls(&mut value);
    value
}

fn take_nulls(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|_, value| !value.is_null());
            fields.values_mut().for_each(take_nulls);
        }
        Value::Array(values) => values.iter_mut().for_each(take_nulls),
        _ => {}
    }
}

/// A JSON object on a line of its own, in output that is collected in memory. For lines of which there may be
/// millions: its fields are written at once, where [`serde_json::json`] makes a map first.
pub(crate) struct Object<'o> {
    out: &'o mut Vec<u8>,
    /// Where it begins.
    start: usize,
    /// The byte before the next field.
    before: u8,
}

impl<'o> Object<'o> {
    pub(crate) fn new(out: &'o mut Vec<u8>) -> Object<'o> {
        let (start, before) = (out.len(), b'{');
        Object { out, start, before }
    }

    /// Adds a field whose name needs no escapes.
    pub(crate) fn field(&mut self, name: &str, value: impl Serialize) {
        self.out.extend([self.before, b'"']);
        self.out.extend_from_slice(name.as_bytes());
        self.out.extend(b"\":");
        // Neither writing to a Vec nor serialising text and numbers fails.
        let _ = serde_json::to_writer(&mut *self.out, &value);
        self.before = b',';
    }

    /// Adds a field if it has a value.
    pub(crate) fn optional(&mut self, name: &str, value: Option<impl Serialize>) {
        if let Some(value) = value {
            self.field(name, value);
        }
    }

    pub(crate) fn end(self) {
        self.out.extend(b"}\n");
        ci_log::disarmed_json(self.out, self.start);
    }
}

/// Joins several things with commas.
pub(crate) fn list<T: Display>(things: impl IntoIterator<Item = T>) -> String {
    let mut list = String::new();
    for thing in things {
        let comma = if list.is_empty() { "" } else { ", " };
        let _ = write!(list, "{comma}{thing}");
    }
    list
}

/// The first of some files, and how many more there are.
pub(crate) fn first(files: &FirstPaths) -> String {
    let named = list(files.paths.iter().map(|path| PathLine(path)));
    match files.number - files.paths.len() as u64 {
        0 => named,
        more => format!("{named} and {} more", Number(more)),
    }
}

/// Why a file that is not a document cannot be written, with its path.
pub(crate) fn cannot_write(path: &Path, error: &io::Error) -> io::Error {
    let text = format!("{}: cannot write: {error}", path.display());
    io::Error::new(error.kind(), text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_separators() {
        let shown = [0, 12, 999, 1_000, 1_234_567].map(|n| Number(n).to_string());
        assert_eq!(shown, ["0", "12", "999", "1,000", "1,234,567"]);
        assert_eq!(Count(1, "file").to_string(), "1 file");
        assert_eq!(Count(32_101, "file").to_string(), "32,101 files");
    }

    #[test]
    fn texts_are_about_one_or_many() {
        let shown = |number| counted(number, "left # file[|s] that [looks|look] like HTML");
        assert_eq!(shown(0), None);
        assert_eq!(shown(1).unwrap(), "left 1 file that looks like HTML");
        assert_eq!(
            shown(1_000).unwrap(),
            "left 1,000 files that look like HTML"
        );
        assert_eq!(counted(2, "").as_deref(), Some(""));
    }

    #[test]
    fn bytes_have_a_unit() {
        let shown = [0, 1, 999, 1_000, 478_123_456, u64::MAX].map(|n| Bytes(n).to_string());
        assert_eq!(
            shown,
            [
                "0 bytes",
                "1 byte",
                "999 bytes",
                "1.0 kB",
                "478.1 MB",
                "18446744.1 TB"
            ]
        );
    }

    #[test]
    fn text_of_others_stays_on_its_line() {
        assert_eq!(OneLine("a b\u{e9}").to_string(), "a b\u{e9}");
        assert_eq!(
            OneLine("\u{1b}[31mred\n\u{85}").to_string(),
            "\\u{1b}[31mred\\n\\u{85}"
        );
        assert_eq!(PathLine(Path::new("a\nb")).to_string(), "a\\nb");
    }

    #[test]
    fn text_of_others_is_read_in_its_order() {
        for obeyed in [
            '\0', '\t', '\u{7f}', '\u{80}', '\u{9b}', '\u{61c}', '\u{200e}', '\u{200f}',
            '\u{2028}', '\u{2029}', '\u{202a}', '\u{202e}', '\u{2066}', '\u{2069}',
        ] {
            let shown = OneLine(format_args!("é{obeyed}b")).to_string();
            assert_eq!(shown, format!("é{}b", obeyed.escape_default()));
        }
        for shown in [
            '~', '\u{a0}', '\u{61b}', '\u{200d}', '\u{2027}', '\u{202f}', '\u{2065}', '\u{206a}',
        ] {
            assert_eq!(OneLine(shown).to_string(), shown.to_string());
        }
    }

    #[test]
    fn a_terminal_gets_lines_that_it_can_show() {
        let mut terminal = Vec::new();
        let mut screened = screened(&mut terminal);
        for piece in [
            b"+\xc3".as_slice(),
            b"\xa9\t\x1b[2J\r\n-\xe9\x9b",
            b"\n ",
            b"x\xe2\x80",
        ] {
            screened.write_all(piece).unwrap();
        }
        screened.flush().unwrap();
        drop(screened);
        assert_eq!(
            String::from_utf8(terminal).unwrap(),
            "+é\t\\u{1b}[2J\\r\n-\\xe9\\x9b\n x\\xe2\\x80"
        );
    }

    #[test]
    fn lists_have_commas_between() {
        assert_eq!(list(["a"; 0]), "");
        assert_eq!(list(["a", "b"]), "a, b");
    }
}
