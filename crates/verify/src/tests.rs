//! The table: what the second reader agrees with, and what it does not.

use abslink_html::shared::{Charset, Known, Reading as _, document_base_in};
use abslink_html::{Context, Disagreement, Group, Groups, Settings, Syntax, base};
use abslink_url::Resolver;
use encoding_rs::{Encoding, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE};

use super::bases;
use super::reader::{Verifier, sheet, whole};

const URL: &str = "http://h/d/x.html";

/// What the first column of a row says.
struct Case {
    syntax: Syntax,
    resolver: Resolver,
    encoding: &'static Encoding,
    url: String,
}

impl Case {
    fn of(syntax: Syntax) -> Case {
        Case {
            syntax,
            resolver: Resolver::Rfc1808,
            encoding: UTF_8,
            url: URL.to_owned(),
        }
    }

    fn read(column: &str) -> Case {
        let mut case = Case::of(Syntax::Html);
        for word in column.split(' ') {
            match word {
                "html" => case.syntax = Syntax::Html,
                "xml" => case.syntax = Syntax::Xml,
                "whatwg" => case.resolver = Resolver::Whatwg,
                url if url.contains(':') => case.url = url.to_owned(),
                label => case.encoding = Encoding::for_label(label.as_bytes()).unwrap(),
            }
        }
        case
    }
}

/// What it says of two documents: of the old one as a whole, or byte by byte.
fn said(syntax: Syntax, groups: Groups, documents: [&str; 2], by_byte: bool) -> String {
    said_of(&Case::of(syntax), groups, documents, by_byte)
}

fn said_of(case: &Case, groups: Groups, documents: [&str; 2], by_byte: bool) -> String {
    let context = Context::retrieved_from(&case.url).unwrap();
    let mut settings = Settings::default();
    (settings.groups, settings.resolver) = (groups, case.resolver);
    let base = bases::first(documents[0]);
    let charset = Charset::known(case.encoding, b"");
    let known = Known {
        syntax: case.syntax,
        encoding: case.encoding,
        document_base: &document_base_in(&charset, base.as_deref(), &context, &settings),
        context: &context,
        settings: &settings,
    };
    let [old, new] = documents.map(|document| case.encoding.encode(document).0);
    let compared = if by_byte {
        let mut verifier = Verifier::new(known);
        let mut compared = verifier.take(b"", &new, false);
        for byte in old.chunks(1) {
            compared = compared.and_then(|()| verifier.take(byte, b"", false));
        }
        compared.and_then(|()| verifier.take(b"", b"", true))
    } else {
        whole(known, &old, &new)
    };
    compared.map_or_else(
        |it| format!("{}:{} {}", it.line, it.column, it.what),
        |()| "same".to_owned(),
    )
}

fn every_group() -> Groups {
    Group::ALL.into_iter().fold(Groups::default(), Groups::with)
}

