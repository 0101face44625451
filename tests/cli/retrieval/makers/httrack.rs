//! Mirrors by HTTrack.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use tempfile::TempDir;
use url::Url;

use super::{Mirror, asked_for, comment_of, damages, make};
use crate::cli::retrieval::server::{FAILED, GONE, NAMES, serve};
use crate::support::links::abslink;

/// Mirrors a part of the site with HTTrack, which takes its time.
pub(super) fn httrack(options: &[&str]) -> Option<TempDir> {
    let (server, other) = (serve(), serve().replace("127.0.0.1", "localhost"));
    let directory = tempfile::tempdir().unwrap();
    let url = format!("{server}/guide/");
    let other = other.strip_prefix("http://").unwrap();
    let names = format!("{server}{NAMES}{other}");
    let also = format!("+{other}/guide/*");
    // Fast, and without a request for the type of each link.
    let speed = [
        "-q",
        "-s0",
        "-c8",
        "-%c100",
        "--disable-security-limits",
        "-%N0",
        "-u0",
    ];
    let arguments = [&speed[..], options, &["-O", "mirror", &url, &names, &also]].concat();
    make("httrack", &arguments, directory.path()).then_some(directory)
}

#[test]
#[ignore = "slow tier: another program"]
fn httrack_that_keeps_links() {
    let Some(directory) = httrack(&["-K4"]) else {
        return;
    };
    let mirror = directory.path().join("mirror");
    let map = mirror.join("hts-cache/new.txt");
    let right = Mirror {
        options: &["--url-map", map.to_str().unwrap()],
        links: "never",
        directory: &mirror,
    }
    .confirm("map", true);
    assert!(right.documents >= 6 && right.references >= 60, "{right:?}");
    assert_eq!(right.differences, BTreeSet::new(), "{right:#?}");
}

/// By default HTTrack rewrites links to the names that it gave.
#[test]
#[ignore = "slow tier: another program"]
fn httrack_that_converts_links() {
    let Some(directory) = httrack(&[]) else {
        return;
    };
    let mirror = directory.path().join("mirror");
    let map = mirror.join("hts-cache/new.txt");
    let confirm = |options: &[&str], source, references| {
        let mirror = Mirror {
            options,
            links: "auto",
            directory: &mirror,
        };
        let right = mirror.confirm(source, references);
        assert!(right.documents >= 20, "{right:?}");
        right
    };
    let by_map = confirm(&["--url-map", map.to_str().unwrap()], "map", true);
    assert!(by_map.references >= 200, "{by_map:?}");
    assert_eq!(by_map.differences, damages(&["httrack"]));
    // It is found where it is.
    let found = confirm(&[], "map", true);
    assert_eq!(found, by_map);
    let by_comment = ["--scheme", "http", "--url-from", "comment"];
    let by_comment = confirm(&by_comment, "comment", true);
    assert_eq!(by_comment.references, by_map.references);
    assert_eq!(by_comment.differences, damages(&["httrack-comment"]));
    // Queries are in no name, so that only bases are compared.
    let by_layout = [
        "--scheme",
        "http",
        "--layout",
        "httrack",
        "--url-from",
        "layout",
    ];
    confirm(&by_layout, "layout", false);
}

/// As HTTrack does without options: it waits for the type of a page before it names the file, and what
/// failed keeps a name in the map that the file does not have.
#[test]
#[ignore = "slow tier: another program"]
fn httrack_that_waits_for_types() {
    let server = serve();
    let directory = tempfile::tempdir().unwrap();
    let (page, links) = FAILED;
    let url = format!("{server}{page}");
    let options = ["-q", "-s0", "-r2", "-c8", "-%c100"];
    let more = ["--disable-security-limits", "-O", "mirror", &url];
    if !make("httrack", &[&options[..], &more].concat(), directory.path()) {
        return;
    }
    let mirror = directory.path().join("mirror");
    let map = mirror.join("hts-cache/new.txt");
    let lines = fs::read_to_string(&map).unwrap();
    assert!(lines.contains(".delayed"), "{lines}");
    let output = tempfile::tempdir().unwrap();
    let mirror = Mirror {
        options: &["--url-map", map.to_str().unwrap()],
        links: "auto",
        directory: &mirror,
    };
    let converted = abslink()
        .arg("rewrite")
        .args(mirror.options)
        .args(["-o".as_ref(), output.path(), mirror.directory])
        .output()
        .unwrap();
    assert_eq!(converted.status.code(), Some(0), "{converted:?}");
    let mut gone = 0;
    for line in mirror.bases() {
        let file = Path::new(line["file"].as_str().unwrap());
        if let Some(truth) = comment_of(file, GONE) {
            assert_eq!(line["base"], truth, "{line}");
            gone += 1;
        }
        if asked_for(file).is_some_and(|asked| asked == url) {
            let converted = output
                .path()
                .join(file.strip_prefix(mirror.directory).unwrap());
            let text = fs::read_to_string(converted).unwrap();
            let found: Vec<&str> = (text.split("href=\"").skip(1))
                .filter_map(|rest| rest.split('"').next())
                .collect();
            let base = Url::parse(&url).unwrap();
            let wanted = links.map(|link| base.join(link).unwrap().to_string());
            assert_eq!(found, wanted);
        }
    }
    assert_eq!(gone, links.len() - 1);
}
