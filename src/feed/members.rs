//! JSON Feed 1.0 and 1.1: where its URLs and its HTML are.

use std::ops::Range;

use super::elements::{HTML, MEMBERS};
use super::json::{Scanner, Token, decode};
use super::model::{LabelKind, Model, Scope};
use crate::html::Wanted;
use crate::html::given::Given;
use crate::resolver::BaseUrl;

/// An object or array that is open.
struct Open {
    is_object: bool,
    /// The path of the members in it, as it is shown.
    path: String,
    /// The name of the member that is read.
    key: String,
}

/// Finds what a feed holds, which is JSON.
pub(super) fn read(feed: &Given<'_>, wanted: Wanted<'_>) -> Model {
    let json = &feed.markup()[feed.start()..];
    let start = feed.start();
    let mut model = Model::new(wanted);
    let mut open: Vec<Open> = Vec::new();
    let mut item = None;
    for token in Scanner::new(json) {
        match token {
            Token::Object | Token::Array => {
                let is_object = token == Token::Object;
                let path = open
                    .last()
                    .map_or(String::new(), |last| last.member(is_object));
                if is_object && path == "items[]" {
                    item = Some(model.item(0));
                }
                let key = String::new();
                open.push(Open {
                    is_object,
                    path,
                    key,
                });
            }
            Token::End => {
                let ended = open.pop();
                if ended.is_some_and(|ended| ended.is_object && ended.path == "items[]") {
                    item = None;
                }
            }
            Token::Key(span) => {
                if let Some(last) = open.last_mut() {
                    last.key = decode(&json[span]);
                }
            }
            Token::String(span) => {
                if let Some(last) = open.last().filter(|last| last.is_object) {
                    let spelled = &json[span.clone()];
                    let span = start + span.start..start + span.end;
                    string(&mut model, last, item, span, spelled);
                }
            }
        }
    }
    model
}

impl Open {
    /// The path of an object or an array that is the member which is read, or an element.
    fn member(&self, is_object: bool) -> String {
        let brackets = if is_object { "" } else { "[]" };
        match (self.is_object, &*self.path) {
            (true, "") => format!("{}{brackets}", self.key),
            (true, path) => format!("{path}.{}{brackets}", self.key),
            (false, path) => format!("{path}{brackets}"),
        }
    }
}

/// Takes a member of an object.
fn string(
    model: &mut Model,
    object: &Open,
    item: Option<usize>,
    span: Range<usize>,
    spelled: &[u8],
) {
    let (path, key) = (&*object.path, &*object.key);
    let mut scope = Scope {
        item,
        base: 0,
        is_content: false,
    };
    if (path, key) == ("items[]", "content_html") {
        scope.is_content = true;
        let number = model.number(scope);
        return model
            .places
            .string(&HTML, "items[].content_html", span, number);
    }
    let mut members = MEMBERS.iter();
    let found = members.find(|(of, row)| *of == path && row.attribute == key);
    let Some((_, row)) = found else { return };
    let label = if path.is_empty() { "feed" } else { path };
    let number = model.number(scope);
    model.places.string(row, label, span, number);
    match (path, key) {
        ("items[]", "url") => model.label(item, LabelKind::Link, &decode(spelled), 0),
        ("", "home_page_url") => model.label(None, LabelKind::Link, &decode(spelled), 0),
        ("", "feed_url") => {
            let url = decode(spelled);
            model.own = Some(url).filter(|url| BaseUrl::parse(url).is_ok());
        }
        _ => {}
    }
}
