//! What a document's relative URLs are relative to.

pub(crate) mod checkout;
pub(crate) mod evidence;
pub(crate) mod per_file;
mod recent;
pub(crate) mod recorded;
pub(crate) mod tree;
