//! What the documentation says, and what it is true of.

mod examples;
mod face;
mod layering;
pub(crate) mod readme;
