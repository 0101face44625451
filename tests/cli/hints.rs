//! What a run says about links that it passes over, or that look wrong.

use serde_json::Value;

use super::Sandbox;

/// What a browser gets is shown as it is in the document's encoding.
#[test]
fn what_a_browser_gets_is_spelled_in_the_encoding() {
    let sandbox = Sandbox::new();
    let page = b"<meta charset=cp1252><a href='///x/?\x81\x8d\x8f\x90\x9d\xe9'><img src='w?\xe9'><base href=/q/>";
    sandbox.write("p.html", page);
    let ran = sandbox.run("links -q --format json -b http://h/a/ p.html");
    let found: Vec<Value> = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(
        found[0]["divergent"], "http://x/?%81%8D%8F%90%9D%E9",
        "{}",
        ran.stdout
    );
    assert_eq!(found[1]["divergent"], "http://h/a/w?%E9", "{}", ran.stdout);
}

/// Which of several documents is finished first makes no difference.
#[test]
fn the_group_that_keeps_a_base_is_that_of_the_first_document() {
    let sandbox = Sandbox::new();
    for number in 0..40 {
        let place = match number % 2 {
            0 => "<meta property=og:url content=x>",
            _ => "<img data-src=x>",
        };
        let more = "<p>".repeat(if number == 0 { 100_000 } else { 1 });
        let page = format!("<base href=http://o/>{place}{more}");
        sandbox.write(format!("p/{number:02}.html"), &page);
    }
    for jobs in ["1", "2", "8"] {
        let ran = sandbox.run(&format!(
            "rewrite --dry-run -j {jobs} --remove-base -b http://h/ p"
        ));
        let kept = "0 removed, 40 kept for links left relative, as in the group meta\n";
        ran.says(kept);
    }
}
