//! What is typed and what a file sets, where the two exclude each other.

use super::{project, refused};

/// A web archive has its own URLs, whatever its tree has, and however it is named.
#[test]
fn the_url_of_a_tree_is_not_about_an_archive_in_it() {
    let archive = "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://a/d/\r\n\
                   WARC-Record-ID: <urn:uuid:1>\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n\
                   Content-Type: text/html\r\nContent-Length: 10\r\n\r\n<a href=x>\r\n\r\n";
    let part = "[[files]]\ninclude = [\"site\"]\nbase-url = \"http://h/\"\n";
    for settings in [
        "base-url = \"http://h/\"\n",
        "url-map = \"map.csv\"\n",
        part,
    ] {
        let sandbox = project(settings);
        sandbox.write("map.csv", "path,url\n");
        sandbox.write("site/index.html", "");
        sandbox.write("site/a.warc", archive);
        for path in ["site/a.warc", "site", "site/a.warc site/a.warc"] {
            let ran = sandbox.run(&format!("links {path}"));
            assert!(
                ran.code == Some(0) && ran.stdout.contains("\"http://a/d/x\""),
                "{settings} {path}: {}",
                ran.stderr
            );
        }
        let ran = sandbox.run_with_input("links -", archive);
        assert!(ran.stdout.contains("\"http://a/d/x\""), "{}", ran.stderr);
        // What is typed is about what is typed with it.
        refused(
            &sandbox.run("links -b http://h/ site/a.warc"),
            "--base-url is not for web archives",
        );
    }
}
