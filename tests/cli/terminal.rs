//! What a terminal would obey is escaped, wherever it comes from: the names of files, documents,
//! messages, maps, arguments and their values.

use std::process::Command;

use super::{Ran, Sandbox};
use crate::support::skip;

/// Clears the screen, sets a title, does both with the controls of ISO 6429's 8-bit forms, and turns
/// the order of reading round.
const HOSTILE: &str = "\u{1b}[2J\u{1b}]0;t\u{7}\u{9b}2J\u{9d}0;t\u{9c}\u{7f}\u{202e}x\u{2066}y\u{200f}z\u{61c}\u{2028}\u{2029}";

fn is_obeyed(character: char) -> bool {
    let bidi = "\u{61c}\u{200e}\u{200f}\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}\u{2066}\u{2067}\u{2068}\u{2069}";
    (character.is_control() && character != '\n')
        || bidi.contains(character)
        || "\u{2028}\u{2029}".contains(character)
}

/// A directory full of it.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    let h = HOSTILE;
    // Of a name that breaks the line, too.
    sandbox.write(
        format!("site/{h}\n.html"),
        format!(
            "<!-- saved from url=(0014)http://h/{h} -->\n<a href='{h}g'>a</a><img src=\"//{h}/x\">\
             <x-{h} href='y'>"
        ),
    );
    sandbox.write(
        "site/base.html",
        format!("<base href='mailto:{h}'><a href=g>"),
    );
    sandbox.write(
        "site/base-in-url.html",
        format!("<base href='http://h/a{h}b/'><a href=g>"),
    );
    let heading = format!(
        "Content-Base: {h}\nContent-Type: multipart/related; boundary=\"b\"\n\n--b\n\
         Content-Type: text/html; charset=\"{h}\"\nContent-Location: {h}\n\
         Content-Transfer-Encoding: {h}\n\n<a href='{h}'>\n--b--\n"
    );
    sandbox.write(format!("site/{h}.eml"), &heading);
    sandbox.write(
        "map.csv",
        format!("path,url\nbase.html,{h}\n{h}.html,http://h/{h}\n"),
    );
    #[cfg(unix)]
    std::os::unix::fs::symlink(h, sandbox.path().join(format!("site/link{h}.html"))).unwrap();
    sandbox
}

/// What is typed, with `H` for the hostile text.
const COMMANDS: &[&str] = &[
    "check site",
    "check -v site",
    "check -v -b http://h/aHb/ site",
    "check --resolver whatwg -b http://h/aHb/ site",
    "check -b http://h/ siteH",
    "check --follow site",
    "links --format text -b http://h/ site",
    "base -b http://h/H/ site",
    "base --url-map map.csv site",
    "base --url-map map.csv --url-from map,comment site",
    "base --conflicts -v site",
    "rewrite --dry-run -v site",
    "rewrite -o outH -v -b http://h/H/ site",
    "rewrite -o out/H -v -b http://h/H/ missingH",
    "rewrite -o site/outH -b http://h/ site",
    "rewrite -i --backup H -v -b http://h/H/ site",
    "rewrite -i --backup H/H -b http://h/ site",
    "rewrite site-H",
    "rewrite H",
    "rewrite -H site",
    "rewrite --H site",
    "rewrite --dry-runH site",
    "H",
    "check -b H site",
    "check -b mailto:H site",
    "check -b http://h/ --root H site",
    "check --layout H site",
    "check --layout wget --scheme H site",
    "check --url-map H site",
    "check --url-from H site",
    "check --include aH[ site",
    "check --exclude-url aH( site",
    "check --exclude-url H site",
    "check --also H site",
    "check --skip H site",
    "check --as H site",
    "check --placeholders H site",
    "check --engine H site",
    "check --resolver H site",
    "check --format H site",
    "check -j H site",
    "check --progress H site",
    "check --quiet=H site",
    "resolve --base-url H g",
    "resolve --base-url mailto:H g",
    "resolve --base-url http://h/H --resolver rfc1808 --explain gHg",
    "resolve --base-url http://h/H --resolver rfc3986 --explain --compare gHg",
    "resolve --base-url http://h/H --resolver whatwg --explain //H g:H",
    "resolve --base-url http://h/ --compare //H/x gH:x http:Hg",
    "resolve --base-url http://h/ --resolver whatwg //H",
    "parse http://H:H@H:H/H;H?H#H H:H gHh mailto:H",
];

