//! The part of a document that is processed at once.

use super::encoding::Charset;
use crate::locate::Syntax;

/// A document, or the part of it that is at hand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chunk<'c> {
    pub(crate) bytes: &'c [u8],
    pub(crate) charset: &'c Charset<'c>,
    pub(crate) syntax: Syntax,
    /// Where it starts in the document.
    pub(crate) start: usize,
}

impl<'c> Chunk<'c> {
    pub(crate) fn whole(bytes: &'c [u8], charset: &'c Charset<'c>, syntax: Syntax) -> Chunk<'c> {
        Chunk {
            bytes,
            charset,
            syntax,
            start: 0,
        }
    }
}
