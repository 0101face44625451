//! Tree construction without HTML's tree: enough for documents whose foreign content is plain.
//!
//! INVARIANT: every element on the stack is foreign, the element below the lowest one is in the
//! HTML namespace, and every open `template` is below that one.
//!
//! # Templates
//!
//! A start tag `template` in HTML content opens one in every insertion mode that a document without
//! `frameset` has (HTML standard, "in head", to which the other modes leave it), and only an
//! end tag `template` closes it: it bounds every scope, is "special", and is where the stack is
//! cleared back to. So open ones can be counted. A `template` that declares a shadow root
//! is no different: the element is on the stack of open elements all the same.
//!
//! A template changes two things: no `base` counts in it, and it has its own insertion modes. "In
//! template" leads to the mode that the first tag asks for, and of these only "in column group"
//! reads tags differently: without a `colgroup`, it drops nearly all of them. A `col` leads there,
//! unless another tag came before it. Here that has to be a `table`; otherwise the
//! tree is needed.

use super::super::name_filter::NameFilter;
use super::super::{Namespace, RawText, Spelling};
use super::foreign::{Integration, breaks_out, integration, reported_text};
use super::tag::{Tag, is};
use super::{Construction, Content, Halt, Placement};

/// The foreign elements from the current node up to the nearest HTML element, and how many
/// templates are open.
#[derive(Default)]
pub(super) struct ForeignStack {
    stack: Vec<OpenElement>,
    /// The names of these elements, one after the other.
    names: Vec<u8>,
    /// How many HTML `template` elements are open.
    templates: usize,
    /// How many of these, from the outermost on, declare a shadow root.
    shadow_roots: usize,
    /// Whether there was a `table` in the innermost of them, so it is not "in template" any more.
    has_table: bool,
    /// Whether there was a `base` with an `href` that counts.
    has_base: bool,
}

struct OpenElement {
    /// Where its name starts.
    name: usize,
    namespace: Namespace,
    integration: Integration,
    text: Option<RawText>,
}

impl Construction for ForeignStack {
    /// HTML standard, "tree construction dispatcher", and in foreign content a start tag that
    /// breaks out of it, or "any other start tag".
    #[inline]
    fn start_tag(&mut self, tag: &Tag<'_, '_>) -> Result<Option<Placement>, Halt> {
        let Some(current) = self.stack.last() else {
            return self.html(tag);
        };
        // Which HTML elements are open from here on is more than this stack knows.
        if current.integration != Integration::No {
            return Err(Halt::NeedsTree);
        }
        if breaks_out(tag) {
            self.truncate(0);
            return self.html(tag);
        }
        let namespace = current.namespace;
        Ok(Some(self.insert(namespace, tag)))
    }

    /// HTML standard, "tree construction dispatcher": in HTML content only an end tag `template`
    /// affects more than the tree.
    #[inline]
    fn end_tag(&mut self, name: &[u8]) -> Result<(), Halt> {
        if self.is_plain() {
            return Ok(());
        }
        self.end_tag_inside(name)
    }

    /// Characters change the insertion mode, but that matters here only at tags.
    fn text(&mut self, _: &[u8], _: Spelling) {}

    fn comment(&mut self) {}

    fn doctype(&mut self, _: bool) {}

    #[inline]
    fn is_plain(&self) -> bool {
        self.stack.is_empty() && self.templates == 0
    }

    #[inline]
    fn looks_at_attributes(&self) -> bool {
        !self.stack.is_empty()
    }

    #[inline]
    fn is_ordinary(&self, name: &[u8]) -> bool {
        self.stack.is_empty() && is_ordinary(name)
    }

    #[inline]
    fn base_applies(&self) -> bool {
        self.templates == 0
    }

    #[inline]
    fn is_inert(&self) -> bool {
        self.templates > self.shadow_roots
    }

    #[inline]
    fn is_foreign(&self) -> bool {
        !self.stack.is_empty()
    }

