//! A server for testdata/site/in, and for a page with links that mirroring programs have to rename
//! or to follow to another host. It ends every page with a comment that names what was asked for, so
//! that each mirrored file carries the truth about its URL in a place where abslink does not look.

use std::fs;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};

/// Begins the comment at the end of a page; what was asked for follows.
pub(super) const BEGIN: &str = "<!--asked for ";

/// Begins the comment at the end of what the server says where it has nothing; what was asked for
/// follows.
pub(super) const GONE: &str = "<!--not found: ";

/// A page of links to what the server does not have, but for the last one.
pub(super) const FAILED: (&str, [&str; 7]) = (
    "/failed/",
    [
        "gone.html",
        "gone",
        "gone.js",
        "list?page=2",
        "s/x.png",
        "a%20b",
        "../guide/",
    ],
);

/// Serves testdata/site/in for as long as the tests run.
pub(super) fn serve() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // A client that hangs up is its own affair.
            std::thread::spawn(move || answer(stream).is_ok());
        }
    });
    format!("http://{address}")
}

fn site() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/site/in")
}

fn answer(mut stream: TcpStream) -> io::Result<()> {
    let mut lines = BufReader::new(&stream).lines();
    let request = lines.next().transpose()?.unwrap_or_default();
    let mut host = String::new();
    while let Some(line) = lines.next().transpose()?.filter(|line| !line.is_empty()) {
        if let Some(("Host", value)) = line.split_once(": ") {
            host = value.to_owned();
        }
    }
    let target = request.split(' ').nth(1).unwrap_or("/").to_owned();
    let (head, body) = respond(&target, &host);
    write!(
        stream,
        "HTTP/1.0 {head}\r\nContent-Length: {}\r\n\r\n",
        body.len()
    )?;
    if !request.starts_with("HEAD") {
        stream.write_all(&body)?;
    }
    Ok(())
}

/// The status line with the fields that differ, and the body.
fn respond(target: &str, host: &str) -> (String, Vec<u8>) {
    if target == "/old/place" {
        return (
            "302 Found\r\nLocation: /guide/install.html".to_owned(),
            Vec::new(),
        );
    }
    let asked = format!("{BEGIN}http://{host}{target}-->\n");
    if let Some(mut page) = names_page(target) {
        page.push_str(&asked);
        let head = "200 OK\r\nContent-Type: text/html".to_owned();
        return (head, page.into_bytes());
    }
    if target == FAILED.0 {
        let links = FAILED.1.map(|link| format!("<a href=\"{link}\">x</a>\n"));
        let page = format!("<html><body>{}</body></html>{asked}", links.concat());
        let head = "200 OK\r\nContent-Type: text/html".to_owned();
        return (head, page.into_bytes());
    }
    let Some(file) = file_of(target) else {
        let page = format!(
            "<html><body><a href=home.html>Not found</a>{GONE}http://{host}{target}--></body></html>"
        );
        let head = "404 Not Found\r\nContent-Type: text/html".to_owned();
        return (head, page.into_bytes());
    };
    if file.is_dir() {
        return (
            format!("301 Moved Permanently\r\nLocation: {target}/"),
            Vec::new(),
        );
    }
    let Ok(mut body) = fs::read(&file) else {
        return ("404 Not Found".to_owned(), Vec::new());
    };
    let name = file.to_string_lossy();
    let kind = match name.rsplit('.').next().unwrap_or_default() {
        "css" => "text/css",
        "js" => "text/javascript",
        "png" => "image/png",
        "txt" => "text/plain",
        // With a type that has `html` in it, wget -E would make it notes.xhtml.html, which is HTML
        // for whoever opens the file.
        "xhtml" => "application/xml",
        _ => "text/html",
    };
    if kind.ends_with("ml") {
        body.extend(asked.bytes());
    }
    (format!("200 OK\r\nContent-Type: {kind}"), body)
}

/// Where [`names_page`] is; the authority of another host follows.
pub(super) const NAMES: &str = "/guide/names.php?other=";

/// A page of links whose files have other names.
fn names_page(target: &str) -> Option<String> {
    let other = target.strip_prefix(NAMES)?;
    Some(format!(
        "<html><body><a href=\"install.html?a=1&amp;b=2#c\">a</a>
        <a href=\"install.html?u=%2Fx\">b</a> <a href=\"install.html?u=100%25\">c</a>
        <a href=\"?other={other}\">d</a> <a href=\"./\">e</a> <a href=\"/guide/\">f</a>
        <a href=\"advanced/?x#y\">g</a> <a href=\"nowhere.html?a\">h</a> <a href=\"#x\">i</a>
        <a href=\"http://{other}/guide/install.html#top\">j</a>
        <a href=\"//{other}/guide/install.html?page=2\">k</a>
        <img src=\"../gallery/pixel.png?v=3\" srcset=\"../gallery/pixel.png?v=4 2x\">
        <link rel=stylesheet href=\"../style.css?v=5\">
        <a href=\"../legacy/price%20list.html\">l</a></body></html>\n"
    ))
}

/// The page that the server has at a path, without the comment.
pub(super) fn page_of(target: &str) -> Option<Vec<u8>> {
    match names_page(target) {
        Some(page) => Some(page.into_bytes()),
        None => fs::read(file_of(target)?).ok(),
    }
}

/// The file of the site that a request is for: the query makes no other page.
fn file_of(target: &str) -> Option<PathBuf> {
    let path = target.split('?').next()?.trim_start_matches('/');
    let path = path.replace("%20", " ");
    if path.split('/').any(|it| it == "..") {
        return None;
    }
    let file = site().join(&path);
    if !(path.is_empty() || path.ends_with('/')) {
        return file.exists().then_some(file);
    }
    let mut pages = ["index.html", "index.htm"]
        .iter()
        .map(|name| file.join(name));
    pages.find(|page| page.is_file())
}
