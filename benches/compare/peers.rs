//! Which programs take part, and how missing ones are installed: below target/peers by the
//! package managers of their languages, wget by apt.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::machine::{cores, said};
use crate::run::{Run, abslink, name, try_run};
use crate::server;
use crate::tree::{BASE, Course};

/// A program that takes part.
pub(crate) struct Contestant {
    pub(crate) name: &'static str,
    /// What it does in the measured time.
    pub(crate) does: &'static str,
    pub(crate) version: String,
    /// Whether nothing is worth measuring if it fails.
    pub(crate) required: bool,
    /// Where it writes, and what that should be.
    pub(crate) out: Option<(PathBuf, Answer)>,
    command: Command,
    /// The exit codes with which it may end.
    codes: &'static [i32],
    /// Where it says how long it took, if that is what counts.
    log: Option<PathBuf>,
}

impl Contestant {
    fn new(name: &'static str, does: &'static str, version: String, command: Command) -> Self {
        Contestant {
            name,
            does,
            version,
            required: false,
            out: None,
            command,
            codes: &[0],
            log: None,
        }
    }

    fn writing(self, out: PathBuf, answer: Answer) -> Self {
        Contestant {
            out: Some((out, answer)),
            ..self
        }
    }

    /// Does its work once.
    pub(crate) fn work(&mut self) -> Result<Run, String> {
        let run = try_run(&mut self.command, self.codes)?;
        let Some(log) = &self.log else {
            return Ok(run);
        };
        let log = fs::read(log).map_err(|error| error.to_string())?;
        let seconds = converted_in(&String::from_utf8_lossy(&log));
        let seconds = seconds.ok_or("it does not say how long it took")?;
        Ok(Run { seconds, ..run })
    }
}

/// What is known about a program's output.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Answer {
    /// The input, byte for byte.
    Copy,
    /// What abslink writes by default, byte for byte.
    Same,
    /// Whatever it writes.
    Own,
}

/// Everybody.
pub(crate) const NAMES: [&str; 11] = [
    "cp",
    "auto",
    "memory",
    "stream",
    "dry-run",
    "again",
    "cat",
    "lxml",
    "parse5",
    "wget",
    "hyperlink",
];

/// The directory below target where peers live.
fn home(peer: &str) -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR"));
    target.with_file_name("peers").join(peer)
}

/// A file of this bench.
fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("benches/compare")
        .join(name)
}

/// Those of `only`, or all if that is empty; and why some are missing.
pub(crate) fn gather(course: &Course, only: &[String]) -> (Vec<Contestant>, Vec<String>) {
    let mut present = ours(course);
    let wanted = |name: &str| only.is_empty() || only.iter().any(|it| it == name);
    present.retain(|contestant| wanted(contestant.name));
    let mut missing = Vec::new();
    type Install = fn(&Course) -> Result<Contestant, String>;
    let others: [(&str, Install); 4] = [
        ("lxml", lxml),
        ("parse5", parse5),
        ("wget", wget),
        ("hyperlink", hyperlink),
    ];
    for (name, install) in others.into_iter().filter(|(name, _)| wanted(name)) {
        match install(course) {
            Ok(contestant) => present.push(contestant),
            Err(why) => missing.push(format!("{name}: {why}")),
        }
    }
    (present, missing)
}

/// The system's programs, and abslink with all its engines.
fn ours(course: &Course) -> Vec<Contestant> {
    let new = |name, does, command: Command| {
        let version = version(&mut Command::new(command.get_program()));
        Contestant {
            required: true,
            ..Contestant::new(name, does, version, command)
        }
    };
    let mut cp = Command::new("cp");
    cp.arg("-r").arg(&course.tree).arg(course.out("cp"));
    let mut all = vec![new("cp", "`cp -r`", cp).writing(course.out("cp"), Answer::Copy)];
    for (engine, does) in [
        ("auto", "`abslink rewrite -o`"),
        ("memory", "the same with `--engine memory`"),
        ("stream", "the same with `--engine stream`"),
    ] {
        let mut rewrite = abslink("rewrite");
        rewrite.args(["--quiet", "--engine", engine, "--output"]);
        rewrite.arg(course.out(engine)).arg(&course.tree);
        all.push(new(engine, does, rewrite).writing(course.out(engine), Answer::Same));
    }
    let mut dry_run = abslink("rewrite");
    dry_run.args(["--quiet", "--dry-run"]).arg(&course.tree);
    all.push(new("dry-run", "`abslink rewrite --dry-run`", dry_run));
    let mut again = abslink("rewrite");
    again.args(["--quiet", "--in-place"]).arg(&course.converted);
    let does = "`abslink rewrite -i` of the result: nothing to do";
    all.push(new("again", does, again));
    let mut cat = Command::new("find");
    let every = ["-type", "f", "-exec", "cat", "{}", "+"];
    cat.arg(&course.converted).args(every);
    let does = "`find -exec cat` of the result: reading only";
    all.push(new("cat", does, cat));
    all
}

