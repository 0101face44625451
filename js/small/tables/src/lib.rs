//! The tables of the crates `encoding_rs` and `htmlize` beside this one, made with the crates that these stand for.

use std::path::{Path, PathBuf};

mod encodings;
mod references;

/// The files that hold tables, and what has to be in them.
#[must_use]
pub fn files() -> Vec<(PathBuf, Vec<u8>)> {
    let small = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("");
    let encodings = encodings::packed().into_iter();
    let encodings =
        encodings.map(|(name, packed)| (small.join("encoding_rs/src/packed").join(name), packed));
    let references = (small.join("htmlize/src/packed/names"), references::packed());
    encodings.chain([references]).collect()
}
