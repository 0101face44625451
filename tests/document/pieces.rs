//! Documents that come in pieces: what is found does not depend on where they are cut.

use std::fs;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use abslink::{
    BaseUrl, Context, Ended, Examined, Groups, Prescan, Reference, Resolver, RewriteError,
    Rewriter, Settings, Syntax, edits, examine, rewrite_bytes,
};
use abslink_html::locate::xml::Doctype;
use abslink_html::locate::{Attribute, Handler, Pieces, RawText, Spelling, StartTag, locate};
use abslink_html::{BasePrescan, ChunkedRewriter, EncodingPrescan, Seen};

use crate::support::generate;
use crate::support::growth::is_linear;

/// Everything that is reported, with its place in the document.
#[derive(Debug, Default, PartialEq)]
struct Found {
    /// Where the piece starts in the document.
    start: usize,
    lines: Vec<String>,
}

impl Found {
    fn absolute(&self, range: &Range<usize>) -> Range<usize> {
        range.start + self.start..range.end + self.start
    }
}

impl Handler for Found {
    fn start_tag(&mut self, tag: &StartTag<'_>) {
        let attributes: Vec<_> = tag
            .attributes
            .iter()
            .map(|it| (self.absolute(&it.name), self.absolute(&it.value), it.quote))
            .collect();
        let name = self.absolute(&tag.name);
        let (namespace, counts, precedes) = (tag.namespace, tag.base_applies, tag.precedes);
        self.lines.push(format!(
            "{name:?} {namespace:?} {counts} {precedes} {attributes:?}"
        ));
    }

    fn raw_text(&mut self, element: RawText, spelling: Spelling, text: Range<usize>) {
        let text = self.absolute(&text);
        self.lines
            .push(format!("{element:?} {spelling:?} {text:?}"));
    }

    fn comment(&mut self, data: Range<usize>) {
        let data = self.absolute(&data);
        self.lines.push(format!("comment {data:?}"));
    }

    fn bases_removed(&mut self, at: usize) {
        let at = at + self.start;
        self.lines.push(format!("bases removed {at}"));
    }

    fn doctype(&mut self, doctype: &Arc<Doctype>) {
        self.lines.push(format!("{doctype:?}").len().to_string());
    }

    fn declared_markup(&mut self, text: Range<usize>) {
        let text = self.absolute(&text);
        self.lines.push(format!("markup {text:?}"));
    }

    fn declared_attribute(&mut self, element: Range<usize>, attribute: &Attribute) {
        let value = self.absolute(&attribute.value);
        let element = self.absolute(&element);
        self.lines.push(format!("default {element:?} {value:?}"));
    }

    fn refuse(&mut self, reason: &'static str) {
        self.lines.push(reason.to_owned());
    }
}

/// What is found when the document comes in pieces of these lengths, the last one again and again.
fn in_pieces(document: &[u8], syntax: Syntax, lengths: &[usize]) -> Vec<String> {
    let mut pieces = Pieces::new(syntax);
    let mut found = Found::default();
    let mut end = 0;
    for nth in 0.. {
        end += lengths[nth.min(lengths.len() - 1)];
        let last = end >= document.len();
        let piece = &document[found.start..end.min(document.len())];
        found.start += pieces.locate(piece, last, &mut found);
        if last {
            break;
        }
    }
    found.lines
}

/// Compares all ways to cut a document into two, and some into more.
fn compare(document: &[u8], syntax: Syntax) -> Result<(), String> {
    let mut whole = Found::default();
    locate(document, syntax, true, &mut whole);
    let small = if document.len() < 2_000 {
        0
    } else {
        document.len()
    };
    let in_two = (small..document.len()).map(|cut| vec![cut, document.len()]);
    let in_many = [1, 2, 7, 64, 4096].map(|length| vec![length]);
    for lengths in in_two.chain(in_many) {
        let found = in_pieces(document, syntax, &lengths);
        let different = found.iter().zip(&whole.lines).find(|(a, b)| a != b);
        if found != whole.lines {
            return Err(format!("in pieces of {lengths:?}: {different:?}"));
        }
    }
    Ok(())
}

#[test]
fn the_same_is_located() {
    generate::documents(150, |document| {
        compare(document.as_bytes(), Syntax::Html)?;
        compare(document.as_bytes(), Syntax::Xml)
    });
    generate::xhtml::documents(50, |document| compare(document.as_bytes(), Syntax::Xml));
    each_fixture(compare);
}

