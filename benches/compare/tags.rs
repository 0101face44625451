//! What a run costs beside a program that only reads tags: user time, with one job and without writing.
//!
//! Unlike the time that passes, it says something on a machine with slow memory or a slow disk too.

use std::path::Path;
use std::process::Command;

use crate::Setting;
use crate::run::{Program, in_turn, run, seconds};
use crate::tree::BASE;

/// Where the pages of rust-doc are on the web, and where they are in Debian's package.
const OWN: (&str, &str) = ("https://doc.rust-lang.org/", "usr/share/doc/rust-doc/html");

/// All of them on the same pages, in turn.
pub(crate) fn compare(setting: &Setting) {
    let reader = setting.scratch.path().join("tags");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/compare/tags.c");
    run(Command::new("cc")
        .arg("-O2")
        .arg("-o")
        .arg(&reader)
        .arg(source));
    let own = setting.corpus.join(OWN.1);
    let has_own = own.is_dir();
    let rewrite = |base: &str, options: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_abslink"));
        command.args(["rewrite", "-n", "-q", "-j1", "-b", base]);
        let corpus = match base == OWN.0 && has_own {
            true => &own,
            false => &setting.corpus,
        };
        command.args(options).arg(corpus);
        command
    };
    let read = || {
        let mut command = Command::new(&reader);
        command.arg(&setting.corpus);
        command
    };
    let absolute = || rewrite(BASE, &[]);
    let whatwg = || rewrite(BASE, &["--resolver", "whatwg"]);
    let relative = || rewrite(BASE, &["--to", "relative"]);
    let own_relative = || rewrite(OWN.0, &["--to", "relative"]);
    let own_files = || rewrite(OWN.0, &["--to", "files"]);
    let verify = || rewrite(BASE, &["--verify"]);
    let all: [Program<'_>; 7] = [
        ("`tags.c`", &read, &[0]),
        ("absolute", &absolute, &[0]),
        ("`--resolver whatwg`", &whatwg, &[0]),
        ("`--to relative`", &relative, &[0]),
        ("`--to relative`, its own URL", &own_relative, &[0]),
        ("`--to files`, its own URL", &own_files, &[0]),
        ("`--verify`", &verify, &[0]),
    ];
    println!(
        "### Beside reading tags\n\n| | user time | of `tags.c` | of absolute |\n|---|---|---|---|"
    );
    let taken = in_turn(setting.runs, &all, &setting.scratch.path().join("out"));
    let [of_tags, of_absolute] = [0, 1].map(|at: usize| taken[at].user());
    for ((name, ..), runs) in all.iter().zip(&taken) {
        if runs.is_empty() || name.ends_with("own URL") && !has_own {
            continue;
        }
        let user = runs.user();
        let (tags, absolute) = (user / of_tags, user / of_absolute);
        println!("| {name} | {} | {tags:.2} | {absolute:.2} |", seconds(user));
    }
}
