//! References on which RFC 1808, RFC 3986 and the URL Standard agree by their bytes alone: nearly all.
//!
//! Such a reference means a beginning of the base URL followed by its own end, both as they are written. Each
//! resolver gives that text, so nothing diverges, and a reference made from it leads back
//! ([`Inverse`](crate::inverse::Inverse)). The tests prove that for every short reference, and for long ones at
//! random.

use memchr::{memchr2, memrchr};

use crate::text::split;

/// A base URL that the three standards read and write alike.
///
/// # Examples
/// ```
/// use abslink_url::BaseUrl;
///
/// let base = BaseUrl::parse("http://a/b/c/d;p?q#f")?;
/// let shortcut = base.shortcut().expect("an everyday base URL");
/// assert_eq!(shortcut.resolve(b"../g?y#s"), Some(("http://a/b/", 3)));
/// assert_eq!(shortcut.resolve(b"#s"), Some(("http://a/b/c/d;p?q", 0)));
/// assert_eq!(shortcut.resolve(b"http://a/g"), Some(("http://a", 8)));
/// assert_eq!(shortcut.resolve(b"g/../h"), None);
/// # Ok::<(), abslink_url::UnsuitableBase>(())
/// ```
#[derive(Debug)]
pub struct Shortcut {
    /// Without its fragment.
    text: String,
    /// Where scheme, host and port end.
    server: usize,
    /// Where the base's directory ends, then those above it; 0 above the root.
    pub(crate) directories: [usize; DEEP],
    /// Where the path with the parameters ends.
    path: usize,
}

/// Fewer than this many `../` are resolved.
const DEEP: usize = 12;

impl Shortcut {
    /// `None` for a base URL that some standard reads in another way than the others, or writes in another way.
    pub(crate) fn of(url: &str) -> Option<Shortcut> {
        let (scheme, default_port) = [("https://", "443"), ("http://", "80")]
            .into_iter()
            .find(|(scheme, _)| url.starts_with(scheme))?;
        let (net_loc, rest) = url[scheme.len()..].split_once('/')?;
        let (host, port) = split(net_loc, ':');
        let (path, after) =
            rest.split_at(memchr2(b'?', b'#', rest.as_bytes()).unwrap_or(rest.len()));
        // RFC 1808 §2.4.5 takes all that follows the first semicolon for parameters.
        let (segments, params) = path.split_once(';').unwrap_or((path, ""));
        let is_shared = is_host(host)
            && port.is_none_or(|port| is_port(port) && port != default_port)
            && plain(segments.as_bytes(), true).is_some()
            && !params.contains('/')
            && are_plain(params.as_bytes())
            && are_plain(after.as_bytes());
        if !is_shared {
            return None;
        }
        let server = scheme.len() + net_loc.len();
        let end = server + 1 + path.len();
        let mut directories = [0; DEEP];
        let mut above = &url[..end];
        for directory in &mut directories {
            *directory = memrchr(b'/', above.as_bytes()).map_or(0, |slash| slash + 1);
            if *directory <= server + 1 {
                break;
            }
            above = &url[..*directory - 1];
        }
        let query = after.find('#').unwrap_or(after.len());
        Some(Shortcut {
            text: url[..end + query].to_owned(),
            server,
            directories,
            path: end,
        })
    }
}

/// A name in lower case that is neither an IPv4 address, which ends in a number, nor Punycode.
fn is_host(host: &str) -> bool {
    let is_host_byte = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.');
    let last = host.rsplit('.').next().unwrap_or_default();
    host.bytes().all(is_host_byte)
        && last.starts_with(|first: char| first.is_ascii_lowercase())
        && !host.starts_with('.')
        && (host.as_bytes().windows(2)).all(|pair| pair != b".." && pair != b"--")
}

fn is_port(port: &str) -> bool {
    matches!(port.len(), 1..=4)
        && port.bytes().all(|byte| byte.is_ascii_digit())
        && !port.starts_with('0')
}

