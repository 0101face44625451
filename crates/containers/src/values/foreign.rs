//! Texts that are not HTML, or hold it in a spelling of their own (foreign.tsv): by HTML's rules their code would change,
//! lengths would be wrong, and links would stay unseen.

use std::sync::LazyLock;

use memchr::memmem::{self, Finder};
use wide::u8x16;

use super::lists::is_file;
use super::xml_root::Root;

struct Sign {
    sign: &'static str,
    /// What has to stand behind it or before a mark, or must not stand in the same text.
    other: &'static str,
    format: &'static str,
    finder: Finder<'static>,
}

impl Sign {
    fn begins(&self, text: &[u8]) -> bool {
        let start = text.get(..self.sign.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(self.sign.as_bytes()))
    }
}

/// The signs of each place.
static SIGNS: LazyLock<[Vec<Sign>; 6]> = LazyLock::new(|| {
    ["start", "text", "line", "tag", "mark", "html"].map(|place| {
        let rows = include_str!("foreign.tsv").lines();
        let rows = rows.map(|row| row.split('\t').collect::<Vec<_>>());
        let signs = rows.filter_map(|row| match row[..] {
            [its, sign, other, format] if its == place => Some(Sign {
                sign,
                other,
                format,
                finder: Finder::new(sign),
            }),
            _ => None,
        });
        signs.collect()
    })
});

/// Where a text is not HTML, and what it is.
pub(super) fn foreign(text: &str, has_markup: bool) -> Option<(usize, &'static str)> {
    let start = text.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '\u{feff}');
    let is_markup = start.starts_with('<');
    if !is_markup && let Some(found) = link(text) {
        return Some(found);
    }
    // Where no markup is, nothing changes.
    if !has_markup {
        return None;
    }
    let whole = if is_markup { xml(start) } else { plain(start) };
    whole.map(|what| (0, what)).or_else(|| part(text))
}

/// Where a tag begins.
pub(super) fn tag(text: &str) -> Option<usize> {
    let is_tag = |at: &usize| text[at + 1..].starts_with(|c: char| c.is_ascii_alphabetic());
    memchr::memchr_iter(b'<', text.as_bytes()).find(is_tag)
}

/// A link that is relative for sure: brackets may stand before parentheses in any text.
fn link(text: &str) -> Option<(usize, &'static str)> {
    /// A hostile text has thousands of beginnings, and no end.
    const LONGEST: usize = 1 << 10;
    memchr::memchr_iter(b']', text.as_bytes()).find_map(|at| {
        let before = text.as_bytes()[..at].last_chunk::<5>();
        if before.is_some_and(|before| before.eq_ignore_ascii_case(b"[/url")) {
            return Some((at - 5, "BBCode"));
        }
        let target = text[at + 1..].strip_prefix('(')?;
        let end = |byte| matches!(byte, b')' | b' ' | b'\n' | b':');
        let target = &target[..target.bytes().take(LONGEST).position(end)?];
        let ends = || is_file(target.as_bytes()) || target.ends_with(".md");
        (super::is_relative(target) || ends()).then_some((at, "Markdown"))
    })
}

/// XML that is not HTML by its root.
fn xml(text: &str) -> Option<&'static str> {
    /// Roots that need no namespace.
    const ROOTS: [&str; 7] = [
        "rss",
        "opml",
        "plist",
        "wddxPacket",
        "methodCall",
        "methodResponse",
        "T3FlexForms",
    ];
    // Most texts begin with a short tag.
    let first = &text[..memchr::memchr(b'>', text.as_bytes()).unwrap_or(text.len())];
    // Most have another letter.
    let letter = first.as_bytes().get(1);
    let begins = |root: &&str| root.as_bytes().first() == letter && first[1..].starts_with(root);
    let mut letters = memchr::memchr_iter(b'x', first.as_bytes());
    let mut declares = || letters.any(|at| first[at..].starts_with("xmlns"));
    let is_short = text[1..].starts_with(|c: char| c.is_ascii_alphabetic()) && !declares();
    if is_short && !ROOTS.iter().any(begins) {
        return None;
    }
    let root = Root::of(text.as_bytes())?;
    let space = root.namespace().map(String::from_utf8_lossy);
    let is = |name: &str| name.as_bytes().eq_ignore_ascii_case(root.local);
    let is_html = || SIGNS[5].iter().any(|names| names.sign.split(' ').any(is));
    let (is_foreign, is_other) = match &space {
        Some(space) => (
            *space != "http://www.w3.org/1999/xhtml",
            !space.contains("w3.org"),
        ),
        None => (text.starts_with("<?xml "), false),
    };
    (ROOTS.into_iter().any(is) || is_other || is_foreign && !is_html()).then_some("XML")
}

