//! WACZ: the archives in it are listed as they are alone, and rewrite says how to take it apart.

use std::fs;
use std::io::Write;
#[cfg(unix)]
use std::process::Command;

use flate2::Crc;
use flate2::write::DeflateEncoder;

use super::{archives, testdata};
use crate::cli::Sandbox;
#[cfg(unix)]
use crate::support::{sandbox::Ran, skip};

/// A file in a ZIP file.
struct Member<'m> {
    name: &'m str,
    bytes: &'m [u8],
    /// 0 is stored, 8 is deflated.
    method: u16,
    /// 1 is encrypted.
    flags: u16,
    /// What it says of its length, if that is wrong.
    length: Option<u32>,
}

fn stored<'m>(name: &'m str, bytes: &'m [u8]) -> Member<'m> {
    Member {
        name,
        bytes,
        method: 0,
        flags: 0,
        length: None,
    }
}

fn deflated<'m>(name: &'m str, bytes: &'m [u8]) -> Member<'m> {
    Member {
        method: 8,
        ..stored(name, bytes)
    }
}

/// A ZIP file (APPNOTE 4.3), by hand.
fn zip(members: &[Member<'_>]) -> Vec<u8> {
    let (mut file, mut directory): (Vec<u8>, Vec<u8>) = Default::default();
    let number = |number: usize| u32::try_from(number).unwrap().to_le_bytes();
    for member in members {
        let mut crc = Crc::new();
        crc.update(member.bytes);
        let packed = match member.method {
            8 => {
                let mut encoder = DeflateEncoder::new(Vec::new(), Default::default());
                encoder.write_all(member.bytes).unwrap();
                encoder.finish().unwrap()
            }
            _ => member.bytes.to_vec(),
        };
        let length = member
            .length
            .map_or(number(member.bytes.len()), u32::to_le_bytes);
        let name_length = u16::try_from(member.name.len()).unwrap().to_le_bytes();
        // From the version that is needed to the length of the name.
        let head = [
            &[20, 0][..],
            &member.flags.to_le_bytes(),
            &member.method.to_le_bytes(),
            &[0; 4],
            &crc.sum().to_le_bytes(),
            &number(packed.len()),
            &length,
            &name_length,
        ]
        .concat();
        let offset = number(file.len());
        for part in [
            b"PK\x03\x04",
            &*head,
            &[0, 0],
            member.name.as_bytes(),
            &packed,
        ] {
            file.extend(part);
        }
        for part in [
            b"PK\x01\x02\x14\0",
            &*head,
            &[0; 12],
            &offset,
            member.name.as_bytes(),
        ] {
            directory.extend(part);
        }
    }
    let count = u16::try_from(members.len()).unwrap().to_le_bytes();
    let (start, length) = (number(file.len()), number(directory.len()));
    file.extend(directory);
    for part in [
        b"PK\x05\x06\0\0\0\0",
        &count[..],
        &count,
        &length,
        &start,
        &[0, 0],
    ] {
        file.extend(part);
    }
    file
}

fn archive(body: &str) -> Vec<u8> {
    let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{body}");
    let length = http.len();
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:a:1>\r\n\
         WARC-Target-URI: http://h/d/\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n\
         Content-Type: application/http; msgtype=response\r\nContent-Length: {length}\r\n\r\n{http}\r\n\r\n"
    )
    .into_bytes()
}

/// Each archive of testdata/warc says the same in a WACZ, stored and deflated, as it does alone.
#[test]
fn archives_in_it_are_read_as_they_are_alone() {
    let sandbox = Sandbox::new();
    let names: Vec<String> = archives()
        .into_iter()
        .filter(|name| !name.ends_with(".arc"))
        .collect();
    let files: Vec<Vec<u8>> = (names.iter())
        .map(|name| fs::read(testdata().join(name)).unwrap())
        .collect();
    for (name, file) in names.iter().zip(&files) {
        sandbox.write(name, file);
    }
    for command in ["check", "links", "base --format json"] {
        let (mut expected, mut codes) = (String::new(), Vec::new());
        for name in &names {
            let alone = sandbox.run(&format!("{command} -j1 {name}"));
            expected += &alone
                .stdout
                .replace(name, &format!("s.wacz/archive/{name}"));
            codes.push(alone.code);
        }
        assert!(expected.lines().count() > 20, "{expected}");
        for method in [0, 8] {
            sandbox.write("s.wacz", wacz(&names, &files, method));
            let ran = sandbox.run(&format!("{command} -j1 s.wacz"));
            ran.prints(&expected);
            assert_eq!(
                Some(&ran.code),
                codes.iter().max(),
                "{command}: {}",
                ran.stderr
            );
        }
    }
}

