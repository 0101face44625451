//! Files that a run writes besides documents: nothing else is written there, and they are written whatever
//! becomes of standard output.

use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};

use super::Ran;
use crate::support::links::abslink;

const PAGE: &str = "<a href=g>";

fn site() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path();
    for sub in ["site/sub", "out"] {
        fs::create_dir_all(root.join(sub)).unwrap();
    }
    for page in ["page.html", "site/index.html", "site/sub/a.html"] {
        fs::write(root.join(page), PAGE).unwrap();
    }
    fs::write(
        root.join("map.csv"),
        "path,url\nsite/index.html,http://h/\n",
    )
    .unwrap();
    directory
}

fn run(root: &Path, arguments: &str) -> Command {
    let mut command = abslink();
    command.current_dir(root).args(arguments.split_whitespace());
    command
}

#[test]
fn a_place_that_the_run_has_another_use_for_is_refused() {
    let directory = site();
    let root = directory.path();
    for (arguments, why) in [
        (
            "rewrite -b http://h/ -i page.html --format html=page.html",
            "it is a PATH",
        ),
        (
            "rewrite -b http://h/ -i page.html --format sarif=./page.html",
            "it is a PATH",
        ),
        (
            "check page.html --format text --format sarif=page.html",
            "it is a PATH",
        ),
        (
            "check page.html --format text=site/../page.html",
            "it is a PATH",
        ),
        (
            "check -b http://h/ site --format html=site/index.html",
            "the file there is not a report by abslink",
        ),
        (
            "rewrite -b http://h/ -i site --format html=site/sub/../index.html",
            "the file there is not a report by abslink",
        ),
        (
            "check -b http://h/ . --format json --format markdown=site/sub/a.html",
            "the file there is not a report by abslink",
        ),
        (
            "rewrite -b http://h/ -o out site --format html=out/index.html",
            "writes a file",
        ),
        (
            "rewrite -b http://h/ -o out page.html --format junit=out/page.html",
            "writes a file",
        ),
        (
            "rewrite -b http://h/ -o out --dry-run site --format html=out/index.html",
            "writes a file",
        ),
        (
            "rewrite -b http://h/ -i --backup .orig site --format html=site/index.html.orig",
            "writes a file or a backup",
        ),
        (
            "check site --url-map map.csv --format json=map.csv",
            "the map of --url-map",
        ),
        (
            "check site --format sarif=x --format gitlab=./x",
            "would both write to ./x",
        ),
        (
            "check site --format sarif=x --format html=x",
            "would both write to x",
        ),
        ("check site --format sarif=-", "names no file"),
        ("check site --format html=-", "names no file"),
    ] {
        let ran = Ran::from(&run(root, arguments).output().unwrap());
        assert_eq!(ran.code, Some(2), "{arguments}: {}", ran.stderr);
        assert!(ran.stderr.contains(why), "{arguments}: {}", ran.stderr);
        assert_eq!(fs::read_to_string(root.join("page.html")).unwrap(), PAGE);
        assert_eq!(
            fs::read_to_string(root.join("site/index.html")).unwrap(),
            PAGE
        );
        assert_eq!(
            fs::read_dir(root.join("out")).unwrap().count(),
            0,
            "{arguments}"
        );
    }
    for arguments in [
        "rewrite -b http://h/ -o out site --format html=out/report.html",
        "rewrite -b http://h/ -i --backup .orig site --format html=report.orig",
    ] {
        let ran = Ran::from(&run(root, arguments).output().unwrap());
        assert_eq!(ran.code, Some(0), "{arguments}: {}", ran.stderr);
    }
}

