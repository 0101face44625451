//! What the documentation says, and what it is true of.

mod examples;
mod face;

pub(crate) mod readme;
mod rooms;
