//! What a reference means: resolved by the crates `url` and `oxiri`, or by the letter of RFC 1808, slowly.

mod placeholders;
pub mod transcription;

use std::borrow::Cow;

use encoding_rs::{EncoderResult, Encoding, UTF_8};
use oxiri::{Iri, IriRef};
use url::{Position, Url};

use crate::grammar::Old;
use crate::grammar::blanks::stripped;
use abslink_html::Context;
use abslink_html::Settings;
use abslink_html::To;
use abslink_html::ValueKind;
use abslink_html::shared::Against;
use abslink_html::shared::{Charset, Edited};
use abslink_html::{MappedPrefix, MappedPrefixes};
use abslink_url::{BaseUrl, Resolver, whatwg};

/// What the references of a document are resolved against, and how.
#[derive(Clone, Debug)]
pub(crate) struct Targets<'t> {
    pub(crate) settings: &'t Settings,
    /// The document's encoding, which the URL Standard spells queries in.
    pub(crate) encoding: &'static Encoding,
    /// The document base URL.
    pub(crate) base: Option<BaseUrl>,
    /// The one that it will have, if that is another one.
    pub(crate) new_base: Option<BaseUrl>,
    /// Whether its `base` elements are taken out.
    pub(crate) loses_base: bool,
    pub(crate) context: &'t Context,
}

