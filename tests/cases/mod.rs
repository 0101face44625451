//! Pages that tell what the command does: tests/cases/TOPIC.md, where a heading begins each case.
//!
//! | on the page | what it means |
//! |---|---|
//! | a line that ends with `` `NAME`: ``, before a fenced block | the file NAME of the case, with what is in the block |
//! | a block of `console` | commands, each after `$ `, run where the files are |
//! | below a command | its standard output; its standard error, after `2> `; its exit code, if not 0; each file that it wrote |
//! | `[..]`, and `...` on a line alone | anything in a line, any lines |
//! | `*Not on Windows:` at the beginning of a line | wine and Windows pass over the case |
//!
//! Each hint that is a command is run too: what it was about has to be gone.
//!
//! `ABSLINK_BLESS=1 cargo test cases` writes below each command what it does now.

mod page;

/// A test for each page.
macro_rules! pages {
    ($($topic:ident)*) => {
        const TOPICS: &[&str] = &[$(stringify!($topic)),*];
        $(
            #[test]
            fn $topic() {
                page::holds(stringify!($topic));
            }
        )*
    };
}

pages! {
    archives baseline check configuration configuration_conflicts configuration_parts directory_levels
    exit_codes feeds first_contact formats formed_files forms gitignore groups guessed_urls hints ignored
    kinds_of_files list_files mailboxes markdown messages mirror_files mirrored mirrors misread_arguments
    moved_urls nameless_trees neighbours other_files own_files passwords repositories resolvers restore rows
    runs saved_pages settings_that_are_wrong site_hints spelling templates to_files trials
    untrusted_settings usage values verify wayback which_files
}

#[test]
fn every_page_is_a_test() {
    let mut names: Vec<String> = std::fs::read_dir(page::folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().display().to_string())
        .filter_map(|name| Some(name.strip_suffix(".md")?.replace('-', "_")))
        .collect();
    names.sort();
    assert_eq!(names, TOPICS);
}

/// What is wrong with a page has to fail, or no page tests anything.
#[test]
fn a_page_that_is_not_true_is_seen() {
    let page = "# A page\n\n## A case\n\nThe page, `p.html`:\n\n```html\n<a href=x>\n```\n\n```console\n\
                $ abslink rewrite -o out -b http://h/ p.html\n\
                2> made 1 link absolute in 1 of 1 file, written to out (11 bytes in [TIME])\n\
                ==> out/p.html\n<a href=http://h/x>\n\
                $ abslink base p.html\n\
                none      p.html                                    no base URL\n\
                ...\n\
                2> hint: abslink base[..]\n\
                $ abslink check p.html\n\
                p.html:1:9: <a href> x\n\
                2> 1 relative link in 1 file (11 bytes in [TIME])\n\
                [exit 1]\n```\n";
    assert_eq!(page::run(page), page);
    for (true_, untrue) in [
        ("made 1", "made 2"),
        ("out/p.html\n<a", "out/q.html\n<a"),
        ("<a href=http://h/x>\n", "<a href=http://h/y>\n"),
        ("[exit 1]\n", ""),
        ("[exit 1]\n", "[exit 2]\n"),
        ("1:9: <a href> x", "1:9: <a href> y"),
        ("hint: abslink base", "hint: abslink links"),
    ] {
        let planted = page.replace(true_, untrue);
        assert_ne!(planted, page, "{true_}");
        assert_ne!(page::run(&planted), planted, "{untrue}");
    }
}
