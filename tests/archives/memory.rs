//! How much memory large pages take: at most two payloads for each job, beside what any archive takes.

use std::io::Write;
use std::process::Stdio;

use super::DATE;
use crate::links::abslink;

/// What any archive may take, beside the payloads in flight.
const ANY: u64 = 64 << 20;

/// An archive of so many pages of this length, each in a member of its own.
fn archive(pages: usize, length: usize) -> Vec<u8> {
    let mut page = String::new();
    // So different that a page is longer than what one thread works on at a time.
    let mut state = 1_u64;
    while page.len() < length {
        page.push_str("<p class=x>Some text");
        for _ in 0..5 {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            page.push_str(&format!(" {:x}", state >> 16));
        }
        page.push_str(" and <a href=\"../chapter/7.html#s\">the section</a>.</p>\n");
    }
    page.truncate(length);
    let http = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n";
    let mut archive = Vec::new();
    for nth in 0..pages {
        let mut member = flate2::write::GzEncoder::new(&mut archive, flate2::Compression::fast());
        write!(
            member,
            "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{nth}>\r\nWARC-Date: {DATE}\r\n\
             WARC-Target-URI: https://e.org/a/{nth}/\r\nContent-Type: application/http\r\n\
             Content-Length: {}\r\n\r\n{http}{page}\r\n\r\n",
            http.len() + page.len()
        )
        .unwrap();
        member.finish().unwrap();
    }
    archive
}

#[test]
fn large_pages_take_two_payloads_for_each_job() {
    let directory = tempfile::tempdir().unwrap();
    for (pages, length) in [(2_000, 10 << 10), (12, 6 << 20), (8, 12 << 20)] {
        std::fs::write(directory.path().join("a.warc.gz"), archive(pages, length)).unwrap();
        for jobs in [1, 2] {
            for arguments in [
                "check",
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
                let (ended, peak) = crate::peak::run(&mut run);
                let expected = i32::from(arguments == "check");
                assert_eq!(ended.code(), Some(expected), "{arguments}");
                let most = ANY + 2 * jobs * length as u64;
                assert!(
                    peak < most,
                    "{arguments} --jobs {jobs}: {peak} bytes for pages of {length}"
                );
            }
        }
    }
}
