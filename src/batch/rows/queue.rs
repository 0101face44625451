//! Which thread works on which chunk of rows, and which chunks are ready.
//!
//! One thread takes what is ready in order, and works itself while there is nothing to take.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use abslink_containers::rows::{Chunk, Cutter};

/// How much chunks may take that are worked on, or are ready too early, in bytes. One more may be begun.
const HELD: usize = 16 << 20;

/// What takes memory while it waits.
pub(super) trait Held {
    fn held(&self) -> usize;
}

/// What the thread that takes results does next.
pub(super) enum Next<D> {
    /// Take this.
    Take(D),
    /// Work on a chunk meanwhile.
    Work,
    /// All is taken.
    End,
}

pub(super) struct Queue<R, D> {
    input: Mutex<Input<R>>,
    state: Mutex<State<D>>,
    moved: Condvar,
    jobs: u64,
}

struct Input<R> {
    cutter: Cutter<R>,
    next: u64,
}

struct State<D> {
    /// The chunk that is taken next.
    next: u64,
    /// How many were begun.
    begun: u64,
    ready: BTreeMap<u64, D>,
    /// What takes memory: chunks that are worked on, by their weight, and what came of others.
    held: usize,
    /// Whether no chunk is begun any more.
    is_over: bool,
    failed: Option<io::Error>,
}

impl<R: Read, D: Held> Queue<R, D> {
    pub(super) fn new(cutter: Cutter<R>, jobs: usize) -> Queue<R, D> {
        Queue {
            input: Mutex::new(Input { cutter, next: 0 }),
            state: Mutex::new(State {
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

    /// What comes after the chunks that were taken.
    pub(super) fn next(&self) -> Next<D> {
        let mut state = lock(&self.state);
        loop {
            let next = state.next;
            if let Some(done) = state.ready.remove(&next) {
                state.held -= done.held();
                state.next += 1;
                self.moved.notify_all();
                return Next::Take(done);
            }
            if state.is_over && state.next >= state.begun {
                return Next::End;
            }
            if !state.is_over && self.may_begin(&state) {
                return Next::Work;
            }
            state = self.wait(state);
        }
    }

    /// A chunk for a helper, with its number; `None` once there is none left.
    pub(super) fn help(&self) -> Option<(u64, Chunk)> {
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
    pub(super) fn begin(&self) -> Option<(u64, Chunk)> {
        let mut input = lock(&self.input);
        let state = lock(&self.state);
        // While this thread waited for the file, another one may have begun a long row.
        if state.is_over || !self.may_begin(&state) {
            return None;
        }
        drop(state);
        let chunk = input.cutter.chunk();
        let number = input.next;
        input.next += 1;
        let mut state = lock(&self.state);
        match chunk {
            Ok(Some(chunk)) => {
                state.begun = input.next;
                state.held += chunk.weight();
                return Some((number, chunk));
            }
            Ok(None) => {}
            Err(error) => state.failed = Some(error),
        }
        state.is_over = true;
        self.moved.notify_all();
        None
    }

    /// What is held is bounded. The chunk that is taken next may always be begun.
    fn may_begin(&self, state: &State<D>) -> bool {
        let ahead = state.begun - state.next;
        ahead == 0 || state.held <= HELD && ahead < 2 * self.jobs + 2
    }

    /// Stores what came of a chunk of this weight.
    pub(super) fn put(&self, number: u64, weight: usize, done: D) {
        let mut state = lock(&self.state);
        state.held = state.held - weight + done.held();
        state.ready.insert(number, done);
        self.moved.notify_all();
    }

    /// Ends the work, even if the thread that takes results panics.
    pub(super) fn end(&self) {
        lock(&self.state).is_over = true;
        self.moved.notify_all();
    }

    /// Why reading the file has ended early.
    pub(super) fn failed(&self) -> Option<io::Error> {
        lock(&self.state).failed.take()
    }

    fn wait<'s>(&self, state: MutexGuard<'s, State<D>>) -> MutexGuard<'s, State<D>> {
        self.moved
            .wait(state)
            .unwrap_or_else(PoisonError::into_inner)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
