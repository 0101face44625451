//! What a run shows while it goes on, and to whom.

use std::io;
use std::path::Path;

use super::{FileError, Note, Problem, Report};
use abslink_html::line_column::Lines;
use abslink_html::{Examined, Reference};

/// One reference in its file, as shown to [`Observer::reference`].
///
/// # Examples
/// ```
/// use abslink::batch::{Input, Located, Observer, Plan, Task, run};
///
/// struct Lines;
///
/// impl Observer for Lines {
///     fn reference(&self, found: &Located<'_>, out: &mut Vec<u8>) {
///         out.extend(format!("{}: {}\n", found.line, found.reference.reference).bytes());
///     }
/// }
///
/// let mut out = Vec::new();
/// run(&Plan::new(vec![Input::File("testdata/quick/page.html".into())], Task::Examine), &Lines, &mut out)?;
/// # Ok::<(), abslink::batch::RunError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Located<'a> {
    /// The file, as the user would name it.
    pub path: &'a Path,
    /// Line, from 1; lines end with LF.
    pub line: usize,
    /// Column, from 1, in characters (in bytes if the line is not UTF-8).
    pub column: usize,
    /// The line in which the replaced part of the value ends.
    pub end_line: usize,
    /// The column after its end.
    pub end_column: usize,
    /// Both columns in units of UTF-16, from 1.
    pub utf16_columns: (usize, usize),
    /// The number of its row, from 1, in a file with rows: the other numbers count in the text of the field.
    pub row: Option<u64>,
    /// The reference itself.
    pub reference: &'a Reference<'a>,
}

impl<'a> Located<'a> {
    /// `held` are the bytes after those that `lines` has passed.
    pub(crate) fn new(
        lines: &mut Lines,
        held: &[u8],
        path: &'a Path,
        reference: &'a Reference<'a>,
    ) -> Located<'a> {
        let start = lines.position(held, reference.span.start);
        let end = lines.position(held, reference.span.end);
        Located {
            path,
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
            utf16_columns: (start.column + start.wide, end.column + end.wide),
            row: None,
            reference,
        }
    }
}

/// What became of a file as a whole, for [`Observer::file`].
///
/// # Examples
/// ```
/// use std::{io, path::Path};
///
/// use abslink::batch::{FileDone, Observer};
///
/// /// Lists the files that change.
/// struct List;
/// impl Observer for List {
///     fn file(&self, path: &Path, done: FileDone, out: &mut dyn io::Write) -> io::Result<()> {
///         if done.is_changed {
///             writeln!(out, "{}", path.display())?;
///         }
///         Ok(())
///     }
/// }
/// # let mut out = Vec::new();
/// # List.file(Path::new("a.html"), FileDone::default(), &mut out)?;
/// # assert!(out.is_empty());
/// # Ok::<(), io::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileDone {
    /// It was written, or would be, with something changed in it.
    pub is_changed: bool,
    /// It has references that change, or cannot.
    pub is_relative: bool,
}

impl FileDone {
    /// What the counts and the error of one file say.
    pub(crate) fn of(report: &Report, error: Option<&FileError>) -> FileDone {
        let is_written = matches!(error, None | Some(FileError::Parts(_)));
        FileDone {
            is_changed: is_written && report.files_changed > 0,
            is_relative: report.tally.rewritten + report.tally.unresolved > 0,
        }
    }
}

/// Watches a run, and turns what it finds into output.
///
/// # Examples
/// ```
/// use abslink::batch::{Input, Located, Observer, Plan, Task, run};
///
/// /// Lists the files with the URLs that they refer to.
/// struct List;
/// impl Observer for List {
///     fn reference(&self, found: &Located<'_>, out: &mut Vec<u8>) {
///         let line = format!("{}: {}\n", found.line, found.reference.reference);
///         out.extend_from_slice(line.as_bytes());
///     }
/// }
///
/// let page = tempfile::NamedTempFile::new()?;
/// std::fs::write(&page, "<p>\n<a href=x>")?;
/// let plan = Plan::new(vec![Input::File(page.path().into())], Task::Examine);
/// let mut out = Vec::new();
/// run(&plan, &List, &mut out)?;
/// assert_eq!(out, b"2: x\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Observer: Sync {
    /// Called by a worker for each reference with [`Task::Examine`](crate::batch::Task::Examine), and for each reference of a
    /// rewritten document that is among [`Plan::findings`](crate::batch::Plan::findings). What is appended to `out` comes to
    /// [`Observer::in_order`].
    fn reference(&self, _found: &Located<'_>, _out: &mut Vec<u8>) {}

    /// A document was read; called in path order. One in a message has the message's path with `#`
    /// and its place in the message, such as `page.mht#1.2`, and one in a mailbox with the number of its message before that, `inbox#3#1.2`; one in a web
    /// archive with that of its record,
    /// such as `crawl.warc.gz#4711`, and an item of a feed with its number. What is appended to `out` comes to [`Observer::in_order`] after what
    /// [`Observer::reference`] gave for the document.
    fn document(&self, _path: &Path, _examined: &Examined, _out: &mut Vec<u8>) {}

    /// A file is done that changed, or has relative references; called in path order, after what was found in
    /// it. What is to be said about it goes to the output stream.
    ///
    /// # Errors
    /// Where it cannot be written; the run ends.
    fn file(&self, _path: &Path, _done: FileDone, _stream: &mut dyn io::Write) -> io::Result<()> {
        Ok(())
    }

    /// What the other methods appended for a file, whole or in parts, in path order. `stream` is the
    /// output stream, to which it is written unless this method does something else with it.
    ///
    /// # Errors
    /// Where it cannot be written; the run ends.
    fn in_order(&self, shown: &[u8], stream: &mut dyn io::Write) -> io::Result<()> {
        stream.write_all(shown)
    }

    /// A document is done, successfully or not, and this many bytes of it that [`Observer::bytes_done`] has not
    /// had; called by workers in any order.
    fn document_done(&self, _bytes: u64) {}

    /// This many more bytes are done of a long document, or of a file with many documents; called in any order.
    fn bytes_done(&self, _bytes: u64) {}

    /// Something went wrong with one file; called in path order.
    fn problem(&self, _problem: &Problem) {}

    /// Something is worth a note, but is not a failure; called in path order.
    fn note(&self, _note: &Note) {}

    /// Whether the run should end between two files. What was begun is finished.
    fn stop_requested(&self) -> bool {
        false
    }

    /// Whether even an archive that was begun should not be finished. Then no new one is put in its
    /// place. Asked together with [`Observer::stop_requested`].
    fn drop_requested(&self) -> bool {
        false
    }
}
