//! Documents too large to be held in memory: read in pieces, as often as it takes.
//!
//! In most documents everything that affects the whole document comes at the beginning. So if output
//! can be thrown away, the first pass rewrites on that assumption. If something contradicts it, a
//! pass gathers what affects the whole document. The next one looks, if there can be any, for the
//! `base` element, for an element that changes the encoding, and for what depends on HTML's tree. The
//! last one rewrites; before it, another pass sees how a document with a long base URL would grow.
//! Standard input cannot be read again: unless its beginning says all that, it goes to a temporary
//! file first.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, Read, Write};
use std::rc::Rc;

use super::chunked::{ChunkedDocument, is_of_document};
use super::content::{Content, Job};
use super::pieces::{PIECE, beginning, counted, counting, each_piece, rewound};
use super::worker::Worker;
use crate::batch::kind::format::Format;
use crate::batch::plan::{Findings, Input, Output, Task};
use crate::batch::read::Buffer;
use crate::batch::report::outcome::has_findings;
use crate::batch::report::{FileError, NoteKind, Observer, guard, no_room};
use abslink_containers::markdown;
use abslink_html::base::retrieval::comment::HEAD;
use abslink_html::{BasePrescan, DocumentInfo, EncodingPrescan, Engine, Examined, Syntax};

/// How much of standard input may be held.
const HELD_OF_STDIN: u64 = 8 << 20;

/// How large a document may be that has to be held whole for its encoding or for a diff.
const WHOLE: u64 = 256 << 20;

const NO_DIFF: &str = "larger than 256 MiB: too large for --diff";

/// Shows how far a document was read. Another pass shows only what is beyond.
struct WatchedReader<'o, R> {
    from: R,
    observer: &'o dyn Observer,
    /// How much was shown.
    passed: Rc<Cell<u64>>,
    read: u64,
    /// What was rewound is read again.
    most: u64,
}

impl<R: Read> Read for WatchedReader<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.from.read(buffer)?;
        self.read = (self.read + read as u64).min(self.most);
        let more = self.read.saturating_sub(self.passed.get());
        if more > 0 {
            self.observer.bytes_done(more);
            self.passed.set(self.read);
        }
        Ok(read)
    }
}

impl<'p> Worker<'p> {
    /// The rules by which a file of this format is parsed in pieces, and up to what size it is held
    /// whole in memory.
    pub(super) fn held(&self, format: Format, input: &Input) -> (Syntax, u64) {
        let Format::Html(syntax) = format else {
            // One that is longer is refused.
            if format == Format::Markdown {
                return (Syntax::Html, markdown::LONGEST as u64);
            }
            // The parts of a message refer to each other, and so do those of a feed or a style sheet.
            return (Syntax::Html, u64::MAX);
        };
        let engine = self.plan.html.engine;
        let held = match input {
            // Its length is not known, so the memory for it doubles as it grows.
            Input::Stdin if engine == Engine::Auto => HELD_OF_STDIN,
            _ => engine.largest_held(),
        };
        let least = if self.plan.shows_diff() { WHOLE } else { 0 };
        (syntax, held.max(least))
    }

    fn check_task(&self) -> Result<(), FileError> {
        if self.plan.shows_diff() {
            return Err(FileError::Left(NO_DIFF));
        }
        Ok(())
    }

    /// Processes a file larger than [`Worker::held`].
    pub(super) fn large_file(
        &mut self,
        job: Job<'_, '_>,
        syntax: Syntax,
        file: &File,
    ) -> Result<(), FileError> {
        self.check_task()?;
        let task = &self.plan.task;
        let is_final = matches!(task, Task::Examine | Task::Rewrite(Output::Stdout));
        if !is_final && self.at_once(job, syntax, file)? {
            return Ok(());
        }
        let mut prescan = EncodingPrescan::new(syntax, self.plan.charset.as_deref());
        each_piece(PIECE, &mut rewound(file)?, |piece, _| {
            guard(|| prescan.look(piece)).map(|()| true)
        })?;
        self.prescanned(job, syntax, file, prescan)
    }

    /// Rewrites a file on the assumption that its beginning decides everything. Returns whether
    /// that held: if not, nothing was done.
    fn at_once(
        &mut self,
        job: Job<'_, '_>,
        syntax: Syntax,
        file: &File,
    ) -> Result<bool, FileError> {
        let beginning = beginning(file, PIECE)?;
        let mut first = EncodingPrescan::new(syntax, self.plan.charset.as_deref());
        let presumed = guard(|| {
            first.look(&beginning);
            first.presume(&beginning)
        });
        let Ok(Some(facts)) = presumed else {
            return Ok(false);
        };
        let context = &self.context(&job, &beginning);
        let source = ChunkedDocument {
            job,
            facts,
            context,
            length: job.original.map(|original| original.metadata.len()),
        };
        // With a long base URL, the document may have to be left as it is.
        if source.document(&self.plan.html).has_long_base() {
            return Ok(false);
        }
        let mut from = counting(self.watched(rewound(file)?, source.length));
        let result = self.rewrite_pieces(&source, &mut from);
        if result.as_ref().is_err_and(is_of_document) {
            return Ok(false);
        }
        self.count(&source, counted(&from), result)?;
        self.show_findings(&source, file)?;
        Ok(true)
    }

