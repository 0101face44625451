//! What a document's relative URLs are relative to.

pub(crate) mod evidence;
pub(crate) mod origin;
pub(crate) mod per_file;
pub(crate) mod recorded;
pub(crate) mod tree;
