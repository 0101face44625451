//! CSS: the URLs of style sheets and of declarations.
//!
//! The tokenizer is our own: cssparser has an equivalent one, but it is private; its public parser
//! enters blocks by recursion, so nesting in a page could use up the stack, and its tokens are
//! decoded values without their place. It serves as the oracle in
//! the tests.

mod custom;
mod token;

use std::fmt::Write;
use std::ops::Range;

use super::found::FoundReference;
use crate::places::attributes::ValueKind;
use custom::{Declarations, RelativeTo};
pub(crate) use token::unescape;
use token::{CssToken, Tokens};

/// The references of `css`, in ascending order.
///
/// These are every `url()`, quoted or not, in custom properties too; the string of `src()` and of
/// a style sheet's `@import`; and the strings directly in `image-set()`, `image()` and `cross-fade()`, unless they
/// are empty: an empty one names nothing. The prelude of `@namespace` and `@document` names URLs that are not
/// fetched. In a file the URLs of a custom property belong to the sheet that uses it ([`custom`]).
///
/// `kind` is one of the three of CSS.
pub(crate) fn references(css: &str, kind: ValueKind) -> References<'_> {
    // Without one of these there is no URL, and most style attributes have none.
    let end = memchr::memchr2(b'(', b'@', css.as_bytes()).map_or(0, |_| css.len());
    References {
        css,
        kind,
        tokens: Tokens::new(&css[..end]),
        open: Vec::new(),
        expects_url: false,
        passive_prelude: None,
        declarations: (kind == ValueKind::CssFile).then(|| Declarations::of(css)),
    }
}

pub(crate) struct References<'a> {
    css: &'a str,
    kind: ValueKind,
    tokens: Tokens<'a>,
    /// The blocks and functions that are open. On the heap, since no input may exhaust the stack.
    open: Vec<Block>,
    /// Whether the next token, white space aside, is a URL if it is a string.
    expects_url: bool,
    /// In the prelude of a rule that only names URLs: how many blocks were open at its start.
    passive_prelude: Option<usize>,
    /// In a file.
    declarations: Option<Declarations>,
}

/// An open block or function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Block {
    /// A function in which strings are URLs.
    Images,
    /// Another function, or `(`.
    Round,
    /// `[`.
    Square,
    /// `{`.
    Curly,
}

impl<'a> Iterator for References<'a> {
    type Item = FoundReference<'a>;

    fn next(&mut self) -> Option<FoundReference<'a>> {
        loop {
            let start = self.tokens.position();
            let token = self.tokens.next()?;
            if token == CssToken::Blank {
                continue;
            }
            if let Some(declarations) = &mut self.declarations {
                let spelled = &self.css[start..self.tokens.position()];
                let depth = self.open.len();
                declarations.pass(&token, spelled, depth);
            }
            let expected_url = std::mem::take(&mut self.expects_url);
            match token {
                CssToken::AtKeyword(name) => self.at_rule(&unescape(&self.css[name])),
                CssToken::Function(name) => self.function(&unescape(&self.css[name])),
                CssToken::Open(b'[') => self.open.push(Block::Square),
                CssToken::Open(b'{') => {
                    self.end_prelude();
                    self.open.push(Block::Curly);
                }
                CssToken::Open(_) => self.open.push(Block::Round),
                CssToken::Close(b']') => self.close(|block| block == Block::Square),
                CssToken::Close(b'}') => self.close(|block| block == Block::Curly),
                CssToken::Close(_) => {
                    self.close(|block| matches!(block, Block::Round | Block::Images))
                }
                CssToken::Semicolon => self.end_prelude(),
                CssToken::Url(span) => {
                    if let Some(reference) = self.reference(span, None) {
                        return Some(reference);
                    }
                }
                CssToken::String(span, quote) => {
                    if (expected_url || self.open.last() == Some(&Block::Images))
                        && let Some(reference) = self.reference(span, Some(quote))
                    {
                        return Some(reference);
                    }
                }
                CssToken::Blank | CssToken::Other => {}
            }
        }
    }
}

impl<'a> References<'a> {
    fn at_rule(&mut self, name: &str) {
        let is = |other: &str| name.eq_ignore_ascii_case(other);
        if is("import") {
            // Browsers drop one that comes too late in the sheet; replacing its URL does no harm.
            self.expects_url = self.kind != ValueKind::CssDeclarations && self.open.is_empty();
        } else if is("namespace") || is("document") || is("-moz-document") {
            self.passive_prelude.get_or_insert(self.open.len());
        }
    }

    fn function(&mut self, name: &str) {
        const IMAGES: [&str; 4] = ["image-set", "-webkit-image-set", "image", "cross-fade"];
        let is = |other: &&str| name.eq_ignore_ascii_case(other);
        self.expects_url = ["url", "src"].iter().any(is);
        self.open.push(if IMAGES.iter().any(is) {
            Block::Images
        } else {
            Block::Round
        });
    }

    /// A closing bracket that does not match what is open closes nothing.
    fn close(&mut self, fits: impl Fn(Block) -> bool) {
        if self.open.pop_if(|block| fits(*block)).is_some() {
            let open = self.open.len();
            self.passive_prelude.take_if(|depth| *depth > open);
        }
    }

    /// A semicolon or `{` ends a prelude that began among the same blocks.
    fn end_prelude(&mut self) {
        let open = self.open.len();
        self.passive_prelude.take_if(|depth| *depth == open);
    }

    fn reference(&self, span: Range<usize>, quote: Option<char>) -> Option<FoundReference<'a>> {
        let value = unescape(&self.css[span.clone()]);
        let declarations = self.declarations.as_ref();
        let relative_to = declarations
            .map(Declarations::relative_to)
            .unwrap_or_default();
        let counts =
            self.passive_prelude.is_none() && !value.is_empty() && relative_to != RelativeTo::Page;
        counts.then_some(FoundReference {
            value,
            quote,
            has_unknown_base: relative_to == RelativeTo::Another,
            ..FoundReference::plain(self.css, span)
        })
    }
}

/// Appends `url` as it must be written in place of a reference with that quote: it reads back as the
/// same URL, except that an unquoted one has `%20` for each space.
///
/// In a style sheet `<` and `>` are escaped as well, so that no `</style`, `<!--` or `]]>` appears
/// in a document.
pub(crate) fn encode(url: &str, quote: Option<char>, kind: ValueKind, out: &mut String) {
    for c in url.chars() {
        match (c, quote) {
            (' ', None) => out.push_str("%20"),
            // CSS Syntax §4.3.7: its escape stands for U+FFFD.
            ('\0', _) => out.push_str("%00"),
            (c, _) if c.is_ascii_control() => hexadecimal(c, out),
            ('<' | '>', _) if kind != ValueKind::CssDeclarations => hexadecimal(c, out),
            ('\\', _) | ('"', None | Some('"')) | ('\'', None | Some('\'')) | ('(' | ')', None) => {
                out.extend(['\\', c])
            }
            _ => out.push(c),
        }
    }
}

/// Appends `c` as a hexadecimal escape. The space ends it, whatever follows.
pub(crate) fn hexadecimal(c: char, out: &mut String) {
    // Writing to a String does not fail.
    let _ = write!(out, "\\{:x} ", u32::from(c));
}

#[cfg(test)]
mod tests;
