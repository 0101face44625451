//! Untrusted text, as the page shows it: it is data, and must not become anything else.
//!
//! The template escapes what HTML would read as markup. The rest is done here: passwords are hidden,
//! control characters and those that change the direction of text are escaped, and long values are cut.

use crate::cli::format::text::truncated;
use crate::cli::terminal::passwords::masked_line;
use crate::cli::terminal::print::OneLine;

/// At most this many characters of a value are shown, and of a sentence with values in it.
pub(super) const LONGEST: usize = 160;
pub(super) const LONGEST_SENTENCE: usize = 320;

/// At most `longest` characters of a text, on one line and without passwords.
pub(super) fn shown(text: &str, longest: usize) -> String {
    on_line(&masked_line(text), longest)
}

/// At most `longest` characters of a text that has no passwords, on one line.
pub(super) fn on_line(text: &str, longest: usize) -> String {
    // Escapes make it longer, hence the second cut.
    let line = OneLine(truncated(text, longest)).to_string();
    let mut plain = String::with_capacity(line.len());
    for character in line.chars() {
        if is_noncharacter(character) {
            plain.extend(character.escape_unicode())
        } else {
            plain.push(character)
        }
    }
    truncated(&plain, longest).into_owned()
}

/// What HTML does not allow, although Unicode has it.
fn is_noncharacter(character: char) -> bool {
    let code = u32::from(character);
    (0xfdd0..=0xfdef).contains(&code) || code & 0xfffe == 0xfffe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_end_and_stay_on_their_line() {
        assert_eq!(shown("a\n\u{202e}\u{fffe}", 40), r"a\n\u{202e}\u{fffe}");
        assert_eq!(shown(&"é".repeat(161), LONGEST), "é".repeat(160) + "…");
        assert_eq!(shown(&"\u{1b}".repeat(160), LONGEST).chars().count(), 161);
    }
}
