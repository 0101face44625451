//! How time and memory grow: with the number of files, the size of a file, and threads.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::machine::{cores, free};
use crate::plot::{Axis, Plot};
use crate::run::{Run, Runs, abslink, assert_identical, grouped, remove, run, seconds, summary};
use crate::tree::Course;
use crate::{Setting, generate};

/// The engines for a single file.
const ENGINES: [&str; 3] = ["auto", "memory", "stream"];

/// abslink and `cp -r` on ten times as many files each time.
pub(crate) fn files(setting: &Setting) {
    let room = setting.scratch.path();
    let tree = room.join("files");
    println!(
        "### Number of files\n\nPages of 2 KB with {} references each.\n",
        generate::LINKS
    );
    println!(
        "| files | abslink | a file | memory | `cp -r` | of `cp -r` |\n|---|---|---|---|---|---|"
    );
    let (mut times, mut copies, mut memory) = (Vec::new(), Vec::new(), Vec::new());
    let mut made = 0;
    for exponent in 3..=if setting.quick { 4 } else { 6 } {
        let count = 10_u64.pow(exponent);
        // A page and an inode for each file, twice.
        if free(room) < count * 12_000 {
            println!("\nNo room for {} files.", grouped(count));
            break;
        }
        generate::pages(&tree, made..count);
        made = count;
        let out = room.join("out");
        let done = summary(abslink("rewrite").arg("-o").arg(&out).arg(&tree));
        assert_eq!(done["files"], count, "{done}");
        assert_eq!(done["rewritten"], count * generate::LINKS, "{done}");
        remove(&out);
        let [rewriting, copying] = in_turn(
            setting.runs,
            &out,
            [
                &|| run(abslink("rewrite").arg("-qo").arg(&out).arg(&tree)),
                &|| run(Command::new("cp").arg("-r").arg(&tree).arg(&out)),
            ],
        );
        println!(
            "| {} | {} | {:.1} µs | {:.1} MiB | {} | {:.2} |",
            grouped(count),
            seconds(rewriting.median()),
            rewriting.median() / count as f64 * 1e6,
            rewriting.mebibytes(),
            seconds(copying.median()),
            rewriting.median() / copying.median()
        );
        times.push((count as f64, rewriting.median()));
        copies.push((count as f64, copying.median()));
        memory.push((count as f64, rewriting.mebibytes()));
    }
    remove(&tree);
    let x = || Axis {
        label: "files",
        tick: |value| grouped(value as u64),
    };
    save(
        "files-time",
        "Time by number of files",
        x(),
        TIME,
        vec![("abslink", times), ("cp -r", copies)],
    );
    save(
        "files-memory",
        "Memory by number of files",
        x(),
        MEMORY,
        vec![("abslink", memory)],
    );
}

/// Each engine on a file ten times as large each time.
pub(crate) fn size(setting: &Setting) {
    let room = setting.scratch.path();
    let file = room.join("document.html");
    println!("### Size of one file\n");
    println!(
        "| size | auto | memory | stream | `cp` | auto, MB/s | auto holds | memory holds | stream \
         holds |\n\
         |---|---|---|---|---|---|---|---|---|"
    );
    let mut times: [Vec<_>; 4] = Default::default();
    let mut memory: [Vec<_>; 3] = Default::default();
    for exponent in 3..=if setting.quick { 7 } else { 9 } {
        let bytes = 10_u64.pow(exponent);
        if free(room) < bytes * 5 {
            println!("\nNo room for a file of {}.", bytes_read(bytes as f64));
            break;
        }
        let references = generate::document(&file, bytes);
        let (out, first) = (room.join("out"), room.join("first"));
        let rewrite = |engine: &str, out: &Path| {
            let mut rewrite = abslink("rewrite");
            rewrite
                .args(["--engine", engine, "-o"])
                .arg(out)
                .arg("--root");
            rewrite.arg(room).arg(&file);
            rewrite
        };
        for engine in ENGINES {
            let to = if engine == "auto" { &first } else { &out };
            let done = summary(&mut rewrite(engine, to));
            assert_eq!(done["rewritten"], references, "{done}");
            assert_identical(&first, to);
            remove(&out);
        }
        remove(&first);
        let by = |engine: &'static str| run(rewrite(engine, &out).arg("-q"));
        let copy = || {
            fs::create_dir(&out).expect("room for a directory");
            run(Command::new("cp").arg(&file).arg(&out))
        };
        let taken = in_turn(
            setting.runs,
            &out,
            [&|| by("auto"), &|| by("memory"), &|| by("stream"), &copy],
        );
        let shown = taken.each_ref().map(|runs| seconds(runs.median()));
        let held = taken.each_ref().map(Runs::mebibytes);
        println!(
            "| {} | {} | {:.0} | {:.1} MiB | {:.1} MiB | {:.1} MiB |",
            bytes_read(bytes as f64),
            shown.join(" | "),
            bytes as f64 / taken[0].median() / 1e6,
            held[0],
            held[1],
            held[2]
        );
        for (curve, runs) in times.iter_mut().zip(&taken) {
            curve.push((bytes as f64, runs.median()));
        }
        for (curve, held) in memory.iter_mut().zip(held) {
            curve.push((bytes as f64, held));
        }
    }
    fs::remove_file(&file).expect("the document was made here");
    let x = || Axis {
        label: "size of the document",
        tick: bytes_read,
    };
    let names = ["auto", "memory", "stream", "cp"];
    let curves = names.into_iter().zip(times).collect();
    save(
        "size-time",
        "Time by size of one document",
        x(),
        TIME,
        curves,
    );
    let curves = names.into_iter().zip(memory).collect();
    save(
        "size-memory",
        "Memory by size of one document",
        x(),
        MEMORY,
        curves,
    );
}

