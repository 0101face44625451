//! Names that Windows takes for something else than a file of that name: a device (`aux.html` is one, in
//! every directory), a part of another file (`a.html:x`), or the name without its end (`a.html.`).
//!
//! A URL may name anything, and trees that other systems made hold such files. To open one would read a
//! device or another file, and to write one would lose it. So they count as missing where a
//! reference is mapped to a file, and are refused with one line where one is to be read or written.

use std::io;
use std::path::{Component, Path};

/// Fails if the system takes a name in a path for something else.
pub(crate) fn refuse(path: &Path) -> io::Result<()> {
    if !cfg!(windows) || is_plain(path) {
        Ok(())
    } else {
        let why = "Windows takes this name for a device, or for another file; give it another name";
        Err(io::Error::new(io::ErrorKind::InvalidFilename, why))
    }
}

/// Whether Windows takes each name in a path for itself.
fn is_plain(path: &Path) -> bool {
    path.components().all(|component| match component {
        Component::Normal(name) => is_plain_name(name.as_encoded_bytes()),
        _ => true,
    })
}

fn is_plain_name(name: &[u8]) -> bool {
    let is_cut = matches!(name, [.., b'.' | b' ']);
    let is_special = |byte: &u8| byte.is_ascii_control() || b"<>:\"/\\|?*".contains(byte);
    !is_cut && !name.iter().any(is_special) && !is_device(name)
}

/// Whether a name is that of a device: whatever follows a dot does not count, nor do spaces before it.
fn is_device(name: &[u8]) -> bool {
    let stem = name.split(|&byte| byte == b'.').next().unwrap_or_default();
    let stem = stem.trim_ascii_end().to_ascii_uppercase();
    match &stem[..] {
        b"CON" | b"PRN" | b"AUX" | b"NUL" | b"CONIN$" | b"CONOUT$" => true,
        // The digits may be superscripts, which were digits in the code pages of DOS.
        [b'C', b'O', b'M', digit @ ..] | [b'L', b'P', b'T', digit @ ..] => {
            matches!(digit, [b'1'..=b'9'])
                || ["\u{b9}", "\u{b2}", "\u{b3}"]
                    .iter()
                    .any(|it| digit == it.as_bytes())
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_windows_takes_for_something_else() {
        for name in [
            "con",
            "CON",
            "aux.html",
            "Aux.tar.gz",
            "nul .html",
            "prn",
            "com1",
            "LPT9.htm",
            "com\u{b2}.html",
            "conout$",
            "a.html.",
            "a.html ",
            "a.html:x",
            "a?b",
            "a*",
            "a\\b",
            "a\tb",
            "...",
        ] {
            assert!(!is_plain_name(name.as_bytes()), "{name}");
        }
        for name in [
            "console.html",
            "auxiliary",
            "com0",
            "com10.html",
            "com",
            "lpt",
            "a.aux",
            ".con",
            " a",
            "é.html",
            "a b.html",
            "[a]{b}",
            "@x=1.html",
            "%3F",
        ] {
            assert!(is_plain_name(name.as_bytes()), "{name}");
        }
    }

    #[test]
    fn every_name_of_a_path_counts() {
        assert!(is_plain(Path::new("../a/./b.html")));
        assert!(is_plain(Path::new("/a/b.html")));
        assert!(!is_plain(Path::new("a/aux/b.html")));
        assert!(!is_plain(Path::new("a./b.html")));
    }

    #[cfg(not(windows))]
    #[test]
    fn other_systems_have_no_such_names() {
        assert!(refuse(Path::new("aux.html")).is_ok());
    }
}
