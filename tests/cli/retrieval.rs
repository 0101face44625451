//! RFC 1808 §3.3: what paths, maps, attributes and comments say about a document's URL.

mod commands;
#[cfg(unix)]
pub(super) mod makers;
mod mirror;
mod saved;
#[cfg(unix)]
mod server;

use abslink::BaseUrl;
use abslink::retrieval::{Assumptions, Caveat, Layout, Sources, UrlEvidence, UrlMap};
use abslink_html::base::retrieval::target::DocumentPlace;
use abslink_html::base::retrieval::{comment, url_map};
use proptest::prelude::*;

use crate::support::table::rows;

fn assumptions() -> Assumptions {
    let mut assumptions = Assumptions::default();
    assumptions.scheme = Some("http".to_owned());
    assumptions.index = ["index.html", "index.htm"].map(str::to_owned).to_vec();
    assumptions.any_host = true;
    assumptions
}

fn layout(name: &str) -> Layout {
    match name {
        "wget" => Layout::Wget,
        "wget-windows" => Layout::WgetWindows,
        "httrack" => Layout::Httrack,
        "wayback" => Layout::Wayback,
        other => panic!("no layout {other}"),
    }
}

fn caveats(evidence: &UrlEvidence) -> String {
    let names: Vec<&str> = evidence.caveats.iter().map(|it| it.name()).collect();
    names.join(",")
}

