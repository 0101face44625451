//! Where a document's tags are: bytes in, start tags and raw text out.
//!
//! A locator reports by byte range and judges nothing: `places::attributes` knows which attributes
//! carry URLs. Locators are interchangeable behind [`Handler`].

pub mod html;
pub(crate) mod name_filter;
pub(crate) mod position;
pub(crate) mod window;
pub mod xml;

use std::ops::Range;
use std::sync::Arc;

/// The rules by which a document is parsed. [`rewrite_bytes`](crate::rewrite_bytes) has an example.
///
/// # Examples
/// ```
/// use abslink_html::{Context, Settings, Syntax, rewrite_bytes};
///
/// let (context, settings) = (Context::retrieved_from("http://h/")?, Settings::default());
/// // In XML, names are case-sensitive.
/// let rewritten = |syntax| rewrite_bytes(b"<A HREF='x'/>", syntax, &context, &settings).is_changed();
/// assert!(rewritten(Syntax::Html) && !rewritten(Syntax::Xml));
/// # Ok::<(), abslink_html::UnsuitableBase>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Syntax {
    /// `text/html`.
    #[default]
    Html,
    /// `application/xhtml+xml`.
    Xml,
}

/// Reports what is in a document of any ASCII-compatible encoding. `scripting` says whether
/// `noscript` is raw text, as in a browser that runs scripts.
pub fn locate<H: Handler>(document: &[u8], syntax: Syntax, scripting: bool, handler: &mut H) {
    match syntax {
        Syntax::Html => html::locate(document, scripting, handler),
        Syntax::Xml => xml::locate(document, handler),
    }
}

/// Locates in a document that comes in pieces, with the same result as [`locate`] with scripting.
///
/// ```
/// use abslink_html::locate::{Handler, Pieces, RawText, Spelling, StartTag};
/// use abslink_html::Syntax;
///
/// struct Tags(usize);
///
/// impl Handler for Tags {
///     fn start_tag(&mut self, _: &StartTag<'_>) {
///         self.0 += 1;
///     }
///     fn raw_text(&mut self, _: RawText, _: Spelling, _: std::ops::Range<usize>) {}
///     fn comment(&mut self, _: std::ops::Range<usize>) {}
/// }
///
/// let mut pieces = Pieces::new(Syntax::Html);
/// let mut tags = Tags(0);
/// assert_eq!(pieces.locate(b"<p>See <a hr", false, &mut tags), 7);
/// assert_eq!(pieces.locate(b"<a href=x>", true, &mut tags), 10);
/// assert_eq!(tags.0, 2);
/// ```
pub struct Pieces {
    locator: Locator,
    begun: bool,
}

enum Locator {
    Html(Box<html::Tokenization>),
    Xml(xml::OpenTags),
}

impl Pieces {
    /// A locator at the start of a document.
    pub fn new(syntax: Syntax) -> Pieces {
        Pieces::of(syntax, true)
    }

    /// The same for a document in which nothing depends on HTML's tree, or that is a single piece,
    /// and three times as fast. In several pieces its result is wrong from the place where
    /// something does, and then it [has a tree](Pieces::has_tree).
    pub(crate) fn without_tree(syntax: Syntax) -> Pieces {
        Pieces::of(syntax, false)
    }

    fn of(syntax: Syntax, has_tree: bool) -> Pieces {
        Pieces {
            locator: match syntax {
                Syntax::Html => Locator::Html(Box::new(html::Tokenization::new(true, has_tree))),
                Syntax::Xml => Locator::Xml(xml::OpenTags::default()),
            },
            begun: false,
        }
    }

    /// Whether HTML's tree is built.
    pub(crate) fn has_tree(&self) -> bool {
        match &self.locator {
            Locator::Html(pieces) => pieces.has_tree(),
            Locator::Xml(_) => false,
        }
    }

    /// Reports what is in `piece`, by byte range in it, and returns how much of it is done. The
    /// next piece starts with the rest, unless this is the last one. Of a piece without a whole
    /// token nothing is done: the next one has to be longer.
    pub fn locate<H: Handler>(&mut self, piece: &[u8], last: bool, handler: &mut H) -> usize {
        // A byte order mark comes whole.
        if !self.begun && !last && piece.len() < 3 {
            return 0;
        }
        let first = !std::mem::replace(&mut self.begun, true);
        let done = match &mut self.locator {
            Locator::Html(pieces) => pieces.locate(piece, first, last, handler),
            Locator::Xml(pieces) => pieces.locate(piece, last, handler),
        };
        // The unfinished end of a document is not located, but counts as done.
        if last { piece.len() } else { done }
    }

    /// Whether the first `base` with an `href` in tree order is known, whatever follows.
    pub(crate) fn base_is_settled(&self) -> bool {
        match &self.locator {
            Locator::Html(pieces) => pieces.base_is_settled(),
            // Nothing is moved in XML, so the first one found is the first.
            Locator::Xml(_) => true,
        }
    }
}

/// The namespace of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Namespace {
    /// HTML.
    Html,
    /// SVG.
    Svg,
    /// MathML.
    MathMl,
}

/// How an attribute value is delimited in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quote {
    /// `"…"`.
    Double,
    /// `'…'`.
    Single,
    /// Unquoted.
    None,
    /// There is no value: `href`, `href=>`. It counts as an empty one.
    Missing,
}

/// An attribute of a start tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// Byte range of the name, in the letter case of the source.
    pub name: Range<usize>,
    /// Byte range of the value, without its quotes. If there is none: empty, after the name or,
    /// if there is one, after the `=`.
    pub value: Range<usize>,
    /// The delimiter.
    pub quote: Quote,
}

