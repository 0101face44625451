//! The forms of references by their bytes alone: in documents with an everyday base URL nearly all.

use std::cell::RefCell;

use memchr::{memchr, memchr2};

use super::{WrittenForm, names_document};
use crate::base::moves::Prefix;
use crate::base::retrieval::neighbours::Neighbours;
use crate::base::retrieval::tree::is_nameless;
use crate::base::{Context, DocumentBase, of_files};
use crate::places::attributes::{Against, Row};
use crate::report::outcome::Outcome;
use crate::settings::site::{Site, To};
use crate::settings::{Settings, placeholder};
use abslink_url::Shortcut;
use abslink_url::inverse::{self, Form, Inverse};

/// What becomes of a value that is one URL, where its bytes decide that ([`by_bytes`](crate::resolve::resolver::ReferenceResolver::by_bytes)).
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByteResult<'d> {
    /// [`Outcome::Absolute`] or [`Outcome::Relative`].
    pub(crate) outcome: Outcome,
    /// Makes the value absolute, in place of its first `dropped` bytes.
    pub(crate) before: &'d str,
    pub(crate) dropped: usize,
    /// Which form it gets, or has already.
    pub(crate) form: WrittenForm,
    /// Whether something else is written in its place.
    pub(crate) changes: bool,
}

impl ByteResult<'_> {
    pub(crate) fn absolute(form: WrittenForm, changes: bool) -> Self {
        ByteResult {
            outcome: Outcome::Absolute,
            before: "",
            dropped: 0,
            form,
            changes,
        }
    }
}

/// How the references of one document get their form.
#[derive(Debug)]
pub(crate) struct ByteForms<'d> {
    shortcut: &'d Shortcut,
    form: Form,
    /// What a target begins with that the site reaches, at least; a beginning of the base URL.
    reach: usize,
    /// The prefix of the site that the document is below; without one, it is the server.
    home: Option<&'d str>,
    site: &'d Site,
    /// Where references lead to files, or in a nameless tree: the files around the document.
    files: Option<&'d Neighbours>,
    /// The URL of the tree is not known.
    is_nameless: bool,
    /// A URL in full may be that of a file.
    may_be_recorded: bool,
}

impl<'d> ByteForms<'d> {
    /// `None` where bytes alone do not tell.
    pub(crate) fn new(
        settings: &'d Settings,
        context: &'d Context,
        document_base: &'d DocumentBase,
        shortcut: &'d Shortcut,
    ) -> Option<ByteForms<'d>> {
        let is_usual = settings.to.is_short()
            && settings.moves.is_empty()
            && !settings.try_ext.iter().any(|ending| ending.contains('='))
            && (settings.site.is_empty() || !settings.site.has_own_server)
            && document_base.new_base(context).is_none()
            && document_base.browser.is_none();
        let base = document_base
            .base
            .as_ref()
            .filter(|_| is_usual && !document_base.has_lost_own())?;
        let own = (context.retrieval.as_ref()).map_or(base, |retrieval| &retrieval.url);
        let is_nameless = is_nameless(base.as_str());
        let of_own = || {
            let is_own = own == base && !base.as_str().contains('?');
            of_files(&context.neighbours).filter(|_| is_own)
        };
        let files = match settings.to {
            To::Files | To::Relative if is_nameless => Some(of_own()?),
            To::Files => Some(of_own().filter(|files| files.are_plain())?),
            _ if is_nameless => return None,
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
        let is_here = |prefix: &&Prefix| server(&prefix.url) == shortcut.server();
        if let Some(home) = home
            && !(is_here(&home) && site.all().filter(is_here).count() == 1)
        {
            return None;
        }
        let form = settings.to.inverse().unwrap_or(Form::Relative);
        let directory = shortcut.directory();
        let is_reached = |end: &usize| {
            let is_directory = directory[..*end].ends_with('/');
            is_directory && home.is_none_or(|home| home.rest(&directory[..*end]).is_some())
        };
        let root = shortcut.server().len() + 1;
        let reach = match form {
            Form::Root => root,
            Form::Relative => (root..=directory.len()).find(is_reached)?,
        };
        Some(ByteForms {
            shortcut,
            form,
            reach,
            home: home.map(|home| &*home.url),
            site,
            files,
            is_nameless,
            may_be_recorded: is_nameless && settings.to == To::Files,
        })
    }

