//! The references of one document, and of the documents inside it: resolved, shown, and rewritten.

mod short;

use std::borrow::Cow;
use std::ops::Range;

use super::remove_base::{self, Survey};
use super::sink::Sink;
use super::write_back;
use crate::base::retrieval::confirmation::Confirmation;
use crate::base::{Context, DocumentBase};
use crate::locate::{self, Quote, Syntax};
use crate::places::attributes::{Against, ValueKind};
use crate::places::groups::Group;
use crate::places::list::{HtmlCoding, Places, UrlPlace};
use crate::report::growth::{self, Growth};
use crate::report::outcome::Outcome;
use crate::report::reference::Reference;
use crate::report::tally::Tally;
use crate::resolve::document_base::document_base_in;
use crate::resolve::early_base::{self, EarlyBase};
use crate::resolve::form::{Replacement, WrittenForm};
use crate::resolve::resolver::{ReferenceResolver, Resolution};
use crate::settings::Settings;
use crate::settings::placeholder::Sample;
use crate::settings::site::To;
use crate::text::chunk::Chunk;
use crate::text::encoding::Charset;
use crate::text::splice::Edits;
use crate::text::value::{Delimiter, Value};
use crate::values::found::FoundReference;
use crate::values::{json, references};

/// How deep `srcdoc` documents in `srcdoc` documents are followed. Each level makes its
/// ampersands longer, so real ones end far earlier.
const MAX_DEPTH: usize = 16;

/// One pass over a document, chunk by chunk, and over the documents inside it.
pub(crate) struct Pass<'p> {
    settings: &'p Settings,
    context: &'p Context,
    early_base: EarlyBase<'p>,
    pub(crate) tally: Tally,
    /// What the references showed about the document's URL.
    pub(crate) confirmation: Confirmation,
    pub(crate) growth: Growth,
    depth: usize,
    /// Whether it is known that what is shown of the chunk stays within the limit: it, or a chunk
    /// around it, was measured before.
    is_measured: bool,
    /// Where only a look is taken at all references: what is rewritten of them.
    survey: Option<&'p Survey>,
    /// The group that is off, if all references here are only counted for that.
    off: Option<Group>,
    /// New text for the current value; kept for its memory.
    replacements: Edits,
    /// The absolute form of a reference that is shown; kept for its memory.
    absolute: String,
    /// What a reference becomes in another form; kept for its memory.
    form: String,
    /// Whether something was changed that a page may allow by a hash.
    changes_hashed: bool,
}