    #[inline]
    fn reported_text(&self) -> Option<RawText> {
        self.stack.last()?.text
    }
}

impl ForeignStack {
    /// Whether no foreign element is open.
    pub(super) fn is_empty(&self) -> bool {
        self.stack.is_empty()
    }

    /// HTML standard, "the rules for parsing tokens in HTML content": a start tag, in any insertion
    /// mode.
    #[inline]
    fn html(&mut self, tag: &Tag<'_, '_>) -> Result<Option<Placement>, Halt> {
        let in_template = self.templates > 0;
        let mut content = Content::Data;
        match special(tag.name) {
            Some(Special::Foreign(namespace)) => return Ok(Some(self.insert(namespace, tag))),
            Some(Special::Text(text)) => content = text,
            Some(Special::BaseOrder) => {
                // Where a second one goes depends on the tables that are open.
                let counts = !in_template && tag.has("href");
                if counts && std::mem::replace(&mut self.has_base, true) {
                    return Err(Halt::NeedsTree);
                }
            }
            Some(Special::Col) if in_template && !self.has_table => return Err(Halt::NeedsTree),
            None | Some(Special::Col) => {}
            // It takes the place of the body or is ignored, depending on what comes before it.
            Some(Special::Frameset) => return Err(Halt::NeedsTree),
            Some(Special::Table) => self.has_table = true,
            Some(Special::Template) => {
                let is_shown = self.shadow_roots == self.templates && tag.declares_shadow_root();
                self.shadow_roots += usize::from(is_shown);
                self.templates += 1;
                self.has_table = false;
            }
        }
        Ok(Some(Placement::of(Namespace::Html, content)))
    }

    /// HTML standard, "insert a foreign element", and "acknowledge the self-closing flag".
    fn insert(&mut self, namespace: Namespace, tag: &Tag<'_, '_>) -> Placement {
        if !tag.self_closing {
            self.stack.push(OpenElement {
                name: self.names.len(),
                namespace,
                integration: integration(namespace, tag),
                text: reported_text(namespace, tag.name),
            });
            self.names.extend(tag.name);
        }
        Placement::of(namespace, Content::Data)
    }

    /// HTML standard, "in foreign content": an end tag `br` or `p`, or "any other end tag"; "in
    /// head": an end tag whose tag name is "template".
    #[inline(never)]
    fn end_tag_inside(&mut self, name: &[u8]) -> Result<(), Halt> {
        let mut end = self.names.len();
        let closed = self.stack.iter().rposition(|element| {
            let found = is(&self.names[element.name..end], name);
            end = element.name;
            found
        });
        if let Some(closed) = closed {
            self.truncate(closed);
        } else if is(name, b"template") {
            // If none is open, the tag is ignored.
            if self.templates > 0 {
                self.templates -= 1;
                self.shadow_roots = self.shadow_roots.min(self.templates);
                self.has_table = false;
                self.truncate(0);
            }
        } else if let Some(current) = self.stack.last() {
            // At an integration point these two are for HTML content.
            let breaks_out = is(name, b"p") || is(name, b"br");
            if !breaks_out || current.integration != Integration::No {
                return Err(Halt::NeedsTree);
            }
            self.truncate(0);
        }
        Ok(())
    }

    /// Pops foreign elements until this many are left.
    fn truncate(&mut self, length: usize) {
        if let Some(lowest) = self.stack.get(length) {
            self.names.truncate(lowest.name);
            self.stack.truncate(length);
        }
    }
}

/// Whether a start tag in HTML content makes an element, and has no other effect. `false` for a few
/// ordinary ones as well.
#[inline]
pub(super) fn is_ordinary(name: &[u8]) -> bool {
    static NOT_ORDINARY: NameFilter = {
        let (mut filter, mut at) = (NameFilter::new(), 0);
        while at < SPECIAL.len() {
            filter = filter.with(SPECIAL[at].0);
            at += 1;
        }
        filter
    };
    !NOT_ORDINARY.passes(name)
}

