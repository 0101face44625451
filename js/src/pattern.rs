//! `excludeUrl`: an expression of JavaScript, which whoever runs the module matches.

use std::cell::RefCell;

use abslink_html::ReferencePattern;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    type RegExp;

    #[wasm_bindgen(constructor)]
    fn new(source: &str, flags: &str) -> RegExp;

    #[wasm_bindgen(method)]
    fn test(this: &RegExp, text: &str) -> bool;
}

thread_local! {
    /// The last expression that was used, with its text.
    static LAST: RefCell<Option<(String, RegExp)>> = const { RefCell::new(None) };
}

/// An expression as JavaScript prints it, `/source/flags`; `lib/options.js` has seen that it is one.
pub(crate) fn of_host(pattern: String) -> ReferencePattern {
    ReferencePattern::of_host(pattern, matches)
}

fn matches(pattern: &str, reference: &str) -> bool {
    LAST.with_borrow_mut(|last| {
        last.take_if(|(text, _)| text != pattern);
        let (_, expression) = last.get_or_insert_with(|| (pattern.to_owned(), compiled(pattern)));
        expression.test(reference)
    })
}

fn compiled(pattern: &str) -> RegExp {
    let (source, flags) = pattern.rsplit_once('/').unwrap_or_default();
    RegExp::new(source.strip_prefix('/').unwrap_or_default(), flags)
}
