//! Mailboxes: many messages in one file (mbox) or one directory (Maildir), and single messages that are known by
//! their bytes. The cases are in testdata/mailboxes.tsv.

#[cfg(unix)]
mod locks;
mod maildir;
#[cfg(unix)]
mod programs;

use std::fs;

use crate::cli::{Ran, Sandbox};
#[cfg(target_os = "linux")]
use crate::support::links::abslink;
#[cfg(target_os = "linux")]
use crate::support::peak;
use crate::support::{growth, table};

/// A line of the table.
struct Case<'c> {
    name: &'c str,
    options: &'c str,
    file: &'c str,
    input: String,
    output: String,
    code: i32,
    told: String,
}

impl Case<'_> {
    fn check(&self, ran: &Ran, output: &str, how: &str) {
        let Case { name, told, .. } = self;
        ran.exits(self.code);
        assert_eq!(output, self.output, "{name}, {how}");
        let file = told.contains(self.file);
        assert!(
            file && how == "-" || ran.stderr.contains(told),
            "{name}, {how}: {ran:?}"
        );
        if self.file.ends_with(".txt") && how != "-" {
            ran.never_says("--as html");
        }
    }
}

fn cases() -> Vec<Case<'static>> {
    let rows = table::rows(include_str!("../../../testdata/mailboxes.tsv"));
    let text = |cell: &str| cell.replace('␍', "\r").replace('␊', "\n");
    rows.map(|row| {
        let [name, arguments, input, output, code, told] = row;
        let (options, file) = arguments.rsplit_once(' ').unwrap_or(("", arguments));
        Case {
            name,
            options,
            file,
            input: text(input),
            output: match output {
                "=" => text(input),
                "!" => String::new(),
                output => text(output),
            },
            code: code.parse().unwrap(),
            told: told.replace('¶', "\n"),
        }
    })
    .collect()
}

#[test]
fn to_standard_output() {
    for case in cases() {
        let sandbox = Sandbox::new();
        sandbox.write(case.file, &case.input);
        for jobs in [1, 8] {
            let command = format!(
                "rewrite -j{jobs} -b http://h/ {} {}",
                case.options, case.file
            );
            let ran = sandbox.run(&command);
            case.check(&ran, &ran.stdout, &command);
        }
    }
}

#[test]
fn from_standard_input() {
    for case in cases() {
        // By its name alone.
        let is_named = case.input.is_empty() || case.name == "plain mail by its name";
        let as_message = if is_named { "--as message" } else { "" };
        let command = format!("rewrite -b http://h/ {} {as_message} -", case.options);
        let ran = Sandbox::new().run_with_input(&command, &case.input);
        case.check(&ran, &ran.stdout, "-");
    }
}

#[test]
fn to_a_directory_and_in_place() {
    for case in cases() {
        let sandbox = Sandbox::new();
        sandbox.write(case.file, &case.input);
        let read = |name: &str| fs::read_to_string(sandbox.path().join(name)).unwrap_or_default();
        let run = |options: &str| {
            let command = format!(
                "rewrite -b http://h/ {options} {} {}",
                case.options, case.file
            );
            (sandbox.run(&command), command)
        };
        let (ran, how) = run("-i --dry-run");
        case.check(&ran, &case.output, &how);
        assert_eq!(read(case.file), case.input, "{}", case.name);

        let (ran, how) = run("-o out");
        case.check(&ran, &read(&format!("out/{}", case.file)), &how);

        let (ran, how) = run("-i --backup .orig");
        let is_refused = case.output.is_empty();
        let now = read(case.file);
        case.check(&ran, if is_refused { "" } else { &now }, &how);
        let backup = read(&format!("{}.orig", case.file));
        if case.output == case.input || is_refused {
            assert_eq!(backup, "", "{}", case.name);
            assert_eq!(now, case.input, "{}", case.name);
        } else {
            assert_eq!(backup, case.input, "{}", case.name);
            let mut again = sandbox.run(&how.replace("--backup .orig", ""));
            again.stderr = ran.stderr;
            case.check(&again, &read(case.file), "again");
        }
        let left: Vec<_> = fs::read_dir(sandbox.path()).unwrap().collect();
        assert!(left.len() <= 5, "{}: {left:?}", case.name);
    }
}

const TWO: &str = "From a\nMessage-ID: <one@h>\nContent-Type: text/html\n\n<p>\n<a href=x>\n\n\
                   From b\nContent-Type: text/html\n\n<a href=y>\n";

