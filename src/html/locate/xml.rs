//! The locator for XHTML: XML 1.0 and Namespaces in XML, as far as links need them.
//!
//! XML has no raw text, no implied tags and no letter case to forget, so this is a tokenizer and a
//! stack of namespace declarations. It does not check that a document is well-formed: a browser
//! shows an error for one that is not, and here whatever is found in it is still right for the
//! part that is.
//!
//! Left out: prefixes for `xlink` other than `xlink`, and general entities that a document type
//! declaration defines.

use std::collections::HashMap;
use std::ops::Range;

use memchr::{memchr, memchr3, memmem};

use super::{Attribute, Handler, Namespace, Quote, RawText, Spelling, StartTag};

/// Reports what stands in an XHTML document. An element without a namespace counts as HTML:
/// somebody named the file so.
pub fn locate<H: Handler>(document: &[u8], handler: &mut H) {
    Pieces::default().locate(document, handler);
}

/// The state of a locator between two pieces of a document.
#[derive(Default)]
pub(super) struct Pieces {
    open: Vec<Open>,
    /// How many of them are templates.
    templates: usize,
    /// The prefixes that the open elements bind.
    bindings: Vec<Box<[u8]>>,
    /// What each is bound to, the innermost last.
    bound: HashMap<Box<[u8]>, Vec<Option<Namespace>>>,
}

impl Pieces {
    /// See [`super::Pieces::locate`].
    pub(super) fn locate<H: Handler>(&mut self, piece: &[u8], handler: &mut H) -> usize {
        let mut locator = Locator {
            document: piece,
            position: 0,
            context: self,
            handler,
        };
        locator.run();
        locator.position
    }
}

struct Locator<'d, 'h, H> {
    document: &'d [u8],
    position: usize,
    context: &'h mut Pieces,
    handler: &'h mut H,
}

/// An element that is not closed yet.
struct Open {
    /// How many bindings there were before it.
    bindings: usize,
    role: Role,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Style,
    Template,
    Other,
}

impl<H: Handler> Locator<'_, '_, H> {
    fn run(&mut self) {
        while let Some(text) = memchr(b'<', &self.document[self.position..]) {
            let start = self.position;
            self.position += text;
            if self.in_style() && text > 0 {
                self.handler
                    .raw_text(RawText::Style, Spelling::References, start..self.position);
            }
            if self.markup().is_none() {
                return;
            }
        }
        // Text that is reported is reported whole.
        if !self.in_style() {
            self.position = self.document.len();
        }
    }

    fn in_style(&self) -> bool {
        self.context
            .open
            .last()
            .is_some_and(|element| element.role == Role::Style)
    }

    /// One piece of markup; `None` where the document ends inside it.
    fn markup(&mut self) -> Option<()> {
        let rest = &self.document[self.position..];
        if rest.starts_with(b"<!--") {
            let length = memmem::find(&rest[4..], b"-->")?;
            let data = self.position + 4;
            self.handler.comment(data..data + length);
            self.position = data + length + 3;
        } else if rest.starts_with(b"<![CDATA[") {
            let length = memmem::find(&rest[9..], b"]]>")?;
            let data = self.position + 9;
            if self.in_style() {
                self.handler
                    .raw_text(RawText::Style, Spelling::Literal, data..data + length);
            }
            self.position = data + length + 3;
        } else if rest.starts_with(b"<?") {
            self.position += memmem::find(rest, b"?>")? + 2;
        } else if rest.starts_with(b"<!") {
            self.position += doctype(rest)?;
        } else if rest.starts_with(b"</") {
            self.position += memchr(b'>', rest)? + 1;
            if let Some(closed) = self.context.open.pop() {
                self.context.templates -= usize::from(closed.role == Role::Template);
                self.unbind(closed.bindings);
            }
        } else {
            self.start_tag()?;
        }
        Some(())
    }

