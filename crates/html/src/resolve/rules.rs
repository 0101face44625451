//! The rules by which a reference is resolved or stays, in their order: the first that applies
//! decides what becomes of it.

use std::borrow::Cow;
use std::sync::LazyLock;

use super::based_reference::{BasedReference, ResolveScratch};
use super::replay;
use crate::base::{BaseSource, Context, DocumentBase};
use crate::places::attributes::{Against, Hash, Row, ValueKind};
use crate::report::outcome::Outcome;
use crate::settings::{Fragments, Settings};
use crate::text::encoding::Charset;
use abslink_url::{BaseUrl, Divergence, DivergenceClass, Resolver, inverse};

/// What is known about the document whose references are resolved.
#[derive(Debug)]
pub(crate) struct Rules<'d> {
    pub(crate) settings: &'d Settings,
    pub(crate) context: &'d Context,
    /// The document base URL and its source.
    pub(crate) document_base: &'d DocumentBase,
    pub(crate) charset: &'d Charset<'d>,
    /// Whether the base URL is the document's own, fragments aside.
    base_is_own: bool,
    /// The base URL at the moment when a browser parses the next place, if it acts on that at once
    /// and the `base` element is still to come.
    pub(crate) early_base: Option<DocumentBase>,
    /// The base URL of the next [`Against::Codebase`] place.
    pub(crate) codebase: Option<BaseUrl>,
    /// Whether that cannot be told.
    pub(crate) codebase_is_unknown: bool,
    /// Whether the document is a page of a web archive, which leads to others by URLs in full too.
    is_replayed: bool,
}

/// RFC 1808 §3.4: without a base URL only the scheme of a reference matters.
static NO_BASE: LazyLock<BaseUrl> = LazyLock::new(|| BaseUrl::any(""));

