//! SVG images as documents of their own: the table testdata/svg.tsv, and what is such an image.

use std::fs;

use roxmltree::Document;
use url::Url;

use crate::cli::Sandbox;
use crate::support::table::{self, outcome};

const SVG: &str = "http://www.w3.org/2000/svg";

struct Row {
    name: String,
    options: String,
    image: String,
    expected: String,
    code: i32,
}

fn rows() -> Vec<Row> {
    let table = include_str!("../../testdata/svg.tsv").replace("{D}", "-b https://e.org/b/f.svg");
    let rows = table::rows(&table).map(|fields| {
        let [name, options, inside, expected] = fields.try_into().unwrap();
        let (expected, code) = outcome(expected, inside);
        let whole = |inside: &str| {
            let inside = inside.replace("{H}", "https://e.org");
            format!(
                "<svg xmlns='{SVG}' xmlns:xlink='http://www.w3.org/1999/xlink'>{inside}</svg>\n"
            )
        };
        Row {
            name: name.to_owned(),
            options: options.to_owned(),
            image: whole(inside),
            expected: whole(expected),
            code,
        }
    });
    rows.collect()
}

#[test]
fn the_table() {
    let sandbox = Sandbox::new();
    let mut wrong = Vec::new();
    let wide = |text: &str| -> Vec<u8> {
        let text = format!("\u{feff}{text}");
        text.encode_utf16().flat_map(u16::to_le_bytes).collect()
    };
    for row in rows() {
        let Row {
            name,
            options,
            image,
            expected,
            code,
        } = &row;
        for (before, after, option) in [
            (
                image.clone().into_bytes(),
                expected.clone().into_bytes(),
                "--verify",
            ),
            (
                image.clone().into_bytes(),
                expected.clone().into_bytes(),
                "--quiet",
            ),
            (wide(image), wide(expected), "--verify"),
            (
                expected.clone().into_bytes(),
                expected.clone().into_bytes(),
                "--verify",
            ),
        ] {
            fs::write(sandbox.path().join("f"), before).unwrap();
            let mut command = sandbox.abslink("rewrite");
            let ran = command
                .arg(option)
                .args(options.split_whitespace())
                .arg("f")
                .output()
                .unwrap();
            if ran.stdout != after || ran.status.code() != Some(*code) {
                let [shown, said] =
                    [&ran.stdout, &ran.stderr].map(|it| String::from_utf8_lossy(it));
                wrong.push(format!("{name}: {:?}\n{shown}\n{said}", ran.status.code()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// roxmltree sees the same elements before and after, and each attribute that changed is the target that the
/// crate `url` tells. All that it takes for a link was done, unless it begins with `#`.
#[test]
fn a_second_reader_finds_the_same_targets() {
    let own = Url::parse("https://e.org/b/f.svg").unwrap();
    let mut changed = 0;
    for row in rows().iter().filter(|row| row.code == 0) {
        if row.options.contains("--to") || row.options.is_empty() || row.image.contains("<base") {
            continue;
        }
        let [old, new] = [&row.image, &row.expected].map(|it| Document::parse(it).unwrap());
        for (old, new) in old.descendants().zip(new.descendants()) {
            assert_eq!(old.tag_name(), new.tag_name(), "{}", row.name);
            let is_link = old.tag_name().namespace() == Some(SVG)
                && ["a", "image", "use", "script", "feImage"].contains(&old.tag_name().name());
            assert_eq!(
                old.attributes().len(),
                new.attributes().len(),
                "{}",
                row.name
            );
            for (was, is) in old.attributes().zip(new.attributes()) {
                let is_href = was.name() == "href"
                    && [None, Some("http://www.w3.org/1999/xlink")].contains(&was.namespace());
                let (was, is) = (was.value(), is.value());
                if is_link && is_href && !was.trim().starts_with('#') {
                    assert_eq!(Url::parse(is), own.join(was), "{}", row.name);
                    changed += usize::from(was != is);
                } else if !was.contains("url(") && !was.contains(';') && was != is {
                    assert_eq!(Url::parse(is), own.join(was), "{}", row.name);
                }
            }
        }
    }
    assert!(changed > 10, "{changed}");
}

/// The second reader finds a fault, and the image is left.
#[cfg(debug_assertions)]
#[test]
fn a_fault_is_found() {
    let sandbox = Sandbox::new();
    let svg = format!("<svg xmlns='{SVG}'><a href='p'/><use href='#u'/><rect d='M0'/></svg>");
    for fault in ["e.org/p=>e.org/q", "'#u'=>'#v'", "M0=>M1"] {
        sandbox.write("f.svg", &svg);
        let mut command = sandbox.abslink("rewrite --verify -b https://e.org/ -i f.svg");
        let ran = command.env("ABSLINK_TEST_FAULT", fault).output().unwrap();
        let said = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(2), "{fault}: {said}");
        assert!(said.contains("the second reader disagrees"), "{said}");
        assert_eq!(
            fs::read_to_string(sandbox.path().join("f.svg")).unwrap(),
            svg
        );
    }
}
