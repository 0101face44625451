//! The rules by which a reference is resolved or stays, in their order: the first that applies
//! decides what becomes of it.

use std::borrow::Cow;
use std::sync::LazyLock;

use super::based_reference::{BasedReference, Ruling};
use super::replay;
use crate::base::retrieval::confirmation::Confirmation;
use crate::base::retrieval::mirror::NamedFile;
use crate::base::{BaseSource, Context, DocumentBase, of_files};
use crate::places::attributes::{Against, Hash, Row, ValueKind};
use crate::report::outcome::Outcome;
use crate::settings::site::To;
use crate::settings::{Fragments, Settings, placeholder};
use crate::text::encoding::Charset;
use abslink_url::{BaseUrl, Resolver, inverse, rfc3986};

/// What is known about the document whose references are resolved.
#[derive(Debug)]
pub(crate) struct Rules<'d> {
    pub(crate) settings: &'d Settings,
    pub(crate) context: &'d Context,
    /// The document base URL and its source.
    pub(crate) document_base: &'d DocumentBase,
    pub(crate) charset: &'d Charset<'d>,
    /// Whether the base URL is the document's own, fragments aside.
    pub(super) base_is_own: bool,
    /// The base URL at the moment when a browser parses the next place, if it acts on that at once
    /// and the `base` element is still to come.
    pub(crate) early_base: Option<DocumentBase>,
    /// The base URL of the next [`Against::Codebase`] place.
    pub(crate) codebase: Option<BaseUrl>,
    /// Whether that cannot be told.
    pub(crate) codebase_is_unknown: bool,
    /// Whether the document is a page of a web archive, which leads to others by URLs in full too.
    pub(super) is_replayed: bool,
}

/// RFC 1808 §3.4: without a base URL only the scheme of a reference matters.
static NO_BASE: LazyLock<BaseUrl> = LazyLock::new(|| BaseUrl::any(""));

