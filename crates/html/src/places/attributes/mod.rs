//! Which attribute of which element carries what: the table of places, and its look-up.

mod custom;
pub(crate) mod lookup;
mod table;

use std::borrow::Cow;
use std::cell::OnceCell;

use super::groups::Group;
use crate::locate::{Namespace, name_filter};
pub(crate) use custom::{ROWS as CUSTOM_ROWS, ROWS_IN_XML_BASE, XML_ROWS as CUSTOM_XML_ROWS};
use table::{DOCUMENT_NAMES, META_URLS, META_URLS_OR_NAMES, TILE_TASKS};

abslink_url::named! {
/// The grammar of a value.
///
/// # Examples
/// ```
/// use abslink_html::{Context, Settings, Syntax, ValueKind, examine};
///
/// let mut kinds = Vec::new();
/// let html = b"<img src=a srcset='b 2x' style='background: url(c)'>";
/// examine(html, Syntax::Html, &Context::default(), &Settings::default(), &mut |reference| {
///     kinds.push(reference.kind);
/// });
/// assert_eq!(kinds, [ValueKind::Url, ValueKind::Srcset, ValueKind::CssDeclarations]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueKind {
    /// One URL.
    Url = "url",
    /// URLs separated by ASCII whitespace.
    SpaceList = "space-list",
    /// URLs separated by commas.
    CommaList = "comma-list",
    /// HTML's srcset grammar.
    Srcset = "srcset",
    /// HTML's refresh grammar.
    Refresh = "refresh",
    /// A CSS declaration list, or the value of one declaration.
    CssDeclarations = "css",
    /// A CSS style sheet in a document.
    CssStylesheet = "css",
    /// A CSS style sheet in a file of its own.
    CssFile = "css",
    /// A nested HTML document.
    Srcdoc = "srcdoc",
    /// HTML in the text of a feed.
    Html = "html",
    /// The same in base64.
    EncodedHtml = "html",
    /// A hash-name reference: only what follows the `#` is used, so it is never resolved.
    HashName = "hash-name",
    /// `msapplication-task`: `key=value` pairs with URLs under `action-uri` and `icon-uri`.
    TileTask = "task",
    /// URLs separated by semicolons: the values of an SVG animation.
    SemicolonList = "semicolon-list",
    /// An import map.
    ImportMap = "json",
    /// Speculation rules.
    SpeculationRules = "json",
    /// JSON-LD.
    LinkedData = "json",
}
/// The kind's name in JSON.
name
}

impl ValueKind {
    /// That of an attribute, by its name.
    fn of_attribute(name: &str) -> Option<ValueKind> {
        let kinds = [
            ValueKind::Url,
            ValueKind::SpaceList,
            ValueKind::CommaList,
            ValueKind::Srcset,
            ValueKind::Refresh,
            ValueKind::CssDeclarations,
            ValueKind::Srcdoc,
            ValueKind::HashName,
            ValueKind::TileTask,
            ValueKind::SemicolonList,
        ];
        kinds.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether queries in it are UTF-8, whatever the document's encoding (CSS Values 4 §4.5, "URL
    /// processing model"; HTML, "parse a URL-like import specifier", parses without an encoding).
    #[doc(hidden)]
    pub fn has_utf8_queries(self) -> bool {
        matches!(self.name(), "css" | "json")
    }
}

/// What `attribute=""` asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Empty {
    /// The base URL.
    Resolves,
    /// Nothing, or the document's own URL whatever its base: the value has to stay empty.
    Stays,
}

/// What `attribute="#x"` points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hash {
    /// A place in the document that the base URL names; see `--fragments`.
    Page,
    /// As [`Hash::Page`], but not a place to jump to: always resolved.
    Resolve,
    /// A place in this document, whatever its base URL.
    Leave,
    /// It stays, and so does the base URL: what it means depends on that, or only a script knows.
    Based,
}

/// What a reference is resolved against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Against {
    /// The document base URL.
    Base,
    /// The element's `codebase`, if it has one (HTML 4), or the `@base` of JSON-LD, resolved against
    /// the base.
    Codebase,
    /// HTML's fallback base URL: `base` itself cannot be relative to a `base`.
    Fallback,
    /// The document's own URL: `manifest` is read before any `base`.
    Retrieval,
    /// The base URL around it: it is itself a base URL (XML Base §4).
    Outer,
    /// Nothing: it is an identifier, and stays.
    Nothing,
}

