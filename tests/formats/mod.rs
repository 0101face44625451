//! `--format` of `check` and `rewrite` for CI systems: what they write, read back by the rules of
//! those who read it.

mod hostile;
mod limits;
mod report;

use std::fs;
use std::path::{Path, PathBuf};

use boon::{Compiler, Schemas};
use roxmltree::Document;
use serde_json::Value;

use crate::cli::{Ran, Sandbox};
use crate::support::links::abslink;
use crate::support::skip;

const FORMATS: [&str; 5] = ["github", "sarif", "gitlab", "junit", "markdown"];

/// The commands of the golden files, without their format.
const COMMANDS: [(&str, &str); 2] = [
    ("check", "check site missing.html"),
    ("rewrite", "rewrite --dry-run site missing.html"),
];

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/formats")
}

/// What a command prints in `directory`, which it may take for a checkout.
fn run_in(directory: &Path, command: &str, format: &str, checkout: Option<&Path>) -> Ran {
    let mut abslink = abslink();
    abslink
        .current_dir(directory)
        .args(command.split(' '))
        .args(["--format", format]);
    for variable in ["GITHUB_WORKSPACE", "CI_PROJECT_DIR"] {
        abslink.envs(checkout.map(|path| (variable, path)));
    }
    Ran::from(&abslink.output().unwrap())
}

/// `ABSLINK_BLESS=1` writes the files anew: look at the difference before you commit it.
#[test]
fn every_format_has_its_golden_files() {
    let bless = std::env::var_os("ABSLINK_BLESS").is_some();
    for (name, command) in COMMANDS {
        for format in FORMATS {
            let ran = run_in(&golden(), command, format, None);
            ran.exits(2);
            let file = golden().join(format!("{name}.{format}"));
            if bless {
                fs::write(&file, &ran.stdout).unwrap();
            }
            let expected = fs::read_to_string(&file).unwrap();
            ran.prints(expected);
        }
    }
}

/// The example of the specification, byte for byte.
#[test]
fn one_reference_in_every_format() {
    let sandbox = Sandbox::new();
    sandbox.write("ci/a b/é.html", "\n\n<p>é😀 <a href=\"/q\">\n");
    let expected: [&[&str]; 5] = [
        &[
            "::error file=a b/é.html,line=3,col=16,endColumn=18,title=relative-reference::\
           <a href> /q -> https://e.org/q\n",
        ],
        &[
            "\"columnKind\":\"utf16CodeUnits\",\"originalUriBaseIds\":{\"ROOT\":{\"description\":\
             {\"text\":\"Where paths begin\"}}},\"results\":[\n\
             {\"ruleId\":\"relative-reference\",\"level\":\"error\",\"message\":\
             {\"text\":\"<a href> /q -> https://e.org/q\"},\"locations\":[{\"physicalLocation\":\
             {\"artifactLocation\":{\"uri\":\"a%20b/%C3%A9.html\",\"uriBaseId\":\"ROOT\"},\
             \"region\":{\"startLine\":3,\"startColumn\":17,\"endLine\":3,\"endColumn\":19}}}],\
             \"partialFingerprints\":{\"abslinkReference/v1\":\
             \"b25b983605b8e2fe8a2d7fb12ea3796a\"}}\n\
             ],\"invocations\":[{\"executionSuccessful\":true}]}]}\n",
        ],
        &[
            "[{\"description\":\"relative-reference: <a href> /q -> https://e.org/q\",\
           \"check_name\":\"relative-reference\",\
           \"fingerprint\":\"b25b983605b8e2fe8a2d7fb12ea3796a\",\"severity\":\"major\",\
           \"location\":{\"path\":\"a b/é.html\",\"lines\":{\"begin\":3}}}]\n",
        ],
        &[
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"abslink check\">\n\
           <testsuite name=\"a b/é.html\" tests=\"1\" failures=\"1\" errors=\"0\">\
           <testcase classname=\"a b\" name=\"é.html\" file=\"a b/é.html\">\
           <failure type=\"relative-reference\" message=\"1 problem\">\
           3:16: &#60;a href&#62; /q -&#62; https://e.org/q</failure></testcase></testsuite>\n\
           <testsuite name=\"abslink\" tests=\"1\" failures=\"0\" errors=\"0\">\
           <testcase classname=\"abslink\" name=\"all other documents\"/></testsuite>\n\
           </testsuites>\n",
        ],
        &[
            "### abslink check: 1 relative link in 1 file\n| rule | problems |\n\
           |---|--:|\n| `relative-reference` | 1 |\n\n| place | problem |\n|---|---|\n\
           | `a b/é.html:3:16` | `<a href> /q -> https://e.org/q` |\n",
        ],
    ];
    for (format, parts) in FORMATS.into_iter().zip(expected) {
        let ci = sandbox.path().join("ci");
        let ran = run_in(&ci, "check -b https://e.org/ .", format, None);
        ran.exits(1);
        for part in parts {
            assert!(ran.stdout.ends_with(part), "{}", ran.stdout);
        }
        ran.begins("1 relative link in 1 file");
    }
}