    fn start_tag(&mut self) -> Option<()> {
        let document = self.document;
        let name =
            self.position + 1..self.position + 1 + name_length(&document[self.position + 1..]);
        if name.is_empty() {
            document.get(name.end)?;
            self.position += 1;
            return Some(());
        }
        let mut attributes = Vec::new();
        let mut at = name.end;
        let self_closing = loop {
            at += spaces(&document[at..]);
            match document.get(at)? {
                b'>' => break false,
                b'/' if document.get(at + 1) == Some(&b'>') => break true,
                b'/' | b'=' | b'<' | b'"' | b'\'' => at += 1,
                _ => {
                    let attribute = attribute(document, at)?;
                    at = attribute.value.end + usize::from(attribute.quote != Quote::Missing);
                    attributes.push(attribute);
                }
            }
        };
        self.position = at + 1 + usize::from(self_closing);

        let bindings = self.context.bindings.len();
        self.bind(&attributes);
        let (namespace, local) = self.expand(&name);
        let local_name = &document[local.clone()];
        let mut role = Role::Other;
        if let Some(namespace) = namespace {
            // In XML `HREF` and `<A>` are other names than `href` and `<a>`.
            let spelled_right = namespace != Namespace::Html || !has_upper_case(local_name);
            if spelled_right {
                attributes.retain(|attribute| !has_upper_case(&document[attribute.name.clone()]));
                let tag = StartTag {
                    name: local,
                    namespace,
                    attributes: &attributes,
                    base_counts: self.context.templates == 0,
                    precedes: false,
                };
                self.handler.start_tag(&tag);
                role = match (local_name, namespace) {
                    (b"style", Namespace::Html | Namespace::Svg) => Role::Style,
                    (b"template", Namespace::Html) => Role::Template,
                    _ => Role::Other,
                };
            }
        }
        if self_closing {
            self.unbind(bindings);
        } else {
            self.context.templates += usize::from(role == Role::Template);
            self.context.open.push(Open { bindings, role });
        }
        Some(())
    }

    /// Takes in the namespace declarations of a tag.
    fn bind(&mut self, attributes: &[Attribute]) {
        let document = self.document;
        for attribute in attributes {
            let name = &document[attribute.name.clone()];
            let prefix: &[u8] = match name.strip_prefix(b"xmlns") {
                Some(b"") => b"",
                Some([b':', prefix @ ..]) => prefix,
                _ => continue,
            };
            let namespace = match &document[attribute.value.clone()] {
                b"http://www.w3.org/1999/xhtml" => Some(Namespace::Html),
                b"http://www.w3.org/2000/svg" => Some(Namespace::Svg),
                b"http://www.w3.org/1998/Math/MathML" => Some(Namespace::MathMl),
                _ => None,
            };
            self.context.bindings.push(prefix.into());
            let bound = self.context.bound.entry(prefix.into()).or_default();
            bound.push(namespace);
        }
    }

    /// Ends all bindings but the first so many.
    fn unbind(&mut self, first: usize) {
        let Pieces {
            bindings, bound, ..
        } = &mut *self.context;
        for prefix in bindings.drain(first..) {
            if let Some(bound) = bound.get_mut(&prefix) {
                bound.pop();
            }
        }
    }

    /// The namespace of a name, if it is one of the three, and its local part.
    fn expand(&self, name: &Range<usize>) -> (Option<Namespace>, Range<usize>) {
        let colon = memchr(b':', &self.document[name.clone()]);
        let (prefix, local) = match colon {
            Some(colon) => (
                name.start..name.start + colon,
                name.start + colon + 1..name.end,
            ),
            None => (name.start..name.start, name.clone()),
        };
        let prefix = &self.document[prefix];
        match self
            .context
            .bound
            .get(prefix)
            .and_then(|bound| bound.last())
        {
            Some(namespace) => (*namespace, local),
            None => (prefix.is_empty().then_some(Namespace::Html), local),
        }
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\r' | b' ')
}

fn spaces(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| is_space(**byte)).count()
}

fn name_length(bytes: &[u8]) -> usize {
    let is_part = |byte: &u8| !is_space(*byte) && !b"/>=<\"'".contains(byte);
    bytes.iter().take_while(|byte| is_part(byte)).count()
}

fn has_upper_case(name: &[u8]) -> bool {
    name.iter().any(u8::is_ascii_uppercase)
}

/// The attribute whose name starts at `at`; `None` where the document ends inside it.
fn attribute(document: &[u8], at: usize) -> Option<Attribute> {
    let name = at..at + name_length(&document[at..]);
    let equals = name.end + spaces(&document[name.end..]);
    if *document.get(equals)? != b'=' {
        return Some(Attribute {
            value: name.end..name.end,
            name,
            quote: Quote::Missing,
        });
    }
    let open = equals + 1 + spaces(&document[equals + 1..]);
    let quote = match document.get(open)? {
        b'"' => Quote::Double,
        b'\'' => Quote::Single,
        _ => {
            return Some(Attribute {
                name,
                value: equals + 1..equals + 1,
                quote: Quote::Missing,
            });
        }
    };
    let value = open + 1..open + 1 + memchr(document[open], &document[open + 1..])?;
    Some(Attribute { name, value, quote })
}

