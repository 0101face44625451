//! What a reference means, before and after.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8};

use crate::fault::{Fault, Result};
use crate::grammar::{self, UrlPair};
use crate::text::Texts;
use abslink_html::shared::{Against, Charset, document_base_in};
use abslink_html::{Context, Settings, To, ValueKind, unwrapped};
use abslink_url::{BaseUrl, Resolver, inverse, percent, pre_step, rfc3986, split, whatwg};

/// What the references of a document are resolved against, and how.
#[derive(Clone, Debug)]
pub(crate) struct Targets<'t> {
    pub(crate) settings: &'t Settings,
    /// The document's encoding, which the URL Standard spells queries in.
    pub(crate) encoding: &'static Encoding,
    /// The document base URL.
    pub(crate) base: Option<BaseUrl>,
    /// The one that it will have, if that is another one.
    pub(crate) new_base: Option<BaseUrl>,
    /// Whether its `base` elements are taken out.
    pub(crate) loses_base: bool,
    pub(crate) context: &'t Context,
}

impl Targets<'_> {
    /// Whether the URLs of a value mean what they did, and nothing else changed.
    pub(crate) fn are_all_same(
        &self,
        place: (ValueKind, Against),
        codebase: Option<&str>,
        texts: &Texts<'_>,
    ) -> Result {
        grammar::compare(place.0, texts, self.settings, &mut |urls| {
            self.are_same(place, codebase, urls)
        })
    }

    /// Whether a new URL means what the old one does. `codebase` is the value of that attribute.
    fn are_same(
        &self,
        (kind, against): (ValueKind, Against),
        codebase: Option<&str>,
        urls: UrlPair<'_>,
    ) -> Result {
        let (old, new) = (pre_step(&urls.old), pre_step(&urls.new));
        let targets = self.of_kind(kind);
        let codebase = codebase.and_then(|codebase| targets.codebase(codebase));
        let against = match against {
            Against::Codebase if codebase.is_none() => Against::Base,
            against => against,
        };
        let fault = |lacks: &str| {
            Fault::from(format!(
                "`{}` {lacks}, but `{}` was written",
                urls.old, urls.new
            ))
        };
        let base = targets.base(against, codebase);
        let base = base.or_else(|| self.assumed_base(&old));
        let base = base.ok_or_else(|| fault("has no base URL"))?;
        let target = targets.meant(&base, against, &old, urls.is_unfilled);
        let target = target.ok_or_else(|| fault("does not resolve"))?;
        let is_same = |target: &str| {
            if self.settings.has_forms() {
                return targets.leads_to(&base, against, target, &old, &new, kind);
            }
            // A key of an import map that ends with a slash would mean something else.
            let is_key = kind == ValueKind::ImportMap && !old.ends_with('/');
            let is_ended = is_key && target.ends_with('/');
            is_ended && new.strip_suffix('.') == Some(target)
                || targets.is_spelled(target, &new, kind)
        };
        // Whether a page loads it is not known here.
        let on_forge = [false, true].into_iter().filter_map(|is_embedded| {
            let checkout = self.context.checkout.as_ref()?;
            checkout.target(self.settings.resolver, &base, &old, is_embedded)
        });
        if is_same(&target) || on_forge.into_iter().any(|target| is_same(&target)) {
            return Ok(());
        }
        Err(fault(&format!("means {}", targets.moved(&target))))
    }

    /// Whether a reference that stays leads where it led, although the document gets another base URL.
    pub(crate) fn stays(&self, place: (ValueKind, Against), reference: &str) -> Result {
        let bases = [&self.base, &self.new_base];
        let [old, new] = bases.map(|base| self.resolve(base.as_ref()?, reference));
        if old == new || has_scheme(reference) {
            return Ok(());
        }
        let urls = UrlPair {
            old: Cow::Borrowed(reference),
            new: Cow::Borrowed(reference),
            is_unfilled: false,
        };
        self.are_same(place, None, urls)
    }

    /// The base URL that the `href` of a `base` element gives, or the lack of one.
    pub(crate) fn base_of(&self, href: Option<&str>) -> Option<BaseUrl> {
        let charset = Charset::known(self.encoding, b"");
        document_base_in(&charset, href, self.context, self.settings).base
    }

    /// What a reference of that kind is resolved against.
    fn base(&self, against: Against, codebase: Option<BaseUrl>) -> Option<BaseUrl> {
        match against {
            Against::Base | Against::Outer => self.base.clone(),
            Against::Nothing => None,
            Against::Codebase => codebase,
            Against::Fallback => self.context.fallback().map(|(url, _)| url.clone()),
            Against::Retrieval => self.context.retrieval.as_ref().map(|own| own.url.clone()),
        }
    }

    /// For what needs no base URL: it is absolute, only its scheme is missing, or it may be unwrapped.
    fn assumed_base(&self, reference: &str) -> Option<BaseUrl> {
        let unknown = || BaseUrl::any("https://unknown.invalid/");
        let is_whole = reference.starts_with("//") || self.settings.unwrap;
        let own = BaseUrl::parse(reference).ok();
        own.or_else(|| (is_whole || has_scheme(reference)).then(unknown))
    }

    /// What the value of a `codebase` comes to, or values of `xml:base`, of which each is relative to the one before.
    fn codebase(&self, codebases: &str) -> Option<BaseUrl> {
        let charset = Charset::known(self.encoding, b"");
        let mut base = self.base.clone();
        for codebase in codebases.split('\0') {
            let codebase = pre_step(codebase);
            let codebase = charset.percent_encode_inner(&codebase, base.as_ref());
            let url = match &base {
                Some(base) => self.resolve(base, &codebase)?,
                None => codebase.into_owned(),
            };
            base = Some(BaseUrl::parse(&url).ok()?);
        }
        base
    }

    /// A base URL as a reference takes it over that has no path and no query, by the letter of an RFC. A query that
    /// came from outside of the document is UTF-8.
    fn taken_over<'b>(&self, base: &'b BaseUrl, reference: &str) -> Cow<'b, BaseUrl> {
        if reference.is_empty() || reference.starts_with('#') {
            Charset::known(self.encoding, b"").percent_encode_outer(base)
        } else {
            Cow::Borrowed(base)
        }
    }

    /// For a value of a kind: queries of style sheets and of JSON are UTF-8 whatever the document is in
    /// (CSS Values 4 §4.5, "URL processing model"; HTML, "parse an import map string").
    fn of_kind(&self, kind: ValueKind) -> Cow<'_, Self> {
        if self.encoding != UTF_8 && kind.has_utf8_queries() {
            Cow::Owned(Targets {
                encoding: UTF_8,
                ..self.clone()
            })
        } else {
            Cow::Borrowed(self)
        }
    }

    fn resolve(&self, base: &BaseUrl, reference: &str) -> Option<String> {
        let resolver = self.settings.resolver;
        let charset = Charset::known(self.encoding, b"");
        let reference = match resolver {
            Resolver::Whatwg => charset.percent_encode_inner(reference, Some(base)),
            _ => Cow::Borrowed(reference),
        };
        let target = resolver.resolve(base, &reference).ok()?;
        Some(target.into_owned())
    }

    /// What a reference means, or the URL in it that a web archive shows.
    fn meant(
        &self,
        base: &BaseUrl,
        against: Against,
        reference: &str,
        is_unfilled: bool,
    ) -> Option<String> {
        let target = self.resolve(&self.taken_over(base, reference), reference);
        // What does not resolve may still hold the URL that a web archive shows.
        let unresolved = || self.settings.unwrap.then(|| reference.to_owned());
        let mut target = target.or_else(unresolved)?;
        let own = self.context.retrieval.as_ref().map(|own| &own.url);
        // A converted link is the name of a file; it means what that was retrieved from.
        if let Some(mirror) = &self.context.mirror
            && matches!(against, Against::Base | Against::Codebase)
            && own.is_some_and(|own| own.without_fragment() == base.without_fragment())
            && !is_unfilled
            && let Some(named) = mirror.named(reference, &target)
            && let Some(url) = named.url
            && let Some(named) = self.resolve(base, &url)
        {
            target = named;
        }
        if self.settings.unwrap {
            target = unwrapped(&target).unwrap_or(target);
        }
        Some(target)
    }

    /// Whether a reference of any form leads to a target.
    fn leads_to(
        &self,
        base: &BaseUrl,
        against: Against,
        target: &str,
        old: &str,
        new: &str,
        kind: ValueKind,
    ) -> bool {
        let mut targets = self.in_site(target);
        let is_file = self.settings.to == To::Files && against != Against::Fallback;
        if is_file && !new.starts_with('/') && !has_scheme(new) {
            // What opens a file takes `\\` for `/`.
            let (path, rest) = old.split_at(old.find(['?', '#']).unwrap_or(old.len()));
            if path.contains('\\') {
                targets.extend(self.resolve(base, &(path.replace('\\', "/") + rest)));
            }
            return self.leads_to_file(&targets, new).unwrap_or_default();
        }
        let pages = self.context.neighbours.iter();
        let pages = pages.flat_map(|it| targets.iter().filter_map(|target| it.page_of(target)));
        targets = pages
            .collect::<Vec<_>>()
            .into_iter()
            .chain(targets)
            .collect();
        // It may have been taken out of the reference as it is.
        if self.settings.unwrap {
            targets.extend(unwrapped(old).map(|url| self.moved(&url)));
        }
        let own = matches!(against, Against::Base | Against::Outer);
        let new_base = self.new_base.as_ref().filter(|_| own);
        let new_base = self.moved_base(new_base.unwrap_or(base));
        let found = self.resolve(&new_base, new);
        // What is absolute may have dot segments, which a resolver takes out.
        let whole = has_scheme(new).then(|| new.to_owned());
        let is_target = |found: String| {
            let (found, mut targets) = (normal(&found), targets.iter());
            targets.any(|target| self.is_spelled(&normal(target), &found, kind))
        };
        found.into_iter().chain(whole).any(is_target)
            || old.starts_with("//") && self.are_moved_hosts(old, new)
    }

    fn moved(&self, url: &str) -> String {
        let moved = self.settings.moves.moved(url);
        moved.unwrap_or_else(|| url.to_owned())
    }

    /// A base URL where it has been moved, or itself, which may have been parsed.
    fn moved_base(&self, base: &BaseUrl) -> BaseUrl {
        let moved = self.settings.moves.moved(base.as_str());
        moved.map_or_else(|| base.clone(), |moved| BaseUrl::any(&moved))
    }

    /// Whether a reference leads from the document's file to one that was retrieved from one of these. Where it leads
    /// above the tree, RFC 1808 keeps its dots.
    fn leads_to_file(&self, targets: &[String], new: &str) -> Option<bool> {
        const ROOT: &str = "file:/";
        let neighbours = self.context.neighbours.as_ref()?;
        let mut own = ROOT.to_owned();
        let stays = |rest: &[u8]| rest[0].is_ascii_alphanumeric() || b"/-._".contains(&rest[0]);
        percent::encode(&neighbours.place.path, stays, &mut own);
        let found = Resolver::Rfc1808.resolve(&BaseUrl::any(&own), new).ok()?;
        let (found, fragment) = split(&found, '#');
        let (path, query) = split(found, '?');
        let path = percent::decode(path.strip_prefix(ROOT)?);
        let mut targets = targets.iter();
        Some(targets.any(|target| {
            split(target, '#').1 == fragment && neighbours.leads_to(&path, query, target)
        }))
    }

    /// Whether a reference that lacks a scheme was moved, whatever it was relative to.
    fn are_moved_hosts(&self, old: &str, new: &str) -> bool {
        let moved = self.settings.moves.moving_from_host(old);
        moved.is_some_and(|(prefix, rest)| {
            let moved = prefix.moved(&rest);
            let scheme = moved.strip_suffix(new);
            scheme.is_some_and(|scheme| scheme.is_empty() || new.starts_with("//"))
        })
    }

    /// A target where it has been moved, and at the same place in the document's part of the site.
    fn in_site(&self, target: &str) -> Vec<String> {
        let target = self.moved(target);
        let own = self.context.retrieval.as_ref();
        let own = own.map(|own| self.moved_base(&own.url));
        let here = own.and_then(|own| self.settings.site.target(&own, &target));
        here.into_iter().chain([target]).collect()
    }

    /// Whether `written` is how `url` is spelled in a value of that kind.
    fn is_spelled(&self, url: &str, written: &str, kind: ValueKind) -> bool {
        let is_delimited = !matches!(kind, ValueKind::Url | ValueKind::HashName);
        let is_plain = |byte: u8| !byte.is_ascii_whitespace() && !b",;\"'".contains(&byte);
        let escaped = |url: &str| encoded(url, |rest| !is_delimited || is_plain(rest[0]));
        if url == written {
            return true;
        }
        let [url, written] = [url, written].map(|url| escaped(&uncontrolled(url)));
        // In UTF-8, a browser sends what is not ASCII as its escapes.
        let is_utf8 = self.encoding.output_encoding() == UTF_8;
        if url == written || is_utf8 && ascii(&url) == ascii(&written) {
            return true;
        }
        let parsed = |url: &str| whatwg::parse(url, None).ok();
        self.settings.resolver == Resolver::Whatwg
            && parsed(&url).is_some_and(|url| parsed(&written) == Some(url))
    }
}

/// Text in which control characters are escaped: markup cannot spell all of them.
fn uncontrolled(text: &str) -> Cow<'_, str> {
    if !text.contains(char::is_control) {
        return Cow::Borrowed(text);
    }
    let escape = |c: char| match c.is_control() {
        true => encoded(c.encode_utf8(&mut [0; 4]), |_| false),
        false => c.to_string(),
    };
    Cow::Owned(text.chars().map(escape).collect())
}

/// Text in which what is not ASCII is escaped, as UTF-8.
fn ascii(text: &str) -> String {
    encoded(text, |rest| rest[0].is_ascii())
}

fn encoded(text: &str, stays: impl Fn(&[u8]) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    percent::encode(text.as_bytes(), stays, &mut out);
    out
}

/// RFC 3986 §3.1: a reference without one may have a colon in its path.
fn has_scheme(reference: &str) -> bool {
    rfc3986::scheme(reference).is_some()
}

/// A URL as two are compared.
fn normal(url: &str) -> String {
    inverse::normal(url).unwrap_or_else(|| url.to_owned())
}
