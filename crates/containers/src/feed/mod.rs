//! Feeds: RSS 0.9 to 2.0, Atom 0.3 and 1.0, JSON Feed; lists of pages and of feeds: sitemaps, OPML; and JSON
//! that says something of a site: web app manifests, speculation rules.
//!
//! A feed has URLs of its own, and documents in it: the HTML of its items, spelled once more in XML
//! text, a CDATA section or a JSON string. What a feed is says its root alone (`root`). `xml` and
//! `members` find the places by the vocabularies in `elements`, `bases` says which base URL each has
//! (RFC 1808 §3), and `html` resolves them, decoding from the outside in and writing from the inside
//! out. Every other byte stays.
//!
//! What is left alone:
//! - identifiers (`atom:id`, `guid`, `rdf:about`, JSON Feed's `id`): readers know items by them. A
//!   permalink `guid` becomes absolute only where the item has no other link;
//! - HTML `base` elements in content count for nothing (RFC 4287 §3.1.1.2), and no `xml:base` on XHTML:
//!   readers and browsers do the same;
//! - feeds that are parts of messages.

mod base64;
mod bases;
mod elements;
mod members;
mod model;
mod root;
mod unknown;
mod xml;

use abslink_html::base::Context;
use abslink_html::given_places::{DocumentBytes, Resolved};
use abslink_html::line_column::Lines;
use abslink_html::shared::{Delimiter, FeedParameters};
use abslink_html::{self as html, Edit, Reference, Rewritten};
use bases::Bases;
use model::Model;
use root::Dialect;

use crate::examined::{Reason, Refusal};
use crate::values::{Values, given, verify};

pub use crate::examined::{Damage, Document, Examined, UnknownPlaces};
pub use root::{is_feed, is_list, with_root};

/// What the HTML in a feed is relative to, where no `xml:base` says so.
///
/// # Examples
/// ```
/// use abslink_containers::feed::FeedBase;
///
/// assert_eq!(FeedBase::default(), FeedBase::Item);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FeedBase {
    /// The page of its item; else the site, else the feed.
    #[default]
    Item,
    /// The site; else the feed.
    Feed,
    /// The feed's own URL.
    Document,
}

/// Finds every reference in a feed and says what it means; changes nothing.
///
/// # Examples
/// ```
/// use abslink_containers::{Context, Settings, feed};
///
/// let rss = b"<rss><channel><item><link>http://h/p/</link>\
///     <description>&lt;a href='x'&gt;</description></item></channel></rss>";
/// let (context, settings) = (Context::default(), Settings::default());
/// let mut found = Vec::new();
/// feed::examine(rss, &context, &settings, Default::default(), &mut |reference| {
///     found.push((reference.element.to_owned(), reference.absolute.map(str::to_owned)));
/// });
/// assert_eq!(found[1], ("description > a".to_owned(), Some("http://h/p/x".to_owned())));
/// ```
pub fn examine(
    bytes: &[u8],
    context: &Context,
    settings: &html::Settings,
    base: FeedBase,
    each: &mut dyn FnMut(&Reference<'_>),
) -> Examined {
    Read::of(bytes, settings).examine(bytes, context, settings, base, each)
}

/// Makes the references in a feed absolute.
///
/// # Examples
/// ```
/// use abslink_containers::{Context, Settings, feed};
///
/// let json = br#"{"version": "https://jsonfeed.org/version/1.1", "items": [{"url": "\/p/"}]}"#;
/// let context = Context::retrieved_from("http://h/feed.json")?;
/// let rewritten = feed::rewrite(json, &context, &Settings::default(), Default::default());
/// assert!(rewritten.document.ends_with(br#"[{"url": "http://h\/p/"}]}"#));
/// # Ok::<(), abslink_containers::UnsuitableBase>(())
/// ```
pub fn rewrite<'f>(
    bytes: &'f [u8],
    context: &Context,
    settings: &html::Settings,
    base: FeedBase,
) -> Rewritten<'f, Examined> {
    Read::of(bytes, settings).rewrite(bytes, context, settings, base)
}

