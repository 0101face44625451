//! One HTML part of a message: its octets, what its references mean, and its new body.

use std::borrow::Cow;
use std::ops::Range;

use super::entity::{self, Content, Entity};
use super::location::{self, Locations, THIS_MESSAGE};
use super::mbox;
use super::transfer::{self, Transfer};
use crate::examined::{Reason, Remark, shortened};
use crate::heading::{Heading, MediaType};
use abslink_html::base::retrieval::mirror::Mirror;
use abslink_html::base::{self, BaseSource, Context, Retrieval};
use abslink_html::{
    self as html, Edit, Examined, Outcome, Reference, Syntax, Tally, sort_by_number,
};
use abslink_url::BaseUrl;

/// What all parts of a message share.
pub(super) struct Message<'m> {
    pub(super) bytes: &'m [u8],
    pub(super) entities: &'m [Entity],
    /// URLs by what the message says, and by what is known about it from outside: RFC 2557 §5
    /// names the URL that it was retrieved from last.
    pub(super) known: &'m Locations,
    /// URLs by what the message says alone, which is what its readers go by.
    pub(super) inside: &'m Locations,
    pub(super) context: &'m Context,
    pub(super) html: &'m html::Settings,
    /// How lines of the message end.
    pub(super) line_end: &'m [u8],
    /// Whether a line that begins with `From ` may begin another message.
    pub(super) is_in_mbox: bool,
    /// Whether new bodies are wanted.
    pub(super) rewrites: bool,
}

/// What became of a part.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) examined: Examined,
    /// The new body, if it is to change.
    pub(super) body: Option<Vec<u8>>,
    pub(super) refusal: Option<Reason>,
    pub(super) remark: Option<Remark>,
}

impl<'m> Message<'m> {
    /// Processes the HTML part at `index`, before which the message has grown by so much; each of its
    /// references is shown with its place in the message.
    pub(super) fn part(
        &self,
        index: usize,
        section: &str,
        syntax: Syntax,
        grown: u64,
        each: &mut dyn FnMut(&Reference<'_>),
    ) -> Part {
        let mut context = self.context_of(index);
        let length = self.bytes.len() as u64;
        context.growth_budget = Some(html::growth_limit(length).saturating_sub(grown));
        let (transfer, octets) = match self.octets(index) {
            Ok(found) => found,
            Err(reason) => return Part::unread(&context, reason),
        };
        // The new message is made in memory, with the parts that have grown.
        let others = length.saturating_sub(octets.len() as u64) + grown;
        context.memory_budget = Some(html::HELD.saturating_sub(others));
        let body = &self.bytes[self.entities[index].body.clone()];
        let body_start = self.entities[index].body.start;
        context.charset = self.charset(index, &octets).map(Cow::into_owned);
        let is_signed = self.is_signed(index);
        let entity = context.entity.clone();
        let stays_at = |base: Option<&str>| {
            if is_signed {
                Some(Outcome::Unresolved)
            } else {
                self.stays_at(base?, entity.as_ref())
            }
        };
        if self.html.remove_base {
            let examined = html::examine(&octets, syntax, &context, self.html, &mut |_| {});
            let base = examined.document_base.base.as_ref();
            context.keeps_base = stays_at(base.map(BaseUrl::as_str)).is_some();
        }
        let mut positions = transfer.positions(body);
        let mut lost = None;
        // References that stay whatever they would become: their octets, what they count as, and whether they would
        // have been written.
        let mut kept: Vec<(Range<usize>, Outcome, bool)> = Vec::new();
        let mut show = |reference: &Reference<'_>| {
            let octets = reference.span.clone();
            let encoded = positions(reference.span.clone());
            let span = body_start + encoded.start..body_start + encoded.end;
            let mut reference = reference.at(span);
            match stays_at(reference.base) {
                Some(outcome) => {
                    let is_written = reference.to.is_some();
                    kept.push((octets, outcome, is_written));
                    reference.to = None;
                    if reference.outcome == Outcome::Relative {
                        reference.outcome = outcome;
                        reference.absolute = None;
                    }
                }
                None => self.look_for_loss(index, section, &reference, &mut lost),
            }
            each(&reference);
        };
        let (mut examined, mut edits) =
            html::edits(&octets, syntax, &context, self.html, &mut show);
        let mut part = Part {
            refusal: (examined.left.take().map(Reason::Document))
                .or(examined.disagreement.take().map(Reason::Disagreement)),
            remark: None,
            body: None,
            examined,
        };
        withdraw(&mut kept, &mut edits, &mut part.examined.tally);
        if kept.iter().any(|(_, _, is_written)| *is_written) {
            let base = part.examined.document_base.base.as_ref();
            let base = base.filter(|base| stays_at(Some(base.as_str())) == Some(Outcome::Excluded));
            if is_signed {
                part.refusal = Some(Reason::Signed);
            } else if let Some(base) = base {
                part.remark = Some(Remark::FileLocation {
                    section: section.to_owned(),
                    base: shortened(base.as_str()),
                });
            }
        }
        // One edit of all of the document is taken back with the reference of another base URL.
        if part.refusal.is_some() || edits.is_empty() {
            part.leave();
        } else if self.rewrites {
            match self.new_body(index, transfer, &octets, &edits) {
                Ok(body) => {
                    part.body = Some(body);
                    part.remark = lost;
                }
                Err(reason) => {
                    part.leave();
                    part.refusal = Some(reason);
                }
            }
        }
        part
    }

