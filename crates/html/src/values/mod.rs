//! Where the URLs in a value are, for each grammar.

pub(crate) mod css;
pub(crate) mod found;
#[doc(hidden)]
pub mod json;
pub(crate) mod list;
pub(crate) mod references;
pub(crate) mod refresh;
pub(crate) mod srcset;
pub(crate) mod task;