impl Targets<'_> {
    /// Whether the URLs of a value mean what they did, and nothing else changed.
    pub(crate) fn are_all_same(
        &self,
        place: (ValueKind, Against),
        codebase: Option<&str>,
        edited: Edited<'_, str>,
    ) -> Result<(), String> {
        placeholders::compare(place.0, edited, self.settings, &mut |old, new| {
            self.are_same(place, codebase, old, new)
        })
    }

    /// Whether `new` means what `old` does. `codebase` is the value of that attribute.
    pub(crate) fn are_same(
        &self,
        (kind, against): (ValueKind, Against),
        codebase: Option<&str>,
        url: Old<'_>,
        new: &str,
    ) -> Result<(), String> {
        let old = url.text;
        let own = self.context.retrieval.as_ref().map(|own| &own.url);
        let targets = self.of_kind(kind);
        let resolved;
        let base = match against {
            Against::Base | Against::Outer => self.base.as_ref(),
            Against::Nothing => None,
            Against::Codebase => {
                resolved = codebase.and_then(|codebase| targets.codebase(codebase));
                resolved.as_ref().or(self.base.as_ref())
            }
            Against::Fallback => self.context.fallback().map(|(url, _)| url),
            Against::Retrieval => own,
        };
        let itself;
        let base = match base {
            Some(base) => Some(base),
            // An absolute one needs none, and may have been moved. What only lacks a scheme may have too, and
            // so may what leads to a web archive.
            None => {
                let stripped = stripped(old);
                let is_by_path = stripped.starts_with("//") || self.settings.unwrap;
                let unknown = || is_by_path.then(|| BaseUrl::any("https://unknown.invalid/"));
                itself = BaseUrl::parse(&stripped).ok().or_else(unknown);
                itself.as_ref()
            }
        };
        let Some(base) = base else {
            return Err(format!("`{old}` has no base URL, and `{new}` was written"));
        };
        let (reference, new) = (stripped(old), stripped(new));
        let unfilled = placeholders::both(kind, url, &new, self.settings)?;
        let is_unfilled = unfilled.is_some();
        let (reference, new) = match unfilled {
            Some([before, new]) => (Cow::Owned(before), Cow::Owned(new)),
            None => (reference, new),
        };
        let Some(mut target) = targets.target(&targets.taken_over(base, &reference), &reference)
        else {
            return Err(format!("`{old}` does not resolve, and `{new}` was written"));
        };
        // A converted link is the name of a file; it means what that was retrieved from.
        if let Some(mirror) = &self.context.mirror
            && matches!(against, Against::Base | Against::Codebase)
            && own.is_some_and(|own| own.without_fragment() == base.without_fragment())
            && !is_unfilled
            && let Some(named) = mirror.named(&reference, &target)
            && let Some(url) = named.url
            && let Some(named) = self.target(base.as_str(), &url)
        {
            target = named;
        }
        if self.settings.unwrap {
            target = unwrapped(target);
        }
        if !matches!(against, Against::Fallback | Against::Outer) {
            target = mapped(&self.settings.prefixes, target);
        }
        if self.settings.has_forms() {
            let is_path = !new.contains("://") && !new.starts_with('/');
            let is_file = self.settings.to == To::Files && is_path;
            let leads = match is_file && against != Against::Fallback {
                true => self.leads_to_file(&target, &new),
                false => {
                    let own = matches!(against, Against::Base | Against::Outer);
                    let new_base = self.new_base.as_ref().filter(|_| own);
                    self.leads_to(new_base.unwrap_or(base), &target, &new, kind)
                        || reference.starts_with("//") && self.are_moved_hosts(&reference, &new)
                }
            };
            return match leads {
                true => Ok(()),
                false => Err(format!("`{old}` means {target}, and `{new}` was written")),
            };
        }
        // A key of an import map that ends with a slash would mean something else.
        if kind == ValueKind::ImportMap && target.ends_with('/') && !reference.ends_with('/') {
            let is_ended = new.strip_suffix('.').is_some_and(|new| new == target);
            if is_ended {
                return Ok(());
            }
        }
        match self.is_spelled(&target, &new, kind) {
            true => Ok(()),
            false => Err(format!("`{old}` means {target}, and `{new}` was written")),
        }
    }

    fn codebase(&self, codebase: &str) -> Option<BaseUrl> {
        let codebase = stripped(codebase);
        let charset = Charset::known(self.encoding, b"");
        let codebase = charset.percent_encode_inner(&codebase, self.base.as_ref());
        let url = match &self.base {
            Some(base) => self.target(base.as_str(), &codebase)?,
            None => codebase.into_owned(),
        };
        BaseUrl::parse(&url).ok()
    }

    /// A base URL as a reference takes it over that has no query, by the letter of an RFC. A query that
    /// came from outside of the document is UTF-8.
    fn taken_over<'b>(&self, base: &'b BaseUrl, reference: &str) -> Cow<'b, str> {
        let base = base.as_str();
        let (url, fragment) = base.split_at(base.find('#').unwrap_or(base.len()));
        let takes = reference.is_empty() || reference.starts_with('#');
        let is_usual = self.encoding.output_encoding() == UTF_8;
        let (true, Some((url, query))) = (takes && !is_usual, url.split_once('?')) else {
            return Cow::Borrowed(base);
        };
        let is_spelled = |url: &Url| url.is_special() && !matches!(url.scheme(), "ws" | "wss");
        if !Url::parse(base).is_ok_and(|url| is_spelled(&url)) {
            return Cow::Borrowed(base);
        }
        let mut spelled = format!("{url}?");
        for byte in query.bytes() {
            match byte.is_ascii() {
                true => spelled.push(char::from(byte)),
                false => spelled.push_str(&format!("%{byte:02X}")),
            }
        }
        Cow::Owned(spelled + fragment)
    }

    /// For a value of a kind: queries of style sheets and of JSON are UTF-8 whatever the document is in
    /// (CSS Values 4 §4.5, "URL processing model"; HTML, "parse an import map string").
    fn of_kind(&self, kind: ValueKind) -> Cow<'_, Targets<'_>> {
        use ValueKind::{
            CssDeclarations, CssFile, CssStylesheet, ImportMap, LinkedData, SpeculationRules,
        };
        let of_text = [
            CssDeclarations,
            CssFile,
            CssStylesheet,
            ImportMap,
            LinkedData,
            SpeculationRules,
        ];
        match self.encoding != UTF_8 && of_text.contains(&kind) {
            true => Cow::Owned(Targets {
                encoding: UTF_8,
                ..self.clone()
            }),
            false => Cow::Borrowed(self),
        }
    }

    /// What a reference is resolved to.
    pub(crate) fn target(&self, base: &str, reference: &str) -> Option<String> {
        match self.settings.resolver {
            Resolver::Rfc1808 => Some(transcription::resolve(base, reference)),
            Resolver::Rfc3986 => {
                // The crate takes any text before a colon for a scheme, if it is not to be valid.
                let is_scheme = |text: &str| {
                    let is_part = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
                    text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(is_part)
                };
                let first = reference.split(['/', '?', '#']).next();
                let scheme = first.and_then(|first| first.split_once(':'));
                let is_path = scheme.is_some_and(|(scheme, _)| !is_scheme(scheme));
                let reference = format!("{}{reference}", if is_path { "./" } else { "" });
                let reference = IriRef::parse_unchecked(reference);
                let target = Iri::parse_unchecked(base).resolve_unchecked(&reference);
                Some(target.into_inner())
            }
            Resolver::Whatwg => {
                let url = self.by_url_crate(base, reference)?;
                if url.scheme() == "file" {
                    return file_url(base, reference, &url);
                }
                Some(url.into())
            }
        }
    }

    /// Where a URL is moved to, or itself.
    fn moved(&self, url: &str) -> String {
        let moves = &self.settings.moves;
        let done = moves.iter().filter_map(|prefix| {
            let to = prefix.parts().1;
            behind(to, url).map(|_| to.len())
        });
        let done = done.max().unwrap_or_default();
        let longer = moves.iter().filter(|prefix| prefix.parts().0.len() > done);
        longest(longer, url).unwrap_or_else(|| url.to_owned())
    }

    /// Whether a reference that lacks a scheme was moved, whatever it was relative to.
    fn are_moved_hosts(&self, old: &str, new: &str) -> bool {
        let schemes = ["https", "http"].map(|scheme| (scheme, format!("{scheme}:{old}")));
        schemes.into_iter().any(|(scheme, url)| {
            let moved = self.moved(&url);
            let has_own = new.starts_with("//");
            let new = if has_own {
                format!("{scheme}:{new}")
            } else {
                new.to_owned()
            };
            moved != url && normal(&moved) == normal(&new)
        })
    }

    /// A target where it has been moved, and at the same place below each other URL of the site.
    fn in_site(&self, target: &str) -> Vec<String> {
        let target = self.moved(target);
        let prefixes: Vec<&str> = self.settings.site.urls().collect();
        let own = (self.context.retrieval.as_ref()).filter(|_| self.settings.site.has_own_server());
        let own = own.map(|own| self.moved(own.url.as_str()));
        let server = own.as_deref().and_then(split).map(|(server, _)| server);
        let homes: Vec<&str> = prefixes.iter().copied().chain(server.as_deref()).collect();
        let below = (prefixes.iter()).filter_map(|prefix| behind(prefix, &normal(&target)));
        let all = below.flat_map(|rest| homes.iter().map(move |home| format!("{home}{rest}")));
        let mut all: Vec<String> = all.collect();
        all.push(target);
        all
    }

    /// Whether a reference of any form leads to a target.
    fn leads_to(&self, base: &BaseUrl, target: &str, new: &str, kind: ValueKind) -> bool {
        let Some(found) = self.target(&self.moved(base.as_str()), new) else {
            return false;
        };
        let found = normal(&found);
        let mut targets = self.in_site(target).into_iter();
        targets.any(|target| self.is_spelled(&normal(&target), &found, kind))
    }

    /// Whether a reference is the path from the document to a file that was retrieved from a target.
    fn leads_to_file(&self, target: &str, new: &str) -> bool {
        let Some(neighbours) = &self.context.neighbours else {
            return false;
        };
        let cut = |text: &str, at: char| match text.find(at) {
            Some(mark) => (text[..mark].to_owned(), Some(text[mark + 1..].to_owned())),
            None => (text.to_owned(), None),
        };
        let (new, fragment) = cut(new, '#');
        let (way, query) = cut(&new, '?');
        let mut path: Vec<Vec<u8>> = Vec::new();
        let own = neighbours.own_path().split(|&byte| byte == b'/');
        path.extend(own.map(<[u8]>::to_vec));
        if !way.is_empty() {
            path.pop();
            for segment in way.split('/') {
                match segment {
                    "." => {}
                    ".." if path.is_empty() => return false,
                    ".." => drop(path.pop()),
                    name => path.push(abslink_url::percent::decode(name)),
                }
            }
        }
        let path = path.join(&b'/');
        let targets = self.in_site(target);
        targets.iter().any(|target| {
            cut(target, '#').1 == fragment && neighbours.leads_to(&path, query.as_deref(), target)
        })
    }

    fn by_url_crate(&self, base: &str, reference: &str) -> Option<Url> {
        let base = Url::parse(base).ok()?;
        // The crate fails on `///x`, where the URL Standard skips surplus slashes.
        let host = reference.trim_start_matches(['/', '\\']);
        let surplus = reference.len() - host.len() > 2;
        let reference = match surplus && base.is_special() && base.scheme() != "file" {
            true => Cow::Owned(format!("//{host}")),
            false => Cow::Borrowed(reference),
        };
        // It also takes a backslash for a slash, which the URL Standard does in special schemes only.
        let reference = match (base.is_special(), reference.strip_prefix('/')) {
            (false, None) if reference.starts_with('\\') => Cow::Owned(format!("./{reference}")),
            (false, Some(rest)) if rest.starts_with('\\') => Cow::Owned(format!("/./{rest}")),
            _ => reference,
        };
        Url::options()
            .base_url(Some(&base))
            .encoding_override(Some(&|query| encoded(query, self.encoding)))
            .parse(&reference)
            .ok()
    }

    /// Whether `written` is how `url` is spelled in a value of that kind.
    fn is_spelled(&self, url: &str, written: &str, kind: ValueKind) -> bool {
        let escaped = |url: &str| -> String {
            let must = |c: char| match kind {
                ValueKind::Url | ValueKind::Srcdoc | ValueKind::HashName => false,
                ValueKind::SpaceList => c.is_ascii_whitespace(),
                ValueKind::CommaList | ValueKind::Srcset => c.is_ascii_whitespace() || c == ',',
                ValueKind::SemicolonList => c.is_ascii_whitespace() || c == ';',
                ValueKind::Refresh => matches!(c, '"' | '\''),
                ValueKind::TileTask => c.is_ascii_whitespace() || c == ';',
                _ => c == ' ',
            };
            url.chars().fold(String::new(), |mut out, c| {
                match must(c) {
                    true => out.push_str(&format!("%{:02X}", u32::from(c))),
                    false => out.push(c),
                }
                out
            })
        };
        if url == written || escaped(url) == escaped(written) {
            return true;
        }
        let parsed = |url: &str| whatwg::parse(&escaped(url), None).ok();
        self.settings.resolver == Resolver::Whatwg
            && parsed(url).is_some_and(|url| parsed(written) == Some(url))
    }
}

