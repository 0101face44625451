//! What the kinds of evidence are asked for, and what the links of a document show about its URL.

use std::sync::Mutex;

use super::confirmation::Confirmation;
use super::mirror::{ConvertedLinks, Files, KnownFile, Mirror};
use super::target::DocumentPlace;
use super::tree::Tree;
use super::*;

/// A map with one line, made by HTTrack or by hand.
fn map(by_httrack: bool) -> Arc<UrlMap> {
    let column = if by_httrack { "localfile" } else { "path" };
    let text = format!("url\t{column}\nhttp://h.org/mapped\th.org/a.html\n");
    Arc::new(UrlMap::read(text.as_bytes()).unwrap())
}

fn tree() -> Layout {
    Layout::Tree(Tree::new("http://h.org/", &["index.html".to_owned()]).unwrap())
}

/// Sources that count in this order, with a layout and a map.
fn sources(order: &[BaseSource], layout: Layout, map: Arc<UrlMap>) -> Sources {
    Sources {
        order: order.to_vec(),
        layout: Some(layout),
        map: Some(map),
        ..Sources::default()
    }
}

#[test]
fn a_layout_alone_says_the_url() {
    let sources = Sources::from(Layout::Wget);
    let url = |path: &'static str| {
        let evidence = Evidence {
            path: path.as_bytes(),
            head: b"<!-- saved from url=(0009)http://x/ -->",
            ..Evidence::default()
        };
        let retrieval = sources.retrieval(&evidence)?;
        Some((retrieval.url.as_str().to_owned(), retrieval.source))
    };
    let by_layout = ("https://h.org/a.html".to_owned(), BaseSource::Layout);
    assert_eq!(url("h.org/a.html"), Some(by_layout));
    assert_eq!(url("no-host/a.html"), None);
}

#[test]
fn what_does_not_count_is_not_read() {
    let asked = |sources: &Sources| BaseSource::OF_RETRIEVAL.map(|kind| sources.asks_for(kind));
    let mut sources = Sources::default();
    assert_eq!(asked(&sources), [false, true, true, false, true]);
    sources.complete = true;
    assert_eq!(asked(&sources), [true; 5]);
}

/// A tree has the names of the URLs, and so have files without a layout.
#[test]
fn mirrors_whose_files_have_other_names() {
    use crate::base::BaseSource::{Comment, Layout as ByLayout, Map, Xattr};
    for (order, layout, renamed, recorded) in [
        // An original of `wget -K` beside a file may say so.
        (&[ByLayout][..], Layout::Wget, true, true),
        (&[ByLayout], Layout::Httrack, true, false),
        (&[ByLayout], tree(), false, false),
        (&[], Layout::Wget, false, false),
        (&[Xattr], tree(), true, true),
        (&[Comment], tree(), true, true),
        (&[Map], tree(), true, true),
    ] {
        let sources = sources(order, layout, map(true));
        let shown = format!("{order:?} {:?}", sources.layout);
        assert_eq!(sources.may_be_renamed(), renamed, "{shown}");
        assert_eq!(sources.may_be_recorded(), recorded, "{shown}");
    }
    let no_map = Sources {
        map: None,
        ..sources(&[Map], tree(), map(true))
    };
    assert!(!no_map.may_be_recorded());
}

#[test]
fn only_a_map_by_httrack_names_every_file() {
    use crate::base::BaseSource::{Layout as ByLayout, Map};
    for (order, by_httrack, expected) in [
        (&[Map][..], true, true),
        (&[Map], false, false),
        (&[ByLayout], true, false),
    ] {
        let sources = sources(order, Layout::Httrack, map(by_httrack));
        assert_eq!(sources.are_mapped(), expected, "{order:?} {by_httrack}");
    }
}

/// wget names files by the URLs that were asked for. HTTrack does not, and neither do people.
#[test]
fn links_confirm_only_what_wget_named() {
    let wants = |layout: Layout, source| {
        let retrieval = Retrieval {
            url: BaseUrl::any("http://h.org/a.html"),
            source,
            is_guess: false,
        };
        Sources::from(layout).wants_confirmation(&retrieval)
    };
    assert!(wants(Layout::Wget, BaseSource::Layout));
    assert!(wants(Layout::WgetWindows, BaseSource::Layout));
    assert!(!wants(Layout::Httrack, BaseSource::Layout));
    assert!(!wants(tree(), BaseSource::Layout));
    assert!(!wants(Layout::Wget, BaseSource::Xattr));
}

/// An attribute that records the page's own name does not contradict its directory's URL.
#[test]
fn the_index_of_a_directory_has_two_urls() {
    let assumptions = Assumptions {
        index: vec!["index.html".to_owned()],
        ..Assumptions::default()
    };
    for layout in [tree(), Layout::Wget, Layout::Httrack] {
        let page = layout.evidence(b"h.org/index.html", &assumptions).unwrap();
        let directory = page.says.clone();
        assert!(directory.ends_with("h.org/"), "{directory}");
        for (url, agrees) in [
            (format!("{directory}index.html"), true),
            (directory.clone(), true),
            (format!("{directory}other.html"), false),
        ] {
            let recorded = UrlEvidence::plain(BaseSource::Xattr, &url);
            assert_eq!(page.agrees_with(&recorded), agrees, "{url}");
        }
    }
}

