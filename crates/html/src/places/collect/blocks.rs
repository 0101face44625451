//! The comments that delimit WordPress' blocks, `<!-- wp:NAME {JSON} -->`, as the expression of `WP_Block_Parser` finds
//! them (`wp-includes/class-wp-block-parser.php`).

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem;

use super::Collector;
use crate::places::attributes::{Against, Row, ValueKind};
use crate::places::groups::Group;
use crate::places::list::UrlPlace;
use crate::text::json_scanner::{is_valid, strings};
use crate::text::splice::sort_by_number;
use crate::text::value::Delimiter;

/// Members of the JSON whose strings are URLs.
const URLS: &str = "url href src link poster mediaUrl mediaLink backgroundUrl feedURL";

static URL: Row = row(ValueKind::Url, Against::Base);
/// One that only moves.
static MOVED: Row = row(ValueKind::Url, Against::Nothing);
static HTML: Row = row(ValueKind::Html, Against::Base);

const fn row(kind: ValueKind, against: Against) -> Row {
    Row::of_group(kind, against, Group::Blocks)
}

/// Whether a text is one word that begins as a relative URL does which nobody could take for another text.
pub fn is_relative(text: &str) -> bool {
    text.starts_with('/') && !text.starts_with("//")
        || ["./", "../"].iter().any(|it| text.starts_with(it))
}

/// Whether a text begins as JSON, or what PHP serializes, does.
fn may_be_value(text: &str) -> bool {
    let text = text.trim_ascii_start().as_bytes();
    matches!(
        text,
        [b'{' | b'[', ..] | [b'a' | b's' | b'S' | b'O' | b'C', b':', b'0'..=b'9', ..]
    )
}

impl Collector<'_> {
    /// The places in all blocks of a document, in any markup, where WordPress finds them too.
    pub(super) fn blocks_in_content(&mut self) {
        // Most content is short and has none, and to make a searcher takes as long as to search.
        static NAME: LazyLock<memmem::Finder<'static>> =
            LazyLock::new(|| memmem::Finder::new("wp:"));
        let may_have = memchr::memchr(b':', self.slice).is_some();
        if !may_have || NAME.find(self.slice).is_none() {
            return;
        }
        let mut taken: Vec<_> = self.places.list.iter().map(|it| it.value.clone()).collect();
        sort_by_number(&mut taken, |value| value.start);
        self.blocks(0..self.slice.len(), |block| {
            let before = taken.partition_point(|value| value.start < block.end);
            before == 0 || taken[before - 1].end <= block.start
        });
    }

    /// The places in the blocks of a part of the document.
    pub(super) fn blocks(&mut self, part: Range<usize>, is_wanted: impl Fn(&Range<usize>) -> bool) {
        let Ok(text) = str::from_utf8(&self.slice[part.clone()]) else {
            return;
        };
        for block in find(text).filter(|block| is_wanted(&block.attributes)) {
            let json = &text[block.attributes.clone()];
            // Without readable attributes it is a block all the same, which has none.
            if is_valid(json) {
                let start = part.start + block.attributes.start;
                let name = part.start + block.name.start..part.start + block.name.end;
                self.strings(json, start, &name, &text[block.name]);
            }
        }
    }

    /// The strings of a block's attributes that are places.
    fn strings(&mut self, json: &str, start: usize, element: &Range<usize>, name: &str) {
        let is_social = matches!(name, "wp:social-link" | "wp:core/social-link");
        strings(json, |open, span, text, is_key| {
            let key = open.last().map_or("", |level| &**level.key);
            let is_word = !text.contains(|c: char| c.is_whitespace() || c == '<');
            let is_url = URLS.split(' ').any(|url| url == key);
            let row = match () {
                () if is_key => return,
                () if is_url
                    && !is_social
                    && (text.starts_with(['/', '?']) || is_relative(text)) =>
                {
                    &URL
                }
                () if is_word && (text.contains("://") || text.starts_with("//")) => &MOVED,
                () if is_url => return,
                () if is_word && is_relative(text) => {
                    let is_on = self.off_group(Group::Blocks).is_none();
                    self.places.relative_in_blocks += u64::from(is_on);
                    return;
                }
                () if text.contains('<') && (self.wanted.is_content || !may_be_value(text)) => {
                    &HTML
                }
                () => return,
            };
            let index = self.places.list.len();
            self.places.custom_names.push((index, key.into()));
            self.places.list.push(UrlPlace {
                row,
                value: self.absolute(&(start + span.start..start + span.end)),
                delimiter: Delimiter::Block,
                element: self.absolute(element),
                is_inert: true,
                off_group: self.off_group(Group::Blocks),
            });
        });
    }
}

