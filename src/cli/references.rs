//! References and URLs as the commands `resolve` and `parse` get them: as arguments, or one a
//! line.

use std::io::{self, BufRead};

/// Gives each argument, or each line of `input` where there are none, to `each`.
///
/// A line that is not UTF-8 is read with U+FFFD in place of what is not; its line break is not
/// part of it.
pub(crate) fn for_each(
    arguments: &[String],
    input: &mut impl BufRead,
    mut each: impl FnMut(&str) -> io::Result<()>,
) -> io::Result<()> {
    if !arguments.is_empty() {
        return arguments.iter().try_for_each(|argument| each(argument));
    }
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        let text = String::from_utf8_lossy(&line);
        let text = text.strip_suffix('\n').unwrap_or(&text);
        each(text.strip_suffix('\r').unwrap_or(text))?;
        line.clear();
    }
    Ok(())
}