    /// RFC 2557 §5: whether a reference led to another part and no longer does.
    fn look_for_loss(
        &self,
        index: usize,
        section: &str,
        reference: &Reference<'_>,
        lost: &mut Option<Remark>,
    ) {
        let (Outcome::Relative, Some(absolute)) = (reference.outcome, reference.absolute) else {
            return;
        };
        if reference.reference.starts_with('#') || self.inside.is_label(absolute) {
            return;
        }
        // A base URL in the document is the one that a reader uses; then `absolute` was compared.
        let resolved = || {
            let base = self.inside.base_or_outer(index);
            let resolved = self.html.resolver.resolve(base, reference.reference);
            reference.base_from != BaseSource::Embedded
                && resolved.is_ok_and(|url| self.inside.is_label(&url))
        };
        if !self.inside.is_label(reference.reference) && !resolved() {
            return;
        }
        match lost {
            Some(Remark::LostMatch { count, .. }) => *count += 1,
            _ => {
                *lost = Some(Remark::LostMatch {
                    section: section.to_owned(),
                    count: 1,
                    reference: shortened(reference.reference),
                    absolute: shortened(absolute),
                });
            }
        }
    }

    fn heading(&self, index: usize) -> Heading<'m> {
        Heading::new(self.bytes, self.entities[index].heading.clone())
    }

    /// §3.2: what is known about the base URL of a part. The document's own URL is what its
    /// `Content-Location` says.
    fn context_of(&self, index: usize) -> Context {
        let own = self.known.own(index).map(|url| Retrieval {
            url: url.clone(),
            source: BaseSource::Entity,
            is_guess: false,
        });
        let mut context = self.context.clone();
        context.entity = self.known.base(index).cloned();
        context.retrieval = own.or(context.retrieval);
        context.mirror = context.mirror.map(Mirror::with_links_as_served);
        // What opens a message from a disk does not find files beside it.
        context.neighbours = None;
        context.unwrapped(self.html)
    }

    /// The label of a part's character encoding.
    ///
    /// RFC 2781 §4.3: text labelled `utf-16` is big-endian where it has no byte order mark. Not
    /// every program keeps to that, so the first `<` of the document decides. HTTP follows the
    /// Encoding Standard, where that label means little-endian.
    fn charset(&self, index: usize, octets: &[u8]) -> Option<Cow<'static, str>> {
        let label = MediaType::of(self.heading(index), "text/html").parameter("charset")?;
        if !label.trim().eq_ignore_ascii_case("utf-16") {
            return Some(label.into());
        }
        let otherwise = if self.entities[index].is_http {
            "utf-16le"
        } else {
            "utf-16be"
        };
        Some(html::utf16_by_markup(octets).unwrap_or(otherwise).into())
    }

    fn octets(&self, index: usize) -> Result<(Transfer, Cow<'m, [u8]>), Reason> {
        let heading = self.heading(index);
        for name in ["Content-Encoding", "Transfer-Encoding"] {
            if let Some(field) = heading.get(name)
                && !field.value.trim_ascii().eq_ignore_ascii_case(b"identity")
            {
                let value = String::from_utf8_lossy(field.value);
                return Err(Reason::HttpCoding(format!("{name}: {}", value.trim())));
            }
        }
        let transfer = Transfer::of(heading)?;
        let octets = transfer.decode(&self.bytes[self.entities[index].body.clone()])?;
        Ok((transfer, octets))
    }

    /// The entities that enclose one, from the inside out.
    fn enclosing(&self, index: usize) -> impl Iterator<Item = &'m Entity> {
        let entities = self.entities;
        std::iter::successors(entities[index].parent, |&parent| entities[parent].parent)
            .map(|index| &entities[index])
    }

    /// Whether a part is in one that is signed: its references stay, wherever they lead.
    fn is_signed(&self, index: usize) -> bool {
        self.enclosing(index)
            .any(|entity| matches!(entity.content, Content::Multipart { signed: true, .. }))
    }

    /// What relative references with this base URL count as, if they stay, in a part whose heading gives the base URL
    /// `entity`.
    fn stays_at(&self, base: &str, entity: Option<&BaseUrl>) -> Option<Outcome> {
        let is_file = |url: &str| location::has_scheme(url, "file:");
        if location::is_this_message(base) {
            // It is not one to be written.
            Some(Outcome::Unresolved)
        } else {
            (entity.is_some_and(|entity| is_file(entity.as_str())) && is_file(base))
                .then_some(Outcome::Excluded)
        }
    }

    fn new_body(
        &self,
        index: usize,
        transfer: Transfer,
        octets: &[u8],
        edits: &[Edit],
    ) -> Result<Vec<u8>, Reason> {
        let old = &self.bytes[self.entities[index].body.clone()];
        let verify = &self.html.verify;
        let mut new = transfer.edit(old, octets, edits, self.line_end)?;
        verify.check(&mut new, 0, Vec::new, |_, new, _| {
            let is_same = transfer.decode(new)? == transfer::splice(octets, edits);
            is_same.then_some(()).ok_or(Reason::Misspelt)
        })?;
        let is_cut = self.enclosing(index).any(|entity| match &entity.content {
            Content::Multipart { delimiter, .. } => entity::holds_delimiter(&new, delimiter),
            _ => false,
        });
        if is_cut {
            return Err(Reason::Boundary);
        }
        if self.is_in_mbox && mbox::begins_anew(old, &new) {
            return Err(Reason::FromLine);
        }
        Ok(new)
    }
}

