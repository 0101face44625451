//! Where what is shown cannot be written, the archive is not written half.
#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

use super::EPOCH;
use super::members::{gz, record};
use crate::support::links::abslink;
use crate::support::sandbox::{Ran, Sandbox};

/// Pages of which there is more to say than is held back.
fn archive() -> Vec<u8> {
    let member = |number: u32| {
        let links: String = (0..20)
            .map(|n| format!("<a href=http:g{n}><a href=h{n}>"))
            .collect();
        let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{links}");
        gz(&[&record("response", number, &block, 0)])
    };
    (0..500).flat_map(member).collect()
}

fn rewrite(directory: &Path, arguments: &str) -> Command {
    let mut command = abslink();
    command
        .args(["rewrite", "-q", "a.warc.gz"])
        .env(EPOCH.0, EPOCH.1)
        .args(arguments.split(' '))
        .current_dir(directory);
    command
}

/// Standard output, and what is held back for a format, may both be on a full disk.
#[test]
fn a_stream_that_fails_leaves_the_archive() {
    let old = archive();
    for (arguments, format, full) in [
        ("-i --warc-as append", "sarif", true),
        ("-i --warc-as response", "gitlab", true),
        ("-i --warc-as append", "sarif=o.sarif", false),
        ("-o new", "sarif", true),
    ] {
        for jobs in [1, 3] {
            let sandbox = Sandbox::of(&[]);
            sandbox.write("a.warc.gz", &old);
            let arguments = format!("{arguments} -j {jobs} --format {format}");
            let mut command = rewrite(sandbox.path(), &arguments);
            match full {
                true => command.stdout(File::options().write(true).open("/dev/full").unwrap()),
                false => command.env("TMPDIR", "/nowhere"),
            };
            Ran::of(&mut command).exits(2);
            let now = fs::read(sandbox.path().join("a.warc.gz")).unwrap();
            assert!(now == old, "{arguments}");
            sandbox.lacks("new/a.warc.gz");
        }
    }
}
