//! Where the file of a reference's target would be in the tree: RFC 1808 §3.3 read backwards.

use std::borrow::Cow;
use std::iter;

use super::records::httrack::PORT_SEPARATOR;
use super::records::wayback;
use super::{Layout, Sources};
use abslink_url::rfc1808::Components;
use abslink_url::{BaseUrl, percent};

/// A document in its tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DocumentPlace {
    /// Path of the document below the tree's root, components separated by `/`.
    pub path: Vec<u8>,
    /// The URL that the document was retrieved from.
    pub url: String,
    /// Names that stand for the URL of their directory.
    pub index: Vec<String>,
    /// The separator between host and port if the first directory is a host, so that other hosts
    /// may be beside it.
    pub port_separator: Option<char>,
}

impl DocumentPlace {
    /// The document at `path`, which was retrieved from `url`, in a tree that `sources` describe.
    pub fn new(sources: &Sources, path: &[u8], url: &BaseUrl) -> DocumentPlace {
        DocumentPlace {
            path: path.to_owned(),
            url: url.as_str().to_owned(),
            index: sources.assumptions.index.clone(),
            port_separator: sources.layout.as_ref().and_then(Layout::port_separator),
        }
    }

    /// The paths below the tree's root at which the file of `target` may be: its own name, that of
    /// an index page, and with a query those that wget gives. Empty if the target is outside
    /// what the tree can hold.
    ///
    /// # Examples
    /// ```
    /// use abslink_html::base::retrieval::target::DocumentPlace;
    /// let place = DocumentPlace {
    ///     path: b"h/d/a.html".to_vec(),
    ///     url: "http://h/d/a.html".to_owned(),
    ///     index: vec!["index.html".to_owned()],
    ///     port_separator: Some(':'),
    /// };
    /// let mut paths = place.candidates("http://h/e/b.html?c=1");
    /// assert!(paths.any(|path| path == b"h/e/b.html?c=1"));
    /// assert!(place.candidates("http://h/").eq([b"h/index.html"]));
    /// assert!(place.candidates("http://i:80/").eq([b"i:80/index.html"]));
    /// ```
    pub fn candidates<'p>(&'p self, target: &str) -> Box<dyn Iterator<Item = Vec<u8>> + 'p> {
        let (own, target) = (Components::parse(&self.url), Components::parse(target));
        let Some((mut below, name)) = self.directory(&own, &target) else {
            return Box::new(iter::empty());
        };
        if !below.is_empty() {
            below.push(b'/');
        }
        let stems = match name {
            "" => self
                .index
                .iter()
                .map(|name| name.clone().into_bytes())
                .collect(),
            name => spellings(name, target.params),
        };
        let names: Box<dyn Iterator<Item = Vec<u8>>> = match target.query {
            Some(query) => {
                let is_usual = self.port_separator == Some(wayback::PORT_SEPARATOR);
                let names = stems.iter().flat_map(|stem| {
                    let others = is_usual.then(|| wayback::names(stem, query, &self.index));
                    let others = others.into_iter().flatten();
                    with_query(stem, query).into_iter().chain(others)
                });
                Box::new(names.collect::<Vec<_>>().into_iter())
            }
            None if name.is_empty() => Box::new(stems.into_iter()),
            None => Box::new(self.plain(stems)),
        };
        // The first one is nearly always it.
        Box::new(names.map(move |name| [&below[..], &name].concat()))
    }

    /// The path of the file that a reference names, for a browser that has opened the document's
    /// file; with `query` as part of the name. `None` if it names no file, or leads
    /// out of the tree.
    pub(super) fn local(&self, reference: &Components<'_>, query: Option<&str>) -> Option<Vec<u8>> {
        let from_host = reference.net_loc.is_some() || reference.path.starts_with('/');
        if reference.scheme.is_some() || from_host {
            return None;
        }
        let (directories, name) = reference
            .path
            .rsplit_once('/')
            .unwrap_or(("", reference.path));
        let mut local = self.directories();
        for directory in directories.split('/').filter(|_| !directories.is_empty()) {
            match directory {
                "." => {}
                ".." => drop(local.pop()?),
                directory => local.push(decoded(directory)?),
            }
        }
        let mut name = name.to_owned();
        for (mark, part) in [(';', reference.params), ('?', query)] {
            if let Some(part) = part {
                name.push(mark);
                name.push_str(part);
            }
        }
        local.push(decoded(&name)?);
        Some(local.join(&b'/'))
    }

    /// The directories from the tree's root to the document.
    fn directories(&self) -> Vec<Cow<'_, [u8]>> {
        let names = self.path.split(|&byte| byte == b'/');
        let mut directories: Vec<_> = names.map(Cow::Borrowed).collect();
        directories.pop();
        directories
    }

    /// Whether a relative reference climbs higher than the document's URL has directories.
    pub(super) fn is_left_by(&self, reference: &Components<'_>) -> bool {
        let (own, _) = split(Components::parse(&self.url).path);
        let mut depth = Some(own.len());
        for directory in split(reference.path).0 {
            depth = match directory {
                "." => depth,
                ".." => depth.and_then(|depth| depth.checked_sub(1)),
                _ => depth.map(|depth| depth + 1),
            };
        }
        depth.is_none()
    }

    /// The directory in the tree that the target's directory stands for, and the name in it.
    fn directory<'t>(
        &self,
        own: &Components<'_>,
        target: &Components<'t>,
    ) -> Option<(Vec<u8>, &'t str)> {
        let (mut target_directories, name) = split(target.path);
        let mut local;
        let entered = if same(own.scheme, target.scheme) && same(own.net_loc, target.net_loc) {
            let (mut own_directories, _) = split(own.path);
            // Programs that make a directory for each host fold slashes.
            if self.port_separator.is_some() {
                own_directories.retain(|name| !name.is_empty());
                target_directories.retain(|name| !name.is_empty());
            }
            let common = (own_directories.iter().zip(&target_directories))
                .take_while(|(own, target)| own == target)
                .count();
            local = self.directories();
            local.truncate(local.len().checked_sub(own_directories.len() - common)?);
            &target_directories[common..]
        } else {
            local = self.host_directory(own, target)?;
            target_directories.retain(|name| !name.is_empty());
            &target_directories[..]
        };
        for directory in entered {
            local.push(decoded(directory)?);
        }
        Some((local.join(&b'/'), name))
    }

    /// The directories for the scheme, if the document is in one, and for the host.
    fn host_directory(
        &self,
        own: &Components<'_>,
        target: &Components<'_>,
    ) -> Option<Vec<Cow<'static, [u8]>>> {
        let separator = self.port_separator?;
        let (scheme, net_loc) = (target.scheme?, target.net_loc?);
        let host = net_loc.rsplit('@').next()?.to_ascii_lowercase();
        let host = match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            // wget leaves out the brackets of an IPv6 address.
            Some((address, port)) if separator != PORT_SEPARATOR => {
                format!("{address}{}", port.replace(':', &separator.to_string()))
            }
            _ => host.replace(':', &separator.to_string()),
        };
        let mut directories = vec![Cow::Owned(decoded(&host)?.into_owned())];
        let first = self.path.split(|&byte| byte == b'/').next();
        if let Some(moment) = first.filter(|first| wayback::is_timestamp(first)) {
            directories.insert(0, Cow::Owned(moment.to_owned()));
        }
        if first == own.scheme.map(str::as_bytes) {
            directories.insert(0, scheme.to_ascii_lowercase().into_bytes().into());
        }
        Some(directories)
    }

    /// Names without a query: themselves, with the `.html` of wget -E, or a directory with an index
    /// page.
    fn plain(&self, stems: Vec<Vec<u8>>) -> impl Iterator<Item = Vec<u8>> {
        let themselves = stems.clone().into_iter().rev();
        let pages = stems.into_iter().flat_map(|name| {
            let pages = self.index.iter();
            let pages = pages.map(|index| [&name[..], b"/", index.as_bytes()].concat());
            let pages: Vec<_> = pages.collect();
            iter::once([&name[..], b".html"].concat()).chain(pages)
        });
        themselves.chain(pages)
    }
}

