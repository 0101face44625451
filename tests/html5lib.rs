//! The inputs of html5lib's tests, which testdata/fetch-suites.sh brings.

use std::path::{Path, PathBuf};

use crate::skip;

/// The files of a folder with an extension.
pub(crate) fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path());
    files
        .filter(|file| file.extension().is_some_and(|found| found == extension))
        .collect()
}

/// The inputs of the tokenizer tests as documents; none where they are not there.
pub(crate) fn tokenizer_inputs() -> Vec<String> {
    let Some(folder) = skip::suite("html5lib-tests/tokenizer") else {
        return Vec::new();
    };
    let mut inputs = Vec::new();
    for file in files(&folder, "test") {
        let text = std::fs::read_to_string(&file).unwrap();
        let tests: serde_json::Value = serde_json::from_str(&text).unwrap();
        for test in tests["tests"].as_array().into_iter().flatten() {
            inputs.extend(documents(test));
        }
    }
    assert!(
        inputs.len() > 5_000,
        "only {} inputs in {}",
        inputs.len(),
        folder.display()
    );
    inputs
}

/// The inputs of the tree construction tests that are documents, for a parser with scripting; none
/// where they are not there.
pub(crate) fn tree_construction_inputs() -> Vec<String> {
    let Some(folder) = skip::suite("html5lib-tests/tree-construction") else {
        return Vec::new();
    };
    let mut inputs = Vec::new();
    for file in files(&folder, "dat") {
        let file = std::fs::read(&file).unwrap();
        let file = format!("\n{}", String::from_utf8_lossy(&file));
        for test in file.split("\n#data\n").skip(1) {
            let test = format!("\n{test}");
            let (input, rest) = test.split_once("\n#errors\n").unwrap();
            if !rest.contains("#document-fragment\n") && !rest.contains("#script-off\n") {
                inputs.push(input.strip_prefix('\n').unwrap_or_default().to_owned());
            }
        }
    }
    assert!(
        inputs.len() > 1_400,
        "only {} inputs in {}",
        inputs.len(),
        folder.display()
    );
    inputs
}

/// Documents that bring a tokenizer into each of a test's initial states and give it the input.
fn documents(test: &serde_json::Value) -> Vec<String> {
    let input = test["input"].as_str().unwrap_or_default();
    let escaped = test["doubleEscaped"].as_bool().unwrap_or_default();
    let input = if escaped {
        // What is no scalar value (a lone surrogate) cannot stand in a file.
        match serde_json::from_str::<String>(&format!("\"{}\"", input.replace('"', "\\\""))) {
            Ok(input) => input,
            Err(_) => return Vec::new(),
        }
    } else {
        input.to_owned()
    };
    let last = test["lastStartTag"].as_str();
    let states = test["initialStates"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    let prefix = |state: &serde_json::Value| match (state.as_str(), last) {
        (Some("CDATA section state"), _) => "<svg><![CDATA[".to_owned(),
        (Some("Script data state"), None) => "<script>".to_owned(),
        (Some("PLAINTEXT state"), None) => "<plaintext>".to_owned(),
        (Some("RCDATA state"), None) => "<title>".to_owned(),
        (Some("RAWTEXT state"), None) => "<xmp>".to_owned(),
        (_, Some(last)) => format!("<{last}>"),
        _ => String::new(),
    };
    let mut documents: Vec<String> = states.iter().map(|state| prefix(state) + &input).collect();
    documents.push(input);
    documents
}
