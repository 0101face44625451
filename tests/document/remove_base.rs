//! `--remove-base`: what takes a `base` element out, and what keeps it.

use abslink::{Context, Group, Groups, Settings, Syntax, To, rewrite_bytes};

use crate::support::generate;
use crate::support::table::rows;

const OWN: &str = "https://e.org/docs/a/b.html";

fn settings(to: To) -> Settings {
    let mut settings = Settings::default();
    settings.to = to;
    settings.remove_base = true;
    settings.verify = abslink_verify::second_reader();
    settings
}

fn syntax(document: &str) -> Syntax {
    match document.starts_with("<?xml") {
        true => Syntax::Xml,
        false => Syntax::Html,
    }
}

/// Each row, as UTF-8 and as UTF-16, confirmed by the second reader; a second run changes nothing.
#[test]
fn each_row_gets_its_base() {
    let table = include_str!("../../testdata/html/bases_removed.tsv");
    let context = Context::retrieved_from(OWN).unwrap();
    let mut wrong = Vec::new();
    for row in rows(table) {
        let [to, document, expected] = row;
        let to = To::ALL.into_iter().find(|it| it.name() == to).unwrap();
        let expected = if expected == "=" { document } else { expected };
        for (from, is_wide) in [(document, false), (expected, false), (document, true)] {
            let encoded = |text: &str| -> Vec<u8> {
                let wide = format!("\u{feff}{text}");
                match is_wide {
                    true => wide.encode_utf16().flat_map(u16::to_le_bytes).collect(),
                    false => text.into(),
                }
            };
            let bytes = encoded(from);
            let new = rewrite_bytes(&bytes, syntax(from), &context, &settings(to));
            let found = &new.examined.disagreement;
            if found.is_some() || *new.document != encoded(expected) {
                let text = String::from_utf8_lossy(&new.document);
                wrong.push(format!("{from}\n  {text}\n  {found:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The bytes that a cell of a table spells.
fn bytes(spelled: &str) -> Vec<u8> {
    let mut parts = spelled.split('\\');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let (byte, rest) = match part.split_at(1) {
            ("r", rest) => (b'\r', rest),
            ("n", rest) => (b'\n', rest),
            ("x", rest) => (u8::from_str_radix(&rest[..2], 16).unwrap(), &rest[2..]),
            _ => panic!("{spelled}"),
        };
        bytes.push(byte);
        bytes.extend_from_slice(rest.as_bytes());
    }
    bytes
}

#[test]
fn neighbours_are_read_as_they_were() {
    let table = include_str!("../../testdata/html/neighbours.tsv");
    let mut context = Context::retrieved_from(OWN).unwrap();
    let mut wrong = Vec::new();
    for row in rows(table) {
        let [charset, document, expected] = row;
        context.charset = Some(charset.to_owned());
        let expected = bytes(if expected == "=" { document } else { expected });
        for from in [&bytes(document), &expected] {
            let new = rewrite_bytes(from, syntax(document), &context, &settings(To::Relative));
            let found = &new.examined.disagreement;
            if found.is_some() || *new.document != expected {
                wrong.push(format!(
                    "{row:?}\n  {} {found:?}",
                    new.document.escape_ascii()
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Neither what is written nor what stands behind ends a value, a text, a comment or a section, or joins another.
#[test]
fn edits_leave_their_neighbours_what_they_were() {
    let table = include_str!("../../testdata/html/edited_neighbours.tsv");
    let mut context = Context::retrieved_from(OWN).unwrap();
    let mut wrong = Vec::new();
    for row in rows(table) {
        let [to, charset, document, expected] = row;
        context.charset = Some(charset.to_owned());
        let to = To::ALL.into_iter().find(|it| it.name() == to).unwrap();
        let mut settings = settings(to);
        settings.groups = Group::ALL.into_iter().fold(settings.groups, Groups::with);
        (settings.remove_base, settings.unwrap) = (false, true);
        for from in [document, expected] {
            let old = bytes(from);
            let new = rewrite_bytes(&old, syntax(document), &context, &settings);
            let found = &new.examined.disagreement;
            if found.is_some() || *new.document != bytes(expected) {
                let columns = [to.name(), charset, document].join("\t");
                wrong.push(format!(
                    "{columns}\t{}\t{found:?}",
                    new.document.escape_ascii()
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// It sees what a tag parts, of the rows up to the second remark.
#[test]
fn the_second_reader_sees_what_grows_together() {
    let table = include_str!("../../testdata/html/neighbours.tsv");
    let (first, _) = table.split_once("# It opens").unwrap();
    let mut context = Context::retrieved_from(OWN).unwrap();
    for row in rows(first) {
        let [charset, document, _] = row;
        context.charset = Some(charset.to_owned());
        let mut settings = settings(To::Relative);
        settings.verify = abslink_verify::planted("<base>", "");
        let document = bytes(document);
        let new = rewrite_bytes(&document, Syntax::Html, &context, &settings);
        assert!(new.examined.disagreement.is_some(), "{row:?}");
    }
}

#[test]
fn what_becomes_of_elements_is_counted() {
    let context = Context::retrieved_from(OWN).unwrap();
    let tally = |document: &str| {
        rewrite_bytes(
            document.as_bytes(),
            Syntax::Html,
            &context,
            &settings(To::Relative),
        )
        .examined
        .tally
    };
    let gone = tally("<base href=/x/><script src=y></script>");
    assert_eq!(
        (gone.bases_removed, gone.bases_left, gone.scripted),
        (1, 0, 1)
    );
    let kept = tally("<base href=/x/><meta property=og:url content=y>");
    assert_eq!((kept.bases_removed, kept.bases_left), (0, 1));
    assert_eq!(kept.base_needed_by, Some(Group::Meta));
}

/// The second reader does not let anything else go, nor a reference stay that depended on it.
#[test]
fn the_second_reader_sees_what_is_gone() {
    let page = "<base href=/docs/z/><a href=x><p>";
    let context = Context::retrieved_from(OWN).unwrap();
    for (from, to) in [
        ("../z/x", "x"),
        ("<p>", ""),
        ("<a href", "<base id=x><a href"),
    ] {
        let mut settings = settings(To::Relative);
        settings.verify = abslink_verify::planted(from, to);
        let new = rewrite_bytes(page.as_bytes(), Syntax::Html, &context, &settings);
        assert!(new.examined.disagreement.is_some(), "{from} {to}");
    }
}

/// Relative to another base URL, they lead where they led: made absolute they are the same.
#[test]
fn references_lead_where_they_led() {
    let context = Context::retrieved_from(OWN).unwrap();
    let (mut gone, mut hard) = (0, 0);
    for seed in 0..300 {
        let page = format!("<base href=/docs/z/>{}", generate::document(seed));
        let form = |page: &[u8], to: To| {
            let new = rewrite_bytes(page, Syntax::Html, &context, &settings(to));
            let agrees = new.examined.disagreement.is_none();
            let removed = new.examined.tally.bases_removed;
            agrees.then(|| (new.document.into_owned(), removed))
        };
        // The second reader may not agree on a hard document.
        let Some((absolute, of_absolute)) = form(page.as_bytes(), To::Absolute) else {
            hard += 1;
            continue;
        };
        let Some((relative, removed)) = form(page.as_bytes(), To::Relative) else {
            panic!(
                "{seed} {page} {:?}",
                rewrite_bytes(
                    page.as_bytes(),
                    Syntax::Html,
                    &context,
                    &settings(To::Relative)
                )
                .examined
                .disagreement
            )
        };
        // A reference in a group that is not taken may be right by chance.
        if removed != of_absolute {
            continue;
        }
        gone += u64::from(removed > 0);
        let again = form(&relative, To::Absolute).unwrap().0;
        assert!(
            again == absolute,
            "seed {seed}:\n{}\n---\n{}",
            String::from_utf8_lossy(&again),
            String::from_utf8_lossy(&absolute)
        );
    }
    assert!(gone > 20 && hard < 20, "{gone} {hard}");
}
