//! Mirrors that are made to be opened from a disk (`--to files`): every link inside leads to the file that the
//! server's page leads to.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use url::Url;

use super::httrack::httrack;
use super::{asked_for, comment_of, meaning, page_of, serve, wget};
use crate::cli::crawl::missing_in;
use crate::cli::retrieval::server::GONE;
use crate::oracle::opened::{files, leads, leads_of};
use crate::support::links::abslink;
use crate::support::sandbox::Ran;

/// Runs `rewrite -i --to files` on a mirror.
fn rewrite(directory: &Path, options: &[&str]) {
    let mut rewrite = abslink();
    rewrite.args(["rewrite", "-i", "--to=files", "--detect=html", "--verify"]);
    Ran::of(rewrite.args(options).arg(directory)).exits(0);
}

/// A place whose URL is for others, so that it stays in full.
fn names_document(place: &str) -> bool {
    place.ends_with(" cite") || place.ends_with(" itemid")
}

/// A URL as it is compared, without its fragment.
fn page(url: &Url) -> String {
    let mut url = url.clone();
    url.set_fragment(None);
    meaning(url.as_str())
}

/// Where a server has what a file of the mirror is a copy of.
fn path_of(url: &Url) -> &str {
    let origin = url.origin().ascii_serialization().len();
    &url.as_str()[origin..]
}

