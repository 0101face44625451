//! SVG images as documents of their own: the table testdata/svg.tsv, and what is such an image.

use roxmltree::Document;
use url::Url;

use crate::cli::Sandbox;
use crate::support::table::{self, Rewrite, hold, outcome};

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
        let [name, options, inside, expected] = fields;
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
    let wide = |text: &str| -> Vec<u8> {
        let text = format!("\u{feff}{text}");
        text.encode_utf16().flat_map(u16::to_le_bytes).collect()
    };
    let utf8 = |text: &str| text.as_bytes().to_vec();
    let spelled = |spell: &dyn Fn(&str) -> Vec<u8>| {
        let rows = rows().into_iter().map(|row| Rewrite {
            before: spell(&row.image),
            after: spell(&row.expected),
            options: row.options.split_whitespace().map(str::to_owned).collect(),
            name: row.name,
            code: row.code,
        });
        hold("f", rows);
    };
    spelled(&utf8);
    spelled(&wide);
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
        sandbox.finds_fault("f.svg", &svg, "https://e.org/", fault);
    }
}
