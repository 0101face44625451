//! What becomes of one reference: the outcome, and the absolute form.

use std::borrow::Cow;

use memchr::{memchr, memchr2};

use super::based_reference::Unfilled;
use super::form::{ByteForms, ByteResult, Replacement, WrittenForm};
use super::replay;
use super::resolution::Resolution;
use super::rules::Rules;
use crate::base::retrieval::confirmation::Confirmation;
use crate::base::retrieval::mirror::Mirror;
use crate::base::retrieval::tree::is_nameless;
use crate::base::{Context, DocumentBase, of_files};
use crate::places::attributes::{Against, Empty, Row, ValueKind};
use crate::report::outcome::Outcome;
use crate::settings::Settings;
use crate::settings::placeholder::{self, LETTER, Placeholders};
use crate::settings::site::To;
use crate::text::encoding::Charset;
use crate::values::found::{FoundReference, Template};
use crate::values::json::LinkedDataBase;
use crate::values::references;
use abslink_url::{BaseUrl, Shortcut, inverse};

/// Resolves the references of one document.
#[derive(Debug)]
pub(crate) struct ReferenceResolver<'d> {
    pub(crate) rules: Rules<'d>,
    /// The URL to which the last reference leads.
    url: String,
    /// What the references so far showed about the document's URL, if that is wanted.
    pub(crate) confirmation: Option<Confirmation>,
    /// How most references are resolved, if nothing else has to be considered.
    shortcut: Option<&'d Shortcut>,
    /// The same where they get another form than the absolute one.
    forms: Option<ByteForms<'d>>,
    /// The base URL stands for a tree whose URL is not known.
    is_nameless: bool,
}

