//! Which attribute of which element carries what.

pub(crate) mod attributes;
pub(crate) mod collect;
pub(crate) mod custom_attributes;
#[doc(hidden)]
pub(crate) mod feed;
pub(crate) mod groups;
pub(crate) mod ignore;
pub(crate) mod list;
