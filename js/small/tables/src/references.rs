//! The table of named character references, which the crate htmlize has.

use original_htmlize as original;
use packed::Packer;

#[path = "../../htmlize/src/names.rs"]
mod names;

use names::Name;

/// What is in the file.
pub(crate) fn packed() -> Vec<u8> {
    let entities = &original::ENTITIES;
    let closed = entities.entries().filter_map(|(name, stands_for)| {
        let name = name.strip_prefix(b"&")?;
        let text = str::from_utf8(stands_for).expect("text");
        let mut characters = text.chars().map(u32::from);
        let without = name.strip_suffix(b";")?;
        let bare = [b"&", without].concat();
        Some(Name {
            name: without.to_vec(),
            is_bare: entities.contains_key(&bare[..]),
            characters: [(); 2].map(|()| characters.next().unwrap_or_default()),
        })
    });
    let mut names: Vec<Name> = closed.collect();
    names.sort();
    assert_eq!(names.len(), names::COUNT);
    let mut packer = Packer::default();
    names::names(&mut packer, &names);
    packer.end()
}
