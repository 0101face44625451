//! Colour: whether there is any, and which colour each line of a diff has.
//!
//! What `--color` says holds for every stream. By default (`auto`) a stream is coloured if it is a
//! terminal that can show colours (`TERM`), unless `NO_COLOR` is set or `CLICOLOR` is 0; with
//! `CLICOLOR_FORCE` it always is. The crate anstream reads these variables, as
//! other programs do.
//!
//! Where a line of a diff replaces another, the words that differ are inverted.

use std::ffi::OsString;
use std::io::{self, Write};

use anstream::{AutoStream, ColorChoice};
use clap::ValueEnum as _;
use clap::builder::styling::{AnsiColor, Style};
use similar::{ChangeTag, DiffOp, InlineChangeOptions, TextDiff};

use super::by_line::ByLine;

/// Paths in listings; these and positions look like ripgrep's.
pub(crate) const PATH: Style = AnsiColor::Magenta.on_default();
pub(crate) const POSITION: Style = AnsiColor::Green.on_default();
pub(crate) const ATTENTION: Style = AnsiColor::Yellow.on_default().bold();
pub(crate) const NOTE: Style = Style::new().bold();
pub(crate) const HINT: Style = AnsiColor::Cyan.on_default().bold();
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();

// A diff has git's colours.
const HEADER: Style = Style::new().bold();
const HUNK: Style = AnsiColor::Cyan.on_default();
const REMOVED: Style = AnsiColor::Red.on_default();
const ADDED: Style = AnsiColor::Green.on_default();

/// Words of longer lines are not compared: that takes more than linear time, and nobody would find one in them.
const LONGEST: usize = 4 << 10;

/// Carries out `--color`.
pub(crate) fn choose(choice: clap::ColorChoice) {
    let choice = match choice {
        clap::ColorChoice::Auto => ColorChoice::Auto,
        clap::ColorChoice::Always => ColorChoice::Always,
        clap::ColorChoice::Never => ColorChoice::Never,
    };
    choice.write_global();
}

/// The same if the arguments as a whole cannot be parsed, as far as can be told.
pub(crate) fn choose_from(typed: &[OsString]) {
    let typed = typed.iter().map(|typed| typed.to_str().unwrap_or_default());
    let typed: Vec<_> = typed.take_while(|typed| *typed != "--").collect();
    let behind = typed.windows(2).filter(|pair| pair[0] == "--color");
    let given = (typed
        .iter()
        .filter_map(|typed| typed.strip_prefix("--color=")))
    .chain(behind.map(|pair| pair[1]))
    .find_map(|given| clap::ColorChoice::from_str(given, false).ok());
    choose(given.unwrap_or_default());
}

pub(crate) fn on_stdout() -> bool {
    AutoStream::choice(&io::stdout()) != ColorChoice::Never
}

/// Colours the lines of a unified diff.
pub(crate) fn painted<W: Write>(out: W) -> impl Write {
    let mut painter = Painter::default();
    ByLine::new(out, move |out: &mut W, line| painter.line(line, out))
}

/// Where in a diff the next line is.
#[derive(Default)]
struct Painter {
    /// How many lines of the hunk are still to come, old and new.
    hunk: [u64; 2],
    /// Removed lines, and the lines that replace them: they wait for each other.
    changed: [Vec<Vec<u8>>; 2],
}

impl Painter {
    fn line(&mut self, line: &[u8], out: &mut impl Write) -> io::Result<()> {
        let style = self.style(line);
        let waits = match style {
            REMOVED => Some(0),
            ADDED => Some(1),
            _ => None,
        };
        // A line that is removed begins with the next change.
        if waits.is_none() || (waits == Some(0) && !self.changed[1].is_empty()) {
            self.changes(out)?;
        }
        if let Some(side) = waits {
            self.changed[side].push(line.to_vec());
            return Ok(());
        }
        paint(out, style, b"", &[(false, line)])
    }

    /// Writes the lines that wait. If as many were added as removed, the words that differ are inverted.
    fn changes(&mut self, out: &mut impl Write) -> io::Result<()> {
        let [removed, added] = std::mem::take(&mut self.changed);
        let is_paired = removed.len() == added.len();
        let mut words = InlineChangeOptions::new();
        words.min_ratio(0.0).semantic_cleanup(true);
        let whole = DiffOp::Replace {
            old_index: 0,
            old_len: 1,
            new_index: 0,
            new_len: 1,
        };
        // All that was removed comes first.
        let mut behind = Vec::new();
        for at in 0..removed.len().max(added.len()) {
            match (removed.get(at), added.get(at)) {
                (Some(old), Some(new)) if is_paired && old.len().max(new.len()) <= LONGEST => {
                    let diff = TextDiff::from_slices(&[&old[1..]], &[&new[1..]]);
                    // With a deadline, a slow machine would show something else.
                    for line in diff.iter_inline_changes_with_options_deadline(&whole, words, None)
                    {
                        match line.tag() {
                            ChangeTag::Insert => paint(&mut behind, ADDED, b"+", line.values())?,
                            _ => paint(out, REMOVED, b"-", line.values())?,
                        }
                    }
                }
                (old, new) => {
                    if let Some(old) = old {
                        paint(out, REMOVED, b"", &[(false, old)])?;
                    }
                    if let Some(new) = new {
                        paint(&mut behind, ADDED, b"", &[(false, new)])?;
                    }
                }
            }
        }
        out.write_all(&behind)
    }