/// Whether two absolute URLs are the same apart from unnecessary escapes and fragments.
pub(super) fn same_url(a: &str, b: &str) -> bool {
    let (a, b) = (Components::parse(a), Components::parse(b));
    let decoded = |part: Option<&str>| part.map(percent::decode);
    same(a.scheme, b.scheme)
        && same(a.net_loc, b.net_loc)
        && percent::decode(a.path) == percent::decode(b.path)
        && decoded(a.params) == decoded(b.params)
        && decoded(a.query) == decoded(b.query)
}

fn same(a: Option<&str>, b: Option<&str>) -> bool {
    a.unwrap_or_default()
        .eq_ignore_ascii_case(b.unwrap_or_default())
}

/// The directories of a URL's path and its last segment.
fn split(path: &str) -> (Vec<&str>, &str) {
    let mut segments: Vec<&str> = path.strip_prefix('/').unwrap_or(path).split('/').collect();
    let name = segments.pop().unwrap_or_default();
    (segments, name)
}

/// A segment as a file name: decoded. `None` if that would lead elsewhere.
fn decoded(segment: &str) -> Option<Cow<'_, [u8]>> {
    let decoded = match segment.contains('%') {
        true => Cow::Owned(percent::decode(segment)),
        false => Cow::Borrowed(segment.as_bytes()),
    };
    let leads_elsewhere = matches!(&decoded[..], b"" | b"." | b"..")
        || decoded.iter().any(|byte| matches!(byte, b'/' | b'\\' | 0));
    (!leads_elsewhere).then_some(decoded)
}

