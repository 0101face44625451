//! RFC 1808 §3: which base URL a document has, as one ladder that says which rung answered.

pub mod retrieval;

use crate::resolver::{BaseUrl, Resolver, UnsuitableBase, pre_step};
use retrieval::Source;
use retrieval::confirmation::Confirmation;
use retrieval::mirror::Mirror;
use retrieval::testimony::{Doubt, Testimony};

/// The rungs of RFC 1808 §3, from the innermost to the outermost. §3.3 has one for each kind of
/// evidence of the retrieval URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rung {
    /// §3.1: an HTML `base` element with an `href`.
    Embedded,
    /// §3.2: the message, archive or document that encloses this one.
    Entity,
    /// §3.3: a line of a `--url-map`.
    Map,
    /// §3.3: the extended attribute `user.xdg.origin.url`.
    Xattr,
    /// §3.3: a comment that the saving program wrote.
    Comment,
    /// §3.3: the document's place in the tree, below `--base-url` or by `--layout`.
    Layout,
    /// §3.4: there is no base URL; relative references stay as they are.
    None,
}

impl Rung {
    /// The rung's name in JSON and in messages.
    pub fn name(self) -> &'static str {
        match self {
            Rung::Embedded => "embedded",
            Rung::Entity => "entity",
            Rung::Map => "map",
            Rung::Xattr => "xattr",
            Rung::Comment => "comment",
            Rung::Layout => "layout",
            Rung::None => "none",
        }
    }
}

/// The URL that a document was retrieved from (RFC 1808 §3.3), and what says so.
#[derive(Clone, Debug)]
pub struct Retrieval {
    /// The document's own URL.
    pub url: BaseUrl,
    /// The evidence: one of the rungs of §3.3.
    pub rung: Rung,
    /// Whether the evidence leaves open that it is another URL.
    pub is_guess: bool,
}

/// What is known about a document's base URL from outside its content.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// §3.2: base URL of the encapsulating entity.
    pub entity: Option<BaseUrl>,
    /// §3.3.
    pub retrieval: Option<Retrieval>,
    /// All that is known of the retrieval URL, where somebody wants to know.
    pub evidence: Vec<Testimony>,
    /// The mirror that the document lies in, where that matters.
    pub mirror: Option<Mirror>,
    /// Whether the mirroring program made the document itself: an index of the mirror, which has no
    /// URL, so that its relative references are as they are to be.
    pub is_made_by_mirror: bool,
}

/// The answer of the ladder.
#[derive(Clone, Debug)]
pub struct Established {
    /// The base URL; `None` on the last rung (§3.4).
    pub base: Option<BaseUrl>,
    /// Which rung gave it.
    pub rung: Rung,
    /// The embedded base that was refused, and why.
    pub refused: Option<(String, UnsuitableBase)>,
    /// §3.3: all that is known of the retrieval URL, where [`Context::evidence`] has it.
    pub evidence: Vec<Testimony>,
    /// §3.3: whether the base is a retrieval URL that may be another one.
    pub is_guess: bool,
}

impl Established {
    /// The piece of evidence that the others are compared with: the first that names a URL.
    pub fn foremost(&self) -> Option<&Testimony> {
        self.evidence.iter().find(|told| told.url.is_ok())
    }

    /// §3.3: takes what the document's links told about its URL.
    pub fn take(&mut self, confirmation: &Confirmation) {
        if !confirmation.is_missing() || self.rung != Rung::Layout {
            return;
        }
        self.is_guess = true;
        let mut by_layout = self.evidence.iter_mut();
        if let Some(told) = by_layout.find(|told| told.source == Source::Layout) {
            told.doubts.push(Doubt::Unconfirmed);
        }
    }

    /// Whether two pieces of evidence of the retrieval URL contradict each other.
    pub fn is_contested(&self) -> bool {
        let foremost = self.foremost();
        foremost.is_some_and(|foremost| self.evidence.iter().any(|it| !it.agrees_with(foremost)))
    }
}

impl Context {
    /// §3.2, then §3.3: the base URL that holds where the content names none (HTML's *fallback
    /// base URL*).
    pub fn fallback(&self) -> Option<(&BaseUrl, Rung)> {
        match (&self.entity, &self.retrieval) {
            (Some(url), _) => Some((url, Rung::Entity)),
            (None, Some(retrieval)) => Some((&retrieval.url, retrieval.rung)),
            (None, None) => None,
        }
    }
}

/// §3: walks the ladder for one document. `embedded` is the decoded `href` of the `base` element
/// that counts (the HTML standard's rules pick it).
pub fn establish(embedded: Option<&str>, context: &Context, resolver: Resolver) -> Established {
    let fallback = context.fallback();
    let mut refused = None;
    if let Some(href) = embedded {
        match embedded_base(href, fallback.map(|(url, _)| url), resolver) {
            Ok(base) => {
                return Established {
                    base: Some(base),
                    rung: Rung::Embedded,
                    refused: None,
                    evidence: context.evidence.clone(),
                    is_guess: false,
                };
            }
            Err(reason) => refused = Some((href.to_owned(), reason)),
        }
    }
    match fallback {
        Some((url, rung)) => Established {
            base: Some(url.clone()),
            rung,
            refused,
            evidence: context.evidence.clone(),
            is_guess: context.entity.is_none()
                && (context.retrieval.as_ref()).is_some_and(|retrieval| retrieval.is_guess),
        },
        None => Established {
            base: None,
            rung: Rung::None,
            refused,
            evidence: context.evidence.clone(),
            is_guess: false,
        },
    }
}

/// §3.1, with the HTML standard's reading: a relative `href` is resolved against the fallback base
/// URL, and one that gives no suitable base counts as if it were not there (it still hides later
/// `base` elements).
fn embedded_base(
    href: &str,
    fallback: Option<&BaseUrl>,
    resolver: Resolver,
) -> Result<BaseUrl, UnsuitableBase> {
    let href = pre_step(href);
    match fallback {
        Some(fallback) if !resolver.is_absolute(fallback, &href) => {
            let resolved = resolver
                .resolve(fallback, &href)
                .map_err(|_| UnsuitableBase::Relative)?;
            BaseUrl::parse(&resolved)
        }
        _ => BaseUrl::parse(&href),
    }
}