impl<'d> ReferenceResolver<'d> {
    pub(crate) fn new(
        settings: &'d Settings,
        context: &'d Context,
        document_base: &'d DocumentBase,
        charset: &'d Charset<'d>,
        is_replayed: bool,
    ) -> ReferenceResolver<'d> {
        let is_nameless = (document_base.base.as_ref()).is_some_and(|it| is_nameless(it.as_str()));
        // There, what the bytes decide is only what leads to a file without a recorded URL.
        let leads_to_files = is_nameless && settings.to.is_short() && !settings.only_missing;
        let is_served =
            |mirror: &Mirror| mirror.is_of_marks || leads_to_files && mirror.is_of_exceptions();
        let shortcut = (document_base.base.as_ref())
            .filter(|_| of_files(&context.mirror).is_none_or(is_served))
            .filter(|_| context.saved.is_none() && context.checkout.is_none())
            .filter(|_| !is_nameless || leads_to_files)
            // What is put before a reference is written as it is.
            .filter(|base| memchr(b'&', base.without_fragment().as_bytes()).is_none())
            .filter(|_| document_base.browser.is_none())
            .and_then(BaseUrl::shortcut);
        let rules = Rules {
            settings,
            context,
            document_base,
            charset,
            base_is_own: document_base.is_own(context),
            early_base: None,
            codebase: None,
            codebase_is_unknown: false,
            is_replayed,
        };
        ReferenceResolver {
            url: String::new(),
            confirmation: of_files(&context.mirror).and_then(Confirmation::wanted),
            forms: shortcut
                .filter(|_| !rules.looks_for_archives())
                .and_then(|shortcut| ByteForms::new(settings, context, document_base, shortcut)),
            rules,
            shortcut,
            is_nameless,
        }
    }

    /// The document's base URL, unless it stands for a tree whose URL is not known.
    pub(crate) fn shown_base(&self) -> Option<&'d str> {
        let base = self.rules.document_base.base.as_ref();
        base.filter(|_| !self.is_nameless).map(BaseUrl::as_str)
    }

    /// Sets the `codebase` that the next [`Against::Codebase`] references are resolved against.
    pub(crate) fn set_codebase(&mut self, codebase: Option<&str>) {
        let base = self.rules.document_base.base.as_ref();
        self.set_codebase_on(base, self.rules.charset, codebase);
    }

    /// Sets the values of `xml:base` that the next references are resolved against: each is relative to the one before.
    pub(crate) fn set_xml_base(&mut self, bases: &str) {
        let mut base = self.rules.document_base.base.clone();
        for value in bases.split('\n') {
            self.set_codebase_on(base.as_ref(), self.rules.charset, Some(value));
            base = self.rules.codebase.clone().or(base);
        }
        self.rules.codebase = base;
    }

    /// Sets what is relative to `base`, in a document's encoding.
    fn set_codebase_on(
        &mut self,
        base: Option<&BaseUrl>,
        charset: &Charset<'_>,
        codebase: Option<&str>,
    ) {
        let resolver = self.rules.settings.resolver;
        let placeholders = self.rules.settings.placeholders;
        let has_forms = self.rules.settings.to.is_short();
        let is_unfilled = |codebase| placeholder::first(codebase, ValueKind::Url, placeholders);
        self.rules.codebase_is_unknown = codebase.and_then(is_unfilled).is_some();
        self.rules.codebase = codebase.and_then(|codebase| {
            let codebase = abslink_url::pre_step(codebase);
            if codebase.is_empty() && has_forms {
                return None;
            }
            let codebase = charset.percent_encode_inner(&codebase, base);
            let resolved = match base {
                Some(base) => resolver.resolve(base, &codebase).ok()?,
                None => codebase,
            };
            // As the next run reads what is written for it.
            let normal = inverse::normal(&resolved).filter(|_| has_forms);
            let resolved = match (base, normal) {
                (Some(base), Some(normal)) => resolver.resolve(base, &normal).ok()?.into_owned(),
                _ => resolved.into_owned(),
            };
            // Taken out of an archive's URL, it leads elsewhere.
            let resolved = BaseUrl::parse(&resolved).ok()?;
            Some(replay::base(resolved, self.rules.settings))
        });
    }

    /// Sets what the next references of JSON-LD are resolved against.
    pub(crate) fn set_linked_data_base(&mut self, base: LinkedDataBase) {
        match base {
            LinkedDataBase::None => self.set_codebase(None),
            LinkedDataBase::Url(base) => {
                let outer = self.rules.document_base.base.as_ref();
                self.set_codebase_on(outer, &Charset::utf8(""), Some(&base));
                self.rules.codebase_is_unknown |= self.rules.codebase.is_none();
            }
            LinkedDataBase::Unknown => {
                self.set_codebase(None);
                self.rules.codebase_is_unknown = true;
            }
        }
    }

    /// What is known about the base URL of a document inside this one (HTML standard, "fallback base
    /// URL").
    pub(crate) fn inner_context(&self) -> Context {
        let rules = &self.rules;
        let document_base = rules.early_base.as_ref().unwrap_or(rules.document_base);
        let is_removed = rules.document_base.is_removed;
        let to_be = if is_removed {
            rules.document_base
        } else {
            document_base
        };
        let leads_to_files = !rules.has_own_base();
        // In a `base` element.
        let as_written = |base: &BaseUrl| {
            if rules.settings.to.is_short() {
                rules.charset.percent_encode_outer(base).into_owned()
            } else {
                base.clone()
            }
        };
        Context {
            entity: document_base.base.as_ref().map(as_written),
            new_base: (to_be.new_base(rules.context))
                .filter(|_| !to_be.will_differ(rules.context))
                .map(as_written),
            browser: document_base.browser.clone(),
            mirror: rules.context.mirror.clone(),
            saved: (rules.context.saved.clone()).filter(|_| rules.document_base.is_here),
            neighbours: (rules.context.neighbours.clone()).filter(|_| leads_to_files),
            is_opaque: document_base.is_opaque(),
            archived: rules.context.archived.clone(),
            checkout: rules.context.checkout.clone(),
            surroundings: rules.context.surroundings.clone(),
            pins: rules.context.pins.clone(),
            ..Context::default()
        }
    }

    /// Resolves the one URL of a value by its raw bytes, if they show all that
    /// the [long way](ReferenceResolver::resolve) would find, and there is no divergence. What is written in its
    /// place is `form`, if it gets another form.
    #[inline]
    pub(crate) fn by_bytes(
        &self,
        row: &Row,
        raw: &[u8],
        form: &mut String,
    ) -> Option<ByteResult<'d>> {
        let settings = self.rules.settings;
        let keeps = settings.to == To::Keep;
        // What is taken out is no reference any more.
        let is_long = settings.exclude.is_some()
            || settings.remove_base && row.against == Against::Fallback
            || !keeps && !settings.moves.is_empty();
        if row.kind != ValueKind::Url || is_long {
            return None;
        }
        if is_plainly_absolute(raw) {
            if settings.to.is_short() {
                return self.forms.as_ref()?.absolute(row, raw, form);
            }
            let is_long = keeps || self.rules.looks_for_archives();
            return (!is_long).then_some(ByteResult::absolute(WrittenForm::InFull, false));
        }
        // With a placeholder further on, the result contains what follows as it is.
        if placeholder::may_begin(raw) && settings.placeholders != Placeholders::Resolve {
            return None;
        }
        let is_resolved = row.against == Against::Base
            && (raw.first() != Some(&b'#') || !self.rules.keeps_fragment(row));
        // `/web/2020/http:/h/x` is known only when it is resolved, and `/x` may be the archive's own.
        if settings.unwrap && (raw.starts_with(b"/") || memchr(b':', raw).is_some()) {
            return None;
        }
        let is_from_root = raw.starts_with(b"/") && self.rules.context.surroundings.is_some();
        if !is_resolved || is_from_root {
            return None;
        }
        let (before, dropped, is_ordinary) = self.shortcut?.resolve_ordinary(raw)?;
        if !is_ordinary && self.takes_more(raw) {
            return None;
        }
        let (form, changes) = if settings.to.is_short() {
            let forms = self.forms.as_ref()?;
            let changes = forms.relative(row, raw, before, dropped, form)?;
            (WrittenForm::AsAsked, changes)
        } else {
            (WrittenForm::InFull, !keeps)
        };
        Some(ByteResult {
            outcome: Outcome::Relative,
            before,
            dropped,
            form,
            changes,
        })
    }

    /// Whether there is a character reference, or, in a name that a mirroring program may have given, an escape.
    fn takes_more(&self, raw: &[u8]) -> bool {
        memchr2(b'&', b'%', raw).is_some_and(|first| {
            let path_end = || memchr2(b'?', b'#', raw).unwrap_or(raw.len());
            memchr(b'&', &raw[first..]).is_some()
                || self.rules.context.mirror.is_some() && first < path_end()
        })
    }

    /// Resolves one reference in a place of the kind `row`. `None` if it names no
    /// URL.
    pub(crate) fn resolve<'r>(
        &'r mut self,
        row: &'static Row,
        found: &'r FoundReference<'_>,
    ) -> Option<Resolution<'r>> {
        if let Some(template) = &found.template {
            return Some(self.unfilled(row, &found.value, template));
        }
        let text = &*found.value;
        if text.is_empty() && row.empty == Empty::Stays {
            return None;
        }
        let (rules, url) = (&self.rules, &mut self.url);
        let reference = abslink_url::pre_step(text);
        let mut based = rules.based(row, text, &reference);
        based.has_unknown_base = found.has_unknown_base;
        let ruling = rules.rule(&based, url, self.confirmation.as_mut());
        let (outcome, url) = (ruling.outcome, &**url);
        let target = (outcome.is_resolved() && !ruling.is_saved).then_some(url);
        let absolute = match outcome {
            Outcome::Absolute => Some(based.reference),
            _ => target,
        };
        let is_nameless = based.is_nameless();
        let divergence = (absolute.filter(|_| !is_nameless))
            .and_then(|absolute| rules.divergence(&based, &ruling, absolute));
        // Where each keeps its form, it may have no target.
        let resolved = target.filter(|_| based.base.is_some() || rules.settings.to != To::Keep);
        let mut replacement = rules.form(&based, outcome, resolved);
        if rules.settings.to.is_short()
            && replacement.form != WrittenForm::AsAsked
            && let Some(to) = &replacement.to
        {
            let mut written = String::new();
            references::encode(row.kind, found, to, rules.charset, &mut written);
            let written = references::decode(row.kind, &written);
            let written = abslink_url::pre_step(&written);
            if *written != **to {
                replacement = rules.form_again(&based, &written, replacement);
            }
        }
        // A key of an import map that ends with a slash would stand for all that is below.
        if found.ends_without_slash
            && replacement.form == WrittenForm::AsAsked
            && replacement.to.as_ref().is_some_and(|to| to.ends_with('/'))
        {
            let whole = resolved.filter(|_| outcome == Outcome::Relative);
            replacement = Replacement::absolute(known(whole));
            replacement.form = WrittenForm::Kept;
        }
        let is_above_root = !is_nameless && rules.leads_above_root(&based, &ruling);
        let is_wrapped = rules.is_wrapped(&based, outcome);
        let base_from = based.source;
        let file = ruling.file.as_ref();
        Some(Resolution {
            outcome,
            resolved: known(resolved),
            replacement,
            base: known(based.base.map(BaseUrl::as_str)),
            base_from,
            divergence,
            is_certain_name: file.is_some_and(|file| file.url.is_some() && !file.converted),
            is_guess: file.is_some_and(|file| file.is_guess),
            is_saved: ruling.is_saved,
            is_nameless,
            is_wrapped,
            is_module: found.is_module,
            unfilled: 0,
            is_above_root,
            reference,
        })
    }

    /// Resolves one reference that has a placeholder: a letter stands in for the placeholder and all
    /// that follows, and is replaced by these afterwards.
    fn unfilled<'r>(
        &'r mut self,
        row: &'static Row,
        before: &str,
        template: &Template<'_>,
    ) -> Resolution<'r> {
        let (rules, url) = (&self.rules, &mut self.url);
        let whole = [before, &template.text].concat();
        let whole = abslink_url::pre_step(&whole).into_owned();
        let unfilled = Unfilled::of(&whole, before);
        let text = [before, LETTER].concat();
        let reference = abslink_url::pre_step(&text);
        let mut based = rules.based(row, &text, &reference);
        based.unfilled = Some(&unfilled);
        let mut ruling = rules.rule(&based, url, self.confirmation.as_mut());
        let is_nameless = based.is_nameless();
        let behind = &whole[unfilled.before..];
        let mut replacement = match ruling.outcome {
            Outcome::Absolute => rules.form(&based, Outcome::Absolute, None).owned(),
            // In other forms, what a template fills stays.
            Outcome::Relative if !rules.settings.to.is_short() => {
                rules.form(&based, Outcome::Relative, Some(url)).owned()
            }
            _ => Replacement::default(),
        };
        let mut divergence = None;
        if ruling.outcome.is_resolved() {
            if !is_nameless {
                divergence = rules.divergence(&based, &ruling, url);
            }
            let browser = divergence.as_mut().and_then(|found| found.browser.as_mut());
            browser.map(|browser| put_back(browser, behind));
            if !put_back(url, behind) && rules.settings.to != To::Keep {
                (ruling.outcome, divergence) = (Outcome::Unresolved, None);
            }
        }
        let outcome = ruling.outcome;
        let is_resolved =
            outcome.is_resolved() && (based.base.is_some() || rules.settings.to != To::Keep);
        if let Some(to) = replacement.to.take() {
            let mut to = to.into_owned();
            let is_put_back = put_back(&mut to, behind);
            replacement.to = (is_put_back && outcome != Outcome::Unresolved).then_some(to.into());
        }
        Resolution {
            outcome,
            resolved: known(is_resolved.then_some(&**url)),
            replacement,
            base: known(based.base.map(BaseUrl::as_str)),
            base_from: based.source,
            divergence,
            is_nameless,
            unfilled: behind.len(),
            is_above_root: !is_nameless && rules.leads_above_root(&based, &ruling),
            reference: Cow::Owned(whole),
            ..Resolution::default()
        }
    }
}

/// A URL, unless it is known only from the root of a tree whose URL is not known.
fn known(url: Option<&str>) -> Option<&str> {
    url.filter(|url| !is_nameless(url))
}

/// Replaces the letter at the end of a URL by the placeholder and what follows it. The URL
/// Standard ends a host with a slash.
fn put_back(url: &mut String, behind: &str) -> bool {
    let before = url.strip_suffix('/').unwrap_or(url).strip_suffix(LETTER);
    let before = before.map(str::len);
    if let Some(before) = before {
        url.truncate(before);
        url.push_str(behind);
    }
    before.is_some()
}

/// Whether a raw value begins with a scheme and `://`: then it is absolute for every
/// resolver, whatever follows and against any base. One letter may be a drive of Windows.
#[inline]
fn is_plainly_absolute(raw: &[u8]) -> bool {
    let scheme = raw
        .iter()
        .position(|byte| !byte.is_ascii_alphanumeric())
        .unwrap_or_default();
    scheme != 1
        && raw.first().is_some_and(u8::is_ascii_alphabetic)
        && raw[scheme..].starts_with(b"://")
}