/// These archives by one method, beside a member that is none.
fn wacz(names: &[String], files: &[Vec<u8>], method: u16) -> Vec<u8> {
    let paths: Vec<String> = names.iter().map(|name| format!("archive/{name}")).collect();
    let members = paths.iter().zip(files).map(|(path, file)| Member {
        method,
        ..stored(path, file)
    });
    let other = stored("datapackage.json", b"<a href=x>");
    let members: Vec<Member<'_>> = [other].into_iter().chain(members).collect();
    zip(&members)
}

/// Whatever rewrite was to do, the file stays, and a line says how to take it apart.
#[test]
fn rewrite_says_how_to_take_it_apart() {
    let sandbox = Sandbox::new();
    let warc = archive("<a href=x>");
    let pages = stored("pages/pages.jsonl", b"{}\n");
    let plain = zip(&[stored("archive/a.warc", &warc)]);
    let paged = zip(&[pages, stored("archive/a.warc", &warc)]);
    for (name, wacz, line) in [
        (
            "s.wacz",
            &plain,
            "`wacz create -o s.new.wacz s/archive/*` puts it together",
        ),
        (
            "it's.wacz",
            &paged,
            r"`wacz create -o 'it'\''s.new.wacz' -p 'it'\''s'/pages/pages.jsonl 'it'\''s'/archive/*` puts",
        ),
    ] {
        for form in [
            "-i --warc-as response",
            "-o out",
            "",
            "--dry-run -o out",
            "--diff",
        ] {
            sandbox.write(name, wacz);
            let ran = sandbox.run(&format!("rewrite {form} {name}"));
            ran.exits(2).prints("").says(line);
            assert!(
                &fs::read(sandbox.path().join(name)).unwrap() == wacz,
                "{form}"
            );
            sandbox.lacks(format!("out/{name}"));
        }
    }
}

/// What is wrong with an archive is said, and the others are done.
#[test]
fn what_cannot_be_read_is_one_line() {
    let sandbox = Sandbox::new();
    let warc = archive("<a href=x>");
    let good = || stored("archive/z.warc", &warc);
    let mut broken = zip(&[deflated("archive/a.warc", &warc), good()]);
    // In what is packed.
    broken[60] ^= 0x55;
    let found = "s.wacz/archive/z.warc#0:1:9: <a href> x -> http://h/d/x\n";
    let bad = |member: Member<'_>| zip(&[member, good()]);
    let member = || stored("archive/a.warc", &warc);
    for (wacz, reason) in [
        (
            broken,
            "archive/a.warc: unchanged: what is packed is damaged",
        ),
        (
            bad(Member {
                flags: 1,
                ..member()
            }),
            "archive/a.warc: unchanged: encrypted, or not packed by deflate",
        ),
        (
            bad(Member {
                method: 12,
                ..member()
            }),
            "archive/a.warc: unchanged: encrypted, or not packed by deflate",
        ),
        (
            bad(Member {
                method: 8,
                length: Some(u32::MAX - 1),
                ..member()
            }),
            "archive/a.warc: unchanged: unpacked it would be more than 256 times as long",
        ),
        (
            bad(Member {
                method: 8,
                length: Some(3),
                ..member()
            }),
            "archive/a.warc: unchanged: what is packed is damaged",
        ),
        (
            bad(stored("archive/a.warc", b"no archive")),
            "error: s.wacz/archive/a.warc",
        ),
    ] {
        sandbox.write("s.wacz", wacz);
        let ran = sandbox.run("check s.wacz");
        ran.exits(2).prints(found);
        assert_eq!(ran.stderr.matches("error: ").count(), 1, "{}", ran.stderr);
        ran.says(reason);
    }
    let whole = zip(&[good()]);
    // Two names for the same bytes, in a file that is only a little longer than these.
    let large = archive(&"<p>".repeat(1_000));
    let one = zip(&[stored("archive/a.warc", &large)]);
    let directory = one.len() - 22;
    let entry = one[directory - 60..directory].to_vec();
    let mut twice = [&one[..directory], &entry, &one[directory..]].concat();
    let end = twice.len() - 22;
    twice[end + 8..end + 12].copy_from_slice(&[2, 0, 2, 0]);
    twice[end + 12..end + 16].copy_from_slice(&120_u32.to_le_bytes());
    for (wacz, reason) in [
        (
            b"<a href=x>".to_vec(),
            "not a ZIP file, or its end is missing",
        ),
        (Vec::new(), "not a ZIP file, or its end is missing"),
        (
            whole[..whole.len() - 30].to_vec(),
            "not a ZIP file, or its end is missing",
        ),
        (
            zip(&[stored("a.html", b"<a href=x>")]),
            "a WACZ without a web archive",
        ),
        (twice, "the files in it overlap"),
    ] {
        sandbox.write("s.wacz", wacz);
        let ran = sandbox.run("check s.wacz");
        ran.exits(2)
            .says(format!("error: s.wacz: unchanged: {reason}"));
    }
    // -b is for documents that do not say what their URL is.
    sandbox.write("s.wacz", whole);
    let ran = sandbox.run("check -b http://h/ s.wacz");
    ran.exits(2).says("each record names its URL");
}

