//! Pages that a browser has saved with a folder beside them.

use crate::cli::Sandbox;
use crate::support::table::rows;

const MARK: &str = "<!-- saved from url=(0018)https://h/d/p.html -->";

impl Sandbox {}

#[test]
fn links_to_what_was_saved_with_a_page() {
    for row in rows(include_str!("../../../testdata/retrieval/saved-files.tsv")) {
        let [page, file, second, link, expected] = row;
        let sandbox = Sandbox::new();
        let document = |link: &str| {
            format!("{MARK}<link xmlns='http://www.w3.org/1999/xhtml' href=\"{link}\"/>")
        };
        sandbox.write(format!("in/{page}"), document(link));
        sandbox.write(format!("in/{file}"), "");
        if second != "-" {
            sandbox.write(format!("in/{second}"), MARK);
        }
        let ran = sandbox.run("rewrite --detect html --verify -o out in");
        ran.exits(0);
        let expected = if expected == "stays" { link } else { expected };
        assert_eq!(
            sandbox.read(format!("out/{page}")),
            document(expected),
            "{row:?}"
        );
        let said = "note: left 1 link to a file saved with the page unchanged\n\
                    hint: abslink rewrite --converted-links never --detect html";
        assert_eq!(
            ran.stderr.contains(said),
            expected == link,
            "{}",
            ran.stderr
        );
        // A second run changes nothing.
        let ran = sandbox.run("rewrite --detect html --dry-run --copy-others -o again out");
        ran.says("would make 0 links");
    }
}

#[test]
fn a_page_in_utf_16_has_a_comment_too() {
    for encode in [u16::to_le_bytes as fn(u16) -> [u8; 2], u16::to_be_bytes] {
        let sandbox = Sandbox::new();
        let text = "\u{feff}<!-- saved from url=(0023)http://www.example.com/ -->\r\n<a href=x>";
        let bytes: Vec<u8> = text.encode_utf16().flat_map(encode).collect();
        sandbox.write("u.html", bytes);
        let ran = sandbox.run("base u.html");
        assert!(ran.stdout.starts_with("comment "), "{}", ran.stdout);
        ran.shows("http://www.example.com/");
    }
}
