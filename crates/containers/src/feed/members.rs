//! JSON Feed 1.0 and 1.1: where its URLs and its HTML are.

use std::ops::Range;

use super::elements::{HTML, MEMBERS};
use super::model::{LabelKind, Model, Scope};
use abslink_html::Wanted;
use abslink_html::document_bytes::DocumentBytes;
use abslink_html::json::{Scanner, Token, decode};
use abslink_url::{BaseUrl, pre_step};

/// An object or array that is open.
struct Open {
    is_object: bool,
    /// The path of the members in it, as it is shown; `None` where none of them matters. No longer one is
    /// put together: a file may nest what it likes below names of any length.
    path: Option<&'static str>,
    /// The name of the member that is read.
    key: String,
}

/// Finds what a feed holds, which is JSON.
pub(super) fn read(feed: &DocumentBytes<'_>, wanted: Wanted<'_>) -> Model {
    let json = &feed.markup()[feed.start()..];
    let start = feed.start();
    let mut model = Model::new(wanted);
    let mut open: Vec<Open> = Vec::new();
    let mut item = None;
    for token in Scanner::new(json) {
        match token {
            Token::Object | Token::Array => {
                let is_object = token == Token::Object;
                let path = open.last().map_or(Some(""), |last| last.member(is_object));
                if is_object && path == Some("items[]") {
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
                if ended.is_some_and(|ended| ended.is_object && ended.path == Some("items[]")) {
                    item = None;
                }
            }
            Token::Key(span) => {
                if let Some(last) = open.last_mut() {
                    last.key = decode(&json[span]);
                }
            }
            Token::String(span) => {
                if let Some(last) = open.last().filter(|last| last.is_object)
                    && let Some(path) = last.path
                {
                    let spelled = &json[span.clone()];
                    let span = start + span.start..start + span.end;
                    string(&mut model, (path, &last.key), item, span, spelled);
                }
            }
        }
    }
    model
}

impl Open {
    /// The path of an object or an array that is the member which is read, or an element.
    fn member(&self, is_object: bool) -> Option<&'static str> {
        let outer = self.path?;
        if !self.is_object {
            return is_object.then_some(outer);
        }
        let mut paths = MEMBERS.iter().map(|(path, _)| *path);
        paths.find(|path| {
            let inner = match outer {
                "" => Some(*path),
                _ => (path.strip_prefix(outer)).and_then(|inner| inner.strip_prefix('.')),
            };
            let inner = inner.filter(|inner| !inner.is_empty() && !inner.contains('.'));
            inner.is_some_and(|inner| match inner.strip_suffix("[]") {
                Some(inner) => !is_object && inner == self.key,
                None => is_object && inner == self.key,
            })
        })
    }
}

/// Takes a member of an object, by the object's path and its own name.
fn string(
    model: &mut Model,
    (path, key): (&'static str, &str),
    item: Option<usize>,
    span: Range<usize>,
    spelled: &[u8],
) {
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
        ("items[]", "url") => model.label(item, LabelKind::Link, Some(&decode(spelled)), 0),
        ("", "home_page_url") => model.label(None, LabelKind::Link, Some(&decode(spelled)), 0),
        ("", "feed_url") => {
            let url = pre_step(&decode(spelled)).into_owned();
            model.own = Some(url).filter(|url| BaseUrl::parse(url).is_ok());
        }
        _ => {}
    }
}
