//! The crate and the command give the same bytes, whether it writes a tree, replaces files, or reads in pieces or from
//! standard input; python/tests compares the command with Python and Spark,
//! and `corpora` the command with the crate on real pages.

use std::fs;
use std::process::Stdio;

use abslink::{Context, Rewriter, Settings, Syntax, rewrite_bytes};

use crate::oracle::promises;
use crate::support::{generate, links};

const DOCUMENTS: usize = 20_000;
const BASE: &str = "https://h.example/docs/";

#[test]
fn generated_documents() {
    let directory = tempfile::tempdir().unwrap();
    let [old, new, replaced, streamed] =
        ["old", "new", "replaced", "streamed"].map(|name| directory.path().join(name));
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
    let run = |arguments: &[&str], input: Stdio| {
        let mut command = links::abslink();
        command.args(["rewrite", "-q"]);
        let ran = command.args(arguments).stdin(input).output().unwrap();
        // A document that is left as it is makes the exit code 2, and is copied.
        assert!(matches!(ran.status.code(), Some(0..=2)), "{ran:?}");
        ran.stdout
    };
    let place = [&old, &new, &replaced, &streamed].map(|it| it.to_str().unwrap());
    run(&["-b", BASE, "-o", place[1], place[0]], Stdio::null());
    fs::create_dir(&replaced).unwrap();
    for number in 0..number {
        let name = format!("{number}.html");
        fs::copy(old.join(&name), replaced.join(&name)).unwrap();
    }
    run(&["-b", BASE, "-i", place[2]], Stdio::null());
    run(
        &["-b", BASE, "--engine", "stream", "-o", place[3], place[0]],
        Stdio::null(),
    );
    let settings = Settings::default();
    let mut changed = 0;
    for number in 0..number {
        let name = format!("{number}.html");
        let html = fs::read(old.join(&name)).unwrap();
        let expected = fs::read(new.join(&name)).unwrap();
        for other in [&replaced, &streamed] {
            let found = fs::read(other.join(&name)).unwrap();
            assert!(
                found == expected,
                "{number} in {other:?}\n{}\n{}",
                found.escape_ascii(),
                expected.escape_ascii()
            );
        }
        let context = Context::retrieved_from(&format!("{BASE}{name}")).unwrap();
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
        // One run for each: every so many documents.
        if number % 40 == 0 {
            let url = format!("{BASE}{name}");
            let input = fs::File::open(old.join(&name)).unwrap();
            let found = run(&["-b", &url, "-"], input.into());
            assert!(found == expected || found.is_empty(), "{number}: {html:?}");
        }
    }
    assert!(changed > number / 2, "{changed}");
}
