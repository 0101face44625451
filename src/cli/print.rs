//! How things are written for people: numbers, names, and lines on standard error.

use std::fmt::{self, Display, Write as _};
use std::io::{self, Write as _};
use std::path::Path;

use clap::builder::styling::{AnsiColor, Style};
use serde::Serialize;

/// What calls for attention: `error:`.
const ERROR: Style = AnsiColor::Red.on_default().bold();
/// What a person may want to act on: `attention:`.
const ATTENTION: Style = AnsiColor::Yellow.on_default().bold();

/// Standard error; styles are dropped where it is not a terminal, and with `NO_COLOR`.
pub(crate) fn stderr() -> impl io::Write {
    anstream::stderr()
}

/// Writes a line to standard error, at once. That it is closed is no reason to end a run.
pub(crate) fn note(line: impl Display) {
    let _ = stderr().write_all(format!("{line}\n").as_bytes());
}

/// Writes `error: ` and a message to standard error.
pub(crate) fn error(message: impl Display) {
    note(format_args!("{ERROR}error:{ERROR:#} {message}"));
}

/// Writes `attention: ` and a message to standard error.
pub(crate) fn attention(message: impl Display) {
    note(format_args!("{ATTENTION}attention:{ATTENTION:#} {message}"));
}

/// A number with separators.
#[derive(Clone, Copy)]
pub(crate) struct Number(pub(crate) u64);

impl Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        let mut separated = String::with_capacity(digits.len() * 4 / 3);
        for (index, digit) in digits.chars().enumerate() {
            if index > 0 && (digits.len() - index).is_multiple_of(3) {
                separated.push(',');
            }
            separated.push(digit);
        }
        f.pad(&separated)
    }
}

/// A number of things, such as `1 file` or `1,204 files`; the plural is the noun with an `s`.
pub(crate) struct Count(pub(crate) u64, pub(crate) &'static str);

impl Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Count(number, noun) = *self;
        let plural = if number == 1 { "" } else { "s" };
        write!(f, "{} {noun}{plural}", Number(number))
    }
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

/// Text from a document or a file system, on one line: control characters are escaped, so that it
/// neither breaks the line nor commands the terminal.
pub(crate) struct OneLine<'a>(pub(crate) &'a str);

impl Display for OneLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0;
        while let Some(control) = rest.find(char::is_control) {
            let (plain, from_control) = rest.split_at(control);
            f.write_str(plain)?;
            let mut chars = from_control.chars();
            for control in chars.by_ref().take(1) {
                write!(f, "{}", control.escape_default())?;
            }
            rest = chars.as_str();
        }
        f.write_str(rest)
    }
}

/// A path on one line; bytes that are not UTF-8 show as U+FFFD.
pub(crate) struct PathLine<'a>(pub(crate) &'a Path);

impl Display for PathLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        OneLine(&self.0.to_string_lossy()).fmt(f)
    }
}

/// Appends a line to output that is collected in memory.
pub(crate) fn push_line(out: &mut Vec<u8>, line: impl Display) {
    // Writing to a Vec does not fail.
    let _ = writeln!(out, "{line}");
}

/// Appends a JSON object as a line to output that is collected in memory.
pub(crate) fn push_json(out: &mut Vec<u8>, object: &impl Serialize) {
    // Neither writing to a Vec nor serialising text and numbers fails.
    let _ = serde_json::to_writer(&mut *out, object);
    out.push(b'\n');
}

/// Joins what there is of several things with commas.
pub(crate) fn list<T: Display>(things: impl IntoIterator<Item = T>) -> String {
    let mut list = String::new();
    for thing in things {
        let comma = if list.is_empty() { "" } else { ", " };
        let _ = write!(list, "{comma}{thing}");
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_separators() {
        let shown = [0, 12, 999, 1_000, 1_234_567].map(|n| Number(n).to_string());
        assert_eq!(shown, ["0", "12", "999", "1,000", "1,234,567"]);
        assert_eq!(format!("{:>7}", Number(1_000)), "  1,000");
        assert_eq!(Count(1, "file").to_string(), "1 file");
        assert_eq!(Count(32_101, "file").to_string(), "32,101 files");
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
    fn lists_have_commas_between() {
        assert_eq!(list(["a"; 0]), "");
        assert_eq!(list(["a", "b"]), "a, b");
    }
}
