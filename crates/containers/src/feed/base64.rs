//! HTML in base64, as Atom 0.3 has it (`mode="base64"`).

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};

use abslink_html::given_places::HtmlCoding;

/// What a text in base64 spells, if that is UTF-8.
pub(super) fn coded(text: &str) -> Option<HtmlCoding> {
    let digits: String = text.split_whitespace().collect();
    let octets = STANDARD_NO_PAD.decode(digits.trim_end_matches('=')).ok()?;
    let text = String::from_utf8(octets).ok()?;
    Some(HtmlCoding { text, encode })
}

/// HTML in base64, in lines as long as those of `before`.
fn encode(before: &str, html: &str) -> String {
    let digits = STANDARD.encode(html);
    let longest = before.lines().map(|line| line.trim().len()).max();
    let longest = longest
        .filter(|_| before.contains('\n'))
        .unwrap_or(digits.len());
    let lines: Vec<&str> = digits
        .as_bytes()
        .chunks(longest.max(4))
        .map(|line| std::str::from_utf8(line).unwrap_or_default())
        .collect();
    lines.join("\n")
}
