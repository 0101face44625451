//! abslink for JavaScript: the functions that `lib/core.js` calls.
//!
//! Documents are bytes here, and options are a text, whose names and types `lib/options.js` has checked. A
//! function that cannot do its work throws a string, a code and a message ([`Failure`]); a panic throws one as
//! well, and the instance is of no use any more.

mod document;
mod explain;
mod failure;
mod options;
mod pattern;
mod reference;
mod stream;

use abslink_url::{BaseUrl, Resolver, pre_step};
use wasm_bindgen::prelude::*;

use failure::Failure;
use options::Options;
pub use stream::Stream;

/// Makes the next panic say what it was: it is thrown, since nobody can catch it in here.
#[wasm_bindgen(start)]
fn start() {
    std::panic::set_hook(Box::new(|panic| {
        wasm_bindgen::throw_str(&format!("panic\n{panic}"));
    }));
}

/// The document with absolute references; nothing if it stays as it is.
///
/// # Errors
/// `base` if that is no base URL, `usage` for wrong options, and what else [`Failure`] knows.
#[wasm_bindgen]
pub fn rewrite(document: &[u8], base: &str, options: &str) -> Result<Option<Vec<u8>>, JsValue> {
    let options = Options::of(options)?;
    let context = options.context(Some(base))?;
    Ok(document::rewrite(document, &context, &options)?)
}

/// The references of a document as a JSON array: all of them, or with `left` those that `check` lists.
///
/// # Errors
/// As [`rewrite`].
#[wasm_bindgen]
pub fn references(
    document: &[u8],
    base: Option<String>,
    options: &str,
    left: bool,
) -> Result<String, JsValue> {
    let options = Options::of(options)?;
    let context = options.context(base.as_deref())?;
    let list = reference::List::new(document, &options, left);
    Ok(list.of(&context)?)
}

/// The references of a document as a JSON array, each with how it was resolved.
///
/// # Errors
/// As [`rewrite`].
#[wasm_bindgen]
pub fn explain(document: &[u8], base: Option<String>, options: &str) -> Result<String, JsValue> {
    let options = Options::of(options)?;
    let context = options.context(base.as_deref())?;
    let list = reference::List::new(document, &options, false).explained();
    Ok(list.of(&context)?)
}

/// Resolves a reference.
///
/// # Errors
/// `base`, `usage` if there is no such resolver, and `unresolved` if it has no result.
#[wasm_bindgen]
pub fn resolve(base: &str, reference: &str, resolver: &str) -> Result<String, JsValue> {
    let resolver: Resolver = resolver.parse().map_err(Failure::usage)?;
    let base = BaseUrl::parse(&pre_step(base)).map_err(|reason| Failure::base(base, &reason))?;
    let reference = pre_step(reference);
    let absolute = resolver.resolve(&base, &reference);
    let absolute = absolute.map_err(|reason| Failure::unresolved(&reference, &reason))?;
    Ok(absolute.into_owned())
}

/// Fails as a bug would, so that tests see what happens to one.
#[wasm_bindgen]
pub fn fail(message: &str) {
    panic!("{message}");
}

/// How large the memory of the module is, in bytes, so that tests see whether it grows.
#[wasm_bindgen]
#[must_use]
pub fn memory_size() -> usize {
    #[cfg(target_arch = "wasm32")]
    return core::arch::wasm32::memory_size::<0>() << 16;
    #[cfg(not(target_arch = "wasm32"))]
    0
}
