//! Which strings of JSON a field names: JSON Pointer (RFC 6901), in which `*` stands for every element.

use std::collections::BTreeMap;
use std::ops::Range;

use abslink_html::json::{Scanner, Token, decode};

use super::decode::DecodedField;

/// The path that a pointer is: the names of members and the numbers of elements, and `None` for each of them. A name without
/// a slash is that of a member at the top; no name at all is the whole value.
pub(super) fn path(written: &str) -> Vec<Option<String>> {
    if written.is_empty() {
        return Vec::new();
    }
    let steps = written.strip_prefix('/').unwrap_or(written).split('/');
    let step = |step: &str| match step {
        "*" => None,
        step => Some(step.replace("~1", "/").replace("~0", "~")),
    };
    steps.map(step).collect()
}

/// What pointers lead to.
#[derive(Debug, Default)]
pub(super) struct PointerTargets {
    /// The strings that the pointers of documents lead to, in order.
    pub(super) documents: Vec<DocumentString>,
    /// What the URL is of each place, by the elements that lead to it.
    urls: BTreeMap<Vec<usize>, Range<usize>>,
    /// Whether there is what the URL's pointer leads to, if only a number.
    pub(super) has_url: bool,
}

/// A string that a document's pointer leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DocumentString {
    /// Which of the pointers.
    pub(super) pointer: usize,
    /// The numbers, from 0, of what its `*` stand for.
    pub(super) elements: Vec<usize>,
    /// The string, without its quotes.
    pub(super) span: Range<usize>,
    pub(super) decoded: DecodedField,
    /// Whether the pointer leads to the array that it is in.
    pub(super) is_in_list: bool,
}

/// An object or array that is open.
struct OpenContainer {
    is_object: bool,
    /// How many members or elements were before.
    number: usize,
    key: String,
    /// The pointers that lead here or further, as bits: one at least.
    pointers: u64,
}

/// How many pointers there may be: one for each bit.
pub(super) const MOST: usize = 64;

/// What `pointers` lead to in `json`; nothing that counts, if it is not valid. That at `url` is the URL's, if
/// there is one so far. Those of `lists`, as bits, lead to the strings of an array, too.
///
/// Readers take the last of several members of one name. So it is for the URL; documents are found in all.
pub(super) fn find(
    json: &[u8],
    pointers: &[Vec<Option<String>>],
    url: usize,
    lists: u64,
) -> PointerTargets {
    let mut found = PointerTargets::default();
    let mut open: Vec<OpenContainer> = Vec::new();
    // How many are open that no pointer leads into, which a hostile row may have millions of.
    let mut passed = 0_usize;
    let mut scanner = Scanner::new(json);
    let (mut before, mut decoded) = (0, DecodedField::default());
    while let Some(token) = scanner.next_by(|rest| decoded.read_json(rest)) {
        let start = match &token {
            Token::Key(span) | Token::String(span) => span.start - 1,
            _ => scanner.position() - 1,
        };
        let between = before..start;
        before = scanner.position();
        if passed > 0 {
            match token {
                Token::Object | Token::Array => passed += 1,
                Token::End => passed -= 1,
                Token::Key(_) | Token::String(_) => {}
            }
            continue;
        }
        let depth = open.len();
        if let Some(last) = open.last_mut() {
            // No string is between two tokens, so each comma is one.
            let commas = json[between].iter().filter(|byte| **byte == b',');
            last.number += commas.count();
        }
        // The pointers that lead to what the token begins.
        let led = |last: &OpenContainer| {
            let all = pointers.iter().enumerate();
            let led = all.filter(|(bit, steps)| {
                let step = steps.get(depth - 1);
                last.pointers & 1 << bit != 0 && step.is_some_and(|step| last.is_at(step))
            });
            led.fold(0, |bits, (bit, _)| bits | 1 << bit)
        };
        match token {
            Token::Object | Token::Array => match open.last().map_or(u64::MAX, led) {
                0 => passed = 1,
                pointers => open.push(OpenContainer {
                    is_object: token == Token::Object,
                    number: 0,
                    key: String::new(),
                    pointers,
                }),
            },
            Token::End => {
                open.pop();
            }
            Token::Key(span) => {
                let Some(last) = open.last_mut() else {
                    continue;
                };
                last.set_key(&json[span]);
                let Some(steps) = pointers.get(url) else {
                    continue;
                };
                let is_named = |step: &Option<String>| step.is_some() && last.is_at(step);
                if last.pointers & 1 << url != 0 && steps.get(depth - 1).is_some_and(is_named) {
                    found.has_url |= steps.len() == depth;
                    found.forget_urls(&elements(steps, &open));
                }
            }
            Token::String(span) => {
                let led = open.last().map_or(u64::MAX, led);
                let of_array = open.last().filter(|last| !last.is_object);
                let of_lists = of_array.map_or(0, |last| last.pointers & lists);
                let ended = pointers.iter().enumerate().filter(|(bit, steps)| {
                    let length = steps.len();
                    led & 1 << bit != 0 && length == depth
                        || of_lists & 1 << bit != 0 && length + 1 == depth
                });
                let mut is_found = false;
                for (pointer, steps) in ended {
                    let elements = elements(steps, &open);
                    if pointer == url {
                        found.has_url = true;
                        found.urls.insert(elements, span.clone());
                    } else if !std::mem::replace(&mut is_found, true) {
                        let (span, decoded) = (span.clone(), decoded.take());
                        found.documents.push(DocumentString {
                            pointer,
                            elements,
                            span,
                            decoded,
                            is_in_list: steps.len() < depth,
                        });
                    }
                }
            }
        }
    }
    found
}