impl<'p> Pass<'p> {
    /// At the start of a document whose `base` element that counts is at `base_final_from`.
    pub(crate) fn new(
        settings: &'p Settings,
        context: &'p Context,
        base_final_from: usize,
        growth: Growth,
    ) -> Pass<'p> {
        Pass {
            settings,
            context,
            early_base: EarlyBase::new(context, settings, base_final_from),
            tally: Tally::default(),
            confirmation: Confirmation::default(),
            growth,
            depth: 0,
            is_measured: false,
            survey: None,
            off: None,
            replacements: Edits::default(),
            absolute: String::new(),
            form: String::new(),
            changes_hashed: false,
        }
    }

    /// The references of a document that is one chunk, whose places were found; an error if it
    /// has to be left as it is.
    pub(crate) fn whole(
        &mut self,
        chunk: &Chunk<'_>,
        places: &Places,
        sink: &mut Sink<'_>,
    ) -> Result<DocumentBase, &'static str> {
        let embedded = places.base_href(chunk)?;
        let (charset, embedded) = (chunk.charset, embedded.as_deref());
        let mut document_base = document_base_in(charset, embedded, self.context, self.settings);
        if document_base.becomes.is_some() && places.base_is_ignored() {
            document_base.becomes = None;
        }
        let cuts = self.cuts(&mut document_base, chunk, places);
        self.chunk(&document_base, chunk, places, sink);
        if let (Some(edits), false) = (sink.edits.as_deref_mut(), cuts.is_empty())
            && !self.growth.is_exceeded()
        {
            cuts.into_iter().for_each(|cut| edits.push(cut, |_| {}));
            edits.sort();
        }
        document_base.take(&self.confirmation);
        self.count_hashed(|| allows_by_hash(chunk.bytes));
        Ok(document_base)
    }

    /// Counts a page that allows by a hash what has changed in it.
    pub(crate) fn count_hashed(&mut self, allows: impl FnOnce() -> bool) {
        let is_page = self.depth == 0 && self.changes_hashed;
        self.tally.hashed += u64::from(is_page && allows());
    }

    /// What is cut out of the document to take its `base` elements out, if no reference depends on them
    /// afterwards.
    fn cuts(
        &mut self,
        document_base: &mut DocumentBase,
        chunk: &Chunk<'_>,
        places: &Places,
    ) -> Vec<Range<usize>> {
        let is_wanted = self.settings.removes_base() && self.depth == 0;
        if !is_wanted || !places.list.iter().any(remove_base::counts) {
            return Vec::new();
        }
        let Some(cuts) = remove_base::cuts(chunk, places) else {
            return Vec::new();
        };
        let survey = Survey::new(self.settings, self.context, places, document_base);
        let settings = self.settings.with_all_groups();
        let mut all = Places::default();
        all.find(chunk.bytes, chunk.syntax, settings.wanted());
        document_base.is_removed = true;
        let mut pass = Pass {
            survey: Some(&survey),
            ..Pass::new(&settings, self.context, all.base_final_from(), self.growth)
        };
        pass.chunk(document_base, chunk, &all, &mut Sink::measuring());
        self.tally.base_needed_by = pass.tally.base_needed_by;
        if pass.tally.base_needed_by.is_some() || pass.growth.is_exceeded() {
            document_base.is_removed = false;
            return Vec::new();
        }
        self.tally.scripted += u64::from(remove_base::has_scripts(chunk.bytes));
        cuts
    }

    /// The references of the next chunk, whose places were found.
    pub(crate) fn chunk(
        &mut self,
        document_base: &DocumentBase,
        chunk: &Chunk<'_>,
        places: &Places,
        sink: &mut Sink<'_>,
    ) {
        self.part(document_base, chunk, places, 0..places.list.len(), sink);
    }

    /// The references of the places `within` a chunk.
    pub(crate) fn part(
        &mut self,
        document_base: &DocumentBase,
        chunk: &Chunk<'_>,
        places: &Places,
        within: Range<usize>,
        sink: &mut Sink<'_>,
    ) {
        self.growth.lists |= sink.each.is_some();
        if within.is_empty() {
            return;
        }
        let mut resolver =
            ReferenceResolver::new(self.settings, self.context, document_base, chunk.charset);
        // What was shown cannot be taken back.
        if sink.each.is_some() && !self.is_measured && self.may_outgrow(document_base, places) {
            let mut measuring = Pass {
                early_base: self.early_base.clone(),
                replacements: Edits::default(),
                absolute: String::new(),
                form: String::new(),
                ..*self
            };
            let sink = &mut Sink::measuring();
            measuring.places(chunk, places, within.clone(), &mut resolver, sink);
            if measuring.growth.is_exceeded() {
                self.growth = measuring.growth;
                return;
            }
            self.is_measured = true;
        }
        self.places(chunk, places, within, &mut resolver, sink);
    }

    /// Whether some URL is long enough for the document to outgrow its limit.
    fn may_outgrow(&self, document_base: &DocumentBase, places: &Places) -> bool {
        places.bases.len() > 1
            || places.has_codebases()
            || growth::is_long(document_base, self.context, self.settings, self.depth)
    }

    /// Goes on to the next chunk.
    pub(crate) fn leave(&mut self, chunk: &Chunk<'_>, places: &Places) {
        self.early_base.leave(places, chunk);
        self.is_measured = false;
    }

    fn places(
        &mut self,
        chunk: &Chunk<'_>,
        places: &Places,
        within: Range<usize>,
        resolver: &mut ReferenceResolver<'_>,
        sink: &mut Sink<'_>,
    ) {
        let reading = places.reading(chunk.charset, chunk.syntax);
        let (mut last, mut ascending) = (0, true);
        for index in within {
            let place = &places.list[index];
            if self.growth.is_exceeded() {
                return;
            }
            // An element's content comes before the child elements in it.
            ascending &= last <= place.value.start;
            last = place.value.end;
            let is_plain = place.delimiter.is_plain();
            let stays =
                !is_plain && matches!(place.delimiter, Delimiter::Declared | Delimiter::Ignored(_));
            let is_early = !stays && self.early_base.precedes_final_base(chunk, place);
            let raw = &chunk.bytes[place.value.clone()];
            let off = place.off.or(self.off);
            if is_plain
                && !is_early
                && off.is_none()
                && self.short_way(chunk, place, raw, resolver, sink)
            {
                continue;
            }
            let value = Value::decode(raw, place.delimiter, &reading);
            if place.row.against == Against::Codebase {
                let attribute = Delimiter::Attribute(Quote::Double);
                let codebase = places
                    .codebase(index)
                    .map(|codebase| Value::decode(&chunk.bytes[codebase], attribute, &reading));
                resolver.set_codebase(codebase.as_ref().map(|value| &*value.text));
            }
            if place.row.kind == ValueKind::LinkedData {
                resolver.set_linked_data_base(json::linked_data_base(&value.text));
            }
            if is_early
                && early_base::is_fetched_while_parsing(place, places.attribute(index), chunk.bytes)
            {
                let moment = self.early_base.at(place, places, chunk);
                resolver.set_early_base(Some(moment.clone()));
            }
            let site = PlaceView {
                chunk,
                place,
                value: &value,
                label: places.label(index),
                coded: places.coded(index),
                attribute: places.attribute(index),
                off,
            };
            // What is only counted shows nothing about the document.
            let confirmation = off.and_then(|_| resolver.take_confirmation());
            self.place(&site, resolver, sink);
            if confirmation.is_some() {
                resolver.set_confirmation(confirmation);
            }
            if is_early {
                resolver.set_early_base(None);
            }
        }
        if let Some(confirmation) = resolver.confirmation() {
            self.confirmation.merge(confirmation);
        }
        if let Some(edits) = sink.edits.as_deref_mut().filter(|_| !ascending) {
            edits.sort();
        }
    }

    /// The references of one place.
    fn place(
        &mut self,
        site: &PlaceView<'_>,
        resolver: &mut ReferenceResolver<'_>,
        sink: &mut Sink<'_>,
    ) {
        let PlaceView { place, value, .. } = *site;
        self.replacements.clear();
        if place.row.kind != ValueKind::Srcdoc && !place.row.is_html() {
            let placeholders = self.settings.placeholders;
            references::each(place.row.kind, &value.text, placeholders, &mut |found| {
                self.reference(site, &found, resolver, sink);
            });
        } else if place.is_ignored() {
            // It counts as one reference, and so does what nobody can tell.
            let ignored = Resolution::ignored(&value.text);
            self.show(site, &ignored, None, sink);
        } else if site.cannot_be_resolved() {
            let unknown = Resolution::unresolved(&value.text);
            self.show(site, &unknown, None, sink);
        } else if place.row.is_html() {
            self.fragment(site, resolver.document_base(), sink);
        } else {
            self.srcdoc(site, &resolver.inner_context(), sink);
        }
        if let (Some(edits), false) = (&mut sink.edits, self.replacements.is_empty())
            && !self.growth.is_exceeded()
        {
            let field = self.context.field;
            write_back::write_back(site.chunk, place, value, &self.replacements, field, edits);
        }
    }

    /// One reference of a value.
    fn reference(
        &mut self,
        site: &PlaceView<'_>,
        found: &FoundReference<'_>,
        resolver: &mut ReferenceResolver<'_>,
        sink: &mut Sink<'_>,
    ) {
        let row = site.place.row;
        if self.growth.is_exceeded() {
            return;
        }
        let is_removed = self.depth == 0 && resolver.document_base().is_removed;
        let Some(mut resolution) = resolver.resolve(row, found) else {
            return;
        };
        if site.place.is_ignored() {
            resolution.ignore();
            self.show(site, &resolution, Some(found.span.clone()), sink);
            return;
        }
        let stays = site.cannot_be_resolved() || found.has_unknown_base;
        match self.settings.to {
            // Its target is not known here, but may be where it is used.
            to if stays && (to == To::Keep || to.is_short() && found.has_unknown_base) => {
                resolution.stays();
            }
            _ if stays => resolution.cannot_be_resolved(),
            _ => {}
        }
        if site.off.is_some() {
            return self.show(site, &resolution, None, sink);
        }
        if self.settings.removes_base() && remove_base::counts(site.place) {
            self.tally.bases_removed += u64::from(is_removed);
            self.tally.bases_kept += u64::from(!is_removed);
            if is_removed {
                resolution.replacement = Replacement::removed();
                self.show(site, &resolution, Some(found.span.clone()), sink);
                return;
            }
        }
        if let Some(to) = &resolution.replacement.to {
            self.growth.add(growth::cost(to, row.kind, self.depth));
        }
        self.show(site, &resolution, Some(found.span.clone()), sink);
        let is_hashed = row.kind == ValueKind::CssStylesheet
            || row.kind == ValueKind::ImportMap
            || row.attribute == "style";
        self.changes_hashed |= is_hashed && resolution.replacement.to.is_some();
        if let (Some(to), true) = (&resolution.replacement.to, sink.edits.is_some())
            && !self.growth.is_exceeded()
        {
            let charset = site.chunk.charset;
            // From a placeholder on, the bytes stay.
            let (end, unfilled) = match &found.template {
                Some(template) => (template.at, resolution.unfilled),
                None => (found.span.end, 0),
            };
            let to = &to[..to.len() - unfilled];
            self.replacements
                .push(found.span.start..end, |out| match unfilled {
                    0 => references::encode(row.kind, found, to, charset, out),
                    _ => references::encode_beginning(row.kind, found, to, charset, out),
                });
        }
    }

    /// Counts a reference, and shows it if that is wanted. `range` is where it is in the value's
    /// text; without one, it is the whole value.
    fn show(
        &mut self,
        site: &PlaceView<'_>,
        resolution: &Resolution<'_>,
        range: Option<Range<usize>>,
        sink: &mut Sink<'_>,
    ) {
        if let Some(group) = site.off {
            let is_left = resolution.outcome == Outcome::Unresolved;
            if is_left || resolution.replacement.to.is_some() {
                self.tally.off.add(group);
            }
            return;
        }
        if let Some(survey) = self.survey {
            let needs = survey.needs(resolution, site.place, self.depth);
            self.tally.base_needed_by = self.tally.base_needed_by.or(needs);
        }
        let divergence = resolution.divergence.as_ref();
        self.tally.count(resolution.outcome, divergence.is_some());
        self.tally.above_root += u64::from(resolution.is_above_root);
        self.tally.needs_own_url |= resolution.needs_own_url(site.place.row);
        if self.settings.has_forms() {
            self.count_form(resolution);
            let is_file = self.settings.to == To::Files
                && resolution.replacement.form == WrittenForm::AsAsked;
            let needs_server =
                || resolution.is_module || needs_server(site.chunk, site.place, site.attribute);
            self.tally.need_server += u64::from(is_file && needs_server());
        }
        self.tally.wrapped += u64::from(resolution.is_wrapped);
        self.notice_surroundings(site, resolution);
        self.tally.file_names += u64::from(resolution.is_certain_name);
        self.tally.mapped += u64::from(resolution.is_mapped);
        self.tally.guesses += u64::from(resolution.is_guess);
        self.tally.saved += u64::from(resolution.is_saved);
        self.tally.before_base += u64::from(resolution.is_before_base());
        if resolution.outcome == Outcome::Placeholder {
            self.tally.sample.merge(&Sample::of(&resolution.reference));
        }
        // The reference may come from an entity, and a browser may have another base.
        let browser = divergence.and_then(|it| it.browser.as_deref());
        let shown = [resolution.base, Some(&*resolution.reference), browser];
        let shown = shown.into_iter().flatten().map(str::len).sum::<usize>();
        self.growth.show(resolution.outcome, shown);
        if self.growth.is_exceeded() {
            return;
        }
        if let Some(each) = &mut sink.each {
            each(&Reference {
                span: site.in_document(range),
                element: &site.element(),
                attribute: site.attribute,
                kind: site.place.row.kind,
                reference: &resolution.reference,
                absolute: resolution.absolute(),
                base: resolution.base,
                base_from: resolution.base_from,
                outcome: resolution.outcome,
                to: resolution.replacement.to.as_deref(),
                divergent: divergence,
            });
        }
    }

    /// Counts what only the tree around the document tells.
    fn notice_surroundings(&mut self, site: &PlaceView<'_>, resolution: &Resolution<'_>) {
        let is_relative = resolution.outcome == Outcome::Relative;
        if let Some(tree) = self.context.surroundings.as_ref().filter(|_| is_relative) {
            let kind = match tree.would_have(&resolution.reference) {
                Some(true) => Some(0),
                Some(false) => Some(1),
                None => is_relative_path(resolution.reference.as_bytes()).then_some(2),
            };
            kind.into_iter()
                .for_each(|kind| self.tally.from_root[kind] += 1);
        }
        if let Some(pins) = &self.context.pins
            && is_pinned(site.chunk, site.place)
            && let Some(url) = resolution.absolute()
        {
            pins.pin(url);
        }
        if resolution.replacement.form == WrittenForm::Outside
            && let (Some(own), Some(url)) = (&self.context.retrieval, resolution.absolute())
            && let Some(kind) = self.settings.site.alias(own.url.as_str(), url)
        {
            self.tally.aliases[kind] += 1;
        }
    }

    /// Counts a reference by what is written in its place, in a form that is not absolute.
    fn count_form(&mut self, resolution: &Resolution<'_>) {
        let tally = &mut self.tally;
        let replacement = &resolution.replacement;
        let changes = u64::from(replacement.to.is_some());
        tally.moved += u64::from(replacement.is_moved);
        tally.unwrapped += u64::from(replacement.is_unwrapped);
        let from_root = resolution.reference.strip_prefix('/');
        if resolution.is_nameless && from_root.is_some_and(|rest| !rest.starts_with('/')) {
            tally.nameless += u64::from(matches!(
                replacement.form,
                WrittenForm::AsAsked | WrittenForm::Missing
            ));
            tally.nameless_missing += u64::from(replacement.form == WrittenForm::Missing);
        }
        match resolution.outcome {
            Outcome::Relative => tally.rewritten -= 1,
            Outcome::Absolute => tally.absolute -= changes,
            _ => {}
        }
        tally.rewritten += changes;
        match replacement.form {
            WrittenForm::AsAsked => tally.made_relative += changes,
            WrittenForm::Kept => tally.kept += 1,
            WrittenForm::Outside => tally.outside += 1,
            WrittenForm::InFull | WrittenForm::Missing => {}
        }
    }

    /// HTML in the text of a feed: its base URL is that of the text, and no `base` element in it
    /// counts (RFC 4287 §3.1.1.2: it is the content of a `div`).
    fn fragment(
        &mut self,
        site: &PlaceView<'_>,
        document_base: &DocumentBase,
        sink: &mut Sink<'_>,
    ) {
        let coded = site.coded;
        let text = coded.map_or(&*site.value.text, |coded| &coded.text);
        let text = format!("{BODY}{text}");
        let charset = match coded {
            Some(_) => Charset::utf8(&text),
            None => site.chunk.charset.of_part(&text),
        };
        let inner = Chunk {
            in_cdata: coded.is_none() && site.value.has_cdata(),
            ..Chunk::whole(text.as_bytes(), &charset, Syntax::Html)
        };
        let mut places = Places::default();
        places.find(inner.bytes, inner.syntax, self.settings.wanted());
        places.bases.clear();
        let mut pass = Pass {
            depth: self.depth + 1,
            survey: self.survey,
            off: site.off,
            ..Pass::new(self.settings, self.context, 0, self.growth)
        };
        let element = site.element();
        let source = |span: Range<usize>| {
            let span = span.start - BODY.len()..span.end - BODY.len();
            site.in_document(coded.is_none().then_some(span))
        };
        let mut edits = Edits::default();
        sink.inside_element(Some(&element), source, &mut edits, |sink| {
            pass.chunk(document_base, &inner, &places, sink);
        });
        self.tally.merge(&pass.tally);
        self.growth = pass.growth;
        edits.sort();
        match coded {
            None => self.replacements.push_moved(&edits, BODY.len()),
            Some(_) if edits.is_empty() => {}
            Some(coded) => {
                let (old, new) = (&*site.value.text, edits.applied(&text));
                let start = old.len() - old.trim_start().len();
                let part = start..old.trim_end().len();
                let new = (coded.encode)(&old[part.clone()], &new[BODY.len()..]);
                self.replacements.push(part, |out| out.push_str(&new));
            }
        }
    }

    /// A document in an attribute: its fallback base URL is this document's base URL (HTML
    /// standard, "fallback base URL").
    fn srcdoc(&mut self, site: &PlaceView<'_>, context: &Context, sink: &mut Sink<'_>) {
        if self.depth == MAX_DEPTH {
            return;
        }
        let text = &*site.value.text;
        // srcdoc is text/html even in an XHTML document.
        let charset = Charset::utf8(text);
        let inner = Chunk::whole(text.as_bytes(), &charset, Syntax::Html);
        let mut places = Places::default();
        places.find(inner.bytes, inner.syntax, self.settings.wanted());
        let mut pass = Pass {
            depth: self.depth + 1,
            is_measured: self.is_measured,
            survey: self.survey,
            off: site.off,
            ..Pass::new(
                self.settings,
                context,
                places.base_final_from(),
                self.growth,
            )
        };
        let source = |span| site.in_document(Some(span));
        // HTML never gives a reason to leave a document.
        let _ = sink.inside(source, &mut self.replacements, |sink| {
            pass.whole(&inner, &places, sink)
        });
        self.tally.merge(&pass.tally);
        self.growth = pass.growth;
    }
}

