#![doc = include_str!("../README.md")]
// A test that cannot go on has failed.
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod examined;
pub mod feed;
mod heading;
#[cfg(feature = "markdown")]
pub mod markdown;
pub mod message;
// These are for the crate abslink, which has the order and the threads. They are no part of the face: anything of this may
// change in any release.
#[doc(hidden)]
pub mod rows;
mod values;
#[cfg(feature = "archives")]
#[doc(hidden)]
pub mod wacz;
#[cfg(feature = "archives")]
#[doc(hidden)]
pub mod warc;

#[doc(inline)]
pub use abslink_html::{
    Context, Disagreement, DocumentBase, Examined, Reference, Settings, Tally, UnsuitableBase,
};
