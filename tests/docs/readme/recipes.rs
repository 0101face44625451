//! The recipes of README.md and docs/, run as they stand there.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::support::links::shell;

/// The blocks of shell commands in a text, or in a section of one.
fn blocks(text: &str) -> impl Iterator<Item = &str> {
    let behind = text.split("\n```sh\n").skip(1);
    behind.map(|rest| rest.split_once("```").unwrap().0)
}

/// What looks like a clone in which abslink is installed; it has an empty `target`.
fn clone() -> TempDir {
    let clone = tempfile::tempdir().unwrap();
    fs::create_dir(clone.path().join("target")).unwrap();
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    std::os::unix::fs::symlink(own.join("testdata"), clone.path().join("testdata")).unwrap();
    fs::copy(own.join("README.md"), clone.path().join("README.md")).unwrap();
    clone
}

/// Runs the first recipe of a section, by its heading; gives the clone.
pub(crate) fn follow(file: &str, section: &str) -> TempDir {
    follow_first(1, file, section)
}

/// The same of its first recipes, so many.
fn follow_first(number: usize, file: &str, section: &str) -> TempDir {
    let text = format!("\n{}", super::text(file));
    let (_, rest) = text.split_once(&format!("\n{section}\n")).unwrap();
    let clone = clone();
    for commands in blocks(rest).take(number) {
        let run = shell(commands, clone.path()).output().unwrap();
        assert_eq!(run.status.code(), Some(0), "{section}: {run:?}");
    }
    clone
}

/// Recipes that build or measure take too long here; .ci/run does what they say.
#[test]
fn every_recipe_works() {
    let takes_long = ["cargo ", ".ci/", "testdata/", "ABSLINK_", "valgrind "];
    let mut recipes = 0;
    for path in super::texts() {
        for commands in blocks(&super::text(&path)) {
            if takes_long.iter().any(|it| commands.starts_with(it)) {
                continue;
            }
            let clone = clone();
            let run = shell(commands, clone.path()).output().unwrap();
            assert_eq!(run.status.code(), Some(0), "{path}: {commands}{run:?}");
            recipes += 1;
        }
    }
    assert!(recipes > 10, "{recipes}");
}

#[track_caller]
fn holds(clone: &TempDir, file: &str, links: &[&str]) {
    let text = fs::read_to_string(clone.path().join("target").join(file)).unwrap();
    let found: Vec<&str> = text
        .split("href=\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .collect();
    assert_eq!(found, links, "{file}");
}

#[test]
#[ignore = "slow tier: another program"]
fn a_wget_mirror() {
    let clone = follow("docs/mirrors.md", "## A wget mirror");
    let index = [
        "https://www.example.org/style.css",
        "https://www.example.org/docs/",
        "https://www.example.org/news/",
    ];
    holds(&clone, "wget/www.example.org/index.html", &index);
    let docs = [
        "https://www.example.org/",
        "https://www.example.org/docs/setup.html#first",
    ];
    holds(&clone, "wget/www.example.org/docs/index.html", &docs);
}

#[test]
fn converted_links() {
    let clone = follow(
        "docs/converted-links.md",
        "# Converted links: `wget -k` and HTTrack",
    );
    let index = [
        "https://www.example.org/view.php#top",
        "https://www.example.org/docs/",
        "https://static.example.org/logo.html",
        "https://www.example.org/gone",
    ];
    holds(&clone, "wget-k/www.example.org/index.html", &index);
    let view = [
        "https://www.example.org/",
        "https://www.example.org/view.php#top",
    ];
    holds(&clone, "wget-k/www.example.org/view.php.html", &view);
    let logo = ["https://www.example.org/"];
    holds(&clone, "wget-k/static.example.org/logo.html", &logo);
}

#[test]
#[ignore = "slow tier: another program"]
fn an_httrack_mirror() {
    let clone = follow("docs/mirrors.md", "## An HTTrack mirror");
    let index = [
        "http://www.example.org/news/?page=2",
        "http://www.example.org/news/gone",
        "https://static.example.org/logo",
    ];
    holds(&clone, "httrack/www.example.org/index.html", &index);
    let news = [
        "http://www.example.org/news/?page=3",
        "http://www.example.org/",
        "http://www.example.org/news/?page=2#top",
    ];
    holds(&clone, "httrack/www.example.org/news/index4658.html", &news);
    let logo = ["http://www.example.org/"];
    holds(&clone, "httrack/static.example.org/logo.html", &logo);
}

#[test]
fn pages_saved_from_a_browser() {
    let clone = follow("docs/mirrors.md", "## Pages saved from a browser");
    holds(
        &clone,
        "saved/browser.html",
        &["https://www.example.org/docs/b.html"],
    );
    holds(
        &clone,
        "saved/singlefile.html",
        &["https://www.example.org/docs/?id=4"],
    );
    holds(
        &clone,
        "saved/monolith.html",
        &["https://www.example.org/news/1.html"],
    );
}

#[test]
fn a_partial_mirror() {
    let clone = follow("docs/mirrors.md", "## A partial mirror");
    let index = ["style.css", "docs/", "https://www.example.org/news/"];
    holds(&clone, "partial/www.example.org/index.html", &index);
    let docs = ["../", "https://www.example.org/docs/setup.html#first"];
    holds(&clone, "partial/www.example.org/docs/index.html", &docs);
}

#[test]
fn a_map_of_ones_own() {
    let clone = follow("docs/mirrors.md", "## A map of your own");
    holds(
        &clone,
        "mapped/browser.html",
        &["https://www.example.org/a/b.html"],
    );
    let by_its_comment = ["https://www.example.org/news/1.html"];
    holds(&clone, "mapped/monolith.html", &by_its_comment);
}

#[test]
fn a_site_under_a_prefix() {
    let section = "## A site built for the root, under a prefix";
    let clone = follow_first(2, "docs/moving.md", section);
    let index = |[css, a, end]: [&'static str; 3]| [css, a, end, "https://user.github.io/other/"];
    let prefixed = index([
        "https://user.github.io/proj/css/main.css",
        "https://user.github.io/proj/a/",
        "https://user.github.io/proj/a/index.html#end",
    ]);
    holds(&clone, "prefixed/index.html", &prefixed);
    let relative = index(["css/main.css", "a/", "a/index.html#end"]);
    holds(&clone, "anywhere/index.html", &relative);
    holds(
        &clone,
        "anywhere/a/index.html",
        &["../css/main.css", "../", "/gone"],
    );
    let disk = index(["css/main.css", "a/index.html", "a/index.html#end"]);
    holds(&clone, "disk/index.html", &disk);
    holds(
        &clone,
        "disk/a/index.html",
        &["../css/main.css", "../index.html", "/gone"],
    );
    for made in ["anywhere", "disk"] {
        let css = fs::read_to_string(clone.path().join("target").join(made).join("css/main.css"));
        assert_eq!(
            css.unwrap(),
            "body { background: url(paper.svg) }\n",
            "{made}"
        );
    }
}