/// A project in which the run reads files of many kinds, under several names.
#[cfg(unix)]
fn project() -> tempfile::TempDir {
    use std::os::unix::fs::symlink;

    let directory = site();
    let root = directory.path();
    for sub in [
        "conf",
        ".git/hooks",
        "bare/objects",
        "bare/refs",
        "site/.git",
    ] {
        fs::create_dir_all(root.join(sub)).unwrap();
    }
    for (name, text) in [
        ("abslink.toml", "# nothing is set\n"),
        ("conf/other.toml", "jobs = 1\n"),
        (".gitignore", "*.tmp\n"),
        ("site/sub/.ignore", "*.tmp\n"),
        ("patterns", "*.tmp\n"),
        ("site/style.css", "a { color: red }\n"),
        ("base.jsonl", ""),
        ("bare/HEAD", "ref: refs/heads/main\n"),
    ] {
        fs::write(root.join(name), text).unwrap();
    }
    for (to, link) in [
        ("abslink.toml", "settings"),
        (".git", "g"),
        ("patterns", ".ignore"),
        ("nothing", "one"),
        ("one", "two"),
        (".git/new", "into-git"),
    ] {
        symlink(to, root.join(link)).unwrap();
    }
    fs::hard_link(root.join("conf/other.toml"), root.join("same")).unwrap();
    directory
}

#[cfg(unix)]
#[test]
fn nothing_that_the_run_reads_is_replaced() {
    let directory = project();
    let root = directory.path();
    let before = tree(root);
    for (arguments, why) in [
        (
            "check site --format html=abslink.toml",
            "the settings of this run",
        ),
        (
            "check site --format json=site/../abslink.toml",
            "the settings of this run",
        ),
        (
            "check site --write-baseline settings",
            "the settings of this run",
        ),
        (
            "rewrite -b http://h/ -i site --format gitlab=./settings",
            "the settings of this run",
        ),
        (
            "check site --config conf/other.toml --format html=conf/../conf/other.toml",
            "the settings of this run",
        ),
        (
            "check site --config conf/other.toml --format sarif=same",
            "the settings of this run",
        ),
        (
            "check site --config settings --format sarif=abslink.toml",
            "the settings of this run",
        ),
        (
            "check site --gitignore --format html=.gitignore",
            "--gitignore reads it",
        ),
        (
            "check site --gitignore --format html=patterns",
            "--gitignore reads it",
        ),
        (
            "check site --gitignore --format json=site/sub/.ignore",
            "--gitignore reads it",
        ),
        (
            "check site/sub --gitignore --format text=.ignore",
            "--gitignore reads it",
        ),
        (
            "check site --baseline base.jsonl --format json=site/../base.jsonl",
            "it is the baseline",
        ),
        (
            "check site --url-map map.csv --write-baseline ./map.csv",
            "the map of --url-map",
        ),
        (
            "check site --format sarif=one --format gitlab=two",
            "would both write to",
        ),
        (
            "check site --format sarif=two --format html=nothing",
            "would both write to",
        ),
        (
            "check site --format html=.git/hooks/pre-commit",
            "git keeps its files there",
        ),
        (
            "check site --format html=.git/config",
            "git keeps its files there",
        ),
        (
            "check site --format html=g/config",
            "git keeps its files there",
        ),
        (
            "check site --format html=into-git",
            "git keeps its files there",
        ),
        (
            "check site --format html=bare/config",
            "git keeps its files there",
        ),
        (
            "check site --write-baseline site/.git/x",
            "git keeps its files there",
        ),
        (
            "rewrite -b http://h/ -o new site --format html=new",
            "the directory of -o",
        ),
        (
            "rewrite -b http://h/ -o out --copy-others site --format html=site/style.css",
            "the file there is not a report by abslink",
        ),
        (
            "rewrite -b http://h/ -o out --root . site site/../page.html --format html=out/site/index.html",
            "writes a file",
        ),
    ] {
        let ran = Ran::from(&run(root, arguments).output().unwrap());
        assert_eq!(ran.code, Some(2), "{arguments}: {}", ran.stderr);
        assert!(ran.stderr.contains(why), "{arguments}: {}", ran.stderr);
        assert_eq!(tree(root), before, "{arguments}");
    }
    let mut command = run(root, "rewrite -b http://h/ - --format html=page.html");
    command.stdin(fs::File::open(root.join("page.html")).unwrap());
    let ran = Ran::from(&command.output().unwrap());
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("it is standard input"),
        "{}",
        ran.stderr
    );
    assert_eq!(tree(root), before);
}

