//! Mirrors made by the real programs, from a server on 127.0.0.1 that the test starts.

mod browsed;
mod built;
mod httrack;
mod opened;
mod single;
mod wget;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use abslink_html::base::retrieval::xattr::ORIGIN;
use url::Url;

use super::server::{BEGIN, page_of, serve};
use crate::support::links::{abslink, links};
use crate::support::skip;
use crate::support::table::rows;

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
            skip::tool(format_args!("{program} cannot be run ({error})"));
            false
        }
    }
}

/// The URL that a mirrored file says it was asked for.
pub(crate) fn asked_for(file: &Path) -> Option<String> {
    comment_of(file, BEGIN)
}

/// What follows in a comment of a mirrored file.
fn comment_of(file: &Path, begin: &str) -> Option<String> {
    let bytes = fs::read(file).unwrap();
    let text = String::from_utf8_lossy(&bytes);
    let (_, rest) = text.rsplit_once(begin)?;
    Some(rest.split_once("-->")?.0.to_owned())
}

/// A mirror.
struct Mirror<'a> {
    /// Options of abslink: no URL among them.
    options: &'a [&'a str],
    /// The value of `--converted-links`.
    links: &'a str,
    directory: &'a Path,
}

/// What was found to be right.
#[derive(Debug, Default, PartialEq)]
struct Right {
    documents: usize,
    references: usize,
    /// Documents whose URL `base` calls a guess, and whose guess is wrong.
    mistaken: usize,
    /// References that mean something else than on the server: page, meaning in the mirror, meaning
    /// on the server.
    differences: BTreeSet<String>,
}

impl Mirror<'_> {
    /// Confirms the base of each document, and with `references` what each reference means.
    fn confirm(&self, source: &str, references: bool) -> Right {
        let output = tempfile::tempdir().unwrap();
        let converted = abslink()
            .arg("rewrite")
            .args(self.options)
            .args(["--converted-links", self.links, "-o"])
            .args([output.path(), self.directory])
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&converted.stderr);
        let left = said.contains(" left relative: ");
        assert_eq!(converted.status.code(), Some(i32::from(left)), "{said}");
        let mut right = Right::default();
        for line in self.bases() {
            let file = PathBuf::from(line["file"].as_str().unwrap());
            let Some(asked) = asked_for(&file) else {
                continue;
            };
            let guessed = line["evidence"][0]["doubts"]
                .as_array()
                .is_some_and(|caveats| {
                    caveats
                        .iter()
                        .any(|caveat| caveat != "scheme" && caveat != "appended")
                });
            right.documents += 1;
            let truth = asked;
            let retrieved = &line["evidence"][0];
            assert_eq!(retrieved["base_from"], source, "{line}");
            let base = without_index(retrieved["base"].as_str().unwrap());
            if guessed && base != without_index(&truth) {
                right.mistaken += 1;
                continue;
            }
            assert_eq!(base, without_index(&truth), "{line}");
            if references {
                let converted = output
                    .path()
                    .join(file.strip_prefix(self.directory).unwrap());
                right.references += compare(&converted, &truth, &mut right.differences);
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

/// A URL as browsers spell it, with all escapes in capitals.
fn meaning(url: &str) -> String {
    let url = Url::parse(url).map_or(url.to_owned(), String::from);
    let mut parts = url.split('%');
    let first = parts.next().unwrap_or_default().to_owned();
    let parts = parts.map(|part| match part.split_at_checked(2) {
        Some((hex, rest)) => format!("%{}{rest}", hex.to_ascii_uppercase()),
        None => format!("%{part}"),
    });
    without_index(&parts.fold(first, |url, part| url + &part))
}

/// Compares what the references of a converted document mean with what those of the page on the
/// server mean, document by document; gives their number.
fn compare(converted: &Path, truth: &str, differences: &mut BTreeSet<String>) -> usize {
    let path = truth.splitn(4, '/').nth(3).unwrap();
    let server = truth.strip_suffix(path).unwrap().trim_end_matches('/');
    let name = if path.contains(".xhtml") {
        "page.xhtml"
    } else {
        "page.html"
    };
    let directory = tempfile::tempdir().unwrap();
    let page = directory.path().join(name);
    fs::write(&page, page_of(&format!("/{path}")).unwrap()).unwrap();
    let meanings = |options: &[&str], file: &Path| -> Vec<String> {
        links(options, file)
            .flat_map(|(_, links)| links)
            .map(|link| meaning(&link.absolute.unwrap_or(link.reference)))
            .collect()
    };
    let on_server = meanings(&["-b", truth], &page);
    let in_mirror = meanings(&["-b", "https://elsewhere.invalid/"], converted);
    // Ports are others in each run, and the query makes no other page.
    let page_name = format!("/{}", path.split('?').next().unwrap());
    let mut differ = |found: &str, url: &str| {
        let named = |url: &str| url.strip_prefix(server).unwrap_or(url).to_owned();
        differences.insert([page_name.clone(), named(found), named(url)].join("\t"));
    };
    if in_mirror.len() == on_server.len() {
        let pairs = in_mirror.iter().zip(&on_server);
        (pairs.filter(|(found, url)| found != url)).for_each(|(found, url)| differ(found, url));
    } else {
        // The program has added references or taken some away.
        let mut rest = on_server.clone();
        for found in &in_mirror {
            match rest.iter().position(|url| url == found) {
                Some(at) => drop(rest.remove(at)),
                None => differ(found, "-"),
            }
        }
        rest.iter().for_each(|url| differ("-", url));
    }
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

/// The differences that testdata/retrieval/damages.tsv lists for some programs.
fn damages(programs: &[&str]) -> BTreeSet<String> {
    let all = rows::<4>(include_str!("../../../testdata/retrieval/damages.tsv"));
    let of_programs = all.filter(|row| programs.contains(&row[0]));
    of_programs.map(|row| row[1..].join("\t")).collect()
}

#[test]
#[ignore = "slow tier: another program"]
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
        skip::tool("curl wrote no extended attribute");
        return;
    }
    let mirror = Mirror {
        options: &[],
        links: "auto",
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