/// A document is located without HTML's tree as far as that is not asked for; one in pieces has it
/// from the start, for all that a first reading could tell.
#[test]
fn the_tree_changes_nothing() {
    generate::documents(10_000, |document| {
        let mut whole = Found::default();
        locate(document.as_bytes(), Syntax::Html, true, &mut whole);
        let with_tree = in_pieces(document.as_bytes(), Syntax::Html, &[document.len().max(1)]);
        let different = with_tree.iter().zip(&whole.lines).find(|(a, b)| a != b);
        if with_tree == whole.lines {
            Ok(())
        } else {
            Err(format!("with the tree and without: {different:?}"))
        }
    });
}

/// What comes out of a document: its references, the new document, the rest.
#[derive(Debug, PartialEq)]
struct Outcome {
    references: Vec<String>,
    new: Vec<u8>,
    examined: [String; 2],
}

fn line(reference: &Reference<'_>) -> String {
    format!("{reference:?}")
}

fn described(examined: &Examined) -> String {
    let document_base = &examined.document_base;
    let base = document_base.base.as_ref().map(BaseUrl::as_str);
    let (source, refused) = (document_base.source, &document_base.refused);
    let browser = document_base.browser.as_ref().map(BaseUrl::as_str);
    let (tally, left, growth) = (examined.tally, examined.left, examined.growth);
    format!("{base:?} {browser:?} {source:?} {refused:?} {tally:?} {left:?} {growth}")
}

/// Every group, and a retrieval URL for the documents without a base.
fn environment() -> (Context, Settings) {
    let context = Context::retrieved_from("http://example.org/a/b.html").unwrap();
    let groups = abslink::Group::ALL
        .into_iter()
        .fold(Groups::default(), Groups::with);
    let mut settings = Settings::default();
    settings.groups = groups;
    (context, settings)
}

fn whole(document: &[u8], syntax: Syntax) -> Outcome {
    let (context, settings) = environment();
    let mut references = Vec::new();
    let mut each = |reference: &Reference<'_>| references.push(line(reference));
    let examined = examine(document, syntax, &context, &settings, &mut each);
    let rewritten = rewrite_bytes(document, syntax, &context, &settings);
    Outcome {
        references,
        new: rewritten.document.into_owned(),
        examined: [described(&examined), described(&rewritten.examined)],
    }
}

/// The same in pieces of a length; `None` where the document has to be held as a whole.
fn piecewise(document: &[u8], syntax: Syntax, length: usize) -> Option<Outcome> {
    let (context, settings) = environment();
    let pieces = || {
        let pieces = document.chunks(length).map(|piece| (piece, false));
        pieces.chain([([].as_slice(), true)])
    };
    let mut prescan = EncodingPrescan::new(syntax, None);
    pieces().for_each(|(piece, _)| prescan.look(piece));
    let mut facts = prescan.finish();
    if facts.need_search() {
        let mut search = BasePrescan::new(&mut facts);
        pieces().any(|(piece, last)| search.look(piece, last));
    }
    if facts.need_whole() {
        return None;
    }
    let mut examined = ChunkedRewriter::new(&facts, &context, &settings);
    let (mut references, mut passed) = (Vec::new(), 0);
    for (piece, last) in pieces() {
        examined.examine(piece, last, &mut |seen| match seen {
            Seen::Passed(bytes) => passed += bytes.len(),
            Seen::Reference(reference, held) => {
                assert_eq!(&document[passed..passed + held.len()], held);
                references.push(line(reference));
            }
        });
    }
    let mut rewritten = ChunkedRewriter::new(&facts, &context, &settings);
    let mut new = Vec::new();
    for (piece, last) in pieces() {
        rewritten.rewrite(piece, last, &mut new);
    }
    assert_eq!(rewritten.changed(), new != document);
    let [examined, rewritten] = [examined, rewritten].map(|it| described(&it.finish().0));
    Some(Outcome {
        references,
        new,
        examined: [examined, rewritten],
    })
}

