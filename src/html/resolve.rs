//! What becomes of one reference: the outcome, and the absolute form.

use std::borrow::Cow;
use std::sync::LazyLock;

use super::attributes::{Against, Empty, Hash, Row};
use super::encoding::Charset;
use super::groups::Group;
use super::{Fragments, Outcome, Settings, ValueKind};
use crate::base::retrieval::confirmation::Confirmation;
use crate::base::retrieval::mirror::Mirror;
use crate::base::{Context, Established, Rung};
use crate::resolver::rfc1808::Shortcut;
use crate::resolver::{self, BaseUrl, Class, Divergence, Resolver};

/// What became of one reference.
#[derive(Debug)]
pub(super) struct Resolution<'r> {
    /// The reference after the pre-step.
    pub(super) reference: Cow<'r, str>,
    pub(super) outcome: Outcome,
    /// What it was resolved to.
    pub(super) resolved: Option<&'r str>,
    pub(super) base: Option<&'r str>,
    pub(super) base_from: Rung,
    pub(super) divergence: Option<Divergence>,
    /// Whether it can only be the name of a file, in a document whose other links are taken as they
    /// stand.
    pub(super) is_certain_name: bool,
    /// Whether it is the name of a file whose URL is a guess.
    pub(super) is_guess: bool,
}

impl Resolution<'_> {
    /// Whether a browser fetches it from elsewhere because it comes before the `base` element.
    pub(super) fn is_before_base(&self) -> bool {
        let divergence = self.divergence.as_ref();
        divergence.is_some_and(|divergence| divergence.class == Class::BeforeBase)
    }

    /// The reference's absolute form, where it has one.
    pub(super) fn absolute(&self) -> Option<&str> {
        match self.outcome {
            Outcome::Absolute => Some(&self.reference),
            _ => self.resolved,
        }
    }

    /// Takes back that it was resolved, if it was.
    pub(super) fn cannot_be_resolved(&mut self) {
        if matches!(self.outcome, Outcome::Relative | Outcome::Present) {
            self.outcome = Outcome::Unresolved;
            (self.resolved, self.divergence, self.is_certain_name) = (None, None, false);
        }
    }
}

/// What became of one value that is one URL, as [`ReferenceResolver::fast_path`] gives it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fast<'d> {
    /// [`Outcome::Absolute`].
    Absolute,
    /// [`Outcome::Relative`]: `new` takes the place of its first bytes, of which `dropped` go.
    Relative { new: &'d str, dropped: usize },
}

