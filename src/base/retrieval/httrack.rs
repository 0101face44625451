//! Layout `httrack`: `host[_port]/directories/file`, as HTTrack writes it by default.
//!
//! HTTrack gives every page an ending of its media type (`view.php` becomes `view.html`), and a
//! page with a query a name of its own (`index4658.html`, from the MD5 of the query). Directories
//! stay, so that the base of relative references is right; the URL itself only the map
//! `hts-cache/new.txt` knows.

use super::Unrecorded;
use super::host::{self, Host, Spelled};
use super::testimony::{Doubt, Testimony};
use super::tree::{is_path_byte, split_name};

/// What stands between host and port.
pub(super) const PORT_SEPARATOR: char = '_';

/// §3.3: what the path of a document says.
///
/// # Examples
/// ```
/// use abslink::base::retrieval::{Unrecorded, httrack};
/// let testimony = httrack::testimony(b"127.0.0.1_8080/a/b.html", &Unrecorded::default());
/// let testimony = testimony.expect("there is a host");
/// assert_eq!(testimony.says, "https://127.0.0.1:8080/a/b.html");
/// ```
pub fn testimony(path: &[u8], unrecorded: &Unrecorded) -> Option<Testimony> {
    let (directory, path) = host::split_first(path)?;
    let host = Host::read(directory, PORT_SEPARATOR, unrecorded.any_host)?;
    let mut doubts: Vec<Doubt> = host::doubt(&unrecorded.scheme).into_iter().collect();
    if is_made_up(split_name(path).1) {
        doubts.push(Doubt::Renamed);
    }
    let spelled = Spelled {
        scheme: unrecorded.scheme.name(),
        host,
        path,
        query: None,
        doubts,
    };
    Some(spelled.testimony(&unrecorded.index, is_path_byte))
}

/// Whether a name ends like those that HTTrack makes up: with four hexadecimal digits, or with a
/// hyphen and a number.
fn is_made_up(name: &[u8]) -> bool {
    let stem = match name.iter().rposition(|&byte| byte == b'.') {
        Some(dot) => &name[..dot],
        None => name,
    };
    let of_hash = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let hash = stem.len() >= 4 && stem[stem.len() - 4..].iter().all(of_hash);
    let number = stem
        .iter()
        .rev()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    hash || (number > 0 && stem[..stem.len() - number].ends_with(b"-"))
}
