//! Which references have their form already, or get it, by their bytes alone: in documents with a plain base
//! URL nearly all.

use std::cell::RefCell;

use super::names_document;
use crate::base::moves::Prefix;
use crate::base::retrieval::neighbours::Neighbours;
use crate::base::{BaseSource, Context, DocumentBase};
use crate::places::attributes::{Against, Row, ValueKind};
use crate::settings::site::{Site, To};
use crate::settings::{Fragments, Settings, placeholder};
use abslink_url::inverse::{self, Plain};

/// What is known about the references of one document.
#[derive(Debug)]
pub(crate) struct PlainForms<'d> {
    plain: Plain<'d>,
    /// How many `../` lead no further than the site reaches.
    levels: usize,
    /// The prefix of the site that the document is below; without one, it is the server.
    home: Option<&'d str>,
    site: &'d Site,
    resolves_fragments: bool,
    /// Where references lead to files: those around the document.
    files: Option<&'d Neighbours>,
    /// Whether they are paths from the root, which reach the whole server.
    is_root: bool,
}

/// What becomes of a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PlainForm {
    Stays,
    /// It stays: its target is not in the site.
    Outside,
    /// It is absolute, and gets the form, which was appended.
    Becomes,
    /// The same of one that is relative.
    Changes,
}

impl<'d> PlainForms<'d> {
    /// `None` where bytes alone do not tell.
    pub(crate) fn new(
        settings: &'d Settings,
        context: &'d Context,
        document_base: &'d DocumentBase,
    ) -> Option<PlainForms<'d>> {
        /// More are looked at one by one.
        const DEEP: usize = 12;
        let is_usual = settings.to.is_short()
            && settings.moves.is_empty()
            && !settings.site.has_own_server()
            && document_base.new_base(context).is_none()
            && document_base.browser.is_none();
        let is_lost = document_base.is_removed && document_base.source == BaseSource::Embedded;
        let base = document_base
            .base
            .as_ref()
            .filter(|_| is_usual && !is_lost)?;
        let plain = Plain::new(base)?;
        let own = (context.retrieval.as_ref()).map_or(base, |retrieval| &retrieval.url);
        let files = match settings.to {
            To::Files => {
                let files = context.neighbours.as_ref().filter(|_| own == base)?;
                Some(files).filter(|files| files.are_plain()).map(Some)?
            }
            _ => None,
        };
        let site = &settings.site;
        let home = if site.is_empty() {
            let is_same = inverse::have_same_server(own, base.as_str());
            is_same.then_some(None)?
        } else {
            Some(site.split(own.as_str())?.0)
        };
        // What is below another prefix is moved.
        let is_here = |prefix: &&Prefix| server(prefix.as_str()) == plain.server();
        if let Some(home) = home
            && !(is_here(&home) && site.all().filter(is_here).count() == 1)
        {
            return None;
        }
        let is_root = settings.to == To::Root;
        let reaches = |levels: &usize| {
            let above = plain.above(*levels);
            above.is_some_and(|above| {
                if is_root {
                    return true;
                }
                let url = format!("{}{above}", plain.server());
                home.is_none_or(|home| home.rest(&url).is_some())
            })
        };
        Some(PlainForms {
            plain,
            levels: (0..DEEP).take_while(reaches).last()?,
            home: home.map(Prefix::as_str),
            site,
            files,
            is_root,
            resolves_fragments: settings.fragments == Fragments::Resolve
                && !context.keeps_fragments,
        })
    }

    /// What becomes of the one URL of a value, by its raw bytes; `None` if that takes more to tell.
    #[inline]
    pub(crate) fn of(&self, row: &Row, raw: &[u8], out: &mut String) -> Option<PlainForm> {
        let is_url = row.kind == ValueKind::Url && row.against == Against::Base;
        if !is_url || names_document(row) {
            return None;
        }
        match raw {
            [b'h', b't', b't', b'p', ..] if raw.contains(&b':') => self.absolute(row, raw, out),
            _ if placeholder::may_begin(raw) => None,
            [b'/', ..] if !self.is_root => None,
            [b'#', ..] => {
                let resolves = self.resolves_fragments && !row.leaves_fragments();
                (resolves && self.plain.is_fragment(raw)).then_some(PlainForm::Stays)
            }
            _ if self.is_root => {
                let reference = std::str::from_utf8(raw).ok()?;
                let written = (self.plain).rooted(reference, !row.leaves_fragments(), out)?;
                match &**out {
                    _ if written > self.levels => None,
                    same if same == reference => Some(PlainForm::Stays),
                    _ => Some(PlainForm::Changes),
                }
            }
            _ => {
                let reference = std::str::from_utf8(raw).ok()?;
                let of = (self.plain).respelled(reference, !row.leaves_fragments(), out)?;
                let path = &raw[of.path.clone()];
                let has_query = raw.get(of.path.end) == Some(&b'?');
                let is_there = self.files.is_none_or(|files| {
                    // A query may be in a file's name, and what is the document's own file is called by a
                    // fragment.
                    let is_own = of.levels == 0 && files.is_own_name(path);
                    !has_query && !is_own && is_file(files, of.levels, path)
                });
                match &**out {
                    _ if of.written > self.levels || !is_there => None,
                    _ if placeholder::may_begin(out.as_bytes()) => None,
                    same if same == reference => Some(PlainForm::Stays),
                    _ => Some(PlainForm::Changes),
                }
            }
        }
    }

    fn absolute(&self, row: &Row, raw: &[u8], out: &mut String) -> Option<PlainForm> {
        // No entity, no placeholder, no other spelling.
        let is_usual = |byte: &u8| {
            byte.is_ascii_alphanumeric()
                || matches!(
                    byte,
                    b'-' | b'_' | b'.' | b'~' | b'/' | b'?' | b'#' | b'=' | b':'
                )
        };
        let url = std::str::from_utf8(raw)
            .ok()
            .filter(|_| raw.iter().all(is_usual))?;
        let host = url
            .strip_prefix("https://")
            .or_else(|| url.strip_prefix("http://"))?;
        let host = &host[..host.find(['/', '?', '#']).unwrap_or(host.len())];
        let is_name = |byte: u8| byte.is_ascii_lowercase() || matches!(byte, b'.' | b'-');
        if host.is_empty() || !host.bytes().all(is_name) {
            return None;
        }
        let of_url = server(url);
        let mut prefixes = self.site.all();
        if of_url != self.plain.server() {
            let is_outside = prefixes.all(|prefix| server(prefix.as_str()) != of_url);
            return is_outside.then_some(PlainForm::Outside);
        }
        if self.files.is_some() {
            return None;
        }
        if self.is_root {
            let is_found = (self.plain).from_root(url, !row.leaves_fragments(), out);
            return is_found.then_some(PlainForm::Becomes);
        }
        let rest = url.strip_prefix(self.home.unwrap_or(of_url));
        if !rest.is_some_and(|rest| rest.starts_with('/')) {
            return None;
        }
        let start = out.len();
        let is_found = self.plain.relative(url, !row.leaves_fragments(), out);
        let is_plain = !placeholder::may_begin(&out.as_bytes()[start..]);
        (is_found && is_plain).then_some(PlainForm::Becomes)
    }
}

/// Whether a path behind so many `../` leads to a file.
fn is_file(files: &Neighbours, levels: usize, path: &[u8]) -> bool {
    thread_local! {
        static PATH: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    }
    let is_name = !matches!(path.last(), None | Some(b'/'));
    is_name && PATH.with_borrow_mut(|memory| files.has_file(levels, path, memory))
}

/// Scheme and host of a URL.
fn server(url: &str) -> &str {
    let host = url.find("://").map_or(0, |at| at + "://".len());
    let length = url[host..].find(['/', '?', '#']);
    &url[..length.map_or(url.len(), |length| host + length)]
}
