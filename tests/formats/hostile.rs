//! Names and references that mean something in a format come back as what they are.

#[cfg(unix)]
use std::ffi::OsStr;
use std::path::Path;

#[cfg(unix)]
use percent::decoded;

use super::*;

/// A name with what each format has a meaning for, but for `/`.
const NAME: &str = "%0A:,|](x)&\"'<b>`{0}##[error]é\u{202e}\n::error::.html";
/// A reference of that kind.
const REFERENCE: &str = "%25:,|](x)&\"'<b>`` {0}##[error]\u{1b}[31m\u{fffe}";

mod percent {
    pub(super) fn decoded(text: &str) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut rest = text.as_bytes();
        while let [first, after @ ..] = rest {
            rest = after;
            if *first == b'%' {
                let digits = std::str::from_utf8(&after[..2]).unwrap();
                bytes.push(u8::from_str_radix(digits, 16).unwrap());
                rest = &after[2..];
            } else {
                bytes.push(*first);
            }
        }
        bytes
    }
}

fn tree() -> Sandbox {
    let sandbox = Sandbox::new();
    let reference = REFERENCE.replace('&', "&amp;").replace('"', "&quot;");
    sandbox.write(format!("d/{NAME}"), format!("<a href=\"{reference}\">"));
    sandbox
}

/// A text as a person sees it on one line.
fn shown(text: &str) -> String {
    let escape = |character: char| match character {
        '\n' | '\u{1b}' | '\u{202e}' => character.escape_default().to_string(),
        other => other.to_string(),
    };
    text.chars().map(escape).collect()
}

#[cfg(unix)]
#[test]
fn the_runner_of_github_reads_back_what_was_found() {
    let out = run_in(tree().path(), "check d", "github", None).stdout;
    assert_eq!(out.lines().count(), 1);
    // As ActionCommand of GitHub's runner reads a line.
    let rest = out.trim_end().strip_prefix("::error ").unwrap();
    let (properties, message) = rest.split_once("::").unwrap();
    let value = |text: &str| {
        text.replace("%0D", "\r")
            .replace("%0A", "\n")
            .replace("%3A", ":")
            .replace("%2C", ",")
            .replace("%25", "%")
    };
    let property = |name| {
        let mut pairs = properties.split(',');
        value(pairs.find_map(|pair| pair.strip_prefix(name)).unwrap())
    };
    let name = NAME.replace('\u{202e}', "\\u{202e}");
    assert_eq!(property("file="), format!("d/{name}"));
    assert_eq!(property("title="), "relative-reference");
    assert_eq!(value(message), format!("<a href> {}", shown(REFERENCE)));
}

#[cfg(unix)]
#[test]
fn sarif_and_gitlab_keep_names_and_references() {
    let tree = tree();
    let sarif = run_in(tree.path(), "check d", "sarif", None).stdout;
    conforms(&sarif);
    let sarif: Value = serde_json::from_str(&sarif).unwrap();
    let result = &sarif["runs"][0]["results"][0];
    let artifact = &result["locations"][0]["physicalLocation"]["artifactLocation"];
    let uri = artifact["uri"].as_str().unwrap();
    assert!(
        uri.bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"%-._~/".contains(&byte))
    );
    assert_eq!(decoded(uri), format!("d/{NAME}").as_bytes());
    let message = result["message"]["text"].as_str().unwrap();
    // §3.11.5: doubled braces are braces; and no link is made.
    assert!(!message.contains("]("), "{message}");
    let text = message
        .replace("{{", "{")
        .replace("}}", "}")
        .replace("]%28", "](");
    assert_eq!(text, format!("<a href> {}", shown(REFERENCE)));

    let gitlab = run_in(tree.path(), "check d", "gitlab", None).stdout;
    let gitlab: Value = serde_json::from_str(&gitlab).unwrap();
    assert_eq!(gitlab[0]["location"]["path"], format!("d/{NAME}"));
}

