//! A page is read, its commands are run, and it is written with what they did.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::LazyLock;
use std::{fs, iter};

use regex::Regex;
use snapbox::IntoData as _;
use snapbox::filter::NormalizeToExpected;

use crate::support::follow;
use crate::support::links::{abslink, shell};

/// How long a run took, which is different each time.
static TIME: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"\d+\.\d\d s(, [\d.,]+ \w+/s)?\b|("seconds":)[\d.]+"#).unwrap());
static QUOTED: LazyLock<Regex> = LazyLock::new(|| Regex::new(r#"'[^']*'|"[^"$`]*""#).unwrap());
static FENCE: LazyLock<Regex> = LazyLock::new(|| Regex::new("(?m)^`{3,}").unwrap());

pub(super) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")
}

/// Fails if the commands of a page do something else than it says.
pub(super) fn holds(topic: &str) {
    let path = folder().join(topic.replace('_', "-") + ".md");
    let page = fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
    let found = run(&page);
    if found != page && std::env::var_os("ABSLINK_BLESS").is_some() {
        fs::write(path, found).unwrap();
        return;
    }
    let [found, page] = [found, page].map(slashes);
    snapbox::Assert::new()
        .normalize_paths(false)
        .eq(found.into_data(), page.into_data().raw());
}

/// The page as its commands make it.
pub(super) fn run(page: &str) -> String {
    let starts = page.match_indices("\n## ").map(|(at, _)| at + 1);
    let starts: Vec<usize> = iter::once(0).chain(starts).chain([page.len()]).collect();
    let cases = starts.windows(2).map(|ends| &page[ends[0]..ends[1]]);
    cases.map(case).collect()
}

fn case(text: &str) -> String {
    let is_unix_only =
        || text.contains("\n*Not on Windows:") || needs_shell(text) || needs_names(text);
    if cfg!(windows) && is_unix_only() {
        return text.to_owned();
    }
    let folder = tempfile::tempdir().unwrap();
    let mut made = String::new();
    let mut lines = text.split_inclusive('\n');
    while let Some(line) = lines.next() {
        let ticks = line.len() - line.trim_start_matches('`').len();
        if ticks < 3 {
            made += line;
            continue;
        }
        let fence = &line[..ticks];
        let block: String = lines
            .by_ref()
            .take_while(|line| line.trim_end() != fence)
            .collect();
        if line[ticks..].trim_end() == "console" {
            let found = console(&block, folder.path());
            let longest = FENCE.find_iter(&found).map(|it| it.len() + 1).max();
            let fence = "`".repeat(longest.unwrap_or(0).max(ticks));
            writeln!(made, "{fence}console\n{found}{fence}").unwrap();
        } else {
            if let Some(name) = named(&made) {
                write_file(&folder.path().join(name), &block);
            }
            writeln!(made, "{line}{block}{fence}").unwrap();
        }
    }
    made
}

/// Which file the next block is, by the line before it.
fn named(before: &str) -> Option<&str> {
    let line = before.trim_end().lines().last()?.strip_suffix("`:")?;
    Some(line.rsplit_once('`')?.1)
}

const NO_NEWLINE: &str = "\\ No newline at end of file\n";

fn write_file(path: &Path, block: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let cut = block.strip_suffix(NO_NEWLINE);
    let text = cut.map_or(block, |text| &text[..text.len() - 1]);
    fs::write(path, text).unwrap();
}

/// The commands of a block, and below each what it did.
fn console(block: &str, folder: &Path) -> String {
    let mut made = String::new();
    let starts = block.match_indices('\n').map(|(at, _)| at + 1);
    let starts = iter::once(0).chain(starts);
    let starts: Vec<usize> = starts.filter(|&at| block[at..].starts_with("$ ")).collect();
    assert_eq!(starts.first(), Some(&0), "no command in: {block}");
    for (number, &start) in starts.iter().enumerate() {
        let end = starts.get(number + 1).copied().unwrap_or(block.len());
        let (command, expected) = block[start + 2..end].split_once('\n').unwrap();
        let found = did(command, folder);
        let found = NormalizeToExpected::new()
            .redact()
            .normalize(found.into_data(), &slashes(expected.to_owned()).into_data());
        write!(made, "$ {command}\n{}", found.render().unwrap()).unwrap();
    }
    made
}

/// Runs a command, and writes what it did as a page does.
fn did(command: &str, folder: &Path) -> String {
    let before = tree(folder);
    let earlier = follow::copied(folder);
    let words = shlex::split(command).unwrap_or_else(|| panic!("not words: {command}"));
    let ran = if needs_shell(&format!("$ {command}")) {
        shell(command, folder).output()
    } else {
        let mut run = abslink();
        run.args(&words[1..]).current_dir(folder);
        run.stdin(Stdio::null()).output()
    };
    let ran = ran.unwrap();
    follow::hints(command, &text(&ran.stderr), earlier.path());
    let mut made = text(&ran.stdout);
    for line in text(&ran.stderr).split_inclusive('\n') {
        write!(made, "2> {line}").unwrap();
    }
    match ran.status.code() {
        Some(0) => {}
        Some(code) => writeln!(made, "[exit {code}]").unwrap(),
        None => writeln!(made, "[{}]", ran.status).unwrap(),
    }
    let after = tree(folder);
    for (name, content) in after
        .iter()
        .filter(|(name, content)| before.get(*name) != Some(content))
    {
        write!(made, "==> {name}{content}").unwrap();
    }
    for name in before.keys().filter(|name| !after.contains_key(*name)) {
        writeln!(made, "==> {name} is gone").unwrap();
    }
    let places = [folder.to_owned(), folder.canonicalize().unwrap()];
    let made = places.iter().fold(made, |made, place| {
        made.replace(&*place.to_string_lossy(), "[DIR]")
    });
    TIME.replace_all(&slashes(made), "${2}[TIME]").into_owned()
}

/// Pages have slashes. Windows shows paths with backslashes, and pages are compared there without a difference.
fn slashes(text: String) -> String {
    if cfg!(windows) {
        text.replace('\\', "/")
    } else {
        text
    }
}

/// What an ordinary program cannot be started with: another program, or signs that a shell reads.
fn needs_shell(text: &str) -> bool {
    text.lines()
        .filter_map(|line| line.strip_prefix("$ "))
        .any(|command| {
            let bare = QUOTED.replace_all(command, "");
            !bare.starts_with("abslink ")
                || bare.contains(['|', '<', '>', '&', ';', '`', '$', '*', '?', '~'])
        })
}

/// Whether a file has a name that Windows does not allow.
fn needs_names(text: &str) -> bool {
    let mut names = text.lines().filter_map(named);
    names.any(|name| name.contains(['<', '>', ':', '"', '|', '?', '*']))
}

/// What is in the folder, by name: a file with its text, a link with its target, an empty directory.
fn tree(folder: &Path) -> BTreeMap<String, String> {
    let entries = walkdir::WalkDir::new(folder)
        .min_depth(1)
        .into_iter()
        .map(Result::unwrap);
    let content = |entry: walkdir::DirEntry| {
        let path = entry.path();
        let content = match entry.file_type() {
            it if it.is_symlink() => format!(" -> {}\n", fs::read_link(path).unwrap().display()),
            it if it.is_file() => format!("\n{}", text(&fs::read(path).unwrap_or_default())),
            _ if fs::read_dir(path).unwrap().next().is_none() => {
                " is an empty directory\n".to_owned()
            }
            _ => return None,
        };
        let name = path.strip_prefix(folder).unwrap();
        Some((name.display().to_string(), content))
    };
    entries.filter_map(content).collect()
}

/// Bytes as a page shows them: what is no text, and controls, as escapes.
fn text(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\n' | '\t' => text.push(c),
                _ if c.is_control() => text.extend(c.escape_default()),
                _ => text.push(c),
            }
        }
        for byte in chunk.invalid() {
            write!(text, "\\x{byte:02x}").unwrap();
        }
    }
    if !matches!(text.as_bytes(), [] | [.., b'\n']) {
        text = text + "\n" + NO_NEWLINE;
    }
    text
}
