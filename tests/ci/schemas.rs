//! The schemas that check-jsonschema brings along: what GitHub and GitLab take.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::block;
use crate::docs::readme::text;
use crate::support::skip;

/// Whether a file has what a schema wants, and what is wrong.
fn is_valid(schema: &str, file: &Path) -> (bool, String) {
    let mut check = skip::python("check_jsonschema").unwrap();
    check.args(["--builtin-schema", schema]);
    if schema.ends_with("gitlab-ci") {
        // `!reference` is a tag of its own.
        check.args(["--data-transform", "gitlab-ci"]);
    }
    said(check.arg(file))
}

fn said(command: &mut Command) -> (bool, String) {
    let output = command.output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(said).unwrap())
}

/// Checks that a schema takes a text, and would see a mistake in it.
fn takes(schema: &str, text: &str, mistake: (&str, &str)) {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("block.yml");
    fs::write(&file, text).unwrap();
    let (valid, said) = is_valid(schema, &file);
    assert!(valid, "{schema}: {said}");
    fs::write(&file, text.replace(mistake.0, mistake.1)).unwrap();
    assert!(!is_valid(schema, &file).0, "{schema}");
}

#[test]
#[ignore = "slow tier: another program"]
fn the_blocks_of_the_docs_are_valid() {
    if !skip::has("action.yml") || skip::python("check_jsonschema").is_none() {
        return;
    }
    for (schema, text, mistake) in [
        (
            "vendor.github-workflows",
            block("actions/checkout"),
            ("runs-on:", "run-on:"),
        ),
        (
            "vendor.github-actions",
            text("action.yml"),
            ("using: composite", "using: composit"),
        ),
        (
            "vendor.gitlab-ci",
            block("codequality:"),
            ("codequality:", "code-quality:"),
        ),
    ] {
        takes(schema, &text, mistake);
    }
}

#[test]
#[ignore = "slow tier: another program"]
fn pre_commit_takes_the_hooks_and_the_block_of_the_docs() {
    if !skip::has(".pre-commit-hooks.yaml") || skip::python("pre_commit").is_none() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file.yaml");
    for (command, text, mistake) in [
        ("validate-config", block("repos:"), ("rev:", "revision:")),
        (
            "validate-manifest",
            text(".pre-commit-hooks.yaml"),
            ("entry:", "enter:"),
        ),
    ] {
        let run = || {
            let mut validate = skip::python("pre_commit").unwrap();
            validate.env("PRE_COMMIT_HOME", directory.path());
            said(validate.arg(command).arg(&file))
        };
        fs::write(&file, &text).unwrap();
        let (valid, said) = run();
        assert!(valid, "{command}: {said}");
        fs::write(&file, text.replace(mistake.0, mistake.1)).unwrap();
        assert!(!run().0, "{command}");
    }
}
