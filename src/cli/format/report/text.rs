//! Text of others, as the page shows it: it is data, and must not be able to be anything else.
//!
//! The template escapes what HTML would read as markup. What is here sees to the rest: passwords are
//! hidden, controls and characters that turn the direction of text are escaped, and a value has an end.

use std::sync::LazyLock;

use regex::Regex;

use super::super::text::Cut;
use crate::cli::print::OneLine;

/// As many characters of a value are shown, and of a sentence with values in it.
pub(super) const LONGEST: usize = 160;
pub(super) const LONGEST_SENTENCE: usize = 320;

/// RFC 1738 §3.1: the password before the host of a URL, also where only a browser sees one.
static PASSWORD: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let pattern = r"(?i)((?:[/\\]{2}|\b(?:https?|ftp|wss?):)[/\\]*[^/\\?#:]*:)[^/\\?#]*@";
    Regex::new(pattern).ok()
});

/// Text with `***` for every password in a URL.
pub(super) fn without_passwords(text: &str) -> String {
    match (&*PASSWORD, text.contains('@')) {
        (Some(password), true) => password.replace_all(text, "$1***@").into_owned(),
        _ => text.to_owned(),
    }
}

/// So many characters of a text, on one line and without passwords.
pub(super) fn shown(text: &str, longest: usize) -> String {
    on_line(&without_passwords(text), longest)
}

/// So many characters of a text that has no passwords, on one line.
pub(super) fn on_line(text: &str, longest: usize) -> String {
    // Escapes make it longer, so that there is a second cut.
    let line = OneLine(Cut(text, longest)).to_string();
    let mut plain = String::with_capacity(line.len());
    for character in line.chars() {
        match is_noncharacter(character) {
            true => plain.extend(character.escape_unicode()),
            false => plain.push(character),
        }
    }
    Cut(&plain, longest).to_string()
}

/// What HTML has no place for, although Unicode counts it.
fn is_noncharacter(character: char) -> bool {
    let code = u32::from(character);
    (0xfdd0..=0xfdef).contains(&code) || code & 0xfffe == 0xfffe
}

/// An argument as `sh` wants it.
pub(super) fn quoted(argument: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_@%+=:,./-".contains(c);
    match !argument.is_empty() && argument.chars().all(is_plain) {
        true => argument.to_owned(),
        false => format!("'{}'", argument.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_hidden() {
        for (text, without) in [
            ("http://u:p@h/a@b", "http://u:***@h/a@b"),
            ("//u:p@h", "//u:***@h"),
            (r"http:\\u:p:q@r@h\x", r"http:\\u:***@h\x"),
            ("HTTP:u:p@h/", "HTTP:u:***@h/"),
            ("///u:p w@h/", "///u:***@h/"),
            (
                "x http://u:p@h/ ftp://v:@g/",
                "x http://u:***@h/ ftp://v:***@g/",
            ),
            ("http://u@h:80/:x@y", "http://u@h:80/:x@y"),
            // The host begins behind the last one.
            ("http://me@mail.com:p@h/", "http://me@mail.com:***@h/"),
            ("//bob@corp:p@h2/x", "//bob@corp:***@h2/x"),
            ("mailto:a@b", "mailto:a@b"),
            ("http://h:80/?a:b@c", "http://h:80/?a:b@c"),
        ] {
            assert_eq!(without_passwords(text), without);
        }
    }

    #[test]
    fn values_end_and_stay_on_their_line() {
        assert_eq!(shown("a\n\u{202e}\u{fffe}", 40), r"a\n\u{202e}\u{fffe}");
        assert_eq!(shown(&"é".repeat(161), LONGEST), "é".repeat(160) + "…");
        assert_eq!(shown(&"\u{1b}".repeat(160), LONGEST).chars().count(), 161);
    }

    #[test]
    fn arguments_are_quoted_for_sh() {
        for (argument, expected) in [
            ("--base-url=https://h/", "--base-url=https://h/"),
            ("", "''"),
            ("a b", "'a b'"),
            ("it's $x", r"'it'\''s $x'"),
            ("https://u:***@h/", "'https://u:***@h/'"),
        ] {
            assert_eq!(quoted(argument), expected);
        }
    }
}
