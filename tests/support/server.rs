//! A plain server of a directory: what any web server does with files, and no more.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// The server, for as long as the tests run.
pub(crate) struct Server {
    /// Scheme, host and port.
    pub(crate) origin: String,
    missing: Arc<Mutex<BTreeSet<String>>>,
}

impl Server {
    /// Serves a directory, which need not be there yet, on 127.0.0.1.
    pub(crate) fn of(directory: &Path) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let missing = Arc::default();
        let (of_threads, directory) = (Arc::clone(&missing), directory.to_owned());
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (missing, directory) = (Arc::clone(&of_threads), directory.clone());
                // A client that hangs up is its own affair.
                std::thread::spawn(move || answer(stream, &directory, &missing).is_ok());
            }
        });
        Server { origin, missing }
    }

    /// The paths that were asked for and are not there: each was answered with 404.
    pub(crate) fn missing(&self) -> BTreeSet<String> {
        self.missing.lock().unwrap().clone()
    }
}

fn answer(
    mut stream: TcpStream,
    directory: &Path,
    missing: &Mutex<BTreeSet<String>>,
) -> io::Result<()> {
    let mut lines = BufReader::new(&stream).lines();
    let request = lines.next().transpose()?.unwrap_or_default();
    while let Some(line) = lines.next().transpose()? {
        if line.is_empty() {
            break;
        }
    }
    // Browsers open more connections than they use.
    let Some(path) = request.split(' ').nth(1) else {
        return Ok(());
    };
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let (head, body) = match file(directory, path) {
        Some(file) if file.is_dir() => (
            format!("301 Moved Permanently\r\nLocation: {path}/"),
            Vec::new(),
        ),
        Some(file) => {
            let body = fs::read(&file)?;
            (
                format!("200 OK\r\nContent-Type: {}", kind(&file, &body)),
                body,
            )
        }
        None => {
            missing.lock().unwrap().insert(path.to_owned());
            ("404 Not Found".to_owned(), Vec::new())
        }
    };
    let length = body.len();
    write!(
        stream,
        "HTTP/1.0 {head}\r\nContent-Length: {length}\r\n\r\n"
    )?;
    if !request.starts_with("HEAD") {
        stream.write_all(&body)?;
    }
    Ok(())
}

/// The file of a path, or the directory to whose slash it leads.
fn file(directory: &Path, path: &str) -> Option<PathBuf> {
    let decoded = decoded(path.trim_start_matches('/'))?;
    if decoded.split('/').any(|it| it == "..") {
        return None;
    }
    let file = directory.join(&decoded);
    match decoded.is_empty() || decoded.ends_with('/') {
        true => Some(file.join("index.html")).filter(|index| index.is_file()),
        false => file.exists().then_some(file),
    }
}

fn decoded(path: &str) -> Option<String> {
    let mut parts = path.split('%');
    let mut bytes = parts.next()?.as_bytes().to_vec();
    for part in parts {
        bytes.push(u8::from_str_radix(part.get(..2)?, 16).ok()?);
        bytes.extend(part[2..].bytes());
    }
    String::from_utf8(bytes).ok()
}

/// The media type, by the name; of what mirrors name after a query, by how it begins.
fn kind(file: &Path, body: &[u8]) -> &'static str {
    match file.extension().and_then(|ending| ending.to_str()) {
        Some("html" | "htm") => "text/html",
        Some("css") => "text/css",
        Some("js") => "text/javascript",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("woff2") => "font/woff2",
        Some("txt") => "text/plain",
        Some("xhtml") => "application/xhtml+xml",
        _ if body.trim_ascii_start().starts_with(b"<") => "text/html",
        _ => "application/octet-stream",
    }
}
