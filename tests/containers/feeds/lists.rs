//! Sitemaps and OPML: a second reader of testdata/lists.tsv, and which files are taken.

use roxmltree::{Document, Node};
use url::Url;

use super::{LISTS, rows_of};
use crate::cli::Sandbox;

const SITEMAP: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

/// What stands around the rows of testdata/lists.tsv.
pub(super) fn around(name: &str) -> [String; 2] {
    let sitemap = |root: &str| {
        format!(
            "<{root} xmlns='{SITEMAP}' xmlns:xhtml='http://www.w3.org/1999/xhtml' \
             xmlns:image='http://www.google.com/schemas/sitemap-image/1.1' \
             xmlns:video='http://www.google.com/schemas/sitemap-video/1.1' \
             xmlns:news='http://www.google.com/schemas/sitemap-news/0.9' \
             xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' \
             xsi:schemaLocation='{SITEMAP} sitemap.xsd'>{{}}</{root}>\n"
        )
    };
    let opml = |inside: &str| format!("<opml version='2.0'>{inside}</opml>\n");
    let text = match name {
        "sitemap" | "sitemap wide" => sitemap("urlset"),
        "sitemap entity" => format!("<!DOCTYPE urlset [<!ENTITY e 'x'>]>{}", sitemap("urlset")),
        "prolog sitemap" => format!("{{}}{}", sitemap("urlset").replace("{}", "")),
        "index" => sitemap("sitemapindex"),
        "prefixed" => format!("<s:urlset xmlns:s='{SITEMAP}'>{{}}</s:urlset>"),
        "google" => {
            "<urlset xmlns='http://www.google.com/schemas/sitemap/0.84'>{}</urlset>".to_owned()
        }
        "opml" | "opml wide" => opml("<head/><body>{}</body>"),
        "opmlhead" => opml("<head>{}</head><body/>"),
        "opmlns" => "<opml xmlns='http://opml.org/spec2'><body>{}</body></opml>".to_owned(),
        other => panic!("nothing is called {other}"),
    };
    [text.clone(), text]
}

/// Whether this is the place of a URL: the text of an element, or one of its attributes.
fn is_place(node: Node<'_, '_>, attribute: Option<&str>) -> bool {
    let name = node.tag_name();
    let (space, name) = (name.namespace().unwrap_or_default(), name.name());
    let place = (
        space.rsplit_once('/').map_or("", |it| it.1),
        name,
        attribute,
    );
    match place {
        _ if space.contains("sitemap-video") && attribute.is_none() => name.ends_with("_loc"),
        _ if space.contains("sitemap-image") && attribute.is_none() => {
            ["loc", "license"].contains(&name)
        }
        _ if space.contains("sitemap-video") => name == "uploader" && attribute == Some("info"),
        ("0.9" | "0.84", "loc", None) => true,
        ("xhtml" | "xhtml11_schema.html", "link", Some("href")) => true,
        (_, "outline", Some("xmlUrl" | "htmlUrl" | "url")) => space != "urn:x",
        _ => false,
    }
}

/// Each URL of an element, its attributes and what is in it, with whether it is in a place.
fn texts(document: &Document<'_>) -> Vec<(String, bool)> {
    let mut texts = Vec::new();
    for node in document.descendants() {
        if node.is_element() {
            texts.extend(node.attributes().map(|attribute| {
                let name = attribute.namespace().is_none().then_some(attribute.name());
                let is_place = name.is_some_and(|name| is_place(node, Some(name)));
                (attribute.value().to_owned(), is_place)
            }));
        } else {
            let parent = node.parent().filter(Node::is_element);
            let is_place = node.is_text() && parent.is_some_and(|parent| is_place(parent, None));
            texts.push((node.text().unwrap_or_default().to_owned(), is_place));
        }
    }
    texts
}

/// roxmltree finds what it found before, with the targets that the crate `url` tells; and nothing else has
/// changed.
#[test]
fn a_second_reader_finds_the_same_targets() {
    let own = Url::parse("https://e.org/b/f.xml").unwrap();
    let mut changed = 0;
    for row in rows_of(LISTS) {
        let is_other = |option: &String| option == "--skip" || option == "--attr";
        let is_all = row.code == 0 && !row.options.iter().any(is_other);
        if !is_all || row.before.starts_with(b"\xff") {
            continue;
        }
        let [before, after] = [&row.before, &row.after].map(|it| std::str::from_utf8(it).unwrap());
        let [old, new] = [before, after].map(|it| texts(&Document::parse(it).unwrap()));
        assert_eq!(old.len(), new.len(), "{}", row.name);
        for ((was, is_place), (is, _)) in old.iter().zip(&new) {
            let (trimmed, shown) = (was.trim(), &row.name);
            if !is_place || trimmed.is_empty() {
                assert_eq!(was, is, "{shown}");
                continue;
            }
            assert_eq!(Url::parse(is.trim()), own.join(trimmed), "{shown}");
            changed += usize::from(was != is);
        }
    }
    assert!(changed > 20, "{changed}");
}

/// The second reader finds a fault in each kind of place, and the file is left.
#[cfg(debug_assertions)]
#[test]
fn a_fault_is_found() {
    let sandbox = Sandbox::new();
    let sitemap =
        around("sitemap")[0].replace("{}", "<url><loc>/p</loc><lastmod>1</lastmod></url>");
    let opml = around("opml")[0].replace("{}", "<outline xmlUrl='/f' text='t'/>");
    for (list, fault) in [
        (&sitemap, "e.org/p=>e.org/q"),
        (&sitemap, "<lastmod>1=><lastmod>2"),
        (&sitemap, "sitemap.xsd=>sitemap.xsx"),
        (&opml, "e.org/f=>e.org/g"),
        (&opml, "text='t'=>text='u'"),
    ] {
        sandbox.finds_fault("f.xml", list, "https://e.org/", fault);
    }
}
