//! What the fuzz targets run: the checks of `tests/properties/check.rs`, which the ordinary tests
//! run on generated input.
//!
//! ```text
//! cargo install cargo-fuzz
//! cargo fuzz run css fuzz/corpus/css fuzz/seeds/css
//! ```
//!
//! needs a nightly toolchain, or `RUSTC_BOOTSTRAP=1`. What libFuzzer learns goes to fuzz/corpus, which
//! is not kept in the repository; fuzz/seeds is.

// The checks come with more than they need here.
#![allow(dead_code)]

#[path = "../../tests/browser.rs"]
mod browser;
#[path = "../../tests/properties/check.rs"]
mod check;
#[path = "../../tests/transcription.rs"]
mod transcription;

// "." stays in this directory, where the name of the module would lead further down.
#[path = "."]
mod links {
    #[path = "../../tests/links/link.rs"]
    mod link;
    pub(crate) use link::Link;
}

#[path = "."]
mod locate {
    #[path = "../../tests/locate/compare.rs"]
    pub(crate) mod compare;
}

#[path = "."]
mod oracle {
    #[path = "../../tests/oracle/bytes.rs"]
    pub(crate) mod bytes;
    #[path = "../../tests/oracle/css.rs"]
    mod css;
    #[path = "../../tests/oracle/places.rs"]
    pub(crate) mod places;
}

use abslink::html::Syntax;

#[track_caller]
fn expect(checked: check::Checked) {
    if let Err(wrong) = checked {
        panic!("{wrong}");
    }
}

/// A base URL, and a reference on the lines after it.
pub fn resolver(input: &str) {
    let (base, reference) = input.split_once('\n').unwrap_or(("http://h/d/x", input));
    expect(check::resolver(base, reference));
}

/// A document, for the locator and html5ever.
pub fn locator(input: &str) {
    expect(locate::compare::compare_but_for_departures(input).map(drop));
}

/// A document, for all locators.
pub fn locators(input: &[u8]) {
    expect(check::locators(input));
}

/// A document, as HTML and as XML.
pub fn document(input: &[u8]) {
    expect(check::document(input, Syntax::Html));
    expect(check::document(input, Syntax::Xml));
}

/// The value of a `srcset` attribute.
pub fn srcset(input: &str) {
    expect(check::srcset(input));
}

/// The content of a `<meta http-equiv=refresh>`.
pub fn refresh(input: &str) {
    expect(check::refresh(input));
}

/// A style sheet, which is a `style` attribute as well.
pub fn css(input: &str) {
    expect(check::css(input));
}

/// The value of an `href` attribute as it is written.
pub fn entities(input: &str) {
    expect(check::entities(input));
}

/// A label of an encoding, and a document on the lines after it.
pub fn encoding(input: &[u8]) {
    let end = input.iter().position(|&byte| byte == b'\n');
    let (label, document) = input.split_at(end.unwrap_or(0));
    expect(check::encoding(&String::from_utf8_lossy(label), document));
}
