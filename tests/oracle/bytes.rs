//! Whether anything but references changed, by the byte offsets that `links` reports.

use crate::links::Link;

/// Compares what is left of input and output when the references are taken out.
pub(crate) fn outside(
    input: &[u8],
    before: &[Link],
    output: &[u8],
    after: &[Link],
) -> Result<(), String> {
    if before.len() != after.len() {
        return Err(format!(
            "{} references became {}",
            before.len(),
            after.len()
        ));
    }
    let (mut at, mut out) = (0, 0);
    for (x, y) in before.iter().zip(after) {
        let (start, end) = with_gained_quotes(input, x, output, y);
        if input.get(at..x.start) != output.get(out..start) {
            return Err(format!("the bytes before {:?} changed", x.reference));
        }
        let expected = x.absolute.as_ref().unwrap_or(&x.reference);
        if x.outcome == "relative" && y.reference != spelt_like(&y.reference, expected) {
            return Err(format!("{expected:?} was written as {:?}", y.reference));
        }
        (at, out) = (x.end, end);
    }
    if input.get(at..) != output.get(out..) {
        return Err("the bytes after the last reference changed".into());
    }
    Ok(())
}

/// In lists a space of the base URL is written `%20`, a form feed `%0C`, and a comma at the end
/// `%2C`, where it would be taken for a separator.
fn spelt_like(written: &str, url: &str) -> String {
    let mut spelt = url.to_owned();
    for (separator, encoded) in [(' ', "%20"), ('\u{c}', "%0C")] {
        if !written.contains(separator) {
            spelt = spelt.replace(separator, encoded);
        }
    }
    if written.ends_with("%2C") && spelt.ends_with(',') {
        spelt.pop();
        spelt.push_str("%2C");
    }
    spelt
}

/// The output's range, together with the quotes that an unquoted value was given, and the `=` that
/// a missing one was.
fn with_gained_quotes(input: &[u8], x: &Link, output: &[u8], y: &Link) -> (usize, usize) {
    let last = |bytes: &[u8], end: usize| bytes[..end].last().copied();
    let quoted = |byte| matches!(byte, Some(b'"' | b'\''));
    let before = last(input, x.start);
    if quoted(before) || !quoted(last(output, y.start)) {
        return (y.start, y.end);
    }
    let sign = x.start == x.end && before != Some(b'=') && last(output, y.start - 1) == Some(b'=');
    (y.start - 1 - usize::from(sign), y.end + 1)
}
