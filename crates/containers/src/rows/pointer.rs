//! Which strings of JSON a field names: JSON Pointer (RFC 6901), in which `*` stands for every element.

use std::collections::BTreeMap;
use std::ops::Range;

use abslink_html::json::{Scanner, Token, decode};

/// A path from the top of a JSON value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pointer(Vec<Step>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    /// The member of this name, or the element of this number.
    Named(String),
    /// Every member or element.
    Every,
}

impl Pointer {
    /// A name without a slash is that of a member at the top.
    pub(super) fn new(written: &str) -> Pointer {
        let steps = written.strip_prefix('/').unwrap_or(written).split('/');
        let step = |step: &str| match step {
            "*" => Step::Every,
            step => Step::Named(step.replace("~1", "/").replace("~0", "~")),
        };
        Pointer(steps.map(step).collect())
    }
}

/// A string that a pointer leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Match {
    /// Which of the pointers.
    pub(super) pointer: usize,
    /// The numbers, from 0, of what its `*` stand for.
    pub(super) elements: Vec<usize>,
    /// The string, without its quotes.
    pub(super) span: Range<usize>,
}

/// An object or array that is open.
struct Open {
    is_object: bool,
    /// How many members or elements were before.
    number: usize,
    key: String,
    /// The pointers that lead here or further, as bits.
    pointers: u64,
}

/// How many pointers there may be: one for each bit.
pub(super) const MOST: usize = 64;

/// The strings that `pointers` lead to in `json`, which is valid.
pub(super) fn find(json: &[u8], pointers: &[Pointer]) -> Vec<Match> {
    let mut found = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    let mut scanner = Scanner::new(json);
    let mut before = 0;
    while let Some(token) = scanner.next() {
        let start = match &token {
            Token::Key(span) | Token::String(span) => span.start - 1,
            _ => scanner.position() - 1,
        };
        let depth = open.len();
        if let Some(last) = open.last_mut().filter(|last| last.pointers != 0) {
            // No string is between two tokens, so each comma is one.
            let commas = json[before..start].iter().filter(|byte| **byte == b',');
            last.number += commas.count();
        }
        before = scanner.position();
        // The pointers that lead to what the token begins.
        let led = |last: &Open| {
            let all = pointers.iter().enumerate();
            let led = all.filter(|(bit, pointer)| {
                last.pointers & 1 << bit != 0
                    && pointer
                        .0
                        .get(depth - 1)
                        .is_some_and(|step| last.is_at(step))
            });
            led.fold(0, |bits, (bit, _)| bits | 1 << bit)
        };
        match token {
            Token::Object | Token::Array => {
                let all = u64::MAX;
                let pointers = match open.last() {
                    Some(last) if last.pointers != 0 => led(last),
                    Some(_) => 0,
                    None => all,
                };
                open.push(Open {
                    is_object: token == Token::Object,
                    number: 0,
                    key: String::new(),
                    pointers,
                });
            }
            Token::End => {
                open.pop();
            }
            Token::Key(span) => {
                if let Some(last) = open.last_mut().filter(|last| last.pointers != 0) {
                    last.key = decode(&json[span]);
                }
            }
            Token::String(span) => {
                let Some(last) = open.last().filter(|last| last.pointers != 0) else {
                    continue;
                };
                let led = led(last);
                let ends = |pointer: &&Pointer| pointer.0.len() == depth;
                let pointer = pointers
                    .iter()
                    .enumerate()
                    .find(|(bit, pointer)| led & 1 << bit != 0 && ends(pointer));
                if let Some((pointer, steps)) = pointer {
                    let steps = steps.0.iter().zip(&open);
                    let elements = steps.filter(|(step, _)| **step == Step::Every);
                    found.push(Match {
                        pointer,
                        elements: elements.map(|(_, open)| open.number).collect(),
                        span,
                    });
                }
            }
        }
    }
    found
}

impl Open {
    fn is_at(&self, step: &Step) -> bool {
        match step {
            Step::Every => true,
            Step::Named(name) if self.is_object => *name == self.key,
            Step::Named(number) => number.parse() == Ok(self.number),
        }
    }
}

/// What the URL is of each place, by the elements that lead to it.
#[derive(Debug, Default)]
pub(super) struct Urls(BTreeMap<Vec<usize>, Range<usize>>);