/// The numbers of what the `*` of a pointer stand for in what is open.
fn elements(steps: &[Option<String>], open: &[OpenContainer]) -> Vec<usize> {
    let every = (steps.iter().zip(open)).filter(|(step, _)| step.is_none());
    every.map(|(_, open)| open.number).collect()
}

impl OpenContainer {
    fn set_key(&mut self, spelled: &[u8]) {
        if memchr::memchr(b'\\', spelled).is_some() {
            self.key = decode(spelled);
        } else {
            // Every row has the same keys: this takes no new memory.
            self.key.clear();
            self.key.push_str(&String::from_utf8_lossy(spelled));
        }
    }

    fn is_at(&self, step: &Option<String>) -> bool {
        match step {
            None => true,
            Some(name) if self.is_object => *name == self.key,
            Some(number) => number.parse() == Ok(self.number),
        }
    }
}

impl PointerTargets {
    /// Drops the URLs in this element.
    fn forget_urls(&mut self, elements: &[usize]) {
        let inner = self.urls.range(elements.to_vec()..);
        let inner = inner.take_while(|(inner, _)| inner.starts_with(elements));
        let stale: Vec<_> = inner.map(|(inner, _)| inner.clone()).collect();
        for inner in stale {
            self.urls.remove(&inner);
        }
    }

    /// The URL in the same element, of the innermost array that both are in.
    pub(super) fn url_of(&self, elements: &[usize]) -> Option<&Range<usize>> {
        let outer = (0..=elements.len()).rev();
        let mut outer = outer.filter_map(|length| self.urls.get(&elements[..length]));
        outer.next().or_else(|| {
            let (first, span) = self.urls.range(elements.to_vec()..).next()?;
            first.starts_with(elements).then_some(span)
        })
    }
}

