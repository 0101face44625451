//! What stands before a document: YAML between lines of `---`, TOML between lines of `+++`.

/// How long the front matter is that a document begins with.
pub(super) fn length(document: &str) -> usize {
    let body = document.strip_prefix('\u{feff}').unwrap_or(document);
    let mark = match body.as_bytes() {
        [b'-', b'-', b'-', b'\r' | b'\n' | b' ' | b'\t', ..] => "---",
        [b'+', b'+', b'+', b'\r' | b'\n' | b' ' | b'\t', ..] => "+++",
        _ => return document.len() - body.len(),
    };
    let start = document.len() - body.len();
    let mut at = start;
    let mut is_data = mark == "+++";
    for (number, line) in body.split_inclusive('\n').enumerate() {
        at += line.len();
        let text = line.trim_end();
        match number {
            0 if text != mark => return start,
            0 => {}
            _ if text == mark || text == "..." && mark == "---" => {
                return if is_data { at } else { start };
            }
            // Without a key the mark is a rule, and the next one makes a heading.
            _ => is_data |= is_key(text),
        }
    }
    start
}

/// Whether a line is `key: value`.
fn is_key(line: &str) -> bool {
    let key = line.split(':').next().unwrap_or_default();
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ' ' | '"' | '\'');
    let rest = &line[key.len()..];
    !key.is_empty()
        && key.chars().all(is_part)
        && (rest == ":" || rest.starts_with(": ") || rest.starts_with(":\t"))
}

#[cfg(test)]
mod tests {
    use super::length;

    #[test]
    fn what_is_cut_off() {
        for (document, expected) in [
            ("---\na: b\n---\nx", 13),
            ("---\r\na: b\r\n...\r\n", 16),
            ("+++\na = 1\n+++\n", 14),
            ("\u{feff}---\na:\n---\n", 14),
            ("\u{feff}x", 3),
            ("---\nFoo\n---\nBar\n---\nBaz\n", 0),
            ("---\na: b\n", 0),
            ("----\na: b\n---\n", 0),
        ] {
            assert_eq!(length(document), expected, "{document:?}");
        }
    }
}
