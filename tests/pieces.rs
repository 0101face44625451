//! Documents that come in pieces: what is found does not depend on where they are cut.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use abslink::html::Syntax;
use abslink::html::locate::{Handler, Pieces, RawText, Spelling, StartTag, locate};

use crate::generate;

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
        let (namespace, counts) = (tag.namespace, tag.base_counts);
        self.lines
            .push(format!("{name:?} {namespace:?} {counts} {attributes:?}"));
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
fn generated_documents() {
    generate::documents(300, |document| {
        compare(document.as_bytes(), Syntax::Html)?;
        compare(document.as_bytes(), Syntax::Xml)
    });
}

#[test]
fn fixtures() {
    for path in inputs() {
        let document = fs::read(&path).unwrap();
        let syntax = match path.extension() {
            Some(ending) if ending == "xhtml" => Syntax::Xml,
            _ => Syntax::Html,
        };
        if let Err(difference) = compare(&document, syntax) {
            panic!("{}: {difference}", path.display());
        }
    }
}

/// The inputs of the cases in testdata/html.
fn inputs() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/html");
    let cases = fs::read_dir(root).unwrap().map(|case| case.unwrap().path());
    let inputs = cases.filter(|case| case.is_dir()).map(|case| {
        let mut files = fs::read_dir(&case)
            .unwrap()
            .map(|file| file.unwrap().path());
        files.find(|file| file.file_stem().is_some_and(|stem| stem == "in"))
    });
    inputs.map(Option::unwrap).collect()
}
