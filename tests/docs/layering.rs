//! Data flows one way: from crate to crate, and from `cli` to `batch`, which is built without it, the
//! compiler sees to that. Inside a crate, where one file uses another, that one does not use it, not
//! even through others.
//!
//! A file uses another one if its code names something that is defined there, in a `use` or in a path.
//! A name that a module only hands on, by a `use` of its own, leads to the file that defines it. What
//! a module defines may be used by the files below it, although it names them: a `mod.rs` says what
//! they have in common. Code that only tests need does not count.

mod source;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::support::skip;
use source::Source;

#[test]
fn no_circle_inside_a_crate() {
    for (crate_of, at_least) in [
        ("", 50),
        ("crates/containers", 20),
        ("crates/html", 30),
        ("crates/url", 5),
    ] {
        if !crate_of.is_empty() && !skip::has(crate_of) {
            continue;
        }
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(crate_of);
        let source = Source::read(&root.join("src"));
        let arrows = source.arrows();
        let files = arrows.len();
        assert!(
            files >= at_least,
            "only {files} files of `{crate_of}` use others"
        );
        assert_eq!(circles(&arrows), [""; 0]);
    }
}

/// Which files each file uses.
type Arrows<'s> = BTreeMap<&'s Path, BTreeSet<&'s Path>>;

/// The shortest circle through each file that is in one, unless another one was found through it.
fn circles(arrows: &Arrows<'_>) -> Vec<String> {
    let mut seen: BTreeSet<&Path> = BTreeSet::new();
    let mut circles = Vec::new();
    for &start in arrows.keys() {
        if seen.contains(start) {
            continue;
        }
        let Some(way) = way_back(arrows, start) else {
            continue;
        };
        seen.extend(&way);
        let way: Vec<String> = way.iter().map(|file| file.display().to_string()).collect();
        circles.push(way.join(" -> "));
    }
    circles
}

/// The shortest way from a file back to it.
fn way_back<'s>(arrows: &Arrows<'s>, start: &'s Path) -> Option<Vec<&'s Path>> {
    let mut ways = vec![vec![start]];
    let mut reached = BTreeSet::new();
    while !ways.is_empty() {
        let mut longer = Vec::new();
        for way in ways {
            let ends = arrows.get(way[way.len() - 1]).into_iter().flatten();
            for &end in ends.filter(|&&end| reached.insert(end)) {
                let way = [&way[..], &[end]].concat();
                if end == start {
                    return Some(way);
                }
                longer.push(way);
            }
        }
        ways = longer;
    }
    None
}

/// A circle, and files that are in none although they use each other's names.
#[test]
fn circles_are_found() {
    let mut source = Source::default();
    let files = [
        (
            "l/mod.rs",
            "mod a; mod b; mod c; mod d; pub use b::B; pub struct Common;",
        ),
        (
            "l/a.rs",
            "use super::{B, Common}; fn f() { super::c::f(|_| 'x') }",
        ),
        // By a name that is handed on, in a path and within another module.
        (
            "l/b.rs",
            "mod inner { use super::super::c as other; fn f() { other::f(); } }",
        ),
        ("l/c.rs", "pub fn f() -> crate::l::d::D<u8> {}"),
        (
            "l/d.rs",
            "pub use inner::D; mod inner { pub struct D(super::super::a::A); }",
        ),
        // Of these, one names the other in a text, a comment or a test, or is above it.
        ("l/e.rs", "use self::f::F; pub struct E;"),
        (
            "l/e/f.rs",
            "use super::E; pub struct F; // super::super::g::G",
        ),
        (
            "l/g.rs",
            "/* super::h::H */ const T: &str = r#\"super::h::H\"#; pub struct G;",
        ),
        (
            "l/h.rs",
            "use super::g::G; use super::i;\n#[cfg(test)] mod tests { use super::i::I; }",
        ),
        ("l/i.rs", "use super::h::H; pub struct I;"),
    ];
    for (file, text) in files {
        source.add(Path::new(file), text);
    }
    let two = [
        "l/a.rs -> l/c.rs -> l/d.rs -> l/a.rs",
        "l/b.rs -> l/c.rs -> l/d.rs -> l/a.rs -> l/b.rs",
    ];
    assert_eq!(circles(&source.arrows()), two);
    source.add(Path::new("l/h.rs"), "use super::i::I;");
    let third = "l/h.rs -> l/i.rs -> l/h.rs";
    assert_eq!(circles(&source.arrows()), [two[0], two[1], third]);
}