impl<'d> Rules<'d> {
    pub(crate) fn new(
        settings: &'d Settings,
        context: &'d Context,
        document_base: &'d DocumentBase,
        charset: &'d Charset<'d>,
    ) -> Rules<'d> {
        let own = context
            .retrieval
            .as_ref()
            .map(|own| own.url.without_fragment());
        Rules {
            settings,
            context,
            document_base,
            charset,
            base_is_own: document_base.is_own(context),
            early_base: None,
            codebase: None,
            codebase_is_unknown: false,
            is_replayed: own.is_some_and(replay::is_wrapped),
        }
    }

    /// Whether a reference in full may lead to a web archive, or away from one.
    pub(crate) fn looks_for_archives(&self) -> bool {
        self.is_replayed || self.settings.unwrap
    }

    /// Whether a reference is one of a web archive which stays so, and was made by it.
    pub(crate) fn is_wrapped(&self, based: &BasedReference<'_, '_>, outcome: Outcome) -> bool {
        let own = self.context.retrieval.as_ref();
        let is_by_archive = || match outcome {
            Outcome::Relative | Outcome::Present | Outcome::Unresolved => true,
            Outcome::Absolute if self.is_replayed => {
                own.is_some_and(|own| inverse::have_same_server(&own.url, based.reference))
            }
            _ => false,
        };
        !self.settings.unwrap && is_by_archive() && replay::is_wrapped(based.reference)
    }

    /// What a reference in a place of the kind `row` is resolved against.
    pub(crate) fn based<'a>(
        &self,
        row: &'static Row,
        text: &'a str,
        reference: &'a str,
    ) -> BasedReference<'a, '_> {
        let own = self.context.retrieval.as_ref();
        let document_base = self.document_base.base.as_ref();
        let source = Some(self.document_base.source);
        let (base, source) = match row.against {
            Against::Base | Against::Outer | Against::Nothing => (document_base, source),
            Against::Codebase if self.codebase_is_unknown => (None, None),
            Against::Codebase => (self.codebase.as_ref().or(document_base), source),
            Against::Fallback => self.context.fallback().unzip(),
            Against::Retrieval => own.map(|own| (&own.url, own.source)).unzip(),
        };
        BasedReference {
            row,
            text,
            reference,
            base,
            source: source.unwrap_or_default(),
            unfilled: None,
            has_unknown_base: false,
        }
    }

    /// What becomes of a reference.
    pub(crate) fn outcome(
        &self,
        based: &BasedReference<'_, '_>,
        scratch: &mut ResolveScratch,
    ) -> Outcome {
        (scratch.named, scratch.is_saved) = (None, false);
        self.excluded(based)
            .or_else(|| placeholder(based))
            .or_else(|| self.same_document(based))
            .or_else(|| self.windows_path(based))
            .or_else(|| self.absolute(based))
            .or_else(|| self.saved(based, scratch))
            .or_else(|| identifier(based))
            .or_else(|| self.without_base(based, scratch))
            .or_else(|| self.resolved(based, scratch))
            .or_else(|| self.named(based, scratch))
            .or_else(|| self.present(based, scratch))
            .unwrap_or(Outcome::Relative)
    }

    /// What `--exclude-url` matches stays.
    fn excluded(&self, based: &BasedReference<'_, '_>) -> Option<Outcome> {
        let exclude = self.settings.exclude.as_ref()?;
        let whole = based.unfilled.map_or(based.reference, |it| it.whole);
        // What is taken out of a web archive leads elsewhere afterwards.
        let leads_to_archive = self.settings.unwrap && replay::is_wrapped(whole);
        let target = || {
            let base = self.context.archived.as_ref().or(based.base)?;
            self.settings.resolver.resolve(base, whole).ok()
        };
        let is_excluded = exclude.is_match(whole)
            || leads_to_archive && target().is_some_and(|target| exclude.is_match(&target));
        is_excluded.then_some(Outcome::Excluded)
    }

    /// Rule F: what points into its own document, whatever the base URL, stays.
    fn same_document(&self, based: &BasedReference<'_, '_>) -> Option<Outcome> {
        let row = based.row;
        let stays = match row.hash {
            _ if row.kind == ValueKind::HashName => true,
            // CSS Values 4 §4.5.1 looks at the value as it is; one in markup was trimmed.
            Hash::Leave => based.text.starts_with('#'),
            _ => self.keeps_fragment(row) && based.reference.starts_with('#'),
        };
        stays.then_some(Outcome::SameDocument)
    }

    /// Whether `#x` stays in a place of this kind.
    pub(crate) fn keeps_fragment(&self, row: &Row) -> bool {
        let has_own_base = self.document_base.source == BaseSource::Embedded;
        match row.hash {
            Hash::Leave | Hash::Based => true,
            _ if self.context.keeps_fragments && !has_own_base => true,
            Hash::Page => {
                let is_page = self.base_is_own || self.context.is_own_page;
                self.settings.fragments == Fragments::Keep && is_page
            }
            Hash::Resolve => false,
        }
    }

    /// A file's path on Windows, which is no URL. `--move-url` may know a scheme of one letter, and browsers take
    /// `\\` for `//`, and below `file:` `C|/` for a drive.
    fn windows_path(&self, based: &BasedReference<'_, '_>) -> Option<Outcome> {
        let as_browser = self.settings.resolver == Resolver::Whatwg;
        let is_below_file = || (based.base).is_some_and(|base| base.as_str().starts_with("file:"));
        let is_path = match based.reference.as_bytes() {
            [drive, sign @ (b':' | b'|'), b'\\' | b'/', ..] => {
                let is_url = *sign == b'|' && as_browser && is_below_file();
                drive.is_ascii_alphabetic() && !is_url
            }
            [b'\\', b'\\', ..] => !as_browser,
            _ => false,
        };
        let stays = is_path && self.settings.moves.moving(based.reference).is_none();
        stays.then_some(Outcome::WindowsPath)
    }

    /// RFC 1808 §4 step 2b: what has a scheme stays.
    fn absolute(&self, based: &BasedReference<'_, '_>) -> Option<Outcome> {
        let base = based.base.unwrap_or(&NO_BASE);
        let is_absolute = |reference| (self.settings.resolver).is_absolute(base, reference);
        // `http{{ s }}://…`
        let is_absolute = is_absolute(based.reference)
            || (based.unfilled).is_some_and(|unfilled| is_absolute(&unfilled.masked));
        is_absolute.then_some(Outcome::Absolute)
    }

    /// What a browser has saved with the document goes where that goes, and so stays as it is. So does the
    /// `base` element by which the document is where it is.
    fn saved(
        &self,
        based: &BasedReference<'_, '_>,
        scratch: &mut ResolveScratch,
    ) -> Option<Outcome> {
        let saved = self.context.saved.as_ref()?;
        let is_from_here = match based.row.against {
            Against::Retrieval => true,
            Against::Codebase if self.codebase_is_unknown || self.codebase.is_some() => false,
            _ => self.document_base.is_here,
        };
        scratch.is_saved = is_from_here
            && based.unfilled.is_none()
            && match based.row.against {
                Against::Fallback => saved.have_folder(),
                Against::Outer | Against::Nothing => false,
                _ => saved.are_led_to(based.reference),
            };
        scratch.is_saved.then_some(Outcome::Present)
    }

    /// RFC 1808 §3.4: without a base URL nothing is resolved. In a document that the mirroring
    /// program made, nothing should be.
    fn without_base(
        &self,
        based: &BasedReference<'_, '_>,
        scratch: &mut ResolveScratch,
    ) -> Option<Outcome> {
        let stays = self.context.stays_without_base && self.document_base.base.is_none();
        match based.base {
            Some(_) => None,
            None if self.settings.to.keeps() => Some(Outcome::Relative),
            None if stays => Some(Outcome::Excluded),
            None => self.resolved_without_base(based, scratch),
        }
    }

    /// A reference that only lacks a scheme, or leads to a page in a web archive, may be moved, or be taken
    /// out of that, whatever the base URL is.
    fn resolved_without_base(
        &self,
        based: &BasedReference<'_, '_>,
        scratch: &mut ResolveScratch,
    ) -> Option<Outcome> {
        let unwrapped = (self.settings.unwrap)
            .then(|| replay::unwrapped(based.reference))
            .flatten();
        let moved = || {
            let is_from_host = based.reference.starts_with("//");
            (is_from_host.then(|| self.settings.moves.moving_from_host(based.reference))).flatten()
        };
        scratch.resolved.clear();
        if let Some(inner) = unwrapped {
            scratch.resolved.push_str(&inner);
        } else if let Some((prefix, rest)) = moved() {
            scratch.resolved.push_str(prefix.parts().0);
            scratch.resolved.push_str(&rest);
        } else {
            return Some(Outcome::Unresolved);
        }
        None
    }

    /// RFC 1808 §4: a reference for which the resolver gives no result stays.
    fn resolved(
        &self,
        based: &BasedReference<'_, '_>,
        scratch: &mut ResolveScratch,
    ) -> Option<Outcome> {
        let base = self.base(based)?;
        // The URL Standard spells queries in markup in the document's encoding.
        let spelled = match self.settings.resolver {
            Resolver::Whatwg => self.in_encoding(based.row, based.reference, base.as_str()),
            _ => Cow::Borrowed(based.reference),
        };
        self.resolve(&base, &spelled, scratch)
    }

    fn resolve(
        &self,
        base: &BaseUrl,
        reference: &str,
        scratch: &mut ResolveScratch,
    ) -> Option<Outcome> {
        scratch.resolved.clear();
        let resolved =
            (self.settings.resolver).resolve_into(base, reference, &mut scratch.resolved);
        let stays = if self.settings.to.keeps() {
            Outcome::Relative
        } else {
            Outcome::Unresolved
        };
        resolved.is_err().then_some(stays)
    }

    /// A mirroring program names files relative to the document's own place: such a name means the
    /// URL of its file.
    fn named(
        &self,
        based: &BasedReference<'_, '_>,
        scratch: &mut ResolveScratch,
    ) -> Option<Outcome> {
        let is_from_here = match based.row.against {
            Against::Base => true,
            Against::Codebase => self.codebase.is_none(),
            Against::Fallback | Against::Retrieval | Against::Outer | Against::Nothing => false,
        };
        let is_name = is_from_here && self.base_is_own && based.unfilled.is_none();
        let mirror = (self.context.mirror.as_ref()).filter(|_| is_name)?;
        if let Some(confirmation) = &mut scratch.confirmation {
            confirmation.ask(mirror, based.reference, &scratch.resolved);
        }
        let named = mirror.named(based.reference, &scratch.resolved)?;
        if let Some(url) = &named.url
            && let Some(outcome) = self.resolve(based.base?, url, scratch)
        {
            return Some(outcome);
        }
        scratch.named = Some(named);
        None
    }

    /// If only references to missing files become absolute, one that leads to an existing file
    /// stays.
    fn present(&self, based: &BasedReference<'_, '_>, scratch: &ResolveScratch) -> Option<Outcome> {
        let mirror = (self.context.mirror.as_ref()).filter(|_| self.settings.only_missing)?;
        // A `base` element made absolute would change what the remaining relative references mean.
        let is_present = matches!(based.row.against, Against::Fallback | Against::Outer)
            || scratch.named.as_ref().is_some_and(|named| named.is_there)
            || based.unfilled.is_none()
                && (mirror.holds(&scratch.resolved)
                    || (self.in_browser(based)).is_some_and(|target| mirror.holds(&target)));
        is_present.then_some(Outcome::Present)
    }

    /// The target in a browser of a reference whose path has `\\`, which browsers take for `/`: that decides which file
    /// it has.
    pub(crate) fn in_browser(&self, based: &BasedReference<'_, '_>) -> Option<String> {
        let (reference, base) = (based.reference, based.base?);
        let (path, rest) =
            reference.split_at(reference.find(['?', '#']).unwrap_or(reference.len()));
        if !path.contains('\\') {
            return None;
        }
        let reference = path.replace('\\', "/") + rest;
        let target = self.settings.resolver.resolve(base, &reference).ok()?;
        Some(target.into_owned())
    }

    /// Whether a reference has `..` for more levels than there are. The name of a file means another URL.
    pub(crate) fn leads_above_root(
        &self,
        based: &BasedReference<'_, '_>,
        outcome: Outcome,
        scratch: &ResolveScratch,
    ) -> bool {
        outcome.is_resolved()
            && !scratch.means_file()
            && based.base.is_some_and(|base| {
                (self.settings.resolver).leads_above_root(base, based.reference)
            })
    }

    /// Whether a browser takes a reference to a target other than `absolute`, its result.
    pub(crate) fn divergence(
        &self,
        based: &BasedReference<'_, '_>,
        outcome: Outcome,
        absolute: &str,
        scratch: &ResolveScratch,
    ) -> Option<Divergence> {
        // A file name means nothing to a browser on the server, so there is nothing to compare.
        let base = based.base.filter(|_| !scratch.means_file())?;
        let usual = self.usual_divergence(based, base, absolute);
        let Some(early_base) = &self.early_base else {
            return usual;
        };
        let class = DivergenceClass::BeforeBase;
        let Some(early_base) = early_base.of_browser() else {
            let unknown = Divergence {
                browser: None,
                class,
            };
            return (outcome == Outcome::Relative).then_some(unknown);
        };
        let [reference, absolute] = [based.reference, absolute]
            .map(|url| self.in_encoding(based.row, url, early_base.as_str()));
        let found = abslink_url::differs_in_base(early_base, &reference, &absolute, class)?;
        Some(
            usual
                .filter(|usual| usual.browser == found.browser)
                .unwrap_or(found),
        )
    }

    /// Whether a browser takes it elsewhere once the document is parsed.
    fn usual_divergence(
        &self,
        based: &BasedReference<'_, '_>,
        base: &BaseUrl,
        absolute: &str,
    ) -> Option<Divergence> {
        let browser = match based.row.against {
            Against::Base | Against::Outer => self.document_base.browser.as_ref(),
            Against::Fallback => self.context.browser.as_ref(),
            Against::Codebase | Against::Retrieval | Against::Nothing => None,
        };
        if self.settings.resolver == Resolver::Whatwg {
            return None;
        }
        let read_against = browser.unwrap_or(base);
        let [reference, absolute] = [based.reference, absolute]
            .map(|url| self.in_encoding(based.row, url, read_against.as_str()));
        match browser {
            Some(browser) => {
                let why = DivergenceClass::BaseElement;
                abslink_url::differs_in_base(browser, &reference, &absolute, why)
            }
            None => abslink_url::divergence(base, &reference, &absolute),
        }
    }

    /// A URL as a browser reads it in the document's encoding. `scheme` is a URL with the same scheme.
    pub(crate) fn in_encoding<'r>(&self, row: &Row, url: &'r str, scheme: &str) -> Cow<'r, str> {
        if row.kind.has_utf8_queries() {
            Cow::Borrowed(url)
        } else {
            self.charset.percent_encode_query(url, scheme)
        }
    }

    /// What a reference is resolved against, as the resolver should see it: RFC 1808 §4 step 5c copies
    /// the query of the base URL as it is, but in the document it would mean something else. The query
    /// of a `base` element is spelled already.
    fn base<'b>(&self, based: &BasedReference<'_, 'b>) -> Option<Cow<'b, BaseUrl>> {
        let takes_query = based.reference.is_empty() || based.reference.starts_with('#');
        let is_read_here = !based.row.kind.has_utf8_queries();
        let base = based.base?;
        if takes_query && is_read_here && self.settings.resolver != Resolver::Whatwg {
            Some(self.charset.percent_encode_outer(base))
        } else {
            Some(Cow::Borrowed(base))
        }
    }
}

