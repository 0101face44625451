//! The recipes of README.md for mirrors and saved pages, run as they stand there.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

/// The shell commands of a section of README.md, by its heading.
fn commands(section: &str) -> String {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = fs::read_to_string(package.join("README.md")).unwrap();
    let (_, rest) = readme.split_once(&format!("\n{section}\n")).unwrap();
    let (_, rest) = rest.split_once("\n```sh\n").unwrap();
    rest.split_once("```").unwrap().0.to_owned()
}

/// Runs a recipe in a clone, or what looks like one; gives `target`.
pub(crate) fn follow(section: &str) -> TempDir {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let clone = tempfile::tempdir().unwrap();
    fs::create_dir(clone.path().join("target")).unwrap();
    let testdata = clone.path().join("testdata");
    std::os::unix::fs::symlink(package.join("testdata"), testdata).unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_abslink"));
    let run = Command::new("sh")
        .args(["-e", "-c", &commands(section)])
        .current_dir(clone.path())
        .env(
            "PATH",
            format!("{}:/usr/bin:/bin", program.parent().unwrap().display()),
        )
        .output()
        .unwrap();
    assert_eq!(run.status.code(), Some(0), "{section}: {run:?}");
    clone
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
fn a_wget_mirror() {
    let clone = follow("### A wget mirror");
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
    let clone = follow("### Converted links");
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
fn an_httrack_mirror() {
    let clone = follow("### An HTTrack mirror");
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
    let clone = follow("### Pages saved from a browser");
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
    let clone = follow("### A partial mirror");
    let index = ["style.css", "docs/", "https://www.example.org/news/"];
    holds(&clone, "partial/www.example.org/index.html", &index);
    let docs = ["../", "https://www.example.org/docs/setup.html#first"];
    holds(&clone, "partial/www.example.org/docs/index.html", &docs);
}
