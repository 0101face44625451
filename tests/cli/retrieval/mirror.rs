//! What references mean that a mirroring program has made names of files.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use abslink::retrieval::{ConvertedLinks, Layout, Sources, UrlEvidence};
use abslink::{BaseUrl, Resolver};
use abslink_html::BaseSource;
use abslink_html::base::retrieval::comment;
use abslink_html::base::retrieval::mirror::{Files, KnownFile, Mirror};
use abslink_html::base::retrieval::target::DocumentPlace;

use super::assumptions;
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
        let [links, path, reference, expected] = row;
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
