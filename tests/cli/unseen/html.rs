//! `crates/html`.

use crate::cli::Sandbox;

/// A character between U+0080 and U+009F has no character reference in HTML, where `&#128;` is `€`.
#[test]
fn what_has_no_character_reference_is_percent_encoded() {
    let sandbox = Sandbox::new();
    for (charset, expected) in [
        ("koi8-r", "http://h/%C2%80/x"),
        ("utf-8", "http://h/\u{80}/x"),
    ] {
        let page = format!("<meta charset={charset}><a href=x>");
        let ran = sandbox.run_with_input("rewrite -q -b http://h/\u{80}/ -", &page);
        assert!(ran.stdout.contains(&format!("href={expected}>")), "{ran:?}");
    }
}
