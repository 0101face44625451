//! Other programs read what abslink writes: warcio and FastWARC in Python, and abslink itself, given
//! the same document alone.

use std::fs;
use std::process::Command;

use super::reader;
use super::{DATE, abslink, archives, rewritten, testdata};
use crate::support::skip;

/// Python, if it has both readers.
fn python() -> Option<Command> {
    let run = Command::new("python3")
        .args(["-c", "import warcio, fastwarc"])
        .output();
    if run.is_ok_and(|run| run.status.success()) {
        return Some(Command::new("python3"));
    }
    skip::tool("there is no Python with warcio and fastwarc");
    None
}

/// Each form of each archive in which nothing is damaged.
#[test]
#[ignore = "slow tier: another program"]
fn warcio_and_fastwarc_read_every_output() {
    let Some(mut python) = python() else {
        return;
    };
    let directory = tempfile::tempdir().unwrap();
    // Damage is copied as it is. Neither program knows dictionaries or reads what is bare.
    let left = ["damage", "bare", ".arc", "dictionary", "large", "empty"];
    for name in archives() {
        let is_copied = !left.iter().any(|part| name.contains(part));
        for (form, is_written) in [
            ("conversions", true),
            ("append", is_copied),
            ("response", is_copied),
        ] {
            if is_written && name != "old.arc" {
                let path = directory.path().join(format!("{form}-{name}"));
                fs::write(&path, rewritten(&name, &format!("--warc-as {form}"))).unwrap();
            }
        }
    }
    let script = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/containers/archives/witness.py"
    );
    let run = python.arg(script).arg(directory.path()).output().unwrap();
    let text = String::from_utf8_lossy(&run.stdout).into_owned();
    let read = text
        .lines()
        .filter(|line| line.starts_with("read "))
        .count();
    assert!(
        run.status.success() && read > 20,
        "{text}{}",
        String::from_utf8_lossy(&run.stderr)
    );
}

/// Each conversion is to the byte what `rewrite` makes of the same payload. The payloads are decoded
/// by the second reader of these tests, not by abslink.
#[test]
fn a_conversion_is_what_rewrite_makes_of_the_payload() {
    let mut compared = 0;
    for name in [
        "codings.warc.gz",
        "heads.warc.gz",
        "kinds.warc.gz",
        "plain.warc",
    ] {
        let old = reader::records(&fs::read(testdata().join(name)).unwrap());
        for made in reader::records(&rewritten(name, "--warc-as conversions")) {
            let refers = made.get("WARC-Refers-To");
            let Some(old) = old.iter().find(|old| old.get("WARC-Record-ID") == refers) else {
                continue;
            };
            let is_http = old.block.starts_with(b"HTTP/");
            let head = String::from_utf8_lossy(&old.block).into_owned();
            let field = |name: &str| {
                let mut lines = head.lines().take_while(|line| is_http && !line.is_empty());
                lines
                    .find_map(|line| line.strip_prefix(name).map(str::trim))
                    .map(str::to_owned)
            };
            if ["Content-Encoding:", "Transfer-Encoding:"]
                .iter()
                .any(|name| field(name).is_some())
            {
                continue;
            }
            let body = if is_http { old.body() } else { &old.block[..] };
            let target = old.get("WARC-Target-URI").trim_matches(['<', '>']);
            let base = field("Base:").or(field("Content-Base:"));
            let base = base.map(|base| base.trim_matches(['<', '>']).replace("URL:", ""));
            let media_type = field("Content-Type:").unwrap_or_default();
            let syntax = match media_type.starts_with("application/xhtml") {
                true => "xhtml",
                false => "html",
            };
            let charset = media_type
                .split_once("charset=")
                .map(|(_, charset)| charset);
            // Which is little-endian, if nothing else is known; here the first `<` tells.
            let charset = charset.map(|charset| charset.replace("utf-16", "utf-16be"));
            let mut command = abslink(&format!("rewrite -q --as {syntax}"));
            command.args(["-b", base.as_deref().unwrap_or(target)]);
            command.args(charset.iter().flat_map(|charset| ["--charset", charset]));
            let alone = command.arg("-").write_stdin(body).output().unwrap();
            assert!(alone.stdout == made.block, "{name} {target} {alone:?}");
            compared += 1;
        }
    }
    assert!(compared > 20, "{compared}");
}

/// The same of codings: every spelling of a body gives the conversion of the body.
#[test]
fn codings_change_nothing() {
    let made = reader::records(&rewritten("codings.warc.gz", "--warc-as conversions"));
    let page = |record: &reader::Record| {
        let name = record.get("WARC-Target-URI").to_owned();
        String::from_utf8(record.block.clone())
            .unwrap()
            .replace(&name[..name.len() - 1], "H/")
    };
    assert_eq!(made.len(), 1 + 15, "{DATE}");
    let first = page(&made[1]);
    assert!(first.contains("<img src=H/i.png>"), "{first}");
    assert!(made[1..].iter().all(|record| page(record) == first));
}
