//! Runs that are killed: an archive is the old one or the new one, whole, or not there.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use super::{EPOCH, testdata};
use crate::support::links::abslink;

/// `ABSLINK_KILLS` times, or a few, at moments spread over the length of a run.
#[test]
#[ignore = "slow tier: faults"]
fn an_archive_killed_at_any_moment() {
    let kills = std::env::var("ABSLINK_KILLS").map_or(30, |kills| kills.parse::<u32>().unwrap());
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.warc.gz");
    let old = fs::read(testdata().join("heads.warc.gz"))
        .unwrap()
        .repeat(100);
    let run = |output: &[&str]| {
        let mut command = abslink();
        command
            .args(["rewrite", "-q", "--warc-as", "append"])
            .env(EPOCH.0, EPOCH.1);
        command
            .args(output)
            .arg("a.warc.gz")
            .current_dir(directory.path());
        command
    };
    let read = |path: &Path| fs::read(path).ok();
    for (output, written) in [
        (&["-i"][..], "a.warc.gz"),
        (&["-o", "out"], "out/a.warc.gz"),
    ] {
        fs::write(&path, &old).unwrap();
        let started = Instant::now();
        run(output).output().unwrap();
        let whole = started.elapsed();
        let written = directory.path().join(written);
        let new = read(&written).unwrap();
        assert!(new.len() > old.len());
        let before = (written == path).then(|| old.clone());
        let (mut early, mut late, mut during) = (0, 0, 0);
        for nth in 0..kills / 2 {
            fs::write(&path, &old).unwrap();
            if before.is_none() {
                fs::remove_file(&written).unwrap_or_default();
            }
            let mut child = run(output).spawn().unwrap();
            // Spread evenly whatever the number; the golden ratio never falls into step.
            let part = (f64::from(nth) * 0.618_034).fract() * 1.2;
            std::thread::sleep(whole.mul_f64(part).max(Duration::from_millis(1)));
            child.kill().unwrap();
            during += u32::from(child.wait().unwrap().code().is_none());
            match read(&written) {
                found if found == before => early += 1,
                found => {
                    assert!(
                        found.as_ref() == Some(&new),
                        "{output:?}: neither old nor new"
                    );
                    late += 1;
                }
            }
        }
        println!("{output:?}: {early} kills before the new archive was there, {late} after");
        // A kill before the run begins, or after its end, shows little.
        assert!(early > 0 && during * 4 > kills, "{during} during the run");
    }
}