/// What else has to hold for an attribute to carry a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    Always,
    /// `http-equiv=refresh`.
    HttpEquivRefresh,
    /// `name`, `property` or `itemprop` is one of [`META_URLS`].
    MetaUrl,
    /// `name` is one of [`TILE_TASKS`].
    MetaTask,
    /// `rel=expect`, which waits for a part of its own document.
    Expects,
    /// `rel` has one of [`DOCUMENT_NAMES`], or `alternate` beside a `hreflang`.
    NamesDocument,
    AnimatesHref,
    /// It is neither `true` nor `false`.
    IsNoSwitch,
    /// It begins with `url(`, which some components take.
    HoldsCss,
    /// HTML 4's `valuetype=ref`.
    ValuetypeRef,
}

/// A place that carries URLs.
#[derive(Debug, PartialEq, Eq)]
pub struct Row {
    pub(crate) scope: Option<Namespace>,
    elements: &'static str,
    /// The attribute's name.
    pub attribute: &'static str,
    /// The grammar of its value.
    pub kind: ValueKind,
    /// Its group.
    pub group: Group,
    pub(crate) empty: Empty,
    pub(crate) hash: Hash,
    /// What its references are resolved against.
    pub against: Against,
    when: When,
}

/// The text of a `style` element.
pub(crate) static STYLE_TEXT: Row =
    text("style", ValueKind::CssStylesheet, Group::Css, Hash::Leave);
/// The text of MJML's element for style sheets.
pub(crate) static MJML_STYLE: Row = text(
    "mj-style",
    ValueKind::CssStylesheet,
    Group::Css,
    Hash::Leave,
);
/// All of a style sheet in a file of its own.
pub(crate) static STYLE_SHEET: Row =
    text("stylesheet", ValueKind::CssFile, Group::Css, Hash::Leave);
/// The text of a `script` element that holds an import map.
pub(crate) static IMPORT_MAP: Row = Row {
    // The prefix of a scope is a URL whatever it looks like; nothing else can be empty.
    empty: Empty::Resolves,
    ..text("script", ValueKind::ImportMap, Group::Json, Hash::Resolve)
};
/// The text of a `script` element that holds JSON-LD.
pub(crate) static LINKED_DATA: Row = Row {
    against: Against::Codebase,
    ..text("script", ValueKind::LinkedData, Group::Json, Hash::Resolve)
};
/// The text of a `script` element that holds speculation rules.
pub(crate) static SPECULATION_RULES: Row = text(
    "script",
    ValueKind::SpeculationRules,
    Group::Json,
    Hash::Resolve,
);

/// The style sheet of an XML document (Associating Style Sheets with XML documents 1.0). It stands before
/// any base URL that the document gives.
pub static XML_STYLESHEET: Row = Row {
    attribute: "href",
    against: Against::Retrieval,
    ..text("", ValueKind::Url, Group::Links, Hash::Leave)
};

/// A link in Markdown.
pub static MARKDOWN_LINK: Row = text("link", ValueKind::Url, Group::Links, Hash::Page);
/// A picture in Markdown.
pub static MARKDOWN_IMAGE: Row = text("image", ValueKind::Url, Group::Links, Hash::Page);
/// What a label of Markdown stands for.
pub static MARKDOWN_DEFINITION: Row = text("definition", ValueKind::Url, Group::Links, Hash::Page);
/// The same, if a picture uses it.
pub static MARKDOWN_DEFINITION_OF_IMAGE: Row =
    text("definition", ValueKind::Url, Group::Links, Hash::Page);
/// A URL in the text of Markdown: it can only be moved.
pub static MARKDOWN_AUTOLINK: Row = Row {
    against: Against::Nothing,
    ..text("autolink", ValueKind::Url, Group::Links, Hash::Page)
};

/// The text of an entity that holds markup.
pub(crate) static DECLARED_MARKUP: Row =
    text("!entity", ValueKind::Html, Group::Links, Hash::Resolve);

/// An attribute of which nobody can tell whether it carries a URL.
pub(crate) static UNKNOWN: Row = text("", ValueKind::Url, Group::Links, Hash::Resolve);

const fn text(elements: &'static str, kind: ValueKind, group: Group, hash: Hash) -> Row {
    Row {
        scope: None,
        elements,
        attribute: "",
        kind,
        group,
        empty: Empty::Stays,
        hash,
        against: Against::Base,
        when: When::Always,
    }
}

impl Row {
    /// Whether `#x` stays in this place, whatever the base URL.
    #[doc(hidden)]
    pub fn leaves_fragments(&self) -> bool {
        matches!(self.hash, Hash::Leave | Hash::Based)
    }

