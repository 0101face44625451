//! cmark-gfm, which shares no code with abslink, shows a document as before, but that each link leads where the
//! resolver says.

use std::io::Write;
use std::process::{Command, Stdio};

use abslink::{Context, Placeholders, Settings};
use abslink_containers::markdown;

use crate::cli::Sandbox;
use crate::support::generate::Random;
use crate::support::growth;
use crate::support::skip;

/// Renders old and new documents, pairs of JSON, one a line. Prints the first line in which they differ.
const RENDER: &str = r##"
import cmarkgfm, html, json, re, sys
from cmarkgfm.cmark import Options
from urllib.parse import urljoin
def render(text):
    return cmarkgfm.markdown_to_html_with_extensions(
        text, options=Options.CMARK_OPT_UNSAFE | Options.CMARK_OPT_FOOTNOTES,
        extensions=["table", "strikethrough", "autolink"])
def absolute(match):
    url = html.unescape(match[2])
    if url == "" or url[0] == "#" or re.match("[a-z]+:", url):
        return match[0]
    return match[1] + html.escape(urljoin("https://h.org/d/a.md", url)) + match[3]
for line in sys.stdin:
    old, new = json.loads(line)
    expected = re.sub(r'(<a href="|<img src=")([^"]*)(")', absolute, render(old))
    expected = re.sub(r'(<a href=)([^">]*)(>)', absolute, expected)
    shown = render(new)
    if shown != expected:
        pairs = zip(expected.split("\n"), shown.split("\n"))
        print(repr(old), *next(pair for pair in pairs if pair[0] != pair[1]), sep="\n")
"##;

#[rustfmt::skip]
const ATOMS: [&str; 63] = [
    "[a](b)", "![i](x.png)", "[a](<b c>)", "[a](b \"t\")", "[a](b 't')", "[a](b (t))", "[a]( b )", "[r]", "[R][]",
    "[x][n]", "![r]", "[a](b(c))", "[a](b\\)c)", "[a](b&amp;c)", "[a](&#98;)", "[a](b|c)", "[a](b\\|c)", "`[x](y)`",
    "\\[x](y)", "<a href=b>", "</a>", "<img src=\"i.png\">", "<https://o.org/x>", "https://o.org/b", "www.o.org",
    "a@b.c", "[![a](b)](c)", "![[a](b)](c)", "*é", "**", "_", "~~", "$x$", "{{x}}", "\\", "&", "&lt;", "\"", "#x",
    "[h](#x)", "[q](?q=1)", "[e]()", "[e](<>)", "[s](/r)", "[u](../u)", "[d](//o.org/x)", "[m](mailto:x@y)",
    "[v](ü.md)", "[p](a%20b)", "[c](a:b)", "[l](./a:b)", "[a](b\\ c)", "[a](b\\&amp;c)", "[a](b*c*d)", "[b*](c*)",
    "[a](<b\\>c>)", "[a](b\"c)", "[n\nm](o)", "[a](\nb)", "[a](b\n\"t\")", "é", "<!-- [x](y) -->",
    "<![CDATA[ [x](y) ]]>",
];
#[rustfmt::skip]
const DEFINITIONS: [&str; 13] = [
    "[r]: d.md", "[r]:\n  d.md", "[r]: <d e.md> \"t\"", "[r]: d.md\n\"t\"", "[R]: d.md 't\nu'", "[n]: d(e)",
    "[n]: d\\(e", "[n]: &auml;", "[n]: d|e", "[n]: x&y", "[r]: x&copy=1", "[n]: /a", "[r]: #f",
];

fn inline(random: &mut Random, between: &[&str]) -> String {
    let atoms =
        (0..=random.below(6)).map(|_| random.pick(&ATOMS).to_owned() + random.pick(between));
    atoms.collect::<String>().trim().to_owned()
}

fn block(random: &mut Random, depth: usize) -> String {
    let kind = random.below(10);
    let mut line = || inline(random, &[" ", ""]).replace('\n', " ");
    match kind {
        0 => format!("# {}", line()),
        1 => format!(
            "| a | b |\n|---|---|\n| {} | {} |\n| {} | {} |",
            line(),
            line(),
            line(),
            line()
        ),
        2 => format!("```\n{}\n```", line()),
        3 => format!("    {}", line()),
        4 => format!("<div>\n{}\n</div>", line()),
        5 => random.pick(&DEFINITIONS).to_owned(),
        6 | 7 if depth < 3 => {
            let prefixes = [
                ("> ", "> "),
                ("- ", "  "),
                ("1. ", "   "),
                ("- [ ] text\n\n  ", "  "),
            ];
            let (first, rest) = random.pick(&prefixes);
            first.to_owned() + &document(random, depth + 1).replace('\n', &format!("\n{rest}"))
        }
        _ => format!("text {}", inline(random, &[" ", "", "\n"])),
    }
}

fn document(random: &mut Random, depth: usize) -> String {
    let blocks: Vec<_> = (0..=random.below(4))
        .map(|_| block(random, depth))
        .collect();
    blocks.join("\n\n")
}

