//! What references mean that a mirroring program has made names of files.

use std::collections::HashMap;
use std::fs;
use std::sync::{Arc, Mutex};

use abslink::retrieval::{ConvertedLinks, Layout, Sources, UrlEvidence};
use abslink::{BaseUrl, Resolver};
use abslink_html::BaseSource;
use abslink_html::base::retrieval::comment;
use abslink_html::base::retrieval::mirror::{Files, KnownFile, Mirror};
use abslink_html::base::retrieval::target::DocumentPlace;

use super::assumptions;
use crate::cli::Sandbox;
use crate::support::same;
use crate::support::table::rows;

/// Paths, and what their extended attributes or a map say; elsewhere the layout speaks.
struct Tree(HashMap<&'static str, Option<&'static str>>);

fn tree() -> Tree {
    let by_layout = [
        "h/index.html",
        "h/list.html?page=2.html",
        "h/view.php.html",
        "h/view.php?id=1&b=%2F",
        "h/view.php?doc=index.html",
        "h/view.php?doc=a%2Fb.html",
        "h/load.css?file=main.css",
        "i:80/view.php?doc=index.html",
        "h/a b.html",
        "h/d/index.html",
        "h/d/deep.html",
        "i:80/a.html",
        "h/what?",
        "h/what?now",
        "h/what?.html",
        "h/what?now.html",
        "h/what?a=b",
        "outside.html",
    ];
    let recorded = [
        ("h/about.html", "http://h/about"),
        ("h/redirected", "http://h/new.html"),
        ("h/list4658.html", "http://h/list.html?page=2"),
        ("h/mapped.html", "http://h/elsewhere"),
        ("h/unknown.html", "about:internet"),
        ("h/recorded?3.html", "http://h/recorded?3"),
        ("h/recorded?", "http://h/recorded%3F"),
    ];
    let by_layout = by_layout.iter().map(|&path| (path, None));
    let recorded = recorded.iter().map(|&(path, url)| (path, Some(url)));
    Tree(by_layout.chain(recorded).collect())
}

impl Files for Tree {
    fn may_be_recorded(&self) -> bool {
        true
    }

    fn is_file(&self, path: &[u8]) -> bool {
        self.0.contains_key(std::str::from_utf8(path).unwrap())
    }

    fn known(&self, path: &[u8]) -> Option<Arc<KnownFile>> {
        let evidence = match self.0.get(std::str::from_utf8(path).unwrap())? {
            Some(url) => Some(UrlEvidence::plain(BaseSource::Xattr, url)),
            None => Layout::Wget.evidence(path, &assumptions()),
        };
        let is_there = path != b"h/mapped.html";
        let evidence = evidence.filter(|evidence| evidence.url.is_ok());
        Some(Arc::new(KnownFile { is_there, evidence }))
    }
}

