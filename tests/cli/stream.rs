//! `--engine`: documents that are not held in memory, from outside.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use crate::support::links::abslink;
use crate::support::sandbox::Ran;

const URL: &str = "https://example.org/a/b/page.html";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The inputs of the cases in testdata/html.
fn inputs() -> impl Iterator<Item = PathBuf> {
    let files = walkdir::WalkDir::new(root().join("testdata/html")).sort_by_file_name();
    let files = files.into_iter().map(|file| file.unwrap().into_path());
    files.filter(|file| file.file_stem().is_some_and(|stem| stem == "in"))
}

/// What a command prints with an engine; `arguments` end with the PATH.
fn run(engine: &str, arguments: &[&str], stdin: &[u8]) -> Ran {
    let (path, arguments) = arguments.split_last().unwrap();
    let mut command = assert_cmd::Command::from_std(abslink());
    command.args(arguments).args(["--engine", engine, path]);
    Ran::by(command.write_stdin(stdin))
}

#[track_caller]
fn same(arguments: &[&str], stdin: &[u8]) {
    let [memory, stream] = ["memory", "stream"].map(|engine| run(engine, arguments, stdin));
    assert_eq!(stream.stdout, memory.stdout, "{arguments:?}");
    assert!(stream.bytes == memory.bytes, "{arguments:?}");
    assert_eq!(stream.stderr, memory.stderr, "{arguments:?}");
    assert_eq!(stream.code, memory.code, "{arguments:?}");
}

#[test]
#[ignore = "slow tier: thousands of runs"]
fn every_case_is_the_same() {
    for input in inputs() {
        let path = input.to_str().unwrap();
        same(&["rewrite", "-q", "-b", URL, path], b"");
        same(
            &["rewrite", "-q", "--also", "json,comments,lazy", path],
            b"",
        );
        same(&["links", "-q", "-b", URL, path], b"");
    }
}

#[test]
#[ignore = "slow tier: thousands of runs"]
fn standard_input_is_the_same() {
    for input in inputs().filter(|input| input.extension().is_some_and(|it| it == "html")) {
        let document = fs::read(&input).unwrap();
        same(&["rewrite", "-q", "-b", URL, "-"], &document);
    }
}

#[test]
fn a_tree_is_the_same() {
    let site = root().join("testdata/site/in");
    let site = site.to_str().unwrap();
    let base = ["-b", "https://docs.example.org/3/"];
    for command in [&["links"][..], &["check", "--format", "json"], &["base"]] {
        same(&[command, &["-q"], &base[..], &[site]].concat(), b"");
    }
    same(
        &[&["rewrite", "-q", "--diff"], &base[..], &[site]].concat(),
        b"",
    );

    let scratch = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let written = |engine: &str| {
        let output = scratch.path().join(engine);
        let options = ["rewrite", "--format", "json", "-o"];
        let options = [&options[..], &[output.to_str().unwrap()], &base, &[site]];
        let ran = run(engine, &options.concat(), b"");
        let mut summary: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        summary["seconds"].take();
        (summary, contents(&output), output)
    };
    let (summary, files, _) = written("memory");
    let (streamed_summary, streamed_files, output) = written("stream");
    assert_eq!(streamed_summary, summary);
    assert!(streamed_files == files, "the trees differ");

    let before = stamps(&output);
    let output = output.to_str().unwrap();
    let again = [&["rewrite", "-i"], &base[..], &[output]].concat();
    run("stream", &again, b"").exits(0);
    let after = stamps(Path::new(output));
    assert!(after == before, "a clean file was replaced");
}

#[test]
fn in_place_is_the_same() {
    for input in inputs().take(60) {
        let scratch = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let rewritten = ["memory", "stream"].map(|engine| {
            let file = scratch
                .path()
                .join(engine)
                .with_extension(input.extension().unwrap());
            fs::copy(&input, &file).unwrap();
            let path = file.to_str().unwrap();
            run(engine, &["rewrite", "-q", "-i", "-b", URL, path], b"");
            fs::read(file).unwrap()
        });
        let [memory, stream] = rewritten;
        assert!(memory == stream, "{}", input.display());
        assert_eq!(fs::read_dir(scratch.path()).unwrap().count(), 2);
    }
}

