//! Every place that carries URLs, row by row, for the three resolvers.

use std::collections::HashSet;

use abslink::{Context, Group, Groups, Resolver, Settings, Syntax, rewrite_bytes};

use crate::support::table;

const TABLE: &str = include_str!("../../testdata/html/places.tsv");

struct Row<'t> {
    namespace: &'t str,
    element: &'t str,
    attribute: &'t str,
    value: String,
    expected: String,
    others: &'t str,
}

fn rows() -> impl Iterator<Item = Row<'static>> {
    table::rows(TABLE).map(|row| {
        let [namespace, element, attribute, value, expected, others] = row;
        Row {
            namespace,
            element,
            attribute,
            value: value.replace("\\t", "\t"),
            expected: expected.replace("\\t", "\t"),
            others,
        }
    })
}

/// A document with the value in its place.
fn document(row: &Row<'_>, value: &str) -> String {
    let Row {
        namespace,
        element,
        attribute,
        others,
        ..
    } = row;
    let tag = format!("<{element} {others} {attribute}=\"{value}\">");
    match (*namespace, *element) {
        ("html", _) | (_, "svg" | "math") => format!("<!doctype html>{tag}"),
        (root, _) => format!("<!doctype html><{root}>{tag}"),
    }
}

fn context() -> Context {
    Context::retrieved_from("https://h.example/d/p.html").unwrap()
}

#[test]
fn what_rel_says_is_read_as_the_syntax_has_it() {
    let input = "<html xmlns=\"http://www.w3.org/1999/xhtml\"><head>\
        <link rel=\"canonical\" href=\"x\"/><link REL=\"canonical\" href=\"y\"/></head></html>";
    let mut settings = Settings::default();
    settings.groups = Groups::NONE.with(Group::Canonical);
    let rewritten = |syntax| {
        let rewritten = rewrite_bytes(input.as_bytes(), syntax, &context(), &settings);
        String::from_utf8(rewritten.document.into_owned()).unwrap()
    };
    let x = input.replace("\"x\"", "\"https://h.example/d/x\"");
    assert_eq!(rewritten(Syntax::Xml), x);
    assert_eq!(
        rewritten(Syntax::Html),
        x.replace("\"y\"", "\"https://h.example/d/y\"")
    );
}

/// What an entity spells in an attribute that no link depends on is not asked for.
#[test]
fn hreflang_counts_beside_alternate_only() {
    let mut settings = Settings::default();
    settings.groups = settings.groups.without(Group::Links);
    for (rel, unresolved) in [("stylesheet", 0), ("alternate", 1)] {
        let input = format!(
            "<!DOCTYPE html [<!ENTITY l 'de'>]><html xmlns='http://www.w3.org/1999/xhtml'><head>\
             <link rel='{rel}' hreflang='&l;' href='a'/></head></html>"
        );
        let rewritten = rewrite_bytes(input.as_bytes(), Syntax::Xml, &context(), &settings);
        assert_eq!(rewritten.examined.tally.unresolved, unresolved, "{rel}");
    }
}

#[test]
fn an_archive_is_relative_to_the_codebase_of_its_own_element() {
    let input = b"<object codebase=\"c/\" archive=\"x\"></object><object archive=\"y\"></object>";
    let output = rewrite_bytes(input, Syntax::Html, &context(), &Settings::default()).document;
    let output = std::str::from_utf8(&output).unwrap();
    assert!(
        output.contains("archive=\"https://h.example/d/c/x\""),
        "{output}"
    );
    assert!(
        output.contains("archive=\"https://h.example/d/y\""),
        "{output}"
    );
}

#[test]
fn every_row_of_the_table() {
    let context = context();
    let mut failures = Vec::new();
    for resolver in [Resolver::Rfc1808, Resolver::Rfc3986, Resolver::Whatwg] {
        let mut settings = Settings::default();
        settings.resolver = resolver;
        for row in rows() {
            let input = document(&row, &row.value);
            // The URL Standard percent-encodes a space.
            let expected = match resolver {
                Resolver::Whatwg => row
                    .expected
                    .replace("x y' z", "x%20y' z")
                    .replace("x y')", "x%20y')"),
                _ => row.expected.clone(),
            };
            let expected = document(&row, &expected);
            let output = rewrite_bytes(input.as_bytes(), Syntax::Html, &context, &settings);
            let output = std::str::from_utf8(&output.document).unwrap();
            if output != expected {
                failures.push(format!("{resolver:?}\n  {input}\n  {expected}\n  {output}"));
            }
        }
    }
    assert!(
        failures.is_empty(),
        "{} of the rows:\n{}",
        failures.len(),
        failures.join("\n")
    );
}

/// Places with a rule of their own, and those of groups that are off.
#[test]
fn groups_that_are_asked_for() {
    let table = include_str!("../../testdata/html/groups.tsv");
    let mut wrong = Vec::new();
    for row in table::rows(table) {
        let [group, document, expected] = row;
        let expected = if expected == "=" { document } else { expected };
        for resolver in Resolver::ALL {
            let mut settings = Settings::default();
            settings.resolver = resolver;
            settings.groups = match group.strip_prefix("only ") {
                Some(alone) => Groups::NONE.with(alone.parse().unwrap()),
                None => settings.groups.with(group.parse::<Group>().unwrap()),
            };
            settings.verify = abslink_verify::second_reader();
            for (before, after) in [(document, expected), (expected, expected)] {
                let new = rewrite_bytes(before.as_bytes(), Syntax::Html, &context(), &settings);
                let disagreement = new.examined.disagreement;
                let new = String::from_utf8(new.document.into_owned()).unwrap();
                if new != after || disagreement.is_some() {
                    wrong.push(format!("{resolver}: {before}\n  {new}\n  {disagreement:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Each attribute of the table of places is in one of the two tables of tests.
#[test]
fn every_attribute_is_tried() {
    let source = include_str!("../../crates/html/src/places/attributes/table.tsv");
    let tried = [TABLE, include_str!("../../testdata/html/groups.tsv")].concat();
    let mut words = tried.split(|it: char| !(it.is_alphanumeric() || "-_:".contains(it)));
    let tried: HashSet<&str> = words.by_ref().collect();
    let rows = source.lines().filter(|line| !line.starts_with('#'));
    let attributes: HashSet<&str> = rows.filter_map(|row| row.split('\t').nth(2)).collect();
    assert!(attributes.len() > 80, "{}", attributes.len());
    let mut missing: Vec<_> = attributes.difference(&tried).collect();
    missing.sort();
    assert!(missing.is_empty(), "{missing:?}");
}
