//! A web server for wget, which takes it for a proxy, so that the tree can have any URL.

use std::fs;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::thread;

use crate::tree::BASE;

/// Serves the documents of a tree below [`BASE`] for as long as this program runs; returns its
/// address.
pub(crate) fn serve(tree: PathBuf) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port for a server");
    let address = listener.local_addr().expect("a port has an address");
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // A client that hangs up does not matter.
            let _ = answer(stream, &tree);
        }
    });
    format!("http://{address}/")
}

fn answer(mut stream: TcpStream, tree: &Path) -> io::Result<()> {
    let mut lines = BufReader::new(&stream).lines();
    let request = lines.next().transpose()?.unwrap_or_default();
    while lines
        .next()
        .transpose()?
        .is_some_and(|line| !line.is_empty())
    {}
    let url = request.split(' ').nth(1).unwrap_or_default();
    let path = url.strip_prefix(BASE).map(decoded).unwrap_or_default();
    match fs::read(tree.join(path)) {
        Ok(page) => {
            let length = page.len();
            write!(
                stream,
                "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\nContent-Length: {length}\r\n\r\n"
            )?;
            stream.write_all(&page)
        }
        Err(_) => stream.write_all(b"HTTP/1.0 404 Not Found\r\nContent-Length: 0\r\n\r\n"),
    }
}

/// A path without percent-encoding.
fn decoded(path: &str) -> String {
    let mut parts = path.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        match part
            .get(..2)
            .and_then(|hex| u8::from_str_radix(hex, 16).ok())
        {
            Some(byte) => {
                bytes.push(byte);
                bytes.extend(&part.as_bytes()[2..]);
            }
            None => bytes.extend([b"%", part.as_bytes()].concat()),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
