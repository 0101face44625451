//! Start tags in HTML content, by insertion mode.
//!
//! Each function returns where the element goes, or `None` for a tag that is dropped together with what it would switch the tokenizer to.

use super::super::tag::Tag;
use super::super::{Content, Namespace, Placement};
use super::names::*;
use super::{Mode, TreeBuilder};

/// An HTML element whose content is markup, or that has no content. Also tags that are dropped on
/// their own: see the header of [`crate::locate::html`].
const MARKUP: Option<Placement> = Some(Placement::of(Namespace::Html, Content::Data));
const RCDATA: Option<Placement> = Some(Placement::of(Namespace::Html, Content::Rcdata));
const RAWTEXT: Option<Placement> = Some(Placement::of(Namespace::Html, Content::Rawtext));

impl TreeBuilder {
    /// HTML standard, "the rules for parsing tokens in HTML content": a start tag. Each arm is the
    /// insertion mode of its name; a turn of the loop is "reprocess the token".
    pub(super) fn html_start_tag(&mut self, name: Name, tag: &Tag<'_, '_>) -> Option<Placement> {
        loop {
            match self.mode {
                Mode::BeforeHead if name == HTML => return MARKUP,
                Mode::BeforeHead => {
                    self.insert(HEAD);
                    self.mode = Mode::InHead;
                    if name == HEAD {
                        return MARKUP;
                    }
                }
                Mode::InHead => match name {
                    HTML | HEAD => return MARKUP,
                    _ if is_for_head(name) || name == NOSCRIPT => return self.start_in_head(name),
                    _ => {
                        self.stack.pop();
                        self.mode = Mode::AfterHead;
                    }
                },
                Mode::AfterHead => match name {
                    HTML | HEAD => return MARKUP,
                    BODY => {
                        self.insert(BODY);
                        self.frameset_ok = false;
                        self.mode = Mode::InBody;
                        return MARKUP;
                    }
                    FRAMESET => {
                        self.insert(FRAMESET);
                        self.mode = Mode::InFrameset;
                        return MARKUP;
                    }
                    _ if is_for_head(name) => return self.start_in_head(name),
                    _ => {
                        self.insert(BODY);
                        self.mode = Mode::InBody;
                    }
                },
                Mode::InBody => return self.start_in_body(name, tag),
                Mode::InTable | Mode::InTableBody | Mode::InRow if name == TABLE => {
                    if !self.close_table() {
                        return MARKUP;
                    }
                }
                Mode::InTable => match name {
                    COL | TD | TH | TR => {
                        self.stack.clear_back_to(TABLE_CONTEXT);
                        let (parent, mode) = if name == COL {
                            (COLGROUP, Mode::InColumnGroup)
                        } else {
                            (TBODY, Mode::InTableBody)
                        };
                        self.insert(parent);
                        self.mode = mode;
                    }
                    _ => return self.start_in_table(name, tag),
                },
                Mode::InCaption => {
                    if !is_table_part(name) {
                        return self.start_in_body(name, tag);
                    }
                    if !self.close_caption() {
                        return MARKUP;
                    }
                }
                Mode::InColumnGroup => match name {
                    HTML | COL => return MARKUP,
                    TEMPLATE => return self.start_in_head(name),
                    // In a template's column group, everything but columns is dropped.
                    _ if !self.stack.current().is(COLGROUP) => return None,
                    _ => {
                        self.stack.pop();
                        self.mode = Mode::InTable;
                    }
                },
                Mode::InTableBody => match name {
                    TR | TD | TH => {
                        self.stack.clear_back_to(TABLE_BODY_CONTEXT);
                        self.insert(TR);
                        self.mode = Mode::InRow;
                        if name == TR {
                            return MARKUP;
                        }
                    }
                    _ if is_table_part(name) => {
                        if !self.close_table_body() {
                            return MARKUP;
                        }
                    }
                    _ => return self.start_in_table(name, tag),
                },
                Mode::InRow => match name {
                    TD | TH => {
                        self.stack.clear_back_to(TABLE_ROW_CONTEXT);
                        self.insert(name);
                        self.formatting.push_marker();
                        self.mode = Mode::InCell;
                        return MARKUP;
                    }
                    _ if is_table_part(name) => {
                        if !self.close_row() {
                            return MARKUP;
                        }
                    }
                    _ => return self.start_in_table(name, tag),
                },
                Mode::InCell => {
                    if !is_table_part(name) {
                        return self.start_in_body(name, tag);
                    }
                    if !self.close_cell() {
                        return MARKUP;
                    }
                }
                Mode::InTemplate => {
                    if is_for_head(name) {
                        return self.start_in_head(name);
                    }
                    self.mode = match name {
                        CAPTION | COLGROUP | TBODY | TFOOT | THEAD => Mode::InTable,
                        COL => Mode::InColumnGroup,
                        TR => Mode::InTableBody,
                        TD | TH => Mode::InRow,
                        _ => Mode::InBody,
                    };
                    self.template_modes.pop();
                    self.template_modes.push(self.mode);
                }
                Mode::AfterBody if name == HTML => return MARKUP,
                Mode::AfterBody => self.mode = Mode::InBody,
                Mode::InFrameset | Mode::AfterFrameset => {
                    return match name {
                        HTML => MARKUP,
                        NOFRAMES => RAWTEXT,
                        FRAMESET if self.mode == Mode::InFrameset => {
                            self.insert(FRAMESET);
                            MARKUP
                        }
                        FRAME if self.mode == Mode::InFrameset => MARKUP,
                        _ => None,
                    };
                }
            }
        }
    }