/// What declares encodings, in places that count and in others, and bytes that mean another thing in
/// each: written to a directory, where the beginning of a file tells what to presume, and printed.
#[test]
fn generated_encodings_are_the_same() {
    const LABELS: [&str; 9] = [
        "utf-8",
        "iso-2022-kr",
        "iso-2022-jp",
        "utf-16le",
        "shift_jis",
        "windows-1252",
        "x-user-defined",
        "gb18030",
        "replacement",
    ];
    const PIECES: [&[u8]; 22] = [
        b"<meta charset=LABEL>",
        b"<meta http-equiv=content-type content='text/html; charset=LABEL'>",
        b"<title><meta charset=LABEL></title>",
        b"<!-- <meta charset=LABEL> -->",
        b"<noscript><meta charset=LABEL></noscript>",
        b"<template><meta charset=LABEL></template>",
        b"<svg><title><meta charset=LABEL></title></svg>",
        b"<table><meta charset=LABEL><base href=/t/></table>",
        b"<base href=/b/>",
        b"<base href='/\xe9/'>",
        b"<a href=x>",
        b"<a href='\x81x'>",
        b"<p style=a:url(x);b:\xe9&eacute>",
        b"<style>/*\xe9*/a{b:url(\xa5)}</style>",
        b"<a href='x?\xe9'>",
        b"<iframe srcdoc=\"<meta charset=LABEL><a href=x>\">",
        b"\x1b$BF|\x1b(B\x1b(J\\x",
        b"\xef\xbb\xbf",
        b"\xff\xfe",
        b"\x00<\x00a",
        b"\xc3\xa9",
        b"                              ",
    ];
    let scratch = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let input = scratch.path().join("in");
    fs::create_dir(&input).unwrap();
    let label_mark = regex::bytes::Regex::new("LABEL").unwrap();
    for nth in 0..400 {
        let mut random = crate::support::generate::Random(nth);
        let mut document = Vec::new();
        for _ in 0..=random.below(6) {
            let label = random.pick(&LABELS).as_bytes();
            let piece = label_mark
                .replace_all(random.pick(&PIECES), label)
                .into_owned();
            let times = if random.one_in(9) { 40 } else { 1 };
            document.extend(piece.repeat(times));
        }
        fs::write(input.join(format!("{nth}.html")), document).unwrap();
    }
    let path = input.to_str().unwrap();
    same(&["links", "-q", "-b", URL, path], b"");
    let [memory, stream] = ["memory", "stream"].map(|engine| {
        let output = scratch.path().join(engine);
        let to = output.to_str().unwrap();
        let ran = run(engine, &["rewrite", "-q", "-b", URL, "-o", to, path], b"");
        ((ran.code, ran.stderr), contents(&output))
    });
    assert_eq!(stream.0, memory.0);
    assert_eq!((stream.1.len(), memory.1.len()), (400, 400));
    for (stream, memory) in stream.1.iter().zip(&memory.1) {
        let document = fs::read(input.join(&memory.0));
        assert!(stream == memory, "{}: {document:?}", memory.0.display());
    }
}

fn files(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let files = walkdir::WalkDir::new(folder)
        .sort_by_file_name()
        .into_iter();
    let files = files.map(|file| file.unwrap().into_path());
    files.filter(|file| file.is_file())
}

fn contents(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let relative = |file: &Path| file.strip_prefix(folder).unwrap().to_owned();
    files(folder)
        .map(|file| (relative(&file), fs::read(&file).unwrap()))
        .collect()
}

/// What tells whether a file was replaced.
fn stamps(folder: &Path) -> Vec<(PathBuf, u64, std::time::SystemTime)> {
    let stamp = |file: PathBuf| {
        let metadata = fs::metadata(&file).unwrap();
        (file, metadata.len(), metadata.modified().unwrap())
    };
    files(folder).map(stamp).collect()
}