    /// Whether a reference changes that is `before` and its own end, without what was dropped.
    #[inline]
    pub(crate) fn relative(
        &self,
        row: &Row,
        raw: &[u8],
        before: &str,
        dropped: usize,
        out: &mut String,
    ) -> Option<bool> {
        let reference = std::str::from_utf8(raw).ok()?;
        let tail = &reference[dropped..];
        let is_from_root = tail.starts_with('/');
        let is_reached = before.len() + usize::from(is_from_root) >= self.reach;
        if names_document(row) || !is_reached {
            return None;
        }
        let unchanged = (self
            .inverse(row)
            .unchanged(self.shortcut, before, dropped, tail))
        .filter(|_| !placeholder::may_begin(raw));
        let (levels, path) = match unchanged {
            Some(unchanged) => unchanged,
            None => self.write(row, before, tail, out)?,
        };
        if let Some(files) = self.files
            && !reference.starts_with('#')
        {
            let end = memchr2(b'?', b'#', tail.as_bytes()).unwrap_or(tail.len());
            // It may be in a file's name.
            let has_query = tail[end..].starts_with('?');
            // On a disk, another root is there.
            let is_of_disk = is_from_root && (!self.is_nameless || self.may_be_recorded);
            if has_query || is_of_disk {
                return None;
            }
            if levels == 0 && files.is_own_name(path.as_bytes()) {
                let fragment = &tail[end..];
                // Its URL may be that of its directory, or have another name.
                if self.is_nameless || path != self.shortcut.name() || !is_name(path) {
                    return None;
                }
                if self.inverse(row).fragment_alone && !fragment.is_empty() {
                    out.clear();
                    out.push_str(fragment);
                    return Some(true);
                }
            } else if !is_file(files, levels, path) {
                return None;
            }
        }
        Some(unchanged.is_none() && *out != reference)
    }

    /// What becomes of a URL in full.
    pub(crate) fn absolute<'r>(
        &self,
        row: &Row,
        raw: &[u8],
        out: &mut String,
    ) -> Option<ByteResult<'r>> {
        if row.against != Against::Base || names_document(row) {
            return None;
        }
        let url = std::str::from_utf8(raw).ok()?;
        let of_url = server(url);
        // What stands for a nameless tree is not for people to write.
        if self.may_be_recorded || self.is_nameless && of_url == self.shortcut.server() {
            return None;
        }
        if of_url != self.shortcut.server() {
            let is_outside = is_literal_url(url)
                && (self.site.all()).all(|prefix| server(&prefix.url) != of_url);
            return is_outside.then_some(ByteResult::absolute(WrittenForm::Outside, false));
        }
        let is_in_site = || {
            let rest = url.strip_prefix(self.home.unwrap_or(of_url));
            rest.is_some_and(|rest| rest.starts_with('/'))
        };
        let is_found = self.files.is_none()
            && (self.form == Form::Root || is_in_site())
            && memchr(b'&', raw).is_none();
        let (before, dropped) = (self.shortcut).resolve(raw).filter(|_| is_found)?;
        self.write(row, before, &url[dropped..], out)?;
        Some(ByteResult::absolute(WrittenForm::AsAsked, true))
    }

    fn inverse(&self, row: &Row) -> Inverse {
        Inverse {
            form: self.form,
            fragment_alone: !row.leaves_fragments(),
        }
    }

    /// Writes the reference to a target, if no template takes it for its own. How many `../` it begins with, and the
    /// path behind them.
    fn write<'t>(
        &self,
        row: &Row,
        before: &'t str,
        tail: &'t str,
        out: &mut String,
    ) -> Option<(usize, &'t str)>
    where
        'd: 't,
    {
        out.clear();
        let written = self.inverse(row).append(self.shortcut, before, tail, out);
        (!placeholder::may_begin(out.as_bytes())).then_some(written)
    }
}

/// Whether a URL has a host of letters, and nothing that stands for something else.
fn is_literal_url(url: &str) -> bool {
    let is_literal = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~/?#=:".contains(&byte);
    let is_name = |byte: u8| byte.is_ascii_lowercase() || matches!(byte, b'.' | b'-');
    let host =
        (server(url).strip_prefix("https://")).or_else(|| server(url).strip_prefix("http://"));
    url.bytes().all(is_literal)
        && host.is_some_and(|host| !host.is_empty() && host.bytes().all(is_name))
}

/// Whether a path behind so many `../` leads to a file.
fn is_file(files: &Neighbours, levels: usize, path: &str) -> bool {
    thread_local! {
        static PATH: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    }
    is_name(path) && PATH.with_borrow_mut(|memory| files.has_file(levels, path.as_bytes(), memory))
}

/// Whether a path names a file as it is.
fn is_name(path: &str) -> bool {
    let is_literal =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-'..=b'/' | b'_' | b'~' | b'=');
    !path.is_empty() && !path.ends_with('/') && path.bytes().all(is_literal)
}

/// Scheme and host of a URL.
fn server(url: &str) -> &str {
    let host = url.find("://").map_or(0, |at| at + "://".len());
    let length = url[host..].find(['/', '?', '#']);
    &url[..length.map_or(url.len(), |length| host + length)]
}
