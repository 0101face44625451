//! The files are what the program makes of the crates.

use std::fs;

#[test]
fn the_files_are_up_to_date() {
    for (file, packed) in tables::files() {
        assert!(
            fs::read(&file).unwrap_or_default() == packed,
            "cargo run -p tables: {}",
            file.display()
        );
    }
}