/// A comment that begins a block.
#[derive(Debug, PartialEq, Eq)]
struct Block {
    /// Its name, with `wp:`.
    name: Range<usize>,
    /// Its attributes, which are an object of JSON.
    attributes: Range<usize>,
}

/// The blocks of a text that have attributes.
fn find(text: &str) -> impl Iterator<Item = Block> {
    // What ends no comment behind one place ends none behind later ones.
    let (mut done, mut has_more) = (0, true);
    memmem::find_iter(text.as_bytes(), "<!--").filter_map(move |start| {
        let (name, open) =
            head(text, start + "<!--".len()).filter(|_| start >= done && has_more)?;
        let close = closing(&text.as_bytes()[open..]);
        has_more = close.is_some();
        done = open + close?;
        let attributes = open..done;
        Some(Block { name, attributes })
    })
}

/// What PCRE matches as `\s`.
fn is_blank(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

fn blanks(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| is_blank(byte)).count()
}

/// The length of a name, which begins with a letter.
fn name(bytes: &[u8]) -> usize {
    let is_part =
        |byte: &&u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-".contains(byte);
    match bytes.first() {
        Some(first) if first.is_ascii_lowercase() => bytes.iter().take_while(is_part).count(),
        _ => 0,
    }
}

/// The name of a block, and where its attributes begin.
fn head(text: &str, start: usize) -> Option<(Range<usize>, usize)> {
    let bytes = text.as_bytes();
    let first = start + Some(blanks(&bytes[start..])).filter(|length| *length > 0)?;
    let start = first + bytes[first..].starts_with(b"wp:").then_some(3)?;
    let some_name = |start: usize| Some(name(&bytes[start..])).filter(|length| *length > 0);
    let mut end = start + some_name(start)?;
    if bytes.get(end) == Some(&b'/') {
        end += 1 + some_name(end + 1)?;
    }
    let open = end + blanks(&bytes[end..]);
    let is_right = open > end && bytes.get(open) == Some(&b'{');
    is_right.then_some((first..end, open))
}

/// How long the attributes are that begin there: up to the first `}` that the end of a comment follows.
fn closing(bytes: &[u8]) -> Option<usize> {
    let mut closing = memchr::memchr_iter(b'}', bytes).map(|at| at + 1);
    closing.find(|close| {
        let rest = &bytes[*close..];
        let blanks = blanks(rest);
        let rest = &rest[blanks..];
        blanks > 0 && (rest.starts_with(b"-->") || rest.starts_with(b"/-->"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_what_wordpress_takes_for_them() {
        let found = |text: &'static str| {
            let found = find(text).map(|block| (&text[block.name], &text[block.attributes]));
            found.collect::<Vec<_>>()
        };
        assert_eq!(
            found(
                "<!-- wp:cover {\"url\":\"a\"} --><!--\n\twp:my-x/y-z_1  {\"a\":{\"b\":{}}}\n/-->"
            ),
            [
                ("wp:cover", "{\"url\":\"a\"}"),
                ("wp:my-x/y-z_1", "{\"a\":{\"b\":{}}}")
            ]
        );
        assert_eq!(
            found("<!-- wp:core/x {\"a\":\"} \\u002d->\"} -->"),
            [("wp:core/x", "{\"a\":\"} \\u002d->\"}")]
        );
        for none in [
            "<!-- wp:x -->",
            "<!--wp:x {} -->",
            "<!-- wp:x{} -->",
            "<!-- wp:X {} -->",
            "<!-- /wp:x {} -->",
            "<!-- wp:x {}-->",
            "<!-- wp:x {} / -->",
            "<!-- wp:x/ {} -->",
            "<!-- wp: {} -->",
            "<!-- wp:x {} ",
            "<!--",
        ] {
            assert_eq!(found(none), [], "{none}");
        }
        let many = "<!-- wp:x {".repeat(1 << 16);
        assert_eq!(find(&many).count(), 0);
    }
}
