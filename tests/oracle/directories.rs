//! Both opinions on every document of two directories, in parallel.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use url::Url;

use super::{bytes, trees};
use crate::support::links::{Link, links};

/// Documents in memory at a time.
const BATCH: usize = 64;
/// Complaints are many or none; this many are enough to see why.
const SHOWN: usize = 20;

/// Somewhere that no reference of a test leads to: what still leads there was left relative.
pub(crate) fn elsewhere() -> Url {
    Url::parse("https://elsewhere.invalid/not/here.html").unwrap()
}

/// What [`confirm`] has seen.
pub(crate) struct Confirmed {
    pub(crate) documents: usize,
    pub(crate) references: usize,
}

/// Confirms that each document below `output` is the one below `input` with absolute references:
/// the same tree, the same targets wherever the output lies, the same bytes elsewhere.
///
/// # Panics
/// With the first complaints, if there are any.
pub(crate) fn confirm(input: &Path, output: &Path, base_url: &str) -> Confirmed {
    let options = ["--base-url", base_url];
    let mut before = links(&options, input);
    let mut after = links(&options, output);
    let mut confirmed = Confirmed {
        documents: 0,
        references: 0,
    };
    let mut complaints = Vec::new();
    let mut seen = HashSet::new();
    loop {
        let batch: Vec<Both> = before
            .by_ref()
            .take(BATCH)
            .map(|(file, before)| {
                let path = file.strip_prefix(input).unwrap().to_owned();
                let (twin, after) = after.next().unwrap_or_default();
                assert_eq!(twin, output.join(&path), "links of another document follow");
                Both {
                    path,
                    before,
                    after,
                }
            })
            .collect();
        if batch.is_empty() {
            break;
        }
        confirmed.documents += batch.len();
        confirmed.references += batch.iter().map(|both| both.before.len()).sum::<usize>();
        complaints.par_extend(
            batch
                .par_iter()
                .flat_map_iter(|both| both.complaints(input, output, base_url)),
        );
        seen.extend(batch.into_iter().map(|both| both.path));
        assert!(
            complaints.len() < SHOWN,
            "{}",
            complaints[..SHOWN].join("\n")
        );
    }
    for path in documents(input).filter(|path| !seen.contains(path)) {
        if fs::read(input.join(&path)).unwrap() != fs::read(output.join(&path)).unwrap() {
            complaints.push(format!("{}: changed without a reference", path.display()));
        }
        confirmed.documents += 1;
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    confirmed
}

/// The documents below a directory, relative to it.
pub(crate) fn documents(directory: &Path) -> impl Iterator<Item = PathBuf> {
    walkdir::WalkDir::new(directory)
        .into_iter()
        .map(Result::unwrap)
        .filter(|entry| entry.file_type().is_file() && is_document(entry.path()))
        .map(move |entry| entry.path().strip_prefix(directory).unwrap().to_owned())
}

fn is_document(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    ["html", "htm", "xhtml", "xht", "shtml"]
        .iter()
        .any(|known| extension.eq_ignore_ascii_case(known))
}

/// One document before and after.
struct Both {
    path: PathBuf,
    before: Vec<Link>,
    after: Vec<Link>,
}

impl Both {
    fn complaints(&self, input: &Path, output: &Path, base_url: &str) -> Vec<String> {
        let [x, y] = [input, output].map(|directory| fs::read(directory.join(&self.path)).unwrap());
        let mut complaints: Vec<String> = bytes::outside(&x, &self.before, &y, &self.after)
            .err()
            .into_iter()
            .collect();
        // The parser of the oracle knows HTML only.
        if self.path.extension().is_none_or(|it| it != "xhtml") {
            complaints.extend(trees::differences(
                trees::Page {
                    bytes: &x,
                    url: &document_url(base_url, &self.path),
                    links: &self.before,
                    also: &[],
                },
                trees::Page {
                    bytes: &y,
                    url: &elsewhere(),
                    links: &self.after,
                    also: &[],
                },
            ));
        }
        for complaint in &mut complaints {
            complaint.insert_str(0, &format!("{}: ", self.path.display()));
        }
        complaints
    }
}

/// The URL of a document below `base_url`; `index.html` stands for its directory.
fn document_url(base_url: &str, path: &Path) -> Url {
    let mut url = Url::parse(base_url).unwrap();
    let names = path.iter().map(|name| name.to_str().unwrap());
    url.path_segments_mut()
        .unwrap()
        .pop_if_empty()
        .extend(names.map(|name| match name {
            "index.html" | "index.htm" => "",
            name => name,
        }));
    url
}