    /// Processes standard input, whose beginning was read already.
    pub(super) fn large_stdin(
        &mut self,
        job: Job<'_, '_>,
        syntax: Syntax,
        stdin: &mut dyn Read,
    ) -> Result<(), FileError> {
        self.check_task()?;
        let head = std::mem::take(&mut self.read);
        let mut prescan = EncodingPrescan::new(syntax, self.plan.charset.as_deref());
        guard(|| prescan.look(head.filled()))?;
        // What is rewritten as it comes cannot be read again.
        let early = match self.plan.findings {
            Findings::None => early_facts(&prescan, &head)?,
            Findings::Left | Findings::All => None,
        };
        if let Some(facts) = early {
            let context = &self.context(&job, head.filled());
            let source = ChunkedDocument {
                job,
                facts,
                context,
                length: None,
            };
            // The length of a document decides how much it may grow.
            if !source.document(&self.plan.html).has_long_base() {
                return self.stream(&source, &mut head.filled().chain(stdin));
            }
        }
        let mut spool = tempfile::tempfile().map_err(no_room)?;
        spool.write_all(head.filled()).map_err(no_room)?;
        drop(head);
        each_piece(PIECE, stdin, |piece, _| {
            spool.write_all(piece).map_err(no_room)?;
            guard(|| prescan.look(piece)).map(|()| true)
        })?;
        self.prescanned(job, syntax, &spool, prescan)
    }

    /// The passes after the first one, which found the encoding, over a document that can be read again: `file` is
    /// the document, or a temporary file that has it.
    fn prescanned(
        &mut self,
        job: Job<'_, '_>,
        syntax: Syntax,
        file: &File,
        prescan: EncodingPrescan,
    ) -> Result<(), FileError> {
        let length = file.metadata().map_err(FileError::Read)?.len();
        let mut facts = prescan.finish();
        if facts.need_search() {
            let mut search = BasePrescan::new(&mut facts);
            each_piece(PIECE, &mut rewound(file)?, |piece, last| {
                guard(|| !search.look(piece, last))
            })?;
        }
        if facts.need_whole() && length <= WHOLE {
            self.read.clear();
            self.read.read_to_end(length, &mut rewound(file)?)?;
            return self.document(job, &Content::Html(syntax), false);
        }
        let context = &self.context(&job, &beginning(file, HEAD)?);
        let mut source = ChunkedDocument {
            job,
            facts,
            context,
            length: Some(length),
        };
        if self.outgrows(&source, file)? {
            source.facts.leave();
        }
        self.stream(&source, &mut rewound(file)?)?;
        if self.plan.task == Task::Examine {
            self.count_copies_in_pieces(&source, &mut rewound(file)?);
        }
        self.show_findings(&source, file)
    }

    /// Shows the references of a document that was rewritten, if the plan asks for them.
    fn show_findings(
        &mut self,
        source: &ChunkedDocument<'_, '_>,
        file: &File,
    ) -> Result<(), FileError> {
        let outcome = self.result.outcome.as_ref();
        let shown = outcome.is_some_and(|it| self.plan.findings.include(has_findings(it)));
        if shown && self.plan.task != Task::Examine {
            self.examine_pieces(source, &mut counting(rewound(file)?))?;
        }
        Ok(())
    }

    /// Whether a document with a long base URL would grow by more than it may, and has to be left.
    fn outgrows(&self, source: &ChunkedDocument<'_, '_>, file: &File) -> Result<bool, FileError> {
        let mut document = source.document(&self.plan.html);
        if !document.has_long_base() {
            return Ok(false);
        }
        let lists = self.plan.task == Task::Examine;
        each_piece(document.piece(PIECE), &mut rewound(file)?, |piece, last| {
            guard(|| document.measure(piece, last, lists))?;
            Ok(!document.is_outgrown())
        })?;
        Ok(document.is_outgrown())
    }

    /// A reader of the document whose progress is shown.
    fn watched<R>(&self, from: R, length: Option<u64>) -> WatchedReader<'p, R> {
        WatchedReader {
            from,
            observer: self.observer,
            passed: Rc::clone(&self.passed),
            read: 0,
            most: length.unwrap_or(u64::MAX),
        }
    }

    fn stream(
        &mut self,
        source: &ChunkedDocument<'_, '_>,
        from: &mut dyn Read,
    ) -> Result<(), FileError> {
        let mut from = counting(self.watched(from, source.length));
        let result = match &self.plan.task {
            Task::Examine => self.examine_pieces(source, &mut from),
            Task::Rewrite(_) | Task::Try { .. } => self.rewrite_pieces(source, &mut from),
        };
        // A document on which abslink fails is copied as it is, so that the tree stays complete.
        let copied = match (&result, source.job.original) {
            (Err(error), Some(original))
                if is_of_document(error) && self.plan.output_directory().is_some() =>
            {
                self.put_old(source.job.item, original)
            }
            _ => Ok(()),
        };
        let counted = self.count(source, counted(&from), result);
        copied.and(counted)
    }

    /// Counts the result of a document of which this many bytes were read.
    fn count(
        &mut self,
        source: &ChunkedDocument<'_, '_>,
        read: u64,
        result: Result<Option<(Examined, bool, u64)>, FileError>,
    ) -> Result<(), FileError> {
        self.report.files += 1;
        let is_index = source.context.stays_without_base;
        self.result
            .notes
            .extend(is_index.then_some(NoteKind::MirrorIndex));
        self.report.bytes_in += read;
        let rest = read.saturating_sub(self.passed.take());
        self.observer.document_done(rest);
        let Some((examined, changed, length)) = result? else {
            return Ok(());
        };
        self.conclude(source.job.item, (examined.into(), changed), length)
    }
}

/// What is known about standard input before its end was seen, if that is enough.
fn early_facts(
    prescan: &EncodingPrescan,
    head: &Buffer,
) -> Result<Option<DocumentInfo>, FileError> {
    let mut facts = prescan.early();
    if facts.need_search() {
        guard(|| BasePrescan::new(&mut facts).look(head.filled(), false))?;
    }
    Ok(facts.are_final().then_some(facts))
}
