//! References and URLs as the commands `resolve` and `parse` get them: as arguments, or one per
//! line.

use std::io::{self, BufRead};

/// Why a line cannot be read.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error(
    "standard input, line {line}: byte {byte} of the line is not UTF-8; convert the input to UTF-8"
)]
pub(crate) struct NotText {
    line: u64,
    byte: usize,
}

/// Calls `each` with each argument, or if there are none, with each line of `input`, without its
/// line break.
pub(crate) fn for_each(
    arguments: &[String],
    input: &mut impl BufRead,
    mut each: impl FnMut(Result<&str, NotText>) -> io::Result<()>,
) -> io::Result<()> {
    if !arguments.is_empty() {
        return arguments.iter().try_for_each(|argument| each(Ok(argument)));
    }
    for (line, bytes) in (1..).zip(input.split(b'\n')) {
        let bytes = bytes?;
        let text = bytes.strip_suffix(b"\r").unwrap_or(&bytes);
        each(std::str::from_utf8(text).map_err(|error| NotText {
            line,
            byte: error.valid_up_to() + 1,
        }))?;
    }
    Ok(())
}
