//! Mirrors made by the real programs, from a server on 127.0.0.1 that the test starts.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use abslink::internals::base::retrieval::xattr::ORIGIN;
use tempfile::TempDir;
use url::Url;

use super::server::{BEGIN, FAILED, GONE, NAMES, page_of, serve};
use crate::links::{abslink, links};
use crate::resolver::rows;
use crate::skip;

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
fn asked_for(file: &Path) -> Option<String> {
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
    fn confirm(&self, rung: &str, references: bool) -> Right {
        let output = tempfile::tempdir().unwrap();
        let converted = abslink()
            .arg("rewrite")
            .args(self.options)
            .args(["--converted-links", self.links, "-o"])
            .args([output.path(), self.directory])
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&converted.stderr);
        let left = said.contains("cannot be made absolute");
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
            assert_eq!(retrieved["base_from"], rung, "{line}");
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

/// Mirrors the site with wget and converts the mirror.
fn wget(options: &[&str], convert: &[&str], rung: &str) -> Option<Right> {
    let (server, other) = (serve(), serve().replace("127.0.0.1", "localhost"));
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
    make("wget", &arguments, directory.path()).then(|| {
        let mirror = Mirror {
            options: convert,
            links: if options.contains(&"-k") {
                "always"
            } else {
                "auto"
            },
            directory: directory.path(),
        };
        mirror.confirm(rung, true)
    })
}

/// The differences that testdata/retrieval/damages.tsv lists for some programs.
fn damages(programs: &[&str]) -> BTreeSet<String> {
    let all = rows(include_str!("../../testdata/retrieval/damages.tsv"));
    let of_programs = all.filter(|row| programs.contains(&row[0]));
    of_programs.map(|row| row[1..].join("\t")).collect()
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
fn wget_recursive() {
    whole(wget(&[], &BY_PATH, "layout"), 0, &[]);
}

#[test]
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
fn wget_for_windows() {
    let options = ["--layout", "wget-windows", "--scheme", "http"];
    let right = wget(&["--restrict-file-names=windows"], &options, "layout");
    whole(right, 3, &[]);
}

const BY_PATH: [&str; 4] = ["--layout", "wget", "--scheme", "http"];

#[test]
fn wget_that_converts_links() {
    whole(wget(&["-k"], &BY_PATH, "layout"), 0, &["wget"]);
}

#[test]
fn wget_that_converts_links_with_endings() {
    whole(wget(&["-k", "-E", "-p"], &BY_PATH, "layout"), 0, &["wget"]);
}

#[test]
fn wget_that_converts_links_for_windows() {
    let options = ["--layout", "wget-windows", "--scheme", "http"];
    let names = ["-k", "-E", "--restrict-file-names=windows"];
    // The seed of that name has a reference with a query of its own.
    let right = wget(&names, &options, "layout");
    whole(right, 3, &["wget", "wget-windows"]);
}

#[test]
fn wget_that_converts_links_between_hosts() {
    let hosts = ["-k", "-H", "-D", "127.0.0.1,localhost"];
    whole(wget(&hosts, &BY_PATH, "layout"), 0, &["wget"]);
}

#[test]
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
fn wget_that_was_redirected() {
    let server = serve();
    let directory = tempfile::tempdir().unwrap();
    let seeds = ["/old/place", "/guide/"].map(|path| format!("{server}{path}"));
    let arguments = ["-q", "-r", "-l", "2", &seeds[0], &seeds[1]];
    if !make("wget", &arguments, directory.path()) {
        return;
    }
    let mirror = Mirror {
        options: &[&BY_PATH[..], &["--detect-html"]].concat(),
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

/// Mirrors a part of the site with HTTrack, which takes its time.
fn httrack(options: &[&str]) -> Option<TempDir> {
    let (server, other) = (serve(), serve().replace("127.0.0.1", "localhost"));
    let directory = tempfile::tempdir().unwrap();
    let url = format!("{server}/guide/");
    let other = other.strip_prefix("http://").unwrap();
    let names = format!("{server}{NAMES}{other}");
    let also = format!("+{other}/guide/*");
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
    let arguments = [&speed[..], options, &["-O", "mirror", &url, &names, &also]].concat();
    make("httrack", &arguments, directory.path()).then_some(directory)
}

#[test]
fn httrack_that_keeps_links() {
    let Some(directory) = httrack(&["-K4"]) else {
        return;
    };
    let mirror = directory.path().join("mirror");
    let map = mirror.join("hts-cache/new.txt");
    let right = Mirror {
        options: &["--url-map", map.to_str().unwrap()],
        links: "never",
        directory: &mirror,
    }
    .confirm("map", true);
    assert!(right.documents >= 6 && right.references >= 60, "{right:?}");
    assert_eq!(right.differences, BTreeSet::new(), "{right:#?}");
}

/// By default HTTrack rewrites links to the names that it gave.
#[test]
fn httrack_that_converts_links() {
    let Some(directory) = httrack(&[]) else {
        return;
    };
    let mirror = directory.path().join("mirror");
    let map = mirror.join("hts-cache/new.txt");
    let confirm = |options: &[&str], rung, references| {
        let mirror = Mirror {
            options,
            links: "auto",
            directory: &mirror,
        };
        let right = mirror.confirm(rung, references);
        assert!(right.documents >= 20, "{right:?}");
        right
    };
    let by_map = confirm(&["--url-map", map.to_str().unwrap()], "map", true);
    assert!(by_map.references >= 200, "{by_map:?}");
    assert_eq!(by_map.differences, damages(&["httrack"]));
    let by_comment = confirm(&["--scheme", "http"], "comment", true);
    assert_eq!(by_comment.references, by_map.references);
    assert_eq!(by_comment.differences, damages(&["httrack-comment"]));
    // Queries are in no name, so that only bases are compared.
    let by_layout = ["--scheme", "http", "--layout", "httrack"];
    confirm(&by_layout, "layout", false);
}

/// As HTTrack does without options: it waits for the type of a page before it names the file, and what
/// failed keeps a name in the map that the file does not have.
#[test]
fn httrack_that_waits_for_types() {
    let server = serve();
    let directory = tempfile::tempdir().unwrap();
    let (page, links) = FAILED;
    let url = format!("{server}{page}");
    let options = ["-q", "-s0", "-r2", "-c8", "-%c100"];
    let more = ["--disable-security-limits", "-O", "mirror", &url];
    if !make("httrack", &[&options[..], &more].concat(), directory.path()) {
        return;
    }
    let mirror = directory.path().join("mirror");
    let map = mirror.join("hts-cache/new.txt");
    let lines = fs::read_to_string(&map).unwrap();
    assert!(lines.contains(".delayed"), "{lines}");
    let output = tempfile::tempdir().unwrap();
    let mirror = Mirror {
        options: &["--url-map", map.to_str().unwrap()],
        links: "auto",
        directory: &mirror,
    };
    let converted = abslink()
        .arg("rewrite")
        .args(mirror.options)
        .args(["-o".as_ref(), output.path(), mirror.directory])
        .output()
        .unwrap();
    assert_eq!(converted.status.code(), Some(0), "{converted:?}");
    let mut gone = 0;
    for line in mirror.bases() {
        let file = Path::new(line["file"].as_str().unwrap());
        if let Some(truth) = comment_of(file, GONE) {
            assert_eq!(line["base"], truth, "{line}");
            gone += 1;
        }
        if asked_for(file).is_some_and(|asked| asked == url) {
            let converted = output
                .path()
                .join(file.strip_prefix(mirror.directory).unwrap());
            let text = fs::read_to_string(converted).unwrap();
            let found: Vec<&str> = (text.split("href=\"").skip(1))
                .filter_map(|rest| rest.split('"').next())
                .collect();
            let base = Url::parse(&url).unwrap();
            let wanted = links.map(|link| base.join(link).unwrap().to_string());
            assert_eq!(found, wanted);
        }
    }
    assert_eq!(gone, links.len() - 1);
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
