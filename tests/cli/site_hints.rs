//! What is said at the end of a run about sites that are not where the options say, or that browsers refuse.

use std::fs;
use std::path::Path;

use super::forms::{run, tree};

/// What a run says behind a level.
fn said(level: &str, arguments: &[&str], folder: &Path) -> Vec<String> {
    let (code, _, error) = run(arguments, folder);
    assert!(code < 2, "{error}");
    let lines = error.lines().filter_map(|line| line.strip_prefix(level));
    lines.map(str::to_owned).collect()
}

/// A mirror by `wget -nH`, of which only its names tell that wget has made it.
#[test]
fn names_with_queries_are_said() {
    let folder = tree(&[
        (
            "m/index.html",
            "<a href='/page.html?x=1'><a href='list?p=2&s=a#k'><a href=d/f.html>",
        ),
        (
            "m/page.html?x=1",
            "<a href='?x=2'><a href=#t><a href=d/f.html>",
        ),
        ("m/page.html?x=2", "<a href='?x=1'>"),
        ("m/list?p=2&s=a", "<p>"),
        (
            "m/d/f.html",
            "<a href='../page.html?x=1'><a href='?q'><a href=#t>",
        ),
    ]);
    let path = folder.path();
    let hint = "--converted-links always";
    for (options, links) in [
        ("-b https://e.org/", 3),
        ("-b https://e.org/ --to relative", 2),
        ("-b https://e.org/ --to files", 5),
        ("--to files", 5),
    ] {
        let options: Vec<&str> = options.split(' ').collect();
        for command in [
            &["rewrite", "--verify", "-o", "out", "m"][..],
            &["check", "m"],
        ] {
            let all = [command, &options].concat();
            let warning = format!(
                "{links} links may be wrong: ? in file names was read as %3F, not as the start of a query"
            );
            let warnings = |words: &[&str]| {
                let mut said = said("warning: ", words, path);
                // Of names that no browser opens as pages another test tells.
                said.retain(|it| !it.contains("do not open from a disk"));
                said
            };
            assert_eq!(warnings(&all), [warning], "{all:?}");
            let hints = said("hint: ", &all, path);
            assert!(
                hints.iter().any(|it| it.contains(hint)),
                "{all:?} {hints:?}"
            );
            // With the option it is as on the server.
            let always = [&all[..], &["--converted-links", "always"]].concat();
            assert_eq!(warnings(&always), [""; 0], "{always:?}");
            if command[0] == "rewrite" {
                let page = fs::read_to_string(path.join("out/page.html?x=1")).unwrap();
                let expected = match options[..] {
                    [.., "files"] => "<a href='page.html%3Fx=2'><a href=#t><a href=d/f.html>",
                    [.., "relative"] => "<a href='page.html?x=2'><a href=#t><a href=d/f.html>",
                    _ => {
                        "<a href='https://e.org/page.html?x=2'><a href=\"https://e.org/page.html?x=1#t\">\
                         <a href=https://e.org/d/f.html>"
                    }
                };
                assert_eq!(page, expected, "{options:?}");
            }
        }
    }
}
