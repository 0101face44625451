//! RFC 1808 §3 in feeds: the base URL of the feed's own URLs, and that of the HTML in it.
//!
//! The URLs of the feed itself are relative to the `xml:base` around them, else to the feed's URL.
//! Content is relative to the `xml:base` around it; else an item stands for its page, whose URL its
//! link gives as `Content-Location` does that of a part of a message; else to the site; else to the
//! feed's URL. So most readers of feeds do it, and so authors mean it.

use super::FeedBase;
use super::model::{Item, Label, LabelKind, Model, Scope};
use abslink_html::base::{self, BaseSource, Context, DocumentBase, RelativeBase};
use abslink_html::{self as html, Settings, sort_by_number};
use abslink_url::{BaseUrl, Resolver, UnsuitableBase, pre_step};

/// Why a feed is left.
pub(super) const OUTGROWN: &str = "its base URLs are too long: together they would take more than 16 MiB \
                                   plus 16 times the length of the feed";

/// As much may the base URLs of a feed of this length take, in memory and each time that one is read. Each
/// takes a part of the one around it along, so that a long `xml:base` and many short ones in it take the
/// square of their length.
fn room(length: usize) -> usize {
    (16 << 20) + length.saturating_mul(16)
}

/// The base URLs of a feed.
pub(super) struct Bases<'b> {
    model: &'b Model,
    context: &'b Context,
    settings: &'b Settings,
    /// How much more they may take.
    room: usize,
    /// What each `xml:base` comes to.
    embedded: Vec<Embedded>,
    /// The page of each item, if they count.
    items: Vec<Page>,
    site: Page,
}

/// What encloses content: the page of an item, or the site.
enum Page {
    /// None is named, or what is named is no URL.
    None,
    Url(BaseUrl),
    /// There is one, but nobody can tell what it is: nothing in it is resolved.
    Unknown {
        /// Whether the URL of the feed would tell.
        is_relative: bool,
    },
}

impl Page {
    fn url(&self) -> Option<&BaseUrl> {
        match self {
            Page::Url(url) => Some(url),
            Page::None | Page::Unknown { .. } => None,
        }
    }
}

/// What an `xml:base` comes to, or that there is none.
#[derive(Clone)]
struct Embedded {
    /// The base URL of the feed's own URLs there.
    document_base: DocumentBase,
    /// Whether an `xml:base` counts, be it known what it is or not.
    counts: bool,
}

impl<'b> Bases<'b> {
    /// The base URLs of a feed of this length.
    ///
    /// # Errors
    /// They take too much, for which the feed is left.
    pub(super) fn new(
        model: &'b Model,
        length: usize,
        context: &'b Context,
        settings: &'b Settings,
        feed_base: FeedBase,
    ) -> Result<Bases<'b>, &'static str> {
        let mut bases = Bases {
            model,
            context,
            settings,
            room: room(length),
            embedded: Vec::new(),
            items: Vec::new(),
            site: Page::None,
        };
        bases.embed()?;
        let (_, site) = bases.first(&model.site);
        if feed_base == FeedBase::Item {
            let own = bases.embedded[0].document_base.base.clone();
            let own = own.filter(|_| matches!(site, Page::None));
            let host = site.url().or(own.as_ref()).and_then(host);
            for item in &model.items {
                let page = bases.page(item, host);
                bases.take(page.url().map_or(0, |page| page.as_str().len()))?;
                bases.items.push(page);
            }
        }
        if feed_base != FeedBase::Document {
            bases.site = site;
        }
        Ok(bases)
    }