/// Put before a fragment, so that it is parsed like the body of a document
/// that has text.
const BODY: &str = "<div>-";

/// Element names are shown up to this length, since every reference of an element is shown with the
/// name.
const NAME: usize = 256;

/// Whether browsers load what an element names from servers only: they have to be allowed to read it, which
/// nothing on a disk allows.
fn needs_server(chunk: &Chunk<'_>, place: &UrlPlace, attribute: &str) -> bool {
    let element = &chunk.bytes[place.element.clone()];
    let is = |name: &[u8]| element.eq_ignore_ascii_case(name);
    // Links to other pages load nothing.
    if element.is_empty() || is(b"a") || !matches!(attribute, "src" | "href") {
        return false;
    }
    let value = |name| locate::html::attribute(chunk.bytes, place.element.end, name);
    let has = |name, wanted: &[u8]| {
        value(name)
            .is_some_and(|value| chunk.bytes[value].trim_ascii().eq_ignore_ascii_case(wanted))
    };
    // The style sheet that needs the font loads it in another way.
    let is_font = || is(b"link") && has("rel", b"preload") && has("as", b"font");
    let is_module =
        is(b"script") && has("type", b"module") || is(b"link") && has("rel", b"modulepreload");
    is_module || value("integrity").is_some() || value("crossorigin").is_some() && !is_font()
}

