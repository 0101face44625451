//! Mirrors made by the real programs, from a server on 127.0.0.1 that the test starts.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use abslink::base::retrieval::xattr::ORIGIN;
use tempfile::TempDir;
use url::Url;

use super::server::{BEGIN, file_of, serve};
use crate::links::{abslink, links};

/// Runs a program, or says that it is not there.
fn make(program: &str, arguments: &[&str], directory: &Path) -> bool {
    let run = Command::new(program)
        .args(arguments)
        .current_dir(directory)
        .env("HOME", directory)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    match run {
        // What they answer is about links that lead nowhere, which the site has some of.
        Ok(_) => true,
        Err(error) => {
            eprintln!("skipped: {program} cannot be run ({error})");
            false
        }
    }
}

/// What a mirrored file says that it was asked for.
fn asked_for(file: &Path) -> Option<String> {
    let bytes = fs::read(file).unwrap();
    let text = String::from_utf8_lossy(&bytes);
    let (_, rest) = text.rsplit_once(BEGIN)?;
    Some(rest.split_once("-->")?.0.to_owned())
}

/// A mirror, and what it was made from.
struct Mirror<'a> {
    server: &'a str,
    /// Options of abslink: no URL among them.
    options: &'a [&'a str],
    directory: &'a Path,
}

/// What was found to be right.
#[derive(Debug, Default, PartialEq)]
struct Right {
    documents: usize,
    references: usize,
    /// Documents whose URL `base` calls a guess, and whose references were not compared.
    guessed: usize,
}

impl Mirror<'_> {
    /// Confirms the base of each document, and with `references` what each reference means.
    fn confirm(&self, rung: &str, references: bool) -> Right {
        let output = tempfile::tempdir().unwrap();
        let converted = abslink()
            .arg("rewrite")
            .args(self.options)
            .arg("-o")
            .args([output.path(), self.directory])
            .output()
            .unwrap();
        assert_ne!(converted.status.code(), Some(2), "{converted:?}");
        let mut right = Right::default();
        for line in self.bases() {
            let file = PathBuf::from(line["file"].as_str().unwrap());
            let Some(asked) = asked_for(&file) else {
                continue;
            };
            let guessed = line["evidence"][0]["doubts"]
                .as_array()
                .is_some_and(|doubts| {
                    doubts
                        .iter()
                        .any(|doubt| doubt != "scheme" && doubt != "appended")
                });
            right.guessed += usize::from(guessed);
            right.documents += 1;
            let truth = format!("{}{asked}", self.server);
            let retrieved = &line["evidence"][0];
            assert_eq!(retrieved["base_from"], rung, "{line}");
            if guessed {
                continue;
            }
            assert_eq!(
                without_index(retrieved["base"].as_str().unwrap()),
                without_index(&truth),
                "{line}"
            );
            if references {
                let converted = output
                    .path()
                    .join(file.strip_prefix(self.directory).unwrap());
                right.references += compare(&converted, &truth, &asked);
            }
        }
        right
    }

    fn bases(&self) -> Vec<serde_json::Value> {
        let run = abslink()
            .args(["base", "-q", "--format", "json"])
            .args(self.options)
            .arg(self.directory)
            .output()
            .unwrap();
        let text = String::from_utf8(run.stdout).unwrap();
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }
}

/// An index page stands for its directory.
fn without_index(url: &str) -> String {
    let at_end = ["?", "#", ""];
    let mut url = url.to_owned();
    for name in ["/index.html", "/index.htm"] {
        for end in at_end.iter().filter(|end| !end.is_empty()) {
            url = url.replace(&format!("{name}{end}"), &format!("/{end}"));
        }
        if let Some(directory) = url.strip_suffix(name) {
            url = format!("{directory}/");
        }
    }
    url
}

/// Compares what the references of a converted document mean with what those of the page on the
/// server mean, document by document; gives their number.
fn compare(converted: &Path, truth: &str, asked: &str) -> usize {
    let page = file_of(asked).unwrap();
    let meanings = |options: &[&str], file: &Path| -> Vec<String> {
        links(options, file)
            .flat_map(|(_, links)| links)
            .map(|link| without_index(&link.absolute.unwrap_or(link.reference)))
            .collect()
    };
    let on_server = meanings(&["-b", truth], &page);
    let in_mirror = meanings(&["-b", "https://elsewhere.invalid/"], converted);
    assert_eq!(in_mirror, on_server, "{} of {truth}", converted.display());
    // A second opinion on the bases: every relative reference joined by another parser.
    for link in links(&["-b", truth], &page).flat_map(|(_, links)| links) {
        if link.outcome == "relative" && link.divergent.is_none() && !has_base(&page) {
            let joined = Url::parse(truth).unwrap().join(&link.reference).unwrap();
            let absolute = Url::parse(&link.absolute.unwrap()).unwrap();
            assert_eq!(absolute, joined, "{truth}");
        }
    }
    on_server.len()
}

fn has_base(page: &Path) -> bool {
    let bytes = fs::read(page).unwrap();
    String::from_utf8_lossy(&bytes).contains("<base")
}

