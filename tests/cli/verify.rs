//! The second reader of `rewrite --verify`: what it agrees with, and what it does not.

mod commands;
mod complaints;
mod generated;
mod growth;

use std::cell::RefCell;

use lol_html::{HtmlRewriter, element};

use abslink::{Context, Group, Groups, Resolver, Rewritten, Settings, Syntax, rewrite_bytes};

use crate::oracle::promises;
use crate::support::generate;

fn rewritten<'d>(document: &'d [u8], syntax: Syntax, settings: &Settings) -> Rewritten<'d> {
    let context = Context::retrieved_from("https://h/d/x.html").unwrap();
    rewrite_bytes(document, syntax, &context, settings)
}

/// The names of the tags of a document, and of their attributes, as lol_html sees them.
fn tags(document: &[u8]) -> Vec<String> {
    let found = RefCell::new(Vec::new());
    let settings = lol_html::Settings::new()
        .with_strict(false)
        .append_element_content_handler(element!("*", |element| {
            let names = element.attributes().iter().map(|it| it.name());
            let names: Vec<String> = names.collect();
            let name = element.tag_name();
            (found.borrow_mut()).push(format!("{name} {}", names.join(" ")));
            Ok(())
        }));
    let mut rewriter = HtmlRewriter::new(settings, |_: &[u8]| {});
    rewriter.write(document).unwrap();
    rewriter.end().unwrap();
    found.into_inner()
}

fn settings(resolver: Resolver, groups: Groups) -> Settings {
    let mut settings = Settings::default();
    settings.resolver = resolver;
    settings.groups = groups;
    settings.verify = abslink_verify::second_reader();
    settings
}

/// What makes lol_html see other tags than a browser does, before and after.
const MISREAD: [&str; 4] = ["<frameset", "<svg", "<math", "<template"];

#[test]
fn generated_documents() {
    let every = Group::ALL.into_iter().fold(Groups::default(), Groups::with);
    generate::documents(2_000, |document| {
        let lower = document.to_ascii_lowercase();
        let is_misread = MISREAD.iter().any(|tag| lower.contains(tag));
        for (resolver, groups) in [
            (Resolver::Rfc1808, Groups::default()),
            (Resolver::Rfc3986, every),
            (Resolver::Whatwg, every),
        ] {
            let settings = settings(resolver, groups);
            let rewritten = rewritten(document.as_bytes(), Syntax::Html, &settings);
            if let Some(alarm) = rewritten.examined.disagreement {
                return Err(format!("{resolver:?}: {alarm:?}"));
            }
            // A third opinion.
            if !is_misread && tags(document.as_bytes()) != tags(&rewritten.document) {
                return Err(format!("{resolver:?}: other tags"));
            }
        }
        Ok(())
    });
}

/// Where several bytes spell a character, bytes are not valid, or the document has to be decoded.
#[test]
fn generated_documents_in_other_encodings() {
    let every = Group::ALL.into_iter().fold(Groups::default(), Groups::with);
    let (settings, mut turn) = (settings(Resolver::Rfc1808, every), 0);
    generate::documents(2_000, |document| {
        turn += 1;
        let spelled = promises::spell(document, turn);
        let rewritten = rewritten(&spelled, Syntax::Html, &settings);
        match rewritten.examined.disagreement {
            Some(found) => Err(format!("{found:?}\n\"{}\"", spelled.escape_ascii())),
            None => Ok(()),
        }
    });
}

#[test]
fn generated_xhtml() {
    let every = Group::ALL.into_iter().fold(Groups::default(), Groups::with);
    generate::xhtml::documents(1_000, |document| {
        for (resolver, groups) in [
            (Resolver::Rfc1808, Groups::default()),
            (Resolver::Rfc3986, every),
            (Resolver::Whatwg, Groups::default()),
        ] {
            let settings = settings(resolver, groups);
            let rewritten = rewritten(document.as_bytes(), Syntax::Xml, &settings);
            if let Some(found) = rewritten.examined.disagreement {
                return Err(format!("{resolver:?}: {found:?}"));
            }
        }
        Ok(())
    });
}
