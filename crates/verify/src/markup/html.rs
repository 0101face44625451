//! Where the tags of an HTML document are, as lol_html sees them.
//!
//! Its spans are exact whatever the encoding. Which text is markup it can only guess, because it
//! builds no tree; see [`crate::reader`] for where that shows. No text handlers are set: with one, lol_html
//! would replace bytes that are not valid in the encoding.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use lol_html::html_content::EndTag;
use lol_html::send::{Element, ElementContentHandlers, HtmlRewriter, Settings};
use lol_html::{MemorySettings, Selector};

use crate::fault::Fault;
use abslink_html::shared::Change;

use crate::markup::{Attribute, Content, NAMESPACES, Tag, Token};

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
    rewriter: HtmlRewriter<'static, Sink>,
    filter: TagFilter,
    found: Arc<Callbacks>,
    /// Tokens that were found and not asked for.
    ready: VecDeque<Token>,
    /// How much of the document was taken.
    taken: usize,
    /// Whether that is all of it.
    is_over: bool,
    /// How often lol_html began anew.
    times: usize,
}

type Sink = Box<dyn FnMut(&[u8]) + Send>;

/// What lol_html's callbacks share.
#[derive(Default)]
struct Callbacks {
    tokens: Mutex<VecDeque<Token>>,
    /// Where in the document the bytes begin that lol_html counts from.
    start: AtomicUsize,
    /// How many bytes it is done with, from there on.
    done: AtomicUsize,
    /// How many templates, and how many SVG and MathML elements that hold others, are open.
    templates: AtomicUsize,
    foreign: AtomicUsize,
    /// Whether there was a tag that a tree builder may drop although lol_html reads what follows by it.
    may_drop: AtomicBool,
    /// How many elements it has come upon since it began.
    elements: AtomicUsize,
    /// Where it is to begin anew.
    begin_anew: Mutex<Option<usize>>,
}

impl HtmlTags {
    pub(crate) fn new(filter: TagFilter) -> HtmlTags {
        let found = Arc::default();
        HtmlTags {
            rewriter: rewriter(filter, &found),
            filter,
            found,
            ready: VecDeque::new(),
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
            let anew = lock(&self.found.begin_anew).take();
            let Some(at) = anew.filter(|&at| at >= before) else {
                return Err(error.into());
            };
            self.times += 1;
            if self.times == TIMES {
                // Should it be wrong about what follows, it does not agree.
                self.found.foreign.fetch_add(1, Ordering::Relaxed);
            }
            self.found.start.store(at, Ordering::Relaxed);
            self.found.done.store(0, Ordering::Relaxed);
            self.found.elements.store(0, Ordering::Relaxed);
            self.rewriter = rewriter(self.filter, &self.found);
            rest = &piece[at - before..];
        }
        Ok(())
    }

    /// The next token, if it is there.
    pub(crate) fn next(&mut self) -> Option<Token> {
        if self.ready.is_empty() {
            std::mem::swap(&mut self.ready, &mut lock(&self.found.tokens));
        }
        self.ready.pop_front()
    }

