//! Taking the `base` elements out of a document (`--remove-base`), when nothing depends on them.
//!
//! What the other references then are relative to is the document's own URL (RFC 1808 §3.3), so that all of
//! them have to be looked at before the first is written, those in groups that are not taken as well.

use std::collections::HashSet;
use std::ops::Range;

use crate::base::{Context, DocumentBase};
use crate::locate::html::{cut, is_whitespace, tag};
use crate::locate::{Attribute, Quote, Syntax, xml};
use crate::places::attributes::{Against, Hash, Row};
use crate::places::groups::{Group, Groups};
use crate::places::list::{Places, UrlPlace};
use crate::report::outcome::Outcome;
use crate::resolve::form::{Replacement, WrittenForm};
use crate::resolve::resolution::Resolution;
use crate::settings::Settings;
use crate::settings::site::To;
use crate::text::chunk::Chunk;
use crate::text::splice::splice;
use abslink_url::rfc1808::Components;
use abslink_url::{BaseUrl, Resolver};

impl Settings {
    /// Whether `base` elements are taken out where they can be.
    pub(crate) fn removes_base(&self) -> bool {
        self.remove_base || self.to == To::Files
    }

    /// These, for a look at all the references of a document.
    pub(crate) fn with_all_groups(&self) -> Settings {
        Settings {
            groups: Group::ALL.into_iter().fold(Groups::NONE, Groups::with),
            counted: None,
            verify: Default::default(),
            ..self.clone()
        }
    }
}

/// Whether a place is the `href` of a `base` element.
pub(crate) fn is_base(row: &Row) -> bool {
    row.against == Against::Fallback
}

/// Whether a place is one that counts for the document.
pub(crate) fn is_active_base(place: &UrlPlace) -> bool {
    is_base(place.row) && !place.is_inert
}

/// What is looked at before the first reference is written: which of all places are taken.
#[derive(Debug)]
pub(crate) struct Survey {
    groups: Groups,
    /// Where the values of places that are taken begin.
    taken: HashSet<usize>,
    /// Whether the base URL is the document's own without the `base` elements.
    base_is_own: bool,
    resolver: Resolver,
    /// Whether relative references stay so.
    keeps: bool,
    /// What the base URL is without them.
    new_base: Option<BaseUrl>,
}

impl Survey {
    pub(crate) fn new(
        settings: &Settings,
        context: &Context,
        places: &Places,
        document_base: &DocumentBase,
    ) -> Survey {
        Survey {
            groups: settings.groups,
            taken: (places.list.iter().filter(|place| place.off_group.is_none()))
                .map(|place| place.value.start)
                .collect(),
            base_is_own: document_base.is_own(context),
            resolver: settings.resolver,
            keeps: settings.to == To::Keep,
            new_base: context.fallback().map(|(url, _)| url.clone()),
        }
    }

    /// The group to be named if a reference needs the `base` element after the run. `depth` counts
    /// the documents around that of the place.
    pub(crate) fn needs(
        &self,
        resolution: &Resolution<'_>,
        place: &UrlPlace,
        depth: usize,
    ) -> Option<Group> {
        let is_taken = match depth {
            0 => self.taken.contains(&place.value.start),
            _ => self.groups.contains(place.row.group),
        };
        let without = [place.row.group, Group::Comments, Group::Noscript];
        let named = without
            .into_iter()
            .find(|group| !is_taken && !self.groups.contains(*group));
        let is_own_base = depth == 0 && is_base(place.row);
        let depends = !is_own_base && self.depends(resolution, place.row, is_taken);
        depends.then_some(named.unwrap_or(place.row.group))
    }

    /// Whether a reference depends on the `base` element after the run.
    fn depends(&self, resolution: &Resolution<'_>, row: &Row, is_taken: bool) -> bool {
        match resolution.outcome {
            _ if row.against == Against::Retrieval => false,
            Outcome::SameDocument => row.hash == Hash::Based && !self.base_is_own,
            // The URL Standard reads `http:x` by the scheme of the base URL.
            Outcome::Absolute => (self.new_base.as_ref()).is_some_and(|new_base| {
                !(self.resolver).is_absolute(new_base, &resolution.reference)
            }),
            // The `base` element there is says nothing else.
            Outcome::Present if resolution.is_saved => false,
            Outcome::Unresolved | Outcome::Placeholder | Outcome::Present => true,
            Outcome::WindowsPath => false,
            Outcome::Excluded => {
                row.against != Against::Nothing
                    && Components::parse(&resolution.reference).scheme.is_none()
            }
            // With a placeholder it stays in some forms, and so does what leads to no file.
            Outcome::Relative if is_taken => {
                let Replacement { to, form, .. } = &resolution.replacement;
                let is_path = !resolution.reference.starts_with('/');
                to.is_none()
                    && (resolution.unfilled > 0
                        || *form == WrittenForm::Missing && is_path
                        || self.keeps && !self.stays_same(resolution))
            }
            Outcome::Relative => resolution.replacement.to.is_some(),
        }
    }

    /// Whether a reference as it is means the same without the `base` element.
    fn stays_same(&self, resolution: &Resolution<'_>) -> bool {
        let new = (self.new_base.as_ref())
            .and_then(|base| self.resolver.resolve(base, &resolution.reference).ok());
        new.is_some() && new.as_deref() == resolution.resolved
    }
}

