//! Feeds: abslink beside feedparser and lxml, one process each.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::Setting;
use crate::run::{Program, abslink, grouped, in_turn, seconds, summary};

/// Items in a feed.
const ITEMS: u64 = 50;
/// References in an item: its link, and two in its content.
const REFERENCES: u64 = 3;

/// All programs on the same feeds, in turn.
pub(crate) fn compare(setting: &Setting) {
    let room = setting.scratch.path();
    let (feeds, out) = (room.join("feeds"), room.join("out"));
    let count: u64 = if setting.quick { 20 } else { 500 };
    let bytes = make(&feeds, count);
    println!(
        "### Feeds\n\n{} feeds of {ITEMS} items, {} KB in all.\n\n| program | time | MB/s |\n|---|---|---|",
        grouped(count),
        grouped(bytes / 1000)
    );
    let rewrite = || {
        let mut command = abslink("rewrite");
        command.args(["-j1", "-qo"]).arg(&out).arg(&feeds);
        command
    };
    let done = summary(abslink("rewrite").arg("-o").arg(&out).arg(&feeds));
    assert_eq!(done["files"], count, "{done}");
    assert_eq!(done["rewritten"], count * ITEMS * REFERENCES, "{done}");
    let python = |how: &str| {
        let mut command = Command::new("python3");
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/compare/feeds.py");
        command.arg(script).arg(how).arg(&feeds);
        command
    };
    let check = || {
        let mut command = abslink("check");
        command.args(["-j1", "-q"]).arg(&feeds);
        command
    };
    let programs: [Program<'_>; 4] = [
        ("abslink check", &check, &[1]),
        ("abslink rewrite", &rewrite, &[0]),
        ("lxml, each description", &|| python("lxml"), &[0]),
        ("feedparser, parsing alone", &|| python("feedparser"), &[0]),
    ];
    let taken = in_turn(setting.runs, &programs, &out);
    for ((name, ..), runs) in programs.iter().zip(&taken) {
        if !runs.is_empty() {
            let rate = bytes as f64 / runs.median() / 1e6;
            println!("| {name} | {} | {rate:.1} |", seconds(runs.median()));
        }
    }
}

/// Writes feeds; returns how many bytes they have.
fn make(directory: &Path, count: u64) -> u64 {
    fs::create_dir_all(directory).expect("a directory can be made");
    let mut bytes = 0;
    for nth in 0..count {
        let mut feed =
            String::from("<?xml version='1.0'?><rss version='2.0'><channel><title>t</title>");
        for item in 0..ITEMS {
            let text = "Some words of an item, as many as there are in a short one. ".repeat(20);
            // Writing to a String does not fail.
            let _ = writeln!(
                feed,
                "<item><link>/{nth}/{item}/</link><description>&lt;p&gt;{text}&lt;a \
                 href=\"x{item}.html\"&gt;more&lt;/a&gt;&lt;img src=\"i.png\"&gt;&lt;/p&gt;\
                 </description></item>"
            );
        }
        feed.push_str("</channel></rss>");
        bytes += feed.len() as u64;
        fs::write(directory.join(format!("{nth}.rss")), feed).expect("a feed can be written");
    }
    bytes
}
