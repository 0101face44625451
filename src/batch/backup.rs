//! Which files are backups: `NAME` and a suffix, beside a file `NAME`.
//!
//! The walk gives the names of a directory in order, so every prefix of a name that is itself a name
//! comes before it, and between the two come only names with the same prefix. Remembering the last
//! of these is enough to know them all; no file has to be looked up.

use super::plan::Plan;

/// The suffix used most with `rewrite --backup`, and the one that wget -K adds.
const ORIG: &str = ".orig";

/// The names of regular files in the directories that the walk is in.
#[derive(Debug, Default)]
pub(super) struct Siblings(Vec<Level>);

/// The names in one directory that are prefixes of the last one.
#[derive(Debug, Default)]
pub(super) struct Level {
    longest: Vec<u8>,
    /// The lengths of all of them, which are prefixes of `longest`; its own comes last.
    lengths: Vec<usize>,
}

/// How certain it is that a file is a backup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Backup {
    /// It has the suffix of this run, or `.orig`.
    Marked,
    /// Its name is that of a document beside it plus a suffix that is not a document's.
    OfDocument,
    /// Its name looks like that of a backup that some run may have made, with any suffix.
    Likely,
}

impl Siblings {
    /// The walk enters a directory at this depth.
    pub(super) fn enter(&mut self, depth: usize) {
        let level = self.at(depth);
        level.longest.clear();
        level.lengths.clear();
    }

    /// The walk comes to something else in a directory of that depth. Returns the files beside it
    /// whose names are prefixes of its name.
    pub(super) fn come_to(&mut self, depth: usize, name: &[u8], is_file: bool) -> &Level {
        let level = self.at(depth);
        while let Some(&length) = level.lengths.last()
            && !name.starts_with(&level.longest[..length])
        {
            level.lengths.pop();
        }
        if is_file {
            level.longest.clear();
            level.longest.extend(name);
            level.lengths.push(name.len());
        }
        level
    }

    fn at(&mut self, depth: usize) -> &mut Level {
        if self.0.len() <= depth {
            self.0.resize_with(depth + 1, Level::default);
        }
        &mut self.0[depth]
    }
}

impl Level {
    /// Whether `name`, the last one, is that of a backup.
    ///
    /// With a suffix that is a document's, like `.html`, `p.html.html` beside `p.html` is a backup;
    /// and so is `p.html?id=3.bak` beside `p.html?id=3`, which is a document only by the ending before
    /// its query. If only its first bytes can make a file a document, any suffix may have been used.
    pub(super) fn backup(&self, name: &[u8], plan: &Plan) -> Option<Backup> {
        let beside = || (self.lengths.iter().copied()).filter(|&length| length < name.len());
        // Nearly all names end here.
        beside().next()?;
        let given = plan.backup_suffix().map(|suffix| suffix.as_encoded_bytes());
        let marks = given.into_iter().chain([ORIG.as_bytes()]);
        let mut unmarked = marks.filter_map(|mark| name.strip_suffix(mark));
        if unmarked.any(|original| beside().any(|length| length == original.len())) {
            return Some(Backup::Marked);
        }
        let selection = &plan.selection;
        let is_document = selection.takes_name(name);
        let likely = if is_document {
            let doubled = |length| {
                let (original, suffix) = name.split_at(length);
                let ends_anew = match suffix {
                    [b'~', ..] => true,
                    [b'.', next, ..] => !next.is_ascii_digit() && has_query(original),
                    _ => false,
                };
                selection.takes_name(original) && (selection.is_ending(suffix) || ends_anew)
            };
            beside().any(doubled)
        } else {
            beside().any(|length| may_be_added(name.split_at(length)))
        };
        let of_document =
            || !is_document && beside().any(|length| selection.takes_name(&name[..length]));
        likely.then(|| match of_document() {
            true => Backup::OfDocument,
            false => Backup::Likely,
        })
    }
}

/// Whether a file's name may be another file's name plus the suffix of a backup.
///
/// What begins with `?` or `@` is a query that wget keeps in the name. And of `?id=1` and `?id=12`,
/// or of `page1` and `page12`, neither is a backup of the other: a longer query is a different
/// query, unless the added part looks like an ending, and a longer number is a different number.
fn may_be_added((original, suffix): (&[u8], &[u8])) -> bool {
    let in_number = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
    match suffix.first() {
        None | Some(b'?' | b'@') => false,
        Some(b'.' | b'~') => true,
        first => !(has_query(original) || in_number(first) && in_number(original.last())),
    }
}