/// What a start tag in HTML content leads to, in whatever insertion mode; `None` for an ordinary
/// element.
#[inline]
fn special(name: &[u8]) -> Option<Special> {
    let mut all = SPECIAL.iter();
    all.find(|special| is(name, special.0.as_bytes()))
        .map(|special| special.1)
}

/// What a start tag does, if it does more than add to HTML's tree.
#[derive(Clone, Copy)]
enum Special {
    /// It makes an HTML element that contains only text.
    Text(Content),
    /// It makes an element of another namespace.
    Foreign(Namespace),
    BaseOrder,
    Col,
    Frameset,
    Table,
    Template,
}

const SPECIAL: [(&str, Special); 17] = [
    ("base", Special::BaseOrder),
    ("col", Special::Col),
    ("frameset", Special::Frameset),
    ("iframe", Special::Text(Content::Rawtext)),
    ("math", Special::Foreign(Namespace::MathMl)),
    ("noembed", Special::Text(Content::Rawtext)),
    ("noframes", Special::Text(Content::Rawtext)),
    ("noscript", Special::Text(Content::Rawtext)),
    ("plaintext", Special::Text(Content::Plaintext)),
    ("script", Special::Text(Content::ScriptData)),
    ("style", Special::Text(Content::Rawtext)),
    ("svg", Special::Foreign(Namespace::Svg)),
    ("table", Special::Table),
    ("template", Special::Template),
    ("textarea", Special::Text(Content::Rcdata)),
    ("title", Special::Text(Content::Rcdata)),
    ("xmp", Special::Text(Content::Rawtext)),
];

#[cfg(test)]
mod tests {
    use super::super::foreign_stack::ForeignStack;
    use super::super::{Quiet, Tokenizer};

    #[test]
    fn the_tree_is_asked_for_where_it_decides() {
        for (document, needed) in [
            ("<template><p><a href=x></template></template>", false),
            ("<template><template></p></template></x></template>", false),
            (
                "<div><template shadowrootmode=open><svg></template></div>",
                false,
            ),
            ("<template><svg></p><template></svg></template>", false),
            ("<svg></template><a href=x></svg>", false),
            ("<template><base href=x></template><base href=y>", false),
            ("<base><base href=y><base>", false),
            ("<base href=x></template><base href=y>", true),
            ("<template></template><base href=x><base href=y>", true),
            ("<table><colgroup><col></table>", false),
            ("<template><table><col></table><col></template>", false),
            ("<template><tr><td></td></tr></template>", false),
            ("<template><style></style></b><col>", true),
            ("<table><template><col>", true),
            ("<template><table><template></template><col>", true),
            ("<template></template><col>", false),
            ("<template><svg></x>", true),
            ("<svg><g></p>", false),
            ("<svg><font color></x>", false),
            ("<svg><font></x>", true),
            ("<svg><title></p>", true),
            ("<template><svg><title>x</title><desc><b>", true),
            ("<template><frameset>", true),
        ] {
            let mut tokenizer = Tokenizer::new(document.as_bytes(), true);
            let run = tokenizer.run(&mut ForeignStack::default(), &mut Quiet, document.len());
            assert_eq!(run.is_err(), needed, "{document}");
        }
    }

    /// Names stand apart from the elements, and go with them.
    #[test]
    fn names_go_with_their_elements() {
        let mut stack = ForeignStack::default();
        let document = b"<svg><g><path><a></g><use/><g></g><text></svg><math><mi></mi><mrow>";
        let mut tokenizer = Tokenizer::new(document, true);
        assert!(
            tokenizer
                .run(&mut stack, &mut Quiet, document.len())
                .is_ok()
        );
        assert_eq!(stack.names, b"mathmrow");
        assert_eq!(stack.stack.len(), 2);
    }
}
