//! A second witness: the tags of a document as lol_html sees them.
//!
//! It shares no code with `abslink::html::locate`, so that tests and fuzz targets can ask both what
//! a tag holds: its spans are exact whatever the encoding. Which
//! tags there are it can only guess, because it simulates tree construction: it loses count of
//! foreign elements that are self-closed or unclosed, takes MathML's `mi`, `mo`, `mn`, `ms` and
//! `mtext` for HTML's, and misses scripts in a `frameset` or after a `col` in a `template`; tables
//! move no `base`. That `noscript` is raw text to it, whether there are scripts or not, is mended
//! here.

use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::rc::Rc;

use lol_html::html_content::Element;
use lol_html::{HtmlRewriter, Settings, element};

use abslink_html::locate::{Attribute, Handler, Namespace, Quote, RawText, Spelling, StartTag};

/// See `abslink::html::locate::locate`.
pub(crate) fn locate<H: Handler>(document: &[u8], scripting: bool, handler: &mut H) {
    let mut start = 0;
    // Without scripting noscript is an ordinary element, which lol_html does not offer: it takes
    // the rest for raw text. So each such tag ends a pass, and the next one starts behind it.
    while let Some(noscript_end) = pass(&document[start..], start, scripting, handler) {
        start += noscript_end;
    }
}

/// Texts whose end tag was met.
type Texts = Vec<(RawText, Range<usize>)>;

/// What a pass shares between its callbacks.
struct Pass<'h, H> {
    handler: &'h mut H,
    attributes: Vec<Attribute>,
}

/// Locates in `slice`, which starts at `offset` of the document. Returns the end of the `noscript`
/// start tag that ended the pass early, if there was one.
fn pass<H: Handler>(
    slice: &[u8],
    offset: usize,
    scripting: bool,
    handler: &mut H,
) -> Option<usize> {
    let shared = RefCell::new(Pass {
        handler,
        attributes: Vec::new(),
    });
    let templates = Rc::new(Cell::new(0_usize));
    let ended = Cell::new(None);
    // Where the text of an open raw text element starts; its end tag tells where it ends.
    let open_text: Rc<Cell<Option<(RawText, usize)>>> = Rc::default();
    let finished: Rc<RefCell<Texts>> = Rc::default();
    let flush = |shared: &mut Pass<'_, H>| {
        for (element, text) in finished.borrow_mut().drain(..) {
            shared.handler.raw_text(
                element,
                Spelling::Raw,
                text.start + offset..text.end + offset,
            );
        }
    };

    let on_element = |element: &mut Element<'_, '_>| {
        let shared = &mut *shared.borrow_mut();
        flush(shared);
        let namespace = match element.namespace_uri() {
            "http://www.w3.org/2000/svg" => Namespace::Svg,
            "http://www.w3.org/1998/Math/MathML" => Namespace::MathMl,
            _ => Namespace::Html,
        };
        let tag = element.source_location().bytes();
        let name = element.tag_name();
        shared.attributes.clear();
        for attribute in element.attributes() {
            if let Some(attribute) = located(attribute, slice, offset) {
                shared.attributes.push(attribute);
            }
        }
        drop_duplicates(&mut shared.attributes, slice, offset);
        let name_start = tag.start + 1;
        let name_length = slice[name_start..tag.end]
            .iter()
            .take_while(|byte| {
                !matches!(byte, b'\t' | b'\n' | b'\x0c' | b'\r' | b' ' | b'/' | b'>')
            })
            .count();
        shared.handler.start_tag(&StartTag {
            name: name_start + offset..name_start + name_length + offset,
            namespace,
            attributes: &shared.attributes,
            xlink: None,
            base_applies: templates.get() == 0,
            is_inert: templates.get() > 0,
            precedes: false,
            is_exact: false,
        });
        match name.as_str() {
            "template" if namespace == Namespace::Html => {
                if let Some(handlers) = element.end_tag_handlers() {
                    templates.set(templates.get() + 1);
                    let templates = Rc::clone(&templates);
                    handlers.push(Box::new(move |_| {
                        templates.set(templates.get().saturating_sub(1));
                        Ok(())
                    }));
                }
            }
            "noscript" if !scripting && namespace == Namespace::Html => {
                ended.set(Some(tag.end));
                return Err("noscript".into());
            }
            name => {
                if let Some(raw) = raw_text(name, namespace) {
                    open_text.set(Some((raw, tag.end)));
                    if let Some(handlers) = element.end_tag_handlers() {
                        let (open_text, finished) = (Rc::clone(&open_text), Rc::clone(&finished));
                        handlers.push(Box::new(move |end| {
                            if let Some((raw, start)) = open_text.take() {
                                let end = end.source_location().bytes().start;
                                finished.borrow_mut().push((raw, start..end));
                            }
                            Ok(())
                        }));
                    }
                }
            }
        }
        Ok(())
    };

    let mut rewriter = HtmlRewriter::new(
        // Strict mode refuses documents whose raw text it cannot be sure of.
        Settings::new()
            .append_element_content_handler(element!("*", on_element))
            .with_strict(false),
        |_: &[u8]| {},
    );
    // With strict mode off and handlers that return no other error, only the stop above fails.
    if rewriter.write(slice).is_ok() {
        let _ = rewriter.end();
    }
    let shared = &mut *shared.borrow_mut();
    flush(shared);
    if let (Some((raw, start)), None) = (open_text.take(), ended.get()) {
        shared
            .handler
            .raw_text(raw, Spelling::Raw, start + offset..slice.len() + offset);
    }
    ended.get()
}

fn raw_text(name: &str, namespace: Namespace) -> Option<RawText> {
    match (name, namespace) {
        ("style", _) => Some(RawText::Style),
        ("script", _) => Some(RawText::Script),
        ("noscript", Namespace::Html) => Some(RawText::Noscript),
        ("noframes", Namespace::Html) => Some(RawText::Noframes),
        _ => None,
    }
}

fn located(
    attribute: &lol_html::html_content::Attribute<'_>,
    slice: &[u8],
    offset: usize,
) -> Option<Attribute> {
    let name = attribute.name_source_location()?.bytes();
    let (value, quote) = match attribute.value_source_location() {
        Some(value) => {
            let value = value.bytes();
            let quote = match slice[..value.start].last() {
                Some(b'"') => Quote::Double,
                Some(b'\'') => Quote::Single,
                _ => Quote::None,
            };
            (value, quote)
        }
        None => {
            let after_name = &slice[name.end..];
            let blank = after_name
                .iter()
                .take_while(|byte| byte.is_ascii_whitespace())
                .count();
            let end = match after_name.get(blank) {
                Some(b'=') => name.end + blank + 1,
                _ => name.end,
            };
            (end..end, Quote::Missing)
        }
    };
    Some(Attribute {
        name: name.start + offset..name.end + offset,
        value: value.start + offset..value.end + offset,
        quote,
    })
}

/// Of attributes with one name the first one counts (HTML standard, attribute name state).
fn drop_duplicates(attributes: &mut Vec<Attribute>, slice: &[u8], offset: usize) {
    if attributes.len() < 2 {
        return;
    }
    let name = |attribute: &Attribute| {
        slice[attribute.name.start - offset..attribute.name.end - offset].to_ascii_lowercase()
    };
    let mut seen = std::collections::HashSet::with_capacity(attributes.len());
    attributes.retain(|attribute| seen.insert(name(attribute)));
}
