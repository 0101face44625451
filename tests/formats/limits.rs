//! What those who read a format take of it: no more is written, and what is left out is told.

use super::*;

/// A directory with a document of so many references in it, as many of each kind.
fn many(sandbox: &Sandbox, relative: usize, noted: usize) {
    let mut page = String::from("<base href='https://e.org/'>\n");
    page.push_str(&"<a href=x>\n".repeat(relative));
    // An absolute URL that a browser reads otherwise, on the same host.
    page.push_str(&"<a href='https:\\\\e.org\\x'>\n".repeat(noted));
    sandbox.write("d/p.html", &page);
}

#[test]
fn github_shows_ten_of_a_kind() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "d/p.html",
        format!(
            "<base href='https://e.org/'>{}{}",
            "<a href='///h/'>".repeat(12),
            "<a href='\\x'>".repeat(15)
        ),
    );
    let ran = sandbox.run("check d --format github");
    let count = |command: &str| {
        let lines = ran.stdout.lines();
        lines.filter(|line| line.starts_with(command)).count()
    };
    assert_eq!(count("::error "), 10, "{}", ran.stdout);
    assert_eq!(count("::warning "), 10);
    assert!(count("::notice ") <= 10);
    let last = ran.stdout.lines().last().unwrap();
    assert!(
        last.starts_with("::notice title=abslink::not shown here: 17 errors, "),
        "{last}"
    );
    ran.says("--format github: too many problems; ");
}

#[test]
#[ignore = "slow tier: thousands of documents"]
fn sarif_and_gitlab_have_25_000() {
    let sandbox = Sandbox::new();
    many(&sandbox, 25_001, 0);
    for format in ["sarif", "gitlab"] {
        let ran = sandbox.run(&format!("check d --format {format}"));
        let report: Value = serde_json::from_str(&ran.stdout).unwrap();
        let results = match format {
            "sarif" => &report["runs"][0]["results"],
            _ => &report,
        };
        assert_eq!(results.as_array().unwrap().len(), 25_000, "{format}");
        let told = format!("--format {format}: too many problems; 1 problem left out");
        ran.says(&told);
        if format == "sarif" {
            conforms(&ran.stdout);
            let left = &report["runs"][0]["invocations"][0]["toolExecutionNotifications"][0];
            assert_eq!(left["level"], "warning");
            assert_eq!(left["message"]["text"], "left out: 1 problem");
        }
    }
}

#[test]
fn junit_has_twenty_lines_and_markdown_a_hundred_rows() {
    let sandbox = Sandbox::new();
    many(&sandbox, 150, 0);
    let junit = sandbox.run("check d --format junit").stdout;
    let document = Document::parse(&junit).unwrap();
    let failure = document
        .descendants()
        .find(|node| node.has_tag_name("failure"))
        .unwrap();
    assert_eq!(failure.attribute("message"), Some("150 problems"));
    let text = failure.text().unwrap();
    assert_eq!(text.lines().count(), 21);
    assert!(text.ends_with("\nnot shown here: 130 problems"), "{text}");
    let markdown = sandbox.run("check d --format markdown").stdout;
    assert_eq!(markdown.matches("| `d/p.html:").count(), 100);
    assert!(
        markdown.ends_with("\nNot shown here: 50 problems\n"),
        "{markdown}"
    );
    assert!(
        markdown.contains("| `relative-reference` | 150 |"),
        "{markdown}"
    );
}

/// A value of 200 characters is shown whole, and a longer one is cut.
#[test]
fn long_values_are_cut() {
    let sandbox = Sandbox::new();
    let [whole, longer] = [200, 201].map(|length| "é".repeat(length));
    sandbox.write("d/p.html", format!("<a href={whole}><a href={longer}>"));
    let out = sandbox.run("check d --format github").stdout;
    let lines: Vec<_> = out.lines().collect();
    assert!(lines[0].ends_with(&format!("> {whole}")), "{}", lines[0]);
    assert!(lines[1].ends_with(&format!("> {whole}…")), "{}", lines[1]);
}

/// However many documents there are, only what is written is held.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "slow tier: memory"]
fn memory_does_not_grow_with_the_documents() {
    use std::io::Read as _;
    use std::process::Stdio;

    let sandbox = Sandbox::new();
    for directory in 0..40 {
        fs::create_dir_all(sandbox.path().join(format!("d/{directory:03}"))).unwrap();
        for file in 0..1_000 {
            let path = format!("d/{directory:03}/{file:03}.html");
            sandbox.write(path, "<a href=x>");
        }
    }
    let formats = FORMATS.map(|format| format!("--format={format}=r.{format}"));
    let mut child = abslink()
        .current_dir(sandbox.path())
        .args(["check", "-q", "-j2", "d"])
        .args(formats)
        // Standard output comes last, so that it is still to be read when the others are done.
        .arg("--format=json")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = child.stdout.take().unwrap();
    let (mut peak, mut piece) = (0, vec![0; 1 << 16]);
    while out.read(&mut piece).unwrap() > 0 {
        peak = crate::support::peak::resident(child.id()).unwrap_or(peak);
    }
    assert_eq!(child.wait().unwrap().code(), Some(1));
    println!("{peak} bytes");
    assert!(peak < 64 << 20, "{peak} bytes");
    assert!(peak > 1 << 20, "it was not seen");
    let junit = sandbox.read("r.junit");
    assert_eq!(junit.matches("<testsuite ").count(), 10_001);
}
