//! The server that a browser asks for documents, and tells what it finds.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;

use super::documents::{Kind, Page};

/// What a browser says of a document.
pub(super) struct Found {
    pub(super) nth: u64,
    pub(super) kind: Kind,
    /// The document, as well as it can be shown.
    pub(super) text: String,
    /// What the second reader says of it.
    pub(super) alarm: Option<String>,
    /// How many URLs the browser resolved.
    pub(super) targets: usize,
    /// Whether the document is not well-formed as it was.
    pub(super) broken: bool,
    /// The first lines of the two trees that differ.
    pub(super) shown: Option<[String; 2]>,
}

pub(super) struct Server {
    listener: TcpListener,
    origin: String,
}

/// A request: its path, its body, and who waits for the answer.
struct Asked {
    path: String,
    body: String,
    answer: Sender<Answer>,
}

/// Media type, body, and whether it is a document of the test.
type Answer = (&'static str, Arc<[u8]>, bool);

const DRIVER: &str = include_str!("driver.js");

/// Nothing that a document names is asked for, and no script runs.
const POLICY: &str = "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'\r\n";

/// A browser that says nothing for so long is dead.
const PATIENCE: Duration = Duration::from_secs(300);

impl Server {
    pub(super) fn start() -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        Server { listener, origin }
    }

    pub(super) fn origin(&self) -> &str {
        &self.origin
    }

    /// Gives so many pages to the browser, one after the other.
    pub(super) fn serve(
        self,
        count: u64,
        page: &dyn Fn(u64, &str) -> Page,
    ) -> Result<Vec<Found>, String> {
        let (sender, asked) = mpsc::channel::<Asked>();
        let sender = Mutex::new(sender);
        let listener = self.listener;
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let sender = sender.lock().unwrap().clone();
                std::thread::spawn(move || converse(stream, &sender));
            }
        });
        let mut state = State {
            found: Vec::new(),
            page: None,
            is_made: false,
            nth: 0,
        };
        loop {
            let asked = match asked.recv_timeout(PATIENCE) {
                Ok(asked) => asked,
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    return Err(format!(
                        "it says nothing after {} documents",
                        state.found.len()
                    ));
                }
            };
            let answer = match asked.path.as_str() {
                "/driver" => (
                    "text/html; charset=utf-8",
                    driver().into_bytes().into(),
                    false,
                ),
                "/next" if state.nth == count => {
                    let _ = asked.answer.send(json("null"));
                    return Ok(state.found);
                }
                "/next" => state.next(&self.origin, page),
                "/made" => {
                    state.is_made = true;
                    json("0")
                }
                "/found" => {
                    state.found(&asked.body);
                    json("0")
                }
                "/failed" => return Err(asked.body),
                path => state.document(path),
            };
            let _ = asked.answer.send(answer);
        }
    }
}

struct State {
    found: Vec<Found>,
    page: Option<Page>,
    is_made: bool,
    nth: u64,
}

impl State {
    fn next(&mut self, origin: &str, page: &dyn Fn(u64, &str) -> Page) -> Answer {
        let base = format!("{origin}/d/e/{}?q", self.nth);
        let page = page(self.nth, &base);
        (self.page, self.is_made) = (Some(page), false);
        self.nth += 1;
        json(&format!("{{\"url\": {}}}", Value::from(base)))
    }

    fn found(&mut self, body: &str) {
        let said: Value = serde_json::from_str(body).unwrap();
        let Some(page) = self.page.take() else { return };
        let line = |at: usize| said["shown"][at].as_str().unwrap_or_default().to_owned();
        self.found.push(Found {
            nth: self.nth - 1,
            kind: page.kind,
            text: String::from_utf8_lossy(&page.old).into_owned(),
            alarm: page.alarm,
            targets: said["targets"].as_u64().unwrap_or_default() as usize,
            broken: said["broken"].as_bool().unwrap_or_default(),
            shown: said["shown"].is_array().then(|| [line(0), line(1)]),
        });
    }

    /// The document whose turn it is; nothing for what else a browser asks for.
    fn document(&self, path: &str) -> Answer {
        let is_it = path == format!("/d/e/{}?q", self.nth.wrapping_sub(1));
        let Some(page) = self.page.as_ref().filter(|_| is_it) else {
            return ("text/plain", Arc::from(*b""), true);
        };
        let bytes = if self.is_made { &page.new } else { &page.old };
        (page.kind.media_type(), bytes.as_slice().into(), true)
    }
}

fn json(text: &str) -> Answer {
    ("application/json", text.as_bytes().into(), false)
}

fn driver() -> String {
    let table = include_str!("../../../testdata/html/places.tsv");
    let rows = table.lines().filter(|line| !line.starts_with("# "));
    // Places of any element, and of any custom one.
    let anywhere = [
        "html * href",
        "html * src",
        "html *-* poster",
        "html *-* srcset",
        "math * href",
        "math * xlink:href",
    ]
    .map(str::to_owned);
    let places: BTreeSet<String> = rows
        .map(|line| line.split('\t').take(3).collect::<Vec<_>>().join(" "))
        .chain(anywhere)
        .collect();
    let places = Value::from(Vec::from_iter(places));
    let mut page =
        String::from("<!DOCTYPE html><meta charset=utf-8><title>t</title><body><script>");
    let _ = write!(page, "const PLACES = new Set({places});{DRIVER}</script>");
    page
}

/// One request, and the answer to it.
fn converse(mut stream: TcpStream, sender: &Sender<Asked>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut line = String::new();
    if reader.read_line(&mut line).unwrap_or_default() == 0 {
        return;
    }
    let Some(path) = line.split(' ').nth(1).map(str::to_owned) else {
        return;
    };
    let mut length = 0;
    loop {
        line.clear();
        if reader.read_line(&mut line).unwrap_or_default() == 0 {
            return;
        }
        let field = line.trim_end().to_ascii_lowercase();
        if let Some(value) = field.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap_or_default();
        }
        if field.is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    if reader.read_exact(&mut body).is_err() {
        return;
    }
    let body = String::from_utf8_lossy(&body).into_owned();
    let (answer, answered) = mpsc::channel();
    if sender.send(Asked { path, body, answer }).is_err() {
        return;
    }
    let Ok((media_type, body, is_document)) = answered.recv() else {
        return;
    };
    let policy = if is_document { POLICY } else { "" };
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: {media_type}\r\nContent-Length: {}\r\n\
         Cache-Control: no-store\r\nConnection: close\r\n{policy}\r\n",
        body.len()
    );
    let _ = stream.write_all(head.as_bytes());
    let _ = stream.write_all(&body);
}