impl Urls {
    pub(super) fn insert(&mut self, elements: Vec<usize>, span: Range<usize>) {
        self.0.entry(elements).or_insert(span);
    }

    /// The URL in the same element, of the innermost array that both are in.
    pub(super) fn of(&self, elements: &[usize]) -> Option<&Range<usize>> {
        let outer = (0..=elements.len()).rev();
        let mut outer = outer.filter_map(|length| self.0.get(&elements[..length]));
        outer.next().or_else(|| {
            let (first, span) = self.0.range(elements.to_vec()..).next()?;
            first.starts_with(elements).then_some(span)
        })
    }
}

/// The pointers to the first strings of a value, for who named others.
pub(super) fn names(json: &[u8], most: usize) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut open: Vec<(bool, String)> = Vec::new();
    for token in Scanner::new(json) {
        match token {
            Token::Object => open.push((true, String::new())),
            Token::Array => open.push((false, "*".to_owned())),
            Token::End => {
                open.pop();
            }
            Token::Key(span) => {
                if let Some((_, key)) = open.last_mut() {
                    *key = decode(&json[span]).replace('~', "~0").replace('/', "~1");
                }
            }
            Token::String(_) => {
                let name: String = open.iter().map(|(_, key)| format!("/{key}")).collect();
                if !names.contains(&name) && name.len() < 200 {
                    names.push(name);
                }
            }
        }
        if names.len() == most {
            break;
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(json: &str, written: &[&str]) -> Vec<(usize, Vec<usize>, String)> {
        let pointers: Vec<Pointer> = written.iter().map(|it| Pointer::new(it)).collect();
        let found = find(json.as_bytes(), &pointers);
        let found = found.into_iter();
        found
            .map(|it| (it.pointer, it.elements, json[it.span].to_owned()))
            .collect()
    }

    #[test]
    fn pointers_lead_where_serde_json_leads() {
        let json = r#"{"a": {"b/c": ["x", 1, [2, "y"], "z"], "~": "t"}, "": "e", "a": 1}"#;
        let value: serde_json::Value =
            serde_json::from_str(&json.replace(r#", "a": 1"#, "")).unwrap();
        for pointer in ["/a/b~1c/0", "/a/b~1c/3", "/a/b~1c/2/1", "/a/~0", "/"] {
            let expected = value.pointer(pointer).unwrap().as_str().unwrap();
            let found = found(json, &[pointer]);
            assert_eq!(found, [(0, vec![], expected.to_owned())], "{pointer}");
        }
        for nothing in ["/a", "/a/b", "/a/b~1c/1", "/b", "/a/b~1c/9"] {
            assert_eq!(found(json, &[nothing]), [], "{nothing}");
        }
    }

    #[test]
    fn a_star_stands_for_every_element() {
        let json = r#"{"posts": [{"html": "a", "tags": ["t", "u"]}, 3, {"html": "b"}, {}]}"#;
        let text = |text: &str| text.to_owned();
        assert_eq!(
            found(json, &["/posts/*/html", "/posts/*/tags/*"]),
            [
                (0, vec![0], text("a")),
                (1, vec![0, 0], text("t")),
                (1, vec![0, 1], text("u")),
                (0, vec![2], text("b")),
            ]
        );
        // The name alone is that of a member at the top.
        assert_eq!(
            found(r#"{"body": "b"}"#, &["body"]),
            [(0, vec![], text("b"))]
        );
    }

    #[test]
    fn a_url_is_that_of_the_same_element() {
        let mut urls = Urls::default();
        urls.insert(vec![0], 0..1);
        urls.insert(vec![1], 1..2);
        assert_eq!(urls.of(&[1, 7]), Some(&(1..2)));
        assert_eq!(urls.of(&[2]), None);
        let mut inner = Urls::default();
        inner.insert(vec![3, 0], 3..4);
        assert_eq!(inner.of(&[3]), Some(&(3..4)));
        assert_eq!(inner.of(&[2]), None);
    }

    #[test]
    fn names_are_those_of_strings() {
        let json = br#"{"id": 3, "t/t": "x", "posts": [{"html": "a"}, {"html": "b"}]}"#;
        assert_eq!(names(json, 9), ["/t~1t", "/posts/*/html"]);
        assert_eq!(names(json, 1), ["/t~1t"]);
    }
}
