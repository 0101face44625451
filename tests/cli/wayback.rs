//! Trees as wayback_machine_downloader and waybackpack write them, and links that lead between their moments.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use abslink::retrieval::{Assumptions, Layout};
use abslink_url::percent;
use sha2::{Digest as _, Sha256};

use super::Sandbox;
use crate::support::skip;

const EARLIER: &str = "20190101000000";
const LATER: &str = "20200101000000";

/// Where wayback_machine_downloader 2.3.1 puts the file of a URL (`download_file` in its source). With all
/// timestamps, `moment` is that of the copy.
fn by_downloader(url: &str, moment: Option<&str>, on_windows: bool) -> String {
    // Ruby's split leaves out empty parts at the end.
    let parts: Vec<&str> = url.trim_end_matches('/').split('/').collect();
    // CGI::unescape.
    let id = percent::decode(&parts[3..].join("/").replace('+', " "));
    let id = String::from_utf8(id).unwrap();
    let id = match moment {
        Some(moment) => format!("{moment}/{id}"),
        None => id,
    };
    let id = id.trim_end_matches('/');
    let is_file = id.rsplit('/').next().is_some_and(|last| last.contains('.'));
    let path = match (id, is_file && !url.ends_with('/')) {
        ("", _) => format!("{}/index.html", parts[2]),
        (_, true) => format!("{}/{id}", parts[2]),
        (_, false) => format!("{}/{id}/index.html", parts[2]),
    };
    if !on_windows {
        return path;
    }
    let escaped = path.chars().map(|char| match char {
        ':' | '*' | '?' | '&' | '=' | '<' | '>' | '\\' | '|' => format!("%{:x}", char as u32),
        other => other.to_string(),
    });
    escaped.collect()
}

/// Where its fork 2.4.7 puts it (`sanitize_and_prepare_id` in its source).
fn by_fork(url: &str, moment: Option<&str>) -> String {
    let parts: Vec<&str> = url.trim_end_matches('/').split('/').collect();
    let id = String::from_utf8(percent::decode(&parts[3..].join("/"))).unwrap();
    let id = match id.split_once('?').filter(|(_, query)| !query.is_empty()) {
        Some((path, query)) => {
            let hash = Sha256::digest(query).to_vec();
            let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
            match path.rsplit_once('.') {
                Some((stem, ending)) => format!("{stem}__q{}.{ending}", &hash[..12]),
                None => format!("{path}__q{}", &hash[..12]),
            }
        }
        None => id,
    };
    let escaped = id.trim_end_matches('/').chars().map(|char| match char {
        ':' | '*' | '?' | '"' | '<' | '>' | '|' | '\\' => format!("%{:X}", char as u32),
        other => other.to_string(),
    });
    let id = match moment {
        Some(moment) => format!("{moment}/{}", escaped.collect::<String>()),
        None => escaped.collect(),
    };
    let id = id.trim_end_matches('/');
    let is_file = id.rsplit('/').next().is_some_and(|last| last.contains('.'));
    let host = parts[2];
    match (id, is_file && !url.ends_with('/')) {
        ("", _) => format!("{host}/index.html"),
        (_, true) => format!("{host}/{id}"),
        (_, false) => format!("{host}/{id}/index.html"),
    }
}

/// A URL, and what its file's name tells if that is another.
const URLS: [[&str; 2]; 9] = [
    ["http://e.org/", ""],
    ["http://e.org/a.html", ""],
    ["http://e.org/about", "http://e.org/about/"],
    ["http://e.org/d/list?page=2", ""],
    ["http://e.org/view.php?id=3&b=c", ""],
    ["http://e.org/view.php?u=a/b", ""],
    ["http://e.org/d/?q=1", ""],
    ["http://e.org:8080/x.html", ""],
    ["http://e.org/d/a%20b.html", ""],
];