#[test]
fn what_is_listed_is_where_it_stands_in_the_file() {
    let sandbox = Sandbox::new();
    sandbox.write("in.mbox", TWO);
    let ran = sandbox.run("links -b http://h/ in.mbox");
    let listed: Vec<serde_json::Value> = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let told: Vec<_> = listed
        .iter()
        .map(|it| {
            let at = |name: &str| usize::try_from(it[name].as_u64().unwrap()).unwrap();
            let text = &TWO[at("start")..at("end")];
            (it["file"].as_str().unwrap(), at("line"), at("column"), text)
        })
        .collect();
    assert_eq!(told, [("in.mbox", 6, 9, "x"), ("in.mbox", 11, 9, "y")]);

    let ran = sandbox.run("check -b http://h/ in.mbox");
    ran.exits(1).shows("in.mbox:11:9:");
    let ran = sandbox.run("check --as message -b http://h/ in.mbox");
    assert_eq!(ran.stdout.lines().count(), 2, "{ran:?}");
    let ran = sandbox.run("base -b http://h/ in.mbox");
    assert!(
        ran.stdout.contains("in.mbox#1#1") && ran.stdout.contains("in.mbox#2#1"),
        "{ran:?}"
    );
    let ran = sandbox.run("rewrite --diff -b http://h/ in.mbox");
    assert!(ran.stdout.contains("in.mbox#2") && ran.stdout.contains("+<a href=http://h/y>"));
}

/// A message with a number, and what it becomes.
fn message(number: usize) -> [String; 2] {
    let filler = "<p>text of a message\n".repeat(number * 37 % 500);
    ["", "http://h/"].map(|base| {
        format!(
            "From a{number}\nMessage-ID: <{number}@h>\nContent-Type: text/html\n\n\
             <a href={base}x{number}>\n{filler}\n"
        )
    })
}

#[test]
fn messages_stay_in_order() {
    let sandbox = Sandbox::new();
    let [old, new] = [0, 1].map(|which| {
        (1..1000)
            .map(|number| message(number)[which].clone())
            .collect::<String>()
    });
    sandbox.write("in.mbox", &old);
    let mut listings = Vec::new();
    for jobs in [1, 8] {
        let ran = sandbox.run(&format!("rewrite -j{jobs} -b http://h/ in.mbox"));
        assert!(ran.stdout == new, "-j{jobs}");
        listings.push(
            sandbox
                .run(&format!("check -j{jobs} -b http://h/ in.mbox"))
                .stdout,
        );
    }
    assert_eq!(listings[0].lines().count(), 999);
    assert_eq!(listings[0], listings[1]);
    let last = old.lines().count();
    let line = format!("in.mbox:{}:", last - "<p>text\n".lines().count());
    assert!(!listings[0].contains(&line));
}

/// Writes an mbox of this size, and says how much memory a command takes for it.
#[cfg(target_os = "linux")]
fn memory(size: usize, arguments: &str) -> u64 {
    use std::io::Write;
    let sandbox = Sandbox::new();
    let file = fs::File::create(sandbox.path().join("in.mbox")).unwrap();
    let mut file = std::io::BufWriter::new(file);
    let (mut number, mut written) = (0, 0);
    while written < size {
        number += 1;
        let [message, _] = message(number);
        file.write_all(message.as_bytes()).unwrap();
        written += message.len();
    }
    file.flush().unwrap();
    let mut command = abslink();
    command
        .current_dir(sandbox.path())
        .args(arguments.split(' '))
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null());
    let (status, peak) = peak::run(&mut command);
    assert!(status.code() < Some(2), "{status:?}");
    peak
}

#[cfg(target_os = "linux")]
fn takes_constant_memory(size: usize) {
    for arguments in [
        "rewrite -j2 -b http://h/ in.mbox",
        "rewrite -j2 -i -b http://h/ in.mbox",
        "check -j2 -b http://h/ in.mbox",
    ] {
        let peak = memory(size, arguments);
        assert!(peak < 80 << 20, "{arguments}: {peak}");
    }
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "slow tier: memory"]
fn memory_does_not_grow_with_the_file() {
    takes_constant_memory(200 << 20);
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "slow tier: memory"]
fn a_gibibyte_takes_constant_memory() {
    takes_constant_memory(1 << 30);
}

/// Neither many lines that look like the beginning of a message, nor lengths that lead nowhere.
#[test]
fn time_is_linear() {
    use abslink_containers::message::mbox::MessageCutter;
    let from = "\n\nFrom here on it is text\nand stays one";
    let length = "From a\nContent-Length: 99\n\nx\n\n";
    let heading = "From a\nA: b\n c: d\n";
    let body = "From a\nA: b\n\n\r\n\r\n\n";
    for piece in [from, length, heading, body, "\n\nFrom ", "\n"] {
        let make = |count| format!("From a\nA: b\n\n{}", piece.repeat(count));
        growth::is_linear(piece, 400_000, make, |mbox| {
            let mut cutter = MessageCutter::new(std::io::Cursor::new(mbox.as_bytes()));
            while let Some(chunk) = cutter.chunk().unwrap() {
                std::hint::black_box(&chunk);
            }
        });
    }
}
