//! The page has the numbers of the run, and nothing that did not happen.

use crate::cli::Sandbox;

/// What stands between two texts.
fn between<'t>(text: &'t str, start: &str, end: &str) -> &'t str {
    let (_, rest) = text
        .split_once(start)
        .unwrap_or_else(|| panic!("no {start}"));
    rest.split_once(end).unwrap_or_else(|| panic!("no {end}")).0
}

/// The value of a fact in the head of the report.
fn fact<'t>(page: &'t str, label: &str) -> &'t str {
    let facts = between(page, "<dl class=\"facts\">", "</dl>");
    let value = between(facts, &format!("{label}</dt>"), "</dd>");
    value.rsplit('>').next().unwrap().trim()
}

#[test]
fn the_report_has_the_numbers_of_the_run() {
    let sandbox = Sandbox::new();
    for number in 0..7 {
        sandbox.write(
            format!("d/{number}.html"),
            "<base href=http://h/><a href=x><a href=y><a href=http://h/>",
        );
    }
    sandbox.write("d/none.html", "<a href=x>");
    sandbox.run("rewrite -o out d --format html=page.html");
    let page = sandbox.read("page.html");
    for (label, value) in [
        ("pages", "8"),
        ("pages changed", "7"),
        ("links", "29"),
        ("pages without a base URL", "1"),
    ] {
        assert_eq!(fact(&page, label), value, "{label}");
    }
    assert!(!page.contains("records of web archives</dt>"), "{page}");
}

/// With more directories than there are cells, one cell has the others.
#[test]
fn the_directories_of_a_report_add_up() {
    let sandbox = Sandbox::new();
    for number in 0..450 {
        let page = "<a href=http://h/>".repeat(1 + number % 2);
        sandbox.write(format!("d/{number}/x.html"), &page);
    }
    sandbox.run("check d --format html=page.html");
    let page = sandbox.read("page.html");
    let table = between(&page, "aria-label=\"Directories, a table\"", "</table>");
    let numbers = table.split("<td class=\"number\">").skip(1);
    let numbers = numbers.map(|cell| cell.split('<').next().unwrap().parse().unwrap());
    let numbers: Vec<u64> = numbers.collect();
    let sum = |from: usize| numbers.iter().skip(from).step_by(2).sum::<u64>();
    assert_eq!((sum(0), sum(1)), (675, 450), "references, documents");
    assert!(
        table.contains("51 smaller directories"),
        "{}",
        &table[..3000]
    );
}

/// The report on these files, each of which has so many references to a target.
fn report(files: impl IntoIterator<Item = (String, usize)>, target: &str) -> String {
    let sandbox = Sandbox::new();
    for (name, references) in files {
        sandbox.write(&name, format!("<a href={target}>").repeat(references));
    }
    sandbox.run("check d --format html=page.html");
    sandbox.read("page.html")
}

/// The picture of directories of the same size has cells that are near to squares.
#[test]
fn cells_are_near_to_squares() {
    for number in [8, 32, 50, 72] {
        let files = (0..number).map(|it| (format!("d/{it}/x.html"), 1));
        let page = report(files, "http://h/");
        let cells: Vec<_> = page.split("<rect class=\"cell\"").skip(1).collect();
        assert_eq!(cells.len(), number);
        for cell in cells {
            let side = |name| {
                between(cell, &format!(" {name}=\""), "\"")
                    .parse::<f64>()
                    .unwrap()
            };
            let ratio = side("width") / side("height");
            assert!((0.5..=2.0).contains(&ratio), "{number}: {ratio}");
        }
    }
}

/// A name that is longer than its cell is cut where the cell ends.
#[test]
fn a_long_name_in_a_cell_is_cut() {
    let name = "abcdefghij".repeat(20);
    let files = [
        (format!("d/{name}/x.html"), 1),
        ("d/other/x.html".to_owned(), 1),
    ];
    let page = report(files, "http://h/");
    let picture = between(&page, "<svg viewBox", "</svg>");
    let labels = picture.split("<text").skip(1);
    let labels = labels.map(|label| between(label, ">", "<"));
    let cut = labels.filter_map(|label| label.strip_suffix('…')).next();
    let cut = cut.unwrap_or_else(|| panic!("{picture}"));
    assert!(
        name.starts_with(cut) && (30..60).contains(&cut.len()),
        "{cut}"
    );
}

/// A directory with no problem has no note, and the list of sections has those that are there.
#[test]
fn a_report_says_nothing_of_what_did_not_happen() {
    for (target, notes) in [("http://h/", 0), ("x", 2)] {
        let files = ["d/a/x.html", "d/b/x.html"].map(|name| (name.to_owned(), 2));
        let page = report(files, target);
        let table = between(&page, "aria-label=\"Directories, a table\"", "</table>");
        assert_eq!(table.matches("<span class=\"soft\">").count(), notes);
        assert_eq!(table.matches("2 relative<").count(), notes, "{table}");
        let sections = between(&page, "<nav aria-label=\"Sections\">", "</nav>");
        for id in [
            "outcomes",
            "directories",
            "hosts",
            "bases",
            "divergent",
            "left",
            "troubles",
        ] {
            let [listed, there] = [
                sections.contains(&format!("href=\"#{id}\"")),
                page.contains(&format!("<section id=\"{id}\"")),
            ];
            assert_eq!(listed, there, "{id}");
        }
    }
}

/// The bars of a report are as long as the numbers beside them.
#[test]
fn bars_are_as_long_as_their_numbers() {
    let sandbox = Sandbox::new();
    let links = ["a", "b", "b", "b"].map(|host| format!("<a href=http://{host}/>"));
    sandbox.write("d/x.html", links.concat());
    sandbox.run("check d --format html=page.html");
    let page = sandbox.read("page.html");
    let hosts = between(&page, "<section id=\"hosts\"", "</section>");
    let bars = hosts.split("<rect class=\"fill-done\"").skip(1);
    let bars = bars.map(|bar| between(bar, "width=\"", "\"").parse::<f64>().unwrap());
    assert_eq!(Vec::from_iter(bars), [75.0, 25.0], "{hosts}");
}

/// `--quiet` is quiet about what a format leaves out, alone and beside another one.
#[test]
fn what_is_left_out_is_not_told_where_nothing_is_to_be_told() {
    let sandbox = Sandbox::new();
    sandbox.write("d/p.html", "<a href='///h/'>".repeat(30));
    let text = "--format github: too many problems; ";
    for formats in ["--format github", "--format github --format json=f.json"] {
        for (quiet, told) in [("", true), ("-q", false)] {
            let ran = sandbox.run(&format!("check {quiet} -b https://e.org/ {formats} d"));
            assert_eq!(
                ran.stderr.contains(text),
                told,
                "{formats} {quiet}: {}",
                ran.stderr
            );
        }
    }
}
