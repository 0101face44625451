//! The programs in examples/, which are written from the front page of the documentation alone: each
//! compiles, and does what it says.

use std::fs;
use std::process::Output;

use assert_cmd::Command;

/// Runs an example; cargo builds it first, should that not be done.
fn run(name: &str, arguments: &[&str], stdin: &[u8]) -> Output {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args([
        "run",
        "-q",
        "--locked",
        "--offline",
        "--example",
        name,
        "--",
    ]);
    cargo.current_dir(env!("CARGO_MANIFEST_DIR"));
    cargo.args(arguments).write_stdin(stdin).output().unwrap()
}

#[track_caller]
fn prints(name: &str, arguments: &[&str], stdin: &[u8], expected: &str) {
    let output = run(name, arguments, stdin);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name}: {said}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{said}");
}

#[test]
#[ignore = "slow tier: a build"]
fn a_string_is_rewritten() {
    let expected = "<a href=\"http://a/b/g\"><img src=\"http://a/b/c/i.png\" \
                    srcset=\"http://a/b/c/i2.png 2x\">\nhttp://a/b/g\n";
    prints("rewrite_string", &[], b"", expected);
}

#[test]
#[ignore = "slow tier: a build"]
fn a_document_is_streamed() {
    let page = "<!-- x -->\n".repeat(20_000) + "<a href=x><base href=http://h/d/>";
    let expected = page.replace("href=x", "href=http://h/d/x");
    prints(
        "stream_document",
        &["http://a/", "utf-8"],
        page.as_bytes(),
        &expected,
    );
    let late = "<!-- x -->\n".repeat(200_000) + "<base href=http://h/d/>";
    let output = run("stream_document", &["http://a/"], late.as_bytes());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        !output.status.success() && said.contains("`base` element"),
        "{said}"
    );
}

#[test]
#[ignore = "slow tier: a build"]
fn a_tree_is_walked() {
    let site = tempfile::tempdir().unwrap();
    let at = |name: &str| site.path().join(name).to_str().unwrap().to_owned();
    fs::create_dir_all(at("in/d")).unwrap();
    fs::write(at("in/a.html"), "<a href=d/>").unwrap();
    fs::write(at("in/d/b.html"), "<p>").unwrap();
    let arguments = [&*at("in"), &*at("out"), "http://h/"];
    prints("walk_tree", &arguments, b"", "1 of 2 documents changed\n");
    assert_eq!(
        fs::read_to_string(at("out/a.html")).unwrap(),
        "<a href=http://h/d/>"
    );
    let output = run("walk_tree", &[&at("in"), &at("again"), "http://h/"], b"");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.ends_with("2 documents, 14 bytes\n"), "{said}");
}

#[test]
#[ignore = "slow tier: a build"]
fn references_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.html");
    fs::write(&file, "<a href=b><a href=/login?c><img data-src=http://x/>").unwrap();
    let expected = "a href: b -> http://h/b (relative)\n\
                    a href: /login?c -> - (excluded)\n\
                    img data-src: http://x/ -> http://x/ (absolute)\n\
                    base URL from: layout\n";
    prints(
        "list_references",
        &[file.to_str().unwrap(), "http://h/a.html"],
        b"",
        expected,
    );
}

#[test]
#[ignore = "slow tier: a build"]
fn a_reference_is_explained() {
    let output = run("explain_reference", &["http://a/b/c/d;p?q", "../g h"], b"");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        said.contains("6c: \"<segment>/../\" is removed: /b/g h\n"),
        "{said}"
    );
    assert!(
        said.contains("rfc1808: http://a/b/g h\nrfc3986: http://a/b/g h\n"),
        "{said}"
    );
    assert!(
        said.ends_with("whatwg: http://a/b/g%20h\nbyte 4: ` ` does not fit segment = *pchar\n"),
        "{said}"
    );
}