/// lxml's `make_links_absolute`, in as many processes as there are cores.
fn lxml(course: &Course) -> Result<Contestant, String> {
    let python = home("python").join("bin/python");
    let version = || {
        let print = "import lxml; print('lxml', lxml.__version__)";
        said(Command::new(&python).args(["-c", print]))
    };
    if version().is_empty() {
        let venv = ["-m", "venv"];
        install(Command::new("python3").args(venv).arg(home("python")))?;
        let pip = ["-m", "pip", "install", "--quiet", "lxml"];
        install(Command::new(&python).args(pip))?;
    }
    let does = "lxml `make_links_absolute`, a process for each core";
    let out = course.out("lxml");
    let mut command = Command::new(&python);
    command.arg(script("lxml_links.py"));
    command.arg(&course.tree).arg(&out);
    command.arg(BASE).arg(cores().to_string());
    Ok(Contestant::new("lxml", does, version(), command).writing(out, Answer::Own))
}

/// parse5's rewriting stream, in as many threads as there are cores.
fn parse5(course: &Course) -> Result<Contestant, String> {
    const PACKAGE: &str = "parse5-html-rewriting-stream";
    let home = home("node");
    let manifest = home.join("node_modules").join(PACKAGE).join("package.json");
    if !manifest.exists() {
        fs::create_dir_all(&home).map_err(|error| error.to_string())?;
        let npm = [
            "install",
            "--loglevel=error",
            "--no-audit",
            "--no-fund",
            "--prefix",
        ];
        install(Command::new("npm").args(npm).arg(&home).arg(PACKAGE))?;
    }
    let package = fs::read(&manifest).map_err(|error| error.to_string())?;
    let package: serde_json::Value =
        serde_json::from_slice(&package).map_err(|error| error.to_string())?;
    let package = package["version"].as_str().unwrap_or_default();
    let node = version(&mut Command::new("node"));
    // A module finds packages beside itself only.
    let beside = home.join("parse5.mjs");
    fs::copy(script("parse5.mjs"), &beside).map_err(|error| error.to_string())?;
    let does = "parse5-html-rewriting-stream, a worker for each core";
    let version = format!("{PACKAGE} {package} on node {node}");
    let out = course.out("parse5");
    let mut command = Command::new("node");
    command.arg(beside).arg(&course.tree).arg(&out);
    command.arg(BASE).arg(cores().to_string());
    Ok(Contestant::new("parse5", does, version, command).writing(out, Answer::Own))
}

/// What `wget -k` does after it has fetched everything, in the time that it reports itself. It
/// makes links to what it fetched relative, and the rest absolute.
fn wget(course: &Course) -> Result<Contestant, String> {
    let found = || version(&mut Command::new("wget"));
    if found().is_empty() {
        install(Command::new("apt-get").args(["-qq", "update"]))?;
        install(Command::new("apt-get").args(["-qq", "install", "-y", "wget"]))?;
    }
    let proxy = server::serve(course.tree.clone());
    let list = course.room.join("urls");
    let documents = course.documents.iter();
    let urls: Vec<String> = documents.map(|name| course.url(name)).collect();
    fs::write(&list, urls.join("\n")).map_err(|error| error.to_string())?;
    let (out, log) = (course.out("wget"), course.room.join("wget.log"));
    let mut command = Command::new("wget");
    command.args(["--no-config", "-e", "use_proxy=yes", "-e"]);
    command.arg(format!("http_proxy={proxy}"));
    command.args([
        "--convert-links",
        "--force-directories",
        "--no-host-directories",
    ]);
    command.arg("--directory-prefix").arg(&out);
    command.arg("--input-file").arg(&list);
    command.arg("--output-file").arg(&log);
    let does = "what `wget -k` says its conversion took";
    let wget = Contestant::new("wget", does, found(), command);
    Ok(Contestant {
        log: Some(log),
        ..wget.writing(out, Answer::Own)
    })
}

/// The seconds of `Converted links in 9 files in 0.1 seconds.`
fn converted_in(log: &str) -> Option<f64> {
    let mut lines = log.lines();
    let last = lines.rfind(|line| line.starts_with("Converted links in"))?;
    last.split(' ').nth(6)?.parse().ok()
}

/// The link checker; it ends with 1 if a tree has broken links.
fn hyperlink(course: &Course) -> Result<Contestant, String> {
    let home = home("cargo");
    let program = home.join("bin/hyperlink");
    if !program.exists() {
        let cargo = ["install", "--quiet", "--locked", "hyperlink", "--root"];
        install(Command::new("cargo").args(cargo).arg(&home))?;
    }
    let mut command = Command::new(&program);
    command.arg(&course.tree);
    let does = "`hyperlink`: reading only";
    let version = version(&mut Command::new(program));
    Ok(Contestant {
        codes: &[0, 1],
        ..Contestant::new("hyperlink", does, version, command)
    })
}

/// The first line that a program prints for its version.
fn version(program: &mut Command) -> String {
    let said = said(program.arg("--version"));
    let line = said.lines().next().unwrap_or_default();
    line.trim_end_matches('.').to_owned()
}

/// Runs a step of an installation; an error says in a line why it failed.
fn install(command: &mut Command) -> Result<(), String> {
    eprintln!("installing: {command:?}");
    let program = name(command);
    let done = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("{program}: {error}"))?;
    if done.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    let last = said.lines().rfind(|line| !line.trim().is_empty());
    Err(format!("{program}: {}", last.unwrap_or("failed").trim()))
}
