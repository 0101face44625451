//! Mirrors by wget.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::{Mirror, Right, asked_for, compare, damages, make, without_index};
use crate::cli::retrieval::server::{NAMES, serve};
use crate::support::links::abslink;
use crate::support::skip;

/// Mirrors a server of the site with wget; there is another one.
pub(super) fn mirror(server: &str, other: &str, options: &[&str]) -> Option<TempDir> {
    let directory = tempfile::tempdir().unwrap();
    let url = format!("{server}/");
    let seed = format!("{server}/gallery/list.html@page=2");
    let names = format!("{server}{NAMES}{}", other.strip_prefix("http://").unwrap());
    let arguments = [
        &["-q", "-r", "-l", "9", "-e", "robots=off"],
        options,
        &[&url, &seed, &names],
    ]
    .concat();
    make("wget", &arguments, directory.path()).then_some(directory)
}

/// Mirrors the site with wget and converts the mirror.
fn wget(options: &[&str], convert: &[&str], source: &str) -> Option<Right> {
    let (server, other) = (serve(), serve().replace("127.0.0.1", "localhost"));
    mirror(&server, &other, options).map(|directory| {
        let mirror = Mirror {
            options: convert,
            links: if options.contains(&"-k") {
                "always"
            } else {
                "auto"
            },
            directory: directory.path(),
        };
        mirror.confirm(source, true)
    })
}

/// Most of the pages have come, and their references mean what they mean on the server, but for
/// what some programs have damaged.
#[track_caller]
fn whole(right: Option<Right>, mistaken: usize, programs: &[&str]) {
    if let Some(right) = right {
        assert!(
            right.documents >= 25 && right.references >= 200,
            "{right:?}"
        );
        assert_eq!(right.mistaken, mistaken, "{right:?}");
        assert_eq!(right.differences, damages(programs));
    }
}

#[test]
#[ignore = "slow tier: another program"]
fn wget_recursive() {
    whole(wget(&[], &BY_PATH, "layout"), 0, &[]);
}

#[test]
#[ignore = "slow tier: another program"]
fn wget_with_endings_and_protocol_directories() {
    let right = wget(
        &["-E", "--protocol-directories"],
        &["--layout", "wget"],
        "layout",
    );
    whole(right, 0, &[]);
}

/// Pages with a query have an `@` in their names, and `base` says of all that they are guesses. Of
/// one page the `@` is its own, and of two the query has an escape that wget added.
#[test]
#[ignore = "slow tier: another program"]
fn wget_for_windows() {
    let options = ["--layout", "wget-windows", "--scheme", "http"];
    let right = wget(&["--restrict-file-names=windows"], &options, "layout");
    whole(right, 3, &[]);
}

const BY_PATH: [&str; 4] = ["--layout", "wget", "--scheme", "http"];

#[test]
#[ignore = "slow tier: another program"]
fn wget_that_converts_links() {
    whole(wget(&["-k"], &BY_PATH, "layout"), 0, &["wget"]);
}

#[test]
#[ignore = "slow tier: another program"]
fn wget_that_converts_links_with_endings() {
    whole(wget(&["-k", "-E", "-p"], &BY_PATH, "layout"), 0, &["wget"]);
}

#[test]
#[ignore = "slow tier: another program"]
fn wget_that_converts_links_for_windows() {
    let options = ["--layout", "wget-windows", "--scheme", "http"];
    let names = ["-k", "-E", "--restrict-file-names=windows"];
    // The seed of that name has a reference with a query of its own.
    let right = wget(&names, &options, "layout");
    whole(right, 3, &["wget", "wget-windows"]);
}

#[test]
#[ignore = "slow tier: another program"]
fn wget_that_converts_links_between_hosts() {
    let hosts = ["-k", "-H", "-D", "127.0.0.1,localhost"];
    whole(wget(&hosts, &BY_PATH, "layout"), 0, &["wget"]);
}

#[test]
#[ignore = "slow tier: another program"]
fn wget_with_attributes() {
    let probe = tempfile::NamedTempFile::new().unwrap();
    if let Err(error) = xattr::set(probe.path(), "user.abslink", b"") {
        skip::tool(format_args!("no extended attributes here ({error})"));
        return;
    }
    whole(
        wget(&["--xattr", "--restrict-file-names=windows"], &[], "xattr"),
        0,
        &[],
    );
}

/// No name tells that a page was redirected; of its links, none is found where it seems to be.
#[test]
#[ignore = "slow tier: another program"]
fn wget_that_was_redirected() {
    let server = serve();
    let directory = tempfile::tempdir().unwrap();
    let seeds = ["/old/place", "/guide/"].map(|path| format!("{server}{path}"));
    let arguments = ["-q", "-r", "-l", "2", &seeds[0], &seeds[1]];
    if !make("wget", &arguments, directory.path()) {
        return;
    }
    let mirror = Mirror {
        options: &[&BY_PATH[..], &["--detect=html"]].concat(),
        links: "auto",
        directory: directory.path(),
    };
    let mut mistaken = Vec::new();
    for line in mirror.bases() {
        let file = line["file"].as_str().unwrap();
        let truth = asked_for(Path::new(file)).unwrap();
        if without_index(line["base"].as_str().unwrap()) != without_index(&truth) {
            let caveats = &line["evidence"][0]["doubts"];
            assert_eq!(caveats, &serde_json::json!(["redirect"]), "{line}");
            mistaken.push(truth);
        }
    }
    assert_eq!(mistaken, [format!("{server}/guide/install.html")]);
}

