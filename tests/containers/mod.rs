//! What encloses documents, and style sheets.

mod archives;
mod feeds;
mod images;
mod mailboxes;
mod manifests;
mod markdown;
mod messages;
mod rows;
mod sheets;