    /// "In head": a start tag, of those that other modes leave to it.
    fn start_in_head(&mut self, name: Name) -> Option<Placement> {
        match name {
            TITLE => RCDATA,
            // "In head noscript" ends with whatever would be misplaced here.
            NOSCRIPT if !self.scripting => MARKUP,
            NOFRAMES | NOSCRIPT | STYLE => RAWTEXT,
            SCRIPT => Some(Placement::of(Namespace::Html, Content::ScriptData)),
            TEMPLATE => {
                self.insert(TEMPLATE);
                self.formatting.push_marker();
                self.frameset_ok = false;
                self.mode = Mode::InTemplate;
                self.template_modes.push(Mode::InTemplate);
                MARKUP
            }
            _ => MARKUP,
        }
    }

    /// "In table": a start tag, of those that do not change the insertion mode by themselves, and
    /// those that open a part of the table.
    fn start_in_table(&mut self, name: Name, tag: &Tag<'_, '_>) -> Option<Placement> {
        match name {
            CAPTION | COLGROUP | TBODY | TFOOT | THEAD => {
                self.stack.clear_back_to(TABLE_CONTEXT);
                self.insert(name);
                self.mode = match name {
                    CAPTION => Mode::InCaption,
                    COLGROUP => Mode::InColumnGroup,
                    _ => Mode::InTableBody,
                };
                if name == CAPTION {
                    self.formatting.push_marker();
                }
                MARKUP
            }
            SCRIPT | STYLE | TEMPLATE => self.start_in_head(name),
            INPUT if tag.value_is("type", "hidden") => MARKUP,
            FORM => {
                if self.form.is_none() && !self.in_template() {
                    self.form = Some(self.insert_with_id(FORM));
                    self.stack.pop();
                }
                MARKUP
            }
            _ => self.start_in_body(name, tag),
        }
    }