/// Whether a relative reference counts from the document's directory.
fn is_relative_path(reference: &[u8]) -> bool {
    !matches!(reference.first(), None | Some(b'/' | b'#' | b'?'))
}

/// Whether an element names the bytes of what it loads by a hash.
fn is_pinned(chunk: &Chunk<'_>, place: &UrlPlace) -> bool {
    let element = &chunk.bytes[place.element.clone()];
    let loads = [&b"link"[..], b"script"]
        .iter()
        .any(|name| element.eq_ignore_ascii_case(name));
    loads && locate::html::attribute(chunk.bytes, place.element.end, "integrity").is_some()
}

/// Whether a page has a policy in a `meta` element, with a hash in it. A tag has no `<` in it: so much of one
/// is read, and each byte once.
pub(crate) fn allows_by_hash(page: &[u8]) -> bool {
    const NAME: &[u8] = b"content-security-policy";
    let has = |tag: &[u8], text: &[u8]| {
        let mut windows = tag.windows(text.len());
        windows.any(|window| window.eq_ignore_ascii_case(text))
    };
    memchr::memchr_iter(b'<', page).any(|at| {
        let rest = &page[at + 1..];
        let is_meta = (rest.get(..4)).is_some_and(|name| name.eq_ignore_ascii_case(b"meta"));
        is_meta && {
            let tag = &rest[..memchr::memchr2(b'<', b'>', rest).unwrap_or(rest.len())];
            let hashes: [&[u8]; 3] = [b"sha256-", b"sha384-", b"sha512-"];
            has(tag, NAME) && hashes.into_iter().any(|hash| has(tag, hash))
        }
    })
}