/// What cmark-gfm shows otherwise than expected of documents and of what is made of them.
fn differences(documents: impl Iterator<Item = String> + Send + 'static) -> Option<String> {
    let python = |script| {
        let mut python = Command::new("python3");
        python.args(["-c", script]);
        python
    };
    let has = python("import cmarkgfm").stderr(Stdio::null()).status();
    if !has.is_ok_and(|status| status.success()) {
        skip::tool("Python's cmarkgfm cannot be run; .ci/run installs it");
        return None;
    }
    let context = Context::retrieved_from("https://h.org/d/a.md").unwrap();
    let mut settings = Settings::default();
    settings.placeholders = Placeholders::Resolve;
    settings.verify = abslink_verify::second_reader();
    let mut child = python(RENDER);
    let child = child.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut child = child.unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || {
        for old in documents {
            let new = markdown::rewrite(old.as_bytes(), &context, &settings);
            assert!(new.examined.disagreement.is_none(), "{old:?}");
            let new = std::str::from_utf8(&new.document).unwrap();
            let again = markdown::rewrite(new.as_bytes(), &context, &settings);
            assert!(!again.is_changed(), "{new:?}");
            writeln!(stdin, "{}", serde_json::to_string(&[&*old, new]).unwrap()).unwrap();
        }
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success());
    Some(String::from_utf8(output.stdout).unwrap())
}

/// `ABSLINK_DOCUMENTS=20000` takes more.
#[test]
#[ignore = "slow tier: another program"]
fn cmark_gfm_shows_the_same_but_for_links() {
    let count = std::env::var("ABSLINK_DOCUMENTS").map_or(2_000, |count| count.parse().unwrap());
    let mut random = Random(1);
    let documents = (0..count).map(move |_| {
        let mut document = document(&mut random, 0);
        if random.one_in(8) {
            document = document.replace('\n', "\r\n");
        }
        if random.one_in(20) {
            document.insert(0, '\u{feff}');
        }
        document
    });
    assert_eq!(differences(documents).unwrap_or_default(), "");
}

/// Every example of CommonMark and GFM, but for those that a table leaves out.
#[test]
#[ignore = "slow tier: another program"]
fn the_examples_of_the_specifications_are_shown_the_same() {
    let table = include_str!("../../testdata/markdown-examples.txt");
    let rows = table.lines().filter(|line| !line.starts_with('#'));
    let left_out = rows.map(|row| serde_json::from_str(row.split_once('\t').unwrap().0).unwrap());
    let left_out: Vec<String> = left_out.collect();
    for specification in ["commonmark.txt", "gfm.txt"] {
        let Some(path) = skip::suite(&format!("markdown/{specification}")) else {
            return;
        };
        let text = std::fs::read_to_string(path).unwrap();
        let fence = format!("\n{} example", "`".repeat(32));
        let examples = text.split(&fence).skip(1);
        let examples = examples.map(|example| {
            let (_, example) = example.split_once('\n').unwrap();
            let (source, _) = example.split_once("\n.\n").unwrap_or_default();
            source.replace('→', "\t") + "\n"
        });
        let mut examples: Vec<String> = examples.collect();
        let all = examples.len();
        examples.retain(|example| !left_out.contains(example));
        assert_eq!(examples.len(), all - left_out.len());
        assert!(all > 600, "{all}");
        let found = differences(examples.into_iter());
        assert_eq!(found.unwrap_or_default(), "", "{specification}");
    }
}

/// Whatever a document has much of, it is read, written and read again in time by its length.
#[test]
#[ignore = "slow tier: time"]
fn time_is_linear() {
    let context = Context::retrieved_from("https://h.org/d/a.md").unwrap();
    let mut settings = Settings::default();
    settings.verify = abslink_verify::second_reader();
    for piece in [
        "> a [x](y)\n",
        "> <b>\n",
        "> [x\n",
        "[",
        "![",
        ">",
        "- ",
        "*a",
        "a <script> ",
        "<title>\n\n",
        "<p><title><style>",
        "<p><a title=\"\n\n",
        "[x]: y\n",
        "[x](y \"",
        "| a | [x](y) |\n",
        "`a",
        "http://a/[",
        "www.a/",
        "<!-- abslink-ignore -->",
        "a <![CDATA[ ",
    ] {
        let make = |count| piece.repeat(count) + "\n\n]]> <b>";
        growth::is_linear(piece, 20_000, make, |text| {
            markdown::rewrite(text.as_bytes(), &context, &settings);
        });
    }
}

/// A long document takes no more than ten times of what one may become.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "slow tier: memory"]
fn memory_is_bounded() {
    let sandbox = Sandbox::new();
    let text =
        "# What it does\n\n".to_owned() + &"Some words of text. ".repeat(12) + "[a](b.md)\n\n";
    sandbox.write("a.md", text.repeat(markdown::LONGEST * 3 / 4 / text.len()));
    let mut command = crate::support::links::abslink();
    command.current_dir(sandbox.path());
    command.args("rewrite -q -b https://e.org/ -o out a.md".split(' '));
    let (ended, peak) = crate::support::peak::run(&mut command);
    assert!(ended.success());
    assert!(peak < 10 * markdown::LONGEST as u64, "{} MiB", peak >> 20);
}