/// SARIF by its schema, as OASIS published it; code scanning refuses what does not conform.
#[track_caller]
fn conforms(sarif: &str) {
    let Some(schema) = skip::suite("sarif-2.1.0.json") else {
        return;
    };
    let schema: Value = serde_json::from_slice(&fs::read(schema).unwrap()).unwrap();
    let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
    compiler.add_resource("sarif.json", schema).unwrap();
    let compiled = compiler.compile("sarif.json", &mut schemas).unwrap();
    let report: Value = serde_json::from_str(sarif).unwrap();
    if let Err(error) = schemas.validate(&report, compiled) {
        panic!("{error:#}");
    }
}

#[test]
fn sarif_conforms_to_its_schema() {
    for (name, _) in COMMANDS {
        let file = golden().join(format!("{name}.sarif"));
        conforms(&fs::read_to_string(file).unwrap());
    }
    let nothing = Sandbox::new();
    nothing.write("d/x.html", "");
    let ran = nothing.run("check --format sarif d");
    ran.exits(0);
    conforms(&ran.stdout);
}

/// XML by libxml2 as well as by roxmltree.
#[test]
fn junit_is_xml() {
    for (name, _) in COMMANDS {
        let file = golden().join(format!("{name}.junit"));
        let text = fs::read_to_string(&file).unwrap();
        let document = Document::parse(&text).unwrap();
        let root = document.root_element();
        assert_eq!(root.tag_name().name(), "testsuites");
        for suite in root.children().filter(roxmltree::Node::is_element) {
            let count = |name| {
                let all = suite.descendants().filter(|node| node.has_tag_name(name));
                Some(all.count().to_string())
            };
            assert_eq!(
                suite.attribute("tests").map(String::from),
                count("testcase")
            );
            assert_eq!(
                suite.attribute("failures").map(String::from),
                count("failure")
            );
            assert_eq!(suite.attribute("errors").map(String::from), count("error"));
        }
        if skip::has_tool("xmllint") {
            let status = std::process::Command::new("xmllint")
                .arg("--noout")
                .arg(&file)
                .status();
            assert!(status.unwrap().success(), "{name}");
        }
    }
}

/// What a CI system knows as new must not depend on where it has the checkout.
#[test]
fn two_checkouts_give_the_same_bytes() {
    let [one, other] = [Sandbox::new(), Sandbox::new()];
    for sandbox in [&one, &other] {
        sandbox.write("site/docs/page.html", "<a href=x><a href=x>");
    }
    for format in FORMATS {
        let run = |sandbox: &Sandbox, from: &str, command: &str| {
            let checkout = sandbox.path();
            run_in(&checkout.join(from), command, format, Some(checkout)).stdout
        };
        let expected = run(&one, "", "check site/docs");
        assert!(expected.contains("docs/page.html"), "{expected}");
        assert_eq!(run(&other, "", "check ./site/docs"), expected, "{format}");
        // Markdown has paths as a person in the directory would type them.
        if format != "markdown" {
            let below = run(&other, "site", "check docs");
            assert_eq!(below, expected, "{format}");
            let absolute = format!("check {}/site/docs", one.path().display());
            assert_eq!(run(&one, "site", &absolute), expected, "{format}");
        }
    }
}

/// Text that has moved is nothing new, and equal findings are told apart.
#[test]
fn fingerprints_stay() {
    let sandbox = Sandbox::new();
    let prints = |page: &str| -> Vec<String> {
        sandbox.write("d/p.html", page);
        let ran = sandbox.run("check --format gitlab d");
        let issues: Value = serde_json::from_str(&ran.stdout).unwrap();
        let issues = issues.as_array().unwrap();
        let print = |issue: &Value| issue["fingerprint"].as_str().unwrap().to_owned();
        issues.iter().map(print).collect()
    };
    let before = prints("<a href=x><a href=x><img src=y>");
    let after = prints("<p>new</p>\n\n  <a href=x>\n<a href=x><b><img src=y>");
    assert_eq!(before, after);
    let mut different = before.clone();
    different.sort();
    different.dedup();
    assert_eq!(different.len(), before.len());
}

#[test]
fn several_formats_in_one_run() {
    let sandbox = Sandbox::new();
    let ran = sandbox.run(
        "check site a.html --format github --format sarif=ci/r.sarif --format json=ci/r.json \
         --format text=ci/r.txt",
    );
    ran.exits(2)
        .says("--format sarif=ci/r.sarif: cannot be written: ");
    fs::create_dir(sandbox.path().join("ci")).unwrap();
    sandbox.write(
        "ci/r.txt",
        "older, and longer than what takes its place\n"
            .repeat(9)
            .as_str(),
    );
    let ran = sandbox.run(
        "check site a.html --format github --format sarif=ci/r.sarif --format json=ci/r.json \
         --format text=ci/r.txt",
    );
    ran.exits(1);
    let read = |name: &str| sandbox.read(name);
    ran.prints(sandbox.run("check site a.html --format github").stdout);
    assert_eq!(
        read("ci/r.sarif"),
        sandbox.run("check site a.html --format sarif").stdout
    );
    assert_eq!(
        read("ci/r.json"),
        sandbox.run("check site a.html --format json").stdout
    );
    assert_eq!(read("ci/r.txt"), sandbox.run("check site a.html").stdout);
}
