//! Tree construction by the standard's rules, without the tree.
//!
//! This keeps the stack of open elements, the list of active formatting elements, the insertion
//! mode and the flags that the rules consult. Nodes are not made, and only for `base` is it known
//! where they would go. Raw text elements are closed by the tokenizer and never pushed.

mod base;
mod end;
mod formatting;
mod names;
mod open_elements;
mod start;

use htmlize::Context;

use super::super::{Namespace, RawText, Spelling};
use super::foreign::{Integration, breaks_out, integration};
use super::tag::Tag;
use super::{Construction, Content, Halt, Placement, is_whitespace};
use base::First;
use formatting::Formatting;
use names::{Name, Names};
use open_elements::{Element, Id, OpenElements};

/// The state of the tree construction stage.
pub(super) struct TreeBuilder {
    /// Whether `noscript` is raw text.
    scripting: bool,
    names: Names,
    stack: OpenElements,
    formatting: Formatting,
    mode: Mode,
    /// The stack of template insertion modes.
    template_modes: Vec<Mode>,
    /// How many open templates, from the outermost on, declare a shadow root.
    shadow_roots: usize,
    /// The form element pointer.
    form: Option<Id>,
    last_id: Id,
    first: First,
    frameset_ok: bool,
    /// Unknown until the first token that is not a comment.
    quirks: Option<bool>,
    /// Whether the last token was a start tag whose content may start with a newline that is
    /// dropped.
    ignore_newline: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// "Initial", "before html" and "before head": the root element is there from the start.
    BeforeHead,
    InHead,
    AfterHead,
    InBody,
    InTable,
    InCaption,
    InColumnGroup,
    InTableBody,
    InRow,
    InCell,
    InTemplate,
    /// "After body" and "after after body": they differ in where comments go.
    AfterBody,
    InFrameset,
    /// "After frameset" and "after after frameset".
    AfterFrameset,
}

impl TreeBuilder {
    /// `scripting` tells whether `noscript` is raw text.
    pub(super) fn new(scripting: bool) -> Self {
        TreeBuilder {
            scripting,
            names: Names::default(),
            stack: OpenElements::new(names::HTML),
            formatting: Formatting::default(),
            mode: Mode::BeforeHead,
            template_modes: Vec::new(),
            shadow_roots: 0,
            form: None,
            last_id: 0,
            first: First::default(),
            frameset_ok: true,
            quirks: None,
            ignore_newline: false,
        }
    }
}

impl Construction for TreeBuilder {
    /// HTML standard, "tree construction dispatcher", and "in foreign content": any start tag.
    fn start_tag(&mut self, tag: &Tag<'_, '_>) -> Result<Option<Placement>, Halt> {
        self.before_token();
        let name = self.names.number(tag.name);
        let base_applies = self.base_applies();
        let foreign = !self.takes_html_start_tag(name);
        let mut placed = if foreign && !breaks_out(tag) {
            let namespace = self.stack.current().namespace;
            self.insert_foreign(namespace, name, tag);
            Some(Placement::of(namespace, Content::Data))
        } else {
            if foreign {
                self.break_out();
            }
            self.html_start_tag(name, tag)
        };
        if let Some(placed) = &mut placed
            && placed.namespace == Namespace::Html
        {
            if name == names::BASE && base_applies && tag.has("href") {
                placed.base = self.meet_base();
            } else if name == names::FRAMESET && self.mode == Mode::InFrameset {
                placed.base = self.remove_body();
            } else if name == names::TEMPLATE
                && self.template_modes.len() == self.shadow_roots + 1
                && tag.declares_shadow_root()
            {
                self.shadow_roots += 1;
            }
        }
        Ok(placed)
    }

    /// HTML standard, "tree construction dispatcher", and "in foreign content": any end tag.
    fn end_tag(&mut self, name: &[u8]) -> Result<(), Halt> {
        self.before_token();
        let name = self.names.number(name);
        if self.stack.current().namespace != Namespace::Html {
            if name == names::P || name == names::BR {
                self.break_out();
            } else if let Some(index) = self.stack.highest_foreign(name) {
                self.stack.truncate(index);
                return Ok(());
            }
        }
        self.html_end_tag(name);
        Ok(())
    }

