//! Pages for the benches that work in memory: real ones, and one that is made here.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// How much of a corpus is enough, in bytes.
const ENOUGH: usize = 200_000_000;

/// The corpora that are there: those of target/corpus (see testdata/fetch-corpora.sh), or if there
/// are none, the site in testdata.
pub(crate) fn corpora() -> Vec<String> {
    let packages = [
        "python3.11-doc",
        "cppreference-doc-en-html",
        "openjdk-17-doc",
        "rust-doc",
        "mdbook",
    ];
    let mut present: Vec<_> = packages.map(str::to_owned).into();
    present.retain(|name| folder(name).is_dir());
    if present.is_empty() {
        present.push("site".to_owned());
    }
    present
}

/// A page of web components, each with a shadow root that it declares.
#[allow(dead_code, reason = "not every bench uses it")]
pub(crate) fn components() -> Vec<u8> {
    let mut page = String::from(
        "<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>Shop</title>\
         <link rel=stylesheet href=/shop.css></head><body>\n",
    );
    for nth in 0..20_000 {
        let written = write!(
            page,
            r#"<shop-item id="item-{nth}">
  <template shadowrootmode="open">
    <link rel="stylesheet" href="../parts/item.css">
    <style>:host {{ display: block; background: url(../img/paper.png) }}</style>
    <article class="item" part="item">
      <a class="picture" href="items/{nth}.html"><img src="img/{nth}.webp" alt="Item {nth}" width="320" height="240"></a>
      <h2><slot name="title">No title</slot></h2>
      <div class="text"><slot></slot></div>
      <p class="price"><span class="sign">€</span><span class="amount">{nth}.00</span>
        <button type="button" class="buy"><span class="label">Put into the basket</span></button></p>
    </article>
  </template>
  <span slot="title">Item number {nth}</span>
  <p>What this is, and <a href="items/{nth}.html#more">what else there is to say</a> about it.</p>
</shop-item>
"#
        );
        written.expect("strings take everything");
    }
    page.into_bytes()
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
