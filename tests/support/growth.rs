//! How the work for an input grows with its length.

use super::skip;

/// How much longer the second input is.
const LONGER: usize = 8;

/// Checks that the work for `pieces` pieces is not that of the square: an input that is eight
/// times as long takes less than 32 times as long, where squares would have it take 64 times as
/// long. Both are measured in this run by the time that the processor spent on this thread: what
/// else the machine does decides nothing. Of the short one the quickest of three counts, and the long
/// one may try five times, since a host that others use takes some of that time too. Where no such time is to be
/// had, the work is done and not measured.
#[track_caller]
pub(crate) fn is_linear<T>(
    what: &str,
    pieces: usize,
    make: impl Fn(usize) -> T,
    work: impl Fn(&T),
) {
    let spent_on = |input: &T| {
        let before = spent();
        work(input);
        Some(spent()? - before?)
    };
    let input = make(pieces / LONGER);
    let short = (0..3).map(|_| spent_on(&input)).min().flatten();
    let input = make(pieces);
    let long = spent_on(&input);
    let (Some(short), Some(mut long)) = (short, long) else {
        return skip::tool("the time that a processor spends on a thread is read on Unix only");
    };
    for _ in 0..4 {
        if long >= short * 32 {
            long = spent_on(&input).unwrap_or(long);
        }
    }
    let what: String = what.chars().take(60).collect();
    assert!(
        long < short * 32,
        "{what}...: {short} ns for {}, {long} ns for {pieces}",
        pieces / LONGER
    );
}

/// The same for a command, by the time that the processor spent on its first thread.
#[cfg(target_os = "linux")]
#[track_caller]
pub(crate) fn is_linear_in_children<T>(
    what: &str,
    pieces: usize,
    make: impl Fn(usize) -> T,
    command: impl Fn(&T) -> std::process::Command,
) {
    let spent_on = |input: &T| {
        let mut child = command(input).spawn().unwrap();
        let schedule = format!("/proc/{}/schedstat", child.id());
        let mut spent = 0;
        while child.try_wait().unwrap().is_none() {
            let seen = std::fs::read_to_string(&schedule).unwrap_or_default();
            let seen = seen.split(' ').next().unwrap_or_default();
            spent = seen.parse().unwrap_or(spent);
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        spent
    };
    let least = |input: T| (0..3).map(|_| spent_on(&input)).min().unwrap_or_default();
    let (short, long): (u64, u64) = (least(make(pieces / LONGER)), least(make(pieces)));
    assert!(short > 0, "it was not seen");
    assert!(
        long < short * 32,
        "{what}: {short} ns for {}, {long} ns for {pieces}",
        pieces / LONGER
    );
}

/// Nanoseconds of the processor on this thread.
fn spent() -> Option<u128> {
    #[cfg(unix)]
    {
        use rustix::time::{ClockId, clock_gettime};
        let time = clock_gettime(ClockId::ThreadCPUTime);
        Some(time.tv_sec as u128 * 1_000_000_000 + time.tv_nsec as u128)
    }
    #[cfg(not(unix))]
    None
}
