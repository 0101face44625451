//! Writes the tables of the crates beside this one: `cargo run -p tables`.

use std::{fs, io};

fn main() -> io::Result<()> {
    for (file, packed) in tables::files() {
        fs::create_dir_all(file.with_file_name(""))?;
        fs::write(file, packed)?;
    }
    Ok(())
}
