//! The chunks of one file, of rows or of messages: which thread works on which, and which are ready.
//!
//! One thread takes what is ready in order, and works itself while there is nothing to take. The others take
//! the next chunk from the file, which another one cannot read meanwhile. What is ready too early waits, and
//! while much waits, no further chunk is begun: memory depends on the chunks in flight, not on the file.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::batch::report::FileError;

/// How much chunks may take that are worked on, or are ready too early, in bytes. One more may be begun.
const HELD: usize = 16 << 20;

/// What a thread has used for a heavier chunk is not kept for the next one.
const KEPT: usize = 1 << 20;

/// Cuts a file into chunks.
pub(crate) trait ChunkSource {
    type Chunk;

    /// The next chunk; `None` at the end of the file.
    fn cut(&mut self) -> io::Result<Option<Self::Chunk>>;

    /// How much memory it takes to work on a chunk, in bytes.
    fn weight(chunk: &Self::Chunk) -> usize;
}

/// A result that waits for its turn.
pub(crate) trait MemoryUse {
    fn held(&self) -> usize;
}

/// Works on each chunk of a file, by so many threads, and takes what comes of them in order, as long as that returns
/// whether to go on. Returns whether the end was reached. What a thread works with is used for one chunk after
/// another.
pub(crate) fn in_order<C: ChunkSource + Send, D: MemoryUse + Send, W: Default>(
    cutter: C,
    jobs: usize,
    work: impl Fn(C::Chunk, &mut W) -> D + Sync,
    mut take: impl FnMut(D) -> Result<bool, FileError>,
) -> Result<bool, FileError>
where
    C::Chunk: Send,
{
    let queue = ChunkQueue::new(cutter, jobs);
    let work = |(number, chunk): (u64, C::Chunk), with: &mut W| {
        let weight = C::weight(&chunk);
        let done = work(chunk, with);
        if weight > KEPT {
            *with = W::default();
        }
        queue.put(number, weight, done);
    };
    let done = std::thread::scope(|scope| {
        let _end = EndOnDrop(&queue);
        for _ in 1..jobs {
            let (queue, work) = (&queue, &work);
            // If it cannot be started, the others do its work.
            let _ = std::thread::Builder::new().spawn_scoped(scope, move || {
                let mut with = W::default();
                while let Some(begun) = queue.help() {
                    work(begun, &mut with);
                }
            });
        }
        let mut with = W::default();
        loop {
            match queue.next() {
                Turn::Take(done) => {
                    let held = done.held();
                    if !take(done)? {
                        return Ok(false);
                    }
                    queue.taken(held);
                }
                Turn::Work => {
                    if let Some(begun) = queue.begin() {
                        work(begun, &mut with);
                    }
                }
                Turn::End => return Ok(true),
            }
        }
    });
    match queue.failed() {
        Some(error) => Err(FileError::Read(error)),
        None => done,
    }
}

/// Ends the work of the others, however this thread ends.
struct EndOnDrop<'q, C: ChunkSource, D: MemoryUse>(&'q ChunkQueue<C, D>);

impl<C: ChunkSource, D: MemoryUse> Drop for EndOnDrop<'_, C, D> {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// What the thread that takes results in order does next.
enum Turn<D> {
    Take(D),
    Work,
    End,
}

struct ChunkQueue<C, D> {
    input: Mutex<ChunkInput<C>>,
    state: Mutex<ChunkState<D>>,
    moved: Condvar,
    jobs: u64,
}

struct ChunkInput<C> {
    cutter: C,
    next: u64,
}

struct ChunkState<D> {
    /// The chunk that is taken next.
    next: u64,
    begun: u64,
    ready: BTreeMap<u64, D>,
    /// Bytes: the weight of chunks being worked on, and the results of others.
    held: usize,
    /// No further chunk is begun.
    is_over: bool,
    failed: Option<io::Error>,
}

impl<C: ChunkSource, D: MemoryUse> ChunkQueue<C, D> {
    fn new(cutter: C, jobs: usize) -> ChunkQueue<C, D> {
        ChunkQueue {
            input: Mutex::new(ChunkInput { cutter, next: 0 }),
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

    /// Waits for the next chunk, or for something to do meanwhile.
    fn next(&self) -> Turn<D> {
        let mut state = lock(&self.state);
        loop {
            let next = state.next;
            if let Some(done) = state.ready.remove(&next) {
                state.next += 1;
                self.moved.notify_all();
                return Turn::Take(done);
            }
            if state.is_over && state.next >= state.begun {
                return Turn::End;
            }
            if !state.is_over && self.may_begin(&state) {
                return Turn::Work;
            }
            state = self.wait(state);
        }
    }

    /// What came of a chunk is gone, not before it is written.
    fn taken(&self, held: usize) {
        lock(&self.state).held -= held;
        self.moved.notify_all();
    }

    /// A chunk for a helper, with its number; `None` once there is none left.
    fn help(&self) -> Option<(u64, C::Chunk)> {
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
    fn begin(&self) -> Option<(u64, C::Chunk)> {
        let mut input = lock(&self.input);
        let state = lock(&self.state);
        // While this thread waited for the file, another one may have begun a long row.
        if state.is_over || !self.may_begin(&state) {
            return None;
        }
        drop(state);
        let chunk = input.cutter.cut();
        let number = input.next;
        input.next += 1;
        let mut state = lock(&self.state);
        match chunk {
            Ok(Some(chunk)) => {
                state.begun = input.next;
                state.held += C::weight(&chunk);
                return Some((number, chunk));
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
    fn put(&self, number: u64, weight: usize, done: D) {
        let mut state = lock(&self.state);
        state.held = state.held - weight + done.held();
        state.ready.insert(number, done);
        self.moved.notify_all();
    }

    /// Ends the work, even if the thread that takes results panics.
    fn end(&self) {
        lock(&self.state).is_over = true;
        self.moved.notify_all();
    }

    /// The error that ended reading.
    fn failed(&self) -> Option<io::Error> {
        lock(&self.state).failed.take()
    }

    fn wait<'s>(&self, state: MutexGuard<'s, ChunkState<D>>) -> MutexGuard<'s, ChunkState<D>> {
        self.moved
            .wait(state)
            .unwrap_or_else(PoisonError::into_inner)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