impl<'d> Rules<'d> {
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
        match self.settings.unwrap {
            true => self.is_of_archive(based.row, based.reference),
            false => is_by_archive() && replay::is_wrapped(based.reference),
        }
    }

    /// Whether a reference in a page of a web archive is the archive's own: those of the page have a timestamp there
    /// where they begin at the root. `id_` asks for the page as it was, and in JSON nothing changes.
    fn is_of_archive(&self, row: &Row, reference: &str) -> bool {
        let from_root = reference.starts_with('/') && !reference.starts_with("//");
        let archived = self.context.archived.as_ref().filter(|_| from_root);
        archived.is_some_and(|url| !url.as_str().contains("id_/http"))
            && !placeholder::is_json(row.kind)
            && !replay::is_wrapped(reference)
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
            _ if self.is_of_archive(row, reference) => (self.context.archived.as_ref(), source),
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

    /// What becomes of a reference: the first rule that applies decides. The URL to which it leads, if it is
    /// resolved, is written to `url`.
    pub(crate) fn rule(
        &self,
        based: &BasedReference<'_, '_>,
        url: &mut String,
        confirmation: Option<&mut Confirmation>,
    ) -> Ruling {
        type Applies<'r> = fn(&Rules<'r>, &BasedReference<'_, '_>) -> bool;
        let rules: [(Applies<'_>, Outcome); 7] = [
            (Self::is_excluded, Outcome::Excluded),
            (Self::is_unfilled, Outcome::Placeholder),
            (Self::stays_in_document, Outcome::SameDocument),
            (Self::is_windows_path, Outcome::WindowsPath),
            (Self::is_absolute, Outcome::Absolute),
            (Self::is_saved, Outcome::Present),
            (Self::is_identifier, Outcome::Excluded),
        ];
        url.clear();
        let stays = rules.into_iter().find(|(applies, _)| applies(self, based));
        let (outcome, file) = match stays {
            Some((_, outcome)) => (outcome, None),
            None => match self.find(based, url, confirmation) {
                Ok(file) if self.is_present(based, url, file.as_ref()) => (Outcome::Present, file),
                Ok(file) => (Outcome::Relative, file),
                Err(outcome) => (outcome, None),
            },
        };
        Ruling {
            outcome,
            is_saved: stays.is_some() && outcome == Outcome::Present,
            file,
        }
    }

    /// What `--exclude-url` matches stays.
    fn is_excluded(&self, based: &BasedReference<'_, '_>) -> bool {
        let Some(exclude) = &self.settings.exclude else {
            return false;
        };
        let whole = based.unfilled.map_or(based.reference, |it| it.whole);
        // What is taken out of a web archive leads elsewhere afterwards.
        let leads_to_archive = self.settings.unwrap && replay::is_wrapped(whole);
        let target = || {
            let base = self.context.archived.as_ref().or(based.base)?;
            self.settings.resolver.resolve(base, whole).ok()
        };
        exclude.is_match(whole)
            || leads_to_archive && target().is_some_and(|target| exclude.is_match(&target))
    }

    /// Whether a reference that begins with a placeholder is relative cannot be told, unless a file has that name.
    fn is_unfilled(&self, based: &BasedReference<'_, '_>) -> bool {
        let begins = based.unfilled.filter(|unfilled| unfilled.before == 0);
        let mirror = of_files(&self.context.mirror);
        begins.is_some_and(|it| !mirror.is_some_and(|mirror| mirror.has_file(it.whole)))
            && based.row.kind != ValueKind::HashName
    }

    /// What points into its own document, whatever the base URL, stays.
    fn stays_in_document(&self, based: &BasedReference<'_, '_>) -> bool {
        let row = based.row;
        match row.hash {
            _ if row.kind == ValueKind::HashName => true,
            // CSS Values 4 §4.5.1 looks at the value as it is; one in markup was trimmed.
            Hash::Leave => based.text.starts_with('#'),
            _ => self.keeps_fragment(row) && based.reference.starts_with('#'),
        }
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
    fn is_windows_path(&self, based: &BasedReference<'_, '_>) -> bool {
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
        is_path && self.settings.moves.moving(based.reference).is_none()
    }

    /// RFC 1808 §4 step 2b: what has a scheme stays.
    fn is_absolute(&self, based: &BasedReference<'_, '_>) -> bool {
        let base = based.base.unwrap_or(&NO_BASE);
        let is_absolute = |reference| (self.settings.resolver).is_absolute(base, reference);
        // `http{{ s }}://…`, and `http:/{{ x }}`, of which nobody knows whether it is relative to a base.
        is_absolute(based.reference)
            || (based.unfilled).is_some_and(|unfilled| {
                is_absolute(&unfilled.masked) || rfc3986::scheme(based.reference).is_some()
            })
    }

    /// What a browser has saved with the document goes where that goes, and so stays as it is. So does the
    /// `base` element by which the document is where it is.
    fn is_saved(&self, based: &BasedReference<'_, '_>) -> bool {
        let Some(saved) = &self.context.saved else {
            return false;
        };
        let is_from_here = match based.row.against {
            Against::Retrieval => true,
            Against::Codebase if self.codebase_is_unknown || self.codebase.is_some() => false,
            _ => self.document_base.is_here,
        };
        is_from_here
            && based.unfilled.is_none()
            && match based.row.against {
                Against::Fallback => saved.have_folder(),
                Against::Outer | Against::Nothing => false,
                _ => saved.are_led_to(based.reference),
            }
    }

    /// An identifier that is relative stays.
    fn is_identifier(&self, based: &BasedReference<'_, '_>) -> bool {
        based.row.against == Against::Nothing
    }

    /// Writes the URL to which a reference leads, and gives the file whose name it is, if it is one; or what becomes
    /// of it where it leads to none.
    fn find(
        &self,
        based: &BasedReference<'_, '_>,
        url: &mut String,
        confirmation: Option<&mut Confirmation>,
    ) -> Result<Option<NamedFile>, Outcome> {
        match self.base(based) {
            Some(base) => {
                // The URL Standard spells queries in markup in the document's encoding.
                let spelled = match self.settings.resolver {
                    Resolver::Whatwg => self.in_encoding(based.row, based.reference, base.as_str()),
                    _ => Cow::Borrowed(based.reference),
                };
                // A `base` element is the base of its document, wherever a forge shows that.
                let is_link = !matches!(based.row.against, Against::Fallback | Against::Outer);
                let checkout = of_files(&self.context.checkout).filter(|_| is_link);
                let on_forge = checkout.and_then(|checkout| {
                    let is_embedded = based.row.is_loaded();
                    checkout.target(self.settings.resolver, &base, &spelled, is_embedded)
                });
                match on_forge {
                    Some(target) => *url = target,
                    None => self.resolve(&base, &spelled, url)?,
                }
            }
            None => self.resolve_without_base(based, url)?,
        }
        match (self.named_file(based, url, confirmation), based.base) {
            (Some(NamedFile { url: Some(_), .. }), None) => Ok(None),
            (file, base) => {
                let named = file.as_ref().and_then(|file| file.url.as_deref());
                if let Some((named, base)) = named.zip(base) {
                    self.resolve(base, named, url)?;
                }
                Ok(file)
            }
        }
    }

    /// RFC 1808 §3.4: without a base URL nothing is resolved; in a document that the mirroring program made, nothing
    /// should be. But a reference that only lacks a scheme, or leads to a page in a web archive, may be moved, or be
    /// taken out of that, whatever the base URL is.
    fn resolve_without_base(
        &self,
        based: &BasedReference<'_, '_>,
        url: &mut String,
    ) -> Result<(), Outcome> {
        if self.settings.to == To::Keep {
            return Err(Outcome::Relative);
        } else if self.context.stays_without_base && self.document_base.base.is_none() {
            return Err(Outcome::Excluded);
        }
        let moves = &self.settings.moves;
        if let Some(inner) = self.unwrapped(based.reference) {
            url.push_str(&inner);
        } else if based.reference.starts_with("//")
            && let Some((prefix, rest)) = moves.moving_from_host(based.reference)
        {
            url.extend([prefix.parts().0, &rest]);
        } else {
            return Err(Outcome::Unresolved);
        }
        Ok(())
    }

    /// RFC 1808 §4: a reference for which the resolver gives no result stays.
    fn resolve(&self, base: &BaseUrl, reference: &str, url: &mut String) -> Result<(), Outcome> {
        url.clear();
        let resolved = self.settings.resolver.resolve_into(base, reference, url);
        resolved.map_err(|_| match self.settings.to {
            To::Keep => Outcome::Relative,
            _ => Outcome::Unresolved,
        })
    }

    /// A mirroring program names files relative to the document's own place: such a name means the
    /// URL of its file.
    fn named_file(
        &self,
        based: &BasedReference<'_, '_>,
        resolved: &str,
        confirmation: Option<&mut Confirmation>,
    ) -> Option<NamedFile> {
        let is_from_here = match based.row.against {
            Against::Base => true,
            Against::Codebase => self.codebase.is_none(),
            Against::Fallback | Against::Retrieval | Against::Outer | Against::Nothing => false,
        };
        let is_name = is_from_here && self.base_is_own && based.unfilled.is_none();
        let mirror = of_files(&self.context.mirror).filter(|_| is_name)?;
        if let Some(confirmation) = confirmation {
            confirmation.ask(mirror, based.reference, resolved);
        }
        mirror.named(based.reference, resolved)
    }

    /// If only references to missing files become absolute, one that leads to an existing file
    /// stays.
    fn is_present(
        &self,
        based: &BasedReference<'_, '_>,
        url: &str,
        file: Option<&NamedFile>,
    ) -> bool {
        let mirror = of_files(&self.context.mirror).filter(|_| self.settings.only_missing);
        mirror.is_some_and(|mirror| {
            // A `base` element made absolute would change what the remaining relative references mean.
            matches!(based.row.against, Against::Fallback | Against::Outer)
                || file.is_some_and(|file| file.is_there)
                || based.unfilled.is_none()
                    && (mirror.holds(url)
                        || (self.in_browser(based)).is_some_and(|target| mirror.holds(&target)))
        })
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
    pub(crate) fn leads_above_root(&self, based: &BasedReference<'_, '_>, ruling: &Ruling) -> bool {
        ruling.outcome.is_resolved()
            && !ruling.means_file()
            && based.base.is_some_and(|base| {
                (self.settings.resolver).leads_above_root(base, based.reference)
            })
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