#[cfg(unix)]
#[test]
fn junit_and_markdown_keep_their_form() {
    let tree = tree();
    let junit = run_in(tree.path(), "check d", "junit", None).stdout;
    let document = Document::parse(&junit).unwrap();
    let failure = document
        .descendants()
        .find(|node| node.has_tag_name("failure"));
    let text = failure.unwrap().text().unwrap();
    let visible = shown(REFERENCE).replace('\u{fffe}', "\u{fffd}");
    let first = format!("1:10: <a href> {visible}");
    assert_eq!(text.lines().next(), Some(&*first));
    let case = failure.unwrap().parent().unwrap();
    assert_eq!(case.attribute("file"), Some(&*format!("d/{}", shown(NAME))));

    let markdown = run_in(tree.path(), "check d", "markdown", None).stdout;
    let row = markdown.lines().last().unwrap();
    // GFM splits rows at bars that no backslash escapes, before anything else.
    let cells: Vec<_> = row
        .replace("\\|", "\0")
        .split('|')
        .map(str::to_owned)
        .collect();
    assert_eq!(cells.len(), 4, "{row}");
    for (cell, inside) in cells[1..3].iter().zip([NAME, REFERENCE]) {
        let cell = cell.trim();
        let fence: String = cell
            .chars()
            .take_while(|&character| character == '`')
            .collect();
        let code = cell
            .strip_prefix(&*fence)
            .and_then(|code| code.strip_suffix(&*fence));
        let code = code.unwrap_or_else(|| panic!("{cell}"));
        assert!(!code.contains(&*fence), "{cell}");
        assert!(code.replace('\0', "|").contains(&shown(inside)), "{cell}");
    }
}

#[cfg(unix)]
#[test]
fn names_that_are_no_text() {
    use std::os::unix::ffi::OsStrExt as _;
    let sandbox = Sandbox::new();
    let directory = sandbox.path().join("d");
    fs::create_dir(&directory).unwrap();
    let path = directory.join(OsStr::from_bytes(b"\xff\xfe.html"));
    fs::write(path, "<a href=x>").unwrap();
    for format in FORMATS {
        let ran = run_in(sandbox.path(), "check d", format, None);
        ran.exits(1);
        let name = match format {
            "sarif" => "d/%FF%FE.html",
            _ => "d/\u{fffd}\u{fffd}.html",
        };
        ran.shows(name);
    }
}

/// Files outside the checkout, and standard input.
#[cfg(unix)]
#[test]
fn places_that_are_not_below() {
    let sandbox = Sandbox::new();
    let below = sandbox.path().join("site");
    let at = |format, command: &str| run_in(&below, command, format, None).stdout;
    let sarif: Value = serde_json::from_str(&at("sarif", "check ../a.html")).unwrap();
    let result = &sarif["runs"][0]["results"][0];
    let artifact = &result["locations"][0]["physicalLocation"]["artifactLocation"];
    let path = sandbox.path().canonicalize().unwrap().join("a.html");
    assert_eq!(artifact["uri"], format!("file://{}", path.display()));
    assert_eq!(artifact.get("uriBaseId"), None);
    assert!(at("github", "check ../a.html").contains("file=../a.html,"));

    let input = |format: &str| {
        let command = format!("check - --format {format}");
        sandbox.run_with_input(&command, "<a href=x>").stdout
    };
    assert!(input("github").starts_with("::error line=1,col=9,"));
    assert!(input("gitlab").contains("\"path\":\"-\""));
    assert!(input("sarif").contains("{\"uri\":\"-\",\"uriBaseId\":\"ROOT\"}"));
}

/// A checkout that is not an absolute path, or is somewhere else, counts for nothing.
#[test]
fn a_checkout_that_is_none() {
    let sandbox = Sandbox::new();
    for checkout in ["site", "", "/nowhere/at/all"] {
        let ran = run_in(
            sandbox.path(),
            "check a.html",
            "gitlab",
            Some(Path::new(checkout)),
        );
        ran.shows("\"path\":\"a.html\"");
    }
}