/// The same by the public face, which holds back so many bytes; or after a first reading.
fn by_face(
    document: &[u8],
    syntax: Syntax,
    length: usize,
    hold: Option<usize>,
) -> Result<Ended<Vec<u8>>, RewriteError> {
    let (context, settings) = environment();
    let mut prescan = Prescan::new(syntax, &context);
    let rewriter = Rewriter::new(syntax, &context, &settings, Vec::new());
    let mut rewriter = match hold {
        Some(hold) => rewriter.hold(hold),
        None => {
            document
                .chunks(length)
                .for_each(|piece| prescan.write(piece));
            rewriter.after(prescan)
        }
    };
    for piece in document.chunks(length) {
        rewriter.write(piece)?;
    }
    rewriter.end()
}

/// Whatever is held back, the document is the same, or there is an error that has its reason.
fn compare_face(document: &[u8], syntax: Syntax) -> Result<(), String> {
    let (context, settings) = environment();
    let expected = rewrite_bytes(document, syntax, &context, &settings);
    let has_utf16 = document.starts_with(b"\xff\xfe") || document.starts_with(b"\xfe\xff");
    let lower = document.to_ascii_lowercase();
    let names = |name: &str| memchr::memmem::find(&lower, name.as_bytes()).is_some();
    for length in [1, 7, 4096] {
        for hold in [None, Some(0), Some(2_000), Some(usize::MAX)] {
            let found = match by_face(document, syntax, length, hold) {
                Ok(found) => found,
                Err(RewriteError::Late { what, .. }) => {
                    let is_there = match what {
                        what if what.contains("base") => names("base"),
                        what if what.contains("declaration") => names("meta"),
                        what if what.contains("document type") => names("<!doctype"),
                        what if what.contains("UTF-8") => std::str::from_utf8(document).is_err(),
                        _ => has_utf16 || names("2022") || names("utf-16"),
                    };
                    if !is_there || hold.is_none_or(|hold| hold > document.len()) {
                        return Err(format!("{length} {hold:?}: {what}"));
                    }
                    continue;
                }
                Err(error) => return Err(format!("{length} {hold:?}: {error}")),
            };
            // What has to be decoded as a whole is left.
            let is_left = hold.is_none() && found.out == document && !found.is_changed;
            let same = found.out == *expected.document && found.examined == expected.examined;
            if !(same || is_left && found.examined.left.is_some()) {
                let [new, old] = [&found.out, &*expected.document].map(String::from_utf8_lossy);
                return Err(format!("{length} {hold:?}: {new}\ninstead of {old}"));
            }
        }
    }
    Ok(())
}

#[test]
fn the_same_comes_out_by_the_public_face() {
    generate::documents(2_000, |document| {
        // So much is always held back.
        let long = format!("<!--{}-->{document}", "x".repeat(1_024));
        compare_face(long.as_bytes(), Syntax::Html)?;
        compare_face(document.as_bytes(), Syntax::Xml)
    });
    generate::xhtml::documents(300, |document| {
        compare_face(document.as_bytes(), Syntax::Xml)
    });
    each_fixture(compare_face);
}