/// What wget escapes in names for Windows, apart from `?`.
const NOT_ON_WINDOWS: &[u8] = b"\\|:\"*<>";

/// A name without what Windows cannot have there.
fn for_windows(name: &[u8]) -> Option<Vec<u8>> {
    let is_escaped = |byte: &u8| NOT_ON_WINDOWS.contains(byte);
    name.iter().any(is_escaped).then(|| {
        let escaped = name.iter().map(|byte| {
            if is_escaped(byte) {
                format!("%{byte:02X}").into_bytes()
            } else {
                vec![*byte]
            }
        });
        escaped.flatten().collect()
    })
}

/// A name as tools write it: decoded, and as it is.
fn spellings(name: &str, params: Option<&str>) -> Vec<Vec<u8>> {
    let name = params.map_or(name.to_owned(), |params| format!("{name};{params}"));
    let mut spellings = vec![name.clone().into_bytes()];
    if let Some(decoded) = decoded(&name).filter(|decoded| **decoded != spellings[0]) {
        spellings.insert(0, decoded.into_owned());
    }
    spellings.extend(for_windows(&spellings[0]));
    spellings.retain(|name| !matches!(&name[..], b"." | b".."));
    spellings
}

/// The names that wget gives a page with a query: after `?` or `@`, with slashes escaped, perhaps
/// with `.html` appended, or `.css`: what a script makes may be a style sheet.
fn with_query(name: &[u8], query: &str) -> Vec<Vec<u8>> {
    let escape_slashes = |query: &[u8]| -> Vec<u8> {
        let parts: Vec<&[u8]> = query.split(|&byte| byte == b'/').collect();
        parts.join(&b"%2F"[..])
    };
    let mut names = Vec::new();
    let decoded = percent::decode(query);
    let of_windows = for_windows(&decoded);
    for query in [query.as_bytes(), &decoded]
        .into_iter()
        .chain(of_windows.as_deref())
    {
        for mark in [b"?", b"@"] {
            let name = [name, mark, &escape_slashes(query)].concat();
            names.push([&name[..], b".html"].concat());
            names.push([&name[..], b".css"].concat());
            names.push(name);
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_the_same_whatever_is_escaped() {
        let url = "http://u@h:80/d/a%2db;p?q=%61#f";
        for same in [
            "HTTP://U@H:80/d/a-b;p?q=a",
            "http://u@h:80/d/%61-b;%70?%71=a#g",
        ] {
            assert!(same_url(url, same), "{same}");
        }
        for other in [
            "https://u@h:80/d/a-b;p?q=a",
            "http://u@h/d/a-b;p?q=a",
            "http://u@h:80/D/a-b;p?q=a",
            "http://u@h:80/d/a-b?q=a",
            "http://u@h:80/d/a-b;P?q=a",
            "http://u@h:80/d/a-b;p",
            "http://u@h:80/d/a-b;p?q=A",
        ] {
            assert!(!same_url(url, other), "{other}");
        }
    }

    /// wget leaves them out, HTTrack writes `_` for each colon.
    #[test]
    fn the_brackets_of_an_address() {
        let candidates = |port_separator| {
            let place = DocumentPlace {
                path: b"h/a.html".to_vec(),
                url: "http://h/a.html".to_owned(),
                index: vec!["index.html".to_owned()],
                port_separator: Some(port_separator),
            };
            let found = place.candidates("http://[::1]:8080/");
            found.collect::<Vec<_>>()
        };
        assert_eq!(candidates(':'), [b"::1:8080/index.html"]);
        assert_eq!(candidates('+'), [b"::1+8080/index.html"]);
        assert_eq!(candidates('_'), [b"[__1]_8080/index.html"]);
    }
}
