//! What the ending of a name says.
//!
//! The table of what is not HTML has what is usually found beside pages. It is shorter than the registry
//! of media types on purpose: that has `.com`, `.org`, `.page` and `.1`, which also end the names of
//! hosts, pages and versions.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::format::{self, Kind};
use crate::batch::report::NotRead;

/// What the extension of a name says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NameKind {
    /// The file is read as this.
    Ours(Kind),
    /// It is a template from which pages are made.
    Template,
    /// It is a program with markup in it that makes a page or, in a mirror, the page that it made.
    Page,
    /// It is a program or, in a mirror, its output.
    Program(NotRead),
    /// It is something else, whatever its bytes look like.
    Other(NotRead),
}

pub(crate) const JSON: NotRead = NotRead::by_name("JSON", NotRead::BY_FIELD);

/// The endings of files that abslink does not read, by what they say.
const KNOWN: &str = include_str!("extensions.tsv");

static TABLE: LazyLock<HashMap<&[u8], NameKind>> = LazyLock::new(|| {
    let endings = KNOWN.lines().filter_map(row).flat_map(|(kind, endings)| {
        let endings = endings.split(' ');
        endings.map(move |ending| (ending.as_bytes(), kind))
    });
    endings.collect()
});

/// What a line of the table says of which endings.
fn row(line: &'static str) -> Option<(NameKind, &'static str)> {
    let cells: Vec<&str> = line.split('\t').collect();
    let &[kind, what, help, endings] = &cells[..] else {
        return None;
    };
    let help = match help {
        "html" => NotRead::AS_HTML,
        "xhtml" => NotRead::AS_XHTML,
        "field" => NotRead::BY_FIELD,
        "none" => NotRead::OF_NO_USE,
        "root" => NotRead::OF_ANOTHER_ROOT,
        "packed" => NotRead::PACKED,
        text => text,
    };
    let what = NotRead::by_name(what, help);
    let kind = match kind {
        "template" => NameKind::Template,
        "page" => NameKind::Page,
        "program" => NameKind::Program(what),
        _ => NameKind::Other(what),
    };
    Some((kind, endings))
}

/// What the ending of a name says. If a template names what it produces, as `app.js.erb` does, it
/// counts as that.
///
/// If wget kept a query in the name, the part before it counts: `view.php?file=a.css` is not a style
/// sheet. wget can write `@` for the `?`; but `logo@2x.png` is a picture.
pub(crate) fn of(name: &[u8]) -> Option<NameKind> {
    if let Some(kind) = format::by_name(name) {
        return Some(NameKind::Ours(kind));
    }
    let page = before(name, b'?');
    let (stem, ending) = split(before(page, b'@')).or_else(|| split(page))?;
    match *TABLE.get(&*ending.to_ascii_lowercase())? {
        NameKind::Template => Some(of(stem).unwrap_or(NameKind::Template)),
        told => Some(told),
    }
}

/// The name shows that a file is not a document and need not be opened.
pub(crate) fn is_of_others(name: &[u8]) -> bool {
    matches!(of(name), Some(NameKind::Other(_)))
}

/// The part before the first `mark`; all of it if there is none.
fn before(name: &[u8], mark: u8) -> &[u8] {
    &name[..memchr::memchr(mark, name).unwrap_or(name.len())]
}

/// The parts before and after the last dot; `None` if the name begins with that dot.
fn split(name: &[u8]) -> Option<(&[u8], &[u8])> {
    match memchr::memrchr(b'.', name) {
        None | Some(0) => None,
        Some(dot) => Some((&name[..dot], &name[dot + 1..])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_need_not_be_opened() {
        for name in ["a.png", "a.JPG", "a.tar.gz", "a.b.js", "a.conf.j2"] {
            assert!(is_of_others(name.as_bytes()), "{name}");
        }
    }

    #[test]
    fn what_a_server_made_is_looked_into() {
        for name in [
            "about",
            "view.php",
            "a.ASP",
            "a.cgi",
            "a.html",
            "v1.2",
            "www.example.org",
            ".png",
            "",
            "a.",
            "a.png.orig",
            "a.extraordinarily",
        ] {
            assert!(!is_of_others(name.as_bytes()), "{name}");
        }
    }

    #[test]
    fn what_stands_before_a_query_tells() {
        for (name, expected) in [
            ("style.js?v=3", true),
            ("style.js@v=3.1", true),
            ("logo@2x.png", true),
            ("logo@2x.png?v=1", true),
            ("view.php?file=a.js", false),
            ("view.php@file=a.js", false),
            ("download?file=a.zip", false),
            ("?a.js", false),
        ] {
            assert_eq!(is_of_others(name.as_bytes()), expected, "{name}");
        }
    }

    #[test]
    fn a_template_is_what_is_made_of_it() {
        for (name, expected) in [
            ("page.hbs", Some(NameKind::Template)),
            ("www.example.j2", Some(NameKind::Template)),
            ("page.html.erb", Some(NameKind::Ours(Kind::HTML))),
            ("page.xhtml.j2.j2", Some(NameKind::Ours(Kind::XHTML))),
            ("page.css.erb", Some(NameKind::Ours(Kind::STYLE_SHEET))),
            ("data.json.j2", Some(NameKind::Other(JSON))),
            (".j2", None),
        ] {
            assert_eq!(of(name.as_bytes()), expected, "{name}");
        }
    }

    /// An ending in two rows would be ambiguous.
    #[test]
    fn each_ending_stands_once_and_is_none_of_ours() {
        let rows = KNOWN.lines().filter(|line| !line.starts_with('#'));
        let endings: usize = rows
            .map(|row| row.rsplit('\t').next().unwrap().split(' ').count())
            .sum();
        assert_eq!(TABLE.len(), endings);
        for ending in format::default_endings() {
            assert!(!TABLE.contains_key(ending.as_bytes()), "{ending}");
        }
    }
}
