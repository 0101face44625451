//! A corpus, rewritten by all programs in turn.

use std::fs;
use std::path::{Path, PathBuf};

use url::Url;

use crate::Setting;
use crate::answers::{self, Answers};
use crate::peers::{self, Answer, Contestant};
use crate::run::{Runs, abslink, assert_identical, grouped, remove, seconds, summary};

/// The tree's URL.
pub(crate) const BASE: &str = "http://docs.example.org/";

/// The documents whose answers are compared, at most; spread over the tree.
const SAMPLE: usize = 500;

/// The directory of a corpus: `site`, a package in target/corpus, or any other.
pub(crate) fn corpus(name: &str) -> Option<PathBuf> {
    let packages = corpora();
    let site = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/site/in");
    let places = [
        (name == "site").then_some(site),
        Some(packages.join(name)),
        Some(PathBuf::from(name)),
    ];
    places.into_iter().flatten().find(|place| place.is_dir())
}

/// Where testdata/fetch-corpora.sh puts them.
pub(crate) fn corpora() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("corpus")
}

/// A tree of documents only, so that all programs write equally much, and room beside it.
pub(crate) struct Course {
    pub(crate) room: PathBuf,
    pub(crate) tree: PathBuf,
    /// abslink's output.
    pub(crate) converted: PathBuf,
    /// Relative to the tree, in path order.
    pub(crate) documents: Vec<PathBuf>,
    pub(crate) bytes: u64,
}

impl Course {
    /// Copies a corpus.
    pub(crate) fn new(setting: &Setting) -> Course {
        let room = setting.scratch.path().to_owned();
        let tree = room.join("tree");
        let mut course = Course {
            converted: room.join("converted"),
            room,
            tree,
            documents: Vec::new(),
            bytes: 0,
        };
        let corpus = walkdir::WalkDir::new(&setting.corpus).sort_by_file_name();
        for entry in corpus {
            let entry = entry.expect("the corpus can be read");
            let name = entry.path().strip_prefix(&setting.corpus);
            let name = name.expect("below the corpus").to_owned();
            let extension = name.extension().unwrap_or_default();
            let is_document = ["html", "htm"]
                .iter()
                .any(|it| extension.eq_ignore_ascii_case(it));
            if entry.file_type().is_file() && is_document {
                let copy = course.tree.join(&name);
                fs::create_dir_all(copy.parent().expect("below the tree")).expect("room");
                course.bytes += fs::copy(entry.path(), copy).expect("room for a copy");
                course.documents.push(name);
            }
        }
        assert!(!course.documents.is_empty(), "the corpus has no documents");
        course
    }

    /// Where a program writes.
    pub(crate) fn out(&self, who: &str) -> PathBuf {
        self.room.join("out").join(who)
    }

    /// The URL of a document.
    pub(crate) fn url(&self, document: &Path) -> String {
        let mut url = Url::parse(BASE).expect("the base URL is one");
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty();
            path.extend(document.iter().map(|name| name.to_string_lossy()));
        }
        url.into()
    }

    /// The name of the corpus and how much it is.
    pub(crate) fn described(&self, setting: &Setting) -> String {
        let name = setting.corpus.file_name().unwrap_or_default();
        format!(
            "{}, {} documents, {:.1} MB",
            if name == "in" {
                "site".into()
            } else {
                name.to_string_lossy()
            },
            grouped(self.documents.len() as u64),
            self.bytes as f64 / 1e6
        )
    }
}