/// A format of text in which markup is code, or has another spelling.
fn plain(text: &str) -> Option<&'static str> {
    // A dictionary or list, or a string alone, in which lengths stand before strings.
    let inside = text.strip_prefix(['d', 'l']).unwrap_or(text);
    let behind = inside.trim_start_matches(|c: char| c.is_ascii_digit());
    let length: Option<usize> = inside[..inside.len() - behind.len()].parse().ok();
    let is_string = length.is_some_and(|length| behind.len().checked_sub(2) == Some(length));
    let is_list = length.is_some() && inside.len() < text.len() && text.ends_with('e');
    if behind.starts_with(':') && (is_list || is_string && text.ends_with(',')) {
        return Some("bencoded, or a netstring");
    }
    // igbinary, BSON, pickle, Ruby's Marshal, Java
    let is_binary = |c: &char| c.is_control() && !c.is_ascii_whitespace();
    if text.chars().take(4).filter(is_binary).count() > 1 {
        return Some("binary data");
    }
    let bytes = text.as_bytes();
    let [starts, texts, lines, ..] = &*SIGNS;
    let has = |sign: &&Sign| {
        let is_other = || memmem::find(bytes, sign.other.as_bytes()).is_some();
        sign.finder.find(bytes).is_some() && (sign.other.is_empty() || !is_other())
    };
    let of_line = |line: &str| {
        let line = line.trim_ascii_start();
        let is = |sign: &&Sign| {
            sign.begins(line.as_bytes()) && line[sign.sign.len()..].contains(sign.other)
        };
        lines.iter().find(is)
    };
    let found = starts.iter().find(|sign| text.starts_with(sign.sign));
    let found = found.or_else(|| texts.iter().find(has));
    let found = found.or_else(|| text.lines().find_map(of_line));
    found.map(|sign| sign.format)
}

/// The letters that the tags of the table begin with.
const LETTERS: [u8; 2] = *b"ns";

/// Whether there is a tag that begins with one of these: sixteen bytes are looked at together.
fn may_have_tag(bytes: &[u8]) -> bool {
    let is_tag = |(first, second): (&[u8; 16], &[u8; 16])| {
        let is_first = u8x16::new(*first).simd_eq(u8x16::splat(b'<'));
        let second = u8x16::new(*second) | u8x16::splat(b' ');
        let are_letters = LETTERS.map(|letter| second.simd_eq(u8x16::splat(letter)));
        (is_first & (are_letters[0] | are_letters[1])).any()
    };
    let Some((_, behind)) = bytes.split_first() else {
        return false;
    };
    match (bytes[..behind.len()].last_chunk(), behind.last_chunk()) {
        (Some(last), Some(behind_last)) => {
            let pairs = bytes.as_chunks().0.iter().zip(behind.as_chunks().0);
            pairs.chain([(last, behind_last)]).any(is_tag)
        }
        _ => {
            let mut pairs = bytes.windows(2);
            pairs.any(|it| it[0] == b'<' && LETTERS.contains(&(it[1] | b' ')))
        }
    }
}

/// A part of a text that is not HTML.
fn part(text: &str) -> Option<(usize, &'static str)> {
    let bytes = text.as_bytes();
    let [.., tags, marks, _] = &*SIGNS;
    let of_tag = |at: usize| {
        let sign = tags.iter().find(|sign| sign.begins(&bytes[at..]))?;
        Some((at, sign.format))
    };
    // Most tags have another letter.
    let found = may_have_tag(bytes).then(|| memchr::memchr_iter(b'<', bytes).find_map(of_tag));
    let found = found.flatten();
    let mut done = 0;
    let of_mark = |at: usize| {
        let sign = marks.iter().find(|sign| sign.begins(&bytes[at..]))?;
        if sign.other.is_empty() {
            return Some((at, sign.format));
        }
        // What is between two marks is looked at once.
        let found = text[done..at].to_ascii_lowercase().rfind(sign.other);
        let start = done + found.unwrap_or_default();
        done = at + found.map_or(0, |_| sign.sign.len());
        let has_markup = found.is_some() && text[start..at].contains('<');
        has_markup.then_some((start, sign.format))
    };
    found.or_else(|| memchr::memchr2_iter(b'[', b'{', bytes).find_map(of_mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_found_wherever_they_stand() {
        for tag in SIGNS[3].iter().map(|sign| sign.sign.to_ascii_uppercase()) {
            for at in 0..40 {
                for behind in 0..20 {
                    let text = format!("{}{tag}{}", "<b>".repeat(at), "x".repeat(behind));
                    assert_eq!(part(&text).map(|it| it.0), Some(3 * at), "{text}");
                }
            }
        }
    }
}
