//! What the fuzz targets run: the checks of `tests/properties/`, which the ordinary tests run on
//! generated input and on fuzz/seeds.
//!
//! ```text
//! cargo install cargo-fuzz
//! mkdir -p fuzz/corpus/css
//! cargo fuzz run css fuzz/corpus/css fuzz/seeds/css -- -max_total_time=900
//! ```
//!
//! needs a nightly toolchain, or `RUSTC_BOOTSTRAP=1`. `-dict=fuzz/html.dict` helps all targets that
//! take HTML, `-dict=fuzz/messages.dict` the one that takes messages, and `-dict=fuzz/warc.dict` the one
//! that takes web archives. What libFuzzer learns goes
//! to fuzz/corpus, which is not kept in the repository. What it finds becomes a file in fuzz/seeds once
//! it is fixed, and so an ordinary test (`cargo test seeds`).

// The checks contain more than is needed here.
#![allow(dead_code)]

#[path = "../../tests/browser.rs"]
mod browser;
#[path = "../../tests/witness.rs"]
mod witness;

#[path = "../../tests/properties"]
mod properties {
    mod archive;
    mod check;
    mod feed;
    mod message;
    pub(crate) mod target;
    mod url_map;
}

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

/// Checks one input of a target.
///
/// # Panics
/// If a check fails.
#[track_caller]
pub fn run(target: &str, input: &[u8]) {
    if let Err(wrong) = properties::target::target(target, input) {
        panic!("{wrong}");
    }
}