#[test]
fn names_of_the_downloader_are_read_back() {
    let mut assumptions = Assumptions::default();
    assumptions.scheme = Some("http".to_owned());
    assumptions.index = vec!["index.html".to_owned()];
    let mut wrong = Vec::new();
    for [url, other] in URLS {
        for (moment, on_windows) in [None, Some(LATER)]
            .into_iter()
            .flat_map(|moment| [(moment, false), (moment, true)])
        {
            let path = by_downloader(url, moment, on_windows);
            let said = Layout::Wayback.evidence(path.as_bytes(), &assumptions);
            let said = said.map_or("-".to_owned(), |said| said.says);
            if said != if other.is_empty() { url } else { other } {
                wrong.push(format!("{path}: {said}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The hash of a query tells nothing of it.
#[test]
fn names_of_the_fork_are_read_back() {
    let mut assumptions = Assumptions::default();
    assumptions.scheme = Some("http".to_owned());
    assumptions.index = vec!["index.html".to_owned()];
    let more = [
        ["http://e.org/d.e/list?page=2", ""],
        ["http://e.org/a:b%22.html", ""],
        ["http://e.org/a+b.html", ""],
    ];
    let mut wrong = Vec::new();
    // Of a port it makes `_8080`, which a host's name may have.
    let with_port = |[url, _]: &[&str; 2]| url.contains(":8080");
    let urls = URLS.into_iter().filter(|url| !with_port(url));
    for [url, other] in urls.chain(more) {
        for moment in [None, Some(LATER)] {
            let path = by_fork(url, moment);
            let said = Layout::Wayback.evidence(path.as_bytes(), &assumptions);
            let said = said.map_or("-".to_owned(), |said| said.says);
            let expected = if other.is_empty() { url } else { other };
            let (without_query, query) = expected.split_once('?').unwrap_or((expected, ""));
            let expected = if query.is_empty() {
                expected
            } else {
                without_query
            };
            if said != expected {
                wrong.push(format!("{path}: {said}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Writes pages as waybackpack does; says whether it could.
fn by_waybackpack(pages: &[(&str, &str, &str)], folder: &Path) -> bool {
    const WRITE: &str = "
import json, sys
from waybackpack import pack
for url, moment, page in json.load(sys.stdin):
    pack.Asset.fetch = lambda *_, **__: page.encode()
    pack.Pack(url, timestamps=[moment]).download_to(sys.argv[1])
";
    let python = |script: &str| {
        let mut python = Command::new("python3");
        python.args(["-c", script]).arg(folder);
        python.stdin(Stdio::piped()).stderr(Stdio::null());
        python
    };
    let has = python("import waybackpack.pack").status();
    if !has.is_ok_and(|status| status.success()) {
        skip::tool("Python's waybackpack cannot be run (pip install waybackpack)");
        return false;
    }
    let mut child = python(WRITE).spawn().unwrap();
    let given = serde_json::to_string(pages).unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(given.as_bytes())
        .unwrap();
    assert!(child.wait().unwrap().success());
    true
}

/// waybackpack keeps the links of the Wayback Machine.
#[test]
#[ignore = "slow tier: another program"]
fn what_waybackpack_writes_leads_between_moments() {
    let sandbox = Sandbox::of(&[]);
    let home = "<a href=\"/web/20190101000000/http://e.org/a.html\"><a href=/web/20190101000000im_/http://e.org/d/new.html>\
                <a href=https://web.archive.org/web/20190101000000/http://f.org/>";
    let pages = [
        ("http://e.org/", EARLIER, home),
        (
            "http://e.org/a.html",
            EARLIER,
            "<a href=\"/web/20190101000000/http://e.org/\">",
        ),
        ("http://e.org/a.html", LATER, "<p>"),
        (
            "http://e.org/d/new.html",
            LATER,
            "<a href=\"/web/20200101000000/http://e.org/a.html#x\">",
        ),
    ];
    if !by_waybackpack(&pages, &sandbox.path().join("w")) {
        return;
    }
    let ran =
        sandbox.run("rewrite --verify -i --layout wayback --scheme http --unwrap --to files w");
    ran.exits(0).says("--unwrap: 5 links");
    let read = |name: String| sandbox.read(format!("w/{name}"));
    let home =
        format!("<a href=\"a.html\"><a href=../../{LATER}/e.org/d/new.html><a href=http://f.org/>");
    assert_eq!(read(format!("{EARLIER}/e.org/index.html")), home);
    assert_eq!(
        read(format!("{EARLIER}/e.org/a.html")),
        "<a href=\"index.html\">"
    );
    assert_eq!(
        read(format!("{LATER}/e.org/d/new.html")),
        "<a href=\"../a.html#x\">"
    );
}