/// The name of an element as it is shown.
fn shown(name: &[u8]) -> Cow<'_, str> {
    match name.get(..NAME) {
        Some(beginning) if name.len() > NAME => {
            let beginning = String::from_utf8_lossy(beginning);
            let beginning = beginning.trim_end_matches(char::REPLACEMENT_CHARACTER);
            Cow::Owned(format!("{beginning}…"))
        }
        _ => String::from_utf8_lossy(name),
    }
}

/// A place whose references are processed.
struct PlaceView<'s> {
    chunk: &'s Chunk<'s>,
    place: &'s UrlPlace,
    value: &'s Value<'s>,
    /// The name of the element, if that is not in the document.
    label: Option<&'s str>,
    /// What it holds, if that is in a coding of its own.
    coded: Option<&'s HtmlCoding>,
    /// The name of the attribute.
    attribute: &'s str,
    /// The group that is off, if the references are only counted.
    off: Option<Group>,
}

impl<'s> PlaceView<'s> {
    /// Whether relative references stay relative: their meaning cannot be told, or they may take
    /// effect in several places.
    fn cannot_be_resolved(&self) -> bool {
        self.value.is_unknown
            || self.place.delimiter == Delimiter::Declared
            || self.place.row.kind == ValueKind::EncodedHtml && self.coded.is_none()
    }

    /// Where in the document a part of the value's text is, or all of the value.
    fn in_document(&self, text: Option<Range<usize>>) -> Range<usize> {
        let place = &self.place.value;
        let start = self.chunk.start + place.start;
        match text {
            Some(text) => {
                let span = self.value.span(text);
                start + span.start..start + span.end
            }
            None => start..self.chunk.start + place.end,
        }
    }

    /// The name of the element as it is shown.
    fn element(&self) -> Cow<'s, str> {
        if let Some(label) = self.label {
            return Cow::Borrowed(label);
        }
        let name = &self.chunk.bytes[self.place.element.clone()];
        let text_element = self.place.row.text_element();
        if name.is_empty() && !text_element.is_empty() {
            return Cow::Borrowed(text_element);
        }
        let shown = shown(name);
        // The elements of a feed have the names that it gives them, in their letter case, as in
        // XML.
        let is_folded = self.place.row.group != Group::Feed;
        if is_folded && shown.bytes().any(|byte| byte.is_ascii_uppercase()) {
            Cow::Owned(shown.to_ascii_lowercase())
        } else {
            shown
        }
    }
}
