//! The crate and the command give the same bytes; python/tests compares the command with Python and Spark,
//! and `corpora` the command with the crate on real pages.

use std::fs;

use abslink::{Context, Rewriter, Settings, Syntax, rewrite_bytes};

use crate::oracle::promises;
use crate::support::{generate, links};

const DOCUMENTS: usize = 20_000;

#[test]
fn generated_documents() {
    let directory = tempfile::tempdir().unwrap();
    let (old, new) = (directory.path().join("old"), directory.path().join("new"));
    fs::create_dir(&old).unwrap();
    let mut number = 0;
    generate::documents(DOCUMENTS, |document| {
        fs::write(
            old.join(format!("{number}.html")),
            promises::spell(document, number),
        )
        .unwrap();
        number += 1;
        Ok(())
    });
    let mut command = links::abslink();
    command.args(["rewrite", "-q", "-b", "https://h.example/docs/", "-o"]);
    let ran = command.arg(&new).arg(&old).output().unwrap();
    // A document that is left as it is makes the exit code 2, and is copied.
    assert!(matches!(ran.status.code(), Some(0..=2)), "{ran:?}");
    let settings = Settings::default();
    let mut changed = 0;
    for number in 0..number {
        let name = format!("{number}.html");
        let html = fs::read(old.join(&name)).unwrap();
        let expected = fs::read(new.join(&name)).unwrap();
        let context = Context::retrieved_from(&format!("https://h.example/docs/{name}")).unwrap();
        let whole = rewrite_bytes(&html, Syntax::Html, &context, &settings);
        assert!(*whole.document == *expected, "{number}: {html:?}");
        let mut out = Vec::new();
        let mut rewriter = Rewriter::new(Syntax::Html, &context, &settings, &mut out);
        for piece in html.chunks(97) {
            rewriter.write(piece).unwrap();
        }
        rewriter.end().unwrap();
        assert!(out == expected, "{number}: {html:?}");
        changed += usize::from(expected != html);
    }
    assert!(changed > number / 2, "{changed}");
}