/// What a target is mapped to.
fn mapped(prefixes: &MappedPrefixes, target: String) -> String {
    longest(prefixes.iter(), &target).unwrap_or(target)
}

/// A URL below what the prefix with most bytes becomes, of those that it begins with.
fn longest<'p>(prefixes: impl Iterator<Item = &'p MappedPrefix>, url: &str) -> Option<String> {
    let known = prefixes.filter_map(|prefix| {
        let (from, to) = prefix.parts();
        Some((from.len(), format!("{to}{}", behind(from, url)?)))
    });
    known
        .max_by_key(|(length, _)| *length)
        .map(|(_, mapped)| mapped)
}

/// What comes behind a prefix, which has no slash at its end: nothing, or it begins with one.
fn behind(prefix: &str, url: &str) -> Option<String> {
    let end = url.find(['?', '#']).unwrap_or(url.len());
    let (server, path) = split(&url[..end])?;
    let (of_prefix, begin) = split(prefix)?;
    let depth = begin.matches('/').count();
    let ends = path
        .match_indices('/')
        .map(|(at, _)| at)
        .chain([path.len()]);
    let (begins, rest) = path.split_at(ends.into_iter().nth(depth)?);
    let is_same = server == of_prefix && unescaped(begins) == unescaped(begin);
    is_same.then(|| format!("{rest}{}", &url[end..]))
}