/// Resolves the references of one document.
#[derive(Debug)]
pub(super) struct ReferenceResolver<'d> {
    settings: &'d Settings,
    /// The document base URL and its rung.
    base: Option<&'d BaseUrl>,
    rung: Rung,
    fallback: Option<(&'d BaseUrl, Rung)>,
    /// The base URL and the fallback base URL that browsers use, where they are others.
    browser: Option<&'d BaseUrl>,
    browser_fallback: Option<&'d BaseUrl>,
    /// The base URL while a browser parses the next place, where it acts on that at once and the
    /// `base` element is still to come.
    moment: Option<Established>,
    /// The document's own URL.
    own: Option<(&'d BaseUrl, Rung)>,
    /// The base URL of the next [`Against::Codebase`] place.
    codebase: Option<BaseUrl>,
    /// Whether the base URL is the document's own, fragments aside.
    base_is_own: bool,
    charset: &'d Charset<'d>,
    mirror: Option<&'d Mirror>,
    /// What the references so far told about the document's URL, where that is wanted.
    confirmation: Option<Confirmation>,
    /// Whether references stay because the mirroring program made the document.
    stays: bool,
    /// How most references are resolved, where nothing else is to be asked.
    shortcut: Option<Shortcut<'d>>,
    resolved: String,
}

/// RFC 1808 §3.4: without a base URL a reference is only looked at for its scheme.
static NO_BASE: LazyLock<BaseUrl> = LazyLock::new(|| BaseUrl::any(""));

impl<'d> ReferenceResolver<'d> {
    pub(super) fn new(
        settings: &'d Settings,
        context: &'d Context,
        established: &'d Established,
        charset: &'d Charset<'d>,
    ) -> ReferenceResolver<'d> {
        let base = established.base.as_ref();
        let own = context
            .retrieval
            .as_ref()
            .map(|retrieval| (&retrieval.url, retrieval.rung));
        let base_is_own = matches!((base, own), (Some(base), Some((own, _)))
            if base.without_fragment() == own.without_fragment());
        let shortcut = base
            .filter(|_| settings.resolver == Resolver::Rfc1808 && context.mirror.is_none())
            .filter(|_| established.browser.is_none())
            .and_then(Shortcut::new);
        ReferenceResolver {
            settings,
            base,
            rung: established.rung,
            fallback: context.fallback(),
            browser: established.browser.as_ref(),
            browser_fallback: context.browser.as_ref(),
            moment: None,
            own,
            codebase: None,
            base_is_own,
            charset,
            mirror: context.mirror.as_ref(),
            confirmation: context.mirror.as_ref().and_then(Mirror::confirmation),
            stays: context.is_made_by_mirror && base.is_none(),
            shortcut,
            resolved: String::new(),
        }
    }

    /// Sets the base URL while a browser parses the next place, where that is to be heeded.
    pub(super) fn set_moment(&mut self, moment: Option<Established>) {
        self.moment = moment;
    }

    /// What is known about the base URL of a document inside this one (HTML standard, "fallback base
    /// URL").
    pub(super) fn inner_context(&self) -> Context {
        let (entity, browser) = match &self.moment {
            Some(moment) => (moment.base.as_ref(), moment.browser.as_ref()),
            None => (self.base, self.browser),
        };
        Context {
            entity: entity.cloned(),
            browser: browser.cloned(),
            mirror: self.mirror.cloned(),
            ..Context::default()
        }
    }

    /// What the references told about the document's URL, where that is wanted.
    pub(super) fn confirmation(&self) -> Option<&Confirmation> {
        self.confirmation.as_ref()
    }

    /// Resolves the one URL of a value by its bytes as they are spelled, where they tell as much as
    /// the [long way](ReferenceResolver::resolve) would find, and there is no divergence.
    #[inline]
    pub(super) fn fast_path(&self, row: &Row, raw: &[u8]) -> Option<Fast<'d>> {
        if row.kind != ValueKind::Url || self.settings.exclude.is_some() {
            return None;
        }
        if is_plainly_absolute(raw) {
            return Some(Fast::Absolute);
        }
        let resolved = row.against == Against::Base
            && (raw.first() != Some(&b'#')
                || row.hash == Hash::Resolve
                || row.hash == Hash::Page && self.settings.fragments == Fragments::Resolve);
        let shortcut = self.shortcut.as_ref().filter(|_| resolved)?;
        let (new, dropped) = shortcut.take(raw)?;
        Some(Fast::Relative { new, dropped })
    }

    /// Sets the `codebase` that the next [`Against::Codebase`] references are resolved against.
    pub(super) fn set_codebase(&mut self, codebase: Option<&str>) {
        self.codebase = codebase.and_then(|codebase| {
            let codebase = resolver::pre_step(codebase);
            let resolved = match self.base {
                Some(base) => self.settings.resolver.resolve(base, &codebase).ok()?,
                None => codebase,
            };
            BaseUrl::parse(&resolved).ok()
        });
    }

    /// Resolves one reference that stands in a place of the kind `row`. `None` where it asks for no
    /// URL.
    pub(super) fn resolve<'r>(&'r mut self, row: &Row, text: &'r str) -> Option<Resolution<'r>> {
        if text.is_empty() && row.empty == Empty::Stays {
            return None;
        }
        let reference = resolver::pre_step(text);
        let resolver = self.settings.resolver;
        let (base, base_from) = match row.against {
            Against::Codebase if self.codebase.is_some() => (self.codebase.as_ref(), self.rung),
            Against::Base | Against::Codebase => (self.base, self.rung),
            Against::Fallback => split(self.fallback),
            Against::Retrieval => split(self.own),
        };
        let mut resolution = Resolution {
            outcome: Outcome::Unresolved,
            resolved: None,
            base: base.map(BaseUrl::as_str),
            base_from,
            divergence: None,
            is_certain_name: false,
            is_guess: false,
            reference,
        };
        if self
            .settings
            .exclude
            .as_ref()
            .is_some_and(|regex| regex.is_match(&resolution.reference))
        {
            resolution.outcome = Outcome::Excluded;
            return Some(resolution);
        }
        if self.is_same_document(row, text, &resolution.reference) {
            resolution.outcome = Outcome::SameDocument;
            return Some(resolution);
        }
        let is_from_here = self.base_is_own
            && match row.against {
                Against::Base => true,
                Against::Codebase => self.codebase.is_none(),
                Against::Fallback | Against::Retrieval => false,
            };
        let mut means_file = false;
        if resolver.is_absolute(base.unwrap_or(&NO_BASE), &resolution.reference) {
            resolution.outcome = Outcome::Absolute;
        } else if let Some(base) = base {
            self.resolved.clear();
            let spelled = if resolver == Resolver::Whatwg && row.group != Group::Css {
                self.charset
                    .percent_encode_query(&resolution.reference, base)
            } else {
                Cow::Borrowed(&*resolution.reference)
            };
            if resolver
                .resolve_into(base, &spelled, &mut self.resolved)
                .is_err()
            {
                return Some(resolution);
            }
            if let (Some(confirmation), Some(mirror), true) =
                (&mut self.confirmation, self.mirror, is_from_here)
            {
                confirmation.ask(mirror, &resolution.reference, &self.resolved);
            }
            // A mirroring program names files by where they lie from the document's own place.
            let named = (self.mirror)
                .filter(|_| is_from_here)
                .and_then(|mirror| mirror.named(&resolution.reference, &self.resolved));
            if let Some(url) = named.as_ref().and_then(|named| named.url.as_ref()) {
                self.resolved.clear();
                if resolver
                    .resolve_into(base, url, &mut self.resolved)
                    .is_err()
                {
                    return Some(resolution);
                }
                means_file = true;
                resolution.is_certain_name = !named.as_ref().is_some_and(|named| named.converted);
            }
            resolution.is_guess = named.as_ref().is_some_and(|named| named.is_guess);
            // A `base` element that became absolute would take what stays relative with it.
            let is_present = |mirror: &Mirror| {
                row.against == Against::Fallback
                    || named.as_ref().is_some_and(|named| named.is_there)
                    || mirror.holds(&self.resolved)
            };
            resolution.outcome = match self.mirror {
                Some(mirror) if self.settings.only_missing && is_present(mirror) => {
                    Outcome::Present
                }
                _ => Outcome::Relative,
            };
            resolution.resolved = Some(&self.resolved);
        }
        if self.stays && resolution.outcome == Outcome::Unresolved {
            resolution.outcome = Outcome::Excluded;
        }
        // What a browser would make of a file's name on the server is nothing to compare with.
        if let (Some(base), Some(absolute), false) = (base, resolution.absolute(), means_file) {
            resolution.divergence = self.divergence(row, base, &resolution, absolute);
        }
        Some(resolution)
    }

    /// Whether a browser takes a reference elsewhere than to `absolute`.
    fn divergence(
        &self,
        row: &Row,
        base: &BaseUrl,
        resolution: &Resolution<'_>,
        absolute: &str,
    ) -> Option<Divergence> {
        let reference = &resolution.reference;
        let whatwg = self.settings.resolver == Resolver::Whatwg;
        let browser = match row.against {
            Against::Base => self.browser,
            Against::Fallback => self.browser_fallback,
            Against::Codebase | Against::Retrieval => None,
        };
        let usual = match browser {
            _ if whatwg => None,
            Some(browser) => {
                let class = Class::BaseElement;
                resolver::differs_in_base(browser, reference, absolute, class)
            }
            None => resolver::divergence(base, reference, absolute),
        };
        let Some(moment) = &self.moment else {
            return usual;
        };
        let class = Class::BeforeBase;
        let Some(moment) = moment.of_browser() else {
            let unknown = Divergence {
                browser: None,
                class,
            };
            return (resolution.outcome == Outcome::Relative).then_some(unknown);
        };
        let spelled = if whatwg && row.group != Group::Css {
            self.charset.percent_encode_query(reference, moment)
        } else {
            Cow::Borrowed(&**reference)
        };
        let found = resolver::differs_in_base(moment, &spelled, absolute, class)?;
        Some(
            usual
                .filter(|usual| usual.browser == found.browser)
                .unwrap_or(found),
        )
    }

    /// Rule F: whether a reference points into its own document, whatever the base URL.
    fn is_same_document(&self, row: &Row, text: &str, reference: &str) -> bool {
        match row.hash {
            _ if row.kind == ValueKind::HashName => true,
            // CSS Values 4 §4.5.1 looks at the value as it stands.
            Hash::Leave if row.group == Group::Css => text.starts_with('#'),
            Hash::Leave => reference.starts_with('#'),
            Hash::Page => {
                self.settings.fragments == Fragments::Keep
                    && self.base_is_own
                    && reference.starts_with('#')
            }
            Hash::Resolve => false,
        }
    }
}

/// Whether a value begins with a scheme and `://`, as it is spelled: then it is absolute for every
/// resolver, whatever follows and against any base.
#[inline]
fn is_plainly_absolute(raw: &[u8]) -> bool {
    let scheme = raw
        .iter()
        .position(|byte| !byte.is_ascii_alphanumeric())
        .unwrap_or_default();
    raw.first().is_some_and(u8::is_ascii_alphabetic) && raw[scheme..].starts_with(b"://")
}

fn split(found: Option<(&BaseUrl, Rung)>) -> (Option<&BaseUrl>, Rung) {
    found.map_or((None, Rung::None), |(url, rung)| (Some(url), rung))
}
