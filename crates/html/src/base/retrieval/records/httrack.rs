//! Layout `httrack`: `host[_port]/directories/file`, as HTTrack writes it by default.
//!
//! HTTrack gives every page the ending of its media type (`view.php` becomes `view.html`), and a
//! page with a query its own name (`index4658.html`, from the MD5 of the query). Directories stay,
//! so the base of relative references is right; only the map `hts-cache/new.txt` has the URL
//! itself.

use super::super::Assumptions;
use super::super::host::{self, Host};
use super::super::path::{self, is_path_byte, split_name};
use super::super::url_evidence::{Caveat, UrlEvidence};

/// The separator between host and port.
pub(crate) const PORT_SEPARATOR: char = '_';

/// §3.3: what the path of a document says.
///
/// # Examples
/// ```
/// use abslink_html::base::retrieval::httrack;
/// use abslink_html::retrieval::Assumptions;
/// let evidence = httrack::evidence(b"127.0.0.1_8080/a/b.html", &Assumptions::default());
/// let evidence = evidence.expect("there is a host");
/// assert_eq!(evidence.says, "https://127.0.0.1:8080/a/b.html");
/// ```
pub fn evidence(path: &[u8], assumptions: &Assumptions) -> Option<UrlEvidence> {
    let (directory, path) = host::split_first(path)?;
    let host = Host::read(directory, PORT_SEPARATOR, assumptions.any_host)?;
    if has_folded(path) {
        return None;
    }
    let mut caveats: Vec<Caveat> = assumptions.scheme_caveat().into_iter().collect();
    caveats.extend(is_made_up(split_name(path).1).then_some(Caveat::Renamed));
    let url = host.root(assumptions.scheme());
    let evidence = path::below(url, path, None, &assumptions.index, is_path_byte);
    Some(evidence.with(caveats).with(host.caveat))
}

/// Whether a path seems to have the URL of a page in it, as web archives have it: HTTrack folds its slashes and
/// writes `_` for its colon, and only the map or the comment tells what there was.
fn has_folded(path: &[u8]) -> bool {
    let mut names = path.split(|&byte| byte == b'/').peekable();
    while let Some(name) = names.next() {
        let host = names.peek().and_then(|next| std::str::from_utf8(next).ok());
        let is_host = |host| Host::read(host, PORT_SEPARATOR, false).is_some();
        if matches!(name, b"http_" | b"https_") && host.is_some_and(is_host) {
            return true;
        }
    }
    false
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
