//! WCAG 2.2 §1.4.3 and §1.4.11: text has a contrast of 4.5 to what it stands on, and shapes of 3 to what
//! is around them, in light and in dark.

use std::collections::BTreeMap;

type Colours = BTreeMap<String, [f64; 3]>;

/// The colours of the style sheet: those of light, and of dark.
fn themes() -> [Colours; 2] {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/src/cli/html_report/report.css"
    );
    let style = std::fs::read_to_string(path).unwrap();
    let mut themes = style.split(":root {").skip(1).map(|rest| {
        let block = rest.split('}').next().unwrap();
        let declared = block
            .split(';')
            .filter_map(|it| it.trim().strip_prefix("--"));
        let colours = declared.map(|declared| {
            let (name, value) = declared.split_once(": #").unwrap();
            let part = |at: usize| {
                let part = u8::from_str_radix(&value[at..at + 2], 16).unwrap();
                f64::from(part) / 255.0
            };
            (name.to_owned(), [part(0), part(2), part(4)])
        });
        colours.collect::<Colours>()
    });
    let (light, dark) = (themes.next().unwrap(), themes.next().unwrap());
    assert!(light.keys().eq(dark.keys()), "each theme has every colour");
    [light, dark]
}

/// The relative luminance.
fn luminance(colour: [f64; 3]) -> f64 {
    let [red, green, blue] = colour.map(|part| match part {
        small if small <= 0.04045 => small / 12.92,
        part => ((part + 0.055) / 1.055).powf(2.4),
    });
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

fn contrast(one: [f64; 3], other: [f64; 3]) -> f64 {
    let [one, other] = [luminance(one), luminance(other)];
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

#[test]
fn text_and_shapes_can_be_seen() {
    const TEXT: [(&str, &[&str]); 6] = [
        ("ink", &["page", "panel", "added-page"]),
        ("soft", &["page", "panel", "added-page"]),
        ("link", &["page", "panel"]),
        ("removed", &["removed-page"]),
        ("added", &["added-page"]),
        // On the cells, and on the lines in them.
        (
            "on",
            &[
                "done",
                "divergent",
                "left",
                "failed",
                "hatch-divergent",
                "hatch-left",
                "hatch-failed",
            ],
        ),
    ];
    const SHAPES: [&str; 5] = ["done", "divergent", "left", "failed", "plain"];
    for colours in themes() {
        for (text, grounds) in TEXT {
            for ground in grounds {
                let found = contrast(colours[text], colours[*ground]);
                assert!(found >= 4.5, "{text} on {ground}: {found:.2}");
            }
        }
        for shape in SHAPES {
            for ground in ["page", "panel"] {
                let found = contrast(colours[shape], colours[ground]);
                assert!(found >= 3.0, "{shape} on {ground}: {found:.2}");
            }
        }
    }
}
