//! Documents in real browsers: what abslink makes of a document has the same tree there, and leads to
//! the same target at every place. What it shares with its second reader is seen here.
//!
//! The test is a server. It gives the browser a page of its own, `engines/driver.js`, which loads each
//! document twice at the same URL, as it was and as it was made, and compares the two. So a browser
//! needs no driver, and any that can be started with a URL will do.
//!
//! `ABSLINK_BROWSED` says how many documents each browser loads; by default these are few.
//! `testdata/browsers.tsv` lists in which kinds of documents a browser departs from the standard.

mod documents;
mod server;
mod sheets;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use regex::Regex;

use crate::support::chromium::chromium;
use crate::support::skip;
use documents::{Kind, Page};
use server::{Found, Server};

/// A browser without a window that shows a URL, with a profile in a directory.
fn start(browser: &str, profile: &Path, url: &str) -> Child {
    let mut command = match browser {
        "chromium" => {
            let mut chromium = chromium(profile);
            chromium.arg("--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1");
            chromium.args([
                "--disable-backgrounding-occluded-windows",
                "--remote-debugging-port=0",
            ]);
            chromium
        }
        firefox => {
            /// It asks nobody but 127.0.0.1, and shows nothing of its own.
            const PREFERENCES: &str = r#"
user_pref("network.proxy.type", 1);
user_pref("network.proxy.http", "127.0.0.1");
user_pref("network.proxy.http_port", 9);
user_pref("network.proxy.ssl", "127.0.0.1");
user_pref("network.proxy.ssl_port", 9);
user_pref("network.proxy.no_proxies_on", "127.0.0.1");
user_pref("network.proxy.allow_hijacking_localhost", false);
user_pref("network.proxy.failover_direct", false);
user_pref("browser.aboutwelcome.enabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("browser.startup.homepage_override.mstone", "ignore");
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("toolkit.startup.max_resumed_crashes", -1);
user_pref("app.update.enabled", false);
user_pref("dom.max_script_run_time", 0);
"#;
            std::fs::write(profile.join("user.js"), PREFERENCES).unwrap();
            let mut command = Command::new(firefox);
            command
                .args(["--headless", "--no-remote", "--profile"])
                .arg(profile);
            command
        }
    };
    command.env("HOME", profile).arg(url);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.spawn().unwrap()
}

/// What a browser finds in pages.
fn browse(browser: &str, count: u64, page: &(dyn Fn(u64, &str) -> Page + Sync)) -> Vec<Found> {
    let server = Server::start();
    let profile = tempfile::tempdir().unwrap();
    let url = format!("{}/driver", server.origin());
    let mut child = start(browser, profile.path(), &url);
    let found = server.serve(count, page);
    child.kill().unwrap();
    child.wait().unwrap();
    found.unwrap_or_else(|error| panic!("{browser}: {error}"))
}

fn number(name: &str, default: u64) -> u64 {
    let value = std::env::var(name).ok();
    value
        .and_then(|value| value.parse().ok())
        .unwrap_or(default)
}

/// A kind of difference in which a browser departs.
struct Departure {
    kind: String,
    /// What stands in the first line of the old tree that differs.
    mark: String,
    /// Without what this matches, that line and the new one are the same.
    part: Regex,
    /// What the document has.
    document: Regex,
}

impl Departure {
    fn explains(&self, [old, new]: &[String; 2], document: &str) -> bool {
        let rest = |line| self.part.replace_all(line, "").into_owned();
        old.contains(&self.mark) && rest(old) == rest(new) && self.document.is_match(document)
    }
}

fn departures(browser: &str) -> Vec<Departure> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/browsers.tsv");
    let text = std::fs::read_to_string(path).unwrap();
    let rows = text.lines().filter(|line| !line.starts_with("# "));
    let rows = rows.map(|line| line.split('\t').collect::<Vec<_>>());
    let of_it = rows.filter(|row| row[0] == browser);
    of_it
        .map(|row| Departure {
            kind: row[1].to_owned(),
            mark: row[2].to_owned(),
            part: Regex::new(row[3]).unwrap(),
            document: Regex::new(row[4]).unwrap(),
        })
        .collect()
}

