//! End tags in HTML content, by insertion mode, and what start tags also close.

use super::names::*;
use super::{Mode, TreeBuilder};

impl TreeBuilder {
    /// HTML standard, "the rules for parsing tokens in HTML content": an end tag. Each arm is the
    /// insertion mode of its name; a turn of the loop is "reprocess the token".
    pub(super) fn html_end_tag(&mut self, name: Name) {
        loop {
            match self.mode {
                Mode::BeforeHead => match name {
                    HEAD | BODY | HTML | BR => {
                        self.insert(HEAD);
                        self.mode = Mode::InHead;
                    }
                    _ => return,
                },
                Mode::InHead => match name {
                    HEAD | BODY | HTML | BR => {
                        self.stack.pop();
                        self.mode = Mode::AfterHead;
                        if name == HEAD {
                            return;
                        }
                    }
                    TEMPLATE => return self.close_template(),
                    _ => return,
                },
                Mode::AfterHead => match name {
                    BODY | HTML | BR => {
                        self.insert(BODY);
                        self.mode = Mode::InBody;
                    }
                    TEMPLATE => return self.close_template(),
                    _ => return,
                },
                Mode::InBody => return self.end_in_body(name),
                Mode::InTable => return self.end_in_table(name),
                Mode::InCaption => match name {
                    CAPTION | TABLE => {
                        if !self.close_caption() || name == CAPTION {
                            return;
                        }
                    }
                    BODY | COL | COLGROUP | HTML | TBODY | TD | TFOOT | TH | THEAD | TR => return,
                    _ => return self.end_in_body(name),
                },
                Mode::InColumnGroup => match name {
                    COL => return,
                    TEMPLATE => return self.close_template(),
                    _ if !self.stack.current().is(COLGROUP) => return,
                    _ => {
                        self.stack.pop();
                        self.mode = Mode::InTable;
                        if name == COLGROUP {
                            return;
                        }
                    }
                },
                Mode::InTableBody => match name {
                    TBODY | TFOOT | THEAD => {
                        if self.stack.has_in_scope(Scope::Table, name) {
                            self.close_table_body();
                        }
                        return;
                    }
                    TABLE => {
                        if !self.close_table_body() {
                            return;
                        }
                    }
                    _ => return self.end_in_table(name),
                },
                Mode::InRow => match name {
                    TR => {
                        self.close_row();
                        return;
                    }
                    TABLE => {
                        if !self.close_row() {
                            return;
                        }
                    }
                    TBODY | TFOOT | THEAD => {
                        if !self.stack.has_in_scope(Scope::Table, name) || !self.close_row() {
                            return;
                        }
                    }
                    _ => return self.end_in_table(name),
                },
                Mode::InCell => match name {
                    TD | TH => {
                        if self.stack.has_in_scope(Scope::Table, name) {
                            self.close_implied(name);
                            self.formatting.clear_to_marker();
                            self.mode = Mode::InRow;
                        }
                        return;
                    }
                    BODY | CAPTION | COL | COLGROUP | HTML => return,
                    TABLE | TBODY | TFOOT | THEAD | TR => {
                        if !self.stack.has_in_scope(Scope::Table, name) || !self.close_cell() {
                            return;
                        }
                    }
                    _ => return self.end_in_body(name),
                },
                Mode::InTemplate => {
                    if name == TEMPLATE {
                        self.close_template();
                    }
                    return;
                }
                Mode::AfterBody if name == HTML => return,
                Mode::AfterBody => self.mode = Mode::InBody,
                Mode::InFrameset => {
                    if name == FRAMESET && self.stack.len() > 1 {
                        self.stack.pop();
                        if !self.stack.current().is(FRAMESET) {
                            self.mode = Mode::AfterFrameset;
                        }
                    }
                    return;
                }
                Mode::AfterFrameset => return,
            }
        }
    }

    /// "In table": an end tag.
    fn end_in_table(&mut self, name: Name) {
        match name {
            TABLE => {
                self.close_table();
            }
            TEMPLATE => self.close_template(),
            BODY | CAPTION | COL | COLGROUP | HTML | TBODY | TD | TFOOT | TH | THEAD | TR => {}
            _ => self.end_in_body(name),
        }
    }

