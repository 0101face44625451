//! Work that many threads share, with results in order.

pub(crate) mod chunks;
pub(crate) mod hold;
pub(crate) mod queue;
pub(crate) mod sequence;
pub(crate) mod spooled;
