//! Which thread works on which part of an archive, and which parts are ready.
//!
//! One thread takes the results in order, and works itself while there is nothing to take. The
//! others help it: they work on blocks ahead of it, as long as these are few and hold little.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::event::Event;

/// How long a block is.
const BLOCK: u64 = 1 << 20;

/// How many bytes may be held by blocks that are ready too early.
const HELD: u64 = 16 << 20;

/// The result of a block that was worked on too early.
pub(super) struct BlockResult {
    /// Where the first member seems to begin; `None` if the block has no beginning of one.
    pub(super) start: Option<u64>,
    pub(super) events: Vec<Event>,
    /// Where the work ended: what begins there is still to be done.
    pub(super) end: u64,
    pub(super) held: u64,
}

/// What the thread that takes results in order does next.
pub(super) enum BlockTurn {
    Take(BlockResult),
    /// No thread has begun the block: work on it now.
    Own,
    /// Another thread works on it: work on this block meanwhile.
    Ahead(u64),
}

pub(super) struct Blocks {
    length: u64,
    jobs: u64,
    state: Mutex<BlockState>,
    moved: Condvar,
}

#[derive(Default)]
struct BlockState {
    /// The block that is taken next.
    next: u64,
    /// The blocks that some thread is working on.
    begun: BTreeSet<u64>,
    ready: BTreeMap<u64, BlockResult>,
    held: u64,
    ended: bool,
}

impl Blocks {
    pub(super) fn new(length: u64, jobs: usize) -> Blocks {
        Blocks {
            length,
            jobs: jobs as u64,
            state: Mutex::default(),
            moved: Condvar::new(),
        }
    }

    pub(super) fn count(&self) -> u64 {
        self.length.div_ceil(BLOCK)
    }

    pub(super) fn at(offset: u64) -> u64 {
        offset / BLOCK
    }

    /// Where a block is in the archive.
    pub(super) fn range(&self, block: u64) -> Range<u64> {
        block * BLOCK..((block + 1) * BLOCK).min(self.length)
    }

    /// What to do for a block when all before it have been taken.
    pub(super) fn next(&self, block: u64) -> BlockTurn {
        let mut state = self.lock();
        // A block that was skipped was in the payload of an earlier record.
        let passed: Vec<u64> = state
            .ready
            .range(..block)
            .map(|(block, _)| *block)
            .collect();
        for passed in passed {
            state.remove(passed);
        }
        state.begun = state.begun.split_off(&block);
        state.next = block;
        loop {
            self.moved.notify_all();
            if let Some(ready) = state.remove(block) {
                return BlockTurn::Take(ready);
            }
            if state.begun.insert(block) {
                return BlockTurn::Own;
            }
            if let Some(ahead) = self.ahead(&mut state) {
                return BlockTurn::Ahead(ahead);
            }
            state = self
                .moved
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A block for a helper to work on; `None` once there is nothing left to do.
    pub(super) fn help(&self) -> Option<u64> {
        let mut state = self.lock();
        loop {
            if state.ended || state.next >= self.count() {
                return None;
            }
            if let Some(block) = self.ahead(&mut state) {
                return Some(block);
            }
            state = self
                .moved
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The first block ahead that no thread has begun, if one may be begun now.
    fn ahead(&self, state: &mut BlockState) -> Option<u64> {
        let window = state.next + 1..(state.next + 2 * self.jobs + 2).min(self.count());
        if state.held > HELD {
            return None;
        }
        let free = |block: &u64| !state.begun.contains(block) && !state.ready.contains_key(block);
        let block = window.into_iter().find(free)?;
        state.begun.insert(block);
        Some(block)
    }

    /// A block that is worked on ahead may not hold this much.
    pub(super) fn is_too_much(held: u64) -> bool {
        held > HELD / 2
    }

    pub(super) fn put(&self, block: u64, ready: BlockResult) {
        let mut state = self.lock();
        state.begun.remove(&block);
        if block >= state.next {
            state.held += ready.held;
            state.ready.insert(block, ready);
        }
        self.moved.notify_all();
    }

    /// Ends the work, even if the thread that takes results panics.
    pub(super) fn end(&self) {
        self.lock().ended = true;
        self.moved.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, BlockState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl BlockState {
    fn remove(&mut self, block: u64) -> Option<BlockResult> {
        let ready = self.ready.remove(&block)?;
        self.held -= ready.held;
        Some(ready)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ready(end: u64, held: u64) -> BlockResult {
        BlockResult {
            start: None,
            events: Vec::new(),
            end,
            held,
        }
    }

    #[test]
    fn who_takes_results_works_meanwhile() {
        let blocks = Blocks::new(10 * BLOCK, 1);
        assert_eq!(blocks.help(), Some(1));
        assert!(matches!(blocks.next(0), BlockTurn::Own));
        assert!(matches!(blocks.next(1), BlockTurn::Ahead(2)));
        blocks.put(1, ready(2 * BLOCK, 0));
        assert!(matches!(blocks.next(1), BlockTurn::Take(_)));
        // A block in the payload of an earlier record is skipped.
        blocks.put(2, ready(3 * BLOCK, 1));
        assert!(matches!(blocks.next(5), BlockTurn::Own));
        assert!(blocks.lock().ready.is_empty() && blocks.lock().held == 0);
    }

    #[test]
    fn little_is_done_too_early() {
        let blocks = Blocks::new(1000 * BLOCK, 1);
        let ahead: Vec<_> = (0..3).map(|_| blocks.help()).collect();
        assert_eq!(ahead, [Some(1), Some(2), Some(3)]);
        assert_eq!(blocks.ahead(&mut blocks.lock()), None);
        blocks.put(1, ready(2 * BLOCK, HELD + 1));
        blocks.next(0);
        assert_eq!(blocks.ahead(&mut blocks.lock()), None);
        assert!(matches!(blocks.next(1), BlockTurn::Take(_)));
        assert_eq!(blocks.ahead(&mut blocks.lock()), Some(4));
        blocks.end();
        assert_eq!(blocks.help(), None);
    }
}
