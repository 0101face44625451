//! The page as html5ever reads it.

use html5ever::ParseOpts;
use html5ever::tendril::TendrilSink as _;
use html5ever::tokenizer::TokenizerOpts;
use html5ever::tree_builder::TreeBuilderOpts;
use markup5ever_rcdom::{Handle, NodeData, RcDom};

pub(super) struct Page {
    pub(super) source: String,
    pub(super) errors: Vec<String>,
    elements: Vec<Element>,
    text: String,
}

struct Element {
    name: String,
    attributes: Vec<(String, String)>,
    text: String,
}

impl Page {
    pub(super) fn parse(source: &str) -> Page {
        let options = ParseOpts {
            tokenizer: TokenizerOpts {
                exact_errors: true,
                ..TokenizerOpts::default()
            },
            tree_builder: TreeBuilderOpts {
                exact_errors: true,
                ..TreeBuilderOpts::default()
            },
        };
        let dom = html5ever::parse_document(RcDom::default(), options).one(source);
        let errors = dom.errors.borrow();
        let mut elements = Vec::new();
        collect(&dom.document, &mut elements);
        let body = elements.iter().find(|element| element.name == "body");
        Page {
            source: source.to_owned(),
            errors: errors.iter().map(ToString::to_string).collect(),
            text: body.unwrap().text.clone(),
            elements,
        }
    }

    /// All text of the body, one space where there is white space.
    pub(super) fn text(&self) -> String {
        self.text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.elements.iter().map(|element| element.name.as_str())
    }

    /// The text of each element of this name.
    pub(super) fn texts(&self, name: &str) -> Vec<String> {
        let elements = self.elements.iter().filter(|element| element.name == name);
        elements.map(|element| element.text.clone()).collect()
    }

    pub(super) fn all_attributes(&self) -> impl Iterator<Item = (&str, &str, &str)> {
        self.elements.iter().flat_map(|element| {
            let attributes = element.attributes.iter();
            attributes.map(|(name, value)| (&*element.name, &**name, &**value))
        })
    }

    /// The values of an attribute of the elements of this name, or of all.
    pub(super) fn attributes(&self, element: &str, attribute: &str) -> Vec<String> {
        let all = self.all_attributes();
        let wanted =
            all.filter(|(name, key, _)| (element == "*" || *name == element) && *key == attribute);
        wanted.map(|(.., value)| value.to_owned()).collect()
    }

    /// The edges of the cells of the picture.
    pub(super) fn cells(&self) -> Vec<[f64; 4]> {
        let cells = self.elements.iter().filter(|element| {
            let class = ("class".to_owned(), "cell".to_owned());
            element.attributes.contains(&class)
        });
        let cells = cells.map(|cell| {
            let [x, y, width, height] = ["x", "y", "width", "height"].map(|wanted| {
                let found = cell.attributes.iter().find(|(name, _)| name == wanted);
                found.unwrap().1.parse::<f64>().unwrap()
            });
            // The numbers have two digits.
            [x, y, x + width, y + height].map(|edge| (edge * 100.0).round() / 100.0)
        });
        cells.collect()
    }
}

fn collect(node: &Handle, elements: &mut Vec<Element>) -> String {
    let mut text = String::new();
    let mut own = None;
    match &node.data {
        NodeData::Element { name, attrs, .. } => {
            own = Some(elements.len());
            let attributes = attrs.borrow();
            let attributes = attributes.iter();
            elements.push(Element {
                name: name.local.to_string(),
                attributes: attributes
                    .map(|it| (it.name.local.to_string(), it.value.to_string()))
                    .collect(),
                text: String::new(),
            });
        }
        NodeData::Text { contents } => text.push_str(&contents.borrow()),
        _ => {}
    }
    for child in node.children.borrow().iter() {
        text.push_str(&collect(child, elements));
    }
    if let Some(own) = own {
        elements[own].text.clone_from(&text);
    }
    text
}
