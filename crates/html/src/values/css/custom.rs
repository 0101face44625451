//! Which sheet the URLs of a declaration are relative to, in a style sheet in a file of its own.
//!
//! CSS Variables 1 leaves a custom property's value as tokens: a `url()` in it is read where the
//! property is used, and is relative to the sheet that does so (csswg-drafts issue 757). `behavior` of
//! old Internet Explorers is relative to the page.

use std::collections::HashSet;

use super::token::{CssToken, Tokens, unescape};

/// What the URLs of a declaration are relative to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum RelativeTo {
    #[default]
    Sheet,
    /// Another sheet, which is not known.
    Another,
    Page,
}

/// The declaration that a reader of a sheet is in.
#[derive(Debug, Default)]
pub(super) struct Declarations {
    /// The custom properties that the sheet uses (`var(--x)`) or registers (`@property --x`).
    used: HashSet<String>,
    state: State,
    /// The property's name, decoded.
    name: String,
    /// How many blocks are open around it.
    depth: usize,
    /// Which sheet its URLs are relative to: its name may be long, and it may have many URLs.
    relative_to: RelativeTo,
}

#[derive(Debug, Default, PartialEq, Eq)]
enum State {
    /// A declaration may begin.
    #[default]
    Start,
    /// Its name has been read.
    AfterName,
    /// Its value begins or goes on.
    Value,
    /// Something else is read.
    Other,
}

impl Declarations {
    pub(super) fn of(css: &str) -> Declarations {
        let mut used = HashSet::new();
        let (mut tokens, mut expects_name) = (Tokens::new(css), false);
        let mut start = 0;
        while let Some(token) = tokens.next() {
            let spelled = start..tokens.position();
            start = spelled.end;
            let is = |name: &str, other| unescape(name).eq_ignore_ascii_case(other);
            match token {
                CssToken::Blank => {}
                CssToken::Function(name) => expects_name = is(&css[name], "var"),
                CssToken::AtKeyword(name) => expects_name = is(&css[name], "property"),
                CssToken::Other if std::mem::take(&mut expects_name) => {
                    used.insert(unescape(&css[spelled]).into_owned());
                }
                _ => expects_name = false,
            }
        }
        Declarations {
            used,
            ..Declarations::default()
        }
    }

    /// Which sheet the URLs in a declaration of its property are relative to.
    fn of_property(&self) -> RelativeTo {
        let property = &*self.name;
        let is_behavior = (property.trim_start_matches('_')).eq_ignore_ascii_case("behavior");
        if is_behavior {
            RelativeTo::Page
        } else if property.starts_with("--") && !self.used.contains(property) {
            RelativeTo::Another
        } else {
            RelativeTo::Sheet
        }
    }

    /// Passes a token other than white space; `depth` blocks are open before it.
    pub(super) fn pass(&mut self, token: &CssToken, spelled: &str, depth: usize) {
        let is_inside = matches!(self.state, State::AfterName | State::Value) && depth > self.depth;
        // CSS Syntax §5.5.6: a block is a part of such a value only. `a:hover {` begins a rule.
        let takes_blocks = depth > 0 && self.name.starts_with("--");
        self.state = match (token, &self.state) {
            _ if is_inside => return,
            (CssToken::Open(b'{'), State::Value) if takes_blocks => return,
            // Old Internet Explorers read this, too.
            (CssToken::Other, State::Start) if spelled == "*" => return,
            (CssToken::Semicolon | CssToken::Open(b'{') | CssToken::Close(b'}'), _) => State::Start,
            (CssToken::Other, State::Start) => {
                self.name = unescape(spelled).into_owned();
                self.depth = depth;
                State::AfterName
            }
            (CssToken::Other, State::AfterName) if spelled == ":" => {
                self.relative_to = self.of_property();
                State::Value
            }
            (_, State::Value) => return,
            _ => State::Other,
        };
    }

    /// Which sheet a URL here is relative to.
    pub(super) fn relative_to(&self) -> RelativeTo {
        match self.state {
            State::Value => self.relative_to,
            _ => RelativeTo::Sheet,
        }
    }
}
