#![doc = include_str!("../README.md")]
// A test that cannot go on has failed.
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod compare;
mod fault;
mod feed;
mod grammar;
mod markup;
mod meaning;
#[cfg(debug_assertions)]
mod planted;
mod reader;
mod text;

use abslink_html::Verify;

/// The second reader, where `from` first becomes `to` in what is made of a document.
#[cfg(debug_assertions)]
#[doc(hidden)]
pub fn planted(from: &str, to: &str) -> Verify {
    let [from, to] = [from, to].map(str::to_owned);
    let planted = Some(planted::Planted { from, to });
    Verify::by(reader::Reader { planted })
}

/// The second reader, for [`Settings::verify`](abslink_html::Settings::verify).
///
/// # Examples
/// ```
/// use abslink_html::{Context, Settings, Syntax, rewrite_bytes};
///
/// let context = Context::retrieved_from("http://h/")?;
/// let mut settings = Settings::default();
/// settings.verify = abslink_verify::second_reader();
/// let rewritten = rewrite_bytes(b"<a href=x>", Syntax::Html, &context, &settings);
/// assert!(rewritten.examined.disagreement.is_none() && rewritten.is_changed());
/// # Ok::<(), abslink_html::UnsuitableBase>(())
/// ```
pub fn second_reader() -> Verify {
    Verify::by(reader::Reader::default())
}

#[cfg(test)]
mod tests;