    /// Up to here no token begins that is still to come.
    pub(crate) fn done(&self) -> usize {
        if self.is_over {
            return self.taken;
        }
        self.found.start.load(Ordering::Relaxed) + self.found.done.load(Ordering::Relaxed)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Which start tags are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TagFilter {
    /// All.
    Every,
    /// Those of elements that usually carry URLs, and what says where their text is, and which base URL
    /// counts. lol_html passes the others two or three times as fast; each name that it looks for costs.
    Usual,
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

static EVERY: LazyLock<Selector> = LazyLock::new(|| selector("*"));
static SOME: LazyLock<Selector> =
    LazyLock::new(|| selector(&format!("{}, {SPECIAL}", USUAL.join(", "))));

#[allow(clippy::expect_used, reason = "the selectors are those above")]
fn selector(text: &str) -> Selector {
    text.parse().expect("a selector")
}

fn rewriter(filter: TagFilter, found: &Arc<Callbacks>) -> HtmlRewriter<'static, Sink> {
    let selector = match filter {
        TagFilter::Every => &*EVERY,
        TagFilter::Usual => &*SOME,
    };
    let (every, done) = (Arc::clone(found), Arc::clone(found));
    // It takes longer to select those elements that are special.
    let every = ElementContentHandlers::default()
        .element(move |element: &mut Element<'_, '_>| every.start_tag(element));
    let memory = MemorySettings::new().with_max_allowed_memory_usage(MEMORY);
    HtmlRewriter::new(
        // Strict mode refuses documents whose raw text it cannot be sure of.
        Settings::new_send()
            .with_strict(false)
            .with_memory_settings(memory)
            .append_element_content_handler((Cow::Borrowed(selector), every)),
        Box::new(move |bytes: &[u8]| {
            // Nobody else counts them.
            let before = done.done.load(Ordering::Relaxed);
            done.done.store(before + bytes.len(), Ordering::Relaxed);
        }),
    )
}

type Handled = Result<(), Box<dyn std::error::Error + Send + Sync>>;

impl Callbacks {
    fn start_tag(self: &Arc<Callbacks>, element: &mut Element<'_, '_>) -> Handled {
        let start = self.start.load(Ordering::Relaxed);
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
        let [foreign, templates] =
            [&self.foreign, &self.templates].map(|open| open.load(Ordering::Relaxed));
        if name == "frameset" || name.starts_with("col") && templates > 0 {
            self.may_drop.store(true, Ordering::Relaxed);
        }
        let opens_foreign = matches!(&*name, "svg" | "math");
        let may_drop = self.may_drop.load(Ordering::Relaxed);
        lock(&self.tokens).push_back(Token::Tag(Tag {
            start: place.start + start,
            end: place.end + start,
            attributes,
            namespaces,
            base_counts: is_html && templates == 0,
            is_sure: is_html && foreign == 0 && !opens_foreign && !may_drop,
        }));
        let count = self.elements.load(Ordering::Relaxed) + 1;
        self.elements.store(count, Ordering::Relaxed);
        if count >= ELEMENTS && foreign == 0 && templates == 0 && ANYWHERE.contains(&&*name) {
            return self.begin_anew(place.end);
        }
        // What follows the start tags of elements whose text is not markup, or that change what is.
        match &*name {
            "svg" | "math" if element.is_self_closing() && foreign == 0 => {
                // lol_html takes what follows for the element's content, for good.
                return self.begin_anew(element.source_location().bytes().end);
            }
            "svg" | "math" if element.is_self_closing() => {}
            "svg" | "math" => self.count(element, |found| &found.foreign),
            "template" if is_html => self.count(element, |found| &found.templates),
            "style" => self.open(Content::Style { is_raw: is_html }, element),
            "script" => self.open(Content::Script { is_raw: is_html }, element),
            "noscript" | "noframes" if is_html => self.open(Content::Document, element),
            // In SVG a title is markup, and lol_html takes it for one of HTML.
            "title" if foreign > 0 => {}
            "textarea" | "title" | "iframe" | "noembed" | "xmp" | "plaintext" if is_html => {
                self.open(Content::Other, element);
            }
            _ => {}
        }
        Ok(())
    }

    /// The rest is for another rewriter, from a byte on that this one counts.
    fn begin_anew(&self, at: usize) -> Handled {
        // Where the templates end that are open, the other one does not know.
        let is_inside = self.templates.load(Ordering::Relaxed) > 0;
        self.may_drop.fetch_or(is_inside, Ordering::Relaxed);
        *lock(&self.begin_anew) = Some(self.start.load(Ordering::Relaxed) + at);
        Err("begin anew".into())
    }

    /// Counts an element as long as it is open.
    fn count(
        self: &Arc<Callbacks>,
        element: &mut Element<'_, '_>,
        counter: fn(&Callbacks) -> &AtomicUsize,
    ) {
        let name = element.tag_name();
        if let Some(handlers) = element.end_tag_handlers() {
            counter(self).fetch_add(1, Ordering::Relaxed);
            let found = Arc::clone(self);
            handlers.push(Box::new(move |end: &mut EndTag<'_>| {
                // Which of the elements around it another end tag has closed, lol_html does not know.
                let is_own = end.name() == name;
                found.may_drop.fetch_or(!is_own, Ordering::Relaxed);
                counter(&found).fetch_sub(1, Ordering::Relaxed);
                Ok(())
            }));
        }
    }

    /// An element's text begins; its end tag says where it ends.
    fn open(self: &Arc<Callbacks>, what: Content, element: &mut Element<'_, '_>) {
        if let Some(handlers) = element.end_tag_handlers() {
            lock(&self.tokens).push_back(Token::Open(what));
            let found = Arc::clone(self);
            handlers.push(Box::new(move |end: &mut EndTag<'_>| {
                let at = end.source_location().bytes().start + found.start.load(Ordering::Relaxed);
                lock(&found.tokens).push_back(Token::Close(at));
                Ok(())
            }));
        }
    }
}
