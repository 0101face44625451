//! What a reference means, by resolvers that are not abslink's.

mod placeholders;
mod prefixes;
mod resolvers;
pub mod transcription;

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8};
use url::Url;

use crate::fault::Fault;
use crate::grammar::OldUrl;
use crate::grammar::blanks::stripped;
use abslink_html::shared::{Against, Charset, Edited, document_base_in};
use abslink_html::{Context, Settings, To, ValueKind};
use abslink_url::{BaseUrl, Resolver, whatwg};
use prefixes::{moved, normal, unwrapped};

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
        edited: Edited<'_, str>,
    ) -> Result<(), Fault> {
        placeholders::compare(place.0, edited, self.settings, &mut |old, new| {
            self.are_same(place, codebase, old, new)
        })
    }

    /// Whether `new` means what `url` does. `codebase` is the value of that attribute.
    pub(crate) fn are_same(
        &self,
        (kind, against): (ValueKind, Against),
        codebase: Option<&str>,
        url: OldUrl<'_>,
        new: &str,
    ) -> Result<(), Fault> {
        let (whole, written) = (url.text, new);
        let texts = || (whole.to_owned(), written.to_owned());
        let (old, new) = (stripped(whole), stripped(written));
        let targets = self.of_kind(kind);
        let base = targets.base(against, codebase);
        let Some(base) = base.or_else(|| self.assumed_base(&old)) else {
            let (old, new) = texts();
            return Err(Fault::NoBase { old, new });
        };
        let unfilled = placeholders::both(kind, url, &new, self.settings)?;
        let is_unfilled = unfilled.is_some();
        let (old, new) = match unfilled {
            Some([old, new]) => (Cow::Owned(old), Cow::Owned(new)),
            None => (old, new),
        };
        let Some(target) = targets.meant(&base, against, &old, is_unfilled) else {
            let (old, new) = texts();
            return Err(Fault::Unresolved { old, new });
        };
        let is_same = if self.settings.has_forms() {
            targets.leads_to(&base, against, &target, &old, &new, kind)
        } else {
            // A key of an import map that ends with a slash would mean something else.
            let is_key = kind == ValueKind::ImportMap && !old.ends_with('/');
            let is_ended = is_key && target.ends_with('/');
            is_ended && new.strip_suffix('.') == Some(&target)
                || targets.is_spelled(&target, &new, kind)
        };
        if is_same {
            return Ok(());
        }
        let target = targets.moved(&target);
        let (old, new) = texts();
        Err(Fault::OtherTarget { old, target, new })
    }

    /// Whether a reference that stays leads where it led, although the document gets another base URL.
    pub(crate) fn stays(&self, place: (ValueKind, Against), reference: &str) -> Result<(), Fault> {
        let bases = [&self.base, &self.new_base];
        let [old, new] = bases.map(|base| self.resolve(base.as_ref()?.as_str(), reference));
        if old == new || resolvers::has_scheme(reference) {
            return Ok(());
        }
        let (text, spelled) = (reference, reference);
        self.are_same(place, None, OldUrl { text, spelled }, reference)
    }

    /// The base URL where the document itself names none.
    pub(crate) fn fallback(&self) -> Option<BaseUrl> {
        self.base_of(None)
    }

    /// The base URL that the `href` of a `base` element gives.
    pub(crate) fn base_of(&self, href: Option<&str>) -> Option<BaseUrl> {
        let charset = Charset::known(self.encoding, b"");
        document_base_in(&charset, href, self.context, self.settings).base
    }

    /// What a reference of that kind is resolved against.
    fn base(&self, against: Against, codebase: Option<&str>) -> Option<BaseUrl> {
        let context = self.context;
        match against {
            Against::Base | Against::Outer => self.base.clone(),
            Against::Nothing => None,
            Against::Codebase => {
                let codebase = codebase.and_then(|codebase| self.codebase(codebase));
                codebase.or_else(|| self.base.clone())
            }
            Against::Fallback => context.fallback().map(|(url, _)| url.clone()),
            Against::Retrieval => context.retrieval.as_ref().map(|own| own.url.clone()),
        }
    }

    /// For what needs no base URL: it is absolute, only its scheme is missing, or it may be unwrapped.
    fn assumed_base(&self, reference: &str) -> Option<BaseUrl> {
        let unknown = || BaseUrl::any("https://unknown.invalid/");
        let is_whole = reference.starts_with("//") || self.settings.unwrap;
        let own = BaseUrl::parse(reference).ok();
        own.or_else(|| (is_whole || resolvers::has_scheme(reference)).then(unknown))
    }

    fn codebase(&self, codebase: &str) -> Option<BaseUrl> {
        let codebase = stripped(codebase);
        let charset = Charset::known(self.encoding, b"");
        let codebase = charset.percent_encode_inner(&codebase, self.base.as_ref());
        let url = match &self.base {
            Some(base) => self.resolve(base.as_str(), &codebase)?,
            None => codebase.into_owned(),
        };
        BaseUrl::parse(&url).ok()
    }

    /// A base URL as a reference without a path and a query takes it over, by the letter of an RFC. A query that
    /// came from outside of the document is UTF-8.
    fn taken_over<'b>(&self, base: &'b BaseUrl, reference: &str) -> Cow<'b, str> {
        let base = base.as_str();
        let (url, fragment) = base.split_at(base.find('#').unwrap_or(base.len()));
        let takes = reference.is_empty() || reference.starts_with('#');
        let is_usual = self.encoding.output_encoding() == UTF_8;
        let (true, Some((url, query))) = (takes && !is_usual, url.split_once('?')) else {
            return Cow::Borrowed(base);
        };
        let is_spelled = |url: &Url| url.is_special() && !matches!(url.scheme(), "ws" | "wss");
        if !Url::parse(base).is_ok_and(|url| is_spelled(&url)) {
            return Cow::Borrowed(base);
        }
        Cow::Owned(format!("{url}?{}{fragment}", ascii(query)))
    }

    /// For a value of a kind: queries of style sheets and of JSON are UTF-8 whatever the document is in
    /// (CSS Values 4 §4.5, "URL processing model"; HTML, "parse an import map string").
    fn of_kind(&self, kind: ValueKind) -> Cow<'_, Self> {
        use ValueKind::{
            CssDeclarations, CssFile, CssStylesheet, ImportMap, LinkedData, SpeculationRules,
        };
        let is_text = matches!(
            kind,
            CssDeclarations | CssFile | CssStylesheet | ImportMap | LinkedData | SpeculationRules
        );
        if self.encoding != UTF_8 && is_text {
            Cow::Owned(Targets {
                encoding: UTF_8,
                ..self.clone()
            })
        } else {
            Cow::Borrowed(self)
        }
    }

    fn resolve(&self, base: &str, reference: &str) -> Option<String> {
        resolvers::resolve(self.settings.resolver, self.encoding, base, reference)
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
            && let Some(named) = self.resolve(base.as_str(), &url)
        {
            target = named;
        }
        if self.settings.unwrap {
            target = unwrapped(target);
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
        if is_file && !new.starts_with('/') && !resolvers::has_scheme(new) {
            return self.leads_to_file(&targets, new);
        }
        // It may have been taken out of the reference as it is.
        if self.settings.unwrap {
            targets.push(self.moved(&unwrapped(old.to_owned())));
        }
        let own = matches!(against, Against::Base | Against::Outer);
        let new_base = self.new_base.as_ref().filter(|_| own);
        let new_base = self.moved(new_base.unwrap_or(base).as_str());
        let found = self.resolve(&new_base, new);
        // What is absolute may have dot segments, which a resolver takes out.
        let whole = resolvers::has_scheme(new).then(|| new.to_owned());
        let is_target = |found: String| {
            let mut targets = targets.iter();
            targets.any(|target| self.is_spelled(&normal(target), &normal(&found), kind))
        };
        found.into_iter().chain(whole).any(is_target)
            || old.starts_with("//") && self.are_moved_hosts(old, new)
    }

    fn moved(&self, url: &str) -> String {
        moved(&self.settings.moves, url)
    }

    /// Whether a reference that lacks a scheme was moved, whatever it was relative to.
    fn are_moved_hosts(&self, old: &str, new: &str) -> bool {
        ["https", "http"].into_iter().any(|scheme| {
            let url = format!("{scheme}:{old}");
            let moved = self.moved(&url);
            let new = if new.starts_with("//") {
                format!("{scheme}:{new}")
            } else {
                new.to_owned()
            };
            moved != url && normal(&moved) == normal(&new)
        })
    }

    /// A target where it has been moved, and at the same place below each other URL of the site.
    fn in_site(&self, target: &str) -> Vec<String> {
        let target = self.moved(target);
        let urls: Vec<&str> = self.settings.site.urls().collect();
        let own = (self.context.retrieval.as_ref()).filter(|_| self.settings.site.has_own_server());
        let own = own.map(|own| self.moved(own.url.as_str()));
        let server = own.as_deref().and_then(prefixes::split);
        let server = server.map(|(server, _)| server);
        let homes: Vec<&str> = urls.iter().copied().chain(server.as_deref()).collect();
        let below = urls
            .iter()
            .filter_map(|url| prefixes::after(url, &normal(&target)));
        let all = below.flat_map(|rest| homes.iter().map(move |home| format!("{home}{rest}")));
        let mut all: Vec<String> = all.collect();
        all.push(target);
        all
    }

    /// Whether a reference is the path from the document to a file that was retrieved from one of these.
    fn leads_to_file(&self, targets: &[String], new: &str) -> bool {
        let Some(neighbours) = &self.context.neighbours else {
            return false;
        };
        let cut = |text: &str, at: char| match text.find(at) {
            Some(mark) => (text[..mark].to_owned(), Some(text[mark + 1..].to_owned())),
            None => (text.to_owned(), None),
        };
        let (new, fragment) = cut(new, '#');
        let (way, query) = cut(&new, '?');
        let mut path: Vec<Vec<u8>> = Vec::new();
        let own = neighbours.own_path().split(|&byte| byte == b'/');
        path.extend(own.map(<[u8]>::to_vec));
        if !way.is_empty() {
            path.pop();
            for segment in way.split('/') {
                match segment {
                    "." => {}
                    ".." if path.is_empty() => return false,
                    ".." => drop(path.pop()),
                    name => path.push(abslink_url::percent::decode(name)),
                }
            }
        }
        let path = path.join(&b'/');
        targets.iter().any(|target| {
            cut(target, '#').1 == fragment && neighbours.leads_to(&path, query.as_deref(), target)
        })
    }

    /// Whether `written` is how `url` is spelled in a value of that kind.
    fn is_spelled(&self, url: &str, written: &str, kind: ValueKind) -> bool {
        let must_escape = |c: char| match kind {
            ValueKind::Url | ValueKind::Srcdoc | ValueKind::HashName => false,
            ValueKind::SpaceList => c.is_ascii_whitespace(),
            ValueKind::CommaList | ValueKind::Srcset => c.is_ascii_whitespace() || c == ',',
            ValueKind::SemicolonList | ValueKind::TileTask => c.is_ascii_whitespace() || c == ';',
            ValueKind::Refresh => matches!(c, '"' | '\''),
            _ => c == ' ',
        };
        let escaped = |url: &str| -> String {
            let parts = url.chars().map(|c| {
                if must_escape(c) {
                    Cow::Owned(format!("%{:02X}", u32::from(c)))
                } else {
                    Cow::Owned(c.to_string())
                }
            });
            parts.collect()
        };
        if url == written {
            return true;
        }
        let [url, written] = [url, written].map(escaped);
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

/// Text in which what is not ASCII is escaped, as UTF-8.
fn ascii(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii() {
            out.push(char::from(byte))
        } else {
            out.push_str(&format!("%{byte:02X}"))
        }
    }
    out
}
