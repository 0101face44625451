//! What is found in a feed: places, and what says which base URL they have.

use std::collections::HashMap;

use crate::examined::UnknownPlaces;
use abslink_html::given_places::FeedPlaces;
use abslink_html::{Row, Wanted};

/// What is found in a feed.
#[derive(Debug)]
pub(super) struct Model {
    /// The places; the number of each is that of its scope.
    pub(super) places: FeedPlaces,
    pub(super) is_json: bool,
    pub(super) scopes: Vec<Scope>,
    numbers: HashMap<Scope, usize>,
    /// The values of `xml:base`; the first stands for none.
    pub(super) chain: Vec<XmlBase>,
    pub(super) items: Vec<Item>,
    /// What names the site.
    pub(super) site: Vec<Label>,
    /// What the feed says of its own URL: absolute.
    pub(super) own: Option<String>,
    /// In which `xml:base` the feed itself is.
    pub(super) root: usize,
    /// What looks like a link where no place is.
    pub(super) unknown: UnknownPlaces,
    /// How many values look like relative URLs, and stay.
    pub(super) relative_values: u64,
}

/// What decides the base URL of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Scope {
    pub(super) item: Option<usize>,
    /// The innermost `xml:base`.
    pub(super) base: usize,
    /// Whether it stands in content, and is no URL of the feed itself.
    pub(super) is_content: bool,
}

/// An `xml:base`.
#[derive(Debug)]
pub(super) struct XmlBase {
    /// The one around it.
    pub(super) outer: usize,
    /// What it says; `None` where nobody can tell.
    pub(super) value: Option<String>,
    /// Whether no `xml:base` says so, but the format.
    pub(super) is_implied: bool,
}

/// An item of RSS or JSON Feed, or an entry of Atom.
#[derive(Debug)]
pub(super) struct Item {
    /// In which `xml:base` it is.
    pub(super) base: usize,
    /// What names its page.
    pub(super) labels: Vec<Label>,
    /// What names it beside its page: where it only speaks of another site's page, one of these may be its own.
    pub(super) asides: Vec<Label>,
    /// The places of its permalink `guid`, by their indices: there should be one.
    guids: Vec<usize>,
}

/// A URL that names the page of an item, or the site.
#[derive(Debug)]
pub(super) struct Label {
    pub(super) kind: LabelKind,
    /// `None` where nobody can tell what it says.
    pub(super) value: Option<String>,
    /// In which `xml:base` it stands.
    pub(super) base: usize,
}

/// In the order in which they count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum LabelKind {
    /// `feedburner:origLink`.
    Original,
    /// RSS's `link`, and JSON Feed's `url`.
    Link,
    /// A permalink `guid`.
    Guid,
    /// Atom's `link` with `rel=alternate`.
    Alternate,
    /// Among [`Item::asides`]: other links of Atom, and its `id`.
    Related,
    Via,
    OwnEntry,
    Id,
}

impl Model {
    pub(super) fn new(wanted: Wanted<'_>, is_json: bool) -> Model {
        Model {
            places: FeedPlaces::new(wanted),
            is_json,
            scopes: Vec::new(),
            numbers: HashMap::new(),
            chain: vec![XmlBase {
                outer: 0,
                value: Some(String::new()),
                is_implied: false,
            }],
            items: Vec::new(),
            site: Vec::new(),
            own: None,
            root: 0,
            unknown: UnknownPlaces::default(),
            relative_values: 0,
        }
    }

    /// The number of a scope.
    pub(super) fn number(&mut self, scope: Scope) -> usize {
        *self.numbers.entry(scope).or_insert_with(|| {
            self.scopes.push(scope);
            self.scopes.len() - 1
        })
    }

    /// Begins an item in this `xml:base`.
    pub(super) fn item(&mut self, base: usize) -> usize {
        self.items.push(Item {
            base,
            labels: Vec::new(),
            asides: Vec::new(),
            guids: Vec::new(),
        });
        self.items.len() - 1
    }

    /// Takes what names an item's page, or without an item the site.
    pub(super) fn label(
        &mut self,
        item: Option<usize>,
        kind: LabelKind,
        value: Option<&str>,
        base: usize,
    ) {
        let value = value.map(|value| value.trim_matches(|c| c <= ' ').to_owned());
        // An empty `href` is a reference; an empty element is not there.
        if value.as_deref() != Some("") || kind == LabelKind::Alternate {
            let label = Label { kind, value, base };
            match item {
                Some(item) => self.items[item].labels.push(label),
                None => self.site.push(label),
            }
        }
    }

    /// Takes what may name an item's page beside its labels.
    pub(super) fn aside(&mut self, item: usize, kind: LabelKind, value: &str, base: usize) {
        let value = Some(value.trim_matches(|c| c <= ' ').to_owned());
        self.items[item].asides.push(Label { kind, value, base });
    }

    /// The permalink of an item is this place, if it is one that counts.
    pub(super) fn guid(&mut self, item: usize, place: Option<usize>) {
        self.items[item].guids.extend(place);
    }

    /// Lets permalinks stay in items that another link names: readers know items by them, and show
    /// one that has changed as new.
    pub(super) fn keep_guids(&mut self, row: &'static Row) {
        for item in &self.items {
            let is_named = item
                .labels
                .iter()
                .any(|label| label.kind != LabelKind::Guid);
            for guid in item.guids.iter().filter(|_| is_named) {
                self.places.set_row(*guid, row);
            }
        }
    }
}