fn generated(browser: &str) {
    if !skip::has_tool(browser) {
        return;
    }
    let count = number("ABSLINK_BROWSED", 60);
    let first = number("ABSLINK_SEED", 1);
    println!("ABSLINK_SEED={first} ABSLINK_BROWSED={count}");
    let found = browse(browser, count, &|nth, base| {
        documents::page(first + nth, base)
    });
    let departures = departures(browser);
    let mut kinds = BTreeMap::<&str, usize>::new();
    let (mut targets, mut broken) = (0, 0);
    let (mut differences, mut alarms) = (Vec::new(), Vec::new());
    let mut seen = BTreeSet::new();
    for found in &found {
        seen.insert(found.kind);
        targets += found.targets;
        broken += usize::from(found.broken);
        let seed = first + found.nth;
        if let Some(alarm) = &found.alarm {
            alarms.push(format!(
                "ABSLINK_SEED={seed} {:?} {alarm}\n{}",
                found.kind, found.text
            ));
        }
        let (Some(shown), false) = (&found.shown, found.broken) else {
            continue;
        };
        let [old, new] = shown;
        let mut departures = departures.iter();
        match departures.find(|known| known.explains(shown, &found.text)) {
            Some(known) => *kinds.entry(&known.kind).or_default() += 1,
            None => differences.push(format!(
                "ABSLINK_SEED={seed} {:?}\n  {old}\n  {new}\n{}",
                found.kind, found.text
            )),
        }
    }
    println!(
        "{browser}: {} documents, {broken} not well-formed, {targets} targets; departures {kinds:?}",
        found.len()
    );
    if let Ok(path) = std::env::var("ABSLINK_BROWSED_LOG") {
        std::fs::write(path, differences.join("\n----\n")).unwrap();
    }
    assert!(
        targets as u64 > count,
        "{targets} targets in {count} documents"
    );
    assert!(seen.len() == Kind::ALL.len().min(found.len()), "{seen:?}");
    let shown = differences
        .iter()
        .take(5)
        .map(String::as_str)
        .collect::<Vec<_>>();
    assert!(
        differences.is_empty(),
        "{} differ\n{}",
        differences.len(),
        shown.join("\n")
    );
    let count = alarms.len();
    assert!(count == 0, "{count} false alarms\n{}", alarms.join("\n"));
}

#[test]
#[ignore = "slow tier: a browser"]
fn chromium_finds_the_same() {
    generated("chromium");
}

#[test]
#[ignore = "slow tier: a browser"]
fn firefox_finds_the_same() {
    generated("firefox-esr");
}

/// A test that sees no difference anywhere would be agreeable, and useless.
fn planted(browser: &str) {
    if !skip::has_tool(browser) {
        return;
    }
    let found = browse(browser, documents::FAULTS.len() as u64, &|nth, _| {
        documents::fault(nth)
    });
    for (found, (old, new)) in found.iter().zip(documents::FAULTS) {
        assert!(
            found.shown.is_some(),
            "{browser} does not tell {old} from {new}"
        );
    }
}

#[test]
#[ignore = "slow tier: a browser"]
fn chromium_finds_planted_faults() {
    planted("chromium");
}

#[test]
#[ignore = "slow tier: a browser"]
fn firefox_finds_planted_faults() {
    planted("firefox-esr");
}

/// Each row of the forms that are not absolute leads a browser to the same targets, before and after.
fn forms(browser: &str) {
    if !skip::has_tool(browser) {
        return;
    }
    let found = browse(
        browser,
        2 * documents::forms().count() as u64,
        &documents::form,
    );
    let differences = found.iter().filter_map(|found| {
        let shown = found
            .shown
            .as_ref()
            .map(|[old, new]| format!("{old}\n{new}"));
        Some(format!(
            "{}\n{}",
            found.text,
            shown.as_ref().or(found.alarm.as_ref())?
        ))
    });
    assert_eq!(differences.collect::<Vec<_>>(), [""; 0]);
    let targets: usize = found.iter().map(|found| found.targets).sum();
    assert!(
        targets > found.len(),
        "{targets} targets in {} documents",
        found.len()
    );
}

#[test]
#[ignore = "slow tier: a browser"]
fn chromium_finds_the_same_in_other_forms() {
    forms("chromium");
}

#[test]
#[ignore = "slow tier: a browser"]
fn firefox_finds_the_same_in_other_forms() {
    forms("firefox-esr");
}

/// The second reader agrees with what is made of these documents.
#[test]
fn the_second_reader_agrees() {
    let (count, first) = (number("ABSLINK_READ", 600), number("ABSLINK_SEED", 1));
    let pages =
        (first..first + count).map(|seed| (seed, documents::page(seed, "http://h/d/e/0?q")));
    let mut alarms = Vec::new();
    for (seed, page) in pages {
        if let Some(alarm) = &page.alarm {
            let text = String::from_utf8_lossy(&page.old);
            alarms.push(format!(
                "ABSLINK_SEED={seed} {:?} {alarm}\n{text}",
                page.kind
            ));
        }
    }
    let count = alarms.len();
    assert!(count == 0, "{count} false alarms\n{}", alarms.join("\n"));
}