/// A URL as its server, by the URL Standard, and its path.
fn split(url: &str) -> Option<(String, &str)> {
    let (scheme, after) = url.split_once("://")?;
    let (authority, path) = after.split_at(after.find(['/', '?', '#']).unwrap_or(after.len()));
    let server = format!("{scheme}://{authority}/");
    let server = Url::parse(&server).map_or_else(|_| normal(&server), String::from);
    let server = server.trim_end_matches('/');
    let (user, host) = server.split_at(server.rfind(['@', '/']).map_or(0, |at| at + 1));
    Some((format!("{user}{}", host.to_ascii_lowercase()), path))
}

/// A path in which characters that need no escape have none.
fn unescaped(path: &str) -> String {
    let mut parts = path.split('%');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let code = part
            .get(..2)
            .and_then(|code| u8::from_str_radix(code, 16).ok());
        let character = code.map(char::from);
        match character.filter(|c| c.is_ascii_alphanumeric() || "-._~".contains(*c)) {
            Some(character) => {
                out.push(character);
                out.push_str(&part[2..]);
            }
            None => {
                out.push('%');
                out.push_str(part);
            }
        }
    }
    out
}

/// What a web archive shows: the URL behind the last timestamp in a path.
fn unwrapped(url: String) -> String {
    let end = url.find(['?', '#']).unwrap_or(url.len());
    let host = url[..end].find("://").map_or(end, |at| at + "://".len());
    let start = url[host..end].find('/').map_or(end, |at| host + at);
    let path = &url[start..end];
    let found = path.rmatch_indices(":/").find_map(|(at, colon)| {
        let mut back = path[..at].rsplit('/');
        let (scheme, stamp, above) = (back.next()?, back.next()?, back.next());
        let behind = at + colon.len();
        let slashes = path[behind..].len() - path[behind..].trim_start_matches('/').len();
        let has_host = slashes < 2 && behind + slashes < path.len();
        let is_url = ["http", "https"].contains(&&*scheme.to_ascii_lowercase()) && has_host;
        (is_url && is_stamp(stamp, above)).then(|| (scheme, start + behind + slashes))
    });
    match found {
        Some((scheme, at)) => format!("{scheme}://{}", &url[at..]),
        None => url,
    }
}