#[test]
fn converted_links_mean_files() {
    let mut sources = Sources::from(Layout::Wget);
    sources.assumptions = assumptions();
    let mut wrong = Vec::new();
    for row in rows(include_str!(
        "../../../testdata/retrieval/converted-links.tsv"
    )) {
        let [links, path, reference, expected] = row[..] else {
            panic!("four columns: {row:?}");
        };
        let links = match links {
            "auto" => ConvertedLinks::Auto,
            "always" => ConvertedLinks::Always,
            _ => ConvertedLinks::Never,
        };
        let url = Layout::Wget.evidence(path.as_bytes(), &assumptions());
        let url = url.unwrap().url.unwrap();
        let resolved = Resolver::default().resolve(&url, reference).unwrap();
        let place = DocumentPlace::new(&sources, path.as_bytes(), &url);
        let mirror = Mirror::new(place, Arc::new(tree()), links, false);
        let named = mirror.named(reference, &resolved);
        let found = named.and_then(|named| named.url);
        if found.as_deref().unwrap_or("-") != expected {
            wrong.push(format!("{row:?}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A tree in which every file is, and that sees which are asked for.
#[derive(Default)]
struct Full {
    asked: Mutex<Vec<Vec<u8>>>,
    recorded: bool,
}

impl Files for Full {
    fn may_be_recorded(&self) -> bool {
        self.recorded
    }

    fn are_mapped(&self) -> bool {
        self.recorded
    }

    fn is_file(&self, _: &[u8]) -> bool {
        true
    }

    fn known(&self, path: &[u8]) -> Option<Arc<KnownFile>> {
        self.asked.lock().unwrap().push(path.to_owned());
        let evidence = Some(UrlEvidence::plain(BaseSource::Map, "http://h/"));
        let is_there = true;
        Some(Arc::new(KnownFile { is_there, evidence }))
    }
}

/// Checks that a reference names no file outside of the tree.
pub(super) fn names_a_file_of_the_tree(sources: &Sources, path: &str, reference: &str, head: &str) {
    let full = Arc::new(Full {
        recorded: true,
        ..Full::default()
    });
    for links in [ConvertedLinks::Auto, ConvertedLinks::Always] {
        let place = DocumentPlace::new(sources, path.as_bytes(), &BaseUrl::any("https://h/a/b/"));
        let mirror = Mirror::new(
            place,
            full.clone(),
            links,
            comment::is_by_httrack(head.as_bytes()),
        );
        mirror.named(reference, "https://h/a/b/c.html");
    }
    let parents = |path: &[u8]| {
        path.split(|&byte| byte == b'/')
            .filter(|it| *it == b"..")
            .count()
    };
    for asked in full.asked.lock().unwrap().iter() {
        assert!(parents(asked) <= parents(path.as_bytes()), "{asked:?}");
    }
}

/// A layout is never sure of an ending, so that no file has to be looked for.
#[test]
fn only_what_may_be_recorded_is_looked_for() {
    for recorded in [false, true] {
        let full = Arc::new(Full {
            recorded,
            ..Full::default()
        });
        let place = DocumentPlace::new(
            &Sources::default(),
            b"h/index.html",
            &BaseUrl::any("http://h/"),
        );
        let mirror = Mirror::new(place, full.clone(), ConvertedLinks::Auto, false);
        mirror.named("a.html", "http://h/a.html");
        assert_eq!(full.asked.lock().unwrap().is_empty(), !recorded);
    }
}

/// HTTrack's comment says that links were converted.
#[test]
fn pages_by_httrack_were_converted() {
    let by_httrack = b"<html><!-- Mirrored from h/ by HTTrack Website Copier/3.x [XR&CO], Fri -->";
    let sources = Sources::from(Layout::Wget);
    let named = |head: &[u8], links| {
        let place = DocumentPlace::new(
            &sources,
            b"h/index.html",
            &BaseUrl::parse("http://h/").unwrap(),
        );
        let mirror = Mirror::new(place, Arc::new(tree()), links, comment::is_by_httrack(head));
        let named = mirror.named("view.php.html", "http://h/view.php.html");
        named.and_then(|named| named.url)
    };
    let url = Some("http://h/view.php".to_owned());
    assert_eq!(named(by_httrack, ConvertedLinks::Auto), url);
    assert_eq!(named(by_httrack, ConvertedLinks::Never), None);
    assert_eq!(
        named(b"<!-- by HTTrack Website Copier -->", ConvertedLinks::Auto),
        None
    );
}

/// Pictures have no comment; those of other hosts lie in the directories of these.
#[test]
fn httrack_spells_hosts() {
    let sandbox = Sandbox::new();
    let comment = "<!-- Mirrored from h/ by HTTrack Website Copier/3.x [XR&CO'2014], Fri -->";
    sandbox.write(
        "m/h/index.html",
        &format!("{comment}<img src=a.png><img src=../i_80/b.png><img src=../i_80/gone.png>"),
    );
    sandbox.write("m/h/a.png", "");
    sandbox.write("m/i_80/b.png", "");
    let ran = sandbox.run("rewrite -q --scheme http --diff m");
    let line = "<img src=http://h/a.png><img src=http://i:80/b.png>\
                <img src=http://h/../i_80/gone.png>";
    assert!(ran.stdout.contains(line), "{}", ran.stdout);
}

/// What other programs save has such names too.
#[test]
fn only_httrack_spells_hosts() {
    let sandbox = Sandbox::new();
    let mark = "<!-- saved from url=(0009)http://h/ -->";
    sandbox.write("m/h/index.html", &format!("{mark}<img src=../i_80/b.png>"));
    sandbox.write("m/i_80/b.png", "");
    let ran = sandbox.run("rewrite -q --converted-links always --diff m");
    let line = "<img src=http://h/../i_80/b.png>";
    assert!(ran.stdout.contains(line), "{}", ran.stdout);
}

fn read(sandbox: &Sandbox, name: &str) -> String {
    fs::read_to_string(sandbox.path().join(name)).unwrap()
}

/// A mirror by `wget -k -E` of https://h/.
fn converted() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write(
        "m/h/index.html",
        "<a href='list.html%3Fpage=2.html#top'><a href=view.php.html><a href=d/index.html>\
         <a href=../i/index.html><a href=https://h/gone>\
         <iframe srcdoc='<a href=view.php.html>'></iframe>",
    );
    sandbox.write("m/h/based.html", "<base href=d/><a href=../view.php.html>");
    sandbox.write("m/h/nulled.html", "<base href=''><a href=view.php.html>");
    sandbox.write("m/h/list.html?page=2.html", "<a href=index.html>");
    sandbox.write("m/h/view.php.html", "");
    sandbox.write("m/h/d/index.html", "");
    sandbox.write("m/i/index.html", "");
    sandbox
}

#[test]
fn every_command_reads_links_alike() {
    let sandbox = converted();
    let options = "--layout wget --any-host --include index.html --exclude m/i";
    let check = sandbox.run(&format!("check {options} m"));
    assert!(
        check.stdout.contains("https://h/list.html?page=2#top"),
        "{}",
        check.stdout
    );
    let links = sandbox.run(&format!("links {options} --converted-links always m"));
    assert!(!links.stdout.contains("divergent"), "{}", links.stdout);
    for engine in ["memory", "stream"] {
        let ran = sandbox.run(&format!(
            "rewrite -q --layout wget --any-host --converted-links always --engine {engine} -o {engine} m"
        ));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let result = |name: &str| read(&sandbox, &format!("{engine}/h/{name}"));
        same(
            "index.html",
            result("index.html"),
            "<a href='https://h/list.html?page=2#top'><a href=https://h/view.php>\
             <a href=https://h/d/><a href=https://i/><a href=https://h/gone>\
             <iframe srcdoc='<a href=https://h/view.php.html>'></iframe>",
        );
        // What another base says does not start at the document's place.
        assert_eq!(
            result("based.html"),
            "<base href=https://h/d/><a href=https://h/view.php.html>"
        );
        assert_eq!(
            result("nulled.html"),
            "<base href='https://h/nulled.html'><a href=https://h/view.php>"
        );
        assert_eq!(result("list.html?page=2.html"), "<a href=https://h/>");
    }
}

/// A mirror by `wget -r` alone, whose links mean what they resolve to.
#[test]
fn kept_links_mean_what_they_resolve_to() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "m/h/wiki/index.html",
        "<a href='Are_you_there%3F'><a href='What%3F.html'><a href='What%3F-then.html#x'>",
    );
    for name in ["Are_you_there?", "What?.html", "What?-then.html"] {
        sandbox.write(&format!("m/h/wiki/{name}"), "");
    }
    let ran = sandbox.run("rewrite --layout wget --any-host -o out m");
    same(
        "out/h/wiki/index.html",
        read(&sandbox, "out/h/wiki/index.html"),
        "<a href='https://h/wiki/Are_you_there%3F'><a href='https://h/wiki/What%3F.html'>\
         <a href='https://h/wiki/What%3F-then.html#x'>",
    );
    assert!(
        !ran.stderr.contains("like names of files"),
        "{}",
        ran.stderr
    );
}

#[test]
fn what_was_read_in_part_is_told() {
    let sandbox = converted();
    let ran = sandbox.run("rewrite --dry-run --layout wget --any-host m");
    let evidence = "2 links look like names of files, as wget -k writes links\n\
                hint: --converted-links always reads all links like that\n";
    assert!(ran.stderr.contains(evidence), "{}", ran.stderr);
    let ran = sandbox.run("rewrite --dry-run --layout wget --any-host --converted-links always m");
    assert!(
        !ran.stderr.contains("like names of files"),
        "{}",
        ran.stderr
    );
}

/// One file has two URLs in trees that lie in each other, whatever was read before.
#[test]
fn trees_in_each_other_are_two() {
    let sandbox = Sandbox::new();
    sandbox.write("m/h/i/a.html", "<a href=view.php.html>");
    sandbox.write("m/h/i/view.php.html", "");
    for jobs in [1, 2] {
        let ran = sandbox.run(&format!(
            "check --layout wget --any-host --converted-links always -j {jobs} m m/h"
        ));
        for url in ["https://h/i/view.php", "https://i/view.php"] {
            assert!(ran.stdout.contains(url), "{}", ran.stdout);
        }
    }
}

#[test]
fn what_is_there_stays() {
    let sandbox = converted();
    sandbox.write(
        "m/h/index.html",
        "<a href=list.html%3Fpage=2.html><a href=../i/index.html><a href=no>",
    );
    let ran = sandbox
        .run("rewrite -q --layout wget --any-host --only-missing --converted-links always -i m");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let index = read(&sandbox, "m/h/index.html");
    assert_eq!(
        index,
        "<a href=list.html%3Fpage=2.html><a href=../i/index.html><a href=https://h/no>"
    );
}

/// No mirroring program converts the documents in a message, which need not lie beside its file.
#[test]
fn links_in_a_message_name_no_files() {
    let sandbox = converted();
    let links = "<a href=view.php.html><a href=../index.html>";
    for (name, location) in [
        ("located.mht", "Content-Location: https://h/d/page.html\n"),
        ("bare.mht", ""),
    ] {
        let message = format!("{location}Content-Type: text/html\n\n{links}");
        sandbox.write(&format!("m/h/{name}"), &message);
    }
    let options = "-q --layout wget --any-host --converted-links always";
    sandbox.run(&format!("rewrite {options} -o out m"));
    let located = read(&sandbox, "out/h/located.mht");
    let html = "<a href=https://h/d/view.php.html><a href=https://h/index.html>";
    assert!(located.ends_with(html), "{located}");
    let bare = read(&sandbox, "out/h/bare.mht");
    assert!(bare.contains("<a href=https://h/view.php.html>"), "{bare}");
    // What is there is known all the same.
    sandbox.run(&format!("rewrite {options} --only-missing -o missing m"));
    let located = read(&sandbox, "missing/h/located.mht");
    let html = "<a href=https://h/d/view.php.html><a href=../index.html>";
    assert!(located.ends_with(html), "{located}");
}

/// What `--base-url` says of one document is nothing about the others.
#[test]
fn one_document_knows_no_other() {
    let sandbox = Sandbox::new();
    sandbox.write("a.html", "<a href=b.html><a href=a.html>");
    sandbox.write("b.html", "");
    let ran = sandbox.run("rewrite -q --converted-links always -b http://h/x a.html");
    assert_eq!(
        ran.stdout,
        "<a href=http://h/b.html><a href=http://h/a.html>"
    );
}

/// A map knows files that are not there, and says so; what leads to them is missing.
#[test]
fn a_map_knows_what_is_not_there() {
    let sandbox = Sandbox::new();
    sandbox.write("m/h/a.html", "<a href='b2.html'>");
    sandbox.write(
        "map.csv",
        "path,url\nh/a.html,http://h/a\nh/b2.html,http://h/b?c=2\n",
    );
    let options = "--url-map map.csv --converted-links always";
    let ran = sandbox.run(&format!("rewrite {options} --only-missing -o out m"));
    assert_eq!(read(&sandbox, "out/h/a.html"), "<a href='http://h/b?c=2'>");
    assert!(
        ran.stderr
            .contains("warning: the URL map names 1 file that does not exist\n"),
        "{}",
        ran.stderr
    );
    // Files that were named themselves, with a map that names them as they were.
    sandbox.write(
        "map.csv",
        "path,url\nm/h/a.html,http://h/a\nm/h/b2.html,http://h/b?c=2\n",
    );
    let ran = sandbox.run(&format!("rewrite -q {options} ./m/h/a.html"));
    assert_eq!(ran.stdout, "<a href='http://h/b?c=2'>", "{}", ran.stderr);
}

/// HTTrack writes no comment into pages without `<html>`, but its map lists them.
#[test]
fn pages_in_the_map_of_httrack_were_converted() {
    let sandbox = Sandbox::new();
    let comment = "<!-- Mirrored from h/ by HTTrack Website Copier/3.x [XR&CO'2014], Fri -->";
    let page = "<p><a href=list4658.html?page=2#f><a href=index.html>";
    sandbox.write("m/h/index.html", &format!("<html>{comment}{page}"));
    sandbox.write("m/h/list4658.html", page);
    sandbox.write("m/h/else.html", page);
    sandbox.write(
        "m/hts-cache/new.txt",
        "URL\tlocalfile\nhttp://h/\tm/h/index.html\nhttp://h/list?page=2\tm/h/list4658.html\n",
    );
    let map = "--root m --url-map m/hts-cache/new.txt";
    let links = |options: &str, file: &str| {
        let ran = sandbox.run(&format!("links -q {options} {file}"));
        let of_line = |line: &str| {
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            line["absolute"].as_str().unwrap_or("none").to_owned()
        };
        ran.stdout.lines().map(of_line).collect::<Vec<_>>()
    };
    let meant = ["http://h/list?page=2#f", "http://h/"];
    for file in ["m/h/index.html", "m/h/list4658.html"] {
        assert_eq!(links(map, file), meant, "{file}");
    }
    let as_they_are = ["http://h/list4658.html?page=2#f", "http://h/index.html"];
    let never = format!("{map} --converted-links never");
    assert_eq!(links(&never, "m/h/list4658.html"), as_they_are);
    // A page that it does not list is not HTTrack's.
    let by_url = format!("{map} -b http://h/ --root m/h");
    assert_eq!(
        links(&by_url.replacen("--root m ", "", 1), "m/h/else.html"),
        as_they_are
    );
    // Its layout says so too.
    let by_layout = "--layout httrack --any-host --scheme http --root m --url-from layout";
    assert_eq!(
        links(by_layout, "m/h/list4658.html"),
        [as_they_are[0], meant[1]]
    );
}

/// `wget -nH`: the names of files have the query, where no directory has the host.
#[test]
fn names_below_a_url_are_read_as_wget_writes_them() {
    let sandbox = Sandbox::new();
    let page = "<a href=list?page=2><a href=list%3Fpage=3.html><a href=#f><a href=''>";
    sandbox.write("m/list?page=2", page);
    sandbox.write("m/list?page=3.html", "");
    let rewritten = |links: &str| {
        let options = "-b http://h/d --detect html -q --diff m";
        let ran = sandbox.run(&format!("rewrite {links} {options}"));
        let changed = ran.stdout.lines().find(|line| line.starts_with("+<"));
        changed.unwrap_or_default().to_owned()
    };
    same(
        "with --converted-links always",
        rewritten("--converted-links always"),
        "+<a href=http://h/d/list?page=2><a href=\"http://h/d/list?page=3\">\
         <a href=\"http://h/d/list?page=2#f\"><a href='http://h/d/list?page=2'>",
    );
    assert!(rewritten("").contains("<a href=\"http://h/d/list?page=3\">"));
    let never = rewritten("--converted-links never");
    assert!(never.contains("<a href=http://h/d/list%3Fpage=3.html>"));
}
