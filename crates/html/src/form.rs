//! What is written in place of a reference: the choice of its form (`--to`).
//!
//! The form is chosen by the target, so by what the reference means, and not by how it is written: a
//! reference that has its form already is not touched.

mod plain;

use std::borrow::Cow;
use std::cmp::Reverse;
use std::sync::Arc;

use abslink_url::inverse::{self, Form, Inverse, Kept};
use abslink_url::{BaseUrl, Resolver, whatwg};

use super::attributes::{Against, Row};
use super::groups::Group;
use super::prefix::{MappedPrefixError, Prefix};
use super::rules::{BasedReference, Rules};
use super::{Outcome, ValueKind};
use super::{placeholder, replay};
use crate::base::BaseSource;
use crate::base::retrieval::tree::is_nameless;
pub(super) use plain::{PlainForm, PlainForms};

/// Which form references get ([`Settings::to`](super::Settings::to)).
///
/// # Examples
/// ```
/// use abslink_html::{Context, Settings, Syntax, To, rewrite_bytes};
///
/// let context = Context::retrieved_from("http://h/a/b.html")?;
/// let mut settings = Settings::default();
/// settings.to = To::Relative;
/// let page = b"<a href=http://h/c/>C</a> <a href=http://o/>O</a>";
/// let rewritten = rewrite_bytes(page, Syntax::Html, &context, &settings);
/// assert_eq!(*rewritten.document, *b"<a href=../c/>C</a> <a href=http://o/>O</a>");
/// # Ok::<(), abslink_html::UnsuitableBase>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum To {
    /// The URL in full.
    #[default]
    Absolute,
    /// Relative to the base URL, for targets in the [`Site`]; others in full.
    Relative,
    /// From the root of the server, for targets in the [`Site`] and on its server; others in full.
    Root,
    /// From the document's file to the file of the target, for targets of which the tree has one; others in
    /// full. The command knows the tree; a document alone is in none.
    Files,
    /// The form that each has: only what is moved or unwrapped changes, and no base URL is needed.
    Keep,
}

impl To {
    /// Every form.
    pub const ALL: [To; 5] = [To::Absolute, To::Relative, To::Root, To::Files, To::Keep];

    /// The form's name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            To::Absolute => "absolute",
            To::Relative => "relative",
            To::Root => "root",
            To::Files => "files",
            To::Keep => "keep",
        }
    }

    /// Whether each reference keeps its form.
    #[doc(hidden)]
    pub fn keeps(self) -> bool {
        self == To::Keep
    }

    /// Whether references get a form that is not absolute.
    #[doc(hidden)]
    pub fn is_short(self) -> bool {
        !matches!(self, To::Absolute | To::Keep)
    }

    /// What finds references of this form, if they follow from the URLs alone and are not in full.
    pub fn inverse(self) -> Option<Form> {
        match self {
            To::Absolute | To::Files | To::Keep => None,
            To::Relative => Some(Form::Relative),
            To::Root => Some(Form::Root),
        }
    }
}

/// The URLs that stand for a tree ([`Settings::site`](super::Settings::site)): what begins with one of
/// them is in it. Without any, it is the server of each document.
///
/// # Examples
/// ```
/// use abslink_html::Site;
///
/// let site = Site::default().with("http://www.example.org/")?.with("https://example.org/")?;
/// assert!(site.with("docs/").is_err());
/// # Ok::<(), abslink_html::MappedPrefixError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Site {
    /// Longer ones first. A run and its parts share them.
    prefixes: Arc<Vec<Prefix>>,
    /// One more, of a part alone.
    tree: Option<Prefix>,
    /// Whether the server of each document is in it too.
    has_own_server: bool,
}

impl Site {
    /// This one, with one more URL.
    ///
    /// # Errors
    /// As for the URLs of a [`MappedPrefix`](super::MappedPrefix).
    pub fn with(mut self, url: &str) -> Result<Site, MappedPrefixError> {
        let prefix = Prefix::parse(url)?;
        let all = Arc::make_mut(&mut self.prefixes);
        let at = all.partition_point(|other| other.as_str().len() >= prefix.as_str().len());
        all.insert(at, prefix);
        Ok(self)
    }