fn is_stamp(segment: &str, above: Option<&str>) -> bool {
    let flags = segment.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = segment.len() - flags.len();
    let is_flagged = flags.len() == 3
        && flags.ends_with('_')
        && flags[..2].bytes().all(|byte| byte.is_ascii_alphabetic());
    (digits == 14 || above == Some("web") && (1..14).contains(&digits))
        && (flags.is_empty() || is_flagged)
}

/// A URL with its scheme and host in lower case, without the port that its scheme has anyway, and with
/// the slash of the root.
fn normal(url: &str) -> String {
    let Some((scheme, after)) = url.split_once("://") else {
        return url.to_owned();
    };
    let (authority, rest) = after.split_at(after.find(['/', '?', '#']).unwrap_or(after.len()));
    let (user, host) = authority.split_at(authority.rfind('@').map_or(0, |at| at + 1));
    let [scheme, mut host] = [scheme, host].map(str::to_ascii_lowercase);
    let port = match &*scheme {
        "http" | "ws" => ":80",
        "https" | "wss" => ":443",
        "ftp" => ":21",
        _ => ":",
    };
    host.truncate(host.strip_suffix(port).unwrap_or(&host).len());
    let root = if rest.starts_with('/') { "" } else { "/" };
    format!("{scheme}://{user}{host}{root}{rest}")
}

/// The crate cannot hold every path of a `file:` URL, so of what it has `read` this takes what is
/// behind the path.
fn file_url(base: &str, reference: &str, read: &Url) -> Option<String> {
    let base = whatwg::parse(base, None).ok()?;
    let url = whatwg::parse(reference, Some(&base)).ok()?;
    let url = url.text();
    let path_end = url.find(['?', '#']).unwrap_or(url.len());
    Some([&url[..path_end], &read[Position::AfterPath..]].concat())
}

/// URL Standard, "percent-encode after encoding": the bytes of a query. What the encoding lacks is
/// percent-encoded already, with the `&#` and the `;` of its numeric reference.
fn encoded<'q>(mut query: &'q str, encoding: &'static Encoding) -> Cow<'q, [u8]> {
    if encoding.output_encoding() == UTF_8 {
        return Cow::Borrowed(query.as_bytes());
    }
    let mut encoder = encoding.new_encoder();
    let mut bytes = Vec::new();
    loop {
        bytes.reserve(4 * query.len() + 16);
        let (result, read) =
            encoder.encode_from_utf8_to_vec_without_replacement(query, &mut bytes, true);
        query = &query[read..];
        match result {
            EncoderResult::InputEmpty => return Cow::Owned(bytes),
            EncoderResult::OutputFull => {}
            EncoderResult::Unmappable(lacking) => {
                bytes.extend(format!("%26%23{}%3B", u32::from(lacking)).bytes());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_prefix_is_mapped() {
        let mut prefixes = MappedPrefixes::default();
        for prefix in [
            "http://h/=http://n/",
            "http://h/a/b=http://m/c",
            "http://u@h=http://o",
        ] {
            prefixes = prefixes.with(prefix.parse().unwrap()).unwrap();
        }
        for (target, expected) in [
            ("http://h", "http://n"),
            ("HTTP://H/a?x#y", "http://n/a?x#y"),
            ("http://h/a/b", "http://m/c"),
            ("http://h/a/b/d?http://h/", "http://m/c/d?http://h/"),
            ("http://h/a/bc", "http://n/a/bc"),
            ("http://hh/a", "http://hh/a"),
            ("http://u@h/a", "http://o/a"),
            ("http://U@h/a", "http://U@h/a"),
            ("mailto:x", "mailto:x"),
        ] {
            assert_eq!(mapped(&prefixes, target.to_owned()), expected, "{target}");
        }
    }
}