impl Part {
    fn unread(context: &Context, reason: Reason) -> Part {
        Part {
            examined: Examined::of(base::document_base(None, context, Default::default())),
            body: None,
            refusal: Some(reason),
            remark: None,
        }
    }

    /// Moves what counts as rewritten to what is unresolved.
    fn leave(&mut self) {
        let tally = &mut self.examined.tally;
        tally.unresolved += std::mem::take(&mut tally.rewritten);
    }
}

/// Takes back the edits of these references, and counts the references as what they are.
fn withdraw(
    kept: &mut Vec<(Range<usize>, Outcome, bool)>,
    edits: &mut Vec<Edit>,
    tally: &mut Tally,
) {
    sort_by_number(kept, |(octets, ..)| octets.start);
    edits.retain(|(old, _)| {
        let next = kept.partition_point(|(octets, ..)| octets.end < old.start);
        (kept.get(next)).is_none_or(|(octets, ..)| old.end < octets.start)
    });
    for (_, outcome, _) in kept.iter().filter(|(_, _, is_written)| *is_written) {
        let Some(rest) = tally.rewritten.checked_sub(1) else {
            break;
        };
        tally.rewritten = rest;
        *match outcome {
            Outcome::Excluded => &mut tally.excluded,
            _ => &mut tally.unresolved,
        } += 1;
    }
}

/// What a message is relative to where nothing is known from outside.
pub(super) fn this_message() -> BaseUrl {
    BaseUrl::any(THIS_MESSAGE)
}