    /// §3.1, XML Base §4: each is relative to the one around it.
    fn embed(&mut self) -> Result<(), &'static str> {
        let mut own = base::document_base(None, self.context, self.settings.resolver);
        own.evidence = Vec::new();
        self.embedded.push(Embedded {
            document_base: own,
            counts: false,
        });
        for link in &self.model.chain[1..] {
            let outer = &self.embedded[link.outer];
            let mut found = match &link.value {
                Some(value) if pre_step(value).is_empty() => outer.clone(),
                Some(value) => self.xml_base(value, outer),
                None => Embedded::unknown(None),
            };
            if link.is_implied {
                found.document_base.refused = None;
                found.document_base.source = outer.document_base.source;
            }
            let base = found.document_base.base.as_ref();
            self.take(found.refused() + base.map_or(0, |base| base.as_str().len()))?;
            self.embedded.push(found);
        }
        Ok(())
    }

    /// Takes so many bytes.
    fn take(&mut self, length: usize) -> Result<(), &'static str> {
        self.room = self.room.checked_sub(length).ok_or(OUTGROWN)?;
        Ok(())
    }

    fn xml_base(&self, value: &str, outer: &Embedded) -> Embedded {
        let around = &outer.document_base;
        let mut context = Context::default();
        context.entity.clone_from(&around.base);
        let found = html::placeholder::document_base(Some(value), &context, self.settings);
        match (found.base, found.refused) {
            (Some(base), None) => {
                let mut document_base = around.clone();
                document_base.base = Some(base);
                document_base.source = BaseSource::Embedded;
                document_base.refused = None;
                document_base.browser = None;
                document_base.is_guess &= !is_absolute(value);
                // One that is relative to another in the feed needs what that needs.
                if around.source != BaseSource::Embedded || found.relative.is_none() {
                    document_base.relative = found.relative.map(|relative| RelativeBase {
                        source: around.source,
                        ..relative
                    });
                }
                document_base.evidence = Vec::new();
                Embedded {
                    document_base,
                    counts: true,
                }
            }
            (_, Some((value, reason @ (UnsuitableBase::Relative | UnsuitableBase::Unfilled)))) => {
                Embedded::unknown(Some((value, reason)))
            }
            // Readers ignore one that relative URLs are never used with.
            (_, refused) => {
                let mut ignored = outer.clone();
                ignored.document_base.refused = refused;
                ignored
            }
        }
    }

    /// What the first label comes to that counts, as a URL of the feed itself.
    fn first(&self, labels: &[Label]) -> (Option<LabelKind>, Page) {
        let mut labels: Vec<&Label> = labels.iter().collect();
        sort_by_number(&mut labels, |label| label.kind as usize);
        let mut unknown = None;
        for label in labels {
            let value = label.value.as_deref();
            let is_known = |value: &&str| !html::placeholder::has_placeholder(value, self.settings);
            let Some(value) = value.filter(is_known) else {
                let is_relative = false;
                unknown = unknown.or(Some((label.kind, Page::Unknown { is_relative })));
                break;
            };
            match self.url(value, label.base) {
                // A permalink names the same page as a link that is relative to nothing known.
                Some(url) if unknown.is_none() || label.kind == LabelKind::Guid => {
                    return (Some(label.kind), Page::Url(url));
                }
                None if self.needs_base(value, label.base) => {
                    let is_relative = true;
                    unknown = unknown.or(Some((label.kind, Page::Unknown { is_relative })));
                }
                _ => {}
            }
        }
        unknown.map_or((None, Page::None), |(kind, page)| (Some(kind), page))
    }

    /// Whether a label is relative to a URL that nobody knows.
    fn needs_base(&self, value: &str, base: usize) -> bool {
        let is_unknown = self.embedded[base].document_base.base.is_none();
        let parsed = BaseUrl::parse(&pre_step(value));
        is_unknown && matches!(parsed, Err(UnsuitableBase::Relative))
    }

    fn url(&self, value: &str, base: usize) -> Option<BaseUrl> {
        let value = pre_step(value);
        match &self.embedded[base].document_base.base {
            Some(base) => BaseUrl::parse(&self.settings.resolver.resolve(base, &value).ok()?).ok(),
            None => BaseUrl::parse(&value).ok(),
        }
    }

    /// §3.2: the page of an item. What else names one on the site's host counts more than a link to another
    /// host, of which the item only speaks: a permalink first, then links in the order of their kinds.
    fn page(&self, item: &Item, site: Option<&str>) -> Page {
        let (kind, page) = self.first(&item.labels);
        if matches!(kind, Some(LabelKind::Link | LabelKind::Alternate))
            && let Some(site) = site
            && page.url().is_some_and(|url| !is_on(url, site))
        {
            let labels = item.labels.iter();
            let guids = labels.filter(|label| {
                label.kind == LabelKind::Guid && label.value.as_deref().is_some_and(is_absolute)
            });
            let mut asides: Vec<&Label> = guids.chain(&item.asides).collect();
            sort_by_number(&mut asides, |label| label.kind as usize);
            let mut urls = asides.iter().filter_map(|label| {
                let value = label.value.as_deref()?;
                let is_known = !html::placeholder::has_placeholder(value, self.settings);
                self.url(value, label.base).filter(|_| is_known)
            });
            if let Some(url) = urls.find(|url| is_on(url, site)) {
                return Page::Url(url);
            }
        }
        page
    }

    /// The base URL of a scope.
    fn of(&self, scope: Scope) -> DocumentBase {
        let document_base = &self.embedded[scope.base].document_base;
        match self.around(scope) {
            Page::Url(url) => {
                let mut page = document_base.clone();
                page.base = Some(url.clone());
                page.source = BaseSource::Entity;
                page.is_guess = false;
                page
            }
            Page::Unknown { .. } => Embedded::unknown(None).document_base,
            Page::None => document_base.clone(),
        }
    }

    /// What encloses a scope, if no `xml:base` there counts more.
    fn around(&self, scope: Scope) -> &Page {
        if !scope.is_content || self.embedded[scope.base].counts {
            return &Page::None;
        }
        let page = scope.item.and_then(|item| self.items.get(item));
        let page = page.filter(|page| !matches!(page, Page::None));
        page.unwrap_or(&self.site)
    }

    /// Whether a scope has no base URL because that of the feed is not known.
    pub(super) fn lacks_url(&self, scope: Scope) -> bool {
        let document_base = &self.embedded[scope.base].document_base;
        let is_unfilled = matches!(document_base.refused, Some((_, UnsuitableBase::Unfilled)));
        let is_known = self.embedded[0].document_base.base.is_some();
        !is_known
            && match self.around(scope) {
                Page::Url(_) => false,
                Page::Unknown { is_relative } => *is_relative,
                Page::None => document_base.base.is_none() && !is_unfilled,
            }
    }

    /// Whether it is content whose base URL is that of its item's page.
    fn is_own_page(&self, scope: Scope) -> bool {
        let page = scope.item.and_then(|item| self.items.get(item));
        let is_of_page = page.is_some_and(|page| page.url().is_some());
        is_of_page && scope.is_content && !self.embedded[scope.base].counts
    }

    /// The base URL of each scope, in their order, with what else is known there.
    ///
    /// # Errors
    /// They take too much, for which the feed is left.
    pub(super) fn all(&mut self) -> Result<Vec<(Context, DocumentBase)>, &'static str> {
        let mut bases = Vec::with_capacity(self.model.scopes.len());
        for &scope in &self.model.scopes {
            self.take(self.embedded[scope.base].refused())?;
            let document_base = self.of(scope).unwrapped(self.settings);
            let base = document_base.base.clone();
            let retrieval = self.context.retrieval.clone();
            let mut context = Context::default();
            context.entity = base.clone().filter(|_| scope.is_content);
            // Where the base URL is not known, nothing stands for it.
            context.retrieval = retrieval.filter(|_| base.is_some());
            context.mirror.clone_from(&self.context.mirror);
            context.is_content = scope.is_content;
            context.is_own_page = self.is_own_page(scope);
            context.field = self.context.field;
            context.neighbours.clone_from(&self.context.neighbours);
            context.stays_without_base = self.context.stays_without_base;
            let context = context.unwrapped(self.settings);
            bases.push((context, document_base));
        }
        // Each time that another one counts all of it is read, and for each text that is HTML.
        let mut last = None;
        for (_, row, number) in self.model.places.iter() {
            if last.replace(number) != Some(number) || row.is_html() {
                let base = bases[number].1.base.as_ref();
                self.take(base.map_or(0, |base| base.as_str().len()))?;
            }
        }
        Ok(bases)
    }

    /// The base URL of the feed's own URLs, with all that is known of its retrieval URL.
    pub(super) fn of_feed(&self) -> DocumentBase {
        let scope = Scope {
            item: None,
            base: self.model.root,
            is_content: false,
        };
        let mut document_base = self.of(scope);
        document_base.evidence.clone_from(&self.context.evidence);
        document_base
    }

    /// The base URL of an item's content.
    pub(super) fn of_item(&self, item: usize) -> DocumentBase {
        self.of(Scope {
            item: Some(item),
            base: self.model.items[item].base,
            is_content: true,
        })
    }

    /// An `xml:base` there that gives no base URL, in the item or in the feed that the scope is in; one around
    /// that, which its own `xml:base` is relative to, is not there.
    pub(super) fn refused(&self, scope: &Scope) -> Option<&(String, UnsuitableBase)> {
        let items = &self.model.items;
        let own = scope.item.map_or(self.model.root, |item| items[item].base);
        let refused = self.embedded[scope.base].document_base.refused.as_ref();
        refused.filter(|_| scope.base >= own)
    }
}