/// What makes the references in a feed absolute, as edits of a text: it has to be UTF-8 by what it says of
/// itself too.
pub(crate) fn edits(
    bytes: &[u8],
    context: &Context,
    settings: &html::Settings,
    base: FeedBase,
    each: Option<&mut dyn FnMut(&Reference<'_>)>,
) -> (Examined, Vec<Edit>) {
    const NOT_UTF8: &str =
        "its XML declaration names another encoding than UTF-8, which its text is in";
    let done = match DocumentBytes::xml(bytes) {
        Ok(feed) if feed.encoding() != encoding_rs::UTF_8 => Err(Unreadable::Reason(NOT_UTF8)),
        _ => Read::of(bytes, settings).process(bytes, context, settings, base, each),
    };
    match done {
        Ok((rewritten, edits)) => (rewritten.examined, edits),
        Err(left) => (left.told(context), Vec::new()),
    }
}

/// What was found in a feed: its own URL decides about the context in which it is processed then.
#[doc(hidden)]
pub struct Read(Result<Model, Unreadable>);

/// Why a feed is not read.
#[derive(Clone)]
enum Unreadable {
    Damaged(Damage),
    Reason(&'static str),
}

fn read(
    bytes: &[u8],
    dialect: Option<Dialect>,
    wanted: html::Wanted<'_>,
) -> Result<Model, Unreadable> {
    let given = DocumentBytes::xml(bytes).map_err(Unreadable::Reason)?;
    let damaged = |line, what: &str| {
        let what = what.to_owned();
        Unreadable::Damaged(Damage { line, what })
    };
    let head = &given.markup()[given.start()..];
    let Some(dialect) = dialect.or_else(|| Dialect::of(head)) else {
        return Err(damaged(1, root::refusal(head)));
    };
    if !dialect.is_json() {
        return xml::read(&given, dialect, wanted).map_err(Unreadable::Damaged);
    }
    let given = DocumentBytes::json(bytes).map_err(Unreadable::Reason)?;
    let json = std::str::from_utf8(&given.markup()[given.start()..])
        .map_err(|_| damaged(1, "not UTF-8, as JSON has to be"))?;
    if let Err(error) = serde_json::from_str::<serde::de::IgnoredAny>(json) {
        let what = match error.is_eof() {
            true => "not JSON: ends too early".to_owned(),
            false => format!("not JSON, from column {}", error.column()),
        };
        return Err(damaged(error.line(), &what));
    }
    Ok(members::read(&given, dialect, wanted))
}

impl Read {
    pub fn of(bytes: &[u8], settings: &html::Settings) -> Read {
        Read(read(bytes, None, settings.wanted()))
    }

    /// Of a web app manifest.
    pub fn manifest(bytes: &[u8], settings: &html::Settings) -> Read {
        let dialect = Some(Dialect::Manifest);
        Read(read(bytes, dialect, settings.wanted()))
    }

    /// Of speculation rules in a file of their own.
    pub fn speculation_rules(bytes: &[u8], settings: &html::Settings) -> Read {
        let dialect = Some(Dialect::SpeculationRules);
        Read(read(bytes, dialect, settings.wanted()))
    }

    /// Whether it cannot be read.
    pub fn is_damaged(&self) -> bool {
        self.0.is_err()
    }

    /// The URL that the feed says it has: its link with `rel=self`, or JSON Feed's `feed_url`.
    pub fn own_url(&self) -> Option<&str> {
        self.0.as_ref().ok()?.own.as_deref()
    }

    /// [`examine`] of the same bytes.
    pub fn examine(
        &self,
        bytes: &[u8],
        context: &Context,
        settings: &html::Settings,
        base: FeedBase,
        each: &mut dyn FnMut(&Reference<'_>),
    ) -> Examined {
        let done = self.process(bytes, context, settings, base, Some(each));
        done.map_or_else(
            |left| left.told(context),
            |(rewritten, _)| rewritten.examined,
        )
    }

    /// [`rewrite`] of the same bytes.
    pub fn rewrite<'f>(
        &self,
        bytes: &'f [u8],
        context: &Context,
        settings: &html::Settings,
        base: FeedBase,
    ) -> Rewritten<'f, Examined> {
        let done = self.process(bytes, context, settings, base, None);
        match done {
            Ok((rewritten, _)) => rewritten,
            Err(left) => Rewritten::of(bytes, None, left.told(context)),
        }
    }

    fn process<'f>(
        &self,
        bytes: &'f [u8],
        context: &Context,
        settings: &html::Settings,
        base: FeedBase,
        each: Option<&mut dyn FnMut(&Reference<'_>)>,
    ) -> Result<(Rewritten<'f, Examined>, Vec<Edit>), Unreadable> {
        let model = self.0.as_ref().map_err(Unreadable::clone)?;
        let mut given = given(bytes, model.is_json).map_err(Unreadable::Reason)?;
        given.values = Some(&Values);
        let bases = Bases::new(model, bytes.len(), context, settings, base);
        let mut bases = bases.map_err(Unreadable::Reason)?;
        let all = bases.all().map_err(Unreadable::Reason)?;
        let mut resolved = given.references(&model.places, &all, settings, each);
        let mut new = given.applied(&resolved);
        let (mut whole, documents) = documents(model, &bases, &resolved);
        let known = FeedParameters {
            encoding: given.markup_encoding(),
            places: &model.places,
            bases: &all,
            settings,
            values: &resolved.values,
            delimiter: model.is_json.then_some(Delimiter::JsonString),
        };
        if let Some(written) = &mut new
            && let Err(disagreement) = verify(&given, &known, &resolved, written)
        {
            whole.disagreement = Some(disagreement);
            new = None;
        }
        let mut scopes = model.scopes.iter().zip(&resolved.tallies);
        let lacks_url = !model.items.is_empty()
            && scopes.any(|(scope, tally)| tally.unresolved > 0 && bases.lacks_url(*scope));
        let examined = Examined {
            documents,
            lacks_url,
            unknown: model.unknown.clone(),
            refusals: refusals(given.markup(), std::mem::take(&mut resolved.broken)),
            ..whole.into()
        };
        let edits = new.as_ref().map(|_| given.edits(&resolved));
        let rewritten = Rewritten::of(bytes, new, examined);
        Ok((rewritten, edits.unwrap_or_default()))
    }
}

impl Unreadable {
    fn told(self, context: &Context) -> Examined {
        let document_base = abslink_html::base::document_base(None, context, Default::default());
        let mut examined = Examined::from(html::Examined::of(document_base));
        match self {
            Unreadable::Damaged(damage) => examined.damage = Some(damage),
            Unreadable::Reason(reason) => examined.left = Some(reason),
        }
        examined
    }
}

/// The values that break off: the first are enough.
fn refusals(feed: &[u8], broken: Vec<(usize, String)>) -> Vec<Refusal> {
    const MOST: usize = 10;
    let mut lines = Lines::default();
    let refusals = broken.into_iter().take(MOST).map(|(at, what)| {
        let place = lines.position(feed, at);
        Refusal {
            section: format!("line {}, column {}", place.line, place.column),
            reason: Reason::Value(what),
        }
    });
    refusals.collect()
}

/// What was found in the feed itself, and in its items.
fn documents(
    model: &Model,
    bases: &Bases<'_>,
    resolved: &Resolved,
) -> (html::Examined, Vec<Document>) {
    let mut feed = html::Examined::of(bases.of_feed());
    feed.left = resolved.left;
    feed.growth = resolved.growth;
    feed.tally.in_values[0] = model.relative_values;
    let items = (0..model.items.len()).map(|item| Document {
        number: (item + 1).to_string(),
        examined: html::Examined::of(bases.of_item(item)),
    });
    let mut items: Vec<Document> = items.collect();
    for (scope, tally) in model.scopes.iter().zip(&resolved.tallies) {
        let document = match scope.item {
            Some(item) => &mut items[item].examined,
            None => &mut feed,
        };
        document.tally.merge(tally);
        if document.document_base.refused.is_none() {
            document.document_base.refused = bases.refused(scope).cloned();
        }
    }
    (feed, items)
}
