//! What becomes of one reference.

pub(crate) mod based_reference;
mod divergence;
pub(crate) mod document_base;
pub(crate) mod early_base;
pub(crate) mod form;
pub(crate) mod replay;
pub(crate) mod resolution;
pub(crate) mod resolver;
pub(crate) mod rules;
