//! Every directory of testdata/html is a case: `in.html`, `out.html`, and `cmd`, which holds a
//! comment, the command as it is typed, and `exit N` where that is not 0. A new case needs no Rust.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use url::Url;

use crate::oracle::{bytes, directories, trees};
use crate::support::links::{Link, abslink, links};

#[test]
fn cases_give_the_expected_bytes() {
    each_case(|case| {
        let (output, code) = case.run(&case.input);
        same_bytes(&output, &case.expected)?;
        same_code(code, case.code)
    });
}

#[test]
fn a_second_run_changes_nothing() {
    each_case(|case| {
        let (output, _) = case.run(&case.output);
        same_bytes(&output, &case.expected)
    });
}

/// Together with the first test: html5ever sees the same tree in what abslink writes.
#[test]
#[ignore = "slow tier: a browser"]
fn a_browser_finds_the_same_targets() {
    each_case(|case| {
        if !case.is_html() {
            return Ok(());
        }
        let url = case.retrieval_url();
        // What --skip leaves relative is no reference to abslink, and leads to the same target from
        // the same place only.
        let output_url = match case.has("--skip") {
            true => url.clone(),
            false => directories::elsewhere(),
        };
        let also: Vec<&str> = case.values("--also").collect();
        let complaints = trees::differences(
            trees::Page {
                bytes: &fs::read(case.path(&case.input)).unwrap(),
                url: &url,
                links: &case.links(&case.input),
                also: &also,
            },
            trees::Page {
                bytes: &case.expected,
                url: &output_url,
                links: &case.links(&case.output),
                also: &also,
            },
        );
        if complaints.is_empty() {
            return Ok(());
        }
        Err(complaints.join("\n  "))
    });
}

#[test]
fn only_references_change() {
    each_case(|case| {
        // In an import map only what is relative counts as a reference.
        if case.name == "also-json" {
            return Ok(());
        }
        let (input, before) = (
            fs::read(case.path(&case.input)).unwrap(),
            case.links(&case.input),
        );
        if !bytes::can_tell(&input, &before) {
            return Ok(());
        }
        bytes::outside(&input, &before, &case.expected, &case.links(&case.output))
    });
}

pub(crate) struct Case {
    pub(crate) name: String,
    directory: PathBuf,
    options: Vec<String>,
    pub(crate) input: String,
    pub(crate) output: String,
    pub(crate) expected: Vec<u8>,
    pub(crate) code: i32,
}

impl Case {
    /// The case of this name in a directory of testdata.
    pub(crate) fn named(topic: &str, name: &str) -> Case {
        Case::read(testdata(topic).join(name))
    }

    fn read(directory: PathBuf) -> Case {
        let cmd = fs::read_to_string(directory.join("cmd")).unwrap();
        let mut lines = cmd.lines().filter(|line| !line.starts_with('#'));
        let mut words = lines.next().unwrap().split(' ').map(str::to_owned);
        assert_eq!(words.next().as_deref(), Some("rewrite"), "{directory:?}");
        let mut options: Vec<String> = words.collect();
        let input = options.pop().unwrap();
        let output = input.replace("in.", "out.");
        let code = lines.next().map_or(0, |line| {
            line.strip_prefix("exit ").unwrap().parse().unwrap()
        });
        Case {
            name: directory.file_name().unwrap().to_str().unwrap().to_owned(),
            expected: fs::read(directory.join(&output)).unwrap(),
            directory,
            options,
            input,
            output,
            code,
        }
    }

    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.directory.join(file)
    }

    fn has(&self, option: &str) -> bool {
        self.options.iter().any(|it| it == option)
    }

    /// What stands after each occurrence of an option.
    fn values<'a>(&'a self, option: &'a str) -> impl Iterator<Item = &'a str> {
        let pairs = self.options.windows(2);
        pairs.filter(move |it| it[0] == option).map(|it| &*it[1])
    }

    /// The oracle's parser knows HTML only.
    fn is_html(&self) -> bool {
        self.input.ends_with(".html")
    }

    /// The value of `-b`, or a URL that matters to nobody.
    pub(crate) fn retrieval_url(&self) -> Url {
        let at = self.options.iter().position(|option| option == "-b");
        let url = at.map_or("https://unknown.invalid/", |at| &self.options[at + 1]);
        Url::parse(url).unwrap()
    }

    fn run(&self, file: &str) -> (Vec<u8>, Option<i32>) {
        let output = self.command("rewrite", file).output().unwrap();
        (output.stdout, output.status.code())
    }

    /// A command with the options of the case, on one of its files.
    pub(crate) fn command(&self, command: &str, file: &str) -> Command {
        let mut it = abslink();
        it.arg(command)
            .args(&self.options)
            .arg(file)
            .current_dir(&self.directory);
        it
    }

    pub(crate) fn links(&self, file: &str) -> Vec<Link> {
        let options: Vec<&str> = self.options.iter().map(String::as_str).collect();
        links(&options, &self.path(file))
            .flat_map(|(_, links)| links)
            .collect()
    }
}

fn testdata(topic: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    root.join("testdata").join(topic)
}

/// Runs a check on every case, and fails with the names of all that it fails for.
#[track_caller]
fn each_case(check: impl Fn(&Case) -> Result<(), String>) {
    each_case_of("html", check);
}

/// As [`each_case`], for the cases in another directory of testdata.
#[track_caller]
pub(crate) fn each_case_of(topic: &str, mut check: impl FnMut(&Case) -> Result<(), String>) {
    let mut directories: Vec<PathBuf> = fs::read_dir(testdata(topic))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.join("cmd").is_file())
        .collect();
    directories.sort();
    assert!(!directories.is_empty(), "{directories:?}");
    let total = directories.len();
    let failures: Vec<String> = directories
        .into_iter()
        .map(Case::read)
        .filter_map(|case| Some(format!("{}: {}", case.name, check(&case).err()?)))
        .collect();
    assert!(
        failures.is_empty(),
        "{} of {total} cases failed\n{}",
        failures.len(),
        failures.join("\n")
    );
}

pub(crate) fn same_code(code: Option<i32>, expected: i32) -> Result<(), String> {
    match code {
        Some(code) if code == expected => Ok(()),
        code => Err(format!("exit code {code:?} instead of {expected}")),
    }
}

/// Shows the first line that differs.
pub(crate) fn same_bytes(bytes: &[u8], expected: &[u8]) -> Result<(), String> {
    if bytes == expected {
        return Ok(());
    }
    let lines = |bytes| String::from_utf8_lossy(bytes).into_owned() + "\n<end>";
    let (found, expected) = (lines(bytes), lines(expected));
    let (found, expected) = found
        .split('\n')
        .zip(expected.split('\n'))
        .find(|(found, expected)| found != expected)
        .unwrap_or(("bytes that are no text", "other bytes"));
    Err(format!("\n  found    {found:?}\n  expected {expected:?}"))
}
