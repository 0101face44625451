//! A document's text, as a browser reads it.

use std::sync::LazyLock;

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use regex::Regex;

/// A declaration that counts wherever it stands.
static LATE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new("<meta [^>]*charset=([^>]*)>").expect("a pattern"));

/// A document's text, as a browser reads it.
pub(crate) fn text(bytes: &[u8]) -> String {
    encoding(bytes).decode(bytes).0.into_owned()
}

/// The encoding a browser would use, as far as the tests need it: byte order mark, declaration in
/// the first bytes or in a later `meta`, UTF-8 where it is valid, windows-1252.
pub(super) fn encoding(bytes: &[u8]) -> &'static Encoding {
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return encoding;
    }
    let lower = |bytes| String::from_utf8_lossy(bytes).to_ascii_lowercase();
    let (head, all) = (lower(&bytes[..bytes.len().min(1024)]), lower(bytes));
    let declared = head
        .split("charset=")
        .nth(1)
        .or_else(|| LATE.captures(&all)?.get(1).map(|rest| rest.as_str()))
        .map(|rest| rest.trim_start_matches(['"', '\'']))
        .and_then(|rest| rest.split(['"', '\'', ' ', '>', ';', '/']).next())
        .and_then(|label| Encoding::for_label(label.as_bytes()));
    match declared {
        Some(encoding) => encoding,
        None if std::str::from_utf8(bytes).is_ok() => UTF_8,
        None => WINDOWS_1252,
    }
}
