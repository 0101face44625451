//! The public face of the library: a change of it has to be seen.
//!
//! The text comes from the pages that rustdoc writes, which have every public item with its
//! signature, its fields, its methods and the traits that it implements; what is hidden there is read
//! from the source. Whoever changes the face on purpose writes the new text with
//! `ABSLINK_BLESS=1 cargo test --locked --test main face -- --ignored`, and reads the diff.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use regex::Regex;
use similar::TextDiff;

#[test]
#[ignore = "slow tier: a build"]
fn the_public_face_is_the_one_that_was_agreed_on() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    // What other commands have built serves this one too.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let built = Command::new(env!("CARGO"))
        .args([
            "doc",
            "--quiet",
            "--locked",
            "--offline",
            "--no-deps",
            "--lib",
            "--all-features",
        ])
        .arg("--target-dir")
        .arg(target)
        .env_remove("RUSTDOCFLAGS")
        .current_dir(root)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&built.stderr);
    assert!(built.status.success(), "{said}");
    let found = items(&target.join("doc/abslink")) + &hidden(&root.join("src/lib.rs"));
    let file = root.join("testdata/face.txt");
    if std::env::var_os("ABSLINK_BLESS").is_some() {
        fs::write(&file, &found).unwrap();
    }
    let agreed = fs::read_to_string(&file).unwrap_or_default();
    let diff = TextDiff::from_lines(&agreed, &found);
    assert!(
        agreed == found,
        "the public face has changed:\n{}",
        diff.unified_diff()
            .context_radius(2)
            .header("agreed", "found")
    );
}

/// Every item of the documentation, in the order of its list of all items.
fn items(pages: &Path) -> String {
    let all = fs::read_to_string(pages.join("all.html")).unwrap();
    let link =
        Regex::new(r#"<a href="([a-z0-9_/]*(?:struct|enum|fn|trait|type|constant)\.\w+\.html)">"#);
    let links = link.unwrap();
    let links: BTreeSet<String> = (links.captures_iter(&all))
        .map(|link| link[1].to_owned())
        .collect();
    assert!(links.len() > 40, "{} items", links.len());
    let mut text = format!("{} items\n", links.len());
    for link in links {
        let page = fs::read_to_string(pages.join(&link)).unwrap();
        let path = link.trim_end_matches(".html").replace('/', "::");
        text += &format!("\n{path}\n");
        for line in signatures(&page) {
            text += &format!("    {line}\n");
        }
    }
    text
}

/// What a page declares: the item, its own methods, and the traits that it implements, without those
/// that follow from the item itself.
fn signatures(page: &str) -> Vec<String> {
    let parts = Regex::new(concat!(
        r#"(?s)<pre class="rust item-decl"><code>(.*?)</code></pre>"#,
        r#"|<h[34] class="code-header">(.*?)</h[34]>"#,
    ));
    let parts = parts.unwrap();
    let page = page.split("id=\"synthetic-implementations\"").next();
    let page = page.unwrap_or_default();
    let traits = page.split_once("id=\"trait-implementations\"");
    let (own, traits) = traits.unwrap_or((page, ""));
    let mut lines = Vec::new();
    for part in parts.captures_iter(own) {
        match part.get(1) {
            Some(declared) => lines.extend(text(declared.as_str()).lines().map(str::to_owned)),
            None => lines.extend(Some(header(&part[2])).filter(|it| it.starts_with("pub "))),
        }
    }
    for part in parts.captures_iter(traits) {
        let header = part.get(2).map(|it| header(it.as_str()));
        lines.extend(header.filter(|it| it.starts_with("impl") && !it.contains("Structural")));
    }
    lines.retain(|line| !line.trim().is_empty());
    lines
}

/// The header of a method or an implementation, in one line.
fn header(html: &str) -> String {
    text(html).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// HTML as text.
fn text(html: &str) -> String {
    // Long lists can be folded, and have a word on that.
    let tags = Regex::new(r"(?s)<summary.*?</summary>|<[^>]*>").unwrap();
    let html = html.replace("</div>", "\n");
    htmlize::unescape(tags.replace_all(&html, "")).into_owned()
}

/// What can be used and is in no documentation.
fn hidden(file: &Path) -> String {
    let source = fs::read_to_string(file).unwrap();
    let mut text = String::from("\nhidden\n");
    let mut parts = source.split("#[doc(hidden)]\n");
    parts.next();
    for part in parts {
        let end = part.find("\n}").map_or(part.len(), |end| end + 2);
        let item = match part.starts_with("pub mod") {
            true => &part[..end],
            false => part
                .lines()
                .next()
                .unwrap_or_default()
                .trim_end_matches(" {"),
        };
        for line in item.lines() {
            text += &format!("    {line}\n");
        }
    }
    text
}