/// A corpus with 1, 2, 4, ... threads, at most as many as there are cores.
pub(crate) fn jobs(setting: &Setting) {
    let course = Course::new(setting);
    println!("### Jobs\n\n{}\n", course.described(setting));
    println!("| `--jobs` | median | least | most | times as fast |\n|---|---|---|---|---|");
    let (out, first) = (course.room.join("out"), course.room.join("first"));
    let rewrite = |jobs: usize, out: &Path| {
        let mut rewrite = abslink("rewrite");
        rewrite.args(["-q", "--jobs", &jobs.to_string(), "-o"]);
        run(rewrite.arg(out).arg(&course.tree))
    };
    let numbers: Vec<usize> = std::iter::successors(Some(1), |jobs| Some(jobs * 2))
        .take_while(|jobs| *jobs <= cores().max(2))
        .collect();
    for &jobs in &numbers {
        let to = if jobs == 1 { &first } else { &out };
        rewrite(jobs, to);
        assert_identical(&first, to);
        remove(&out);
    }
    remove(&first);
    let mut taken: Vec<Runs> = numbers.iter().map(|_| Runs::default()).collect();
    for _ in 0..setting.runs {
        for (&jobs, runs) in numbers.iter().zip(&mut taken) {
            runs.push(rewrite(jobs, &out));
            remove(&out);
        }
    }
    remove(&course.tree);
    let (mut times, mut ideal) = (Vec::new(), Vec::new());
    for (&jobs, runs) in numbers.iter().zip(&taken) {
        let alone = taken[0].median();
        println!(
            "| {jobs} | {} | {} | {} | {:.2} |",
            seconds(runs.median()),
            seconds(runs.least()),
            seconds(runs.most()),
            alone / runs.median()
        );
        times.push((jobs as f64, runs.median()));
        ideal.push((jobs as f64, alone / jobs as f64));
    }
    let x = Axis {
        label: "jobs",
        tick: |value| value.to_string(),
    };
    let curves = vec![("abslink", times), ("ideal", ideal)];
    save("jobs-time", "Time by number of jobs", x, TIME, curves);
}

/// Runs all of these in turn, several times; removes `out` after each.
fn in_turn<const N: usize>(times: usize, out: &Path, all: [&dyn Fn() -> Run; N]) -> [Runs; N] {
    let mut taken = [(); N].map(|()| Runs::default());
    for _ in 0..times {
        for (one, runs) in all.iter().zip(&mut taken) {
            runs.push(one());
            remove(out);
        }
    }
    taken
}

const TIME: Axis<'static> = Axis {
    label: "time, median",
    tick: |value| match value {
        1.0.. => format!("{value} s"),
        0.001.. => format!("{} ms", (value * 1e3).round()),
        _ => format!("{} µs", (value * 1e6).round()),
    },
};

const MEMORY: Axis<'static> = Axis {
    label: "most memory resident",
    tick: |value| format!("{value} MiB"),
};

fn bytes_read(bytes: f64) -> String {
    match bytes {
        1e9.. => format!("{} GB", bytes / 1e9),
        1e6.. => format!("{} MB", bytes / 1e6),
        _ => format!("{} KB", bytes / 1e3),
    }
}

fn save(name: &str, title: &str, x: Axis<'_>, y: Axis<'_>, curves: Vec<(&str, Vec<(f64, f64)>)>) {
    let plot = Plot {
        title,
        x,
        y,
        curves,
    };
    println!();
    eprintln!("plotted: {}", plot.save(name).display());
}