/// Compares each link of a mirror with that of the page on the server; gives their number, and the number of
/// those that lead to files.
fn confirm(directory: &Path) -> (usize, usize) {
    let pages = files(directory);
    let pages = pages
        .iter()
        .filter_map(|file| Some((file, asked_for(file)?)));
    let pages: BTreeMap<&PathBuf, String> = pages.collect();
    let there: BTreeSet<String> = pages.values().map(|url| meaning(url)).collect();
    let (mut all, mut to_files, mut wrong) = (0, 0, Vec::new());
    for (file, url) in &pages {
        let url = Url::parse(url).unwrap();
        let mut on_server = leads(&page_of(path_of(&url)).unwrap(), &url);
        let mut here = leads_of(file);
        for leads in [&mut on_server, &mut here] {
            leads.retain(|lead| !lead.is_of_template());
        }
        assert_eq!(here.len(), on_server.len(), "{file:?}");
        for (lead, meant) in here.iter().zip(&on_server) {
            all += 1;
            let meant_url = meant.target.as_ref().unwrap();
            let is_right = match lead.file() {
                Some(target) => {
                    to_files += 1;
                    is_copy(&target, meant_url)
                        && lead.target.as_ref().unwrap().fragment() == meant_url.fragment()
                }
                // It is not in the mirror.
                None => {
                    let target = lead.target.as_ref().unwrap();
                    let is_there = there.contains(&page(target)) && !names_document(&lead.place);
                    !is_there && meaning(target.as_str()) == meaning(meant_url.as_str())
                }
            };
            if !is_right {
                wrong.push(format!("{file:?} {lead:?}\n  {}", meant_url));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    (all, to_files)
}

/// Whether a file is what the server answers at a URL: HTTrack keeps what it says of pages that are not there.
fn is_copy(file: &Path, url: &Url) -> bool {
    match asked_for(file).or_else(|| comment_of(file, GONE)) {
        Some(asked) => meaning(&asked) == page(url),
        // They were rewritten too.
        None if is_formed(file) => {
            let name = file.file_name().unwrap().to_str().unwrap();
            path_of(url).ends_with(name) || url.path().ends_with(name)
        }
        None => fs::read(file).is_ok_and(|copy| page_of(path_of(url)).as_ref() == Some(&copy)),
    }
}

/// Whether a file that is no page gets another form too.
fn is_formed(file: &Path) -> bool {
    let name = file.file_name().unwrap().to_string_lossy();
    name.contains(".css") || name.contains(".svg")
}

/// What `wget -r` made without `-k` leads from file to file, as `-k` should have made it: it does where that
/// is right, and where it is not.
#[test]
#[ignore = "slow tier: another program"]
fn a_mirror_by_wget_becomes_what_it_should_have_been() {
    let (server, other) = (serve(), serve().replace("127.0.0.1", "localhost"));
    let made = |options: &[&str]| wget::mirror(&server, &other, options);
    let (Some(plain), Some(converted)) = (made(&[]), made(&["-k"])) else {
        return;
    };
    let before = missing_in(plain.path());
    rewrite(plain.path(), &["--layout", "wget", "--scheme", "http"]);
    let (all, to_files) = confirm(plain.path());
    assert!(all >= 250 && to_files >= 100, "{all} {to_files}");
    let after = missing_in(plain.path());
    assert!(after.is_subset(&before), "{after:?} {before:?}");

    // Without -E, wget -k writes `?` where a file's name has it, which opens another file or none.
    let mut equal = 0;
    let mut otherwise = Vec::new();
    for file in files(plain.path()) {
        let below = file.strip_prefix(plain.path()).unwrap();
        let twin = converted.path().join(below);
        if asked_for(&file).is_none() {
            continue;
        }
        let leads = |file: &Path| {
            let all = leads_of(file).into_iter();
            all.filter(|lead| !lead.is_of_template())
                .collect::<Vec<_>>()
        };
        let (ours, its) = (leads(&file), leads(&twin));
        if ours.len() != its.len() {
            continue;
        }
        for (ours, its) in ours.iter().zip(&its) {
            let Some(target) = its.file().filter(|target| target.is_file()) else {
                continue;
            };
            let has_query = its.target.as_ref().unwrap().query().is_some();
            if has_query || names_document(&its.place) {
                continue;
            }
            let expected = target.strip_prefix(converted.path()).unwrap();
            match ours.file() {
                Some(target) if target == plain.path().join(expected) => equal += 1,
                _ => otherwise.push(format!("{below:?} {ours:?} {its:?}")),
            }
        }
    }
    assert!(otherwise.is_empty(), "{}", otherwise.join("\n"));
    assert!(equal > 80, "{equal}");
}

/// Only the map of HTTrack knows which URL a file with a query is from.
#[test]
#[ignore = "slow tier: another program"]
fn a_mirror_by_httrack_leads_from_file_to_file() {
    // With its links as they were on the server.
    let Some(kept) = httrack(&["-K4"]) else {
        return;
    };
    let map = kept.path().join("mirror/hts-cache/new.txt");
    let hosts = fs::read_dir(kept.path().join("mirror")).unwrap();
    let hosts = hosts.map(|host| host.unwrap().path());
    let before = missing_in(&kept.path().join("mirror"));
    rewrite(
        &kept.path().join("mirror"),
        &["--url-map", map.to_str().unwrap()],
    );
    let (all, to_files) = confirm(&kept.path().join("mirror"));
    assert!(all >= 60 && to_files >= 30, "{all} {to_files}");
    let after = missing_in(&kept.path().join("mirror"));
    assert!(after.is_subset(&before), "{after:?} {before:?}");
    assert!(hosts.count() > 1);

    // With those that it made itself: they stay what they are, or become it.
    let Some(converted) = httrack(&[]) else {
        return;
    };
    let mirror = converted.path().join("mirror");
    let map = mirror.join("hts-cache/new.txt");
    rewrite(&mirror, &["--url-map", map.to_str().unwrap()]);
    let mut to_files = 0;
    for file in files(&mirror)
        .iter()
        .filter(|file| asked_for(file).is_some())
    {
        for lead in leads_of(file).iter().filter(|lead| !lead.is_of_template()) {
            let Some(target) = lead.file() else { continue };
            assert!(target.is_file(), "{file:?} {lead:?}");
            to_files += 1;
        }
    }
    assert!(to_files > 80, "{to_files}");
}