/// What the run has no other use for is replaced, wherever links lead.
#[cfg(unix)]
#[test]
fn a_link_to_nothing_gets_its_file() {
    let directory = project();
    let root = directory.path();
    for arguments in [
        "check site --format sarif=two",
        "check site --no-config --format html=patterns",
        "check site --format html=patterns",
    ] {
        let ran = Ran::from(&run(root, arguments).output().unwrap());
        assert_eq!(ran.code, Some(1), "{arguments}: {}", ran.stderr);
    }
    assert!(root.join("two").is_symlink() && root.join("one").is_symlink());
    let sarif = fs::read_to_string(root.join("nothing")).unwrap();
    assert!(sarif.contains("sarif"), "{sarif}");
    let report = fs::read_to_string(root.join("patterns")).unwrap();
    assert!(report.ends_with("</html>\n"), "{report}");
}

/// Every file below a directory, and its contents.
#[cfg(unix)]
fn tree(root: &Path) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let entries = walkdir::WalkDir::new(root).sort_by_file_name();
    let paths = entries.into_iter().map(|entry| entry.unwrap().into_path());
    paths
        .map(|path| (path.clone(), fs::read(path).unwrap_or_default()))
        .collect()
}

/// A report in a tree is no document of the next run: what it quotes stays as it was.
#[test]
fn a_report_is_ignored_by_the_next_run() {
    let directory = site();
    let root = directory.path();
    let first = Ran::from(
        &run(root, "check site --format html=site/report.html")
            .output()
            .unwrap(),
    );
    assert_eq!(first.code, Some(1), "{}", first.stderr);
    let report = fs::read(root.join("site/report.html")).unwrap();
    let mark = b"<!-- abslink-ignore-file -->";
    assert!(
        report[..1024]
            .windows(mark.len())
            .any(|window| window == mark)
    );
    // As if it had links.
    let text = String::from_utf8(report).unwrap();
    let text = text.replacen("<body>", "<body><a href=x>", 1);
    fs::write(root.join("site/report.html"), &text).unwrap();
    let second = Ran::from(&run(root, "rewrite -b http://h/ -i site").output().unwrap());
    assert_eq!(second.code, Some(0), "{}", second.stderr);
    assert_eq!(
        fs::read_to_string(root.join("site/report.html")).unwrap(),
        text
    );
}

/// The report of an earlier run may be replaced, also where documents are.
#[test]
fn a_report_takes_the_place_of_an_older_one() {
    let directory = site();
    for _ in 0..2 {
        let arguments =
            "check -b http://h/ . --format html=site/report.html --format json=site/x.json";
        let ran = Ran::from(&run(directory.path(), arguments).output().unwrap());
        assert_eq!(ran.code, Some(1), "{}", ran.stderr);
        let report = fs::read_to_string(directory.path().join("site/report.html")).unwrap();
        assert!(report.ends_with("</html>\n"), "{report}");
    }
}

/// A listing on standard output ends with its reader; documents and files do not.
#[test]
fn who_reads_standard_output_ends_no_rewrite() {
    let directory = site();
    let root = directory.path();
    for number in 0..200 {
        let page = PAGE.repeat(20);
        fs::write(root.join(format!("site/{number}.html")), page).unwrap();
    }
    for (arguments, code) in [
        (
            "check -j1 -b http://h/ site --format text --format sarif=s.sarif --format html=r.html",
            1,
        ),
        (
            "check -j1 -b http://h/ site --format text --format html=r.html",
            1,
        ),
        (
            "rewrite -q -j1 -b http://h/ -i site --format gitlab --format sarif=s.sarif --format html=r.html",
            0,
        ),
    ] {
        let [sarif, report] = ["s.sarif", "r.html"].map(|name| root.join(name));
        let _ = (fs::remove_file(&sarif), fs::remove_file(&report));
        let mut child = run(root, arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut some = [0; 10];
        let _ = child.stdout.take().unwrap().read(&mut some);
        let ended = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(code), "{arguments}: {said}");
        if arguments.contains("html=") {
            assert!(report.is_file(), "{arguments}");
        }
        if arguments.contains("s.sarif") {
            let sarif = fs::read_to_string(&sarif).unwrap();
            serde_json::from_str::<serde_json::Value>(&sarif).unwrap();
        }
    }
    let page = fs::read_to_string(root.join("site/199.html")).unwrap();
    assert_eq!(page, "<a href=http://h/g>".repeat(20));
}
