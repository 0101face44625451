//! Which files are backups: `NAME` and a suffix, beside a file `NAME`.
//!
//! The walk gives the names of a directory in order, so every prefix of a name that is itself a name
//! comes before it, and between the two come only names with the same prefix. Remembering the last
//! of these is enough to know them all; no file has to be looked up. For the originals that wget keeps
//! the same holds without the ending that it appends: `page.html` comes before `page.orig`.

use std::path::Path;

use abslink_html::base::retrieval::Layout;

use crate::batch::plan::Plan;

/// The suffix used most with `rewrite --backup`, and the one that wget -K adds.
const ORIG: &[u8] = b".orig";

/// The suffixes of other backups, in mirrors too.
const USUAL: [&[u8]; 2] = [b"~", b".bak"];

/// Those that may as well be part of a page's URL, and in a mirror are.
const OUTSIDE_MIRRORS: [&[u8]; 8] = [
    b".BAK", b".old", b".save", b".swp", b".tmp", b"_old", b"_bak", b"_backup",
];

/// The extended attribute that marks a backup as abslink's: `write::record` says what it holds.
pub(crate) const MARK: &str = "user.abslink.sha256";

/// Whether the file at a path is marked; a symbolic link is not.
#[cfg(unix)]
pub(crate) fn is_marked(path: &Path) -> bool {
    xattr::SUPPORTED_PLATFORM && matches!(xattr::get(path, MARK), Ok(Some(_)))
}

/// There are no extended attributes.
#[cfg(not(unix))]
pub(crate) fn is_marked(_: &Path) -> bool {
    false
}

/// The names of regular files in the directories that the walk is in.
#[derive(Debug, Default)]
pub(crate) struct Siblings(Vec<DirectoryNames>);

/// The names in one directory that are prefixes of the last one.
#[derive(Debug, Default)]
pub(crate) struct DirectoryNames {
    longest: Vec<u8>,
    /// The lengths of all of them, which are prefixes of `longest`; its own comes last.
    lengths: Vec<usize>,
    /// The lengths of prefixes that are names but for an ending of [`APPENDED`], and which one.
    stems: Vec<(usize, &'static Appended)>,
}

/// An ending that wget -E appends, and what the name without it ends in if wget -K kept the original.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Appended {
    pub(crate) ending: &'static [u8],
    pub(crate) original: &'static [u8],
}

/// wget writes `orig` over the last four bytes of the name.
pub(crate) const APPENDED: [Appended; 2] = [
    Appended {
        ending: b".html",
        original: ORIG,
    },
    Appended {
        ending: b".css",
        original: b"orig",
    },
];

/// How certain it is that a file is a backup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Backup {
    /// It has the suffix of this run, or `.orig`, or abslink has marked it.
    Marked,
    /// wget -K names originals so. Outside its mirrors, a file may have such a name by chance.
    Original,
    /// Its ending is that of a backup, and the name before it that of a document.
    OfDocument,
    /// Its ending is that of a backup.
    Likely,
}

impl Siblings {
    /// The walk enters a directory at this depth.
    pub(crate) fn enter(&mut self, depth: usize) {
        *self.at(depth) = DirectoryNames::default();
    }

    /// The walk comes to something else in a directory of that depth. Returns the files beside it
    /// whose names are prefixes of its name.
    pub(crate) fn come_to(&mut self, depth: usize, name: &[u8], is_file: bool) -> &DirectoryNames {
        let level = self.at(depth);
        let is_prefix = |length: usize| name.starts_with(&level.longest[..length]);
        while let Some(&length) = level.lengths.last()
            && !is_prefix(length)
        {
            level.lengths.pop();
        }
        level.stems.retain(|&(length, _)| is_prefix(length));
        if is_file {
            level.longest.clear();
            level.longest.extend(name);
            level.lengths.push(name.len());
            let stems = APPENDED.iter().filter_map(|appended| {
                let stem = name.strip_suffix(appended.ending)?;
                Some((stem.len(), appended))
            });
            level.stems.extend(stems);
        }
        level
    }

    fn at(&mut self, depth: usize) -> &mut DirectoryNames {
        if self.0.len() <= depth {
            self.0.resize_with(depth + 1, DirectoryNames::default);
        }
        &mut self.0[depth]
    }
}

impl DirectoryNames {
    /// Whether `name`, the last one, is that of a backup. `is_marked` says whether abslink has marked
    /// the file as one.
    pub(crate) fn backup(
        &self,
        name: &[u8],
        plan: &Plan,
        is_marked: impl FnOnce() -> bool,
    ) -> Option<Backup> {
        let has_longer = self.lengths.iter().any(|&length| length < name.len());
        // Nearly all names end here.
        if !has_longer && self.stems.is_empty() {
            return None;
        }
        let original = |suffix: &&[u8]| {
            let original = name.strip_suffix(*suffix)?;
            self.lengths.contains(&original.len()).then_some(original)
        };
        let given = plan.backup_suffix().map(|suffix| suffix.as_encoded_bytes());
        let marks = given.into_iter().chain([ORIG]);
        if marks.filter_map(|mark| original(&mark)).next().is_some() {
            return Some(Backup::Marked);
        }
        if self.is_of_wget(name, plan) {
            return Some(if plan.sources().are_by_wget() {
                Backup::Marked
            } else {
                Backup::Original
            });
        }
        let has_hosts = (plan.retrieval.layout.as_ref()).is_some_and(Layout::has_hosts);
        let others = OUTSIDE_MIRRORS.into_iter().chain(numbered(name));
        let others = others.filter(|_| !has_hosts);
        let found = USUAL.into_iter().chain(others).find_map(|it| original(&it));
        match found {
            Some(original) if plan.selection.takes_name(original) => Some(Backup::OfDocument),
            Some(_) => Some(Backup::Likely),
            None => (has_longer && is_marked()).then_some(Backup::Marked),
        }
    }

