//! One document of any kind.

use std::borrow::Cow;

use abslink_containers::feed::{self, Examined, Read};
use abslink_containers::message;
use abslink_html::given_places::DocumentBytes;
use abslink_html::{self as html, Context, Reference, Syntax, sheet};

use crate::failure::Failure;
use crate::options::{Kind, Options};

/// The new document, if it differs.
pub(crate) fn rewrite(
    bytes: &[u8],
    context: &Context,
    options: &Options,
) -> Result<Option<Vec<u8>>, Failure> {
    fits(bytes, options)?;
    let settings = &options.settings;
    let html = |syntax| {
        let rewritten = html::rewrite_bytes(bytes, syntax, context, settings);
        (rewritten.document, rewritten.examined.into())
    };
    let feed = |read: Read| {
        let rewritten = read.rewrite(bytes, context, settings, options.feed_base);
        (rewritten.document, rewritten.examined)
    };
    let (new, examined): (Cow<'_, [u8]>, Examined) = match options.kind {
        Kind::Html => html(Syntax::Html),
        Kind::Xhtml => html(Syntax::Xml),
        Kind::Css => {
            let rewritten = sheet::rewrite(bytes, context, settings);
            (rewritten.document, rewritten.examined.into())
        }
        Kind::Message => {
            let rewritten = message::rewrite(bytes, context, settings);
            (rewritten.document, rewritten.examined)
        }
        Kind::Feed => feed(Read::of(bytes, settings)),
        Kind::Manifest => feed(Read::manifest(bytes, settings)),
        Kind::SpeculationRules => feed(Read::speculation_rules(bytes, settings)),
    };
    Failure::of(&examined)?;
    Ok(match new {
        Cow::Owned(new) => Some(new),
        Cow::Borrowed(_) => None,
    })
}

/// Shows every reference.
pub(crate) fn examine(
    bytes: &[u8],
    context: &Context,
    options: &Options,
    each: &mut dyn FnMut(&Reference<'_>),
) -> Result<(), Failure> {
    fits(bytes, options)?;
    let settings = &options.settings;
    let base = options.feed_base;
    let examined: Examined = match options.kind {
        Kind::Html => html::examine(bytes, Syntax::Html, context, settings, each).into(),
        Kind::Xhtml => html::examine(bytes, Syntax::Xml, context, settings, each).into(),
        Kind::Css => sheet::examine(bytes, context, settings, each).into(),
        Kind::Message => message::examine(bytes, context, settings, each),
        Kind::Feed => feed::examine(bytes, context, settings, base, each),
        Kind::Manifest => {
            Read::manifest(bytes, settings).examine(bytes, context, settings, base, each)
        }
        Kind::SpeculationRules => {
            Read::speculation_rules(bytes, settings).examine(bytes, context, settings, base, each)
        }
    };
    Failure::of(&examined)
}

/// A text that says it is in another encoding than UTF-8 was decoded, and whoever encodes it again does not
/// know that: only its bytes tell what it is.
fn fits(bytes: &[u8], options: &Options) -> Result<(), Failure> {
    if !options.is_text {
        return Ok(());
    }
    let is_other = match options.kind {
        Kind::Message => true,
        Kind::Feed => {
            let feed = DocumentBytes::xml(bytes).map_err(Failure::encoding)?;
            feed.encoding().name() != "UTF-8"
        }
        _ => false,
    };
    match is_other {
        true => Err(Failure::usage(
            "give a message as bytes, and so a feed that is not in UTF-8: it says itself how it is encoded",
        )),
        false => Ok(()),
    }
}
