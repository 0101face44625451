//! Archives that end early, and archives with bytes that are not what they were: no panic, and no
//! record is lost that the damage is not in.

use std::fs;
use std::path::Path;
use std::sync::Mutex;

use abslink::batch::{self, FileError, Input, Observer, Output, Plan, Problem, Task};

use super::reader::{self, Record};
use super::{rewritten, testdata};
use crate::support::generate::Random;
use crate::support::rounds;
use crate::support::sandbox::Sandbox;

const CUTS: usize = 500;
const FLIPS: usize = 2000;

/// An archive, and the conversion of each of its members that has one.
struct Sample {
    bytes: Vec<u8>,
    /// Where each member ends, and the conversion of its record.
    members: Vec<(usize, Option<Record>)>,
}

fn sample(name: &str) -> Sample {
    let bytes = fs::read(testdata().join(name)).unwrap();
    let conversions = reader::records(&rewritten(name, "--warc-as conversions"));
    let mut end = 0;
    let members = reader::members(&bytes).into_iter().map(|member| {
        end += member.len();
        let record = &reader::records(&member)[0];
        let id = record.get("WARC-Record-ID");
        let conversion = conversions
            .iter()
            .find(|made| made.get("WARC-Refers-To") == id);
        (end, conversion.cloned())
    });
    let members = members.collect();
    Sample { bytes, members }
}

/// Collects what went wrong.
#[derive(Default)]
struct Problems(Mutex<Vec<String>>);

impl Observer for Problems {
    fn problem(&self, problem: &Problem) {
        if let FileError::Panicked(message) = &problem.error {
            panic!("{}: {message}", problem.path.display());
        }
        let path = problem.path.display().to_string();
        self.0.lock().unwrap().push(path);
    }
}

/// The conversions of what is at a path, and how many lines say what went wrong.
fn conversions(path: &Path) -> (Vec<Record>, usize) {
    let mut plan = Plan::new(
        vec![Input::File(path.into())],
        Task::Rewrite(Output::Stdout),
    );
    plan.archives.date = Some(super::DATE.parse().unwrap());
    plan.archives.form = batch::ArchiveForm::Conversions;
    plan.jobs = 1;
    let problems = Problems::default();
    let mut out = Vec::new();
    let report = batch::run(&plan, &problems, &mut out).unwrap();
    let problems = problems.0.into_inner().unwrap();
    assert_eq!(report.files_failed, problems.len() as u64);
    (reader::records(&out), problems.len())
}

const SAMPLES: [&str; 4] = [
    "heads.warc.gz",
    "frames.warc.zst",
    "plain.warc",
    "kinds.warc.gz",
];

#[test]
fn an_archive_that_ends_anywhere() {
    let directory = tempfile::tempdir().unwrap();
    let mut random = Random(1808);
    for name in SAMPLES {
        let sample = sample(name);
        let path = directory.path().join(name);
        for _ in 0..CUTS / SAMPLES.len() {
            let cut = random.below(sample.bytes.len());
            fs::write(&path, &sample.bytes[..cut]).unwrap();
            let (found, problems) = conversions(&path);
            let whole = sample.members.iter().filter(|(end, _)| *end <= cut);
            let expected: Vec<_> = whole.filter_map(|(_, made)| made.clone()).collect();
            assert_eq!(
                found.get(1..).unwrap_or_default(),
                expected,
                "{name} cut at {cut}"
            );
            let is_between = cut == 0 || sample.members.iter().any(|(end, _)| *end == cut);
            assert_eq!(problems == 0, is_between, "{name} cut at {cut}");
        }
    }
}

#[test]
fn a_byte_that_is_another_one() {
    let directory = tempfile::tempdir().unwrap();
    let mut random = Random(1808);
    for name in SAMPLES {
        let sample = sample(name);
        let path = directory.path().join(name);
        for _ in 0..rounds(FLIPS) / SAMPLES.len() {
            let at = random.below(sample.bytes.len());
            let mut bytes = sample.bytes.clone();
            bytes[at] ^= 1 << random.below(8);
            fs::write(&path, &bytes).unwrap();
            let (found, _) = conversions(&path);
            let mut start = 0;
            for (end, made) in &sample.members {
                let is_hit = (start..*end).contains(&at);
                if let Some(made) = made.as_ref().filter(|_| !is_hit) {
                    assert!(found.contains(made), "{name} at {at}: {}", made.head);
                }
                start = *end;
            }
        }
    }
}

/// Members without anything in them are no records, and no damage. What only looks like the beginning of a
/// member is tried in a time that does not grow with what follows: this one would take hours.
#[test]
fn members_that_hold_nothing() {
    let sandbox = Sandbox::of(&[]);
    let whole = fs::read(testdata().join("heads.warc.gz")).unwrap();
    let empty = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let empty = empty.finish().unwrap().repeat(20_000);
    // Behind each, a name begins that does not end.
    let names = b"\x1f\x8b\x08\x08AAAA\x02\x03".repeat(400_000);
    let check = |archive: &[u8]| {
        sandbox.write("a.warc.gz", archive);
        let ran = sandbox.run("check a.warc.gz");
        (ran.stdout.lines().count(), ran.stderr)
    };
    let (once, _) = check(&whole);
    assert!(once > 10, "{once}");
    for (between, errors) in [(empty, 0), (names, 1)] {
        let (twice, said) = check(&[&whole[..], &between, &whole].concat());
        assert_eq!(said.matches("error:").count(), errors, "{said}");
        assert_eq!(twice, 2 * once);
    }
}