#[test]
fn table() {
    let mut wrong = Vec::new();
    for row in rows("verify.tsv") {
        let [case, expected, old, new] = &row[..] else {
            panic!("four columns: {row:?}");
        };
        let case = Case::read(case);
        for by_byte in [false, true] {
            let found = said_of(&case, every_group(), [old, new], by_byte);
            if found != *expected {
                wrong.push(format!("{old}\n{new}\n{found}\nnot {expected} ({by_byte})"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Where a group is not wanted, its places stay as they are.
#[test]
fn groups_that_are_not_wanted_do_not_change() {
    for (group, old, new) in [
        (
            Group::Noscript,
            "<noscript><a href=x></noscript>",
            "<noscript><a href=http://h/d/x></noscript>",
        ),
        (
            Group::Css,
            "<style>@import 'x';</style>",
            "<style>@import 'http://h/d/x';</style>",
        ),
        (
            Group::Comments,
            "<!--[if IE]><a href=x><![endif]-->",
            "<!--[if IE]><a href=http://h/d/x><![endif]-->",
        ),
    ] {
        let documents = [old, new];
        assert_eq!(said(Syntax::Html, every_group(), documents, false), "same");
        let found = said(Syntax::Html, every_group().without(group), documents, false);
        assert_ne!(found, "same", "{old}");
    }
}

#[test]
fn style_sheets_are_followed_so_deep() {
    for (depth, expected) in [(100, "same"), (200, "1:8 the style sheet nests too deep")] {
        let sheet = |url: &str| {
            let (open, close) = ("(".repeat(depth), ")".repeat(depth));
            format!("<style>a{{b:{open}url({url}){close}}}</style>")
        };
        let documents = [&*sheet("x"), &*sheet("http://h/d/x")];
        let found = said(Syntax::Html, every_group(), documents, false);
        assert_eq!(found, expected, "{depth}");
    }
}

/// What it says of two documents in an encoding.
fn said_in(encoding: &'static Encoding, old: &[u8], new: &[u8], compare: Compare) -> String {
    let (context, settings) = (Context::retrieved_from(URL).unwrap(), Settings::default());
    let known = Known {
        syntax: Syntax::Html,
        encoding,
        document_base: &base::document_base(None, &context, Resolver::Rfc1808),
        context: &context,
        settings: &settings,
    };
    let compared = compare(known, old, new);
    compared.map_or_else(|it| it.what, |()| "same".to_owned())
}

type Compare = fn(Known<'_, '_>, &[u8], &[u8]) -> Result<(), Disagreement>;

/// What is not valid is U+FFFD all the same, and some encodings have several spellings of a text.
#[test]
fn bytes_that_spell_the_same_are_not_the_same() {
    use encoding_rs::{GBK, ISO_8859_6, SHIFT_JIS};
    let sheet = |comment: &[u8], url: &[u8]| {
        let parts: [&[u8]; 5] = [b"<style>/* ", comment, b" */a{b:url(", url, b")}</style>"];
        parts.concat()
    };
    for (encoding, comment, other, says) in [
        (
            ISO_8859_6,
            &b"\xc2\xa1"[..],
            &b"\xc2\xa2"[..],
            r"`\xa1` is no URL, and became `\xa2`",
        ),
        (
            UTF_8,
            b"a\xff",
            b"a\xfe",
            r"`\xff` is no URL, and became `\xfe`",
        ),
        (
            SHIFT_JIS,
            b"\x81\x22",
            b"\xfc\x22",
            r"`\x81` is no URL, and became `\xfc`",
        ),
        (
            GBK,
            b"\xa2\xe3",
            b"\x80",
            r"`\xa2\xe3` is no URL, and became `\x80`",
        ),
    ] {
        let old = sheet(comment, b"x");
        let same = sheet(comment, b"http://h/d/x");
        assert_eq!(
            said_in(encoding, &old, &same, whole),
            "same",
            "{encoding:?}"
        );
        let found = said_in(encoding, &old, &sheet(other, b"http://h/d/x"), whole);
        assert_eq!(found, says, "{encoding:?}");
    }
    // Between the bytes of a character nothing is cut.
    let old = b"<img srcset='\x83\x5c\x81\x40 1x,\x81 2x'>";
    let new = b"<img srcset='http://h/d/\x83\x5c\x81\x40 1x,http://h/d/\x81 2x'>";
    assert_eq!(said_in(SHIFT_JIS, old, new, whole), "same");
}

#[test]
fn a_byte_order_mark_stays() {
    let utf16 =
        |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
    for (encoding, is_marked) in [
        (UTF_8, false),
        (UTF_8, true),
        (UTF_16LE, true),
        (UTF_16LE, false),
    ] {
        let spelled = |text: &str, is_marked: bool| {
            let text = format!("{}{text}", if is_marked { "\u{feff}" } else { "" });
            match encoding == UTF_8 {
                true => text.into_bytes(),
                false => utf16(&text),
            }
        };
        for (compare, old, new) in [
            (sheet as Compare, "a{b:url(x)}", "a{b:url(http://h/d/x)}"),
            (whole, "<a href=x>", "<a href=http://h/d/x>"),
        ] {
            let said = |new_is_marked| {
                let (old, new) = (spelled(old, is_marked), spelled(new, new_is_marked));
                said_in(encoding, &old, &new, compare)
            };
            assert_eq!(said(is_marked), "same", "{encoding:?}");
            assert_ne!(said(!is_marked), "same", "{encoding:?} {is_marked}");
        }
    }
}

/// A document is written in one way in ISO-2022-JP, and what is written is valid.
#[test]
fn what_is_read_as_text_is_spelled_in_one_way() {
    let (old, new) = (b"<a href=x>", b"<a href=http://h/d/x>");
    let again = b"<a href=http://h/d/x>\x1b(B";
    assert_eq!(said_in(ISO_2022_JP, old, new, whole), "same");
    let says = "it is not spelled as its encoding spells it";
    assert_eq!(said_in(ISO_2022_JP, old, again, whole), says);
    let utf16 =
        |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_be_bytes).collect() };
    let (old, new) = (
        utf16("<a href=x>\u{fffd}"),
        utf16("<a href=http://h/d/x>\u{fffd}"),
    );
    assert_eq!(said_in(UTF_16BE, &old, &new, whole), "same");
    let broken = [&new[..new.len() - 2], b"\xd8\x00"].concat();
    assert_eq!(said_in(UTF_16BE, &old, &broken, whole), says);
}

/// What it says where no `base` element was taken to count.
#[test]
fn a_base_element_that_nothing_moves_counts() {
    let other = "its base URL is another one";
    for (document, expected) in [
        ("<base href=/b/><a href=x><table></table>", other),
        (
            "<p>y<base href=/b/><a href=x><template></template><select></select>",
            other,
        ),
        ("<base href=/b/><table><base href=/c/></table>", other),
        // It may be moved behind another one, dropped, or replaced.
        ("<table><base href=/b/></table>", "same"),
        ("<select><base href=/b/></select>", "same"),
        ("<p><base href=/b/><frameset></frameset>", "same"),
    ] {
        assert_eq!(
            said_in(UTF_8, document.as_bytes(), document.as_bytes(), whole),
            expected,
            "{document}"
        );
    }
}

/// The rows of `testdata/<name>`, in which control pictures stand for control characters.
fn rows(name: &str) -> Vec<Vec<String>> {
    let path = format!("{}/testdata/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap();
    let control = |c: char| match c {
        '\u{2400}'..='\u{241f}' => char::from((c as u32 - 0x2400) as u8),
        '\u{2421}' => '\u{7f}',
        _ => c,
    };
    let row = |line: &str| {
        line.split('\t')
            .map(|cell| cell.chars().map(control).collect())
            .collect()
    };
    let is_row = |line: &&str| !line.is_empty() && !line.starts_with("# ");
    text.lines().filter(is_row).map(row).collect()
}
