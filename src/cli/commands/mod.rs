//! A file for each command.

pub(super) mod base;
pub(super) mod check;
mod components;
mod input;
pub(super) mod links;
pub(super) mod man;
pub(super) mod parse;
pub(super) mod resolve;
pub(super) mod restore;
pub(super) mod rewrite;
