//! The formats of maps, one line at a time.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, BufRead, Read};

use csv::ByteRecord;
use serde::Deserialize;

use super::MapError;
use super::failed::DelayedLine;
use abslink_url::password::masked_url;
use abslink_url::pre_step;
use abslink_url::typed::{self, TypedUrlError};

pub(super) struct Line<'l> {
    pub(super) path: &'l [u8],
    pub(super) url: &'l [u8],
    /// Whether there is, or was, a file.
    pub(super) stays: bool,
    /// In HTTrack's map, the media type of a page that failed; its path may be a temporary one.
    pub(super) failed: Option<&'l [u8]>,
}

impl<'l> Line<'l> {
    /// A line of any map other than HTTrack's.
    fn plain(path: &'l [u8], url: &'l [u8]) -> Line<'l> {
        Line {
            path,
            url,
            stays: true,
            failed: None,
        }
    }
}

/// Reads a map in the format that its first line shows, blank ones aside. For HTTrack's, which
/// escapes paths, returns the prefix to cut off them.
pub(super) fn read(
    mut reader: impl BufRead,
    each: &mut dyn FnMut(&Line<'_>),
) -> Result<Option<Vec<u8>>, MapError> {
    let start = start(&mut reader)?;
    if start.trim_ascii_start().starts_with(b"{") {
        json_lines(Read::chain(&*start, reader), each)?;
        return Ok(None);
    }
    let mut lines = start.split(|byte| matches!(byte, b'\n' | b'\r'));
    let tabs = lines
        .find(|line| !line.trim_ascii().is_empty())
        .is_some_and(|first| first.contains(&b'\t'));
    let mut records = csv::ReaderBuilder::new()
        .delimiter(if tabs { b'\t' } else { b',' })
        .quoting(!tabs)
        .flexible(true)
        .from_reader(Read::chain(&*start, reader));
    let header = records.byte_headers().map_err(line_error)?;
    let column = |name: &str| {
        (header.iter()).position(|column| column.trim_ascii().eq_ignore_ascii_case(name.as_bytes()))
    };
    match (column("path"), column("localfile"), column("url")) {
        (Some(path), _, Some(url)) => table(records, path, url, each).map(|()| None),
        (None, Some(path), Some(url)) => {
            let columns = Columns {
                path,
                url,
                status: column("statuscode"),
                media_type: column("MIME"),
            };
            httrack(records, &columns, each).map(Some)
        }
        _ => Err(MapError::Header),
    }
}

/// Everything up to the end of the first line that is not blank, without a byte order mark.
fn start(reader: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    loop {
        let line = start.len();
        let is_end = reader.read_until(b'\n', &mut start)? == 0;
        if line == 0 && start.starts_with(b"\xef\xbb\xbf") {
            start.drain(..3);
        }
        if is_end || !start[line..].trim_ascii().is_empty() {
            return Ok(start);
        }
        // It is not a header, but counts when a line's number is reported.
        start.truncate(line);
        start.push(b'\n');
    }
}

#[derive(Deserialize)]
struct JsonLine {
    path: String,
    url: String,
}

fn json_lines(reader: impl BufRead, each: &mut dyn FnMut(&Line<'_>)) -> Result<(), MapError> {
    for (number, line) in (1..).zip(reader.split(b'\n')) {
        let line = line?;
        if line.trim_ascii().is_empty() {
            continue;
        }
        let failed = |reason| MapError::Line {
            line: number,
            reason,
        };
        let line: JsonLine = serde_json::from_slice(&line).map_err(|error| {
            failed(format!(
                "not a JSON object with the strings `path` and `url` ({error})"
            ))
        })?;
        check_url(line.url.as_bytes()).map_err(failed)?;
        let path = slashed(line.path.as_bytes());
        each(&Line::plain(&path, line.url.as_bytes()));
    }
    Ok(())
}

/// CSV or TSV with columns `path` and `url`.
fn table(
    records: csv::Reader<impl Read>,
    path: usize,
    url: usize,
    each: &mut dyn FnMut(&Line<'_>),
) -> Result<(), MapError> {
    records_of(records, &mut |record| {
        let (Some(path), Some(url)) = (record.get(path), record.get(url)) else {
            return Err("it has no column for the path or the URL".to_owned());
        };
        check_url(url)?;
        each(&Line::plain(&slashed(path), url.trim_ascii()));
        Ok(())
    })
}

/// Checks the URL of a line; an empty one says that none is known.
fn check_url(url: &[u8]) -> Result<(), String> {
    let url = String::from_utf8_lossy(url);
    let url = pre_step(&url);
    match typed::check(&url) {
        _ if url.is_empty() => Ok(()),
        Err(TypedUrlError::NoScheme { .. } | TypedUrlError::Path) => {
            Err(format!("not an absolute URL: {}", masked_url(&url)))
        }
        checked => checked.map_err(|error| format!("{}: {error}", masked_url(&url))),
    }
}

/// A path with `/` between its names, which Windows' programs separate otherwise.
fn slashed(path: &[u8]) -> Cow<'_, [u8]> {
    let is_other = |&byte: &u8| byte != b'/' && std::path::is_separator(char::from(byte));
    if path.iter().any(is_other) {
        (path.iter())
            .map(|byte| if is_other(byte) { b'/' } else { *byte })
            .collect()
    } else {
        path.into()
    }
}

/// Where the columns of `hts-cache/new.txt` are.
struct Columns {
    path: usize,
    url: usize,
    status: Option<usize>,
    media_type: Option<usize>,
}

/// HTTrack's `hts-cache/new.txt`. Its paths begin with the directory of `-O`, which has to be cut
/// off: the part that counts begins with the host's directory. Redirects put files below other
/// hosts, so the directory is the one that most lines show, whatever their order.
fn httrack(
    records: csv::Reader<impl Read>,
    columns: &Columns,
    each: &mut dyn FnMut(&Line<'_>),
) -> Result<Vec<u8>, MapError> {
    let mut prefixes: HashMap<Vec<u8>, u64> = HashMap::new();
    records_of(records, &mut |record| {
        let field = |column: usize| record.get(column).unwrap_or_default();
        let (path, url) = (field(columns.path), field(columns.url));
        // A failed page has no permanent file, but links may have been changed to its name.
        let status = columns.status.map(field);
        let stays = status.is_none_or(|status| matches!(status, [b'2' | b'3', ..]));
        if path.is_empty() {
            // robots.txt.
            return Ok(());
        }
        let path = path.strip_prefix(b"./").unwrap_or(path);
        if let Some(length) = prefix_length(path, url) {
            *prefixes.entry(path[..length].to_owned()).or_default() += 1;
        }
        let was_redirected = status.is_some_and(|status| status.starts_with(b"3"));
        if was_redirected && DelayedLine::read(path, url).is_some() {
            // Nothing has this name, then or now.
            return Ok(());
        }
        let media_type = columns.media_type.map(field).unwrap_or_default();
        each(&Line {
            path,
            url,
            stays,
            failed: Some(media_type),
        });
        Ok(())
    })?;
    let most = prefixes
        .into_iter()
        .max_by(|(a, in_a), (b, in_b)| in_a.cmp(in_b).then_with(|| b.cmp(a)));
    Ok(most.map(|(prefix, _)| prefix).unwrap_or_default())
}

/// The length of the part before the host's directory (`host` or `host_port`).
fn prefix_length(path: &[u8], url: &[u8]) -> Option<usize> {
    let after_scheme = memchr::memmem::find(url, b"://")? + 3;
    let host = url[after_scheme..].split(|&byte| byte == b'/').next()?;
    let host = host.rsplit(|&byte| byte == b'@').next()?;
    let spelled: Vec<u8> = host
        .iter()
        .map(|&byte| if byte == b':' { b'_' } else { byte })
        .collect();
    let mut start = 0;
    for component in path.split(|&byte| byte == b'/') {
        if component.eq_ignore_ascii_case(&spelled) {
            return Some(start);
        }
        start += component.len() + 1;
    }
    None
}

/// Gives each record to `each`; an error says in which line a bad one is.
fn records_of(
    mut records: csv::Reader<impl Read>,
    each: &mut dyn FnMut(&ByteRecord) -> Result<(), String>,
) -> Result<(), MapError> {
    let mut record = ByteRecord::new();
    while records.read_byte_record(&mut record).map_err(line_error)? {
        each(&record).map_err(|reason| MapError::Line {
            line: record.position().map_or(0, csv::Position::line),
            reason,
        })?;
    }
    Ok(())
}

fn line_error(error: csv::Error) -> MapError {
    let line = error.position().map_or(0, csv::Position::line);
    match error.into_kind() {
        csv::ErrorKind::Io(error) => MapError::Read(error),
        kind => MapError::Line {
            line,
            reason: format!("{kind:?}"),
        },
    }
}
