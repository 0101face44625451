//! Rows that are cut or damaged: each one that is not touched is done.

use crate::cli::Sandbox;

const ROWS: usize = 40;

/// How often each kind of file is damaged.
fn places() -> usize {
    let asked = std::env::var("ABSLINK_PLACES").ok();
    asked.map_or(2_000, |places| places.parse().unwrap())
}

/// Damages a file at many places, all in one run: the files are `name.N.ending`.
fn damaged(rows: &[(String, String)], header: &str, ending: &str) {
    let sandbox = Sandbox::new();
    let old: String = rows.iter().map(|(old, _)| old.as_str()).collect();
    let places = places();
    let damages: Vec<(usize, Option<&str>)> = (0..places)
        .map(|place| {
            let at = place * old.len() / places;
            (
                at,
                [
                    None,
                    Some("\""),
                    Some("x"),
                    Some("\n"),
                    Some("\\"),
                    Some(""),
                ][place % 6],
            )
        })
        .collect();
    for (place, (at, damage)) in damages.iter().enumerate() {
        let text = match damage {
            None => old[..*at].to_owned(),
            // Something more, or a byte less.
            Some("") => format!("{}{}", &old[..*at], &old[at + 1..]),
            Some(more) => format!("{}{more}{}", &old[..*at], &old[*at..]),
        };
        sandbox.write(&format!("d/{place}.{ending}"), &format!("{header}{text}"));
    }
    let ran = sandbox.run(&format!(
        "rewrite -q -o out d --ext {ending} --html-field body --url-field url"
    ));
    assert!(matches!(ran.code, Some(0..=2)), "{ran:?}");
    for (place, (at, damage)) in damages.iter().enumerate() {
        let path = sandbox.path().join(format!("out/{place}.{ending}"));
        let out = std::fs::read_to_string(path).unwrap();
        let mut start = 0;
        for (nth, (old, new)) in rows.iter().enumerate() {
            let end = start + old.len();
            let is_cut = damage.is_none() && *at < end;
            // Without its line break, the row before goes on in this one.
            let is_joined = *damage == Some("") && at + 1 == start;
            let is_touched = (start..end).contains(at) || is_cut || is_joined;
            assert!(
                is_touched || out.contains(new.as_str()),
                "{ending}, {damage:?} at {at}: row {nth} is not done: {new}{out}"
            );
            start = end;
        }
    }
}

#[test]
fn lines_of_json() {
    let row = |nth: usize, link: &str| {
        format!("{{\"url\":\"http://h/{nth}/\",\"body\":\"<a href=\\\"{link}\\\">{nth}</a>\"}}\n")
    };
    let rows: Vec<_> = (0..ROWS)
        .map(|nth| (row(nth, "x"), row(nth, &format!("http://h/{nth}/x"))))
        .collect();
    damaged(&rows, "", "jsonl");
}

/// Some over several lines, which damage may tear.
#[test]
fn records_of_csv() {
    let row = |nth: usize, link: &str| {
        let line = if nth.is_multiple_of(4) { "\n" } else { " " };
        format!("{nth},\"<p>{line}<a href=\"\"{link}\"\">, {nth}</a>\",http://h/{nth}/\n")
    };
    let rows: Vec<_> = (0..ROWS)
        .map(|nth| (row(nth, "x"), row(nth, &format!("http://h/{nth}/x"))))
        .collect();
    damaged(&rows, "id,body,url\n", "csv");
}
