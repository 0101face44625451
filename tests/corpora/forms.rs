//! Real documentation in every form: absolute, relative, from the root, and back.

use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};

use abslink::{Settings, Site, To, rewrite_bytes};
use rayon::prelude::*;

use super::{BASE, fetched, of_path};
use crate::cli::crawl::{crawled, put_in_form};
use crate::oracle::directories;
use crate::support::server::Server;

#[test]
#[ignore = "slow tier: corpora"]
fn python_leads_back() {
    leads_back("python3.11-doc", 500);
}

#[test]
#[ignore = "slow tier: corpora"]
fn cppreference_leads_back() {
    leads_back("cppreference-doc-en-html", 4000);
}

#[test]
#[ignore = "slow tier: corpora"]
fn openjdk_leads_back() {
    leads_back("openjdk-17-doc", 10_000);
}

#[test]
#[ignore = "slow tier: corpora"]
fn rust_leads_back() {
    leads_back("rust-doc", 10_000);
}

/// Each way leads to the bytes of the first absolute form, and in each form a second run changes nothing.
fn leads_back(package: &str, documents: usize) {
    let Some(input) = fetched(package) else {
        return;
    };
    let (different, changed) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let paths: Vec<_> = directories::documents(&input).collect();
    assert!(paths.len() >= documents, "{}", paths.len());
    paths.par_iter().for_each(|path| {
        let (context, syntax) = of_path(path);
        let form = |document: &[u8], to: To| {
            let mut settings = Settings::default();
            settings.to = to;
            if to != To::Absolute {
                settings.site = Site::default().with(BASE).unwrap();
            }
            let new = rewrite_bytes(document, syntax, &context, &settings);
            new.document.into_owned()
        };
        let absolute = form(&fs::read(input.join(path)).unwrap(), To::Absolute);
        let relative = form(&absolute, To::Relative);
        let root = form(&relative, To::Root);
        changed.fetch_add(usize::from(relative != absolute), Ordering::Relaxed);
        for (again, expected, way) in [
            (form(&relative, To::Absolute), &absolute, "from relative"),
            (form(&root, To::Absolute), &absolute, "from the root"),
            (
                form(&root, To::Relative),
                &relative,
                "from the root to relative",
            ),
            (form(&relative, To::Relative), &relative, "relative again"),
            (form(&root, To::Root), &root, "root again"),
        ] {
            if again != *expected {
                let nth = different.fetch_add(1, Ordering::Relaxed);
                if nth < 20 {
                    eprintln!("{} {way}: other bytes", path.display());
                }
            }
        }
    });
    let (different, changed) = (different.into_inner(), changed.into_inner());
    assert_eq!(different, 0, "of {} documents", paths.len());
    assert!(changed > documents / 2, "{changed}");
    eprintln!(
        "{package}: {} documents lead back, {changed} of them changed",
        paths.len()
    );
}

/// A crawler asks for nothing that it did not ask for in vain before.
#[test]
#[ignore = "slow tier: corpora"]
fn a_crawler_finds_what_it_found_before() {
    let Some(package) = fetched("python3.11-doc") else {
        return;
    };
    let input = package.join("usr/share/doc/python3.11/html");
    let start = [String::new()];
    let before = crawled(&Server::of(&input), &start);
    for form in ["relative", "root", "files"] {
        let scratch = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let [absolute, output] = ["absolute", form].map(|name| scratch.path().join(name));
        let server = Server::of(&output);
        let base = format!("{}/", server.origin);
        for (to, from, output) in [("absolute", &input, &absolute), (form, &absolute, &output)] {
            put_in_form(to, &base, from, output);
        }
        let after = crawled(&server, &start);
        let new: Vec<_> = after.difference(&before).collect();
        assert!(new.is_empty(), "{form}: {new:?}");
    }
}
