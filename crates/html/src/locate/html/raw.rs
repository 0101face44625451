//! Text without markup: the RCDATA, RAWTEXT and script data states.

use memchr::{memchr, memchr2};

use super::is_whitespace;
use super::tag::is;

/// HTML standard, "RCDATA state" and "RAWTEXT state": where the end tag that closes the element
/// `name` starts.
pub(super) fn text_end(document: &[u8], from: usize, name: &[u8]) -> usize {
    let mut at = from;
    while let Some(found) = memchr(b'<', &document[at..]) {
        at += found;
        if is_tag(document, at + 1, b"/", name) {
            return at;
        }
        at += 1;
    }
    document.len()
}

/// HTML standard, "script data state" and its escaped states: where the `</script` that closes the
/// element starts.
pub(super) fn script_end(document: &[u8], from: usize) -> usize {
    let mut state = Script::Data;
    let mut at = from;
    while let Some(found) = match state {
        Script::Data => memchr(b'<', &document[at..]),
        _ => memchr2(b'<', b'-', &document[at..]),
    } {
        at += found;
        let rest = &document[at..];
        let end_tag = is_tag(document, at + 1, b"/", b"script");
        match state {
            Script::Data | Script::Escaped if end_tag => return at,
            Script::Data if rest.starts_with(b"<!--") => {
                state = Script::Escaped;
                // Script data escape start dash state: the two dashes may also be the end.
                at += 1;
            }
            Script::Escaped | Script::DoubleEscaped if rest.starts_with(b"-->") => {
                state = Script::Data;
            }
            // Script data double escape start state.
            Script::Escaped if is_tag(document, at + 1, b"", b"script") => {
                state = Script::DoubleEscaped;
            }
            // Script data double escape end state.
            Script::DoubleEscaped if end_tag => state = Script::Escaped,
            _ => {}
        }
        at += 1;
    }
    document.len()
}

/// The script data states, as far as they differ in what they look for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    Data,
    Escaped,
    DoubleEscaped,
}

/// "Appropriate end tag token", and the names that start and end a double escape: whether `prefix`
/// and `name` are at `at`, and the name ends there.
fn is_tag(document: &[u8], at: usize, prefix: &[u8], name: &[u8]) -> bool {
    let Some(rest) = document[at..].strip_prefix(prefix) else {
        return false;
    };
    let ends = |&byte: &u8| is_whitespace(byte) || matches!(byte, b'/' | b'>');
    rest.get(..name.len()).is_some_and(|found| is(found, name))
        && rest.get(name.len()).is_some_and(ends)
}