#[test]
fn every_layout_spells_urls() {
    let mut wrong = Vec::new();
    for row in rows(include_str!("../../testdata/retrieval/layouts.tsv")) {
        let [name, path, url, expected] = row;
        let said = layout(name).evidence(path.as_bytes(), &assumptions());
        let found = match &said {
            Some(said) => (said.says.as_str(), caveats(said)),
            None => ("-", String::new()),
        };
        if found != (url, expected.to_owned()) {
            wrong.push(format!("{row:?}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_directory_of_pages_is_no_host() {
    let mut wrong = Vec::new();
    for row in rows(include_str!("../../testdata/retrieval/hosts.tsv")) {
        let [name, directory, expected] = row;
        let mut assumptions = assumptions();
        assumptions.any_host = false;
        let path = format!("{directory}/a");
        let said = layout(name).evidence(path.as_bytes(), &assumptions);
        let found = said.map_or("-".to_owned(), |said| said.says);
        if found != expected {
            wrong.push(format!("{row:?}: {found}"));
        }
        let is_host = layout(name).is_host(directory);
        assert!(
            directory.contains('/') || is_host == (found != "-"),
            "{row:?}"
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// wget leaves 236 bytes of a name; -E appends its ending behind them.
#[test]
fn a_name_that_may_have_been_cut_is_doubted() {
    let doubts_of = |path: String| {
        let said = Layout::Wget.evidence(path.as_bytes(), &assumptions());
        caveats(&said.unwrap())
    };
    let name = |length| "x".repeat(length);
    assert_eq!(doubts_of(format!("h/{}", name(235))), "");
    assert_eq!(doubts_of(format!("h/{}", name(236))), "cut");
    assert_eq!(doubts_of(format!("h/{}.html", name(236))), "cut");
    assert_eq!(doubts_of(format!("h/{}/a.html", name(236))), "cut");
    assert_eq!(
        doubts_of(format!("h/{}/{}", name(200), name(200))),
        "",
        "each name has room of its own"
    );
}

#[test]
fn a_scheme_that_is_not_recorded_is_doubted() {
    let mut assumed = Assumptions::default();
    assumed.any_host = true;
    for (layout, path) in [(Layout::Wget, "h/a"), (Layout::Httrack, "h/a")] {
        let said = layout.evidence(path.as_bytes(), &assumed).unwrap();
        assert_eq!(said.says, "https://h/a");
        assert_eq!(said.caveats, [Caveat::Scheme]);
    }
    let recorded = Layout::Wget.evidence(b"http/h/a", &assumed).unwrap();
    assert_eq!(
        (recorded.says.as_str(), caveats(&recorded)),
        ("http://h/a", String::new())
    );
    let comment = b"<!-- Mirrored from h/a by HTTrack Website Copier/3.x -->";
    let said = comment::all(comment, &assumed);
    assert_eq!(said[0].caveats, [Caveat::Scheme]);
}

#[test]
fn every_comment_of_a_saving_program() {
    let mut wrong = Vec::new();
    for row in rows(include_str!("../../testdata/retrieval/comments.tsv")) {
        let [document, says, outcome] = row;
        let document = document.replace('␊', "\n");
        let said = comment::all(document.as_bytes(), &assumptions());
        let found: Vec<&str> = said.iter().map(|it| it.says.as_str()).collect();
        let found = if found.is_empty() {
            "-".to_owned()
        } else {
            found.join(" ")
        };
        let usable = said.iter().all(|it| it.url.is_ok());
        if found != says || usable == (outcome == "no base") {
            wrong.push(format!("{row:?}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn comments_count_at_the_beginning_only() {
    let mark = "<!-- saved from url=(0009)http://h/ -->";
    let said = |before: usize| {
        let document = format!("<p>{}{mark}", " ".repeat(before - 3));
        comment::all(document.as_bytes(), &Assumptions::default()).len()
    };
    assert_eq!((said(2047), said(2048)), (1, 0));
    let wrong_length = "<!-- saved from url=(0008)http://h/ -->";
    let said = comment::all(wrong_length.as_bytes(), &Assumptions::default());
    assert_eq!(said[0].caveats, [Caveat::Length]);
}

#[test]
fn targets_are_looked_for_by_the_same_layout() {
    let mut wrong = Vec::new();
    for row in rows(include_str!("../../testdata/retrieval/targets.tsv")) {
        let [path, url, target, file] = row;
        let mut sources = Sources::default();
        sources.layout = path.contains("h/").then_some(Layout::Wget);
        sources.assumptions = assumptions();
        let place = DocumentPlace::new(&sources, path.as_bytes(), &BaseUrl::parse(url).unwrap());
        let candidates: Vec<String> = place
            .candidates(target)
            .map(|path| String::from_utf8(path).unwrap())
            .collect();
        let found = candidates.iter().any(|path| path == file);
        if found == (file == "-") && !(file == "-" && candidates.is_empty()) {
            wrong.push(format!("{row:?}: {candidates:?}"));
        }
        let leads_out = candidates
            .iter()
            .any(|path| path.split('/').any(|it| it == ".."));
        assert!(!leads_out, "{row:?}: {candidates:?}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[track_caller]
fn maps(text: &str, expected: &[(&str, &str)]) {
    let map = UrlMap::read(text.as_bytes()).unwrap();
    for (path, url) in expected {
        let said = map.evidence(path.as_bytes()).map(|it| it.says);
        assert_eq!(said.as_deref(), Some(*url), "{path}");
    }
    assert_eq!(
        url_map::unasked(&map).count(),
        0,
        "more lines than expected"
    );
}

#[test]
fn every_format_of_maps() {
    let expected = [("a b.html", "http://h/?a,b"), ("c/d.html", "http://h/d")];
    maps(
        "path,url\n\"a b.html\",\"http://h/?a,b\"\nc/d.html,http://h/d\n",
        &expected,
    );
    maps(
        "URL,Path,x\r\n\"http://h/?a,b\",./a b.html,y\r\nhttp://h/d,c/d.html,z",
        &expected,
    );
    maps(
        "path\turl\na b.html\thttp://h/?a,b\nc/d.html\thttp://h/d\n",
        &expected,
    );
    let json = "{\"path\": \"a b.html\", \"url\": \"http://h/?a,b\", \"x\": 1}\n\n\
                {\"url\": \"http://h/d\", \"path\": \"c/d.html\"}";
    maps(json, &expected);
    maps(&format!("\u{feff}{json}"), &expected);
    // A quote is a character of a name in TSV.
    maps("path\turl\n\"a\thttp://h/a\n", &[("\"a", "http://h/a")]);
}

#[test]
fn the_first_line_of_a_path_counts() {
    maps(
        "path,url\na,http://h/1\nb,http://h/b\na,http://h/2\n",
        &[("a", "http://h/1"), ("b", "http://h/b")],
    );
}

/// What failed has a name in the map that did not last: the order decides which file it is.
#[test]
fn pages_that_failed_in_the_map_of_httrack() {
    let map = UrlMap::read(&include_bytes!("../../testdata/retrieval/failed/new.txt")[..]).unwrap();
    let mut wrong = Vec::new();
    for row in rows(include_str!("../../testdata/retrieval/failed/files.tsv")) {
        let [path, url, expected] = row;
        let found = match map.evidence(path.as_bytes()) {
            Some(said) => (said.says.clone(), caveats(&said)),
            None => ("-".to_owned(), String::new()),
        };
        if found != (url.to_owned(), expected.to_owned()) {
            wrong.push(format!("{row:?}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // What failed may have no file, and what was redirected has none.
    assert_eq!(url_map::unasked(&map).count(), 0);
    let guessed = url_map::guessed(&map);
    assert_eq!(guessed.len(), 4, "{guessed:?}");
    assert_eq!(guessed[0], b"127.0.0.1_8934/gone-2.html");
}

/// As HTTrack 3.49-4 wrote it, called with `-O out/mirror`.
#[test]
fn the_map_of_httrack() {
    maps(
        include_str!("../../testdata/retrieval/new.txt"),
        &[
            ("127.0.0.1_8765/index.html", "http://127.0.0.1:8765/"),
            (
                "127.0.0.1_8765/style.css",
                "http://127.0.0.1:8765/style.css",
            ),
            (
                "127.0.0.1_8765/blog/index4658.html",
                "http://127.0.0.1:8765/blog/index.html?page=2",
            ),
        ],
    );
}

/// What a redirect put below another host shows nothing, or something else, wherever it stands.
#[test]
fn the_directory_of_httrack_is_the_one_that_most_lines_show() {
    maps(
        "url\tlocalfile\n\
         http://elsewhere/a\tout/h/a.html\n\
         http://h/b\tout/h/b.html\n\
         http://h/c\tout/h/c.html\n\
         http://sub/\tout/h/sub/index.html\n",
        &[
            ("h/a.html", "http://elsewhere/a"),
            ("h/b.html", "http://h/b"),
            ("h/c.html", "http://h/c"),
            ("h/sub/index.html", "http://sub/"),
        ],
    );
    maps(
        "url\tlocalfile\n\
         http://h/a\tb/h/a.html\n\
         http://h/b\tb/h/b.html\n\
         http://b/c\ta/h/b/c.html\n",
        &[
            ("a/h/b/c.html", "http://b/c"),
            ("h/a.html", "http://h/a"),
            ("h/b.html", "http://h/b"),
        ],
    );
}

/// It escapes spaces and what is not ASCII in names, and nothing else, not even `%`. What failed has
/// a line, and no file.
#[test]
fn names_in_the_map_of_httrack() {
    let header = include_str!("../../testdata/retrieval/new.txt")
        .lines()
        .next()
        .unwrap();
    let line = |status: &str, url: &str, path: &str| {
        format!("\n00:00:00\t1/1\t---M--\t{status}\tx\ttext/html\t\thttp://{url}\tm/{path}\t")
    };
    let text = [
        header.to_owned(),
        line("200", "h/a%20b.html", "h/a%20b.html"),
        line("200", "h/caf%C3%A9", "h/caf%c3%a9.html"),
        line("200", "h/x%2520y.html", "h/x%20y.html"),
        line("404", "h/gone?x", "h/gone1234.html"),
        line("404", "h/again", "h/c.html"),
        line("200", "h/c", "h/c.html"),
        line("503", "h/again", "h/c.html"),
        line("404", "h/first", "h/never.html"),
        line("404", "h/last", "h/never.html"),
    ];
    let map = UrlMap::read(text.concat().as_bytes()).unwrap();
    let unasked: Vec<&[u8]> = url_map::unasked(&map).collect();
    assert_eq!(
        unasked,
        [
            &b"h/a%20b.html"[..],
            b"h/c.html",
            b"h/caf%c3%a9.html",
            b"h/x%20y.html"
        ]
    );
    assert_eq!(url_map::names(&map, unasked[0])[1..], [&b"h/a b.html"[..]]);
    for (path, url) in [
        ("h/a b.html", "http://h/a%20b.html"),
        ("h/café.html", "http://h/caf%C3%A9"),
        ("h/x%20y.html", "http://h/x%2520y.html"),
        ("h/c.html", "http://h/c"),
        ("h/gone1234.html", "http://h/gone?x"),
        ("h/never.html", "http://h/last"),
    ] {
        let said = |evidence: Option<UrlEvidence>| evidence.map(|it| it.says);
        assert_eq!(
            said(map.evidence(path.as_bytes())).as_deref(),
            Some(url),
            "{path}"
        );
    }
    assert_eq!(url_map::unasked(&map).count(), 0);
}

#[test]
fn what_is_no_map_is_told() {
    let error = |text: &str| UrlMap::read(text.as_bytes()).unwrap_err().to_string();
    assert!(error("").contains("no columns `path` and `url`"));
    assert!(error("a,b\n").contains("no columns"), "{}", error("a,b\n"));
    assert!(error("path,url\na,http://h/\nb\n").starts_with("line 3: "));
    let json = "{\"path\": \"a\", \"url\": \"http://b/\"}\n{\"path\": 1}\n";
    assert!(error(json).starts_with("line 2: "));
}

#[test]
fn blank_lines_may_come_before_a_map() {
    for start in ["\n", "\r\n", " \t\n", "\u{feff}\n\n"] {
        for map in [
            "path,url\na,http://h/\n",
            "path\turl\na\thttp://h/\n",
            "{\"path\": \"a\", \"url\": \"http://h/\"}\n",
        ] {
            let text = format!("{start}{map}");
            let map =
                UrlMap::read(text.as_bytes()).unwrap_or_else(|error| panic!("{text:?} {error}"));
            let said = map.evidence(b"a").map(|evidence| evidence.says);
            assert_eq!(said.as_deref(), Some("http://h/"), "{text:?}");
        }
    }
    let error = UrlMap::read(&b" \n\npath\turl\nb\n"[..])
        .unwrap_err()
        .to_string();
    assert!(error.starts_with("line 4: "), "{error}");
}

#[test]
fn a_large_map_is_found_through() {
    let mut text = "path,url\n".to_owned();
    for number in (0..100_000).rev() {
        text.push_str(&format!(
            "d{}/{number}.html,https://h/?id={number}\n",
            number % 7
        ));
    }
    let map = UrlMap::read(text.as_bytes()).unwrap();
    let said = map.evidence(b"d3/3.html").unwrap().says;
    assert_eq!(said, "https://h/?id=3");
    assert_eq!(url_map::unasked(&map).count(), 99_999);
}

proptest! {
    /// Whatever lies about in a mirror, nothing panics, and no candidate leads out of the tree.
    #[test]
    fn any_evidence_is_heard(
        path in "[a-z.:+_@?%/\\\\0-9é]{0,24}",
        target in "(https?://[h.]{1,2}(:8)?)?[a-z./%2EF?;#\\\\]{0,24}",
        head in "(<|!--|-->|saved from url=\\(|\\)| at | using monolith|Mirrored from |[a-z<>\"' ]){0,12}",
        map in "(path,url\n|path\turl\n|\\{\"path\":)?[a-z,\t\n\"{}:]{0,40}",
    ) {
        for layout in [Layout::Wget, Layout::WgetWindows, Layout::Httrack] {
            layout.evidence(path.as_bytes(), &assumptions());
            let sources = Sources::from(layout);
            let place = DocumentPlace::new(&sources, path.as_bytes(), &BaseUrl::any("https://h/a/b/"));
            for candidate in place.candidates(&target) {
                let given = path.split('/').filter(|it| *it == "..").count();
                let out = candidate.split(|&byte| byte == b'/').filter(|it| *it == b"..").count();
                prop_assert!(out <= given, "{candidate:?}");
            }
            mirror::names_a_file_of_the_tree(&sources, &path, &target, &head);
        }
        comment::all(head.as_bytes(), &Assumptions::default());
        let _ = UrlMap::read(map.as_bytes());
    }
}
