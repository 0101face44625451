//! Puts the workers' findings back into path order.
//!
//! Workers take files in order and finish them in any order. What is finished too early waits here,
//! and if too much of it waits, so do the workers that bring more: memory stays bounded whatever
//! the size of the tree. The worker that has the next file in order never waits, so all make
//! progress.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::OnDrop;
use crate::batch::report::outcome;
use crate::batch::report::{FileDone, FileError, Note, NoteKind, Observer, Problem};
use abslink_containers::message::Examined;

/// How many results may wait.
pub(crate) const WINDOW: u64 = 1024;
/// How many bytes may wait.
pub(crate) const WINDOW_BYTES: usize = 16 << 20;

/// The results of one file.
#[derive(Debug, Default)]
pub(crate) struct FileResult {
    /// The file, as the user would name it.
    pub(crate) path: PathBuf,
    /// For the output stream.
    pub(crate) out: Vec<u8>,
    /// The output of the observer.
    pub(crate) shown: Vec<u8>,
    /// The result of reading it; `None` if it is not a document, or if reading failed.
    pub(crate) outcome: Option<Examined>,
    pub(crate) notes: Vec<NoteKind>,
    pub(crate) error: Option<FileError>,
    pub(crate) done: FileDone,
}

impl FileResult {
    /// The file could not be written: what was found in it is not passed on.
    pub(crate) fn leave(&mut self, error: FileError) {
        self.outcome = None;
        self.shown.clear();
        self.error = Some(error);
        self.done = FileDone::default();
    }
}

/// Takes results in any order and passes them on in path order.
pub(crate) struct Sequence<'a> {
    state: Mutex<SequenceState<'a>>,
    moved: Condvar,
    observer: &'a dyn Observer,
}

struct SequenceState<'a> {
    /// The file whose result is passed on next.
    next: u64,
    /// The results of later files.
    waiting: BTreeMap<u64, FileResult>,
    waiting_bytes: usize,
    /// How many workers wait for [`Sequence::moved`].
    waiters: usize,
    out: &'a mut (dyn Write + Send),
    /// Once the output stream has failed, nothing more is passed on.
    failed: Option<io::Error>,
}

impl<'a> Sequence<'a> {
    pub(crate) fn new(out: &'a mut (dyn Write + Send), observer: &'a dyn Observer) -> Self {
        Sequence {
            state: Mutex::new(SequenceState {
                next: 0,
                waiting: BTreeMap::new(),
                waiting_bytes: 0,
                waiters: 0,
                out,
                failed: None,
            }),
            moved: Condvar::new(),
            observer,
        }
    }

    /// Passes on what was found in file number `number`, now or later. Afterwards `file_result` is
    /// empty, and keeps its memory if possible. Before it waits for other workers it calls `release`, which
    /// has to pass on what this one holds back: they may wait for that.
    ///
    /// Returns whether the run goes on: not after the output stream has failed, or the observer
    /// has panicked.
    pub(crate) fn deliver(
        &self,
        number: u64,
        file_result: &mut FileResult,
        release: &dyn Fn(),
    ) -> bool {
        let _alarm = self.alarm();
        let Ok(mut state) = self.state.lock() else {
            return false;
        };
        if state.must_wait(number) {
            drop(state);
            release();
            match self.when(|state| !state.must_wait(number)) {
                Some(ready) => state = ready,
                None => return false,
            }
        }
        if state.next == number {
            state.pass_on(file_result, self.observer);
            while let Some(mut file_result) = state.next_waiting() {
                state.pass_on(&mut file_result, self.observer);
            }
            // Waking nobody would be a system call too.
            if state.waiters > 0 {
                self.moved.notify_all();
            }
        } else if state.failed.is_none() {
            state.waiting_bytes += file_result.out.len() + file_result.shown.len();
            state.waiting.insert(number, std::mem::take(file_result));
        }
        state.failed.is_none()
    }

    /// Passes on a part of what was found in file number `number`, when its turn comes; the rest is
    /// delivered later. Returns the same as [`Sequence::deliver`].
    pub(crate) fn deliver_part(&self, number: u64, out: &[u8], shown: &[u8]) -> bool {
        let _alarm = self.alarm();
        let is_ready = |state: &SequenceState<'_>| state.failed.is_some() || state.next == number;
        let Some(mut state) = self.when(is_ready) else {
            return false;
        };
        state.write(out, shown, self.observer);
        state.failed.is_none()
    }

    /// Wakes the waiting workers if the one they wait for panics.
    fn alarm(&self) -> OnDrop<impl Fn()> {
        OnDrop(|| {
            if std::thread::panicking() {
                self.moved.notify_all();
            }
        })
    }

    /// Waits for other workers until the state is ready; `None` if one panicked.
    fn when(
        &self,
        is_ready: impl Fn(&SequenceState<'a>) -> bool,
    ) -> Option<MutexGuard<'_, SequenceState<'a>>> {
        let mut state = self.state.lock().ok()?;
        while !is_ready(&state) {
            state.waiters += 1;
            state = self.moved.wait(state).ok()?;
            state.waiters -= 1;
        }
        Some(state)
    }

    pub(crate) fn finish(self) -> io::Result<()> {
        let state = (self.state.into_inner()).unwrap_or_else(PoisonError::into_inner);
        match state.failed {
            Some(error) => Err(error),
            None => state.out.flush(),
        }
    }
}

impl SequenceState<'_> {
    fn must_wait(&self, number: u64) -> bool {
        self.failed.is_none()
            && number != self.next
            && (number - self.next > WINDOW || self.waiting_bytes > WINDOW_BYTES)
    }

