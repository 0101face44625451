//! The page in a real browser, headless: what it looks like is there, and nothing else happens.
//!
//! Chromium makes no screenshot with `--blink-settings=scriptEnabled=false` (it takes one by a script of
//! its own); the page has no script, and a policy that allows none.

use std::process::Command;

use super::*;
use crate::support::chromium::{chromium, puppeteer};
use crate::support::skip;

/// Chromium, which prints what its console has.
fn browser(sandbox: &Sandbox) -> Option<Command> {
    if !skip::has_tool("chromium") {
        return None;
    }
    let profile = tempfile::tempdir_in(sandbox.path()).unwrap().keep();
    let mut chromium = chromium(&profile);
    chromium.arg("--enable-logging=stderr");
    chromium.env("HOME", sandbox.path());
    Some(chromium)
}

fn url(sandbox: &Sandbox) -> String {
    format!("file://{}/page.html", sandbox.path().display())
}

/// The width and height of a picture.
fn size(png: &[u8]) -> [u32; 2] {
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
    let number = |at: usize| u32::from_be_bytes(*png[at..].first_chunk().unwrap());
    [number(16), number(20)]
}

/// In light and in dark, on a telephone and on a desk; no line on the console, and no request.
#[test]
#[ignore = "slow tier: a browser"]
fn a_browser_shows_it_and_asks_for_nothing() {
    let sandbox = site();
    page(&sandbox, REWRITE);
    let mut pictures = BTreeSet::new();
    for scheme in ["1", "0"] {
        for (width, height) in [(500, 2_000), (1_440, 2_000)] {
            let Some(mut chromium) = browser(&sandbox) else {
                return;
            };
            let [picture, log] = ["shot.png", "net.json"].map(|name| sandbox.path().join(name));
            let ran = chromium
                .arg(format!("--blink-settings=preferredColorScheme={scheme}"))
                .arg(format!("--window-size={width},{height}"))
                .arg(format!("--screenshot={}", picture.display()))
                .arg(format!("--log-net-log={}", log.display()))
                .arg(url(&sandbox))
                .output()
                .unwrap();
            let said = String::from_utf8_lossy(&ran.stderr);
            assert!(!said.contains("CONSOLE"), "{said}");
            let picture = fs::read(&picture).unwrap_or_else(|error| panic!("{error}: {said}"));
            assert_eq!(size(&picture), [width, height]);
            assert!(pictures.insert(picture), "each looks different");
            let log = fs::read_to_string(&log).unwrap();
            assert!(log.contains("\"events\""), "{log}");
            // Chromium itself may ask its maker for the time.
            for host in ["e.org", "in.example", "other.example", "saved.example"] {
                assert!(!log.contains(&format!("//{host}")), "{host} was asked");
            }
        }
    }
}

/// On paper, in a few pages.
#[test]
#[ignore = "slow tier: a browser"]
fn a_browser_prints_it() {
    let sandbox = site();
    page(&sandbox, REWRITE);
    let Some(mut chromium) = browser(&sandbox) else {
        return;
    };
    let paper = sandbox.path().join("page.pdf");
    let ran = chromium
        .arg(format!("--print-to-pdf={}", paper.display()))
        .arg(url(&sandbox))
        .output()
        .unwrap();
    let paper = fs::read(&paper).unwrap_or_else(|error| panic!("{error}: {ran:?}"));
    assert!(paper.starts_with(b"%PDF"));
    let paper = String::from_utf8_lossy(&paper).into_owned();
    let pages = paper.matches("/Type /Page\n").count();
    assert!((1..=4).contains(&pages), "{pages}");
}

/// What people who cannot see it well, or use no mouse, have of it: `tests/formats/report/axe.js` asks axe-core,
/// and goes through the page by the keyboard. In a run of its own, in which the page's policy lets axe in.
#[test]
#[ignore = "slow tier: a browser"]
fn it_is_for_everybody() {
    let sandbox = site();
    for command in [REWRITE, "check site"] {
        page(&sandbox, command);
        let Some(mut node) = puppeteer("tests/formats/report/axe.js", sandbox.path()) else {
            return;
        };
        let ran = node
            .arg(url(&sandbox))
            .current_dir(sandbox.path())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&ran.stdout);
        assert!(
            ran.status.success(),
            "{said}{}",
            String::from_utf8_lossy(&ran.stderr)
        );
        assert_eq!(said, "", "{command}");
    }
}
