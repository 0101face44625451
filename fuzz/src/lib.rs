//! What the fuzz targets run: the checks of `tests/oracle/properties/`, which the ordinary tests run on
//! generated input and on fuzz/seeds.
//!
//! ```text
//! cargo install cargo-fuzz
//! mkdir -p fuzz/corpus/css
//! cargo fuzz run css fuzz/corpus/css fuzz/seeds/css -- -max_total_time=900
//! ```
//!
//! needs a nightly toolchain, or `RUSTC_BOOTSTRAP=1`. `-dict=fuzz/html.dict` helps all targets that
//! have no dictionary of their own name. `.ci/fuzz 60` builds all targets as fuzz/oss-fuzz/build.sh tells
//! OSS-Fuzz to, and runs each for a minute with its dictionary. What libFuzzer learns goes
//! to fuzz/corpus, which is not kept in the repository. What it finds becomes a file in fuzz/seeds once
//! it is fixed, and so an ordinary test (`cargo test seeds`).

// The checks contain more than is needed here.
#![allow(dead_code)]

// "." stays in this directory, where the name of the module would lead further down.
#[path = "."]
mod oracle {
    #[path = "../../tests/oracle/browser.rs"]
    pub(crate) mod browser;
    #[path = "../../tests/oracle/bytes.rs"]
    pub(crate) mod bytes;
    #[path = "../../tests/oracle/css.rs"]
    mod css;
    #[path = "."]
    pub(crate) mod locate {
        #[path = "../../tests/oracle/locate/compare.rs"]
        pub(crate) mod compare;
    }
    #[path = "../../tests/oracle/places.rs"]
    pub(crate) mod places;
    #[path = "../../tests/oracle/properties"]
    pub(crate) mod properties {
        mod archive;
        mod check;
        mod feed;
        mod markdown;
        mod message;
        mod rows;
        pub(crate) mod target;
        mod url_map;
        mod values;
    }
    #[path = "../../tests/oracle/witness.rs"]
    pub(crate) mod witness;
}

#[path = "."]
mod support {
    #[path = "."]
    pub(crate) mod links {
        #[path = "../../tests/support/links/link.rs"]
        mod link;
        pub(crate) use link::Link;
    }
    #[path = "../../tests/support/transcription.rs"]
    pub(crate) mod transcription;
}

/// Checks one input of a target.
///
/// # Panics
/// If a check fails.
#[track_caller]
pub fn run(target: &str, input: &[u8]) {
    if let Err(wrong) = oracle::properties::target::target(target, input) {
        panic!("{wrong}");
    }
}