/// Every stream, as a line of the log that each runner reads.
#[cfg(unix)]
#[test]
fn no_stream_commands_a_runner() {
    const COMMANDS: &str = "\n ::stop-commands::x\n##[error]y##vso[task.x]##teamcity[z]\r::a::\u{1b}[0Ksection_start:1:a\r\u{1b}[0K";
    let sandbox = Sandbox::new();
    let page = format!("<p>{COMMANDS}<a href='##[error]##vso[x]'><a href='y?##[z]'>{COMMANDS}");
    for name in ["::x##[y].html", "d/##vso[z]\u{1b}\r::a.html"] {
        sandbox.write(name, &page);
        sandbox.write(format!("w/{name}"), &page);
    }
    let lines = [
        "rewrite -b http://h/ --diff w",
        "rewrite --dry-run --verbose --format github w ##[missing].html",
        "rewrite --dry-run --progress always --format json w",
        "check w --format github",
        "check w --format gitlab",
        "check w --format sarif",
        "check w --format junit",
        "check w --format markdown",
        "check w --format json",
        "check w --format text",
        "check ##[no] ::no ##[x]=y --layout wget -b http://##vso[z]",
        "check --no-such-##[x]",
        "links w",
        "base -v w",
        "base --format json w --url-from comment",
        "parse --format json ##[x]",
        "resolve -b http://h/ --format json ##[x]",
    ];
    for (variable, value) in [
        ("GITHUB_ACTIONS", "true"),
        ("GITLAB_CI", "true"),
        ("TF_BUILD", "True"),
        ("TEAMCITY_VERSION", "2026.1"),
        ("CI", "1"),
    ] {
        for line in lines {
            let ran = Ran::by(sandbox.abslink(line).env(variable, value));
            let own = line.contains("github");
            for stream in [&ran.stdout, &ran.stderr] {
                // .NET takes a lone carriage return for the end of a line.
                for shown in stream.split(['\n', '\r']) {
                    let command = shown.trim_start().starts_with("::");
                    let is_own = own
                        && ["::error ", "::notice "]
                            .iter()
                            .any(|own| shown.starts_with(own));
                    assert!(!command || is_own, "{variable}: {line}: {shown}");
                    let bracket = ["##[", "##vso[", "##teamcity["]
                        .iter()
                        .any(|open| shown.contains(open));
                    assert!(!bracket, "{variable}: {line}: {shown}");
                    assert!(
                        !shown.contains("section_start:"),
                        "{variable}: {line}: {shown}"
                    );
                }
                assert!(
                    line.contains("--diff") || !stream.contains('\u{1b}'),
                    "{line}"
                );
            }
            assert!(!(ran.stdout + &ran.stderr).is_empty(), "{line}");
        }
    }
}

/// A diff is exact where no runner reads it, as in a file of the job.
#[test]
fn a_diff_in_a_file_is_exact() {
    let sandbox = Sandbox::new();
    sandbox.write("x.html", " ::a::\n##[b]<a href=c>\n");
    let diff = |to: Option<&str>, runner: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_abslink"));
        command
            .current_dir(sandbox.path())
            .args(["rewrite", "-q", "-b", "http://h/", "--diff", "x.html"])
            .env("CI", runner);
        let Some(to) = to else {
            return String::from_utf8(command.output().unwrap().stdout).unwrap();
        };
        let file = fs::File::create(sandbox.path().join(to)).unwrap();
        command.stdout(file).status().unwrap();
        sandbox.read(to)
    };
    let exact = diff(None, "");
    assert!(exact.contains("\n  ::a::\n-##[b]<a href=c>\n"), "{exact}");
    assert_eq!(diff(Some("x.diff"), "true"), exact);
    let log = diff(None, "true");
    assert!(
        log.contains("\n  \\u{3a}:a::\n-##\\u{5b}b]<a href=c>\n"),
        "{log}"
    );
}

/// GitHub's runner would take `##[error]` for a command wherever it stands in a line of the log, and
/// `::error::` at its start. Text is for that log where the runner says so.
#[cfg(unix)]
#[test]
fn text_in_the_log_of_github_commands_nothing() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "::error::##[x].html",
        "<a href='##[error]y'><a href='::error::'>",
    );
    let run = |runner: Option<&str>| {
        let mut command = sandbox.abslink("check ::error::##[x].html missing##[x].html");
        if let Some(value) = runner {
            command.env("GITHUB_ACTIONS", value);
        }
        Ran::from(&command.output().unwrap())
    };
    let (here, there) = (run(None), run(Some("true")));
    assert!(
        here.stdout.starts_with("::error::##[x].html:1:10:"),
        "{}",
        here.stdout
    );
    here.says("missing##[x].html: no such file");
    for line in there.stdout.lines().chain(there.stderr.lines()) {
        assert!(!line.contains("##["), "{line}");
        assert!(!line.trim_start().starts_with("::"), "{line}");
    }
    let read = there.stdout.replace("\\u{5b}", "[").replace("\\u{3a}", ":");
    assert_eq!(read, here.stdout);
}