/// Whether a reference that begins with a placeholder is relative cannot be told.
fn placeholder(based: &BasedReference<'_, '_>) -> Option<Outcome> {
    let begins = based.unfilled.is_some_and(|unfilled| unfilled.before == 0);
    (begins && based.row.kind != ValueKind::HashName).then_some(Outcome::Placeholder)
}

/// An identifier that is relative stays.
fn identifier(based: &BasedReference<'_, '_>) -> Option<Outcome> {
    (based.row.against == Against::Nothing).then_some(Outcome::Excluded)
}

#[cfg(all(test, feature = "exclude"))]
mod tests {
    use super::*;
    use crate::locate::Syntax;
    use crate::rewrite::document::examine;

    #[test]
    fn the_first_rule_that_applies_has_the_say() {
        let html = b"<img usemap=#m><a href=#f><a href=http://h/><a href=g><a href='//['>";
        let outcomes = |exclude: Option<&str>, base: Option<&str>, stays_without_base| {
            let settings = Settings {
                resolver: Resolver::Whatwg,
                exclude: exclude.map(|exclude| exclude.parse().unwrap()),
                ..Settings::default()
            };
            let context = Context {
                entity: base.map(BaseUrl::any),
                stays_without_base,
                ..Context::default()
            };
            let mut found = Vec::new();
            let mut each = |it: &crate::report::reference::Reference<'_>| found.push(it.outcome);
            examine(html, Syntax::Html, &context, &settings, &mut each);
            found
        };
        use Outcome::{Absolute, Excluded, Relative, SameDocument, Unresolved};
        let base = Some("http://a/b");
        assert_eq!(outcomes(Some(""), base, false), [Excluded; 5]);
        assert_eq!(
            outcomes(None, base, true),
            [SameDocument, Relative, Absolute, Relative, Unresolved]
        );
        assert_eq!(
            outcomes(Some("^g"), None, false),
            [SameDocument, Unresolved, Absolute, Excluded, Unresolved]
        );
        assert_eq!(
            outcomes(None, None, true),
            [SameDocument, Excluded, Absolute, Excluded, Excluded]
        );
    }
}