impl Embedded {
    /// How long what was refused is.
    fn refused(&self) -> usize {
        let refused = self.document_base.refused.as_ref();
        refused.map_or(0, |(value, _)| value.len())
    }

    /// There is one, but what it is relative to, or what it says, is not known: nothing in it is
    /// resolved.
    fn unknown(refused: Option<(String, UnsuitableBase)>) -> Embedded {
        let mut document_base = base::document_base(None, &Context::default(), Resolver::default());
        document_base.refused = refused;
        Embedded {
            document_base,
            counts: true,
        }
    }
}

fn is_absolute(url: &str) -> bool {
    BaseUrl::parse(&pre_step(url)).is_ok()
}

/// Whether a URL is on a site, be it on a host below that of the site or above it. RFC 1738 §3.1: hosts are
/// the same in upper and lower case.
fn is_on(url: &BaseUrl, site: &str) -> bool {
    let Some(host) = host(url) else {
        return false;
    };
    let plain = |host: &str| {
        let host = host.to_ascii_lowercase();
        host.strip_prefix("www.").map(str::to_owned).unwrap_or(host)
    };
    let (host, site) = (plain(host), plain(site));
    let is_below = |one: &str, other: &str| {
        let rest = one.strip_suffix(other);
        rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    };
    !host.is_empty() && !site.is_empty() && (is_below(&host, &site) || is_below(&site, &host))
}

/// RFC 1808 §2.4.3: the host in the net_loc.
fn host(url: &BaseUrl) -> Option<&str> {
    let (_, rest) = url.as_str().split_once("://")?;
    let net_loc = rest.split(['/', '?', '#', ';']).next()?;
    let host = net_loc.rsplit('@').next()?;
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => Some(name),
        _ => Some(host),
    }
}
