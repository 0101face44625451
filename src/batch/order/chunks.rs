//! The chunks of one file, of rows, messages or an archive: which thread works on which, and which are ready.
//!
//! One thread takes what is ready in order, and works itself while there is nothing to take. The others take
//! the next chunk from the file, which another one cannot read meanwhile. What is ready too early waits, and
//! while much waits, no further chunk is begun: memory depends on the chunks in flight, not on the file.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::{OnDrop, lock};
use crate::batch::plan::Plan;
use crate::batch::report::{FileError, Observer};
use crate::batch::write::PublishError;
use abslink_html::base::Context;

/// How much chunks may take that are worked on, or are ready too early, in bytes. One more may be begun.
const HELD: usize = 16 << 20;

/// What a thread has used for a heavier chunk is not reused for the next one.
const REUSED: usize = 1 << 20;

/// A file with many documents, shared by all threads that work on it.
#[derive(Clone, Copy)]
pub(crate) struct ChunkedFile<'f> {
    pub(crate) plan: &'f Plan,
    pub(crate) observer: &'f dyn Observer,
    /// As the user would name it.
    pub(crate) path: &'f Path,
    /// The base URL and encoding that are known from outside the file.
    pub(crate) context: &'f Context,
}

/// Works on each chunk of a file, by so many threads, and takes what comes of them in order, as long as `take` returns
/// whether to go on. Returns whether the end was reached. `cut` gives the next chunk, after how many bytes of memory it
/// takes to work on it, and `work` what came of it, after how many it holds. What `start` makes is used for one chunk
/// after another, and `take` may use it too.
pub(crate) fn in_order<C: Send, D: Send, W>(
    jobs: usize,
    cut: impl FnMut() -> io::Result<Option<(usize, C)>> + Send,
    start: impl Fn() -> W + Sync,
    work: impl Fn(C, &mut W) -> (usize, D) + Sync,
    mut take: impl FnMut(D, &mut W) -> Result<bool, PublishError>,
) -> Result<bool, PublishError> {
    let queue = ChunkQueue::new(cut, jobs);
    let work = |(number, weight, chunk): (u64, usize, C), with: &mut W| {
        let (held, done) = work(chunk, with);
        if weight > REUSED {
            *with = start();
        }
        queue.put(number, weight, held, done);
    };
    let done = std::thread::scope(|scope| {
        // The others end too, however this thread does.
        let _end = OnDrop(|| {
            lock(&queue.state).is_over = true;
            queue.moved.notify_all();
        });
        for _ in 1..jobs {
            // If it cannot be started, the others do its work.
            let _ = std::thread::Builder::new().spawn_scoped(scope, || {
                let mut with = start();
                while let Some(begun) = queue.help() {
                    work(begun, &mut with);
                }
            });
        }
        let mut with = start();
        while let Some((held, done)) = queue.next(|begun| work(begun, &mut with)) {
            if !take(done, &mut with)? {
                return Ok(false);
            }
            // Not before it is written, what came of a chunk is gone.
            lock(&queue.state).held -= held;
            queue.moved.notify_all();
        }
        Ok(true)
    });
    let failed = lock(&queue.state).failed.take();
    match failed {
        Some(error) => Err(FileError::Read(error).into()),
        None => done,
    }
}

struct ChunkQueue<F, D> {
    /// Held by the thread that reads the file.
    cut: Mutex<F>,
    state: Mutex<ChunkState<D>>,
    moved: Condvar,
    jobs: u64,
}

struct ChunkState<D> {
    /// The chunk that is taken next.
    next: u64,
    begun: u64,
    /// Each with how much it holds.
    ready: BTreeMap<u64, (usize, D)>,
    /// Bytes: the weight of chunks being worked on, and the results of others.
    held: usize,
    /// No further chunk is begun.
    is_over: bool,
    failed: Option<io::Error>,
}