/// The length of a document type declaration, internal subset and all.
fn doctype(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    let mut subset = false;
    loop {
        match bytes.get(at)? {
            b'[' => subset = true,
            b']' => subset = false,
            b'>' if !subset => return Some(at + 1),
            b'<' if bytes[at..].starts_with(b"<!--") => {
                at += 4 + memmem::find(&bytes[at + 4..], b"-->")? + 2;
            }
            b'<' if bytes[at..].starts_with(b"<?") => at += memmem::find(&bytes[at..], b"?>")? + 1,
            // A declaration in the subset: its `>` is not the end.
            b'<' if at > 0 => at += memchr3(b'>', b'"', b'\'', &bytes[at..])?.saturating_sub(1),
            quote @ (b'"' | b'\'') => at += 1 + memchr(*quote, &bytes[at + 1..])?,
            _ => {}
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Seen<'d> {
        document: &'d str,
        lines: Vec<String>,
    }

    impl Handler for Seen<'_> {
        fn start_tag(&mut self, tag: &StartTag<'_>) {
            let mut line = format!("{:?} {}", tag.namespace, &self.document[tag.name.clone()]);
            for attribute in tag.attributes {
                let (name, value) = (attribute.name.clone(), attribute.value.clone());
                line += &format!(" {}={}", &self.document[name], &self.document[value]);
            }
            if !tag.base_counts {
                line += " (no base)";
            }
            self.lines.push(line);
        }

        fn raw_text(&mut self, element: RawText, spelling: Spelling, text: Range<usize>) {
            self.lines
                .push(format!("{element:?} {spelling:?} {}", &self.document[text]));
        }

        fn comment(&mut self, data: Range<usize>) {
            self.lines.push(format!("comment {}", &self.document[data]));
        }
    }

    #[track_caller]
    fn check(document: &str, expected: &[&str]) {
        let mut seen = Seen {
            document,
            lines: Vec::new(),
        };
        locate(document.as_bytes(), &mut seen);
        assert_eq!(seen.lines, expected);
    }

    #[test]
    fn namespaces_follow_their_declarations() {
        check(
            r#"<html xmlns="http://www.w3.org/1999/xhtml"><svg xmlns="http://www.w3.org/2000/svg"><a b="1"/></svg><a c='2'/></html>"#,
            &[
                "Html html xmlns=http://www.w3.org/1999/xhtml",
                "Svg svg xmlns=http://www.w3.org/2000/svg",
                "Svg a b=1",
                "Html a c=2",
            ],
        );
        check(
            r#"<x:p xmlns:x="http://www.w3.org/1999/xhtml"><q xmlns="urn:x"/><x:a/></x:p>"#,
            &["Html p xmlns:x=http://www.w3.org/1999/xhtml", "Html a"],
        );
    }

    #[test]
    fn letter_case_matters() {
        check("<a HREF='x' href='y'/><A href='z'/>", &["Html a href=y"]);
    }

    #[test]
    fn style_text_is_parsed_and_cdata_is_raw() {
        check(
            "<style>a&amp;<![CDATA[b<c>]]>d</style><p><![CDATA[<a href='x'>]]></p>",
            &[
                "Html style",
                "Style References a&amp;",
                "Style Literal b<c>",
                "Style References d",
                "Html p",
            ],
        );
    }

    #[test]
    fn what_is_no_element_is_skipped() {
        check(
            "<?xml-stylesheet href='x'?><!DOCTYPE html [<!ENTITY a \"]>\"> <!-- ]> -->]><!-- c --><p/>",
            &["comment  c ", "Html p"],
        );
        check(
            "<template><base/></template><base/>",
            &["Html template", "Html base (no base)", "Html base"],
        );
    }

    #[test]
    fn a_document_may_end_anywhere() {
        let document = "<!DOCTYPE a [<!ENTITY b 'c'>]><p a='b' c><![CDATA[d]]><!-- e --></p><?f?>";
        for end in 0..document.len() {
            locate(
                &document.as_bytes()[..end],
                &mut Seen {
                    document,
                    lines: Vec::new(),
                },
            );
        }
    }
}