impl Shortcut {
    /// What to put in front of `reference` to make it absolute, and how many of its bytes to drop for that. `None` if
    /// that takes more to tell, and for the URL of another server.
    #[inline]
    pub fn resolve<'b>(&'b self, reference: &[u8]) -> Option<(&'b str, usize)> {
        let (before, dropped, _) = self.resolve_ordinary(reference)?;
        Some((before, dropped))
    }

    /// The same, and whether it was seen that the reference has neither `&` nor `%`, as nearly all.
    #[inline]
    pub fn resolve_ordinary<'b>(&'b self, reference: &[u8]) -> Option<(&'b str, usize, bool)> {
        let mut above = 0;
        let mut dropped = 0;
        loop {
            match reference[dropped..] {
                [b'.', b'.', b'/', ..] => {
                    above += 1;
                    dropped += b"../".len();
                }
                [b'.', b'/', ..] => dropped += b"./".len(),
                _ => break,
            }
        }
        let own = &reference[dropped..];
        if dropped > 0 {
            let end = *self.directories.get(above)?;
            let is_ordinary = plain(own, true).filter(|_| end > 0)?;
            return Some((&self.text[..end], dropped, is_ordinary));
        }
        let (own, before, dropped) = match own {
            [] => return None,
            [b'#', ..] => (own, self.text.len(), 0),
            [b'?', ..] => (own, self.path, 0),
            [b'/', own @ ..] => (own, self.server, 0),
            [b'h', ..] if own.starts_with(self.server().as_bytes()) => {
                let server = self.server;
                (own[server..].strip_prefix(b"/")?, server, server)
            }
            _ => {
                let end = self.directories[0];
                let is_ordinary = plain(own, false)?;
                return Some((&self.text[..end], 0, is_ordinary));
            }
        };
        let is_ordinary = plain(own, true)?;
        Some((&self.text[..before], dropped, is_ordinary))
    }

    /// Scheme, host and port.
    pub fn server(&self) -> &str {
        &self.text[..self.server]
    }

    /// The URL up to the last slash of its path.
    pub fn directory(&self) -> &str {
        &self.text[..self.directories[0]]
    }

    /// The path behind its last slash.
    pub fn name(&self) -> &str {
        &self.text[self.directories[0]..self.path]
    }

    /// The query with its question mark.
    pub(crate) fn query(&self) -> &str {
        &self.text[self.path..]
    }
}

/// `Some` for a path with what follows it that has no dot segments, no empty segment but the last, nothing that could be
/// parameters, and nothing that a standard, a template or a kind of text reads or writes differently; true if it was seen
/// to be [ordinary](is_ordinary). `is_in_path` says that a colon ends no scheme.
#[inline]
fn plain(own: &[u8], is_in_path: bool) -> Option<bool> {
    let is_ordinary = match own.len() {
        17.. => is_ordinary::<16>(own),
        9.. => is_ordinary::<8>(own),
        _ => false,
    };
    if is_ordinary && !own.starts_with(b".") && !own.starts_with(b"/") {
        return Some(true);
    }
    is_plain(own, is_in_path).then_some(false)
}

fn is_plain(own: &[u8], mut is_in_path: bool) -> bool {
    let mut before = b'/';
    for (at, &byte) in own.iter().enumerate() {
        match byte {
            b'.' | b'/' if before == b'/' => return false,
            b'/' => is_in_path = true,
            b'?' | b'#' => return are_plain(&own[at..]),
            b'%' if is_escape(&own[at..]) && !matches!(own[at..], [_, b'2', b'e' | b'E', ..]) => {}
            b':' if is_in_path => {}
            // The beginning of parameters in a path, or the end of a scheme.
            b';' | b':' | b'%' => return false,
            _ if is_odd(byte) => return false,
            _ => {}
        }
        before = byte;
    }
    true
}

/// Whether a query and a fragment have nothing that is read or written differently.
fn are_plain(after_path: &[u8]) -> bool {
    let is_plain = |at| after_path[at] != b'%' || is_escape(&after_path[at..]);
    (0..after_path.len()).all(|at| !is_odd(after_path[at]) && is_plain(at))
}

fn is_escape(text: &[u8]) -> bool {
    matches!(text, [b'%', a, b, ..] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit())
}

/// Whether there is no [special](is_special) byte, and no segment after the first is empty or starts with a dot, as in most
/// references. Written so that the processor can test `LANES` bytes at once; `false` for a
/// reference that is not longer than that.
#[inline]
fn is_ordinary<const LANES: usize>(reference: &[u8]) -> bool {
    let odd_at = |at: usize| {
        let window = |at| reference.get(at..).and_then(<[u8]>::first_chunk::<LANES>);
        let (Some(these), Some(next)) = (window(at), window(at + 1)) else {
            return true;
        };
        let pairs = these.iter().zip(next);
        pairs.fold(false, |found, (&byte, &next)| {
            found | is_special(byte) | ((byte == b'/') & matches!(next, b'.' | b'/'))
        })
    };
    let Some(last) = reference.len().checked_sub(LANES + 1) else {
        return false;
    };
    // The last window overlaps with the one before it, and ends before the last byte.
    !(0..last).step_by(LANES).any(odd_at)
        && !odd_at(last)
        && !reference.last().is_some_and(|&byte| is_special(byte))
}

/// Whether a byte may be odd, or a percent sign, a colon, a semicolon or an ampersand: by few
/// comparisons and no table, which take some others along.
#[inline]
fn is_special(byte: u8) -> bool {
    !matches!(byte, b'#'..=b'z')
        | matches!(byte, b'%'..=b'\'')
        | matches!(byte, b':'..=b'>')
        | matches!(byte, b'['..=b'^')
        | (byte == b'`')
}

/// Whether some standard writes a byte differently, or a template reads it.
fn is_odd(byte: u8) -> bool {
    !matches!(byte, b'!'..=b'~')
        || matches!(byte, b'"' | b'\'' | b'<' | b'>' | b'['..=b'^' | b'`' | b'{'..=b'}')
}

#[cfg(test)]
mod tests;
