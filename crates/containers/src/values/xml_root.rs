//! The root element of XML, which says what it is.

use abslink_html::markup::{Attribute, MarkupKind, name_length, spaces, tag};
use abslink_html::prefixes;

/// The start tag of a root element.
pub(crate) struct Root<'a> {
    prefix: &'a [u8],
    pub(crate) local: &'a [u8],
    /// Prefixes, and the namespaces that they are bound to.
    pub(crate) declared: Vec<(&'a [u8], &'a [u8])>,
}

impl<'a> Root<'a> {
    /// Of a document that begins so.
    pub(crate) fn of(head: &'a [u8]) -> Option<Root<'a>> {
        let start = prolog(head)?;
        let mut declared = Vec::new();
        tag(head, start, |attribute: Attribute| {
            let prefix = prefixes::declared(&head[attribute.name]);
            declared.extend(prefix.map(|prefix| (prefix, &head[attribute.value])));
        })?;
        let name = &head[start + 1..];
        let name = &name[..name_length(name)];
        let (prefix, local) = prefixes::split(name, &(0..name.len()));
        Some(Root {
            prefix,
            local: &name[local],
            declared,
        })
    }

    pub(crate) fn namespace(&self) -> Option<&'a [u8]> {
        let mut declared = self.declared.iter();
        let own = declared.find(|(bound, _)| *bound == self.prefix);
        own.map(|(_, to)| *to)
    }
}

/// How long what comes before the root element is: an XML declaration, comments, instructions, a
/// document type declaration, and blanks.
fn prolog(head: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += spaces(&head[at..]);
        let rest = &head[at..];
        if rest.first()? != &b'<' {
            return None;
        }
        at += match MarkupKind::of(rest) {
            MarkupKind::StartTag => return Some(at),
            MarkupKind::EndTag | MarkupKind::Cdata => return None,
            kind => kind.length(rest)?,
        };
    }
}
