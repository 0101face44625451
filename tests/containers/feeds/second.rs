//! Second readers, roxmltree for XML and serde_json for JSON Feed, find in each generated feed the same
//! elements and members before and after, with the same targets, which the crate `url` tells from
//! `xml:base`, the item's link and the feed's URL. After, no base URL is needed.

use abslink::{Context, Settings, feed};
use roxmltree::{Document, Node};
use serde_json::Value;
use url::Url;

use super::generated::{self, OWN};
use crate::oracle::browser;

/// References in their order: what they stand in, what they say, and what that means.
#[derive(Default)]
struct Targets(Vec<(String, String, Url)>);

impl Targets {
    /// What asks for no URL is passed over.
    fn add(&mut self, place: &str, reference: &str, base: &Url) {
        if !reference.trim().is_empty() {
            let target = base.join(reference).unwrap();
            self.0
                .push((place.to_owned(), reference.to_owned(), target));
        }
    }

    fn add_html(&mut self, text: &str, base: &Url) {
        for tag in browser::parse(text).tags {
            for (name, value) in &tag.attributes {
                if matches!(&**name, "href" | "src" | "cite") {
                    self.add(&format!("{} {name}", tag.name), value, base);
                }
            }
        }
    }

    fn of(feed: &str) -> Targets {
        let mut targets = Targets::default();
        match serde_json::from_str::<Value>(feed) {
            Ok(feed) => targets.add_json(&feed),
            Err(_) => targets.add_xml(Document::parse(feed).unwrap().root_element()),
        }
        targets
    }

    fn add_json(&mut self, feed: &Value) {
        let own = Url::parse(OWN).unwrap();
        for item in feed["items"].as_array().unwrap() {
            let text = |name: &str| item[name].as_str().unwrap();
            let base = own.join(text("url")).unwrap();
            self.add("url", text("url"), &own);
            self.add_html(text("content_html"), &base);
            self.add("image", text("image"), &own);
        }
    }

    fn add_xml(&mut self, feed: Node<'_, '_>) {
        let own = Url::parse(OWN).unwrap();
        let items = feed.descendants();
        for item in items.filter(|node| matches!(node.tag_name().name(), "item" | "entry")) {
            let embedded = item.attribute(("http://www.w3.org/XML/1998/namespace", "base"));
            let of_feed = own.join(embedded.unwrap_or_default()).unwrap();
            let is_label = |node: &Node<'_, '_>| {
                node.tag_name().name() == "link" && node.attribute("rel").is_none()
            };
            let label = item.children().find(is_label).unwrap();
            let page = match label.attribute("href") {
                Some(href) => href.to_owned(),
                None => text(label),
            };
            let base = match embedded {
                Some(_) => of_feed.clone(),
                None => own.join(page.trim()).unwrap(),
            };
            self.add("xml:base", embedded.unwrap_or_default(), &own);
            for element in item.descendants().filter(Node::is_element) {
                let name = element.tag_name().name();
                match name {
                    "description" | "encoded" | "content" => self.add_html(&text(element), &base),
                    "link" | "comments" => self.add(name, text(element).trim(), &of_feed),
                    _ => {}
                }
                let outer = if name == "a" { &base } else { &of_feed };
                for attribute in ["href", "url"] {
                    let value = element.attribute(attribute);
                    // An empty `href` of Atom is a reference to the base URL.
                    let value = match value.unwrap_or_default() {
                        "" if name == "link" && value.is_some() => outer.as_str(),
                        value => value,
                    };
                    self.add(name, value, outer);
                }
            }
        }
    }
}

/// All text in an element, as one.
fn text(element: Node<'_, '_>) -> String {
    let texts = element.descendants().filter(Node::is_text);
    texts.filter_map(|node| node.text()).collect()
}

#[test]
fn second_readers_find_the_same_targets() {
    let context = Context::retrieved_from(OWN).unwrap();
    let settings = Settings::default();
    let mut changed = 0;
    for seed in 0..1_500 {
        let old = generated::any_feed(seed);
        let new = feed::rewrite(old.as_bytes(), &context, &settings, Default::default());
        let new = std::str::from_utf8(&new.document).unwrap();
        let (old, new) = (Targets::of(&old), Targets::of(new));
        assert_eq!(old.0.len(), new.0.len(), "seed {seed}");
        for ((place, was, before), (also, is, after)) in old.0.iter().zip(&new.0) {
            assert_eq!(
                (place, before),
                (also, after),
                "seed {seed}: {was} became {is}"
            );
            let alone = Url::parse(is);
            assert_eq!(alone.as_ref(), Ok(after), "seed {seed}: {was} became {is}");
            changed += usize::from(was != is);
        }
    }
    assert!(changed > 5_000, "{changed}");
}
