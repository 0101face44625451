//! Settings as large as a file may be: time and memory are in proportion, and what all parts share is held once.

use super::*;
use crate::support::links::abslink;
use crate::support::{growth, peak};

/// So many parts of the tree beside ten times as many URLs of the site.
fn parts(count: usize) -> String {
    let sites: Vec<String> = (0..10 * count)
        .map(|site| format!("'http://s{site}.example/'"))
        .collect();
    let parts = (0..count)
        .map(|part| format!("[[files]]\ninclude = 'd{part}/**'\nbase-url = 'http://d{part}/'\n"));
    let parts: String = parts.collect();
    format!(
        "to = 'root'\nbase-url = 'http://h/'\nsite = [{}]\n{parts}",
        sites.join(",")
    )
}

/// So many URLs that move, none of which is another one's.
fn moves(count: usize) -> String {
    let moves: Vec<String> = (0..count)
        .map(|at| format!("'http://a{at}/x=http://b{at}/y'"))
        .collect();
    format!("base-url = 'http://h/'\nmove-url = [{}]\n", moves.join(","))
}

fn checked(sandbox: &Sandbox, settings: &str) -> u64 {
    sandbox.write("abslink.toml", settings);
    let mut run = abslink();
    run.args(["check", "-q", "-j1", "site"])
        .current_dir(sandbox.path());
    let (ended, peak) = peak::run(run.stdout(std::process::Stdio::null()));
    assert_eq!(ended.code(), Some(1));
    peak
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "slow tier: memory"]
fn memory_and_time_are_in_proportion() {
    let sandbox = Sandbox::new();
    for (make, most) in [(parts as fn(usize) -> String, 2_000), (moves, 25_000)] {
        let settings = make(most);
        assert!(settings.len() < 1 << 20);
        let peak = checked(&sandbox, &settings);
        assert!(peak < 200 << 20, "{} MiB", peak >> 20);
        growth::is_linear_in_children("settings", most, make, |settings| {
            sandbox.write("abslink.toml", settings);
            let mut run = abslink();
            run.args(["check", "-q", "-j1", "site"])
                .current_dir(sandbox.path());
            run.stdout(std::process::Stdio::null());
            run
        });
    }
}

#[test]
fn parts_have_a_limit() {
    let sandbox = Sandbox::new();
    let many = |count: usize, pattern: &str| {
        format!("[[files]]\ninclude = '{pattern}'\nas = 'css'\n").repeat(count)
    };
    for (settings, line) in [
        (many(4_097, "a"), 3 * 4_096 + 1),
        (many(3, &"a".repeat(30_000)), 7),
    ] {
        sandbox.write("abslink.toml", &settings);
        let ran = sandbox.run("check site");
        ran.exits(2);
        let error = format!("error: abslink.toml:{line}:1: too many [[files]]: at most 4096, ");
        ran.begins(&error);
    }
}
