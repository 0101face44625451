//! How much memory large pages take: at most two payloads for each job, beside what any archive takes.

use std::io::Write as _;
use std::process::Stdio;

use super::large::archive;
use crate::support::links::abslink;

/// What any archive may take, beside the payloads in flight.
const ANY: u64 = 64 << 20;

#[test]
#[ignore = "slow tier: memory"]
fn large_pages_take_two_payloads_for_each_job() {
    large_pages(2);
}

#[test]
#[ignore = "slow tier: memory"]
fn large_pages_take_two_payloads_where_there_is_one_job() {
    large_pages(1);
}

fn large_pages(jobs: u64) {
    let directory = tempfile::tempdir().unwrap();
    for (pages, length) in [(2_000, 10 << 10), (12, 6 << 20), (8, 12 << 20)] {
        std::fs::write(directory.path().join("a.warc.gz"), archive(pages, length)).unwrap();
        for arguments in [
            "check --format json",
            "rewrite --dry-run -o out",
            "rewrite -o out",
            "rewrite --warc-as append -o out",
            "rewrite --warc-as response -o out",
        ] {
            let mut run = abslink();
            run.args(arguments.split(' '))
                .args(["-q", "--jobs", &jobs.to_string(), "a.warc.gz"])
                .current_dir(directory.path())
                .stdout(Stdio::null());
            let (ended, peak) = crate::support::peak::run(&mut run);
            let expected = i32::from(arguments.starts_with("check"));
            assert_eq!(ended.code(), Some(expected), "{arguments}");
            let most = ANY + 2 * jobs * length as u64;
            assert!(
                peak < most,
                "{arguments} --jobs {jobs}: {peak} bytes for pages of {length}"
            );
        }
    }
}

/// How long the page of links is.
const LINKS: usize = 20 << 20;

/// A page of nothing but links, in a record of a few hundred bytes.
fn links(directory: &str) -> Vec<u8> {
    let gzipped = |bytes: &[u8], level| {
        let mut member = flate2::write::GzEncoder::new(Vec::new(), level);
        member.write_all(bytes).unwrap();
        member.finish().unwrap()
    };
    let page = "<a href=x>".repeat(LINKS / 10);
    // Not so much smaller that it would be taken for a bomb.
    let body = gzipped(page.as_bytes(), flate2::Compression::fast());
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n";
    let record = format!(
        "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/{directory}/\r\n\
         Content-Length: {}\r\n\r\n{head}",
        head.len() + body.len()
    );
    let record = [record.as_bytes(), &body, b"\r\n\r\n"].concat();
    gzipped(&record, flate2::Compression::best())
}

/// However many references a payload has, it takes no more than one without any, beside what is made of
/// it. If that were more than 256 MiB, it is left, and what follows it is done.
#[test]
#[ignore = "slow tier: memory"]
fn pages_of_nothing_but_links() {
    let directory = tempfile::tempdir().unwrap();
    for (name, is_left, runs) in [
        ("d".to_owned(), false, &["check", "rewrite -o out"][..]),
        (
            "d".repeat(2_000),
            true,
            &["links", "rewrite --warc-as response -o out"],
        ),
    ] {
        let bytes = [links(&name), archive(1, 1_000)].concat();
        assert!(bytes.len() < 2_000);
        std::fs::write(directory.path().join("a.warc.gz"), bytes).unwrap();
        for arguments in runs {
            let shown = directory.path().join("shown");
            let mut run = abslink();
            run.args(arguments.split(' '))
                .args(["-q", "--jobs", "1", "--format", "json", "a.warc.gz"])
                .current_dir(directory.path())
                .stdout(std::fs::File::create(&shown).unwrap())
                .stderr(Stdio::null());
            let (ended, peak) = crate::support::peak::run(&mut run);
            let is_check = i32::from(*arguments == "check");
            assert_eq!(ended.code(), Some(if is_left { 2 } else { is_check }));
            // The new one is not twice as long as the old one.
            let payloads = if is_left { 1 } else { 3 };
            let most = ANY + payloads * LINKS as u64;
            assert!(peak < most, "{arguments}: {} MiB", peak >> 20);
            if is_left {
                let shown = std::fs::read_to_string(shown).unwrap();
                let done = ["\"files_changed\":1,", "https://e.org/a/"];
                assert!(done.iter().any(|done| shown.contains(done)), "{shown}");
            }
        }
    }
}

/// One record may name millions of others, in little that is read.
#[test]
#[ignore = "slow tier: memory"]
fn references_to_records_without_number() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.warc.gz");
    let names = "WARC-Concurrent-To: x\r\n".repeat(40_000);
    let record = format!(
        "WARC/1.1\r\nWARC-Type: request\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n{names}\
         Content-Length: 0\r\n\r\n\r\n\r\n"
    );
    let mut member = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    member.write_all(record.as_bytes()).unwrap();
    std::fs::write(&path, member.finish().unwrap().repeat(150)).unwrap();
    let mut run = abslink();
    let rewrite = "rewrite --warc-as response -q -o new --allow-empty a.warc.gz";
    run.args(rewrite.split(' ')).current_dir(directory.path());
    let (ended, peak) = crate::support::peak::run(&mut run);
    assert_eq!(ended.code(), Some(0));
    assert!(peak < ANY, "{} MiB", peak >> 20);
}
