//! Archives that several threads work on: so long that there is something to do for each.

use std::collections::HashSet;
use std::fs;
use std::io::Write;
use std::sync::Mutex;
use std::thread::{self, ThreadId};

use abslink::batch::{self, Input, Located, Observer, Plan, Task};

use super::{DATE, EPOCH, abslink, reader};
use crate::support::generate::page;
use crate::support::sandbox::Ran;

/// An archive of so many pages of this length, each in a member of its own.
pub(super) fn archive(pages: usize, length: usize) -> Vec<u8> {
    let page = page(length);
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

/// The same in members of another kind, or in none.
fn compressed(gz: &[u8], name: &str) -> Vec<u8> {
    let members = reader::members(gz);
    let members: Vec<Vec<u8>> = members
        .iter()
        .map(|member| reader::inflated(member))
        .collect();
    match name {
        "a.warc" => members.concat(),
        "a.warc.zst" => {
            let frames = members
                .iter()
                .map(|member| zstd::encode_all(&member[..], 1).unwrap());
            frames.collect::<Vec<_>>().concat()
        }
        _ => gz.to_vec(),
    }
}

/// Everything that is written and said is the same, however many threads there are, and what is damaged
/// changes nothing about that.
#[test]
#[ignore = "slow tier: thousands of documents"]
fn threads_change_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let gz = archive(900, 10 << 10);
    for name in ["a.warc.gz", "a.warc", "a.warc.zst"] {
        let mut bytes = compressed(&gz, name);
        assert!(bytes.len() > 2 << 20, "{}", bytes.len());
        for part in 1..20 {
            let at = bytes.len() / 20 * part;
            bytes[at] ^= 0x55;
        }
        fs::write(directory.path().join(name), bytes).unwrap();
        for arguments in [
            "check",
            "links",
            "rewrite -q",
            "rewrite -q --warc-as append",
            "rewrite -q --warc-as response",
        ] {
            let run = |jobs: &str| {
                let mut command = abslink(arguments);
                if arguments.starts_with("rewrite") {
                    command.env(EPOCH.0, EPOCH.1);
                }
                command.current_dir(&directory).args(["-j", jobs, name]);
                let ran = Ran::by(&mut command);
                let said = super::messages(&ran);
                assert!(said.contains(name), "{arguments} {name}");
                (ran.code, ran.bytes, said)
            };
            let one = run("1");
            for jobs in ["2", "5"] {
                assert!(run(jobs) == one, "{arguments} -j {jobs} {name}");
            }
        }
    }
}

/// Who has shown a reference.
#[derive(Default)]
struct Threads(Mutex<HashSet<ThreadId>>);

impl Observer for Threads {
    fn reference(&self, _: &Located<'_>, _: &mut Vec<u8>) {
        self.0.lock().unwrap().insert(thread::current().id());
    }
}

#[test]
fn threads_share_one_archive() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.warc.gz");
    fs::write(&path, archive(900, 10 << 10)).unwrap();
    let threads = |jobs| {
        let mut plan = Plan::new(vec![Input::File(path.clone())], Task::Examine);
        plan.jobs = jobs;
        let observer = Threads::default();
        batch::run(&plan, &observer, &mut std::io::sink()).unwrap();
        observer.0.into_inner().unwrap().len()
    };
    assert_eq!(threads(1), 1);
    assert!((2..=4).contains(&threads(4)));
}
