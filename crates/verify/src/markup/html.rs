//! Where the tags of an HTML document are, as lol_html sees them.
//!
//! Its spans are exact whatever the encoding. Which text is markup it can only guess, because it
//! builds no tree; see [`crate::reader`] for where that shows. No text handlers are set: with one, lol_html
//! would replace bytes that are not valid in the encoding.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::LazyLock;

use lol_html::html_content::{Element, EndTag};
use lol_html::{ElementContentHandlers, HtmlRewriter, MemorySettings, Selector, Settings};

use crate::fault::Fault;
use abslink_html::shared::{Change, Delimiter};

use crate::markup::{Attribute, NAMESPACES, Tag, Token};

/// lol_html may take so much memory for one document, most of it for elements that are not closed.
const MEMORY: usize = 256 << 20;

const HTML: &str = "http://www.w3.org/1999/xhtml";

/// It begins anew so often at most: that takes as long as to read some thousand bytes.
const TIMES: usize = 1_000;

/// lol_html takes an element that lacks its end tag for an open one, and remembers it. So it begins
/// anew behind so many elements, as soon as it is behind the start tag of one of these: there it
/// needs to know nothing of what came before.
const ELEMENTS: usize = 1 << 19;
const ANYWHERE: [&str; 10] = ["a", "br", "dd", "div", "dt", "img", "li", "p", "span", "td"];

/// Takes an HTML document in pieces.
pub(crate) struct HtmlTags {
    rewriter: Rewriter,
    /// Which start tags are looked at.
    selector: &'static Selector,
    found: Rc<Callbacks>,
    /// How much of the document was taken.
    taken: usize,
    /// Whether that is all of it.
    is_over: bool,
    /// How often lol_html began anew.
    times: usize,
}

type Rewriter = HtmlRewriter<'static, Box<dyn FnMut(&[u8])>>;

/// What lol_html's callbacks share.
#[derive(Default)]
struct Callbacks {
    tokens: RefCell<VecDeque<Token>>,
    /// Where in the document the bytes begin that lol_html counts from.
    start: Cell<usize>,
    /// How many bytes it is done with, from there on.
    done: Cell<usize>,
    /// How many templates, and how many SVG and MathML elements that hold others, are open.
    templates: Cell<usize>,
    foreign: Cell<usize>,
    /// Whether there was a tag that a tree builder may drop although lol_html reads what follows by it.
    may_drop: Cell<bool>,
    /// How many elements it has come upon since it began.
    elements: Cell<usize>,
    /// Where it is to begin anew.
    begin_anew: Cell<Option<usize>>,
}

impl HtmlTags {
    pub(crate) fn new(selector: &'static Selector) -> HtmlTags {
        let found = Rc::default();
        HtmlTags {
            rewriter: rewriter(selector, &found),
            selector,
            found,
            taken: 0,
            is_over: false,
            times: 0,
        }
    }

    /// Takes the next piece, or the end; an error says why lol_html cannot go on. A tag that is
    /// not complete at the end is none.
    pub(crate) fn take(&mut self, piece: &[u8], last: bool) -> Result<(), Fault> {
        let before = self.taken;
        self.is_over = last;
        self.taken += piece.len();
        let mut rest = piece;
        while let Err(error) = self.rewriter.write(rest) {
            let anew = self.found.begin_anew.take();
            let Some(at) = anew.filter(|&at| at >= before) else {
                return Err(error.into());
            };
            self.times += 1;
            if self.times == TIMES {
                // Should it be wrong about what follows, it does not agree.
                self.found.foreign.update(|open| open + 1);
            }
            self.found.start.set(at);
            self.found.done.set(0);
            self.found.elements.set(0);
            self.rewriter = rewriter(self.selector, &self.found);
            rest = &piece[at - before..];
        }
        Ok(())
    }

    /// The next token, if it is there.
    pub(crate) fn next(&mut self) -> Option<Token> {
        self.found.tokens.borrow_mut().pop_front()
    }

    /// Up to here no token begins that is still to come.
    pub(crate) fn done(&self) -> usize {
        if self.is_over {
            return self.taken;
        }
        self.found.start.get() + self.found.done.get()
    }
}

/// Elements that usually carry URLs.
const USUAL: [&str; 4] = ["a", "link", "img", "form"];

/// Elements whose text may carry URLs, or that change what a tag means. Without the others, fewer edits
/// have a place, and fewer `base` elements may be another one: what agrees would agree with them.
const SPECIAL: &str = "base, style, script, noscript, template, svg, math";

/// Whether the tag that stands before each edit, in bytes of a document, is a usual one.
pub(crate) fn are_usual(html: &[u8], edits: &[Change]) -> bool {
    /// Usual names are shorter.
    const LONGEST: usize = 16;
    // Edits ascend, and many may be in one value: each looks back to the one before.
    let [mut done, mut tag] = [0; 2];
    edits.iter().all(|[old, _]| {
        let before = html.get(done..old.start).unwrap_or_default();
        if let Some(at) = memchr::memrchr(b'<', before) {
            tag = done + at + 1;
        }
        done = old.start;
        let tag = html.get(tag..old.start).unwrap_or_default();
        let head = tag.iter().take(LONGEST);
        let name = head.take_while(|byte| byte.is_ascii_alphanumeric());
        let name = name.count();
        let is = |usual: &&str| usual.as_bytes().eq_ignore_ascii_case(&tag[..name]);
        USUAL.iter().chain(&["script", "style"]).any(is)
    })
}

