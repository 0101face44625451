//! One document, through the library and the command.

mod bases;
mod custom_attributes;
mod encodings;
pub(crate) mod fixtures;
mod forms;
mod hostile;
mod outgrown;
mod pieces;
mod placeholders;
mod places;
mod remove_base;
mod templates;
mod texts;
