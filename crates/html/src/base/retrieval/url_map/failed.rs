//! Pages of HTTrack's map that failed: their lines have names from before their types were known.
//!
//! Such a name is `gone.5.delayed`: the URL `/gone.php` without its ending, and a hexadecimal number
//! that counts the requests, followed by four digits if the URL has a query. The server's answer is
//! saved all the same, and links were changed to its name: `gone.html`, or if that was taken
//! `gone-2.html`, and `gone3872.html` with a query. HTTrack gives these names in the order of the
//! requests. (Seen in mirrors made by version 3.49; a redirected URL has such a line too, but no
//! file: links have the name of the page that it was redirected to.)

/// The line of a page that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DelayedLine<'l> {
    /// The path that its file has, without the ending and without a number like `-2`; in two parts.
    pub(super) stem: (&'l [u8], &'l [u8]),
    /// Its place in the order of the requests.
    pub(super) number: u32,
}

impl<'l> DelayedLine<'l> {
    /// Reads the path of a line; `None` for a permanent name.
    pub(super) fn read(path: &'l [u8], url: &[u8]) -> Option<DelayedLine<'l>> {
        let rest = path.strip_suffix(b".delayed")?;
        let dot = rest.iter().rposition(|&byte| byte == b'.')?;
        let (stem, digits) = (&rest[..dot], &rest[dot + 1..]);
        let of_query = if url.contains(&b'?') { 4 } else { 0 };
        let (number, hash) = digits.split_at(digits.len().checked_sub(of_query)?);
        let number = std::str::from_utf8(number).ok()?;
        Some(DelayedLine {
            stem: (stem, hash),
            number: u32::from_str_radix(number, 16).ok()?,
        })
    }
}

/// The path of a file that HTTrack has named, in its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileName<'n> {
    /// Without the ending and the number.
    pub(super) stem: &'n [u8],
    /// 1 for `gone.html`, 2 for `gone-2.html`.
    pub(super) number: usize,
    pub(super) ending: &'n [u8],
}

/// HTTrack is unlikely to number more files of one name.
const MOST: usize = 1000;

impl<'n> FileName<'n> {
    /// The ways to read a path: as it is, and with a number at its end.
    pub(super) fn read(path: &'n [u8]) -> impl Iterator<Item = FileName<'n>> {
        let dot = path.iter().rposition(|&byte| byte == b'.' || byte == b'/');
        let dot = dot.filter(|&dot| path[dot] == b'.').unwrap_or(path.len());
        let (stem, ending) = path.split_at(dot);
        let whole = FileName {
            stem,
            number: 1,
            ending,
        };
        let hyphen = stem.iter().rposition(|&byte| byte == b'-');
        let numbered = hyphen.and_then(|hyphen| {
            let number = std::str::from_utf8(&stem[hyphen + 1..]).ok()?;
            let number = number.parse().ok()?;
            (2..=MOST).contains(&number).then_some(FileName {
                stem: &stem[..hyphen],
                number,
                ending,
            })
        });
        std::iter::once(whole).chain(numbered)
    }

    /// The path of the file that has another number.
    pub(super) fn numbered(&self, number: usize) -> Vec<u8> {
        match number {
            1 => [self.stem, self.ending].concat(),
            _ => [self.stem, format!("-{number}").as_bytes(), self.ending].concat(),
        }
    }

    /// Whether HTTrack gives this ending to what has a media type. Errors are pages, nearly always.
    pub(super) fn is_of(&self, media_type: &[u8]) -> bool {
        let ending = self.ending.strip_prefix(b".").unwrap_or(self.ending);
        let subtype = media_type.rsplit(|&byte| byte == b'/').next();
        match subtype.unwrap_or_default() {
            b"" | b"html" => [&b"html"[..], b"htm", b"shtml"].contains(&ending),
            b"plain" => ending == b"txt",
            b"javascript" | b"x-javascript" => ending == b"js",
            b"jpeg" => ending == b"jpg",
            subtype => ending == subtype,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_do_not_last() {
        let read = |path: &'static str, url: &str| {
            DelayedLine::read(path.as_bytes(), url.as_bytes()).map(|line| (line.stem, line.number))
        };
        let no_hash = &b""[..];
        assert_eq!(
            read("h/gone.1a.delayed", "http://h/gone.js"),
            Some(((&b"h/gone"[..], no_hash), 26))
        );
        assert_eq!(
            read("h/gq.63872.delayed", "http://h/gq?a=1"),
            Some(((&b"h/gq"[..], &b"3872"[..]), 6))
        );
        assert_eq!(read("h/gone.html", "http://h/gone"), None);
        assert_eq!(read("h/gone.x.delayed", "http://h/gone"), None);
        assert_eq!(read("h/gq.387.delayed", "http://h/gq?a=1"), None);
    }

    #[test]
    fn an_ending_is_of_a_media_type() {
        let is_of = |path: &'static str, media_type: &str| {
            let named = FileName::read(path.as_bytes()).next().unwrap();
            named.is_of(media_type.as_bytes())
        };
        for (path, media_type) in [
            ("h/a.html", ""),
            ("h/a.htm", "text/html"),
            ("h/a.shtml", "text/html"),
            ("h/a.txt", "text/plain"),
            ("h/a.js", "application/javascript"),
            ("h/a.js", "application/x-javascript"),
            ("h/a.jpg", "image/jpeg"),
            ("h/a.png", "image/png"),
        ] {
            assert!(is_of(path, media_type), "{path} {media_type}");
            assert!(!is_of("h/a.css", media_type), "{media_type}");
        }
        assert!(is_of("h/a.css", "text/css"));
        assert!(!is_of("h/a", "text/html"));
        assert!(!is_of("h/a.plain", "text/plain"));
    }

    #[test]
    fn names_that_last() {
        let read = |path: &'static str| -> Vec<(&[u8], usize, &[u8])> {
            let named = FileName::read(path.as_bytes());
            named
                .map(|named| (named.stem, named.number, named.ending))
                .collect()
        };
        assert_eq!(read("h.x/a"), [(&b"h.x/a"[..], 1, &b""[..])]);
        assert_eq!(
            read("h/a-2.html"),
            [
                (&b"h/a-2"[..], 1, &b".html"[..]),
                (&b"h/a"[..], 2, &b".html"[..])
            ]
        );
        assert_eq!(read("h/a-1.html").len(), 1);
        let named = FileName::read(b"h/a-2.html").last().unwrap();
        assert_eq!(named.numbered(1), b"h/a.html");
        assert_eq!(named.numbered(3), b"h/a-3.html");
    }
}