#[test]
fn what_comes_late_is_an_error_that_says_what() {
    let text = "<a href=x>".repeat(200);
    for (document, expected) in [
        (text.clone() + "<base href=http://h/>", "a `base` element"),
        (
            text.clone() + "<meta charset=windows-1251>",
            "the declaration",
        ),
        (text.clone() + "é", ""),
        // What is held back has the base element.
        ("<base href=/b/>".to_owned() + &text, ""),
    ] {
        let late = by_face(document.as_bytes(), Syntax::Html, 64, Some(100));
        let said = late.map_or_else(|error| error.to_string(), |_| String::new());
        assert!(
            said.starts_with(expected) && said.is_empty() == expected.is_empty(),
            "{said}"
        );
        assert!(by_face(document.as_bytes(), Syntax::Html, 64, Some(1 << 20)).is_ok());
        assert!(by_face(document.as_bytes(), Syntax::Html, 64, None).is_ok());
    }
    let latin = [text.as_bytes(), b"\xe9"].concat();
    let late = by_face(&latin, Syntax::Html, 64, Some(100)).unwrap_err();
    assert!(
        late.to_string()
            .starts_with("a byte that is not valid UTF-8"),
        "{late}"
    );
    let wide: Vec<u8> = (text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let wide = [&b"\xff\xfe"[..], &wide].concat();
    let late = by_face(&wide, Syntax::Html, 64, Some(100)).unwrap_err();
    assert!(late.to_string().contains("decoded as a whole"), "{late}");
    assert!(
        by_face(&wide, Syntax::Html, 64, Some(1 << 20))
            .unwrap()
            .is_changed
    );
}

/// A label of the transport counts more than what the document declares, however it is read.
#[test]
fn the_label_of_the_transport_counts_everywhere() {
    let document = b"<meta charset=utf-8><a href='?\xe4'>".repeat(60);
    let mut settings = Settings::default();
    settings.resolver = Resolver::Whatwg;
    let mut context = Context::retrieved_from("http://h/").unwrap();
    context.charset = Some("windows-1252".to_owned());
    let whole = rewrite_bytes(&document, Syntax::Html, &context, &settings);
    assert!(whole.document.ends_with(b"<a href='http://h/?%E4'>"));
    let mut absolute = None;
    examine(&document, Syntax::Html, &context, &settings, &mut |found| {
        absolute = found.absolute.map(str::to_owned);
    });
    assert_eq!(absolute.as_deref(), Some("http://h/?%E4"));
    let (_, edits) = edits(&document, Syntax::Html, &context, &settings, &mut |_| {});
    assert_eq!(edits.last().unwrap().1, b"http://h/?%E4");
    for read_twice in [false, true] {
        let mut prescan = Prescan::new(Syntax::Html, &context);
        let rewriter = Rewriter::new(Syntax::Html, &context, &settings, Vec::new());
        let mut rewriter = match read_twice {
            true => {
                prescan.write(&document);
                rewriter.after(prescan)
            }
            false => rewriter.hold(50),
        };
        document
            .chunks(100)
            .for_each(|piece| rewriter.write(piece).unwrap());
        assert_eq!(rewriter.end().unwrap().out, *whole.document);
    }
}

fn compare_outcomes(document: &[u8], syntax: Syntax) -> Result<(), String> {
    let expected = whole(document, syntax);
    for length in [1, 7, 4096, document.len().max(1)] {
        if let Some(found) = piecewise(document, syntax, length)
            && found != expected
        {
            let [new, old] = [&found.new, &expected.new].map(|it| String::from_utf8_lossy(it));
            let outcome = |it: &Outcome| format!("{:?}\n{:?}", it.references, it.examined);
            let (found, expected) = (outcome(&found), outcome(&expected));
            return Err(format!(
                "{length}: {new}\n{found}\ninstead of {old}\n{expected}"
            ));
        }
    }
    Ok(())
}

#[test]
fn the_same_comes_out() {
    generate::documents(2_000, |document| {
        compare_outcomes(document.as_bytes(), Syntax::Html)?;
        compare_outcomes(document.as_bytes(), Syntax::Xml)
    });
    generate::xhtml::documents(500, |document| {
        compare_outcomes(document.as_bytes(), Syntax::Xml)
    });
    each_fixture(compare_outcomes);
}

/// A token that is no longer than half the window needs no second look, a longer one a few.
#[test]
fn long_tokens_take_linear_time() {
    for (before, after) in [
        ("<a href='", "'>"),
        ("<!--", ""),
        ("<script>", ""),
        ("<plaintext>", ""),
        ("<svg><style>", ""),
        ("<p>", "<a href=x>"),
    ] {
        is_linear(
            before,
            4 << 20,
            |length| format!("{before}{}{after}", "x".repeat(length)),
            |document| drop(piecewise(document.as_bytes(), Syntax::Html, 1000)),
        );
    }
}

/// Checks the inputs of the cases in testdata/html.
fn each_fixture(check: impl Fn(&[u8], Syntax) -> Result<(), String>) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/html");
    let files = walkdir::WalkDir::new(root).into_iter().map(Result::unwrap);
    let inputs = files.filter(|file| file.path().file_stem().is_some_and(|stem| stem == "in"));
    let mut count = 0;
    for input in inputs {
        let document = fs::read(input.path()).unwrap();
        let syntax = match input.path().extension() {
            Some(ending) if ending == "xhtml" => Syntax::Xml,
            _ => Syntax::Html,
        };
        if let Err(difference) = check(&document, syntax) {
            panic!("{}: {difference}", input.path().display());
        }
        count += 1;
    }
    assert!(count > 90, "{count} cases");
}
