//! Feeds.

mod json;
mod root;

pub(crate) use root::is_feed;
