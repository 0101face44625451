//! What was rewritten, on a plain server: a crawler finds no more links that lead nowhere than before.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

use url::Url;

use super::retrieval::makers::asked_for;
use crate::oracle::opened::files;
use crate::support::links::abslink;
use crate::support::sandbox::Ran;
use crate::support::server::Server;
use crate::support::skip;

/// The paths that `wget --spider -r` asks a server for, beginning with some, and does not find.
pub(crate) fn crawled(server: &Server, paths: &[String]) -> BTreeSet<String> {
    let urls = paths.iter().map(|path| format!("{}/{path}", server.origin));
    let scratch = tempfile::tempdir().unwrap();
    let run = Command::new("wget")
        .args(
            "-q --spider -r -l inf -e robots=off -t 5 --waitretry=1 --retry-connrefused".split(' '),
        )
        .args(urls)
        .current_dir(scratch.path())
        .env("HOME", scratch.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    match run {
        // It fails if links lead nowhere. In style attributes it knows no character references.
        Ok(_) => {
            let missing = server.missing().into_iter();
            missing.filter(|path| !path.contains("&quot;")).collect()
        }
        Err(error) => {
            skip::tool(format_args!("wget cannot be run ({error})"));
            BTreeSet::new()
        }
    }
}

/// The same from each page of a mirror, in which hosts lie beside each other.
pub(crate) fn missing_in(mirror: &Path) -> BTreeSet<String> {
    let root = Url::from_directory_path(mirror).unwrap();
    let pages = files(mirror)
        .into_iter()
        .filter(|file| asked_for(file).is_some());
    let paths = pages.map(|page| {
        let url = Url::from_file_path(page).unwrap();
        url.as_str()[root.as_str().len()..].to_owned()
    });
    crawled(&Server::of(mirror), &paths.collect::<Vec<_>>())
}

/// Writes a whole site in a form.
pub(crate) fn put_in_form(form: &str, base: &str, site: &Path, output: &Path) {
    let rewrite = format!("rewrite -q --copy-others --to {form} -b {base} -o");
    Ran::of(abslink().args(rewrite.split(' ')).args([output, site])).exits(0);
}

/// Each form of the site, where what it links to and does not have was missing before.
#[test]
#[ignore = "slow tier: another program"]
fn a_crawler_finds_what_it_found_before() {
    let site = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/site/in");
    let start = [String::new()];
    let before = crawled(&Server::of(&site), &start);
    let folder = tempfile::tempdir().unwrap();
    for form in ["absolute", "relative", "root", "files"] {
        let output = folder.path().join(form);
        // The base URL is known before there is anything to serve.
        let server = Server::of(&output);
        let base = format!("{}/", server.origin);
        put_in_form(form, &base, &site, &output);
        let after = crawled(&server, &start);
        let new: Vec<_> = after.difference(&before).collect();
        assert!(new.is_empty(), "{form}: {new:?}");
    }
    assert!(before.len() > 10, "{before:?}");
}