    /// Whether it is the original of a page or style sheet to whose name wget has appended an ending. A page
    /// that ends in `orig` by chance, beside a style sheet, is no style sheet by its name.
    fn is_of_wget(&self, name: &[u8], plan: &Plan) -> bool {
        let is_beside = |appended: &'static Appended| {
            let stem = name.strip_suffix(appended.original);
            stem.is_some_and(|stem| self.stems.contains(&(stem.len(), appended)))
        };
        let [page, style_sheet] = &APPENDED;
        is_beside(page) || is_beside(style_sheet) && plan.selection.takes_name(name)
    }
}

/// The suffix of a backup with a number: `.~3~`.
fn numbered(name: &[u8]) -> Option<&[u8]> {
    let digits = name.strip_suffix(b"~")?;
    let start = memchr::memmem::rfind(digits, b".~")?;
    let number = &digits[start + 2..];
    (!number.is_empty() && number.iter().all(u8::is_ascii_digit)).then_some(&name[start..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::plan::{Output, Task};
    use abslink_html::BaseSource;

    /// The run whose row begins with `--backup SUFFIX`, or a layout, or `-`.
    fn plan(run: &str) -> Plan {
        let backup = run.strip_prefix("--backup ").map(Into::into);
        let mut plan = Plan::new(Vec::new(), Task::Rewrite(Output::InPlace { backup }));
        plan.retrieval.layout = match run {
            "wget" => Some(Layout::Wget),
            "httrack" => Some(Layout::Httrack),
            _ => None,
        };
        plan.retrieval.order = vec![BaseSource::Layout];
        plan
    }

    /// What the last name is among those of a directory.
    fn backup(run: &str, names: &[&str], is_marked: bool) -> Option<Backup> {
        let mut siblings = Siblings::default();
        let mut sorted = names.to_vec();
        sorted.sort_unstable();
        siblings.enter(1);
        let mut found = None;
        for name in sorted {
            let level = siblings.come_to(1, name.as_bytes(), true);
            let backup = level.backup(name.as_bytes(), &plan(run), || is_marked);
            if Some(&name) == names.last() {
                found = backup;
            }
        }
        found
    }

    #[test]
    fn names_beside_others() {
        let rows = include_str!("../../../testdata/backups.tsv").lines();
        for row in rows.filter(|row| !row.is_empty() && !row.starts_with('#')) {
            let [run, names, expected] = row.split('\t').collect::<Vec<_>>()[..] else {
                panic!("three columns: {row}");
            };
            let names: Vec<&str> = names.split(' ').collect();
            let expected = match expected {
                "marked" => Some(Backup::Marked),
                "original" => Some(Backup::Original),
                "of-document" => Some(Backup::OfDocument),
                "likely" => Some(Backup::Likely),
                "page" => None,
                other => panic!("{other}"),
            };
            assert_eq!(backup(run, &names, false), expected, "{row}");
            let alone = &names[names.len() - 1..];
            assert_eq!(backup(run, alone, true), None, "alone: {row}");
        }
    }

    #[test]
    fn a_mark_counts_beside_a_file_of_that_name() {
        for suffix in ["-x", "1", ".html", "?old"] {
            let name = format!("p.html{suffix}");
            let found = |is_marked| backup("-", &["p.html", &name], is_marked);
            assert_eq!(
                [found(false), found(true)],
                [None, Some(Backup::Marked)],
                "{name}"
            );
            assert_eq!(backup("-", &["q.html", &name], true), None);
        }
    }

    #[test]
    fn each_directory_has_its_own() {
        let mut siblings = Siblings::default();
        let mut come_to = |depth, name: &str, is_file| {
            let level = siblings.come_to(depth, name.as_bytes(), is_file);
            level.backup(name.as_bytes(), &plan("-"), || false)
        };
        assert_eq!(come_to(1, "a", true), None);
        assert_eq!(come_to(1, "b.html", true), None);
        assert_eq!(come_to(2, "a.orig", true), None);
        assert_eq!(come_to(2, "b.orig", true), None);
        assert_eq!(come_to(1, "b.orig", true), Some(Backup::Original));
        // Something that is not a file has no backup.
        assert_eq!(come_to(1, "l", false), None);
        assert_eq!(come_to(1, "l.orig", true), None);
        siblings.enter(1);
        let level = siblings.come_to(1, b"l.orig.orig", true);
        assert_eq!(level.backup(b"l.orig.orig", &plan("-"), || false), None);
    }
}
