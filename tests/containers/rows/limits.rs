//! What is not seen: rows with a wrong base URL, and the same error for the thousandth time.

use std::io::{Read, Write};

use abslink_containers::rows::{Fields, Format, Holds, Table};
use abslink_html::{Context, DocumentRewriter, Settings};

use crate::cli::Sandbox;
use crate::support::growth;

/// How many rows are a chunk and more.
const MANY: usize = 70_000;

/// If no row has the field for the URL, nothing of a file is written or shown, and nothing counts.
#[test]
fn without_the_field_for_the_url_nothing_is_seen() {
    let sandbox = Sandbox::new();
    let row = "{\"b\":\"<a href=x>\"}\n";
    for rows in [row.to_owned(), row.repeat(MANY)] {
        sandbox.write("a.jsonl", &rows);
        for command in [
            "rewrite",
            "rewrite --diff",
            "rewrite -o out",
            "check",
            "links",
        ] {
            let run = format!("{command} -b http://k/ --field b --url-field u a.jsonl");
            let ran = sandbox.run(&run);
            ran.exits(2).prints("").never_says("link");
            sandbox.lacks("out/a.jsonl");
        }
    }
    // What is compressed has an end only if it has a beginning.
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(row.as_bytes()).unwrap();
    sandbox.write("a.jsonl.gz", packed.finish().unwrap());
    let run = "rewrite -b http://k/ --field b --url-field u a.jsonl.gz";
    let out = sandbox.abslink(run).output().unwrap();
    assert_eq!((out.status.code(), &out.stdout[..]), (Some(2), &b""[..]));
}

/// If a late row has it, the rows before it are written, shown and counted as ever.
#[test]
fn the_field_for_the_url_may_come_late() {
    let sandbox = Sandbox::new();
    let row = "{\"b\":\"<a href=x>\"}\n";
    let old = format!(
        "{}{{\"u\":\"http://h/\",\"b\":\"<a href=x>\"}}\n{row}",
        row.repeat(MANY)
    );
    let new = format!(
        "{0}{{\"u\":\"http://h/\",\"b\":\"<a href=http://h/x>\"}}\n{1}",
        row.repeat(MANY).replace("=x", "=http://k/x"),
        row.replace("=x", "=http://k/x")
    );
    sandbox.write("a.jsonl", &old);
    let options = "-b http://k/ --field b --url-field u a.jsonl";
    let ran = sandbox.run(&format!("rewrite {options}"));
    ran.exits(0).prints(&new).says("70,002");
    let ran = sandbox.run(&format!("check {options}"));
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(lines.len(), MANY + 2);
    assert_eq!(lines[MANY], "a.jsonl#70001:1:9: <a href> x -> http://h/x");
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(old.as_bytes()).unwrap();
    sandbox.write("b.jsonl.gz", packed.finish().unwrap());
    let run = format!("rewrite -q {}", options.replace("a.jsonl", "b.jsonl.gz"));
    let out = sandbox.abslink(&run).output().unwrap();
    let mut text = String::new();
    let mut from = flate2::read::GzDecoder::new(&out.stdout[..]);
    from.read_to_string(&mut text).unwrap();
    assert_eq!(text, new);
}

/// Rows that are all bad are copied, and the first ten are named.
#[test]
fn many_bad_rows_take_few_lines() {
    let sandbox = Sandbox::new();
    let rows = format!("{{\"b\":\"<a href=x>\"}}\n{}", "x\n".repeat(MANY));
    sandbox.write("a.jsonl", &rows);
    sandbox.write("b.jsonl", &rows);
    let ran = sandbox.run("rewrite -o out --root . -b http://h/ --field b a.jsonl b.jsonl");
    ran.exits(2);
    let expected: Vec<String> = ["a", "b"]
        .into_iter()
        .flat_map(|name| {
            let errors =
                (2..12).map(move |row| format!("error: {name}.jsonl#{row}: unchanged: not JSON"));
            errors.chain(["… and 69,990 more".to_owned()])
        })
        .collect();
    let lines: Vec<&str> = ran.stderr.lines().take(expected.len()).collect();
    assert!(
        lines
            .iter()
            .zip(&expected)
            .all(|(line, expected)| line.starts_with(expected.as_str())),
        "{lines:?}"
    );
    let line = ran.stderr.lines().nth(expected.len()).unwrap();
    assert!(
        !line.starts_with("error") && !line.starts_with('…'),
        "{line}"
    );
    let written = sandbox.read("out/b.jsonl");
    assert!(
        written == rows.replace("=x", "=http://h/b/x")
            || written == rows.replace("=x", "=http://h/x")
    );
    sandbox.write("c.jsonl", "x\n".repeat(MANY));
    let ran = sandbox.run("rewrite --field b --url-field u c.jsonl");
    assert_eq!((ran.code, ran.stdout), (Some(2), "x\n".repeat(MANY)));
}

/// Whatever a text in a field has much of, what it is takes time by its length.
#[test]
#[ignore = "slow tier: time"]
fn time_is_linear() {
    let mut context = Context::retrieved_from("https://h.org/d/").unwrap();
    (context.charset, context.is_content) = (Some("utf-8".to_owned()), true);
    let mut settings = Settings::default();
    settings.verify = abslink_verify::second_reader();
    let documents = ["v", "w"].map(|name| (Holds::Html, name.to_owned())).into();
    let fields = Fields {
        documents,
        ..Fields::default()
    };
    let table = Table::new(Format::Json, &fields);
    for piece in [
        "](",
        "](/",
        "[a](b c) ",
        "[url]",
        "[/url ",
        "[code]<b>",
        "[/code]",
        "{code}",
        "{code}<b>",
        "<b>]",
        "<nowiki ",
        "<b>\n== a ",
        "\n.. ",
        "x\n```",
        "\n[source",
        "`<",
        "link:",
        "d1:",
        "wp:",
        "<!-- wp:a {",
        "<!-- wp:a {} --><b>",
        "s:9:\"<b>\"",
        ":\"<",
        "|s:3:\"<b>\";",
        "a:1:{",
        "a:1:{i:0;",
        "{\"a\":",
        "[\"",
        "[{\"type\":\"text\",\"text\":",
        "<a href=\"\"x",
        "<a href=\"\"x\"\">",
        "<?xml ",
        "<rss xmlns=\"",
        "<![CDATA[",
        "Content-Transfer-Encoding: ",
    ] {
        let make = |count| serde_json::json!({ "v": format!("x<b>{}", piece.repeat(count)), "w": piece.repeat(count) });
        let make = |count| make(count).to_string();
        growth::is_linear(piece, 16_000, make, |row| {
            let (fields, _) = table.fields(row.as_bytes()).unwrap();
            let rewriter = &mut DocumentRewriter::default();
            for field in fields {
                field.edits(&context, Default::default(), &settings, rewriter, &mut None);
            }
        });
    }
}