    /// A site with all of these URLs.
    #[doc(hidden)]
    pub fn of<'u>(urls: impl IntoIterator<Item = Cow<'u, str>>) -> Result<Site, MappedPrefixError> {
        let prefixes = urls.into_iter().map(|url| Prefix::parse(&url));
        let mut prefixes = prefixes.collect::<Result<Vec<_>, _>>()?;
        prefixes.sort_by_key(|prefix| Reverse(prefix.as_str().len()));
        Ok(Site {
            prefixes: Arc::new(prefixes),
            ..Site::default()
        })
    }

    /// This one, with the URL of a tree in place of the one that it may have.
    #[doc(hidden)]
    pub fn with_tree(self, url: Option<&str>) -> Result<Site, MappedPrefixError> {
        let tree = url.map(Prefix::parse).transpose()?;
        Ok(Site { tree, ..self })
    }

    /// Longer ones first.
    fn all(&self) -> impl Iterator<Item = &Prefix> {
        let length = self.tree.as_ref().map_or(0, |tree| tree.as_str().len());
        let at = (self.prefixes).partition_point(|prefix| prefix.as_str().len() > length);
        let (longer, shorter) = self.prefixes.split_at(at);
        longer.iter().chain(&self.tree).chain(shorter)
    }

    fn is_empty(&self) -> bool {
        self.prefixes.is_empty() && self.tree.is_none()
    }

    /// This one, with the server of each document: for trees in which each document has its own.
    #[doc(hidden)]
    pub fn with_own_server(self, has_own_server: bool) -> Site {
        Site {
            has_own_server,
            ..self
        }
    }

    #[doc(hidden)]
    pub fn has_own_server(&self) -> bool {
        self.has_own_server
    }

    #[doc(hidden)]
    pub fn urls(&self) -> impl Iterator<Item = &str> {
        self.all().map(Prefix::as_str)
    }

    /// How a URL outside the site differs from one in it, if that is only the scheme (0), a `www.` (1), or both
    /// (2).
    pub(super) fn alias(&self, own: &str, url: &str) -> Option<usize> {
        let (scheme, host, path) = web(url)?;
        let differs = |home: &str| {
            let (home_scheme, home_host, home_path) = web(home)?;
            let bare = |host: &str| host.strip_prefix("www.").unwrap_or(host).len();
            let [of_url, of_home] = [host, home_host].map(|host| &host[host.len() - bare(host)..]);
            let is_below = || path.starts_with(home_path.trim_end_matches('/'));
            let is_alias = of_url.eq_ignore_ascii_case(of_home) && is_below();
            let kinds = (scheme != home_scheme, host.len() != home_host.len());
            let kind = match kinds {
                (true, false) => 0,
                (false, true) => 1,
                (true, true) => 2,
                (false, false) => return None,
            };
            is_alias.then_some(kind)
        };
        differs(self.home(own)?.as_ref())
    }

    /// What stands for the tree at the URL of one of its documents.
    fn home<'s>(&'s self, own: &'s str) -> Option<Cow<'s, str>> {
        match self.split(own) {
            Some((prefix, _)) if !self.has_own_server => Some(Cow::Borrowed(prefix.as_str())),
            _ => Prefix::server_of(own),
        }
    }

    /// The URL that [`Site::alias`] has found of this kind.
    #[doc(hidden)]
    pub fn alias_url(&self, own: &str, kind: usize) -> Option<String> {
        let home = self.home(own)?;
        let (scheme, host, path) = web(&home)?;
        let scheme = match (kind, scheme) {
            (1, same) => same,
            (_, "http") => "https",
            _ => "http",
        };
        let host = match (kind, host.strip_prefix("www.")) {
            (0, _) => host.to_owned(),
            (_, Some(bare)) => bare.to_owned(),
            (_, None) => format!("www.{host}"),
        };
        Some(format!("{scheme}://{host}{}/", path.trim_end_matches('/')))
    }

    /// The longest prefix of a URL, and the rest of that.
    fn split<'u>(&self, url: &'u str) -> Option<(&Prefix, &'u str)> {
        let found = |prefix| Some((prefix, Prefix::rest(prefix, url)?));
        self.all().find_map(found)
    }

    /// A target as a URL of the site of a document, if it is in that site: one below another prefix is
    /// moved to the prefix of the document.
    fn target(&self, own: &BaseUrl, target: &str) -> Option<String> {
        let is_own_server = self.has_own_server || self.is_empty();
        if is_own_server && inverse::have_same_server(own, target) {
            return Some(target.to_owned());
        }
        let (prefix, rest) = self.split(target)?;
        match self.split(own.as_str()) {
            Some((home, _)) if home != prefix => Some(format!("{}{rest}", home.as_str())),
            None if is_own_server => Some(format!("{}{rest}", Prefix::server_of(own.as_str())?)),
            _ => Some(target.to_owned()),
        }
    }
}