    /// "Tree construction dispatcher", and "in foreign content": characters.
    fn text(&mut self, text: &[u8], spelling: Spelling) {
        let first = std::mem::take(&mut self.ignore_newline);
        let text = Characters::of(if first { without_newline(text) } else { text }, spelling);
        let current = self.stack.current();
        if current.namespace == Namespace::Html || current.integration.takes_html() {
            self.html_text(&text);
        } else if text.visible {
            self.frameset_ok = false;
        }
    }

    /// A comment is inserted in every mode, and changes none.
    fn comment(&mut self) {
        self.ignore_newline = false;
    }

    /// "Initial": a DOCTYPE token. Every other mode ignores it.
    fn doctype(&mut self, html: bool) {
        self.quirks.get_or_insert(!html);
    }

    fn looks_at_attributes(&self) -> bool {
        true
    }

    fn is_plain(&self) -> bool {
        false
    }

    fn is_ordinary(&self, _: &[u8]) -> bool {
        false
    }

    fn base_applies(&self) -> bool {
        !self.in_template()
    }

    fn is_inert(&self) -> bool {
        self.template_modes.len() > self.shadow_roots
    }

    fn is_foreign(&self) -> bool {
        self.stack.current().namespace != Namespace::Html
    }

    fn reported_text(&self) -> Option<RawText> {
        let current = self.stack.current();
        match (current.namespace, current.name) {
            (Namespace::Svg, names::STYLE) => Some(RawText::Style),
            (Namespace::Svg, names::SCRIPT) => Some(RawText::Script),
            _ => None,
        }
    }
}

impl TreeBuilder {
    /// What every tag does first: "initial", anything else, and the newline that "in body" ignores
    /// only as the next token.
    fn before_token(&mut self) {
        self.quirks.get_or_insert(true);
        self.ignore_newline = false;
    }

    /// "Tree construction dispatcher": whether a start tag is for the current insertion mode, not
    /// for foreign content.
    fn takes_html_start_tag(&self, name: Name) -> bool {
        let current = self.stack.current();
        current.namespace == Namespace::Html
            || match current.integration {
                Integration::Html => true,
                Integration::MathMlText => name != names::MGLYPH && name != names::MALIGNMARK,
                Integration::Svg => name == names::SVG,
                Integration::No => false,
            }
    }

    /// "In foreign content": a start tag that breaks out, or an end tag `br` or `p`, pops elements
    /// until HTML is allowed.
    fn break_out(&mut self) {
        self.stack.pop_while(|element| {
            element.namespace != Namespace::Html && !element.integration.takes_html()
        });
    }

    /// "Insert a foreign element".
    fn insert_foreign(&mut self, namespace: Namespace, name: Name, tag: &Tag<'_, '_>) {
        if !tag.self_closing {
            let integration = integration(namespace, tag);
            let element = Element {
                namespace,
                integration,
                ..Element::html(name)
            };
            self.stack.push(self.placed(element));
        }
    }

    /// "Insert an HTML element".
    fn insert(&mut self, name: Name) {
        self.stack.push(self.placed(Element::html(name)));
    }

    /// The same, for an element that is remembered elsewhere.
    fn insert_with_id(&mut self, name: Name) -> Id {
        let id = self.next_id();
        let element = Element {
            id,
            ..Element::html(name)
        };
        self.stack.push(self.placed(element));
        id
    }

    fn next_id(&mut self) -> Id {
        self.last_id += 1;
        self.last_id
    }

    /// "If there is no template element on the stack of open elements", as many rules begin.
    fn in_template(&self) -> bool {
        self.stack.highest(names::TEMPLATE).is_some()
    }