impl<C, F: FnMut() -> io::Result<Option<(usize, C)>>, D> ChunkQueue<F, D> {
    fn new(cut: F, jobs: usize) -> ChunkQueue<F, D> {
        ChunkQueue {
            cut: Mutex::new(cut),
            state: Mutex::new(ChunkState {
                next: 0,
                begun: 0,
                ready: BTreeMap::new(),
                held: 0,
                is_over: false,
                failed: None,
            }),
            moved: Condvar::new(),
            jobs: jobs as u64,
        }
    }

    /// What came of the next chunk, and how much it holds; `None` at the end. Works while there is none.
    fn next(&self, mut work: impl FnMut((u64, usize, C))) -> Option<(usize, D)> {
        let mut state = lock(&self.state);
        loop {
            let next = state.next;
            if let Some(ready) = state.ready.remove(&next) {
                state.next += 1;
                self.moved.notify_all();
                return Some(ready);
            }
            if state.is_over && state.next >= state.begun {
                return None;
            }
            if state.is_over || !self.may_begin(&state) {
                state = self.wait(state);
                continue;
            }
            drop(state);
            if let Some(begun) = self.begin() {
                work(begun);
            }
            state = lock(&self.state);
        }
    }

    /// A chunk for a helper, with its number and weight; `None` once there is none left.
    fn help(&self) -> Option<(u64, usize, C)> {
        loop {
            let mut state = lock(&self.state);
            while !state.is_over && !self.may_begin(&state) {
                state = self.wait(state);
            }
            if state.is_over {
                return None;
            }
            drop(state);
            if let Some(begun) = self.begin() {
                return Some(begun);
            }
        }
    }

    /// Begins the next chunk; `None` if there is none, or none may be begun any more.
    fn begin(&self) -> Option<(u64, usize, C)> {
        let mut cut = lock(&self.cut);
        let state = lock(&self.state);
        // While this thread waited for the file, another one may have begun a long row.
        if state.is_over || !self.may_begin(&state) {
            return None;
        }
        drop(state);
        let chunk = cut();
        let mut state = lock(&self.state);
        match chunk {
            Ok(Some((weight, chunk))) => {
                let number = state.begun;
                state.begun += 1;
                state.held += weight;
                return Some((number, weight, chunk));
            }
            Ok(None) => {}
            Err(error) => state.failed = Some(error),
        }
        state.is_over = true;
        self.moved.notify_all();
        None
    }

    /// Bounds memory. The chunk that is taken next may always be begun.
    fn may_begin(&self, state: &ChunkState<D>) -> bool {
        let ahead = state.begun - state.next;
        ahead == 0 || state.held <= HELD && ahead < 2 * self.jobs + 2
    }

    /// Stores the result of a chunk of this weight.
    fn put(&self, number: u64, weight: usize, held: usize, done: D) {
        let mut state = lock(&self.state);
        state.held = state.held - weight + held;
        state.ready.insert(number, (held, done));
        self.moved.notify_all();
    }

    fn wait<'s>(&self, state: MutexGuard<'s, ChunkState<D>>) -> MutexGuard<'s, ChunkState<D>> {
        (self.moved.wait(state)).unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    /// Takes 200 chunks of this weight by three threads; returns how many were ahead of the taken ones at most.
    fn ahead(weight: usize) -> u64 {
        let (taken, mut next) = (AtomicU64::new(0), 0);
        let cut = || {
            next += 1;
            Ok((next <= 200).then_some((weight, next - 1)))
        };
        let work =
            |number: u64, (): &mut ()| (weight, (number, number - taken.load(Ordering::Relaxed)));
        let mut most = 0;
        let is_whole = in_order(
            3,
            cut,
            || (),
            work,
            |(number, ahead), ()| {
                assert_eq!(taken.fetch_add(1, Ordering::Relaxed), number);
                most = most.max(ahead);
                Ok(true)
            },
        );
        assert!(is_whole.unwrap() && taken.into_inner() == 200);
        most
    }

    #[test]
    fn little_is_worked_on_ahead() {
        assert!(ahead(0) <= 8);
        assert!(ahead(HELD + 1) <= 1);
    }
}
