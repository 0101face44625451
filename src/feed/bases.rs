//! RFC 1808 §3 in feeds: the base URL of the feed's own URLs, and that of the HTML in it.
//!
//! The URLs of the feed itself are relative to the `xml:base` around them, else to the feed's URL.
//! Content is relative to the `xml:base` around it; else an item stands for its page, whose URL its
//! link gives as `Content-Location` does that of a part of a message; else to the site; else to the
//! feed's URL. So most readers of feeds do it, and so authors mean it.

use super::FeedBase;
use super::model::{Item, Label, LabelKind, Model, Scope};
use crate::base::{self, Context, Established, Rung};
use crate::html::given::Base;
use crate::resolver::{BaseUrl, Resolver, UnsuitableBase, pre_step};

/// The base URLs of a feed.
pub(super) struct Bases<'b> {
    model: &'b Model,
    context: &'b Context,
    resolver: Resolver,
    /// What each `xml:base` comes to.
    embedded: Vec<Established>,
    /// The page of each item, if it is known and counts.
    items: Vec<Option<BaseUrl>>,
    site: Option<BaseUrl>,
}

impl<'b> Bases<'b> {
    pub(super) fn new(
        model: &'b Model,
        context: &'b Context,
        resolver: Resolver,
        feed_base: FeedBase,
    ) -> Bases<'b> {
        let mut bases = Bases {
            model,
            context,
            resolver,
            embedded: Vec::new(),
            items: Vec::new(),
            site: None,
        };
        bases.embedded = bases.embedded();
        let site = model.site.iter().find_map(|label| bases.url(label));
        if feed_base == FeedBase::Item {
            let items = model.items.iter();
            bases.items = items.map(|item| bases.page(item, site.as_ref())).collect();
        }
        bases.site = site.filter(|_| feed_base != FeedBase::Document);
        bases
    }

    /// §3.1: XML Base §4: each is relative to the one around it.
    fn embedded(&self) -> Vec<Established> {
        let own = base::establish(None, self.context, self.resolver);
        let mut found = vec![Established {
            evidence: Vec::new(),
            ..own
        }];
        for link in &self.model.chain[1..] {
            let outer = &found[link.outer];
            let next = match &link.value {
                Some(value) if pre_step(value).is_empty() => outer.clone(),
                Some(value) => self.xml_base(value, outer),
                None => without_base(None),
            };
            found.push(next);
        }
        found
    }

    fn xml_base(&self, value: &str, outer: &Established) -> Established {
        let context = Context {
            entity: outer.base.clone(),
            ..Context::default()
        };
        let found = base::establish(Some(value), &context, self.resolver);
        match (found.base, found.refused) {
            (Some(base), None) => Established {
                base: Some(base),
                rung: Rung::Embedded,
                refused: None,
                browser: None,
                is_guess: outer.is_guess && !is_absolute(value),
                evidence: Vec::new(),
            },
            // What it is relative to is not known, so that nothing in it is.
            (_, Some((value, UnsuitableBase::Relative))) => {
                without_base(Some((value, UnsuitableBase::Relative)))
            }
            // Readers ignore one that relative URLs are never used with.
            (_, refused) => Established {
                refused,
                ..outer.clone()
            },
        }
    }

    /// What a label comes to, as a URL of the feed itself.
    fn url(&self, label: &Label) -> Option<BaseUrl> {
        let value = pre_step(&label.value);
        match &self.embedded[label.base].base {
            Some(base) => BaseUrl::parse(&self.resolver.resolve(base, &value).ok()?).ok(),
            None => BaseUrl::parse(&value).ok(),
        }
    }

    /// §3.2: the page of an item. A permalink on the site's host counts more than a link to another
    /// one, of which the item only speaks.
    fn page(&self, item: &Item, site: Option<&BaseUrl>) -> Option<BaseUrl> {
        let mut labels: Vec<&Label> = item.labels.iter().collect();
        labels.sort_by_key(|label| label.kind);
        let mut found = labels
            .iter()
            .filter_map(|label| Some((label.kind, self.url(label)?)));
        let first = found.next()?;
        if first.0 == LabelKind::Link
            && let Some(site) = site.and_then(host)
            && host(&first.1) != Some(site)
        {
            let guid = labels
                .iter()
                .find(|label| label.kind == LabelKind::Guid && is_absolute(&label.value));
            let guid = guid.and_then(|guid| self.url(guid));
            if let Some(guid) = guid.filter(|guid| host(guid) == Some(site)) {
                return Some(guid);
            }
        }
        Some(first.1)
    }

    /// The base URL of a scope.
    fn of(&self, scope: Scope) -> Established {
        let embedded = &self.embedded[scope.base];
        let around = match scope.item {
            Some(item) => self.items.get(item).and_then(Option::as_ref),
            None => None,
        };
        let around = around.or(self.site.as_ref());
        let has_xml_base = embedded.rung == Rung::Embedded || self.is_lost(scope.base);
        match around.filter(|_| scope.is_content && !has_xml_base) {
            Some(url) => Established {
                base: Some(url.clone()),
                rung: Rung::Entity,
                is_guess: false,
                ..embedded.clone()
            },
            None => embedded.clone(),
        }
    }

    /// Whether there is an `xml:base` of which nobody can tell what it comes to.
    fn is_lost(&self, base: usize) -> bool {
        base > 0 && self.embedded[base].base.is_none() && self.embedded[0].base.is_none() && {
            let link = &self.model.chain[base];
            match &link.value {
                Some(value) if pre_step(value).is_empty() => self.is_lost(link.outer),
                _ => !matches!(
                    self.embedded[base].refused,
                    Some((
                        _,
                        UnsuitableBase::Opaque { .. } | UnsuitableBase::NeverRelative { .. }
                    ))
                ),
            }
        }
    }

    /// The base URL of each scope, in their order, with what else is known there.
    pub(super) fn all(&self) -> Vec<Base> {
        let scopes = self.model.scopes.iter();
        let bases = scopes.map(|&scope| {
            let established = self.of(scope);
            let entity = established.base.clone();
            let context = Context {
                entity: entity.filter(|_| scope.is_content),
                retrieval: self.context.retrieval.clone(),
                mirror: self.context.mirror.clone(),
                ..Context::default()
            };
            (context, established)
        });
        bases.collect()
    }

    /// The base URL of the feed's own URLs, with all that is known of its retrieval URL.
    pub(super) fn of_feed(&self) -> Established {
        let scope = Scope {
            item: None,
            base: self.model.root,
            is_content: false,
        };
        Established {
            evidence: self.context.evidence.clone(),
            ..self.of(scope)
        }
    }

    /// The base URL of an item's content.
    pub(super) fn of_item(&self, item: usize) -> Established {
        self.of(Scope {
            item: Some(item),
            base: self.model.items[item].base,
            is_content: true,
        })
    }
}

fn without_base(refused: Option<(String, UnsuitableBase)>) -> Established {
    Established {
        refused,
        ..base::establish(None, &Context::default(), Resolver::default())
    }
}

fn is_absolute(url: &str) -> bool {
    BaseUrl::parse(&pre_step(url)).is_ok()
}

/// RFC 1808 §2.4.3: the net_loc.
fn host(url: &BaseUrl) -> Option<&str> {
    let (_, rest) = url.as_str().split_once("://")?;
    rest.split(['/', '?', '#', ';']).next()
}