    /// Whether a page loads what its references name, and does not only lead to it.
    pub fn is_loaded(&self) -> bool {
        const ATTRIBUTES: &str = "altimg background data data-background data-background-image data-bg data-lazy-src \
                                  data-original data-poster data-src dynsrc icon lowsrc manifest poster src";
        let is_of_css = matches!(
            self.kind,
            ValueKind::CssDeclarations | ValueKind::CssStylesheet | ValueKind::CssFile
        );
        let is_href = matches!(self.attribute, "href" | "xlink:href");
        let is_named = |list, name| name_filter::is_in(name, list);
        is_of_css
            || self.kind == ValueKind::Srcset
            || is_named(ATTRIBUTES, self.attribute.as_bytes())
            || is_href
                && self.group != Group::Canonical
                && self
                    .elements
                    .split(' ')
                    .any(|it| matches!(it, "link" | "image"))
            || [
                &MARKDOWN_IMAGE,
                &MARKDOWN_DEFINITION_OF_IMAGE,
                &XML_STYLESHEET,
            ]
            .iter()
            .any(|row| std::ptr::eq(*row, self))
    }

    /// A row for an attribute or a JSON member of a feed; without a name, for the text of its
    /// elements.
    pub const fn of_feed(attribute: &'static str, kind: ValueKind, against: Against) -> Row {
        Row {
            attribute,
            ..Row::of_group(kind, against, Group::Feed)
        }
    }

    /// A row for a text that its own layer finds.
    pub(crate) const fn of_group(kind: ValueKind, against: Against, group: Group) -> Row {
        Row {
            against,
            ..text("", kind, group, Hash::Page)
        }
    }

    /// The same, where an empty value stands for the base URL.
    pub const fn or_base(self) -> Row {
        Row {
            empty: Empty::Resolves,
            ..self
        }
    }

    /// Whether its values hold HTML in the text of a feed.
    #[doc(hidden)]
    pub fn is_html(&self) -> bool {
        matches!(self.kind, ValueKind::Html | ValueKind::EncodedHtml)
    }

    /// The element whose text it is, for a row that is not an attribute's.
    pub(crate) fn text_element(&self) -> &'static str {
        self.elements
    }

    /// Whether the row's condition holds; `sibling` gives the decoded value of another attribute of
    /// the same tag, and `relations` keeps what `rel` says, which several rows ask for.
    fn applies<'v>(
        &self,
        sibling: &dyn Fn(&str) -> Option<Cow<'v, [u8]>>,
        relations: &OnceCell<Relations>,
    ) -> bool {
        let is = |attribute: &str, value: &str| {
            sibling(attribute).is_some_and(|found| found.eq_ignore_ascii_case(value.as_bytes()))
        };
        let relations =
            || relations.get_or_init(|| Relations::of(&sibling("rel").unwrap_or_default()));
        match self.when {
            When::Always => true,
            When::HttpEquivRefresh => is("http-equiv", "refresh"),
            When::ValuetypeRef => is("valuetype", "ref"),
            When::MetaTask => sibling("name").is_some_and(|name| TILE_TASKS.holds(&name)),
            When::Expects => {
                relations().expect
                    && sibling("href").is_some_and(|href| href.trim_ascii_start().starts_with(b"#"))
            }
            When::NamesDocument => {
                relations().names_document || relations().alternate && sibling("hreflang").is_some()
            }
            When::AnimatesHref => is("attributeName", "href") || is("attributeName", "xlink:href"),
            When::IsNoSwitch => !is(self.attribute, "true") && !is(self.attribute, "false"),
            When::HoldsCss => sibling(self.attribute).is_some_and(|value| {
                let start = value.trim_ascii_start().get(..b"url(".len());
                start.is_some_and(|start| start.eq_ignore_ascii_case(b"url("))
            }),
            When::MetaUrl => ["name", "property", "itemprop"]
                .into_iter()
                .filter_map(sibling)
                .any(|name| is_meta_url(&name, sibling)),
        }
    }
}

/// What a `rel` says that decides about an `href`. It is read once for each: it may be long, and stand beside many.
#[derive(Default)]
struct Relations {
    expect: bool,
    names_document: bool,
    alternate: bool,
}

impl Relations {
    fn of(rel: &[u8]) -> Relations {
        let mut relations = Relations::default();
        for word in rel.split(u8::is_ascii_whitespace) {
            relations.expect |= name_filter::is(word, b"expect");
            relations.names_document |= DOCUMENT_NAMES.holds(word);
            relations.alternate |= name_filter::is(word, b"alternate");
        }
        relations
    }
}

