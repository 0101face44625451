//! JSON Feed 1.0 and 1.1, web app manifests, and speculation rules in files of their own: where the URLs and
//! the HTML are.

use std::ops::Range;
use std::sync::LazyLock;

use super::elements::{HTML, IDENTIFIER, url};
use super::model::{LabelKind, Model, Scope, XmlBase};
use super::root::Dialect;
use abslink_html::given_places::DocumentBytes;
use abslink_html::json::{Scanner, Token, decode};
use abslink_html::shared::Delimiter;
use abslink_html::{Row, Wanted};
use abslink_url::{BaseUrl, pre_step};

/// The format, the path of an object, and a member of it that is a URL.
static MEMBERS: LazyLock<Vec<(&str, &str, Row)>> = LazyLock::new(|| {
    let lines = include_str!("members.tsv").lines();
    let rows = lines
        .filter(|line| !line.starts_with('#'))
        .flat_map(|line| {
            let mut cells = line.split('\t');
            let mut next = || cells.next().unwrap_or_default();
            let (format, path, names) = (next(), next(), next());
            names.split(' ').map(move |name| (format, path, url(name)))
        });
    rows.collect()
});

/// The implied bases of a manifest: its `start_url`, and the origin of that, which its `id` is relative to.
const START: usize = 1;
const ORIGIN: usize = 2;

/// Reads JSON token by token.
struct JsonReader<'r> {
    json: &'r [u8],
    /// Where it begins in the document.
    start: usize,
    dialect: Dialect,
    /// What [`MEMBERS`] calls the format.
    format: &'static str,
    open: Vec<OpenValue>,
    /// How many are open further in, where nothing matters: a hostile file may have millions.
    passed: usize,
    /// The item that is open.
    item: Option<usize>,
    /// The places of the speculation rule that is open, and whether it says `"relative_to": "document"`.
    rule: (Vec<usize>, bool),
    model: Model,
}

/// An object or array that is open.
struct OpenValue {
    is_object: bool,
    /// The path of the members in it, as it is shown. No longer one is put together: a file may nest what it
    /// likes below names of any length.
    path: &'static str,
    /// The name of the member that is read.
    key: String,
}

/// Finds what a feed holds, which is JSON.
pub(super) fn read(feed: &DocumentBytes<'_>, dialect: Dialect, wanted: Wanted<'_>) -> Model {
    let start = feed.start();
    let mut reader = JsonReader {
        json: &feed.markup()[start..],
        start,
        dialect,
        format: match dialect {
            Dialect::Manifest => "manifest",
            Dialect::SpeculationRules => "rules",
            _ => "feed",
        },
        open: Vec::new(),
        passed: 0,
        item: None,
        rule: Default::default(),
        model: Model::new(wanted, true),
    };
    if dialect == Dialect::Manifest {
        reader.imply(0, "");
        reader.imply(START, "/");
    }
    for token in Scanner::new(reader.json) {
        reader.token(token);
    }
    reader.model
}

