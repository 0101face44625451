//! What encloses documents, and style sheets.

mod archives;
mod feeds;
mod messages;
mod sheets;
