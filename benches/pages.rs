//! Real pages, for the benches that work in memory.

use std::path::{Path, PathBuf};

/// So much of a corpus is enough, in bytes.
const ENOUGH: usize = 200_000_000;

/// The corpora that are there: those of target/corpus (see testdata/fetch-corpora.sh), or without
/// any the site in testdata.
pub(crate) fn corpora() -> Vec<String> {
    let packages = [
        "python3.11-doc",
        "cppreference-doc-en-html",
        "openjdk-17-doc",
        "rust-doc",
    ];
    let mut present: Vec<_> = packages.map(str::to_owned).into();
    present.retain(|name| folder(name).is_dir());
    if present.is_empty() {
        present.push("site".to_owned());
    }
    present
}

fn folder(corpus: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    match corpus {
        "site" => root.join("testdata/site/in"),
        package => root.join("target/corpus").join(package),
    }
}

/// The HTML pages of a corpus, each with its path below it, in path order.
pub(crate) fn pages(corpus: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let root = folder(corpus);
    let mut read = 0;
    walkdir::WalkDir::new(&root)
        .sort_by_file_name()
        .into_iter()
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_file())
        .filter(|entry| {
            entry
                .path()
                .extension()
                .is_some_and(|extension| extension == "html")
        })
        .map(|entry| {
            let path = entry.path().strip_prefix(&root).expect("below the root");
            (
                path.to_owned(),
                std::fs::read(entry.path()).expect("readable"),
            )
        })
        .take_while(|(_, page)| {
            read += page.len();
            read < ENOUGH
        })
        .collect()
}
