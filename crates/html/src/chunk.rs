//! The part of a document that is processed at once.

use super::Syntax;
use super::encoding::Charset;

/// A document, or the part of it that is at hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chunk<'c> {
    pub(super) bytes: &'c [u8],
    pub(super) charset: &'c Charset<'c>,
    pub(super) syntax: Syntax,
    /// Where it starts in the document.
    pub(super) start: usize,
    /// Whether it is in a CDATA section, which `]]>` would end.
    pub(super) in_cdata: bool,
}

impl<'c> Chunk<'c> {
    /// A whole document.
    pub(super) fn whole(bytes: &'c [u8], charset: &'c Charset<'c>, syntax: Syntax) -> Chunk<'c> {
        Chunk {
            bytes,
            charset,
            syntax,
            start: 0,
            in_cdata: false,
        }
    }
}
