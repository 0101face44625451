//! Where the references of a document lead from where it lies, on a disk or on a server: found by html5ever
//! and [`places`], resolved by the url crate.

use std::fs;
use std::path::{Path, PathBuf};

use html5ever::ns;
use markup5ever_rcdom::{NodeData, RcDom};
use url::Url;

use super::decode::encoding;
use super::places::{self, Grammar, Piece};
use super::trees::{
    embedded_base, parent_name, parse, parse_without_scripting, pre_step, qualified,
    template_contents,
};

/// A reference of a document.
#[derive(Debug)]
pub(crate) struct Lead {
    /// The element and the attribute, or the element whose text it is in.
    pub(crate) place: String,
    pub(crate) reference: String,
    /// Nothing where the url crate finds no URL.
    pub(crate) target: Option<Url>,
}

impl Lead {
    /// The file that it leads to, if it leads to a disk.
    pub(crate) fn file(&self) -> Option<PathBuf> {
        let target = self.target.as_ref()?;
        (target.scheme() == "file").then(|| target.to_file_path().unwrap())
    }

    /// Whether a template fills it.
    pub(crate) fn is_of_template(&self) -> bool {
        self.reference.contains("{{")
    }
}

/// The references of a document at a URL, in order, but for the one of `base`.
pub(crate) fn leads(bytes: &[u8], url: &Url) -> Vec<Lead> {
    let text = encoding(bytes).decode(bytes).0;
    let mut found = Vec::new();
    document(&text, url, &mut found);
    found
}

/// The same of a file.
pub(crate) fn leads_of(file: &Path) -> Vec<Lead> {
    leads(
        &fs::read(file).unwrap(),
        &Url::from_file_path(file).unwrap(),
    )
}

/// Every file below a directory, links to elsewhere not followed.
pub(crate) fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = walkdir::WalkDir::new(directory).sort_by_file_name();
    let entries = entries.into_iter().map(Result::unwrap);
    let files = entries.filter(|entry| entry.file_type().is_file());
    files.map(walkdir::DirEntry::into_path).collect()
}

fn document(text: &str, url: &Url, found: &mut Vec<Lead>) {
    let dom = parse(text);
    let base = embedded_base(&dom).and_then(|href| url.join(&pre_step(&href)).ok());
    walk(&dom, base.as_ref().unwrap_or(url), found);
}

fn walk(dom: &RcDom, base: &Url, found: &mut Vec<Lead>) {
    let mut open = vec![dom.document.clone()];
    while let Some(node) = open.pop() {
        match &node.data {
            NodeData::Element { name, attrs, .. } => {
                let attrs = attrs.borrow();
                let element = name.local.to_string().to_ascii_lowercase();
                let is_base = element == "base" && name.ns == ns!(html);
                let known = places::Element {
                    namespace: &name.ns,
                    name: &element,
                    also: &[],
                    attribute: &|wanted| {
                        let mut attrs = attrs.iter();
                        let found = attrs.find(|it| &*it.name.local == wanted)?;
                        Some(found.value.to_ascii_lowercase())
                    },
                };
                for attr in attrs.iter().filter(|_| !is_base) {
                    let attribute = qualified(&attr.name);
                    let Some(grammar) = places::grammar(&known, &attribute) else {
                        continue;
                    };
                    match grammar {
                        Grammar::Srcdoc => document(&attr.value, base, found),
                        grammar => {
                            let place = format!("{element} {attribute}");
                            value(&place, &attr.value, grammar, base, found);
                        }
                    }
                }
                open.extend(template_contents(&node));
            }
            NodeData::Text { contents } => match parent_name(&node).as_deref() {
                Some("style") => value("style", &contents.borrow(), Grammar::Css, base, found),
                Some("noscript" | "noframes") => {
                    walk(&parse_without_scripting(&contents.borrow()), base, found);
                }
                _ => {}
            },
            _ => {}
        }
        open.extend(node.children.borrow().iter().rev().cloned());
    }
}

fn value(place: &str, text: &str, grammar: Grammar, base: &Url, found: &mut Vec<Lead>) {
    for piece in places::pieces(text, grammar) {
        let reference = match piece {
            Piece::Url(reference) => reference,
            // A fragment alone, which stays in the document.
            Piece::Text(_) => continue,
        };
        let target = base.join(&pre_step(&reference)).ok();
        let place = place.to_owned();
        found.push(Lead {
            place,
            reference,
            target,
        });
    }
}

#[test]
fn references_lead_from_where_a_document_lies() {
    let page = b"<base href=d/><a href=x#y><img srcset='a 1x, /b 2x'><p style='a:url(c)'><iframe srcdoc='<a href=e>'>\
                 </iframe><noscript><img src=f></noscript><style>@import 'g';</style><svg><use href='#h'/></svg>";
    let found = leads(page, &Url::parse("https://e.org/p").unwrap());
    let found = found.iter().map(|it| it.target.as_ref().unwrap().as_str());
    let paths = ["d/x#y", "d/a", "b", "d/c", "d/e", "d/f", "d/g"];
    let expected = paths.map(|path| format!("https://e.org/{path}"));
    assert_eq!(found.collect::<Vec<_>>(), expected);
}
