//! Where values and texts end in the new document.
//!
//! A tokenizer goes from state to state, a byte at a time (HTML 13.2.5). As long as two documents
//! have the same bytes, it is in the same state in both. Where a value begins in both, it is left in
//! both by the same delimiter, in the same state, whatever the value is: so if each value ends where
//! it is said here, and all other bytes are the same, both documents have the same tags. What the
//! tree builder tells the tokenizer depends on names of elements, and on attributes that are no
//! references.

use memchr::{memchr, memmem};

/// What comes next in the new document, where in the old one `before` stands between the name and
/// the value of an attribute, and `after` behind that: how much of it stands before the value, how
/// long that is, and the quote. One without quotes may get quotes, and one that is missing a value.
pub(crate) fn value(before: &[u8], after: &[u8], rest: &[u8]) -> Option<[usize; 3]> {
    let value = rest.strip_prefix(before)?;
    if let [quote] = after {
        return Some([before.len(), memchr(*quote, value)?, 1]);
    }
    let quoted = match before.contains(&b'=') {
        true => value.strip_prefix(b"\""),
        false => value.strip_prefix(b"=\""),
    };
    if let Some(quoted) = quoted {
        let start = rest.len() - quoted.len();
        return Some([start, memchr(b'"', quoted)?, 1]);
    }
    let ends = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'>';
    let length = match before.contains(&b'=') {
        true => value.iter().position(ends)?,
        false => 0,
    };
    Some([before.len(), length, 0])
}

/// How long text is, with comments in it whose contents may change.
pub(crate) fn comments(old: &[u8], new: &[u8]) -> Option<usize> {
    const END: &[u8] = b"-->";
    let Some((count, last)) = memmem::find_iter(old, END).enumerate().last() else {
        return Some(old.len());
    };
    Some(memmem::find_iter(new, END).nth(count)? + old.len() - last)
}

/// How long text is whose markup may not change, up to the next tag.
pub(crate) fn markup(old: &[u8], new: &[u8]) -> Option<usize> {
    let count = openings(old).count();
    openings(new).nth(count)
}

/// Where markup begins. What a section of CDATA holds is none.
fn openings(text: &[u8]) -> impl Iterator<Item = usize> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let at = from + memchr(b'<', &text[from..])?;
        from = at + "<".len();
        if text[at..].starts_with(b"<![CDATA[") {
            let end = memmem::find(&text[at..], b"]]>");
            from = end.map_or(text.len(), |end| at + end);
        }
        Some(at)
    })
}

/// How long raw text is, up to the end tag that stands `behind` the old one.
pub(crate) fn raw(old: &[u8], behind: &[u8], new: &[u8]) -> Option<usize> {
    let name = behind.iter().skip("</".len());
    let length = name.take_while(|byte| byte.is_ascii_alphabetic()).count();
    let tag = behind.get(.."</".len() + length)?;
    // In a script there may be end tags, between `<!--` and `-->`.
    let ends = |(_, mark): &(usize, Mark)| *mark == Mark::End;
    let count = marks(old, tag).filter(ends).count();
    let (length, _) = marks(new, tag).filter(ends).nth(count)?;
    let [olds, news] = [old, &new[..length]].map(|text| marks(text, tag).map(|(_, mark)| mark));
    (!tag.eq_ignore_ascii_case(b"</script") || olds.eq(news)).then_some(length)
}

/// HTML 13.2.5.4, 13.2.5.15 and the like: what tells a tokenizer whether an end tag ends a text.
#[derive(PartialEq, Eq)]
enum Mark {
    Start,
    End,
    Comment,
    Close,
}

