//! How the work for an input grows with its length.

/// How much longer the second input is.
const LONGER: usize = 8;

/// Checks that the work for `pieces` pieces is not that of the square: an input that is eight
/// times as long takes less than 32 times as long, where squares would have it take 64 times as
/// long. Both are measured in this run by the time that the processor spent on this thread: what
/// else the machine does decides nothing. Of the short one the quickest of three counts, and the long
/// one may try three times.
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
        spent() - before
    };
    let input = make(pieces / LONGER);
    let short = (0..3).map(|_| spent_on(&input)).min().unwrap_or_default();
    let input = make(pieces);
    let mut long = spent_on(&input);
    for _ in 0..2 {
        if long >= short * 32 {
            long = spent_on(&input);
        }
    }
    let what: String = what.chars().take(60).collect();
    assert!(
        long < short * 32,
        "{what}...: {short} ns for {}, {long} ns for {pieces}",
        pieces / LONGER
    );
}

/// Nanoseconds of the processor on this thread.
#[cfg(unix)]
fn spent() -> u128 {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as u128 * 1_000_000_000 + time.tv_nsec as u128
}

#[cfg(not(unix))]
fn spent() -> u128 {
    static START: std::sync::LazyLock<std::time::Instant> =
        std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed().as_nanos()
}

#[test]
fn squares_are_found() {
    let compare_all = |numbers: &Vec<usize>| {
        let pairs = numbers
            .iter()
            .flat_map(|x| numbers.iter().map(move |y| x ^ y));
        std::hint::black_box(pairs.max());
    };
    let quadratic = || is_linear("pairs", 4_000, |count| (0..count).collect(), compare_all);
    assert!(std::panic::catch_unwind(quadratic).is_err());
    let add = |numbers: &Vec<usize>| {
        std::hint::black_box(numbers.iter().map(|x| x ^ 7).max());
    };
    is_linear("one by one", 400_000, |count| (0..count).collect(), add);
}