/// By its name; in directories with `--ext` only.
#[test]
fn which_files_are_taken() {
    let sandbox = Sandbox::new();
    let warc = archive("<a href=x>");
    sandbox.write("d/index.html", "<p>");
    sandbox.write("d/s.wacz", zip(&[stored("a.warc", &warc)]));
    let line = "d/s.wacz/a.warc#0:1:9: <a href> x -> http://h/d/x\n";
    for (arguments, expected) in [("d", ""), ("--ext +wacz d", line), ("d/s.wacz", line)] {
        let ran = sandbox.run(&format!("check {arguments}"));
        ran.prints(expected);
    }
    sandbox.run("rewrite --dry-run -b http://h/ d").exits(0);
}

/// The commands that rewrite names do what they should, with py-wacz.
#[cfg(unix)]
#[test]
#[ignore = "slow tier: another program"]
fn the_commands_work() {
    let sandbox = Sandbox::new();
    // Where Python finds the package, the command may not be.
    const WACZ: &str = "wacz() { python3 -c 'from wacz.main import main; exit(main())' \"$@\"; }";
    let run = |line: &str| {
        let mut command = Command::new("sh");
        let line = format!("{WACZ}\n{line}");
        command.args(["-c", &line]).current_dir(sandbox.path());
        command.output().is_ok_and(|output| output.status.success())
    };
    if !run("unzip -v && wacz --version") {
        skip::tool("unzip and wacz cannot be run (pip install wacz)");
        return;
    }
    let warc = archive("<!doctype html><title>t</title><a href=x>y</a>");
    sandbox.write("a.warc", warc);
    let pages = "{\"format\": \"json-pages-1.0\", \"id\": \"pages\", \"title\": \"All\"}\n\
                 {\"id\": \"1\", \"url\": \"http://h/d/\", \"ts\": \"2026-01-01T00:00:00Z\", \"title\": \"t\"}\n";
    sandbox.write("pages.jsonl", pages);
    for (number, options) in ["", "-p pages.jsonl"].into_iter().enumerate() {
        let name = format!("my s{number}.wacz");
        assert!(run(&format!("wacz create -o '{name}' {options} a.warc")));
        let check = |name: &str| Ran::by(sandbox.abslink("check").arg(name));
        check(&name).exits(1);
        let said = Ran::by(sandbox.abslink("rewrite -o out").arg(&name)).stderr;
        let commands: Vec<&str> = said.split('`').skip(1).step_by(2).collect();
        assert_eq!(commands.len(), 3, "{said}");
        assert!(run(commands[0]), "{said}");
        let rewrite = commands[1].strip_prefix("abslink ").unwrap();
        let directory = format!("my s{number}/archive");
        let arguments = rewrite.strip_suffix(&format!("'my s{number}'/archive"));
        let mut rewrite = sandbox.abslink(arguments.expect(&said));
        Ran::by(rewrite.arg(directory)).exits(0);
        assert!(run(commands[2]), "{said}");
        let new = format!("my s{number}.new.wacz");
        check(&new).exits(0).says("no relative links in 1 document");
        assert!(run(&format!("wacz validate -f '{new}'")));
        if !options.is_empty() {
            let found = format!("unzip -p '{new}' pages/pages.jsonl | grep -F http://h/d/");
            assert!(run(&found));
        }
    }
}
