//! pywb replays a crawl by wget in Chromium, as it was and as abslink writes it: pages look the same, and
//! links lead to the same absolute targets.

use std::fs;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use super::EPOCH;
use crate::support::chromium::chromium;
use crate::support::links::abslink;
use crate::support::skip;

/// The date of [`EPOCH`] as replay tools write it.
const MOMENT: &str = "20260131120000";

/// The files of the site. The script lists what the page refers to, as the browser has it.
const SITE: [(&str, &str); 5] = [
    (
        "index.html",
        "<!doctype html><title>a</title><link rel=stylesheet href=\"s.css\"><h1>Start</h1>\
         <p><a href=\"sub/page.html?a=1#x\">page</a> <a href=/sub/>there</a> <img src=i.svg>\
         <script src=\"t.js\"></script>",
    ),
    (
        "sub/page.html",
        "<!doctype html><title>b</title><link rel=stylesheet href='../s.css'><h1>Page</h1>\
         <p style=\"background: url(../i.svg)\"><a href='../'>up</a> <a href='#x'>here</a>\
         <script src=\"../t.js\"></script>",
    ),
    ("s.css", "body { background: #def; font: 20px monospace }"),
    (
        "i.svg",
        "<svg xmlns='http://www.w3.org/2000/svg' width='80' height='80'>\
         <rect width='80' height='80' fill='#c30'/></svg>",
    ),
    (
        "t.js",
        "var found = [...document.links].map(a => a.href);\n\
         found = found.concat([...document.images].map(i => i.src));\n\
         document.body.setAttribute('title', found.join(' '));",
    ),
];

/// A program that ends with the test.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Server {
    /// Starts a program that will listen at a port, and waits until it does.
    fn start(mut command: Command, port: u16) -> Server {
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut server = Server(command.spawn().unwrap());
        let started = Instant::now();
        while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
            assert_eq!(server.0.try_wait().unwrap(), None, "{command:?} ended");
            assert!(started.elapsed() < Duration::from_secs(120), "{command:?}");
            std::thread::sleep(Duration::from_millis(50));
        }
        server
    }
}

fn free_port() -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    listener.local_addr().unwrap().port()
}

fn python(directory: &Path, script: &str) -> Command {
    let mut python = Command::new("python3");
    python.args(["-c", script]).current_dir(directory);
    python
}

fn has_tools() -> bool {
    let runs = |mut command: Command| {
        let run = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
        run.is_ok_and(|status| status.success())
    };
    let version = |program| {
        let mut command = Command::new(program);
        command.arg("--version");
        runs(command)
    };
    let lacking = [
        ("wget", version("wget")),
        ("chromium", version("chromium")),
        (
            "Python's pywb",
            runs(python(Path::new("."), "import pywb.apps.cli")),
        ),
    ];
    for (name, _) in lacking.iter().filter(|(_, is_there)| !is_there) {
        skip::tool(format_args!("{name} cannot be run"));
    }
    lacking.iter().all(|(_, is_there)| *is_there)
}

fn run(mut command: Command) -> Output {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {output:?}");
    output
}

/// What the browser makes of a page: its elements, or a picture in `picture`.
fn browse(directory: &Path, url: &str, picture: Option<&Path>) -> String {
    let profile = tempfile::tempdir_in(directory).unwrap();
    let mut chromium = chromium(profile.path());
    chromium.args(["--window-size=600,400", "--virtual-time-budget=10000"]);
    chromium.arg(match picture {
        Some(picture) => format!("--screenshot={}", picture.display()),
        None => "--dump-dom".to_owned(),
    });
    chromium.arg(url);
    String::from_utf8(run(chromium).stdout).unwrap()
}

#[test]
#[ignore = "slow tier: another program"]
fn pywb_replays_what_was_rewritten() {
    if !has_tools() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path();
    for (name, contents) in SITE {
        let path = root.join("site").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, contents).unwrap();
    }
    let port = free_port();
    let site = format!("http://127.0.0.1:{port}");
    let serve = format!(
        "import http.server as h; h.test(h.SimpleHTTPRequestHandler, port={port}, bind='127.0.0.1')"
    );
    let server = Server::start(python(&root.join("site"), &serve), port);
    let mut wget = Command::new("wget");
    wget.args(["-q", "-r", "-p", "--warc-file=crawl", "--delete-after"])
        .arg(format!("{site}/"))
        .current_dir(root);
    run(wget);
    drop(server);
    for form in ["append", "response"] {
        let mut rewrite = abslink();
        rewrite
            .args(["rewrite", "-q", "--warc-as", form])
            .env(EPOCH.0, EPOCH.1)
            .arg("crawl.warc.gz")
            .current_dir(root);
        fs::write(
            root.join(form).with_extension("warc.gz"),
            run(rewrite).stdout,
        )
        .unwrap();
    }
    fs::write(root.join("config.yaml"), "framed_replay: false\n").unwrap();
    fs::create_dir(root.join("templates")).unwrap();
    // No banner with the time of day.
    fs::write(root.join("templates/banner.html"), "").unwrap();
    for name in ["crawl", "append", "response"] {
        let script = format!(
            "from pywb.manager.manager import main\n\
             main(['init', '{name}'])\n\
             main(['add', '{name}', '{name}.warc.gz'])"
        );
        run(python(root, &script));
    }
    let port = free_port();
    let wayback =
        format!("from pywb.apps.cli import wayback; wayback(['-b', '127.0.0.1', '-p', '{port}'])");
    let _wayback = Server::start(python(root, &wayback), port);

    for (page, file) in [("/", "index.html"), ("/sub/page.html?a=1", "sub/page.html")] {
        let (mut pictures, mut found) = (Vec::new(), Vec::new());
        for name in ["crawl", "append", "response"] {
            let replayed =
                |mode: &str| format!("http://127.0.0.1:{port}/{name}/{MOMENT}{mode}/{site}{page}");
            let picture = root.join("picture.png");
            browse(root, &replayed(""), Some(&picture));
            pictures.push(fs::read(&picture).unwrap());
            let elements = browse(root, &replayed(""), None);
            let (_, title) = elements.split_once("<body title=\"").expect(&elements);
            found.push(title.split('"').next().unwrap().to_owned());
            // What is served, without pywb's own changes.
            let read = format!(
                "import sys, urllib.request as r; sys.stdout.buffer.write(r.urlopen({:?}).read())",
                replayed("id_")
            );
            let served = run(python(root, &read)).stdout;
            let original = root.join("site").join(file);
            let expected = match name {
                "crawl" => fs::read(&original).unwrap(),
                _ => {
                    let mut rewrite = abslink();
                    rewrite.args(["rewrite", "-q", "-b", &format!("{site}{page}")]);
                    rewrite.arg(&original);
                    run(rewrite).stdout
                }
            };
            assert_eq!(
                String::from_utf8_lossy(&served),
                String::from_utf8_lossy(&expected),
                "{name} {page}"
            );
        }
        assert!(found[0].starts_with(&site), "{found:?}");
        assert_eq!(found[0], found[1], "{page}");
        assert_eq!(found[0], found[2], "{page}");
        assert!(
            pictures[0] == pictures[1] && pictures[0] == pictures[2],
            "{page}"
        );
    }
}