/// All start tags.
pub(crate) static EVERY: LazyLock<Selector> = LazyLock::new(|| selector("*"));

/// Those of elements that usually carry URLs, and what says where their text is, and which base URL
/// counts. lol_html passes the others two or three times as fast; each name that it looks for costs.
pub(crate) static SOME: LazyLock<Selector> =
    LazyLock::new(|| selector(&format!("{}, {SPECIAL}", USUAL.join(", "))));

#[allow(clippy::expect_used, reason = "the selectors are those above")]
fn selector(text: &str) -> Selector {
    text.parse().expect("a selector")
}

fn rewriter(selector: &'static Selector, found: &Rc<Callbacks>) -> Rewriter {
    let (every, done) = (Rc::clone(found), Rc::clone(found));
    // It takes longer to select those elements that are special.
    let every = ElementContentHandlers::default()
        .element(move |element: &mut Element<'_, '_>| every.start_tag(element));
    let memory = MemorySettings::new().with_max_allowed_memory_usage(MEMORY);
    HtmlRewriter::new(
        // Strict mode refuses documents whose raw text it cannot be sure of.
        Settings::new()
            .with_strict(false)
            .with_memory_settings(memory)
            .append_element_content_handler((Cow::Borrowed(selector), every)),
        Box::new(move |bytes: &[u8]| done.done.update(|done| done + bytes.len())),
    )
}

impl Callbacks {
    fn start_tag(
        self: &Rc<Callbacks>,
        element: &mut Element<'_, '_>,
    ) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        let start = self.start.get();
        let place = element.source_location().bytes();
        let mut attributes = Vec::with_capacity(element.attributes().len());
        attributes.extend(element.attributes().iter().filter_map(|attribute| {
            let name = attribute.name_source_location()?.bytes();
            let value = attribute.value_source_location().map(|value| value.bytes());
            Some(Attribute {
                name: name.start + start..name.end + start,
                value: value.map(|value| value.start + start..value.end + start),
            })
        }));
        let is_html = element.namespace_uri() == HTML;
        let name = element.tag_name();
        // There is a place of that name in HTML only, and in MathML one of any name.
        let namespaces = if is_html && name == "base" {
            &NAMESPACES[..1]
        } else {
            NAMESPACES
        };
        let (foreign, templates) = (self.foreign.get(), self.templates.get());
        if name == "frameset" || name.starts_with("col") && templates > 0 {
            self.may_drop.set(true);
        }
        let opens_foreign = matches!(&*name, "svg" | "math");
        let text = match &*name {
            "style" | "script" if is_html => Some(Delimiter::RawText),
            "style" | "script" => Some(Delimiter::Text),
            // In SVG a title is markup, and lol_html takes it for one of HTML.
            "title" if foreign > 0 => None,
            "noscript" | "noframes" | "textarea" | "title" | "iframe" | "noembed" | "xmp"
            | "plaintext"
                if is_html =>
            {
                Some(Delimiter::RawText)
            }
            _ => None,
        };
        let text = text.filter(|_| {
            self.at_end(element, |found, end| {
                let at = end.source_location().bytes().start + found.start.get();
                found.tokens.borrow_mut().push_back(Token::Close(at));
            })
        });
        self.tokens.borrow_mut().push_back(Token::Tag(Tag {
            xml_bases: String::new(),
            start: place.start + start,
            end: place.end + start,
            attributes,
            namespaces,
            base_counts: is_html && templates == 0,
            is_sure: is_html && foreign == 0 && !opens_foreign && !self.may_drop.get(),
            text,
        }));
        self.elements.update(|count| count + 1);
        let are_many = self.elements.get() >= ELEMENTS && ANYWHERE.contains(&&*name);
        // lol_html takes what follows one that closes itself for the element's content, for good.
        let is_misread = opens_foreign && element.is_self_closing();
        if foreign == 0 && (is_misread || are_many && templates == 0) {
            // Where the templates end that are open, the other rewriter does not know.
            self.may_drop.set(self.may_drop.get() || templates > 0);
            self.begin_anew.set(Some(start + place.end));
            return Err("begin anew".into());
        }
        if opens_foreign && !is_misread {
            self.count(element, |found| &found.foreign);
        } else if is_html && name == "template" {
            self.count(element, |found| &found.templates);
        }
        Ok(())
    }

    /// Counts an element as long as it is open.
    fn count(
        self: &Rc<Callbacks>,
        element: &mut Element<'_, '_>,
        counter: fn(&Callbacks) -> &Cell<usize>,
    ) {
        let name = element.tag_name();
        let has_end = self.at_end(element, move |found, end| {
            // Which of the elements around it another end tag has closed, lol_html does not know.
            let is_own = end.name() == name;
            found.may_drop.set(found.may_drop.get() || !is_own);
            counter(found).update(|open| open - 1);
        });
        counter(self).update(|open| open + usize::from(has_end));
    }

    /// Does this at the end tag of an element; says whether it can have one.
    fn at_end(
        self: &Rc<Callbacks>,
        element: &mut Element<'_, '_>,
        act: impl FnOnce(&Callbacks, &mut EndTag<'_>) + 'static,
    ) -> bool {
        let Some(handlers) = element.end_tag_handlers() else {
            return false;
        };
        let found = Rc::clone(self);
        handlers.push(Box::new(move |end: &mut EndTag<'_>| {
            act(&found, end);
            Ok(())
        }));
        true
    }
}