    /// "Reset the insertion mode appropriately".
    fn reset_mode(&mut self) {
        let modes = [
            (names::TD, Mode::InCell),
            (names::TH, Mode::InCell),
            (names::TR, Mode::InRow),
            (names::TBODY, Mode::InTableBody),
            (names::THEAD, Mode::InTableBody),
            (names::TFOOT, Mode::InTableBody),
            (names::CAPTION, Mode::InCaption),
            (names::COLGROUP, Mode::InColumnGroup),
            (names::TABLE, Mode::InTable),
            (
                names::TEMPLATE,
                self.template_modes.last().copied().unwrap_or(Mode::InBody),
            ),
            (names::HEAD, Mode::InHead),
            (names::BODY, Mode::InBody),
            (names::FRAMESET, Mode::InFrameset),
            (names::HTML, Mode::AfterHead),
        ];
        let highest = modes
            .into_iter()
            .max_by_key(|&(name, _)| self.stack.highest(name));
        self.mode = highest.map_or(Mode::InBody, |(_, mode)| mode);
    }

    /// "The rules for parsing tokens in HTML content": characters. Each arm is the insertion mode
    /// of its name; a turn of the loop is "reprocess the token".
    fn html_text(&mut self, text: &Characters) {
        loop {
            let more_than_space = text.visible || text.nul;
            match self.mode {
                Mode::BeforeHead if more_than_space => {
                    self.quirks.get_or_insert(true);
                    self.insert(names::HEAD);
                    self.mode = Mode::InHead;
                }
                Mode::InHead if more_than_space => {
                    self.stack.pop();
                    self.mode = Mode::AfterHead;
                }
                Mode::AfterHead if more_than_space => {
                    self.insert(names::BODY);
                    self.mode = Mode::InBody;
                }
                Mode::InColumnGroup
                    if more_than_space && self.stack.current().is(names::COLGROUP) =>
                {
                    self.stack.pop();
                    self.mode = Mode::InTable;
                }
                Mode::AfterBody if more_than_space => self.mode = Mode::InBody,
                Mode::InTable | Mode::InTableBody | Mode::InRow
                    if !text.visible && self.stack.current().is_in(names::TABLE_TEXT) =>
                {
                    return;
                }
                Mode::BeforeHead
                | Mode::InHead
                | Mode::AfterHead
                | Mode::InColumnGroup
                | Mode::InFrameset
                | Mode::AfterFrameset => return,
                Mode::InBody
                | Mode::InTable
                | Mode::InCaption
                | Mode::InTableBody
                | Mode::InRow
                | Mode::InCell
                | Mode::InTemplate
                | Mode::AfterBody => {
                    if text.space || text.visible {
                        self.reconstruct_formatting();
                    }
                    self.frameset_ok &= !text.visible;
                    return;
                }
            }
        }
    }
}

/// Which sorts of characters a text has.
struct Characters {
    space: bool,
    nul: bool,
    /// Any others.
    visible: bool,
}

impl Characters {
    /// Which of the sorts that the insertion modes distinguish are there.
    fn of(text: &[u8], spelling: Spelling) -> Characters {
        let sorts = |text: &[u8]| Characters {
            space: text.iter().any(|&byte| is_whitespace(byte)),
            nul: text.contains(&0),
            visible: text.iter().any(|&byte| byte != 0 && !is_whitespace(byte)),
        };
        let blank = |byte: &u8| *byte == 0 || is_whitespace(*byte);
        // Only if a reference comes first can it matter that it may stand for a space.
        let first = text.iter().find(|byte| !blank(byte));
        if spelling == Spelling::References && first == Some(&b'&') {
            sorts(&htmlize::unescape_bytes_in(text, Context::General))
        } else {
            sorts(text)
        }
    }
}

/// "In body", a start tag `pre` or `listing`: a text without the newline that it starts with.
fn without_newline(text: &[u8]) -> &[u8] {
    let start = text.strip_prefix(b"\r").unwrap_or(text);
    start.strip_prefix(b"\n").unwrap_or(start)
}