/// The originals of -K say what -E has appended.
#[test]
#[ignore = "slow tier: another program"]
fn wget_that_keeps_originals() {
    whole(wget(&["-k", "-K"], &BY_PATH, "layout"), 0, &["wget"]);
    whole(
        wget(&["-k", "-E", "-K", "-p"], &BY_PATH, "layout"),
        0,
        &["wget"],
    );
    let options = ["--layout", "wget-windows", "--scheme", "http"];
    let names = ["-k", "-E", "-K", "--restrict-file-names=windows"];
    whole(
        wget(&names, &options, "layout"),
        3,
        &["wget", "wget-windows"],
    );
}

/// They are what is left of the site as it was.
#[test]
#[ignore = "slow tier: another program"]
fn originals_that_wget_keeps_are_not_rewritten() {
    let (server, other) = (serve(), serve().replace("127.0.0.1", "localhost"));
    for options in [&["-k", "-K"][..], &["-k", "-K", "-E", "-p"]] {
        let Some(directory) = mirror(&server, &other, options) else {
            return;
        };
        let is_original = |path: &PathBuf| path.as_os_str().as_encoded_bytes().ends_with(b"orig");
        let originals = || {
            let originals = files(directory.path()).into_iter().filter(is_original);
            let originals = originals.map(|path| (fs::read(&path).unwrap(), path));
            originals.collect::<Vec<_>>()
        };
        let before = originals();
        assert!(before.len() >= 20, "{}", before.len());
        let rewrite = |options: &[&str]| {
            let done = abslink()
                .args(["rewrite", "-i", "--converted-links", "always"])
                .args(BY_PATH)
                .args(["--ext", "+css"])
                .args(options)
                .arg(directory.path())
                .output()
                .unwrap();
            (done.status.code(), String::from_utf8(done.stderr).unwrap())
        };
        // Some have a name that abslink would give its own backups.
        let (code, said) = rewrite(&["--backup", ".orig"]);
        assert_eq!(code, Some(2), "{said}");
        assert!(
            said.contains("have a backup that abslink did not make"),
            "{said}"
        );
        assert!(said.contains("\nnote: left "), "{said}");
        let (code, said) = rewrite(&["--backup", ".abslink"]);
        assert!(matches!(code, Some(0 | 1)), "{said}");
        let own = |(_, path): &(Vec<u8>, PathBuf)| before.iter().any(|(_, it)| it == path);
        let after: Vec<_> = originals().into_iter().filter(own).collect();
        assert_eq!(before, after);
    }
}

/// Neither a directory nor a comment names the host, and names of files have the query.
#[test]
#[ignore = "slow tier: another program"]
fn wget_without_a_directory_for_the_host() {
    for (options, links) in [
        (&["-k"][..], "always"),
        (&["-k", "-E"], "always"),
        (&["-k", "-E", "-p", "--cut-dirs=0"], "always"),
        (&["-k", "-E", "-K"], "always"),
    ] {
        let server = serve();
        let directory = tempfile::tempdir().unwrap();
        let url = format!("{server}/");
        let names = format!("{server}{NAMES}{}", server.strip_prefix("http://").unwrap());
        let fixed = ["-q", "-r", "-l", "9", "-nH", "-e", "robots=off"];
        let arguments = [&fixed, options, &[&url, &names]].concat();
        if !make("wget", &arguments, directory.path()) {
            return;
        }
        let output = tempfile::tempdir().unwrap();
        let converted = abslink()
            .args([
                "rewrite",
                "-b",
                &url,
                "--converted-links",
                links,
                "--detect=html",
                "-o",
            ])
            .args([output.path(), directory.path()])
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&converted.stderr);
        assert!(matches!(converted.status.code(), Some(0 | 1)), "{said}");
        let (mut references, mut queries) = (0, 0);
        let mut differences = BTreeSet::new();
        for file in files(output.path()) {
            let Some(truth) = asked_for(&file) else {
                continue;
            };
            queries += usize::from(truth.contains('?'));
            references += compare(&file, &truth, &mut differences);
        }
        assert!(references >= 200 && queries >= 5, "{references} {queries}");
        assert_eq!(differences, damages(&["wget"]), "{options:?}");
    }
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let below = |path: PathBuf| match path.is_dir() {
        true => files(&path),
        false => vec![path],
    };
    entries.flat_map(below).collect()
}
