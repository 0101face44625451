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
    embedded: Vec<Embedded>,
    /// The page of each item, if it is known and counts.
    items: Vec<Option<BaseUrl>>,
    site: Option<BaseUrl>,
}

/// What an `xml:base` comes to, or that there is none.
#[derive(Clone)]
struct Embedded {
    /// The base URL of the feed's own URLs there.
    established: Established,
    /// Whether an `xml:base` counts, be it known what it is or not.
    counts: bool,
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

    /// §3.1, XML Base §4: each is relative to the one around it.
    fn embedded(&self) -> Vec<Embedded> {
        let own = base::establish(None, self.context, self.resolver);
        let mut found = vec![Embedded {
            established: Established {
                evidence: Vec::new(),
                ..own
            },
            counts: false,
        }];
        for link in &self.model.chain[1..] {
            let outer = &found[link.outer];
            found.push(match &link.value {
                Some(value) if pre_step(value).is_empty() => outer.clone(),
                Some(value) => self.xml_base(value, outer),
                None => Embedded::unknown(None),
            });
        }
        found
    }

    fn xml_base(&self, value: &str, outer: &Embedded) -> Embedded {
        let around = &outer.established;
        let context = Context {
            entity: around.base.clone(),
            ..Context::default()
        };
        let found = base::establish(Some(value), &context, self.resolver);
        match (found.base, found.refused) {
            (Some(base), None) => Embedded {
                established: Established {
                    base: Some(base),
                    rung: Rung::Embedded,
                    refused: None,
                    browser: None,
                    is_guess: around.is_guess && !is_absolute(value),
                    evidence: Vec::new(),
                },
                counts: true,
            },
            (_, Some((value, UnsuitableBase::Relative))) => {
                Embedded::unknown(Some((value, UnsuitableBase::Relative)))
            }
            // Readers ignore one that relative URLs are never used with.
            (_, refused) => Embedded {
                established: Established {
                    refused,
                    ..around.clone()
                },
                counts: outer.counts,
            },
        }
    }

    /// What a label comes to, as a URL of the feed itself.
    fn url(&self, label: &Label) -> Option<BaseUrl> {
        let value = pre_step(&label.value);
        match &self.embedded[label.base].established.base {
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
        let Embedded {
            established,
            counts,
        } = &self.embedded[scope.base];
        let page = scope.item.and_then(|item| self.items.get(item)?.as_ref());
        let around = page.or(self.site.as_ref());
        match around.filter(|_| scope.is_content && !counts) {
            Some(url) => Established {
                base: Some(url.clone()),
                rung: Rung::Entity,
                is_guess: false,
                ..established.clone()
            },
            None => established.clone(),
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

impl Embedded {
    /// There is one, but what it is relative to, or what it says, is not known: nothing in it is
    /// resolved.
    fn unknown(refused: Option<(String, UnsuitableBase)>) -> Embedded {
        let none = base::establish(None, &Context::default(), Resolver::default());
        Embedded {
            established: Established { refused, ..none },
            counts: true,
        }
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