impl JsonReader<'_> {
    fn imply(&mut self, outer: usize, value: &str) {
        self.model.chain.push(XmlBase {
            outer,
            value: Some(value.to_owned()),
            is_implied: true,
        });
    }

    fn token(&mut self, token: Token) {
        if self.passed > 0 {
            match token {
                Token::Object | Token::Array => self.passed += 1,
                Token::End => self.passed -= 1,
                Token::Key(_) | Token::String(_) => {}
            }
            return;
        }
        match token {
            Token::Object | Token::Array => {
                let is_object = token == Token::Object;
                let path = match self.open.last() {
                    Some(last) => last.member(is_object, self.format),
                    None => Some(""),
                };
                let Some(path) = path else {
                    self.passed = 1;
                    return;
                };
                if is_object && path == "items[]" {
                    self.item = Some(self.model.item(0));
                }
                let key = String::new();
                self.open.push(OpenValue {
                    is_object,
                    path,
                    key,
                });
            }
            Token::End => {
                let ended = self.open.pop();
                if ended.is_some_and(|ended| ended.is_object && ended.path == "items[]") {
                    self.item = None;
                }
                if self.dialect == Dialect::SpeculationRules && self.open.len() == 2 {
                    self.end_rule();
                }
            }
            Token::Key(span) => {
                if let Some(last) = self.open.last_mut() {
                    last.key = decode(&self.json[span]);
                }
            }
            Token::String(span) => {
                if let Some(last) = self.open.last_mut() {
                    let (path, key) = (last.path, std::mem::take(&mut last.key));
                    self.string((path, &key), span);
                }
            }
        }
    }

    /// What is relative to the documents that load the rules stays: these are not known.
    fn end_rule(&mut self) {
        let (places, is_of_document) = std::mem::take(&mut self.rule);
        for place in places.into_iter().filter(|_| is_of_document) {
            self.model.places.set_row(place, &IDENTIFIER);
        }
    }

    /// Takes a string, by the path of the object or array that it is in and its own name.
    fn string(&mut self, (path, key): (&'static str, &str), span: Range<usize>) {
        let spelled = &self.json[span.clone()];
        let span = self.start + span.start..self.start + span.end;
        let mut scope = Scope {
            item: self.item,
            base: 0,
            is_content: false,
        };
        let model = &mut self.model;
        match (self.dialect, path, key) {
            (Dialect::Json, "items[]", "content_html") => {
                scope.is_content = true;
                let number = model.number(scope);
                let label = "items[].content_html";
                let string = (span, Delimiter::JsonString);
                model.places.string(&HTML, label, string, number);
                return;
            }
            (Dialect::SpeculationRules, _, "relative_to") => {
                self.rule.1 |= self.open.len() == 3 && decode(spelled) == "document";
            }
            (Dialect::Manifest, "", "id") => scope.base = ORIGIN,
            _ => {}
        }
        let mut members = MEMBERS.iter();
        let found = members.find(|(format, of, row)| {
            *format == self.format && *of == path && row.attribute == key
        });
        let Some((.., row)) = found else { return };
        let label = match (path, self.dialect) {
            ("", Dialect::Manifest) => "manifest",
            ("", _) => "feed",
            _ => path,
        };
        let number = model.number(scope);
        let string = (span, Delimiter::JsonString);
        let place = model.places.string(row, label, string, number);
        let url = || pre_step(&decode(spelled)).into_owned();
        match (self.dialect, path, key) {
            (Dialect::Json, "items[]", "url") => {
                model.label(self.item, LabelKind::Link, Some(&decode(spelled)), 0);
            }
            (Dialect::Json, "", "home_page_url") => {
                model.label(None, LabelKind::Link, Some(&decode(spelled)), 0);
            }
            (Dialect::Json, "", "feed_url") => {
                model.own = Some(url()).filter(|url| BaseUrl::parse(url).is_ok());
            }
            (Dialect::Manifest, "", "start_url") => model.chain[START].value = Some(url()),
            (Dialect::SpeculationRules, ..) => self.rule.0.extend(place),
            _ => {}
        }
    }
}

impl OpenValue {
    /// The path of an object or an array that is the member which is read, or an element.
    fn member(&self, is_object: bool, format: &str) -> Option<&'static str> {
        let outer = self.path;
        if !self.is_object {
            return is_object.then_some(outer);
        }
        let members = MEMBERS.iter().filter(|(of, ..)| *of == format);
        members.map(|(_, path, _)| *path).find_map(|path| {
            let inner = match outer {
                "" => path,
                _ => path.strip_prefix(outer)?.strip_prefix('.')?,
            };
            let name = inner.split('.').next().filter(|name| !name.is_empty())?;
            let is_this = match name.strip_suffix("[]") {
                Some(name) => !is_object && name == self.key,
                None => is_object && name == self.key,
            };
            is_this.then(|| &path[..path.len() - inner.len() + name.len()])
        })
    }
}
