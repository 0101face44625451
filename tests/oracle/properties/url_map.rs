//! What holds for every map of paths and URLs.

use std::io::BufReader;

use abslink::retrieval::UrlMap;
use abslink_html::base::retrieval::url_map;

use super::check::{Checked, same};

/// A map says the same however it is read and in whatever order its lines are, and is asked for
/// each of its paths once.
pub(crate) fn url_map(input: &[u8]) -> Checked {
    let whole = said(UrlMap::read(input))?;
    for capacity in [1, 2, 13] {
        let pieces = BufReader::with_capacity(capacity, input);
        same("read in pieces", &said(UrlMap::read(pieces))?, &whole)?;
    }
    let Ok(whole) = whole else { return Ok(()) };
    let is_sorted = whole.windows(2).all(|pair| pair[0].0 < pair[1].0);
    same("in order, no path twice", is_sorted, true)?;
    let Some(lines) = lines(input) else {
        return Ok(());
    };
    let turned = said(UrlMap::read(&*turned(&lines)))??;
    if lines.len() - usize::from(!lines[0].trim_ascii_start().starts_with(b"{")) == whole.len() {
        return same("lines in another order", turned, whole);
    }
    // Of several lines with one path the last counts.
    let paths = |said: Said| -> Vec<_> { said.into_iter().map(|(path, _)| path).collect() };
    same("paths in another order", paths(turned), paths(whole))
}

/// Each path, and what the map says of it.
type Said = Vec<(Vec<u8>, String)>;

/// Asks for every path, after which none is left. The inner error is that of a map that cannot be
/// used.
fn said(map: Result<UrlMap, impl ToString>) -> Result<Result<Said, String>, String> {
    let map = match map {
        Ok(map) => map,
        Err(error) => return Ok(Err(error.to_string())),
    };
    let paths: Vec<Vec<u8>> = url_map::unasked(&map).map(<[u8]>::to_vec).collect();
    let mut said = Said::new();
    for path in paths {
        let evidence = map
            .evidence(&path)
            .ok_or("a path that it has is not found")?;
        said.push((path, evidence.says));
    }
    match url_map::unasked(&map).next() {
        Some(path) => Err(format!("{path:?} was asked for in vain")),
        None => Ok(Ok(said)),
    }
}

/// The lines, where each is a line of the map and may stand in any place.
fn lines(input: &[u8]) -> Option<Vec<&[u8]>> {
    let is_json = input.trim_ascii_start().starts_with(b"{");
    let ends_elsewhere = |pair: &[u8]| pair[0] == b'\r' && pair[1] != b'\n';
    if input.starts_with(b"\xef\xbb\xbf")
        || input.contains(&b'"') && !is_json
        || input.windows(2).any(ends_elsewhere)
    {
        return None;
    }
    let is_empty = |line: &[u8]| match is_json {
        true => line.trim_ascii().is_empty(),
        false => matches!(line, b"" | b"\r"),
    };
    let lines = input.split(|&byte| byte == b'\n');
    let lines = lines.skip_while(|line| line.trim_ascii().is_empty());
    let lines: Vec<&[u8]> = lines.filter(|line| !is_empty(line)).collect();
    (lines.len() > 2).then_some(lines)
}

/// With all lines but a header turned round.
fn turned(lines: &[&[u8]]) -> Vec<u8> {
    let header = usize::from(!lines[0].trim_ascii_start().starts_with(b"{"));
    let mut turned = lines.to_vec();
    turned[header..].reverse();
    turned.join(&b'\n')
}
