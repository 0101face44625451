//! Hands what the walk finds to the workers in order, one item each.
//!
//! Reading and sorting the names in a large directory takes as long as many files. The worker that
//! does it has left the others enough to go on with.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::lock;

/// How many are found before they are asked for.
const AHEAD: usize = 256;

/// A walk that several workers take from.
#[derive(Debug)]
pub(crate) struct Queue<W: Iterator> {
    /// Held by the worker that walks on.
    walk: Mutex<W>,
    ready: Mutex<FoundAhead<W::Item>>,
}

/// Entries that the walk found and no worker has taken.
#[derive(Debug)]
struct FoundAhead<T> {
    found: VecDeque<T>,
    /// The number of the first entry in `found`.
    next: u64,
    ended: bool,
}

impl<W: Iterator> Queue<W> {
    pub(crate) fn new(walk: W) -> Self {
        Queue {
            walk: Mutex::new(walk),
            ready: Mutex::new(FoundAhead {
                found: VecDeque::with_capacity(AHEAD),
                next: 0,
                ended: false,
            }),
        }
    }

    /// Takes the next piece of work, with its number, which counts from 0; `None` at the end.
    pub(crate) fn take(&self) -> Option<(u64, W::Item)> {
        if let Ok(walk) = self.walk.try_lock() {
            self.walk_on(walk);
        }
        loop {
            let mut ready = lock(&self.ready);
            if let Some(found) = ready.found.pop_front() {
                let number = ready.next;
                ready.next += 1;
                return Some((number, found));
            }
            if ready.ended {
                return None;
            }
            drop(ready);
            self.walk_on(lock(&self.walk));
        }
    }

    /// The walk, as far as it has got.
    pub(crate) fn into_walk(self) -> W {
        (self.walk.into_inner()).unwrap_or_else(PoisonError::into_inner)
    }

    fn walk_on(&self, mut walk: MutexGuard<'_, W>) {
        let wants_more = |ready: &FoundAhead<_>| !ready.ended && ready.found.len() < AHEAD;
        while wants_more(&lock(&self.ready)) {
            let found = walk.next();
            let mut ready = lock(&self.ready);
            ready.ended |= found.is_none();
            ready.found.extend(found);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::thread;

    use super::{AHEAD, Queue};

    #[test]
    fn everything_is_handed_out_once_with_its_number() {
        let queue = Queue::new(0..10_000_u64);
        let taken = || std::iter::from_fn(|| queue.take()).collect::<Vec<_>>();
        let mut all = thread::scope(|scope| {
            let workers = [0; 3].map(|_| scope.spawn(taken));
            workers.map(|worker| worker.join().unwrap()).concat()
        });
        all.sort_unstable();
        assert!(
            all.into_iter()
                .eq((0..10_000).map(|number| (number, number)))
        );
        assert_eq!(queue.take(), None);
    }

    #[test]
    fn no_more_is_found_ahead_than_is_said() {
        let mut found = 0;
        let queue = Queue::new((0..).inspect(|_| found += 1));
        for _ in 0..10 {
            queue.take();
        }
        drop(queue);
        assert!(found <= AHEAD + 10, "{found}");
    }

    /// A slow directory does not keep the others from what was found before it.
    #[test]
    fn a_slow_step_keeps_nobody_waiting() {
        let (arrived, slow_step) = channel();
        let (go_on, may_go_on) = channel();
        let slow = move |number| {
            if number == AHEAD {
                arrived.send(()).unwrap();
                may_go_on.recv().unwrap();
            }
            number
        };
        let queue = Queue::new((0..2 * AHEAD).map(slow));
        assert_eq!(queue.take(), Some((0, 0)));
        thread::scope(|scope| {
            scope.spawn(|| queue.take());
            slow_step.recv().unwrap();
            // One of them goes to the worker that walks, as soon as it may.
            for number in 1..AHEAD {
                assert_eq!(queue.take(), Some((number as u64, number)));
            }
            go_on.send(()).unwrap();
        });
    }
}