/// Writes a document of so many bytes with a `base` in its last line; says which line that is.
#[cfg(target_os = "linux")]
fn large(path: &Path, length: usize) -> usize {
    let line = "<p>Text, and <a href=\"../x.html#y\">a link</a> &amp; an <img src=i.png alt=é>.\n";
    let mut file = std::io::BufWriter::new(fs::File::create(path).unwrap());
    for _ in 0..length / line.len() {
        file.write_all(line.as_bytes()).unwrap();
    }
    file.write_all(b"<base href='http://late.example/a/b/'>")
        .unwrap();
    length / line.len() + 1
}

/// With 32 MiB of memory, a document of 40 MiB is too large only for those that hold it.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "slow tier: memory"]
fn memory_is_bounded() {
    let scratch = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let document = scratch.path().join("large.html");
    let lines = large(&document, 40 << 20);
    let limited = |command: &str| {
        let script = format!("ulimit -d 32768 && cd {:?} && {command}", scratch.path());
        let mut shell = std::process::Command::new("sh");
        let shell = shell.args(["-c", &script]).env("PATH", path_to_abslink());
        shell.stderr(Stdio::null()).status().unwrap().code()
    };
    assert_eq!(limited("abslink rewrite -j2 -o out large.html"), Some(0));
    assert_eq!(limited("abslink rewrite -j2 -i large.html"), Some(0));
    assert_eq!(
        limited("abslink rewrite -j2 - < out/large.html > piped.html"),
        Some(0)
    );
    assert_eq!(limited("abslink links -j2 large.html > links"), Some(0));
    // It is ended by the system, and the shell says so in its own way.
    assert_eq!(
        limited("abslink rewrite -j2 --dry-run --engine memory large.html"),
        Some(134)
    );

    let [rewritten, in_place, piped] = ["out/large.html", "large.html", "piped.html"]
        .map(|name| fs::read(scratch.path().join(name)).unwrap());
    assert!(rewritten == in_place && rewritten == piped);
    let start = String::from_utf8_lossy(&rewritten[..60]).into_owned();
    let expected = "\"http://late.example/a/x.html#y\"";
    assert!(start.contains(expected), "{start}");
    let last = fs::read_to_string(scratch.path().join("links")).unwrap();
    let last: serde_json::Value = serde_json::from_str(last.lines().last().unwrap()).unwrap();
    assert_eq!(last["line"], lines, "{last}");
}

#[cfg(target_os = "linux")]
fn path_to_abslink() -> String {
    let program = PathBuf::from(abslink().get_program());
    let folder = program.parent().unwrap().to_str().unwrap();
    format!("{folder}:/usr/bin:/bin")
}

/// Once the beginning has said what counts, output comes before the input has ended.
#[test]
fn a_pipe_with_an_early_base_flows() {
    let mut command = abslink();
    command.args(["rewrite", "-q", "-"]);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let (flows, flowing) = std::sync::mpsc::channel();
    let reader = std::thread::spawn(move || {
        let mut out = vec![0; 70];
        stdout.read_exact(&mut out).unwrap();
        flows.send(()).unwrap();
        stdout.read_to_end(&mut out).unwrap();
        out
    });
    stdin
        .write_all(b"<meta charset=utf-8><base href=http://h/><a href=x>")
        .unwrap();
    for _ in 0..10 {
        stdin.write_all(&[b' '; 1 << 20]).unwrap();
    }
    flowing
        .recv_timeout(Duration::from_secs(60))
        .expect("output comes early");
    stdin.write_all(b"<a href=y>").unwrap();
    drop(stdin);
    let out = reader.join().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(out.starts_with(b"<meta charset=utf-8><base href=http://h/><a href=http://h/x>  "));
    assert!(out.ends_with(b"  <a href=http://h/y>"));
}

