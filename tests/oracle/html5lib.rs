//! The inputs of html5lib's tests, which testdata/fetch-suites.sh brings, and what its tokenizer tests
//! say of character references in attributes.

use std::path::{Path, PathBuf};

use abslink::{Context, Settings, Syntax, examine, pre_step};

use crate::oracle::browser;
use crate::support::skip;

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

/// The tests in a file of the tokenizer tests; none where they are not there.
fn tokenizer_tests(name: &str) -> Vec<serde_json::Value> {
    let Some(path) = skip::suite(&format!("html5lib-tests/tokenizer/{name}.test")) else {
        return Vec::new();
    };
    let text = std::fs::read_to_string(path).unwrap();
    let mut tests: serde_json::Value = serde_json::from_str(&text).unwrap();
    match tests["tests"].take() {
        serde_json::Value::Array(tests) => tests,
        other => panic!("{name}: {other}"),
    }
}

/// A page that has these values in double quotes.
fn page(values: &[String]) -> String {
    let links = values
        .iter()
        .map(|value| format!("<a href=\"{value}\"></a>"));
    links.collect()
}

/// The references of such a page.
fn decoded(page: &str) -> Vec<String> {
    let mut decoded = Vec::new();
    let (context, settings) = (Context::default(), Settings::default());
    examine(
        page.as_bytes(),
        Syntax::Html,
        &context,
        &settings,
        &mut |found| {
            decoded.push(found.reference.to_owned());
        },
    );
    decoded
}

#[track_caller]
fn agree_with_html5ever(values: &[String]) {
    let page = page(values);
    let decoded = decoded(&page);
    assert_eq!(decoded.len(), values.len());
    for ((value, decoded), tag) in values.iter().zip(decoded).zip(browser::parse(&page).tags) {
        assert_eq!(decoded, *pre_step(&tag.attributes[0].1), "{value:?}");
    }
}

/// Whatever follows the name of a character reference.
#[test]
fn every_name_agrees_with_html5ever() {
    let tests = tokenizer_tests("namedEntities");
    let names = tests.iter().filter_map(|test| test["input"].as_str());
    let names = names.filter(|name| name.starts_with('&'));
    let values: Vec<String> = names
        .flat_map(|name| {
            let name = name.trim_end_matches(';');
            [
                ";", "", "=", "x", "1", " ", "&", ";;", "\u{e9}", "-", "\r\n", "/",
            ]
            .map(|next| format!("a{name}{next}"))
        })
        .collect();
    assert!(
        tests.is_empty() || values.len() > 2000 * 12,
        "{}",
        values.len()
    );
    agree_with_html5ever(&values);
}

#[test]
fn inputs_as_values_agree_with_html5ever() {
    for file in [
        "domjs",
        "entities",
        "namedEntities",
        "numericEntities",
        "test1",
        "test2",
        "test3",
        "test4",
        "unicodeChars",
        "unicodeCharsProblematic",
    ] {
        let tests = tokenizer_tests(file);
        let inputs = tests.iter().filter_map(|test| test["input"].as_str());
        let values: Vec<_> = inputs.map(|input| input.replace('"', "'")).collect();
        assert!(tests.is_empty() || !values.is_empty(), "{file}");
        agree_with_html5ever(&values);
    }
}

/// Where a test's input is one start tag with one quoted value.
#[test]
fn values_are_what_html5lib_says() {
    let (mut tests_read, mut checked) = (0, 0);
    for file in ["entities", "test1", "test2", "test3", "test4"] {
        for test in tokenizer_tests(file) {
            tests_read += 1;
            let value = test["input"].as_str().and_then(|input| {
                let (_, value) = input.strip_suffix('>')?.split_once('=')?;
                let quote = value.chars().next().filter(|c| "'\"".contains(*c))?;
                let value = value.strip_prefix(quote)?.strip_suffix(quote)?;
                (!value.contains(['\'', '"'])).then(|| value.to_owned())
            });
            let output = test["output"].as_array().map(Vec::as_slice);
            if let (Some([answer]), Some(value)) = (output, value)
                && let Some(attributes) = answer[2].as_object()
            {
                let decoded = decoded(&page(std::slice::from_ref(&value)));
                let expected = attributes.values().map(|v| v.as_str().unwrap_or_default());
                for expected in expected {
                    assert_eq!(decoded, [&*pre_step(expected)], "{file}: {value:?}");
                }
                checked += 1;
            }
        }
    }
    assert!(tests_read == 0 || checked > 60, "{checked}");
}
