//! The second reader of `rewrite --verify`: what it agrees with, and what it does not.

mod commands;

use std::collections::BTreeMap;

use abslink::{
    Context, Disagreement, Group, Groups, Resolver, Settings, Syntax, Verify, rewrite_bytes,
};

use crate::generate;

/// Rewrites a document; the answer is what the second reader says of it.
fn verified(document: &[u8], syntax: Syntax, settings: &Settings) -> Option<Disagreement> {
    let context = Context::retrieved_from("https://h/d/x.html").unwrap();
    rewrite_bytes(document, syntax, &context, settings)
        .examined
        .disagreement
}

fn settings(resolver: Resolver, groups: Groups) -> Settings {
    let mut settings = Settings::default();
    settings.resolver = resolver;
    settings.groups = groups;
    settings.verify = Verify::On;
    settings
}

/// What lol_html takes for something else than a browser does, by the tags that a document then
/// has.
const NAMED: [(&str, &[&str]); 6] = [
    // It takes the start tags of raw text for what they are outside of it.
    ("frameset", &["<frameset"]),
    // It loses count of foreign elements that another end tag closes, or several at once.
    ("svg and math", &["<svg"]),
    ("svg and math", &["<math"]),
    // A template that begins with a col has no script.
    ("col in a template", &["<template", "<col"]),
    // It builds no tree: a base may be moved out of a table, or dropped.
    ("base in a table", &["<base", "<table"]),
    ("base in a select", &["<base", "<select"]),
];

#[test]
fn generated_documents() {
    let every = Group::ALL.into_iter().fold(Groups::default(), Groups::with);
    let (mut count, mut found) = (0, BTreeMap::<&str, usize>::new());
    generate::documents(2_000, |document| {
        for (resolver, groups) in [
            (Resolver::Rfc1808, Groups::default()),
            (Resolver::Rfc3986, every),
            (Resolver::Whatwg, every),
        ] {
            count += 1;
            let settings = settings(resolver, groups);
            let Some(disagreement) = verified(document.as_bytes(), Syntax::Html, &settings) else {
                continue;
            };
            let lower = document.to_ascii_lowercase();
            let has = |tags: &[&str]| tags.iter().all(|tag| lower.contains(tag));
            let Some((name, _)) = NAMED.iter().find(|(_, tags)| has(tags)) else {
                return Err(format!("{resolver:?}: {disagreement:?}"));
            };
            *found.entry(name).or_default() += 1;
        }
        Ok(())
    });
    println!("{count} documents; the second reader does not agree on {found:?}");
    let all: usize = found.values().sum();
    assert!(count < 1_000 || all * 100 < count, "{all}");
}

#[test]
fn generated_xhtml() {
    generate::xhtml::documents(1_000, |document| {
        for resolver in Resolver::ALL {
            let settings = settings(resolver, Groups::default());
            if let Some(found) = verified(document.as_bytes(), Syntax::Xml, &settings) {
                return Err(format!("{resolver:?}: {found:?}"));
            }
        }
        Ok(())
    });
}
