//! The forms that are not absolute (`--to`), and what is moved (`--move-url`).

use std::fs;

use abslink::{
    Context, Group, Groups, MappedPrefix, Resolver, Settings, Site, Syntax, To, Verify,
    rewrite_bytes,
};
use url::Url;

use crate::oracle::trees;
use crate::support::generate;
use crate::support::links::links;
use crate::support::same;
use crate::support::table::rows;

const OWN: &str = "https://e.org/docs/a/b.html";

fn settings(to: To) -> Settings {
    let mut settings = Settings::default();
    settings.to = to;
    settings.verify = abslink_verify::second_reader();
    settings.groups = [Group::Meta, Group::Json]
        .into_iter()
        .fold(Groups::default(), Groups::with);
    let site = Site::default().with("https://e.org/docs/").unwrap();
    settings.site = site.with("http://www.e.org/docs").unwrap();
    settings
}

fn rewritten(document: &str, settings: &Settings) -> String {
    let context = Context::retrieved_from(OWN).unwrap();
    let new = rewrite_bytes(document.as_bytes(), Syntax::Html, &context, settings);
    assert_eq!(new.examined.disagreement, None, "{document}");
    String::from_utf8(new.document.into_owned()).unwrap()
}

/// The second reader finds a reference that leads elsewhere.
#[test]
fn a_wrong_reference_is_not_written() {
    let page = "<a href=https://e.org/docs/x><a href=http://www.e.org/docs/a/y#f>";
    let context = Context::retrieved_from(OWN).unwrap();
    for (to, from, wrong) in [
        (To::Relative, "../x", "../../x"),
        (To::Relative, "y#f", "./y?#f"),
        (To::Root, "/docs/x", "/docs/X"),
        (To::Root, "/docs/a/y", "//docs/a/y"),
        (To::Root, "/docs/a/y", "https://e.org/docs/y"),
    ] {
        let mut settings = settings(to);
        let (from, to) = (from.to_owned(), wrong.to_owned());
        settings.verify = abslink_verify::planted(&from, &to);
        let new = rewrite_bytes(page.as_bytes(), Syntax::Html, &context, &settings);
        let found = new
            .examined
            .disagreement
            .unwrap_or_else(|| panic!("{wrong}"));
        assert!(found.what.contains("was written"), "{found}");
    }
    // What is absolute may stay so.
    let mut settings = settings(To::Relative);
    let (from, to) = ("../x".to_owned(), "https://E.org:443/docs/x".to_owned());
    settings.verify = abslink_verify::planted(&from, &to);
    let new = rewrite_bytes(page.as_bytes(), Syntax::Html, &context, &settings);
    assert_eq!(new.examined.disagreement, None);
}

