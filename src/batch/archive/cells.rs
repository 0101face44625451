//! Which thread works on which part of an archive, and which parts are ready.
//!
//! One thread takes the results in order, and works itself while there is nothing to take. The
//! others help it: they work on cells ahead of it, as long as these are few and hold little.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::event::Event;

/// How long a cell is.
const CELL: u64 = 1 << 20;

/// How many bytes may be held by cells that are ready too early.
const HELD: u64 = 16 << 20;

/// The result of a cell that was worked on too early.
pub(super) struct Ready {
    /// Where the first member seems to begin; `None` if the cell has no beginning of one.
    pub(super) start: Option<u64>,
    pub(super) events: Vec<Event>,
    /// Where the work ended: what begins there is still to be done.
    pub(super) end: u64,
    pub(super) held: u64,
}

/// What the thread that takes results does next.
pub(super) enum Turn {
    /// Take this.
    Take(Ready),
    /// No thread has worked on it: do it at once.
    Own,
    /// Another thread is working on it: do this one meanwhile.
    Ahead(u64),
}

pub(super) struct Cells {
    length: u64,
    jobs: u64,
    state: Mutex<State>,
    moved: Condvar,
}

#[derive(Default)]
struct State {
    /// The cell that is taken next.
    next: u64,
    /// The cells that some thread is working on.
    begun: BTreeSet<u64>,
    ready: BTreeMap<u64, Ready>,
    held: u64,
    ended: bool,
}

impl Cells {
    pub(super) fn new(length: u64, jobs: usize) -> Cells {
        Cells {
            length,
            jobs: jobs as u64,
            state: Mutex::default(),
            moved: Condvar::new(),
        }
    }

    /// How many there are.
    pub(super) fn count(&self) -> u64 {
        self.length.div_ceil(CELL)
    }

    /// The cell that a byte is in.
    pub(super) fn at(offset: u64) -> u64 {
        offset / CELL
    }

    /// Where a cell is in the archive.
    pub(super) fn range(&self, cell: u64) -> Range<u64> {
        cell * CELL..((cell + 1) * CELL).min(self.length)
    }

    /// What to do about a cell when all before it have been taken.
    pub(super) fn turn(&self, cell: u64) -> Turn {
        let mut state = self.lock();
        // A cell that was skipped was in the payload of an earlier record.
        let passed: Vec<u64> = state.ready.range(..cell).map(|(cell, _)| *cell).collect();
        for passed in passed {
            state.remove(passed);
        }
        state.begun = state.begun.split_off(&cell);
        state.next = cell;
        loop {
            self.moved.notify_all();
            if let Some(ready) = state.remove(cell) {
                return Turn::Take(ready);
            }
            if state.begun.insert(cell) {
                return Turn::Own;
            }
            if let Some(ahead) = self.ahead(&mut state) {
                return Turn::Ahead(ahead);
            }
            state = self
                .moved
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A cell for a helper to work on; `None` once there is nothing left to do.
    pub(super) fn help(&self) -> Option<u64> {
        let mut state = self.lock();
        loop {
            if state.ended || state.next >= self.count() {
                return None;
            }
            if let Some(cell) = self.ahead(&mut state) {
                return Some(cell);
            }
            state = self
                .moved
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The first cell ahead that no thread has begun, if one may be begun now.
    fn ahead(&self, state: &mut State) -> Option<u64> {
        let window = state.next + 1..(state.next + 2 * self.jobs + 2).min(self.count());
        if state.held > HELD {
            return None;
        }
        let free = |cell: &u64| !state.begun.contains(cell) && !state.ready.contains_key(cell);
        let cell = window.into_iter().find(free)?;
        state.begun.insert(cell);
        Some(cell)
    }

    /// Whether what a cell holds is too much for one that is worked on too early.
    pub(super) fn is_too_much(held: u64) -> bool {
        held > HELD / 2
    }

    /// Stores the result of a cell.
    pub(super) fn put(&self, cell: u64, ready: Ready) {
        let mut state = self.lock();
        state.begun.remove(&cell);
        if cell >= state.next {
            state.held += ready.held;
            state.ready.insert(cell, ready);
        }
        self.moved.notify_all();
    }

    /// Ends the work, even if the thread that takes results panics.
    pub(super) fn end(&self) {
        self.lock().ended = true;
        self.moved.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn remove(&mut self, cell: u64) -> Option<Ready> {
        let ready = self.ready.remove(&cell)?;
        self.held -= ready.held;
        Some(ready)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ready(end: u64, held: u64) -> Ready {
        Ready {
            start: None,
            events: Vec::new(),
            end,
            held,
        }
    }

    #[test]
    fn who_takes_results_works_meanwhile() {
        let cells = Cells::new(10 * CELL, 1);
        assert_eq!(cells.help(), Some(1));
        assert!(matches!(cells.turn(0), Turn::Own));
        assert!(matches!(cells.turn(1), Turn::Ahead(2)));
        cells.put(1, ready(2 * CELL, 0));
        assert!(matches!(cells.turn(1), Turn::Take(_)));
        // A cell in the payload of an earlier record is skipped.
        cells.put(2, ready(3 * CELL, 1));
        assert!(matches!(cells.turn(5), Turn::Own));
        assert!(cells.lock().ready.is_empty() && cells.lock().held == 0);
    }

    #[test]
    fn little_is_done_too_early() {
        let cells = Cells::new(1000 * CELL, 1);
        let ahead: Vec<_> = (0..3).map(|_| cells.help()).collect();
        assert_eq!(ahead, [Some(1), Some(2), Some(3)]);
        assert_eq!(cells.ahead(&mut cells.lock()), None);
        cells.put(1, ready(2 * CELL, HELD + 1));
        cells.turn(0);
        assert_eq!(cells.ahead(&mut cells.lock()), None);
        assert!(matches!(cells.turn(1), Turn::Take(_)));
        assert_eq!(cells.ahead(&mut cells.lock()), Some(4));
        cells.end();
        assert_eq!(cells.help(), None);
    }
}