/// Whether wget may have kept a query in a name.
fn has_query(name: &[u8]) -> bool {
    memchr::memchr2(b'?', b'@', name).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::{Output, Task};

    fn plan(suffix: Option<&str>) -> Plan {
        let backup = suffix.map(Into::into);
        Plan::new(Vec::new(), Task::Rewrite(Output::InPlace { backup }))
    }

    /// The backups among the names of a directory.
    fn backups(suffix: Option<&str>, names: &[&str]) -> Vec<(String, Backup)> {
        let mut siblings = Siblings::default();
        let mut names = names.to_vec();
        names.sort_unstable();
        siblings.enter(1);
        let judged = names.iter().filter_map(|name| {
            let level = siblings.come_to(1, name.as_bytes(), true);
            let backup = level.backup(name.as_bytes(), &plan(suffix))?;
            Some(((*name).to_owned(), backup))
        });
        judged.collect()
    }

    #[track_caller]
    fn is(suffix: Option<&str>, original: &str, name: &str, expected: Option<Backup>) {
        let found = backups(suffix, &[original, name]);
        let found = found.first().map(|(_, backup)| *backup);
        assert_eq!(found, expected, "{name} beside {original}");
        assert_eq!(backups(suffix, &[name]), [], "{name} alone");
    }

    #[test]
    fn a_suffix_that_is_known() {
        for suffix in [None, Some(".bak")] {
            is(suffix, "p.html", "p.html.orig", Some(Backup::Marked));
            is(suffix, "p", "p.orig", Some(Backup::Marked));
        }
        is(Some(".html"), "p", "p.html", Some(Backup::Marked));
        is(
            Some("-old.htm"),
            "p.html",
            "p.html-old.htm",
            Some(Backup::Marked),
        );
        // Even if it might be another page, with a longer query.
        for (original, name) in [
            ("p.html?id=3", "p.html?id=3_bak"),
            ("view.php?title=A", "view.php?title=A_bak"),
            ("view.php@title=A", "view.php@title=A_bak"),
        ] {
            is(Some("_bak"), original, name, Some(Backup::Marked));
            is(None, original, name, None);
        }
        is(None, "p.html", "p.html.html", Some(Backup::Likely));
        is(None, "p.htm", "p.htm.xhtml", Some(Backup::Likely));
        is(None, "p.html?id=3", "p.html?id=3.bak", Some(Backup::Likely));
        is(None, "p.html@id=3", "p.html@id=3~", Some(Backup::Likely));
    }

    #[test]
    fn a_document_by_its_name_beside_others() {
        for (original, name) in [
            ("README", "README.html"),
            ("lib.rs", "lib.rs.html"),
            ("p.html", "p.html?id=3"),
            ("p.html?v=1", "p.html?v=1.5"),
            ("p.html", "p.html-en.html"),
        ] {
            is(None, original, name, None);
        }
    }

    #[test]
    fn any_suffix_where_only_first_bytes_tell() {
        for (original, name) in [
            ("about", "about_old"),
            ("view.php?id=3", "view.php?id=3.bak"),
            ("page1", "page1bak"),
        ] {
            is(None, original, name, Some(Backup::Likely));
        }
        for name in ["p.html.bak", "p.html~", "p.html.1"] {
            is(None, "p.html", name, Some(Backup::OfDocument));
        }
        for (original, name) in [
            ("view.php", "view.php?id=3"),
            ("view.php", "view.php@id=3"),
            ("view.php?id=1", "view.php?id=12"),
            ("view.php?id=1", "view.php?id=1&all"),
            ("view.php@id=1", "view.php@id=1_a"),
            ("page1", "page12"),
        ] {
            is(None, original, name, None);
        }
    }

    #[test]
    fn every_name_that_it_begins_with_counts() {
        // Other names come between, and one that is longer than the rest.
        let names = [
            "a",
            "a.css",
            "a.html",
            "a.html-x",
            "a.html.d",
            "a.html.orig",
            "b.orig",
        ];
        let marked = |name: &str| (name.to_owned(), Backup::Marked);
        let found = backups(None, &names);
        assert!(found.contains(&marked("a.html.orig")), "{found:?}");
        assert!(!found.contains(&marked("b.orig")), "{found:?}");
    }

    #[test]
    fn each_directory_has_its_own() {
        let mut siblings = Siblings::default();
        let mut come_to = |depth, name: &str, is_file| {
            let level = siblings.come_to(depth, name.as_bytes(), is_file);
            level.backup(name.as_bytes(), &plan(None))
        };
        assert_eq!(come_to(1, "a", true), None);
        assert_eq!(come_to(2, "a.orig", true), None);
        assert_eq!(come_to(1, "a.orig", true), Some(Backup::Marked));
        // Something that is not a file has no backup.
        assert_eq!(come_to(1, "l", false), None);
        assert_eq!(come_to(1, "l.orig", true), None);
        siblings.enter(1);
        let level = siblings.come_to(1, b"l.orig.orig", true);
        assert_eq!(level.backup(b"l.orig.orig", &plan(None)), None);
    }
}