/// Each row, by each resolver; and what a row becomes stays, and comes back from the absolute form.
#[test]
fn each_row_gets_its_form() {
    let table = include_str!("../../testdata/html/forms.tsv");
    let mut wrong = Vec::new();
    for row in rows(table) {
        let [document, relative, root] = row;
        for (to, expected) in [(To::Relative, relative), (To::Root, root)] {
            let expected = if expected == "=" { document } else { expected };
            for resolver in Resolver::ALL {
                let mut settings = settings(to);
                settings.resolver = resolver;
                let mut absolute = settings.clone();
                absolute.to = To::Absolute;
                let back = rewritten(expected, &absolute);
                // The URL Standard spells what others take as it is.
                let (itself, back) = match resolver {
                    Resolver::Whatwg => (document, document),
                    _ => (expected, &*back),
                };
                for (from, what) in [(document, "it"), (itself, "itself"), (back, "back")] {
                    let new = rewritten(from, &settings);
                    if new != expected {
                        wrong.push(format!(
                            "{resolver} {}: {from} ({what})\n  {new}",
                            to.name()
                        ));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_becomes_of_each_is_counted() {
    let page = b"<a href=https://e.org/docs/x><a href=y><a href=../../blog/><a href=http://o/>\
                 <a href=https://e.org/docs/%2e/x><a href=mailto:x@y>";
    let context = Context::retrieved_from(OWN).unwrap();
    let tally = rewrite_bytes(page, Syntax::Html, &context, &settings(To::Relative))
        .examined
        .tally;
    assert_eq!((tally.made_relative, tally.kept, tally.outside), (1, 1, 2));
    assert_eq!(
        (tally.rewritten, tally.absolute, tally.references),
        (2, 3, 6)
    );
}

/// Without a site, it is the server; without a base URL nothing changes.
#[test]
fn the_server_is_the_site_by_default() {
    let mut settings = Settings::default();
    settings.to = To::Relative;
    assert_eq!(
        rewritten("<a href=https://e.org/blog/><a href=https://o/>", &settings),
        "<a href=../../blog/><a href=https://o/>"
    );
    let page = b"<a href=https://e.org/blog/><a href=x>";
    let new = rewrite_bytes(page, Syntax::Html, &Context::default(), &settings);
    assert!(!new.is_changed());
    assert_eq!(new.examined.tally.unresolved, 1);
}

fn moved(document: &str, to: To, moves: &[&str]) -> String {
    let mut settings = Settings::default();
    settings.to = to;
    settings.verify = abslink_verify::second_reader();
    for it in moves {
        let it: MappedPrefix = it.parse().unwrap();
        settings.moves = settings.moves.with(it).unwrap();
    }
    let once = rewritten(document, &settings);
    assert_eq!(rewritten(&once, &settings), once, "a second run");
    once
}

#[test]
fn targets_are_moved() {
    let page = "<base href=/docs/z/><a href=x><a href=https://E.org/docs/y#f><a href=https://e.org/docsy>\
                <a href=https://new.org/d/z><style>a{b:url(/docs/c)}</style>";
    let moves = [
        "https://e.org/docs=https://new.org/d",
        "https://e.org/docs/old=https://old.org/",
    ];
    same(
        "moved, and absolute",
        moved(page, To::Absolute, &moves),
        "<base href=https://new.org/d/z/><a href=https://new.org/d/z/x><a href=https://new.org/d/y#f>\
         <a href=https://e.org/docsy><a href=https://new.org/d/z>\
         <style>a{b:url(https://new.org/d/c)}</style>",
    );
    // The document moves with them.
    same(
        "moved, and relative",
        moved(
            "<a href=x><a href=https://e.org/docs/y><a href=https://new.org/d/q>",
            To::Relative,
            &moves,
        ),
        "<a href=x><a href=../y><a href=../q>",
    );
    // The longest counts, and what has been moved stays.
    same(
        "the longest prefix counts",
        moved(
            "<a href=/docs/old/x><a href=https://e.org/docs/new/y>",
            To::Absolute,
            &[
                "https://e.org/docs=https://e.org/docs/new",
                "https://e.org/docs/old=https://o/",
            ],
        ),
        "<a href=https://o/x><a href=https://e.org/docs/new/y>",
    );
}

/// Every document of testdata/html, and generated ones.
fn documents() -> impl Iterator<Item = (String, Syntax, Vec<u8>)> {
    let folders = fs::read_dir("testdata/html")
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let kept = folders.filter_map(|path| {
        let bytes = fs::read(path.join("in.html")).ok()?;
        Some((path.display().to_string(), bytes))
    });
    let generated = (0..200).map(|seed| (format!("seed {seed}"), generate::document(seed).into()));
    kept.chain(generated).flat_map(|(name, bytes)| {
        [Syntax::Html, Syntax::Xml].map(|syntax| (name.clone(), syntax, bytes.clone()))
    })
}

/// Absolute, relative, from the root, and back: each way leads to the bytes of the first absolute form,
/// and in each form a second run changes nothing.
#[test]
fn forms_lead_back_to_the_same_bytes() {
    let context = Context::retrieved_from(OWN).unwrap();
    let (mut changed, mut hard) = (0, 0);
    for (name, syntax, page) in documents() {
        let form = |document: &[u8], to: To| {
            let mut settings = Settings::default();
            settings.to = to;
            settings.verify = abslink_verify::second_reader();
            let verified = rewrite_bytes(document, syntax, &context, &settings).examined;
            settings.verify = Verify::default();
            let new = rewrite_bytes(document, syntax, &context, &settings);
            (new.document.into_owned(), verified.disagreement.is_none())
        };
        // The second reader may not agree on a hard document, whichever its form.
        let (absolute, agrees) = form(&page, To::Absolute);
        if !agrees {
            hard += 1;
            continue;
        }
        let form = |document: &[u8], to: To| {
            let (new, agrees) = form(document, to);
            assert!(agrees, "{name} {syntax:?} {}", to.name());
            new
        };
        let relative = form(&absolute, To::Relative);
        let root = form(&relative, To::Root);
        changed += usize::from(relative != absolute);
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
            assert!(
                again == *expected,
                "{name} {syntax:?} {way}:\n{}\n---\n{}",
                String::from_utf8_lossy(&again),
                String::from_utf8_lossy(expected)
            );
        }
    }
    assert!(changed > 150, "{changed}");
    assert!(hard < 5, "{hard}");
}

/// Bytes alone tell what becomes of most references: it is what all the rules find.
#[test]
fn the_short_way_finds_what_the_long_way_does() {
    let context = Context::retrieved_from(OWN).unwrap();
    let sites = [
        &[][..],
        &["https://e.org/docs/"],
        &["https://e.org/docs/a/", "http://o/"],
    ];
    let forms = [
        (To::Relative, false),
        (To::Relative, true),
        (To::Root, false),
        (To::Absolute, true),
    ];
    let pairs = forms
        .into_iter()
        .flat_map(|form| sites.map(|site| (form, site)));
    let pairs: Vec<_> = pairs.collect();
    let mut short = 0;
    for (name, syntax, page) in documents() {
        for &((to, remove_base), site) in &pairs {
            let mut settings = Settings::default();
            (settings.to, settings.remove_base) = (to, remove_base);
            settings.site = (site.iter()).fold(Site::default(), |all, url| all.with(url).unwrap());
            // With a pattern, the rules are asked about each.
            let mut long = settings.clone();
            long.exclude = Some("^no such URL$".parse().unwrap());
            let mut absolute = settings.clone();
            (absolute.to, absolute.remove_base) = (To::Absolute, false);
            let absolute = rewrite_bytes(&page, syntax, &context, &absolute).document;
            for page in [&page[..], &absolute] {
                let found = |settings: &Settings| {
                    let mut found = Vec::new();
                    let mut each = |it: &abslink::Reference<'_>| {
                        found.push((it.span.clone(), it.outcome, it.to.map(str::to_owned)));
                    };
                    abslink::examine(page, syntax, &context, settings, &mut each);
                    let new = rewrite_bytes(page, syntax, &context, settings);
                    (new.document.into_owned(), new.examined.tally, found)
                };
                let (one, other) = (found(&settings), found(&long));
                assert!(
                    one == other,
                    "{name} {syntax:?} {} {remove_base} {site:?}: {:#?} {:#?}",
                    to.name(),
                    one.1,
                    other.1
                );
                short += one.2.len();
            }
        }
    }
    assert!(short > 1_000, "{short}");
}

/// html5ever sees the same tree, and every place leads where it led.
#[test]
#[ignore = "slow tier: a browser"]
fn a_browser_finds_the_same_targets_in_every_form() {
    let (own, context) = (
        Url::parse(OWN).unwrap(),
        Context::retrieved_from(OWN).unwrap(),
    );
    for (name, syntax, page) in documents() {
        if syntax != Syntax::Html {
            continue;
        }
        for to in [To::Relative, To::Root] {
            let mut settings = Settings::default();
            settings.to = to;
            let new = rewrite_bytes(&page, syntax, &context, &settings).document;
            let scratch = tempfile::tempdir().unwrap();
            let links_of = |bytes: &[u8]| {
                let path = scratch.path().join("x.html");
                fs::write(&path, bytes).unwrap();
                links(&["-b", OWN], &path)
                    .next()
                    .map_or_else(Vec::new, |(_, links)| links)
            };
            let differences = trees::differences(
                trees::Page {
                    bytes: &page,
                    url: &own,
                    links: &links_of(&page),
                    also: &[],
                },
                trees::Page {
                    bytes: &new,
                    url: &own,
                    links: &links_of(&new),
                    also: &[],
                },
            );
            assert!(
                differences.is_empty(),
                "{name} {}: {differences:#?}",
                to.name()
            );
        }
    }
}