/// Scheme, host with port, and path of a URL of the web.
fn web(url: &str) -> Option<(&str, &str, &str)> {
    let (scheme, rest) = url.split_once("://")?;
    let (host, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    matches!(scheme, "http" | "https").then_some((scheme, host, path))
}

/// What is written in place of a reference, and why.
#[derive(Debug, Default)]
pub(super) struct Formed<'r> {
    /// The text, if it changes.
    pub(super) to: Option<Cow<'r, str>>,
    /// Which form it has, if references get another than the URL in full.
    pub(super) form: Which,
    /// Whether its target was moved.
    pub(super) is_moved: bool,
    /// Whether its target was that of a web archive.
    pub(super) is_unwrapped: bool,
}

/// Which form a reference has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Which {
    /// The URL in full, since its place needs that or its target is of no server.
    #[default]
    InFull,
    /// The form that is asked for.
    AsAsked,
    /// The URL in full, since no other reference leads to the target.
    Kept,
    /// The URL in full, since the target is not in the site.
    Outside,
    /// As it is, since it would lead into a tree whose URL is not known, and that has no such file.
    Missing,
}

impl<'r> Formed<'r> {
    /// Of a `base` element that is taken out.
    pub(super) fn removed() -> Formed<'r> {
        Formed {
            to: Some(Cow::Borrowed("")),
            ..Formed::default()
        }
    }

    /// With a text of its own.
    pub(super) fn owned<'o>(self) -> Formed<'o> {
        Formed {
            to: self.to.map(|to| Cow::Owned(to.into_owned())),
            ..self
        }
    }

    /// Where references become absolute.
    pub(super) fn absolute(to: Option<&'r str>) -> Formed<'r> {
        Formed {
            to: to.map(Cow::Borrowed),
            ..Formed::default()
        }
    }
}

