//! The judge of benches/compare, who has to see what peers do to documents.

#[path = "../../benches/compare/answers.rs"]
mod judge;

use std::fs;
use std::path::PathBuf;

use judge::Answers;

const INPUT: &str = "<p CLASS=a>1 &amp; 2<a href=x>b</a><a href='http://h/y'>c</a><img src=z>";
const OURS: &str = "<p CLASS=a>1 &amp; 2<a href=\"http://h/x\">b</a><a href='http://h/y'>c</a>\
                    <img src=\"http://h/z\">";

#[track_caller]
fn judged(theirs: &str, expected: [u64; 4]) {
    let scratch = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let trees = [("input", INPUT), ("ours", OURS), ("theirs", theirs)].map(|(name, document)| {
        let tree = scratch.path().join(name);
        fs::create_dir(&tree).unwrap();
        fs::write(tree.join("page.html"), document).unwrap();
        tree
    });
    let [input, ours, theirs] = &trees;
    let Answers {
        same,
        relative,
        other,
        bytes,
    } = judge::compare(&[&PathBuf::from("page.html")], [input, ours, theirs]);
    assert_eq!([same, relative, other, bytes], expected);
}

#[test]
fn the_same_answers() {
    judged(OURS, [2, 0, 0, 0]);
    let other_quotes = OURS.replace('"', "'");
    judged(&other_quotes, [2, 0, 0, 0]);
    let other_spelling = OURS.replace("http://h/x", "HTTP://h:80/./x");
    judged(&other_spelling, [2, 0, 0, 0]);
}

#[test]
fn other_answers() {
    judged(INPUT, [0, 2, 0, 0]);
    judged(&OURS.replace("http://h/x", "http://h/w"), [1, 0, 1, 0]);
    judged(&OURS.replace("http://h/x", "../x"), [1, 1, 0, 0]);
    judged("", [0, 0, 2, 55]);
}

#[test]
fn other_bytes() {
    judged(&OURS.replace("CLASS", "class"), [2, 0, 0, 5]);
    judged(&OURS.replace("1 &amp; 2", "1 & 2"), [2, 0, 0, 4]);
    judged(&OURS.replace("</a><img", "</a>\n<img"), [2, 0, 0, 1]);
    // What is only in another place is the same all the same.
    let moved = OURS.replace("<p CLASS=a>1 &amp; 2", "");
    judged(&(moved + "<p CLASS=a>1 &amp; 2"), [2, 0, 0, 40]);
}
