//! Runs that are killed: an archive is the old one or the new one, whole, or not there.

use std::fs;
use std::path::Path;

use super::{EPOCH, testdata};
use crate::support::kills::{self, Length};
use crate::support::links::abslink;

#[test]
#[ignore = "slow tier: faults"]
fn an_archive_killed_at_any_moment() {
    let wanted = kills::how_many(30) / 2;
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
        let mut length = Length::of(run(output));
        let written = directory.path().join(written);
        let new = read(&written).unwrap();
        assert!(new.len() > old.len());
        let before = (written == path).then(|| old.clone());
        let (mut early, mut late, mut during) = (0, 0, 0);
        // A kill before the run begins, or after its end, shows little.
        for nth in 0..wanted * kills::TRIALS {
            if nth >= wanted && early > 0 && during * 2 > wanted {
                break;
            }
            fs::write(&path, &old).unwrap();
            if before.is_none() {
                fs::remove_file(&written).unwrap_or_default();
            }
            during += u32::from(length.kill(run(output), nth));
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
        assert!(early > 0 && during * 2 > wanted, "{during} during the run");
    }
}
