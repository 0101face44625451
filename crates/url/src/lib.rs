#![doc = include_str!("../README.md")]
// A test that cannot go on has failed.
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod base;
pub mod divergence;
pub mod explain;
pub mod inverse;
mod resolver;
pub mod rfc1738;
pub mod rfc1808;
pub mod rfc3986;
mod shortcut;
mod text;
pub mod whatwg;

pub use base::{BaseUrl, UnsuitableBase};
pub use divergence::{Divergence, DivergenceClass, differs_in_base, divergence};
pub use resolver::{Resolver, UnknownResolver, resolve};
pub use shortcut::Shortcut;
pub use text::{bnf, password, percent, pre_step, split, typed, without_fragment};
pub use whatwg::InvalidUrl;