/// Whether the `content` of a `meta` element of that name is a URL.
fn is_meta_url<'v>(name: &[u8], sibling: &dyn Fn(&str) -> Option<Cow<'v, [u8]>>) -> bool {
    let is_path = || {
        let content = sibling("content");
        content.is_some_and(|it| it.contains(&b'/') && !it.trim_ascii().contains(&b' '))
    };
    let is_citation = || {
        let name = name.to_ascii_lowercase();
        name.starts_with(b"citation_") && name.ends_with(b"_url")
    };
    META_URLS.holds(name) || is_citation() || META_URLS_OR_NAMES.holds(name) && is_path()
}

#[cfg(test)]
mod tests {
    use super::lookup::*;
    use super::table::ROWS;
    use super::*;
    use crate::locate::Namespace;

    fn names<'d>(namespace: Namespace, element: &'d str, attribute: &'d str) -> LookupKey<'d> {
        LookupKey {
            namespace,
            is_exact: false,
            element: element.as_bytes(),
            attribute: attribute.as_bytes(),
        }
    }

    fn group(namespace: Namespace, element: &str, attribute: &str) -> Option<Group> {
        let names = names(namespace, element, attribute);
        let row = Lookup::default().row(names, &|_| None);
        row.map(|row| row.group)
    }

    #[test]
    fn names_are_found_in_any_letter_case() {
        assert_eq!(group(Namespace::Html, "A", "HREF"), Some(Group::Links));
        assert_eq!(
            group(Namespace::Html, "my-card", "href"),
            Some(Group::Links)
        );
        assert_eq!(group(Namespace::Html, "a", "class"), None);
    }

    #[test]
    fn namespaces_differ() {
        assert_eq!(group(Namespace::Html, "a", "xlink:href"), None);
        assert_eq!(group(Namespace::Svg, "use", "xlink:href"), Some(Group::Svg));
        assert_eq!(group(Namespace::Svg, "img", "srcset"), None);
        assert_eq!(group(Namespace::MathMl, "mi", "href"), Some(Group::Svg));
    }

    #[test]
    fn conditions_look_at_siblings() {
        // One for all: the last answer depends on more than names.
        let lookup = Lookup::default();
        let with = |name: &'static str, value: &'static str| {
            let sibling =
                |sibling: &str| (sibling == name).then_some(Cow::Borrowed(value.as_bytes()));
            let row = lookup.row(names(Namespace::Html, "meta", "content"), &sibling);
            row.map(|row| row.kind)
        };
        assert_eq!(with("http-equiv", "Refresh"), Some(ValueKind::Refresh));
        assert_eq!(with("property", "og:image"), Some(ValueKind::Url));
        assert_eq!(
            with("name", "msapplication-task"),
            Some(ValueKind::TileTask)
        );
        assert_eq!(with("name", "description"), None);
    }

    #[test]
    fn the_last_names_are_known_again() {
        let lookup = Lookup::default();
        let hash = |element: &'static str, href: &'static str| {
            let sibling = |name: &str| {
                let value = if name == "rel" { "expect" } else { href };
                Some(Cow::Borrowed(value.as_bytes()))
            };
            let names = names(Namespace::Html, element, "href");
            lookup.row(names, &sibling).map(|row| row.hash)
        };
        let found = [
            ("a", "x"),
            ("a", "x"),
            ("link", "x"),
            ("link", "#x"),
            ("link", "x"),
        ]
        .map(|(element, href)| hash(element, href));
        let [page, resolve, based] = [Hash::Page, Hash::Resolve, Hash::Based].map(Some);
        assert_eq!(found, [page, page, resolve, based, resolve]);
    }

    #[test]
    fn what_is_looked_up_or_looked_at_matters() {
        for name in [
            "href",
            "XLINK:HREF",
            "data-lazy-srcset",
            "type",
            "Http-Equiv",
            "valuetype",
            "rel",
        ] {
            assert!(FILTER.passes(name.as_bytes()), "{name}");
        }
        for name in ["", "class", "id", "title", "aria-hidden", "role"] {
            assert!(!FILTER.passes(name.as_bytes()), "{name}");
        }
    }

    #[test]
    fn the_table_is_read_and_sorted() {
        let lines = include_str!("table.tsv").lines();
        let rows = lines.filter(|line| !line.starts_with('#'));
        assert_eq!(ROWS.len(), rows.count());
        for pair in ROWS.windows(2) {
            if pair[0].scope == pair[1].scope {
                assert!(
                    pair[0].attribute <= pair[1].attribute,
                    "{}",
                    pair[1].attribute
                );
            }
        }
    }
}