/// Mirrors the site with wget and converts the mirror.
fn wget(options: &[&str], convert: &[&str], rung: &str) -> Option<Right> {
    let server = serve();
    let directory = tempfile::tempdir().unwrap();
    let url = format!("{server}/");
    let seed = format!("{server}/gallery/list.html@page=2");
    let arguments = [
        &["-q", "-r", "-l", "9", "-e", "robots=off"],
        options,
        &[&url, &seed],
    ]
    .concat();
    make("wget", &arguments, directory.path()).then(|| {
        let mirror = Mirror {
            server: &server,
            options: convert,
            directory: directory.path(),
        };
        mirror.confirm(rung, true)
    })
}

/// Most of the pages have come, and their references were compared.
#[track_caller]
fn whole(right: Option<Right>, guessed: usize) {
    if let Some(right) = right {
        assert!(
            right.documents >= 25 && right.references >= 200,
            "{right:?}"
        );
        assert_eq!(right.guessed, guessed, "{right:?}");
    }
}

#[test]
fn wget_recursive() {
    whole(
        wget(&["-r"], &["--layout", "wget", "--scheme", "http"], "layout"),
        0,
    );
}

#[test]
fn wget_with_endings_and_protocol_directories() {
    let right = wget(
        &["-E", "--protocol-directories"],
        &["--layout", "wget"],
        "layout",
    );
    whole(right, 0);
}

/// Six pages have a query, and one an `@` of its own: `base` says of all that they are guesses.
#[test]
fn wget_for_windows() {
    let options = ["--layout", "wget-windows", "--scheme", "http"];
    let right = wget(&["--restrict-file-names=windows"], &options, "layout");
    whole(right, 7);
}

#[test]
fn wget_with_attributes() {
    let probe = tempfile::NamedTempFile::new().unwrap();
    if let Err(error) = xattr::set(probe.path(), "user.abslink", b"") {
        eprintln!("skipped: no extended attributes here ({error})");
        return;
    }
    whole(
        wget(&["--xattr", "--restrict-file-names=windows"], &[], "xattr"),
        0,
    );
}

/// Mirrors a part of the site with HTTrack, which takes its time.
fn httrack(options: &[&str]) -> Option<(String, TempDir)> {
    let server = serve();
    let directory = tempfile::tempdir().unwrap();
    let url = format!("{server}/guide/");
    // Fast, and without a request for the type of each link.
    let speed = [
        "-q",
        "-s0",
        "-c8",
        "-%c100",
        "--disable-security-limits",
        "-%N0",
        "-u0",
    ];
    let arguments = [&speed[..], options, &["-O", "mirror", &url]].concat();
    make("httrack", &arguments, directory.path()).then_some((server, directory))
}

#[test]
fn httrack_that_keeps_links() {
    let Some((server, directory)) = httrack(&["-K4"]) else {
        return;
    };
    let mirror = directory.path().join("mirror");
    let map = mirror.join("hts-cache/new.txt");
    let right = Mirror {
        server: &server,
        options: &["--url-map", map.to_str().unwrap()],
        directory: &mirror,
    }
    .confirm("map", true);
    assert!(right.documents >= 6 && right.references >= 60, "{right:?}");
}

/// By default HTTrack rewrites links to the names that it gave, so that only bases are compared.
#[test]
fn httrack_by_comment_and_by_layout() {
    let Some((server, directory)) = httrack(&[]) else {
        return;
    };
    let mirror = directory.path().join("mirror");
    for (options, rung) in [
        (&["--scheme", "http"][..], "comment"),
        (&["--scheme", "http", "--layout", "httrack"][..], "layout"),
    ] {
        let right = Mirror {
            server: &server,
            options,
            directory: &mirror,
        }
        .confirm(rung, false);
        assert!(right.documents >= 6, "{right:?}");
    }
}

#[test]
fn curl_records_what_was_asked_for() {
    let server = serve();
    let directory = tempfile::tempdir().unwrap();
    let fetch = |path: &str, name: &str| {
        let url = format!("{server}{path}");
        make(
            "curl",
            &["-sL", "--xattr", "-o", name, &url],
            directory.path(),
        )
    };
    if !(fetch("/guide/install.html", "direct.html") && fetch("/old/place", "moved.html")) {
        return;
    }
    let recorded = xattr::get(directory.path().join("direct.html"), ORIGIN);
    if !matches!(recorded, Ok(Some(_))) {
        eprintln!("skipped: curl wrote no extended attribute");
        return;
    }
    let mirror = Mirror {
        server: &server,
        options: &[],
        directory: directory.path(),
    };
    let [direct, moved] = &mirror.bases()[..] else {
        panic!("two documents");
    };
    assert_eq!(direct["base"], format!("{server}/guide/install.html"));
    // Before 7.86 curl recorded the last URL, which is the right one.
    for document in [direct, moved] {
        assert_eq!(document["base_from"], "xattr");
        assert_eq!(
            document["evidence"][0]["doubts"],
            serde_json::json!(["redirect"])
        );
    }
}