impl Rules<'_> {
    /// What is written in place of a reference, which was resolved or is absolute itself.
    #[inline]
    pub(super) fn form<'r>(
        &self,
        given: &BasedReference<'_, '_>,
        outcome: Outcome,
        resolved: Option<&'r str>,
    ) -> Formed<'r> {
        let target = match outcome {
            Outcome::Relative => resolved,
            Outcome::Absolute => Some(given.reference),
            _ => None,
        };
        match target {
            _ if self.settings.to == To::Keep => self.keep(given, outcome),
            Some(target) if self.settings.has_forms() => self.choose(given, outcome, target),
            _ => Formed::absolute(resolved.filter(|_| outcome == Outcome::Relative)),
        }
    }

    fn choose<'r>(
        &self,
        given: &BasedReference<'_, '_>,
        outcome: Outcome,
        target: &str,
    ) -> Formed<'r> {
        let unwrapped = self.unwrapped(target);
        let is_unwrapped = unwrapped.is_some();
        let target = unwrapped.unwrap_or_else(|| target.to_owned());
        let moved = self.moved(given, &target);
        let is_moved = moved.is_some();
        let target = moved.unwrap_or(target);
        let reference = self.reference(given, &target);
        let is_given = outcome == Outcome::Relative && !is_moved && !is_unwrapped;
        let is_its_form =
            reference.as_deref() == Ok(given.reference) || is_given && self.is_its_form(given);
        let (to, form) = match reference {
            _ if is_its_form => (None, Which::AsAsked),
            Ok(reference) => (Some(reference), Which::AsAsked),
            Err(_) if outcome == Outcome::Relative && self.is_name(given) => (None, Which::AsAsked),
            Err(_) if outcome == Outcome::Relative && is_of_nameless(given, &target) => {
                let form = match names_document(given.row) {
                    true => Which::InFull,
                    false => Which::Missing,
                };
                (None, form)
            }
            Err(form) => {
                let changes = outcome == Outcome::Relative || is_moved || is_unwrapped;
                (changes.then_some(target), form)
            }
        };
        Formed {
            to: to.map(Cow::Owned),
            form,
            is_moved,
            is_unwrapped,
        }
    }

    /// The URL that a web archive shows, if it is taken.
    fn unwrapped(&self, url: &str) -> Option<String> {
        (self.settings.unwrap)
            .then(|| replay::unwrapped(url))
            .flatten()
    }

    /// Where a target is moved to, if it is. Without a scheme, the reference is that of http and of https.
    fn moved(&self, given: &BasedReference<'_, '_>, target: &str) -> Option<String> {
        let moves = &self.settings.moves;
        // A part of FROM does not begin a placeholder.
        let is_whole = |rest: &str| given.unfilled.is_none() || !rest.is_empty();
        if let Some((prefix, rest)) = moves.moving(target).filter(|(_, rest)| is_whole(rest)) {
            return Some(format!("{}{rest}", prefix.parts().1));
        }
        let from_host = Some(given.reference).filter(|reference| reference.starts_with("//"));
        let (prefix, rest) = moves.moving_from_host(from_host?)?;
        is_whole(&rest).then(|| format!("{}{rest}", prefix.parts().1))
    }

    /// The same where each reference keeps its form.
    fn keep<'r>(&self, given: &BasedReference<'_, '_>, outcome: Outcome) -> Formed<'r> {
        let reference = given.reference;
        let is_from_host = reference.starts_with("//");
        let unwrapped = match outcome {
            Outcome::Absolute | Outcome::Relative => self.unwrapped(reference),
            _ => return Formed::default(),
        };
        let is_unwrapped = unwrapped.is_some();
        let moved = match &unwrapped {
            Some(url) => self.moved(given, url),
            None if outcome == Outcome::Absolute => self.moved(given, reference),
            None if is_from_host => self.moved(given, reference).map(|url| {
                let found = self.settings.moves.moving_from_host(reference);
                match (found, url.find("//")) {
                    (Some((prefix, _)), Some(at)) if prefix.keeps_scheme() => url[at..].to_owned(),
                    _ => url,
                }
            }),
            None => None,
        };
        Formed {
            is_moved: moved.is_some(),
            is_unwrapped,
            to: moved.or(unwrapped).map(Cow::Owned),
            ..Formed::default()
        }
    }

    /// The same where the grammar of a value spells the URL in full in another way, which leads the next run to
    /// another form.
    #[cold]
    pub(super) fn form_again<'r>(
        &self,
        given: &BasedReference<'_, '_>,
        written: &str,
        formed: Formed<'r>,
    ) -> Formed<'r> {
        let given = BasedReference {
            text: written,
            reference: written,
            ..*given
        };
        let again = self.choose(&given, Outcome::Absolute, written);
        match again.to {
            Some(_) => Formed {
                is_moved: formed.is_moved,
                is_unwrapped: formed.is_unwrapped,
                ..again
            },
            None => formed,
        }
    }

    /// The URL Standard writes a host in ASCII, so that others are compared in that spelling.
    fn with_host_as_written<'u>(&self, url: &'u str) -> Cow<'u, str> {
        let start = url.find("://").map_or(url.len(), |at| at + "://".len());
        let end = url[start..].find(['/', '?', '#', '\\']);
        let (server, rest) = url.split_at(end.map_or(url.len(), |end| start + end));
        let is_odd = |byte: u8| !byte.is_ascii() || byte == b'%';
        if self.settings.resolver != Resolver::Whatwg || !server.bytes().any(is_odd) {
            return Cow::Borrowed(url);
        }
        match whatwg::parse(server, None) {
            Ok(parsed) => Cow::Owned(parsed.text().trim_end_matches('/').to_owned() + rest),
            Err(_) => Cow::Borrowed(url),
        }
    }

    /// Whether a relative reference has the form already, apart from what the URL Standard escapes in its target.
    fn is_its_form(&self, given: &BasedReference<'_, '_>) -> bool {
        let is_escaped =
            self.settings.resolver == Resolver::Whatwg && self.settings.to.inverse().is_some();
        let (true, Some(base)) = (is_escaped, given.base) else {
            return false;
        };
        let target = Resolver::Rfc3986.resolve(base, given.reference);
        target.is_ok_and(|target| self.reference(given, &target).as_deref() == Ok(given.reference))
    }

    /// The reference of the form that is asked for, or why it is the URL in full.
    fn reference(&self, given: &BasedReference<'_, '_>, target: &str) -> Result<String, Which> {
        let (row, settings) = (given.row, self.settings);
        let stays_in_full = names_document(row) || given.unfilled.is_some();
        let new_base = self.document_base.new_base(self.context);
        let is_of_document = row.against != Against::Codebase || self.codebase.is_none();
        let base = new_base.filter(|_| is_of_document).or(given.base);
        let (true, Some(base), false) = (settings.to.is_short(), base, stays_in_full) else {
            return Err(Which::InFull);
        };
        if given.is_of_another {
            return Err(Which::Kept);
        }
        let own = (self.context.retrieval.as_ref()).map_or(base, |retrieval| &retrieval.url);
        let [own, base] = [own, base].map(|url| {
            let moved = settings.moves.moved(url.as_str());
            let text = moved.as_deref().unwrap_or(url.as_str());
            match self.with_host_as_written(text) {
                Cow::Borrowed(text) if text == url.as_str() => Cow::Borrowed(url),
                text => Cow::Owned(BaseUrl::any(&text)),
            }
        });
        // So is the query of the document's own URL in a `base` element, which comes from outside.
        let base = match row.kind.has_utf8_queries() || settings.resolver == Resolver::Whatwg {
            true => base,
            false => Cow::Owned(self.charset.percent_encode_outer(&base).into_owned()),
        };
        let target = &*self.with_host_as_written(target);
        let in_site = settings.site.target(&own, target);
        // In an import map, `#f` would be a bare name.
        let fragment_alone = !row.leaves_fragments() && row.kind != ValueKind::ImportMap;
        let to = match is_relative_to_origin(row) {
            true => To::Root,
            false => settings.to,
        };
        let Some(form) = to.inverse() else {
            // What stands for all that is in a directory is the name of no file.
            if row.kind == ValueKind::ImportMap && target.ends_with('/') {
                return Err(Which::Kept);
            }
            // A mirror may have the files of two hosts of which one is said to be the other.
            let here = self.file(given, target, fragment_alone);
            let moved = in_site.as_deref().filter(|moved| *moved != target);
            let file = here.or_else(|| self.file(given, moved?, fragment_alone));
            return match file {
                Some(reference) => self.spelled_in(row, reference),
                None if in_site.is_some() => Err(Which::Kept),
                None if target.contains("://") => Err(Which::Outside),
                None => Err(Which::InFull),
            };
        };
        let is_reached = form == Form::Root && inverse::have_same_server(&own, target);
        let Some(target) = in_site.or_else(|| is_reached.then(|| target.to_owned())) else {
            return Err(match target.contains("://") {
                true => Which::Outside,
                false => Which::InFull,
            });
        };
        let neighbours = self.context.neighbours.as_ref();
        if is_nameless(&target) && !neighbours.is_some_and(|files| files.have(&target)) {
            return Err(Which::Missing);
        }
        // Browsers have another base URL there, so a reference would lead them elsewhere.
        let is_early = self.early_base.is_some() && !self.document_base.is_removed;
        let is_lost =
            self.document_base.is_removed && self.document_base.source == BaseSource::Embedded;
        if is_early || self.document_base.will_differ(self.context) || is_lost && new_base.is_none()
        {
            return Err(Which::Kept);
        }
        let inverse = Inverse {
            form,
            fragment_alone,
        };
        let reference = inverse
            .reference(&base, &target)
            .map_err(|kept| match kept {
                Kept::NotAbsolute => Which::InFull,
                _ => Which::Kept,
            })?;
        self.spelled_in(row, reference)
    }

    /// The reference to the file of a target, where that is what the new reference is relative to.
    fn file(
        &self,
        given: &BasedReference<'_, '_>,
        target: &str,
        fragment_alone: bool,
    ) -> Option<String> {
        let neighbours = self.context.neighbours.as_ref()?;
        let has_base = self.has_own_base()
            || given.row.against == Against::Codebase && self.codebase.is_some();
        (!has_base).then(|| neighbours.reference(target, fragment_alone))?
    }

    /// Whether a reference is the name of a file, as an earlier run has written it.
    fn is_name(&self, given: &BasedReference<'_, '_>) -> bool {
        let neighbours = (self.context.neighbours.as_ref())
            .filter(|_| self.settings.to == To::Files && !names_document(given.row))
            .filter(|_| self.document_base.source != BaseSource::Embedded);
        neighbours.is_some_and(|neighbours| neighbours.are_named(given.reference))
    }

    /// Whether the document has a `base` element, and keeps it.
    pub(super) fn has_own_base(&self) -> bool {
        self.document_base.source == BaseSource::Embedded && !self.document_base.is_removed
    }

    /// A reference as it may stand in a place, if it may.
    fn spelled_in(&self, row: &Row, reference: String) -> Result<String, Which> {
        let reference = in_place(row.kind, reference);
        match placeholder::first(&reference, row.kind, self.settings.placeholders) {
            // A template would take a part of it for one.
            Some(_) => Err(Which::Kept),
            None => Ok(reference),
        }
    }
}

