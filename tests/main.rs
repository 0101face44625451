//! All integration tests, in one binary: the modules below share it.
//!
//! A test that hangs hangs `cargo test`, which knows no time limit: .ci/run starts each test by
//! .ci/each-test, which kills it after some minutes.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a test may panic, and says which seed it used"
)]

mod answers;
mod archives;
mod bases;
mod batch;
mod browser;
mod chromium;
mod ci;
mod cli;
mod corpora;
mod custom_attributes;
mod doors;
mod encodings;
mod engines;
mod examples;
mod face;
#[cfg(unix)]
mod faults;
mod feeds;
mod fixtures;
mod formats;
mod generate;
mod growth;
mod hostile;
mod html5lib;
mod inverse;
mod lack;
mod layering;
mod links;
mod locate;
mod map_url;
mod messages;
mod oracle;
mod outgrown;
mod packages;
mod pairs;
#[cfg(target_os = "linux")]
mod peak;
mod pieces;
mod placeholders;
mod places;
mod promises;
mod properties;
mod readme;
mod report;
mod resolver_properties;
mod retrieval;
mod sheets;
mod shells;
mod site;
mod skip;
mod stream;
mod table;
mod templates;
mod unseen;
mod verify;
mod whatwg;
mod witness;
mod written;