    fn next_waiting(&mut self) -> Option<FileResult> {
        let file_result = self.waiting.remove(&self.next)?;
        self.waiting_bytes -= file_result.out.len() + file_result.shown.len();
        Some(file_result)
    }

    fn write(&mut self, out: &[u8], shown: &[u8], observer: &dyn Observer) {
        if self.failed.is_none() && !out.is_empty() {
            self.failed = self.out.write_all(out).err();
        }
        if self.failed.is_none() && !shown.is_empty() {
            self.failed = observer.in_order(shown, self.out).err();
        }
    }

    fn pass_on(&mut self, file_result: &mut FileResult, observer: &dyn Observer) {
        self.next += 1;
        let path = std::mem::take(&mut file_result.path);
        let outcome = file_result.outcome.take();
        if let Some(outcome) = &outcome {
            outcome::show(outcome, &path, observer, &mut file_result.shown);
        }
        self.write(&file_result.out, &file_result.shown, observer);
        let done = std::mem::take(&mut file_result.done);
        if self.failed.is_none() && done != FileDone::default() {
            self.failed = observer.file(&path, done, self.out).err();
        }
        file_result.out.clear();
        file_result.shown.clear();
        let of_outcome = outcome.into_iter().flat_map(outcome::into_notes);
        for what in of_outcome.chain(file_result.notes.drain(..)) {
            let path = path.clone();
            observer.note(&Note { path, what });
        }
        if let Some(error) = file_result.error.take() {
            observer.problem(&Problem { path, error });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::{FileResult, Note, NoteKind, Sequence, WINDOW, WINDOW_BYTES};
    use crate::batch::report::Observer;

    struct Silent;
    impl Observer for Silent {}

    fn file_result(out: impl Into<Vec<u8>>) -> FileResult {
        FileResult {
            out: out.into(),
            ..FileResult::default()
        }
    }

    #[test]
    fn order_is_restored() {
        let mut out = Vec::new();
        let sequence = Sequence::new(&mut out, &Silent);
        for number in [2, 0, 3, 1, 4] {
            assert!(sequence.deliver(number, &mut file_result(number.to_string()), &|| ()));
        }
        sequence.finish().unwrap();
        assert_eq!(out, b"01234");
    }

    #[test]
    fn many_workers_and_more_than_the_window() {
        let mut out = Vec::new();
        let sequence = Sequence::new(&mut out, &Silent);
        let next = AtomicU64::new(0);
        let count = 5 * WINDOW;
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= count {
                            break;
                        }
                        if number.is_multiple_of(2 * WINDOW) {
                            // Let the others reach the end of the window.
                            std::thread::sleep(std::time::Duration::from_millis(20));
                        }
                        sequence.deliver(number, &mut file_result(format!("{number}\n")), &|| ());
                    }
                });
            }
        });
        sequence.finish().unwrap();
        let expected: String = (0..count).map(|number| format!("{number}\n")).collect();
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn bytes_that_wait_are_bounded() {
        let mut out = io::sink();
        let sequence = Sequence::new(&mut out, &Silent);
        sequence.deliver(1, &mut file_result(vec![0; WINDOW_BYTES + 1]), &|| ());
        assert!(sequence.state.lock().unwrap().must_wait(2));
        assert!(!sequence.state.lock().unwrap().must_wait(0));
        sequence.deliver(0, &mut file_result(""), &|| ());
        assert!(!sequence.state.lock().unwrap().must_wait(3));
    }

    /// No worker waits for ever for the one that panicked with the next file.
    #[test]
    fn an_observer_that_panics_ends_the_run() {
        struct Panics;
        impl Observer for Panics {
            fn note(&self, _: &Note) {
                panic!("as the test wants it");
            }
        }
        let mut out = io::sink();
        let sequence = Sequence::new(&mut out, &Panics);
        std::thread::scope(|scope| {
            let waiting =
                scope.spawn(|| sequence.deliver(2 * WINDOW, &mut file_result(""), &|| ()));
            // Whether it is waiting already or not, it must not go on waiting.
            std::thread::sleep(std::time::Duration::from_millis(20));
            let mut first = FileResult {
                notes: vec![NoteKind::LinkInside],
                ..file_result("")
            };
            let delivered = AssertUnwindSafe(|| sequence.deliver(0, &mut first, &|| ()));
            assert!(catch_unwind(delivered).is_err());
            assert!(!waiting.join().unwrap());
        });
    }

    #[test]
    fn a_part_waits_for_its_turn() {
        let mut out = Vec::new();
        let sequence = Sequence::new(&mut out, &Silent);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for part in ["b", "c"] {
                    assert!(sequence.deliver_part(1, part.as_bytes(), &[]));
                }
                sequence.deliver(1, &mut file_result("d"), &|| ());
            });
            sequence.deliver(2, &mut file_result("e"), &|| ());
            sequence.deliver(0, &mut file_result("a"), &|| ());
        });
        sequence.finish().unwrap();
        assert_eq!(out, b"abcde");
    }

    #[test]
    fn a_failed_stream_ends_the_run() {
        struct Closed;
        impl io::Write for Closed {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut out = Closed;
        let sequence = Sequence::new(&mut out, &Silent);
        assert!(sequence.deliver(0, &mut file_result(""), &|| ()));
        assert!(!sequence.deliver(1, &mut file_result("x"), &|| ()));
        assert!(!sequence.deliver(9 * WINDOW, &mut file_result("x"), &|| ()));
        assert_eq!(
            sequence.finish().unwrap_err().kind(),
            io::ErrorKind::BrokenPipe
        );
    }
}