/// Web Application Manifest, "processing the id member": it is relative to the origin of `start_url`.
fn is_relative_to_origin(row: &Row) -> bool {
    row.group == Group::Feed && row.attribute == "id"
}

/// Whether what a reference means is known only from the root of a tree whose URL is not known.
fn is_of_nameless(given: &BasedReference<'_, '_>, target: &str) -> bool {
    is_nameless(target) || given.base.is_some_and(|base| is_nameless(base.as_str()))
}

/// Whether a place tells others where something is, or is itself a base URL: it holds a URL in full.
fn names_document(row: &Row) -> bool {
    matches!(row.group, Group::Canonical | Group::Meta)
        || matches!(row.attribute, "itemid" | "cite")
        || row.kind == ValueKind::LinkedData
        || matches!(
            row.against,
            Against::Fallback | Against::Outer | Against::Nothing
        )
}

/// A reference as it may begin in a value of this kind: `./` before what would be read as a part of the
/// value's grammar, or as a placeholder.
fn in_place(kind: ValueKind, reference: String) -> String {
    let begins = |with: &[char]| reference.starts_with(with);
    let is_misread = match kind {
        ValueKind::Srcset | ValueKind::CommaList => begins(&[',']),
        ValueKind::Refresh => {
            let start = reference.as_bytes().get(..3);
            begins(&[',', ';', '\'', '"'])
                || start.is_some_and(|start| start.eq_ignore_ascii_case(b"url"))
        }
        // HTML, "parse a URL-like import specifier": anything else is a bare name.
        ValueKind::ImportMap => !["/", "./", "../"]
            .iter()
            .any(|it| reference.starts_with(it)),
        _ => false,
    };
    // Before a fragment it would lead to another document.
    let is_placeholder = !begins(&['#']) && placeholder::at_start(&reference).is_some();
    match is_misread || is_placeholder {
        true => format!("./{reference}"),
        false => reference,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_has_urls_below_its_prefixes() {
        let site = Site::default().with("http://www.e.org/").unwrap();
        let site = site.with("https://e.org/docs/").unwrap();
        let own = BaseUrl::any("https://e.org/docs/a/b.html");
        for (target, expected) in [
            ("https://e.org/docs/x", Some("https://e.org/docs/x")),
            ("https://E.org/docs?q", Some("https://E.org/docs?q")),
            ("https://e.org/docsx", None),
            ("https://e.org/", None),
            ("http://www.e.org/x#f", Some("https://e.org/docs/x#f")),
            ("http://e.org/docs/x", None),
        ] {
            assert_eq!(site.target(&own, target).as_deref(), expected, "{target}");
        }
        let server = Site::default();
        assert!(server.target(&own, "https://e.org/blog/").is_some());
        assert!(server.target(&own, "https://o.org/").is_none());
        // A document elsewhere has no prefix to move to.
        let elsewhere = BaseUrl::any("http://o/");
        let target = site.target(&elsewhere, "http://www.e.org/x");
        assert_eq!(target.as_deref(), Some("http://www.e.org/x"));
    }

    #[test]
    fn a_reference_is_no_part_of_the_grammar() {
        for (kind, reference, expected) in [
            (ValueKind::Srcset, ",a", "./,a"),
            (ValueKind::Url, ",a", ",a"),
            (ValueKind::Refresh, "URL=a", "./URL=a"),
            (ValueKind::Refresh, "'a", "./'a"),
            (ValueKind::Refresh, "ur", "ur"),
            (ValueKind::Url, "{name}", "./{name}"),
            (ValueKind::Url, "__NAME__", "./__NAME__"),
            (ValueKind::Url, "_static/x", "_static/x"),
            (ValueKind::Url, "%name%/x", "./%name%/x"),
        ] {
            assert_eq!(in_place(kind, reference.to_owned()), expected);
        }
    }
}