    /// A line that begins with `---` may be a header or a removed line: only counting lines tells
    /// which.
    fn style(&mut self, line: &[u8]) -> Style {
        let [old, new] = &mut self.hunk;
        match line {
            [b'@', ..] if *old + *new == 0 => {
                self.hunk = lengths(line);
                HUNK
            }
            [b'-' | b'+', ..] if *old + *new == 0 => HEADER,
            [b'-', ..] => {
                *old = old.saturating_sub(1);
                REMOVED
            }
            [b'+', ..] => {
                *new = new.saturating_sub(1);
                ADDED
            }
            [b' ', ..] => {
                (*old, *new) = (old.saturating_sub(1), new.saturating_sub(1));
                Style::new()
            }
            _ => Style::new(),
        }
    }
}

/// Writes a line: its mark, and its parts, each of which may be inverted.
fn paint(
    out: &mut impl Write,
    style: Style,
    mark: &[u8],
    parts: &[(bool, &[u8])],
) -> io::Result<()> {
    for (is_inverted, part) in [&(false, mark)].into_iter().chain(parts) {
        let style = if *is_inverted { style.invert() } else { style };
        let (text, end) = match part.strip_suffix(b"\n") {
            Some(text) => (text, "\n"),
            None => (*part, ""),
        };
        if !text.is_empty() {
            write!(out, "{style}")?;
            out.write_all(text)?;
            write!(out, "{style:#}")?;
        }
        write!(out, "{end}")?;
    }
    Ok(())
}

/// How many old and new lines a hunk has, by its first line: `@@ -4,7 +4,6 @@`, where one line needs no
/// number.
fn lengths(line: &[u8]) -> [u64; 2] {
    let line = String::from_utf8_lossy(line);
    let mut ranges = line
        .split(' ')
        .skip(1)
        .map(|range| match range.split_once(',') {
            Some((_, length)) => length.parse().unwrap_or(0),
            None => 1,
        });
    [(); 2].map(|()| ranges.next().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_differ_are_inverted() {
        let mut out = Vec::new();
        let mut painter = painted(&mut out);
        let diff = "@@ -1,2 +1,2 @@\n-<a href=g>é <b>\n-x\n+<a href=http://h/g>é <b>\n+y\n";
        painter.write_all(diff.as_bytes()).unwrap();
        painter.flush().unwrap();
        drop(painter);
        let expected = "\u{1b}[36m@@ -1,2 +1,2 @@\u{1b}[0m\n\u{1b}[31m-\u{1b}[0m\u{1b}[31m<a href=\u{1b}[0m\u{1b}[31mg>é <b>\u{1b}[0m\n\
            \u{1b}[31m-\u{1b}[0m\u{1b}[7m\u{1b}[31mx\u{1b}[0m\n\
            \u{1b}[32m+\u{1b}[0m\u{1b}[32m<a href=\u{1b}[0m\u{1b}[7m\u{1b}[32mhttp://h/\u{1b}[0m\u{1b}[32mg>é <b>\u{1b}[0m\n\
            \u{1b}[32m+\u{1b}[0m\u{1b}[7m\u{1b}[32my\u{1b}[0m\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn words_of_long_lines_are_not_compared() {
        for (length, is_compared) in [(LONGEST - 4, true), (LONGEST - 3, false)] {
            let mut out = Vec::new();
            let mut painter = painted(&mut out);
            let long = "x".repeat(length);
            write!(painter, "@@ -1 +1 @@\n-a {long}\n+b {long}\n").unwrap();
            painter.flush().unwrap();
            drop(painter);
            let inverted = "\u{1b}[7m\u{1b}[32mb\u{1b}[0m";
            assert_eq!(
                String::from_utf8(out).unwrap().contains(inverted),
                is_compared
            );
        }
    }

    #[test]
    fn a_diff_has_the_colours_of_git() {
        let diff = "--- a/x\n+++ b/x\n@@ -1,3 +1,2 @@\n a\n--- c\n--- d\n+++ e\n@@ -9 +8 @@\n-x\r\n\
                    \\ No newline at end of file\n+y\n\\ No newline at end of file\n--- a/z\n";
        let expected = "\u{1b}[1m--- a/x\u{1b}[0m\n\u{1b}[1m+++ b/x\u{1b}[0m\n\
            \u{1b}[36m@@ -1,3 +1,2 @@\u{1b}[0m\n a\n\u{1b}[31m--- c\u{1b}[0m\n\
            \u{1b}[31m--- d\u{1b}[0m\n\u{1b}[32m+++ e\u{1b}[0m\n\
            \u{1b}[36m@@ -9 +8 @@\u{1b}[0m\n\u{1b}[31m-x\r\u{1b}[0m\n\
            \\ No newline at end of file\n\u{1b}[32m+y\u{1b}[0m\n\\ No newline at end of file\n\
            \u{1b}[1m--- a/z\u{1b}[0m\n";
        for size in [1, 7, 1000] {
            let mut out = Vec::new();
            let mut painter = painted(&mut out);
            for piece in diff.as_bytes().chunks(size) {
                painter.write_all(piece).unwrap();
            }
            painter.flush().unwrap();
            drop(painter);
            assert_eq!(String::from_utf8(out).unwrap(), expected);
        }
    }
}