    /// "In body": an end tag.
    fn end_in_body(&mut self, name: Name) {
        match name {
            TEMPLATE => self.close_template(),
            BODY | HTML => {
                if self.stack.has_in_scope(Scope::Default, BODY) {
                    self.mode = Mode::AfterBody;
                }
            }
            ADDRESS | ARTICLE | ASIDE | BLOCKQUOTE | BUTTON | CENTER | DETAILS | DIALOG | DIR
            | DIV | DL | FIELDSET | FIGCAPTION | FIGURE | FOOTER | HEADER | HGROUP | LISTING
            | MAIN | MENU | NAV | OL | PRE | SEARCH | SECTION | SELECT | SUMMARY | UL => {
                if self.stack.has_in_scope(Scope::Default, name) {
                    self.close_implied(name);
                }
            }
            FORM => self.close_form(),
            // Without one, a `p` is made and closed: nothing stays open.
            P => self.close_p(),
            LI | DD | DT => {
                let scope = if name == LI {
                    Scope::List
                } else {
                    Scope::Default
                };
                if self.stack.has_in_scope(scope, name) {
                    self.stack.imply_end_tags(IMPLIED_END, Some(name));
                    self.stack.pop_through(name);
                }
            }
            H1 | H2 | H3 | H4 | H5 | H6 => {
                let open = HEADINGS
                    .iter()
                    .filter_map(|&heading| self.stack.highest(heading))
                    .max();
                if let Some(heading) =
                    open.filter(|&index| index >= self.stack.bound(Scope::Default))
                {
                    self.stack.truncate(heading);
                }
            }
            A | B | BIG | CODE | EM | FONT | I | NOBR | S | SMALL | STRIKE | STRONG | TT | U => {
                self.adoption_agency(name);
            }
            APPLET | MARQUEE | OBJECT => {
                if self.stack.has_in_scope(Scope::Default, name) {
                    self.close_implied(name);
                    self.formatting.clear_to_marker();
                }
            }
            BR => {
                self.reconstruct_formatting();
                self.frameset_ok = false;
            }
            _ => self.any_other_end_tag(name),
        }
    }

    /// "In body", "any other end tag".
    pub(super) fn any_other_end_tag(&mut self, name: Name) {
        if self.stack.has_in_scope(Scope::Special, name) {
            self.stack.pop_through(name);
        }
    }

    /// "Generate implied end tags", then pops elements until `name` has been popped.
    fn close_implied(&mut self, name: Name) {
        self.stack.imply_end_tags(IMPLIED_END, None);
        self.stack.pop_through(name);
    }

    /// "Close a p element", if there is one in button scope.
    pub(super) fn close_p(&mut self) {
        if self.stack.has_in_scope(Scope::Button, P) {
            self.stack.imply_end_tags(IMPLIED_END, Some(P));
            self.stack.pop_through(P);
        }
    }

    /// "In body": an end tag whose tag name is "form".
    fn close_form(&mut self) {
        if self.in_template() {
            if self.stack.has_in_scope(Scope::Default, FORM) {
                self.close_implied(FORM);
            }
            return;
        }
        let form = self.form.take().and_then(|form| self.stack.position(form));
        if let Some(form) = form.filter(|&index| index >= self.stack.bound(Scope::Default)) {
            self.stack.imply_end_tags(IMPLIED_END, None);
            self.stack.remove(form);
        }
    }

    /// "In head": an end tag whose tag name is "template".
    fn close_template(&mut self) {
        if self.in_template() {
            self.stack.pop_through(TEMPLATE);
            self.formatting.clear_to_marker();
            self.template_modes.pop();
            self.shadow_roots = self.shadow_roots.min(self.template_modes.len());
            self.reset_mode();
        }
    }

    /// "In table": an end tag whose tag name is "table". Closes the table in table scope; false if
    /// there is none.
    pub(super) fn close_table(&mut self) -> bool {
        let open = self.stack.has_in_scope(Scope::Table, TABLE);
        if open {
            self.stack.pop_through(TABLE);
            self.reset_mode();
        }
        open
    }

    /// "In caption": an end tag whose tag name is "caption", and the tags that close one. False if
    /// there is none.
    pub(super) fn close_caption(&mut self) -> bool {
        let open = self.stack.has_in_scope(Scope::Table, CAPTION);
        if open {
            self.close_implied(CAPTION);
            self.formatting.clear_to_marker();
            self.mode = Mode::InTable;
        }
        open
    }

    /// "In table body": an end tag `tbody`, `tfoot` or `thead`, and the tags that close one. False
    /// if there is none.
    pub(super) fn close_table_body(&mut self) -> bool {
        let bodies = [TBODY, TFOOT, THEAD];
        let open = bodies
            .iter()
            .any(|&body| self.stack.has_in_scope(Scope::Table, body));
        if open {
            self.stack.clear_back_to(TABLE_BODY_CONTEXT);
            self.stack.pop();
            self.mode = Mode::InTable;
        }
        open
    }

    /// "In row": an end tag whose tag name is "tr", and the tags that close one. False if there is
    /// none.
    pub(super) fn close_row(&mut self) -> bool {
        let open = self.stack.has_in_scope(Scope::Table, TR);
        if open {
            self.stack.clear_back_to(TABLE_ROW_CONTEXT);
            self.stack.pop();
            self.mode = Mode::InTableBody;
        }
        open
    }

    /// "Close the cell"; false if there is none in table scope.
    pub(super) fn close_cell(&mut self) -> bool {
        let cell = self.stack.highest(TD).max(self.stack.highest(TH));
        let Some(cell) = cell.filter(|&index| index >= self.stack.bound(Scope::Table)) else {
            return false;
        };
        self.stack.truncate(cell);
        self.formatting.clear_to_marker();
        self.mode = Mode::InRow;
        true
    }
}
