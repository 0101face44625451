//! How much memory large pages take: at most two payloads for each job, beside what any archive takes.

use std::process::Stdio;

use super::large::archive;
use crate::links::abslink;

/// What any archive may take, beside the payloads in flight.
const ANY: u64 = 64 << 20;

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

/// One record may name millions of others, in little that is read.
#[test]
fn references_to_records_without_number() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.warc.gz");
    let names = "WARC-Concurrent-To: x\r\n".repeat(40_000);
    let record = format!(
        "WARC/1.1\r\nWARC-Type: request\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n{names}\
         Content-Length: 0\r\n\r\n\r\n\r\n"
    );
    let mut member = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut member, record.as_bytes()).unwrap();
    std::fs::write(&path, member.finish().unwrap().repeat(150)).unwrap();
    let mut run = abslink();
    run.args([
        "rewrite",
        "--warc-as",
        "response",
        "-q",
        "-o",
        "new",
        "--allow-empty",
    ])
    .arg("a.warc.gz")
    .current_dir(directory.path());
    let (ended, peak) = crate::peak::run(&mut run);
    assert_eq!(ended.code(), Some(0));
    assert!(peak < ANY, "{} MiB", peak >> 20);
}