/// The pointers to the first strings of a value, for who named others.
pub(super) fn names(json: &[u8], most: usize) -> Vec<String> {
    /// Longer ones help nobody.
    const LONGEST: usize = 200;
    let mut names: Vec<String> = Vec::new();
    let mut open: Vec<String> = Vec::new();
    // How many are open further in, which a hostile row may have millions of.
    let mut passed = 0_usize;
    for token in Scanner::new(json) {
        match token {
            Token::Object | Token::Array if passed > 0 || open.len() == LONGEST / 2 => passed += 1,
            Token::Object => open.push(String::new()),
            Token::Array => open.push("*".to_owned()),
            Token::End if passed > 0 => passed -= 1,
            Token::End => {
                open.pop();
            }
            _ if passed > 0 => {}
            Token::Key(span) => {
                if let Some(key) = open.last_mut() {
                    let spelled = &json[span.start..span.end.min(span.start + 6 * LONGEST)];
                    *key = decode(spelled).replace('~', "~0").replace('/', "~1");
                }
            }
            Token::String(_) => {
                let name: String = open.iter().map(|key| format!("/{key}")).collect();
                if !names.contains(&name) && name.len() < LONGEST {
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
        let pointers: Vec<_> = written.iter().map(|it| path(it)).collect();
        let found = find(json.as_bytes(), &pointers, usize::MAX, 0);
        let found = found.documents.into_iter();
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
        let mut found = PointerTargets::default();
        found.urls.extend([(vec![0], 0..1), (vec![1], 1..2)]);
        assert_eq!(found.url_of(&[1, 7]), Some(&(1..2)));
        assert_eq!(found.url_of(&[2]), None);
        let mut inner = PointerTargets::default();
        inner.urls.insert(vec![3, 0], 3..4);
        assert_eq!(inner.url_of(&[3]), Some(&(3..4)));
        assert_eq!(inner.url_of(&[2]), None);
    }

    /// What Python's json, serde_json and JSON.parse take.
    #[test]
    fn the_last_of_several_urls_counts() {
        let url = |json: &str, url: &str| {
            let pointers = [path("/b"), path(url)];
            let found = find(json.as_bytes(), &pointers, 1, 0);
            let span = found.url_of(&[]).cloned();
            (span.map(|span| json[span].to_owned()), found.has_url)
        };
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(url(r#"{"u": "a", "u": "b"}"#, "u"), (text("b"), true));
        assert_eq!(url(r#"{"u": "a", "\u0075": null}"#, "u"), (None, true));
        assert_eq!(url(r#"{"m": {"u": "a"}, "m": {}}"#, "/m/u"), (None, true));
        assert_eq!(
            url(r#"{"m": [{"u": "a"}], "m": [1, {"u": "b"}]}"#, "/m/*/u"),
            (text("b"), true)
        );
        assert_eq!(url(r#"{"n": {"u": "a"}}"#, "u"), (None, false));
        // A field may be a document's, too.
        assert_eq!(url(r#"{"b": "c"}"#, "b"), (text("c"), true));
    }

    #[test]
    fn what_is_passed_is_not_counted() {
        let deep = format!("{}\"x\", 1, 2{}", "[[1, ".repeat(300), "], 3]".repeat(300));
        let json = format!(r#"{{"n": {{"u": "a"}}, "l": [{deep}, {{"o": 1, "p": 2}}, "b"]}}"#);
        assert!(serde_json::from_str::<serde::de::IgnoredAny>(&json).is_ok());
        let text = "b".to_owned();
        assert_eq!(found(&json, &["/l/2"]), [(0, vec![], text)]);
    }

    #[test]
    fn a_list_is_its_strings() {
        let pointers = ["/p/*/i", ""].map(path);
        let json = r#"{"p": [{"i": ["a", ["b"], {"i": "c"}, "d"]}, {"i": "e"}]}"#;
        let found = find(json.as_bytes(), &pointers, usize::MAX, 0b11).documents;
        let found = found
            .into_iter()
            .map(|it| (it.elements, &json[it.span], it.is_in_list));
        let found: Vec<_> = found.collect();
        assert_eq!(
            found,
            [
                (vec![0], "a", true),
                (vec![0], "d", true),
                (vec![1], "e", false)
            ]
        );
        let found = find(br#"["a"]"#, &pointers, usize::MAX, 0b11).documents;
        assert_eq!((found.len(), found[0].pointer), (1, 1));
        assert!(
            find(br#"["a"]"#, &pointers, usize::MAX, 0)
                .documents
                .is_empty()
        );
    }

    #[test]
    fn no_name_is_the_whole_value() {
        assert_eq!(found(r#" "x" "#, &[""]), [(0, vec![], "x".to_owned())]);
        assert_eq!(found(r#"{"": "x"}"#, &[""]), []);
    }

    #[test]
    fn names_are_those_of_strings() {
        let json = br#"{"id": 3, "t/t": "x", "posts": [{"html": "a"}, {"html": "b"}]}"#;
        assert_eq!(names(json, 9), ["/t~1t", "/posts/*/html"]);
        assert_eq!(names(json, 1), ["/t~1t"]);
    }
}
