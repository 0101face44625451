//! References and URLs as the commands `resolve` and `parse` get them: as arguments, or one per
//! line.

use std::io::{self, BufRead};

/// Calls `each` with each argument, or if there are none, with each line of `input`, without its
/// line break, or why it cannot be read.
pub(crate) fn for_each(
    arguments: &[String],
    input: &mut impl BufRead,
    mut each: impl FnMut(Result<&str, String>) -> io::Result<()>,
) -> io::Result<()> {
    if !arguments.is_empty() {
        return arguments.iter().try_for_each(|argument| each(Ok(argument)));
    }
    for (line, bytes) in (1_u64..).zip(input.split(b'\n')) {
        let bytes = bytes?;
        let text = bytes.strip_suffix(b"\r").unwrap_or(&bytes);
        each(std::str::from_utf8(text).map_err(|error| {
            let byte = error.valid_up_to() + 1;
            format!(
                "standard input, line {line}: byte {byte} of the line is not UTF-8; convert the input to UTF-8"
            )
        }))?;
    }
    Ok(())
}