/// The files of a mirror, and which were asked for.
#[derive(Default)]
struct Asked {
    there: Vec<&'static str>,
    are_mapped: bool,
    asked: Mutex<Vec<String>>,
}

impl Files for Asked {
    fn are_mapped(&self) -> bool {
        self.are_mapped
    }

    fn is_file(&self, path: &[u8]) -> bool {
        let path = String::from_utf8_lossy(path).into_owned();
        let found = self.there.contains(&&*path);
        self.asked.lock().unwrap().push(path);
        found
    }

    fn known(&self, path: &[u8]) -> Option<Arc<KnownFile>> {
        let is_there = self.is_file(path);
        is_there.then(|| {
            let evidence = None;
            Arc::new(KnownFile { is_there, evidence })
        })
    }
}

/// The mirror around `h.org/d/a.html`, and its files.
fn mirror(files: Asked, links: ConvertedLinks) -> (Mirror, Arc<Asked>) {
    let files = Arc::new(files);
    let url = BaseUrl::any("http://h.org/d/a.html");
    let place = DocumentPlace::new(&Sources::from(Layout::Wget), b"h.org/d/a.html", &url);
    let mirror = Mirror::new(place, files.clone(), links, false);
    (mirror, files)
}

#[test]
fn only_some_documents_have_links_that_confirm() {
    let (mut mirror, _) = mirror(Asked::default(), ConvertedLinks::Auto);
    assert!(Confirmation::wanted(&mirror).is_none());
    mirror.wants_confirmation = true;
    assert!(Confirmation::wanted(&mirror).is_some());
    assert!(Confirmation::wanted(&mirror.with_links_as_served()).is_none());
}

/// These references mean the same wherever the document is.
#[test]
fn some_references_confirm_nothing() {
    let (mirror, files) = mirror(Asked::default(), ConvertedLinks::Auto);
    let mut confirmation = Confirmation::default();
    for reference in [
        "http:x",
        "//i/x",
        "http://i/x",
        "/x",
        "?q",
        "#f",
        ";p",
        "",
        "//i",
    ] {
        confirmation.ask(&mirror, reference, "http://h.org/d/x");
    }
    assert!(files.asked.lock().unwrap().is_empty());
    assert!(!confirmation.is_missing());
    confirmation.ask(&mirror, "x", "http://h.org/d/x");
    assert!(confirmation.is_missing());
}

#[test]
fn the_first_file_that_is_found_confirms() {
    let there = vec!["h.org/d/there", "h.org/x"];
    let files = Asked {
        there,
        ..Asked::default()
    };
    let (mirror, files) = mirror(files, ConvertedLinks::Auto);
    let number = || files.asked.lock().unwrap().len();
    let mut confirmation = Confirmation::default();
    confirmation.ask(&mirror, "../x", "http://h.org/x");
    let climbed = number();
    confirmation.ask(&mirror, "../y", "http://h.org/y");
    assert_eq!(number(), climbed, "one that climbs was found");
    confirmation.ask(&mirror, "gone", "http://h.org/d/gone");
    assert!(confirmation.is_missing(), "a name counts for more");
    confirmation.ask(&mirror, "there", "http://h.org/d/there");
    assert!(!confirmation.is_missing());
    let found = number();
    for reference in ["gone", "../x"] {
        confirmation.ask(&mirror, reference, "http://h.org/d/gone");
    }
    assert_eq!(number(), found, "nothing is left to ask");
}

#[test]
fn no_document_is_asked_for_all_of_its_links() {
    let (mirror, files) = mirror(Asked::default(), ConvertedLinks::Auto);
    let mut confirmation = Confirmation::default();
    for _ in 0..100 {
        confirmation.ask(&mirror, "gone.html", "http://h.org/d/gone.html");
    }
    let asked = files.asked.lock().unwrap();
    let pages = asked.iter().filter(|path| *path == "h.org/d/gone.html");
    assert_eq!(pages.count(), 32);
}

/// What the map should have and does not is a guess; without a map there is nothing better.
#[test]
fn a_converted_link_is_a_guess_where_a_map_names_the_files() {
    for are_mapped in [false, true] {
        let files = Asked {
            there: vec!["h.org/d/b.html"],
            are_mapped,
            ..Asked::default()
        };
        let (mirror, _) = mirror(files, ConvertedLinks::Always);
        let named = mirror.named("b.html", "http://h.org/d/b.html").unwrap();
        assert_eq!((named.url, named.is_there), (None, true));
        assert_eq!(named.is_guess, are_mapped);
    }
}
