//! Runners of CI systems, which read the log of a job and obey whatever looks like a command.
//!
//! | runner | command |
//! |---|---|
//! | GitHub | `::name::` at the start of a line, or after white space there; `##[name]` anywhere |
//! | Azure | `##vso[name]`, `##[name]` |
//! | TeamCity | `##teamcity[name]` |
//! | GitLab | `section_start:1:name`, with control characters after it |
//!
//! Lines for people have no control characters, and JSON and XML have no line that begins like
//! that. A diff may go to a file as well as to a log, and in a file it is exact.

use std::borrow::Cow;
use std::env;
use std::io::{self, Write};
use std::sync::LazyLock;

use super::by_line::ByLine;

/// A CI runner reads standard output and standard error.
pub(crate) fn reads() -> bool {
    static READS: LazyLock<bool> = LazyLock::new(|| {
        let variables = [
            "CI",
            "GITHUB_ACTIONS",
            "GITLAB_CI",
            "TF_BUILD",
            "TEAMCITY_VERSION",
        ];
        let values = variables.into_iter().filter_map(env::var_os);
        values.into_iter().any(|value| {
            !["", "0", "false"].contains(&&*value.to_string_lossy().to_ascii_lowercase())
        })
    });
    *READS
}

/// A CI runner reads standard output too: not if that is a file.
pub(crate) fn reads_stdout() -> bool {
    #[cfg(unix)]
    let stdout = std::os::fd::AsFd::as_fd(&io::stdout()).try_clone_to_owned();
    #[cfg(windows)]
    let stdout = std::os::windows::io::AsHandle::as_handle(&io::stdout()).try_clone_to_owned();
    let metadata = stdout.and_then(|stdout| std::fs::File::from(stdout).metadata());
    reads() && !metadata.is_ok_and(|metadata| metadata.is_file())
}

/// Whether the bracket at `at` ends `##`, `##vso` or the like, which together begin a command.
fn is_opening(text: &[u8], at: usize) -> bool {
    let before = &text[..at];
    let name = before
        .iter()
        .rev()
        .take_while(|byte| byte.is_ascii_alphabetic());
    // No runner has a longer one, and many brackets must not take quadratic time.
    let name = name.take(16).count();
    before[..at - name].ends_with(b"##")
}

/// Where commands open: brackets in a text.
fn brackets(text: &[u8]) -> impl Iterator<Item = usize> {
    memchr::memchr_iter(b'[', text).filter(|at| is_opening(text, *at))
}

/// Text with the ASCII characters at these places, which are in order, replaced.
fn replaced(text: &str, places: &[usize], with: fn(u8) -> String) -> String {
    let (mut new, mut copied) = (String::with_capacity(text.len()), 0);
    for &place in places {
        new.push_str(&text[copied..place]);
        new.push_str(&with(text.as_bytes()[place]));
        copied = place + 1;
    }
    new + &text[copied..]
}

/// A line in which no runner finds a command.
pub(crate) fn disarmed(line: &str) -> Cow<'_, str> {
    let mut places: Vec<usize> = brackets(line.as_bytes()).collect();
    // Some runners take a lone carriage return for the end of a line.
    let mut start = 0;
    for part in line.split_inclusive('\r') {
        let indent = part.len() - part.trim_start().len();
        if part[indent..].starts_with("::") {
            places.push(start + indent);
        }
        start += part.len();
    }
    let sections = ["section_start:", "section_end:"];
    for section in sections {
        let found = line.match_indices(section);
        places.extend(found.map(|(at, _)| at + section.len() - 1));
    }
    if places.is_empty() {
        return line.into();
    }
    places.sort_unstable();
    replaced(line, &places, |byte| {
        char::from(byte).escape_unicode().to_string()
    })
    .into()
}

/// Makes JSON say the same in a way that no runner finds a command in. Such brackets are only in
/// its strings.
pub(crate) fn disarmed_json(json: &mut Vec<u8>, from: usize) {
    if memchr::memmem::find(&json[from..], b"##").is_none() {
        return;
    }
    let exact = json.split_off(from);
    let mut copied = 0;
    for place in brackets(&exact) {
        json.extend_from_slice(&exact[copied..place]);
        json.extend_from_slice(b"\\u005b");
        copied = place + 1;
    }
    json.extend_from_slice(&exact[copied..]);
}

/// A log that gets lines which may also go to a file, such as those of a diff: each is
/// [`disarmed`]. What is not UTF-8 stays.
pub(crate) fn disarmed_lines<W: Write>(log: W) -> impl Write {
    ByLine::new(log, |log: &mut W, line| {
        for chunk in line.utf8_chunks() {
            log.write_all(disarmed(chunk.valid()).as_bytes())?;
            log.write_all(chunk.invalid())?;
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_a_command() {
        for (line, expected) in [
            ("::error::x", r"\u{3a}:error::x"),
            (" \u{a0}::x::", " \u{a0}\\u{3a}:x::"),
            ("+x\r ::x::\n", "+x\r \\u{3a}:x::\n"),
            ("a ##[error]##vso[x]", r"a ##\u{5b}error]##vso\u{5b}x]"),
            ("##teamcity[x ##[[", r"##teamcity\u{5b}x ##\u{5b}["),
            (
                "\u{1b}[0Ksection_start:1:a",
                "\u{1b}[0Ksection_start\\u{3a}1:a",
            ),
            ("x::y #[z] ## [", "x::y #[z] ## ["),
        ] {
            assert_eq!(disarmed(line), expected);
        }
    }

    #[test]
    fn json_says_the_same() {
        let value = serde_json::json!(["##[error]", ["é##vso[x]", {"a##[": "##"}], []]);
        let mut json = b"##[".to_vec();
        json.extend(serde_json::to_vec(&value).unwrap());
        disarmed_json(&mut json, 3);
        assert_eq!(json[..3], *b"##[");
        assert!(brackets(&json[3..]).next().is_none());
        assert_eq!(
            serde_json::from_slice::<serde_json::Value>(&json[3..]).unwrap(),
            value
        );
    }

    #[test]
    fn a_log_gets_lines() {
        for size in [1, 3, 100] {
            let mut log = Vec::new();
            let mut disarmed = disarmed_lines(&mut log);
            for piece in b" ::a::\n-::b\xff##[c]\n ::d".chunks(size) {
                disarmed.write_all(piece).unwrap();
            }
            disarmed.flush().unwrap();
            drop(disarmed);
            assert_eq!(log, b" \\u{3a}:a::\n-::b\xff##\\u{5b}c]\n \\u{3a}:d");
        }
    }
}