    /// "In body": a start tag.
    fn start_in_body(&mut self, name: Name, tag: &Tag<'_, '_>) -> Option<Placement> {
        match name {
            _ if is_for_head(name) => return self.start_in_head(name),
            BODY => self.frameset_ok = false,
            FRAMESET => {
                if self.frameset_ok {
                    self.stack.truncate(1);
                    self.insert(FRAMESET);
                    self.mode = Mode::InFrameset;
                }
            }
            ADDRESS | ARTICLE | ASIDE | BLOCKQUOTE | CENTER | DETAILS | DIALOG | DIR | DIV | DL
            | FIELDSET | FIGCAPTION | FIGURE | FOOTER | HEADER | HGROUP | MAIN | MENU | NAV
            | OL | P | SEARCH | SECTION | SUMMARY | UL => {
                self.close_p();
                self.insert(name);
            }
            H1 | H2 | H3 | H4 | H5 | H6 => {
                self.close_p();
                if HEADINGS
                    .iter()
                    .any(|&heading| self.stack.current().is(heading))
                {
                    self.stack.pop();
                }
                self.insert(name);
            }
            PRE | LISTING => {
                self.close_p();
                self.insert(name);
                self.ignore_newline = true;
                self.frameset_ok = false;
            }
            FORM => {
                if self.in_template() {
                    self.close_p();
                    self.insert(FORM);
                } else if self.form.is_none() {
                    self.close_p();
                    self.form = Some(self.insert_with_id(FORM));
                }
            }
            LI => self.start_item(LI, &[LI]),
            DD | DT => self.start_item(name, &[DD, DT]),
            PLAINTEXT => return Some(Placement::of(Namespace::Html, Content::Plaintext)),
            BUTTON => {
                if self.stack.has_in_scope(Scope::Default, BUTTON) {
                    self.stack.imply_end_tags(IMPLIED_END, None);
                    self.stack.pop_through(BUTTON);
                }
                self.reconstruct_formatting();
                self.insert(BUTTON);
                self.frameset_ok = false;
            }
            A => {
                self.close_formatting_a();
                self.reconstruct_formatting();
                self.insert_formatting(A, tag.signature());
            }
            B | BIG | CODE | EM | FONT | I | S | SMALL | STRIKE | STRONG | TT | U => {
                self.reconstruct_formatting();
                self.insert_formatting(name, tag.signature());
            }
            NOBR => {
                self.reconstruct_formatting();
                if self.stack.has_in_scope(Scope::Default, NOBR) {
                    self.adoption_agency(NOBR);
                    self.reconstruct_formatting();
                }
                self.insert_formatting(NOBR, tag.signature());
            }
            APPLET | MARQUEE | OBJECT => {
                self.reconstruct_formatting();
                self.insert(name);
                self.formatting.push_marker();
                self.frameset_ok = false;
            }
            TABLE => {
                if self.quirks != Some(true) {
                    self.close_p();
                }
                // A table gets an id of its own: see `base`.
                self.insert_with_id(TABLE);
                self.frameset_ok = false;
                self.mode = Mode::InTable;
            }
            AREA | BR | EMBED | IMAGE | IMG | KEYGEN | WBR => {
                self.reconstruct_formatting();
                self.frameset_ok = false;
            }
            INPUT => {
                if self.stack.has_in_scope(Scope::Default, SELECT) {
                    self.stack.pop_through(SELECT);
                }
                self.reconstruct_formatting();
                self.frameset_ok &= tag.value_is("type", "hidden");
            }
            HR => {
                self.close_p();
                if self.stack.has_in_scope(Scope::Default, SELECT) {
                    self.stack.imply_end_tags(IMPLIED_END, None);
                }
                self.frameset_ok = false;
            }
            TEXTAREA => {
                self.frameset_ok = false;
                return RCDATA;
            }
            XMP => {
                self.close_p();
                self.reconstruct_formatting();
                self.frameset_ok = false;
                return RAWTEXT;
            }
            IFRAME => {
                self.frameset_ok = false;
                return RAWTEXT;
            }
            NOEMBED => return RAWTEXT,
            NOSCRIPT if self.scripting => return RAWTEXT,
            SELECT => {
                if self.stack.has_in_scope(Scope::Default, SELECT) {
                    self.stack.pop_through(SELECT);
                } else {
                    self.reconstruct_formatting();
                    self.insert(SELECT);
                    self.frameset_ok = false;
                }
            }
            OPTION | OPTGROUP => {
                if self.stack.has_in_scope(Scope::Default, SELECT) {
                    let except = (name == OPTION).then_some(OPTGROUP);
                    self.stack.imply_end_tags(IMPLIED_END, except);
                } else if self.stack.current().is(OPTION) {
                    self.stack.pop();
                }
                self.reconstruct_formatting();
                self.insert(name);
            }
            RB | RTC | RP | RT => {
                if self.stack.has_in_scope(Scope::Default, RUBY) {
                    let except = matches!(name, RP | RT).then_some(RTC);
                    self.stack.imply_end_tags(IMPLIED_END, except);
                }
                self.insert(name);
            }
            MATH | SVG => {
                self.reconstruct_formatting();
                let namespace = if name == SVG {
                    Namespace::Svg
                } else {
                    Namespace::MathMl
                };
                self.insert_foreign(namespace, name, tag);
                return Some(Placement::of(namespace, Content::Data));
            }
            HTML | CAPTION | COL | COLGROUP | FRAME | HEAD | PARAM | SOURCE | TBODY | TD
            | TFOOT | TH | THEAD | TR | TRACK => {}
            _ => {
                self.reconstruct_formatting();
                self.insert(name);
            }
        }
        MARKUP
    }

    /// "In body": a start tag whose tag name is "li", or "dd" or "dt". Inserts it, after it has
    /// closed one of `siblings`.
    fn start_item(&mut self, name: Name, siblings: &[Name]) {
        self.frameset_ok = false;
        let open = siblings
            .iter()
            .filter_map(|&sibling| self.stack.highest(sibling))
            .max();
        if let Some(element) = open.filter(|&index| index >= self.stack.bound(Scope::Item))
            && let Some(sibling) = self.stack.get(element).map(|element| element.name)
        {
            self.stack.imply_end_tags(IMPLIED_END, Some(sibling));
            self.stack.truncate(element);
        }
        self.close_p();
        self.insert(name);
    }
}

/// "In body": the start tags that this and most other modes leave to "in head".
fn is_for_head(name: Name) -> bool {
    matches!(
        name,
        BASE | BASEFONT | BGSOUND | LINK | META | NOFRAMES | SCRIPT | STYLE | TEMPLATE | TITLE
    )
}

/// "In caption", "in cell" and "in row": the start tags that close one.
fn is_table_part(name: Name) -> bool {
    matches!(
        name,
        CAPTION | COL | COLGROUP | TBODY | TD | TFOOT | TH | THEAD | TR
    )
}
