//! All integration tests, in one binary: the modules below share it.
//!
//! | folder | what is tested there |
//! |---|---|
//! | `document` | one document, through the library: places, bases, encodings, pieces |
//! | `oracle` | the same by the judgement of others: html5ever, browsers, the standards' own tests |
//! | `containers` | messages, feeds, web archives, style sheets |
//! | `cases` | pages that tell what the command does |
//! | `cli` | the command, and whole runs over files |
//! | `formats` | what is printed for other programs, and the page of `--format html` |
//! | `faults` | full disks, kills, links that are swapped in |
//! | `docs` | README.md, docs/, examples/, the public face, the layers |
//! | `ci` | what only packages and CI systems need |
//! | `corpora` | thousands of real pages |
//! | `support` | what tests share |
//!
//! A test that hangs hangs `cargo test`, which knows no time limit: .ci/run starts each test by
//! .ci/each-test, which kills it after some minutes.

#![cfg_attr(
    not(unix),
    allow(dead_code, reason = "what shares it with others runs programs of Unix")
)]
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a test may panic, and says which seed it used"
)]

mod cases;
#[cfg(unix)]
mod ci;
mod cli;
mod containers;
#[cfg(unix)]
mod corpora;
mod docs;
mod document;
#[cfg(unix)]
mod faults;
mod formats;
mod oracle;
mod support;