/// What counts for the whole document may come behind what was taken for its beginning.
#[test]
fn what_comes_late_counts() {
    let comment = format!("<!--{}-->", " ".repeat(300 << 10));
    let paragraphs = "<p>A <a href=x>link</a>.\n".repeat(12_000);
    let default = "<!DOCTYPE html [<!ATTLIST html xmlns CDATA 'http://www.w3.org/1999/xhtml'>]><html><a href='y'/></html>";
    // A character lies across the end of the first 256 KiB.
    let across = " ".repeat((256 << 10) - 12) + "<a href=\u{e9}>" + &paragraphs;
    let late: [(&str, &[&str], &[u8]); 11] = [
        ("html", &[&paragraphs], b"<base href=http://late/b/>"),
        (
            "html",
            &["<base href=/1/>", &paragraphs],
            b"<base href=/2/>",
        ),
        (
            "html",
            &["<a href=\u{e9}>", &paragraphs],
            b"<meta charset=latin1>",
        ),
        ("html", &["<a href=\u{e9}>", &paragraphs], b"\xe9"),
        ("html", &["<a href=\u{e9}>", &paragraphs], b"\xc3"),
        (
            "html",
            &["<meta charset=utf-8><a href=\u{e9}>", &paragraphs],
            b"\xe9",
        ),
        ("html", &[&across], b""),
        ("html", &[&across], b"\xe9"),
        (
            "html",
            &["<title></title>", &comment],
            b"<frameset><frame src=x><a href=y>",
        ),
        (
            "html",
            &[&paragraphs],
            b"<svg><p><style>a{b:url(c)}</style><![CDATA[<a href=d>]]>",
        ),
        ("xhtml", &[&comment], default.as_bytes()),
    ];
    for (extension, start, end) in late {
        let scratch = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let name = format!("page.{extension}");
        let document = [start.concat().as_bytes(), end].concat();
        let page = scratch.path().join("in").join(&name);
        fs::create_dir(page.parent().unwrap()).unwrap();
        fs::write(&page, document).unwrap();
        let rewritten = ["memory", "stream"].map(|engine| {
            let copy = scratch.path().join(engine).with_extension(extension);
            fs::copy(&page, &copy).unwrap();
            let output = scratch.path().join(engine);
            let [page, copy, directory] = [&page, &copy, &output].map(|it| it.to_str().unwrap());
            let rewrite = |options: &[&str], path| {
                let options = [
                    &["rewrite", "--format", "json", "-b", URL],
                    options,
                    &[path],
                ];
                let ran = run(engine, &options.concat(), b"");
                let mut summary: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
                summary["seconds"].take();
                (summary.to_string(), ran.code)
            };
            let runs = [
                rewrite(&["--dry-run"], page),
                rewrite(&["--verify", "-o", directory], page),
                rewrite(&["-i"], copy),
            ];
            let files = [&output.join(&name), Path::new(copy)].map(|file| fs::read(file).unwrap());
            (runs, files)
        });
        let [(memory, files), (stream, streamed_files)] = rewritten;
        let end = String::from_utf8_lossy(end);
        assert_eq!(stream, memory, "{end}");
        assert!(streamed_files == files, "{end}");
        assert!(files[0] == files[1], "{end}");
        assert_eq!(memory[1].1, Some(0), "{end}: {}", memory[1].0);
    }
}

/// What cannot be done in pieces is refused above 256 MiB, with what to do instead.
#[test]
fn what_needs_the_whole_has_a_limit() {
    let scratch = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let path = scratch.path().join("large.html");
    let mut file = fs::File::create(&path).unwrap();
    file.write_all(b"\xff\xfea\0").unwrap();
    // Without blocks on disk.
    file.set_len((256 << 20) + 1).unwrap();
    let path = path.to_str().unwrap();
    for (option, message) in [
        ("--diff", "larger than 256 MiB: too large for --diff"),
        ("--dry-run", "convert it to UTF-8"),
    ] {
        let refused = run("auto", &["rewrite", "-q", "-b", URL, option, path], b"");
        refused.exits(2).says(message);
    }
}
