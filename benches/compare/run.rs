//! One run of a command, and many.

use std::fmt::Display;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use wait4::Wait4;

/// What a run took.
#[derive(Clone, Copy)]
pub(crate) struct Run {
    pub(crate) seconds: f64,
    /// Processor time, the system's too, in seconds.
    pub(crate) processor: f64,
    /// The same without the system's.
    pub(crate) user: f64,
    /// The most memory that was resident, in bytes. Linux counts what this program has held so far
    /// as its child's until the child is another program; so nothing large is held here before
    /// memory has been measured.
    pub(crate) peak: u64,
}

/// Runs a command that has to succeed.
pub(crate) fn run(command: &mut Command) -> Run {
    try_run(command, &[0]).unwrap_or_else(|why| panic!("{why}"))
}

/// Runs a command that has to end with one of these codes; an error says how it failed.
pub(crate) fn try_run(command: &mut Command, codes: &[i32]) -> Result<Run, String> {
    command.stdin(Stdio::null()).stdout(Stdio::null());
    let program = name(command);
    let failed = |why: &dyn Display| format!("{program}: {why}");
    let start = Instant::now();
    let mut child = command.spawn().map_err(|error| failed(&error))?;
    let used = child.wait4().map_err(|error| failed(&error))?;
    let seconds = start.elapsed().as_secs_f64();
    if !used.status.code().is_some_and(|code| codes.contains(&code)) {
        return Err(failed(&used.status));
    }
    Ok(Run {
        seconds,
        processor: (used.rusage.utime + used.rusage.stime).as_secs_f64(),
        user: used.rusage.utime.as_secs_f64(),
        peak: used.rusage.maxrss,
    })
}

/// The name of a command's program, without its directory.
pub(crate) fn name(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let name = program.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// abslink, with no options yet.
pub(crate) fn abslink(command: &str) -> Command {
    let mut abslink = Command::new(env!("CARGO_BIN_EXE_abslink"));
    abslink.arg(command).args(["--base-url", crate::tree::BASE]);
    abslink
}

/// Runs `rewrite`, and returns its summary.
pub(crate) fn summary(rewrite: &mut Command) -> serde_json::Value {
    let done = rewrite
        .args(["--format", "json"])
        .output()
        .expect("abslink starts");
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
    serde_json::from_slice(&done.stdout).expect("the summary is JSON")
}

/// Fails unless two directories hold the same bytes.
pub(crate) fn assert_identical(one: &Path, other: &Path) {
    run(Command::new("diff").args(["-r", "-q"]).arg(one).arg(other));
}

/// Removes what a run has written.
pub(crate) fn remove(directory: &Path) {
    if directory.exists() {
        std::fs::remove_dir_all(directory).expect("what was written here can be removed");
    }
}

/// A program among others: its name, its command, and the codes with which it may end.
pub(crate) type Program<'p> = (&'p str, &'p dyn Fn() -> Command, &'p [i32]);

/// Runs programs in turn, each `times` times; what one wrote to `out` is gone before the next. One that
/// fails is named, and has fewer runs.
pub(crate) fn in_turn<const N: usize>(
    times: usize,
    programs: &[Program<'_>; N],
    out: &Path,
) -> [Runs; N] {
    let mut taken = programs.each_ref().map(|_| Runs::default());
    for _ in 0..times {
        for ((name, make, codes), runs) in programs.iter().zip(&mut taken) {
            remove(out);
            match try_run(&mut make(), codes) {
                Ok(run) => runs.push(run),
                Err(why) => eprintln!("{name}: {why}"),
            }
        }
    }
    taken
}

/// Several runs of the same command.
#[derive(Default)]
pub(crate) struct Runs(Vec<Run>);

impl Runs {
    pub(crate) fn push(&mut self, run: Run) {
        self.0.push(run);
        self.0.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The median of their seconds.
    pub(crate) fn median(&self) -> f64 {
        self.median_of(|run| run.seconds)
    }

    /// The median of their processor time.
    pub(crate) fn processor(&self) -> f64 {
        self.median_of(|run| run.processor)
    }

    /// The median of their processor time without the system's.
    pub(crate) fn user(&self) -> f64 {
        self.median_of(|run| run.user)
    }

    fn median_of(&self, of: fn(&Run) -> f64) -> f64 {
        let mut times: Vec<f64> = self.0.iter().map(of).collect();
        times.sort_by(f64::total_cmp);
        f64::midpoint(times[(times.len() - 1) / 2], times[times.len() / 2])
    }

    pub(crate) fn least(&self) -> f64 {
        self.0[0].seconds
    }

    pub(crate) fn most(&self) -> f64 {
        self.0[self.0.len() - 1].seconds
    }

    /// The most memory of any of them, in MiB.
    pub(crate) fn mebibytes(&self) -> f64 {
        let peak = self.0.iter().map(|run| run.peak).max().unwrap_or_default();
        peak as f64 / f64::from(1 << 20)
    }
}

/// Seconds with three significant digits.
pub(crate) fn seconds(seconds: f64) -> String {
    match seconds {
        10.0.. => format!("{seconds:.1} s"),
        1.0.. => format!("{seconds:.2} s"),
        0.1.. => format!("{seconds:.3} s"),
        _ => format!("{:.2} ms", seconds * 1e3),
    }
}

/// A number with separators.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
