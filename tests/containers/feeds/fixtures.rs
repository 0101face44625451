//! Feeds like those that real programs write, before and after: testdata/feeds/.

use std::fs;
use std::path::Path;

use crate::cli::Sandbox;

/// Each at the URL that it has: `https://www.example.com/feeds/NAME`.
#[test]
fn each_becomes_what_stands_beside_it() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/feeds");
    let sandbox = Sandbox::new();
    let mut count = 0;
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let [before, after] =
            ["in.xml", "out.xml"].map(|it| fs::read_to_string(path.join(it)).unwrap());
        let command = format!("rewrite --verify -b https://www.example.com/feeds/{name} f.xml");
        for feed in [&before, &after] {
            sandbox.write("f.xml", feed);
            let ran = sandbox.run(&command);
            assert_eq!(
                (ran.code, &ran.stdout),
                (Some(0), &after),
                "{name}: {}",
                ran.stderr
            );
            // Nothing in them is unknown.
            ran.never_says("unknown element");
            let read = roxmltree::Document::parse(&ran.stdout);
            assert!(read.is_ok(), "{name}: {read:?}");
        }
        count += 1;
    }
    assert!(count >= 5, "{count}");
}