/// What is cut out of a document: its `base` elements, or only their `href` where they have other attributes or their
/// neighbours would be read otherwise without them. `None` where neither can be.
pub(crate) fn cuts(chunk: &Chunk<'_>, places: &Places) -> Option<Vec<Range<usize>>> {
    let (bytes, is_html) = (chunk.bytes, chunk.syntax == Syntax::Html);
    if is_html && !cut::has_same_bases(bytes) {
        return None;
    }
    let (mut tags, mut elements) = (Vec::<Tag>::new(), Vec::new());
    for place in places.list.iter().filter(|place| is_active_base(place)) {
        if place.is_ignored() {
            return None;
        }
        let start = memchr::memrchr(b'<', &bytes[..place.element.start])?;
        // A tag may have the attribute twice.
        if tags.last().is_some_and(|last| start < last.place.end) {
            continue;
        }
        let name = start + 1..place.element.end;
        let tag = Tag::read(bytes, start, name.len(), chunk.syntax)?;
        elements.push(start..element_end(chunk, name, tag.place.end)?);
        tags.push(tag);
    }
    let can_go = if is_html {
        cut::can_go(bytes, &elements)
    } else {
        vec![true; elements.len()]
    };
    let mut cuts = Vec::new();
    for ((tag, element), can_go) in tags.iter().zip(elements).zip(can_go) {
        let is_href = |it: &&Attribute| match (&bytes[it.name.clone()], is_html) {
            (name, true) => name.eq_ignore_ascii_case(b"href"),
            (name, false) => name == b"href",
        };
        if can_go && tag.attributes.iter().all(|it| is_href(&it)) && are_parted(bytes, &element) {
            cuts.push(element);
            continue;
        }
        let start = tag.place.start;
        let urls = tag.attributes.iter().filter(is_href);
        let urls: Vec<_> = urls.map(|it| attribute(bytes, it)).collect();
        let moved = urls
            .iter()
            .map(|url| (url.start - start..url.end - start, ()));
        let mut new = Vec::new();
        splice(&bytes[tag.place.clone()], moved, &mut new, |(), _| {});
        let read = Tag::read(&new, 0, tag.name_length, chunk.syntax)?;
        let others = tag.attributes.iter().filter(|it| !is_href(it));
        let is_same = others
            .map(|it| spelled(bytes, it))
            .eq(read.attributes.iter().map(|it| spelled(&new, it)));
        if !is_same || read.place.end != new.len() {
            return None;
        }
        cuts.extend(urls);
    }
    Some(cuts)
}

/// A start tag, with all its attributes.
struct Tag {
    place: Range<usize>,
    name_length: usize,
    attributes: Vec<Attribute>,
}

impl Tag {
    fn read(bytes: &[u8], start: usize, name_length: usize, syntax: Syntax) -> Option<Tag> {
        let mut attributes = Vec::new();
        let name_end = start + 1 + name_length;
        let end = match syntax {
            Syntax::Html => tag::attributes(bytes, name_end, |it| attributes.push(it))?.position,
            Syntax::Xml => xml::markup::tag(bytes, start, |it| attributes.push(it))?.end,
        };
        Some(Tag {
            place: start..end,
            name_length,
            attributes,
        })
    }
}

/// Whether what stands before and behind a tag in text is read as it is now if the tag goes: nothing before it could
/// go on.
fn are_parted(bytes: &[u8], tag: &Range<usize>) -> bool {
    let (before, behind) = (&bytes[..tag.start], &bytes[tag.end..]);
    // HTML 13.2.5.72: a character reference.
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'#';
    let reference = before.iter().rev().take_while(is_part).count();
    let is_open = before[..before.len() - reference].ends_with(b"&");
    // A tag, `]]>` in XML, CR LF.
    let goes_on = matches!(before.last(), Some(b'<' | b']' | b'\r'));
    // A character of several bytes, a byte order mark.
    let is_cut = [before.last(), behind.first()]
        .into_iter()
        .flatten()
        .any(|byte| !byte.is_ascii());
    !is_open && !goes_on && !is_cut
}

/// Where an element ends whose start tag does; `None` if it has content.
fn element_end(chunk: &Chunk<'_>, name: Range<usize>, tag_end: usize) -> Option<usize> {
    if chunk.syntax == Syntax::Html || chunk.bytes[..tag_end].ends_with(b"/>") {
        return Some(tag_end);
    }
    let blanks = |bytes: &[u8]| {
        bytes
            .iter()
            .take_while(|&&byte| is_whitespace(byte))
            .count()
    };
    let rest = &chunk.bytes[tag_end..];
    let start = blanks(rest);
    let end_tag = rest[start..].strip_prefix(b"</")?;
    let after = end_tag.strip_prefix(&chunk.bytes[name])?;
    let end = blanks(after);
    (after.get(end) == Some(&b'>')).then(|| chunk.bytes.len() - after.len() + end + 1)
}

/// An attribute with the space before it, unless that is all that parts its neighbours.
fn attribute(bytes: &[u8], attribute: &Attribute) -> Range<usize> {
    let quote = matches!(attribute.quote, Quote::Single | Quote::Double);
    let end = attribute.value.end + usize::from(quote);
    let before = bytes[..attribute.name.start].iter().rev();
    let blanks = before.take_while(|&&byte| is_whitespace(byte)).count();
    let is_parted = matches!(bytes.get(end), Some(&byte) if byte == b'>' || is_whitespace(byte));
    let start = attribute.name.start - if is_parted { blanks } else { 0 };
    start..end
}

/// Whether a document has scripts, which may ask for the base URL.
pub(crate) fn has_scripts(document: &[u8]) -> bool {
    let name = b"script";
    memchr::memchr_iter(b'<', document).any(|at| {
        let found = document.get(at + 1..at + 1 + name.len());
        found.is_some_and(|found| found.eq_ignore_ascii_case(name))
    })
}

/// An attribute's name and value.
fn spelled<'d>(bytes: &'d [u8], attribute: &Attribute) -> [&'d [u8]; 2] {
    [&attribute.name, &attribute.value].map(|part| &bytes[part.clone()])
}