/// A start tag that a tree builder would see as one.
#[derive(Clone, Debug)]
pub struct StartTag<'a> {
    /// Byte range of the element's name, in the letter case of the source.
    ///
    /// A tree builder turns `image` into `img` in the HTML namespace; the range still says
    /// `image` there.
    pub name: Range<usize>,
    /// The namespace that a tree builder puts the element in.
    pub namespace: Namespace,
    /// Attributes in order, without duplicates of an earlier name; see [`Handler::wants`].
    pub attributes: &'a [Attribute],
    /// In XML: which of them is `href` of the XLink namespace under a prefix other than `xlink`.
    pub xlink: Option<usize>,
    /// Whether a `base` here would count: false in the contents of an HTML `template`.
    pub base_applies: bool,
    /// Whether it is in a template whose content is no part of the page. That of a declared shadow root is.
    pub is_inert: bool,
    /// For a `base` with an `href` that counts: whether a tree builder puts it before those that
    /// were reported so far. Foster parenting does that, out of a table that contains one.
    pub precedes: bool,
    /// Whether names are case-sensitive, as in XML.
    pub is_exact: bool,
}

/// Elements whose text a locator reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RawText {
    /// `style`, HTML's and SVG's.
    Style,
    /// `script`, HTML's and SVG's.
    Script,
    /// `noscript`, as a scripting browser tokenizes it: everything up to `</noscript`.
    Noscript,
    /// `noframes`.
    Noframes,
}

/// How the text that a [`Handler`] gets is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Spelling {
    /// The bytes are the text: an HTML element's content, or a CDATA section's.
    Raw,
    /// Character references stand for characters: the text of a foreign element.
    References,
    /// The content of an element in XML as it is: its text is what [`Spelling::References`] and
    /// CDATA sections spell, without other markup and without child elements.
    Content,
}

/// Takes what a locator finds, in the order of the document.
pub trait Handler {
    /// Whether attributes of this name, in any letter case, are asked for. A locator may leave out
    /// all others.
    fn wants(&self, _attribute: &[u8]) -> bool {
        true
    }

    /// Whether attributes of this name are wanted in XML even if they mean nothing to a browser: in a
    /// namespace or a letter case that it does not know.
    fn wants_anywhere(&self, _attribute: &[u8]) -> bool {
        false
    }

    /// Whether the text of elements of this name, with its prefix, is wanted in XML.
    fn wants_text(&self, _element: &[u8]) -> bool {
        false
    }

    /// Whether start tags without such an attribute and without raw text are wanted. A locator
    /// may leave out those that are not.
    fn wants_bare(&self) -> bool {
        true
    }

    /// A start tag was found.
    fn start_tag(&mut self, tag: &StartTag<'_>);

    /// In XML, a start tag that means nothing to a browser was found, by its name without a prefix. A
    /// locator may leave out those without attributes that are wanted anywhere, if their text is not wanted.
    fn unknown_tag(&mut self, _name: Range<usize>, _attributes: &[Attribute]) {}

    /// In XML, the values of `xml:base` that count from here on, the outermost first, with line breaks between them.
    fn xml_base(&mut self, _bases: &str) {}

    /// The text of an element; called after its start tag.
    ///
    /// An HTML element's text comes as one range, and so does the content of any in XML. SVG's
    /// `style` and `script` in HTML are ordinary markup: their text comes in one call for each run
    /// of characters and each CDATA section. Child elements come afterwards, with what is their
    /// own.
    fn raw_text(&mut self, _element: RawText, _spelling: Spelling, _text: Range<usize>) {}

    /// In XML, the content of an element whose text is wanted, by its name with its prefix; called after its
    /// start tag. In other text that is reported there is none.
    fn element_text(&mut self, _name: Range<usize>, _content: Range<usize>) {}

    /// The `href` of an `xml-stylesheet` instruction in the prolog of an XML document, and its target.
    fn stylesheet(&mut self, _target: Range<usize>, _href: &Attribute) {}

    /// A comment's data (between `<!--` and `-->`).
    fn comment(&mut self, _data: Range<usize>) {}

    /// Markup other than a comment in which a `<` begins no tag: a CDATA section, a processing instruction, a document
    /// type declaration, or what HTML takes for a comment (`<?…>`, `<!…>`, `</ …>`).
    fn without_tags(&mut self, _markup: Range<usize>) {}

    /// The first `base` with an `href` is gone, and so is every other one: the body that contained
    /// them is replaced by a `frameset`, whose tag is at `at`. Called before that is reported.
    fn bases_removed(&mut self, _at: usize) {}

    /// What the document type declaration of an XML document declares, if it declares anything;
    /// called before any start tag.
    fn doctype(&mut self, _doctype: &Arc<xml::Doctype>) {}

    /// The text of an entity of the document type declaration, which holds markup: that has its
    /// effect wherever the entity is used.
    fn declared_markup(&mut self, _text: Range<usize>) {}

    /// An attribute that the document type declaration gives to all elements of a name; `element` is
    /// its local name.
    fn declared_attribute(&mut self, _element: Range<usize>, _attribute: &Attribute) {}

    /// The document declares what cannot be followed, for this reason.
    fn refuse(&mut self, _reason: &'static str) {}
}

#[cfg(test)]
mod tests {
    use super::html::Quiet;
    use super::*;

    #[test]
    fn a_byte_order_mark_comes_whole() {
        for syntax in [Syntax::Html, Syntax::Xml] {
            let done = |piece: &[u8], last| Pieces::new(syntax).locate(piece, last, &mut Quiet);
            assert_eq!([done(b"ab", false), done(b"ab", true)], [0, 2]);
            let mut pieces = Pieces::new(syntax);
            let done = ["\u{feff}", "a", "<b>"]
                .map(|piece| pieces.locate(piece.as_bytes(), false, &mut Quiet));
            assert_eq!(done, [3, 1, 3]);
        }
    }
}