/// The marks in raw text, and where they are, up to an end of the text that may be far.
fn marks<'t>(text: &'t [u8], tag: &'t [u8]) -> impl Iterator<Item = (usize, Mark)> + 't {
    memchr::memchr2_iter(b'<', b'>', text).filter_map(move |at| {
        let (before, rest) = text.split_at(at);
        let is_tag = |text: &[u8], name: &[u8]| {
            let delimits = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>');
            text.get(..name.len())
                .is_some_and(|it| it.eq_ignore_ascii_case(name))
                && text.get(name.len()).is_some_and(delimits)
        };
        let mark = match rest {
            [b'>', ..] if before.ends_with(b"--") => Mark::Close,
            [b'<', b'!', b'-', b'-', ..] => Mark::Comment,
            [b'<', b'/', ..] if is_tag(rest, tag) => Mark::End,
            [b'<', name @ ..] if is_tag(name, &tag["</".len()..]) => Mark::Start,
            _ => return None,
        };
        Some((at, mark))
    })
}

#[cfg(test)]
mod tests {
    use super::{comments, markup, raw, value};

    #[test]
    fn values_end_where_a_tokenizer_leaves_them() {
        for (before, after, rest, expected) in [
            ("=\"", "\"", "=\"http://h/>'\" id=x>", Some([2, 11, 1])),
            ("='", "'", "='\"' id=x>", Some([2, 1, 1])),
            ("= \"", "\"", "= \"x>", None),
            ("='", "'", "=\"x\">", None),
            // Without quotes, and with new ones.
            ("=", "", "=a/b/>", Some([1, 4, 0])),
            ("= ", "", "= a\tb>", Some([2, 1, 0])),
            ("=", "", "=\"a b\">", Some([2, 3, 1])),
            ("=", "", "=a", None),
            // No value.
            ("", "", " id=x>", Some([0, 0, 0])),
            ("", "", "=\"a\" id=x>", Some([2, 1, 1])),
            ("=", "", "= >", Some([1, 0, 0])),
        ] {
            let found = value(before.as_bytes(), after.as_bytes(), rest.as_bytes());
            assert_eq!(found, expected, "{before} {after} {rest}");
        }
    }

    #[test]
    fn texts_end_where_the_old_ones_do() {
        let new = |length: Option<usize>, text: &'static str| length.map(|it| &text[..it]);
        // An end tag that a value brings ends the text.
        let text = "a{b:url(</stylex)}</STYLE >";
        let found = raw(b"a{}", b"</style>", text.as_bytes());
        assert_eq!(new(found, text), Some("a{b:url(</stylex)}"));
        assert_eq!(raw(b"a{}", b"</style>", b"a{}</styles"), None);
        // In a script, a script in a comment is a part of it.
        let old = b"<!--<script>'x'</script>-->";
        let text = "<!--<script>'http://h/x'</script>--></script>";
        let found = raw(old, b"</script>", text.as_bytes());
        assert_eq!(new(found, text), text.strip_suffix("</script>"));
        for (old, new) in [
            ("'x'", "'<!--'"),
            ("'x'", "'-->'"),
            ("<!--'x'", "<!--'<script>'"),
        ] {
            let new = format!("{new}</script>");
            assert_eq!(
                raw(old.as_bytes(), b"</script>", new.as_bytes()),
                None,
                "{new}"
            );
        }
        let text = "1 < 2 > 1 <x></script>";
        let found = raw(b"1 <x", b"</script>", text.as_bytes());
        assert_eq!(new(found, text), text.strip_suffix("</script>"));

        let text = "a<!--x-->b<i>";
        assert_eq!(
            new(markup(b"<!--y-->b", text.as_bytes()), text),
            Some("a<!--x-->b")
        );
        assert_eq!(
            new(comments(b"<!--y-->b", text.as_bytes()), text),
            Some("a<!--x-->b")
        );
        let text = "<![CDATA[x<y]]><i>";
        let found = markup(b"<![CDATA[y]]>", text.as_bytes());
        assert_eq!(new(found, text), Some("<![CDATA[x<y]]>"));
        assert_eq!(comments(b"<!--y-->", b"<!--y"), None);
    }
}