/// Runs all programs, checks the answers, and prints how long they took.
pub(crate) fn compare(setting: &Setting) {
    let course = Course::new(setting);
    println!("### Whole trees\n\n{}\n", course.described(setting));
    let (contestants, missing) = peers::gather(&course, &setting.only);
    for line in &missing {
        println!("Not here: {line}\n");
    }
    fs::create_dir_all(course.room.join("out")).expect("room for a directory");
    let mut rewrite = abslink("rewrite");
    let done = summary(
        rewrite
            .arg("--output")
            .arg(&course.converted)
            .arg(&course.tree),
    );
    assert_eq!(done["files"], course.documents.len(), "{done}");
    let again = summary(abslink("rewrite").arg("--in-place").arg(&course.converted));
    assert_eq!(again["files_changed"], 0, "{again}");
    let mut contestants = check(&course, contestants);

    let mut runs: Vec<Runs> = contestants.iter().map(|_| Runs::default()).collect();
    for round in 1..=setting.runs {
        for (contestant, runs) in contestants.iter_mut().zip(&mut runs) {
            eprintln!("round {round}: {}", contestant.name);
            let run = contestant.work();
            runs.push(run.expect("it succeeded before"));
            if let Some((out, _)) = &contestant.out {
                remove(out);
            }
        }
    }
    print(&course, &contestants, &runs);
    for directory in [&course.tree, &course.converted] {
        remove(directory);
    }
}

/// Runs all programs once, which also brings everything into memory, and compares the answers.
/// Those that fail take no further part.
fn check(course: &Course, mut contestants: Vec<Contestant>) -> Vec<Contestant> {
    let step = course.documents.len().div_ceil(SAMPLE);
    let sample: Vec<&PathBuf> = course.documents.iter().step_by(step).collect();
    println!(
        "The answers were compared first, on {} documents. Of the references that abslink made \
         absolute, each\nprogram gave so many the same URL, left so many relative (`wget -k` does \
         that where it has the file), or\ngave them another URL; and it changed so many bytes that \
         belong to no reference:\n",
        grouped(sample.len() as u64)
    );
    println!(
        "| | the same | left relative | another URL | other bytes changed |\n|---|---|---|---|---|"
    );
    let mut failures = Vec::new();
    contestants.retain_mut(|contestant| {
        eprintln!("checking: {}", contestant.name);
        if let Err(why) = contestant.work() {
            assert!(!contestant.required, "{why}");
            failures.push(why);
            return false;
        }
        if let Some((out, answer)) = &contestant.out {
            let answers = judge(course, &sample, out, *answer);
            println!(
                "| {} | {} | {} | {} | {} |",
                contestant.name,
                grouped(answers.same),
                grouped(answers.relative),
                grouped(answers.other),
                grouped(answers.bytes)
            );
            remove(out);
        }
        true
    });
    println!();
    for why in failures {
        println!("Failed: {why}\n");
    }
    contestants
}

/// Compares an output, and fails if it is not as expected.
fn judge(course: &Course, sample: &[&PathBuf], out: &Path, answer: Answer) -> Answers {
    match answer {
        Answer::Copy => assert_identical(&course.tree, out),
        Answer::Same => assert_identical(&course.converted, out),
        Answer::Own => {}
    }
    let answers = answers::compare(sample, [&course.tree, &course.converted, out]);
    if answer == Answer::Same {
        assert_eq!((answers.relative, answers.other, answers.bytes), (0, 0, 0));
    }
    answers
}

fn print(course: &Course, contestants: &[Contestant], runs: &[Runs]) {
    let copy = contestants
        .iter()
        .position(|contestant| contestant.name == "cp");
    println!("| | | median | least | most | of `cp -r` | MB/s |\n|---|---|---|---|---|---|---|");
    for (contestant, taken) in contestants.iter().zip(runs) {
        let ratio = copy.map_or("".into(), |copy| {
            format!("{:.2}", taken.median() / runs[copy].median())
        });
        println!(
            "| {} | {} | {} | {} | {} | {ratio} | {:.0} |",
            contestant.name,
            contestant.does,
            seconds(taken.median()),
            seconds(taken.least()),
            seconds(taken.most()),
            course.bytes as f64 / taken.median() / 1e6
        );
    }
    let mut versions: Vec<&str> = contestants.iter().map(|it| it.version.as_str()).collect();
    versions.dedup();
    println!("\nVersions:\n{}.\n", versions.join(",\n"));
}