#[test]
fn no_command_shows_what_a_terminal_obeys() {
    let mut wrong = Vec::new();
    for command in COMMANDS {
        // Each has the tree as it was.
        let sandbox = sandbox();
        let arguments = command.split(' ').map(|word| word.replace('H', HOSTILE));
        let output = sandbox.abslink("").args(arguments).output().unwrap();
        let ran = Ran::from(&output);
        let text = ran.stdout + &ran.stderr;
        // What is hostile is shown, not left out.
        if text.contains(is_obeyed) || !text.contains("\\u{") {
            wrong.push(format!("{command}: {text:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// References that come one a line.
#[test]
fn what_comes_from_standard_input_is_escaped_too() {
    let input = format!("g{HOSTILE}g\n//{HOSTILE}\n");
    for command in [
        "resolve --base-url http://h/ --explain --compare",
        "resolve --base-url http://h/ --explain --resolver whatwg",
        "parse",
    ] {
        let ran = Sandbox::new().run_with_input(command, &input);
        let text = ran.stdout + &ran.stderr;
        assert!(!text.contains(is_obeyed), "{command}: {text:?}");
        assert!(text.contains("\\u{1b}[2J"), "{command}: {text:?}");
    }
}

/// What programs read is what there is.
#[test]
fn json_and_documents_are_exact() {
    let sandbox = Sandbox::new();
    let document = format!("<a href='g{HOSTILE}h'>{HOSTILE}");
    sandbox.write("x.html", &document);
    let written = document.replace("g\u{1b}", "http://h/g\u{1b}");
    let ran = sandbox.run("rewrite -q -b http://h/ x.html");
    ran.prints(&written);
    let ran = sandbox.run("links -q -b http://h/ x.html");
    let link: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(link["absolute"], format!("http://h/g{HOSTILE}h"));
    let mut resolve = sandbox.abslink("resolve --base-url http://h/ --format json");
    let ran = Ran::from(&resolve.arg(format!("g{HOSTILE}h")).output().unwrap());
    let resolved: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(resolved["absolute"], format!("http://h/g{HOSTILE}h"));
    let mut resolve = sandbox.abslink("resolve --base-url http://h/");
    let ran = Ran::from(&resolve.arg(format!("g{HOSTILE}h")).output().unwrap());
    ran.prints(format!("http://h/g{HOSTILE}h\n"));
    let ran = sandbox.run("rewrite -q --diff -b http://h/ x.html");
    let lines = format!("-{document}\n\\ No newline at end of file\n+{written}\n");
    ran.shows(&lines);
}

/// On a terminal, a diff and the results of `resolve` are for people.
#[test]
fn a_terminal_gets_no_diff_that_it_obeys() {
    // Of util-linux; that of other systems has other options.
    if !cfg!(target_os = "linux") || !skip::has_tool("script") {
        return;
    }
    let sandbox = Sandbox::new();
    let document = format!("<a href='g'>\t{HOSTILE}\r\n");
    sandbox.write("x.html", [document.as_bytes(), b"\xe9\x9b2J\n"].concat());
    let typed = |arguments: &str| {
        let typed = format!("{} {arguments}", env!("CARGO_BIN_EXE_abslink"));
        let mut script = Command::new("script");
        script.args(["--quiet", "--return", "--command", &typed, "/dev/null"]);
        // Colours are other tests' business.
        script.env("NO_COLOR", "1");
        let output = script.current_dir(sandbox.path()).output().unwrap();
        // The terminal ends lines with both.
        String::from_utf8(output.stdout)
            .unwrap()
            .replace("\r\n", "\n")
    };
    for (arguments, expected) in [
        (
            "rewrite -q --diff -b http://h/ x.html",
            "+<a href='http://h/g'>\t\\u{1b}[2J\\u{1b}]0;t",
        ),
        ("rewrite -q --diff -b http://h/ x.html", "\n \\xe9\\x9b2J\n"),
        (
            "resolve --base-url http://h/ \"$(printf 'g\\033[2J\\342\\200\\256')\"",
            "http://h/g\\u{1b}[2J\\u{202e}\n",
        ),
    ] {
        let shown = typed(arguments);
        assert!(shown.contains(expected), "{arguments}: {shown:?}");
        let shown = shown.replace('\t', "");
        assert!(!shown.contains(is_obeyed), "{arguments}: {shown:?}");
    }
}
