//! Custom attributes: attributes that carry URLs in the user's documents, although the table of places
//! does not have them, or has them as something else (`--attr`). In XML, the text of elements too.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::attributes::{self, CUSTOM_ROWS, CUSTOM_XML_ROWS, ROWS_IN_XML_BASE, Row};
use super::groups::Groups;
use crate::locate::name_filter::{self, NameFilter};

/// An attribute that carries URLs, written as `--attr` takes it: `[ELEMENT]@ATTR[:KIND]`, or `ELEMENT[:KIND]` for
/// the text of an element, in feeds, sitemaps, OPML, XHTML and SVG.
///
/// Without ELEMENT, or with `*`, it is that attribute of every element, in any namespace. In XML, ELEMENT may have
/// the prefix that the document writes; for the text of one it must. Letter case does not count. KIND says how the value holds URLs: `url` (one, the default), `srcset`, `css`
/// (declarations), `space-list`, `comma-list`, `refresh`, `html` (a document, as in `srcdoc`; in feeds, and as
/// text, a part of the page) or `json` (JSON-LD). A name with a colon needs its KIND, so that a misspelled KIND
/// is not taken for a part of the name.
///
/// An empty value stays. `#x` is resolved, except for `url(#x)` in CSS, which always points into its own
/// document.
///
/// # Examples
/// ```
/// use abslink_html::{Context, CustomAttribute, Settings, Syntax, rewrite_bytes};
///
/// let mut settings = Settings::default();
/// let zoom: CustomAttribute = "img@data-zoom".parse()?;
/// settings.custom_attributes = settings.custom_attributes.with(zoom).with("@xlink:href:url".parse()?);
/// let context = Context::retrieved_from("http://h/")?;
/// let page = b"<img data-zoom=x>";
/// let rewritten = rewrite_bytes(page, Syntax::Html, &context, &settings);
/// assert_eq!(*rewritten.document, *b"<img data-zoom=http://h/x>");
/// let unused: Vec<_> = settings.custom_attributes.unused().map(ToString::to_string).collect();
/// assert_eq!(unused, ["@xlink:href:url"]);
/// // The text of an element, whose name has a colon.
/// assert!("g:link:url".parse::<CustomAttribute>().is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CustomAttribute {
    written: Box<str>,
    /// `None` for any.
    element: Option<Box<str>>,
    /// In lower case; empty for the text of an element.
    attribute: Arc<str>,
    /// Which of the kinds of values it has, by its place in their list.
    kind: usize,
}

/// Why a text is not an [`CustomAttribute`].
///
/// # Examples
/// ```
/// use abslink_html::{CustomAttribute, CustomAttributeError};
///
/// assert_eq!("img@".parse::<CustomAttribute>(), Err(CustomAttributeError::NoAttribute));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CustomAttributeError {
    /// It names neither an attribute nor an element.
    #[error(
        "expected an attribute, such as img@data-zoom or @data-zoom, or an element, such as g:link:url"
    )]
    NoName,
    /// There is nothing after the `@`.
    #[error("the attribute is missing after the `@`; write for example img@data-zoom")]
    NoAttribute,
    /// No name has such a character.
    #[error("names have no blanks, control characters, quotes, `<`, `>`, `/` or `=`")]
    Character,
    /// There is no such kind of value.
    #[error(
        "`{0}` is not a kind of value, which is one of {kinds}; a name with a colon needs its kind, as in \
         @xlink:href:url or g:link:url",
        kinds = CUSTOM_ROWS.each_ref().map(|(name, _)| *name).join(", ")
    )]
    Kind(String),
    /// The `href` of a `base` element.
    #[error(
        "the URL of a base element is always made absolute, whatever the options; leave it out"
    )]
    Base,
}

/// The custom attributes ([`Settings::custom_attributes`](crate::Settings::custom_attributes)): [`CustomAttribute`] has an example. If
/// several match, one with an element takes precedence over one without, and a later one over an
/// earlier. They take precedence over the table of places, and over the groups that are wanted.
///
/// # Examples
/// ```
/// use abslink_html::CustomAttributes;
///
/// let places = CustomAttributes::default().with("img@data-zoom".parse()?).with("@data-url".parse()?);
/// // No document was read.
/// assert_eq!(places.unused().count(), 2);
/// # Ok::<(), abslink_html::CustomAttributeError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct CustomAttributes(Option<Arc<Table>>);

#[derive(Debug)]
struct Table {
    /// Each with whether some document had it.
    places: Vec<(CustomAttribute, AtomicBool)>,
    /// Lets through what the table and the places need.
    name_filter: NameFilter,
    /// Whether some are the text of an element.
    has_texts: bool,
}

/// Which places are looked for.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'w> {
    /// The groups that count.
    pub groups: Groups,
    /// Others, of which the references are counted.
    pub(crate) counted: Groups,
    pub(crate) custom: &'w CustomAttributes,
    /// Whether the document is the content of a row or feed.
    pub(crate) is_content: bool,
}

static NO_PLACES: CustomAttributes = CustomAttributes(None);

impl FromStr for CustomAttribute {
    type Err = CustomAttributeError;

    fn from_str(written: &str) -> Result<CustomAttribute, CustomAttributeError> {
        let (name, kind) = match written.split_once('@') {
            // `a:b@c`: the colon is in the name of the element.
            Some((_, attribute)) if !attribute.contains(':') => (written, "url"),
            _ => written.rsplit_once(':').unwrap_or((written, "url")),
        };
        let (element, attribute) = name.split_once('@').unwrap_or((name, ""));
        let is_no_name = |c: char| c.is_whitespace() || c.is_control() || "\"'<>/=".contains(c);
        if element.contains(is_no_name) || attribute.contains(is_no_name) {
            return Err(CustomAttributeError::Character);
        }
        let found = CUSTOM_ROWS.iter().position(|(name, _)| *name == kind);
        let kind = found.ok_or_else(|| CustomAttributeError::Kind(kind.to_owned()))?;
        let attribute = attribute.to_ascii_lowercase();
        match (&*element.to_ascii_lowercase(), &*attribute) {
            (_, "") if name.contains('@') => Err(CustomAttributeError::NoAttribute),
            ("" | "*", "") => Err(CustomAttributeError::NoName),
            ("base", "href") => Err(CustomAttributeError::Base),
            _ => Ok(CustomAttribute {
                written: written.into(),
                element: (!matches!(element, "" | "*")).then(|| element.into()),
                attribute: attribute.into(),
                kind,
            }),
        }
    }
}

impl fmt::Display for CustomAttribute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written)
    }
}

impl CustomAttribute {
    fn fits(&self, element: &[u8], attribute: &[u8]) -> bool {
        let of = self.element.as_ref();
        name_filter::is(attribute, self.attribute.as_bytes())
            && of.is_none_or(|of| name_filter::is(element, of.as_bytes()))
    }

    /// What its values are, as an attribute.
    #[doc(hidden)]
    pub fn row(&self) -> &'static Row {
        &CUSTOM_ROWS[self.kind].1
    }

    /// What they are in a feed, or as the text of an element.
    #[doc(hidden)]
    pub fn xml_row(&self) -> &'static Row {
        &CUSTOM_XML_ROWS[self.kind].1
    }

    /// The same where an `xml:base` counts.
    pub(crate) fn row_in_xml_base(&self) -> &'static Row {
        &ROWS_IN_XML_BASE[0][self.kind].1
    }

    pub(crate) fn xml_row_in_xml_base(&self) -> &'static Row {
        &ROWS_IN_XML_BASE[1][self.kind].1
    }

    /// Whether it is the text of an element.
    #[doc(hidden)]
    pub fn is_text(&self) -> bool {
        self.attribute.is_empty()
    }

    /// Its name, in lower case.
    pub(crate) fn attribute(&self) -> &Arc<str> {
        &self.attribute
    }
}

impl CustomAttributes {
    /// These and one more, which takes precedence over them.
    #[must_use]
    pub fn with(self, place: CustomAttribute) -> CustomAttributes {
        self.iter().cloned().chain([place]).collect()
    }

    /// Those that were in none of the documents read with these settings or with a clone of them.
    pub fn unused(&self) -> impl Iterator<Item = &CustomAttribute> {
        let unused = self
            .all()
            .iter()
            .filter(|(_, is_used)| !is_used.load(Ordering::Relaxed));
        unused.map(|(place, _)| place)
    }

    #[doc(hidden)]
    pub fn iter(&self) -> impl Iterator<Item = &CustomAttribute> {
        self.all().iter().map(|(place, _)| place)
    }

    pub(crate) fn wanted(&self, groups: Groups) -> Wanted<'_> {
        Wanted {
            groups,
            counted: Groups::NONE,
            custom: self,
            is_content: false,
        }
    }

    fn all(&self) -> &[(CustomAttribute, AtomicBool)] {
        self.0.as_ref().map_or(&[], |known| &known.places)
    }
}

impl FromIterator<CustomAttribute> for CustomAttributes {
    fn from_iter<I: IntoIterator<Item = CustomAttribute>>(places: I) -> CustomAttributes {
        let places: Vec<_> = (places.into_iter())
            .map(|place| (place, AtomicBool::new(false)))
            .collect();
        if places.is_empty() {
            return CustomAttributes(None);
        }
        let mut name_filter = NameFilter::clone(&attributes::lookup::FILTER);
        let has_texts = places.iter().any(|(place, _)| place.is_text());
        for (place, _) in places.iter().filter(|(place, _)| !place.is_text()) {
            name_filter = name_filter.with(&place.attribute);
            // In XML, names are looked up without their prefix.
            let local = place.attribute.rsplit(':').next().unwrap_or_default();
            name_filter = name_filter.with(local);
        }
        CustomAttributes(Some(Arc::new(Table {
            places,
            name_filter,
            has_texts,
        })))
    }
}

impl PartialEq for CustomAttributes {
    fn eq(&self, other: &CustomAttributes) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Default for Wanted<'_> {
    fn default() -> Self {
        Wanted {
            groups: Groups::default(),
            counted: Groups::NONE,
            custom: &NO_PLACES,
            is_content: false,
        }
    }
}

impl<'w> Wanted<'w> {
    pub(crate) const NOTHING: Wanted<'static> = Wanted {
        groups: Groups::NONE,
        counted: Groups::NONE,
        custom: &NO_PLACES,
        is_content: false,
    };

    /// Which attributes can be a place, or say what another attribute or the document holds. It lets
    /// through a few others as well.
    #[inline]
    pub(crate) fn name_filter(self) -> &'w NameFilter {
        match &self.custom.0 {
            Some(known) => &known.name_filter,
            None => &attributes::lookup::FILTER,
        }
    }

    /// Whether an attribute is a custom one on some element.
    pub(crate) fn may_be_custom(self, attribute: &[u8]) -> bool {
        (self.custom.iter()).any(|place| name_filter::is(attribute, place.attribute.as_bytes()))
    }

    /// What the user said of the text of an element, by its name with its prefix.
    #[doc(hidden)]
    pub fn custom_text(self, element: &[u8]) -> Option<&'static Row> {
        let known = self.custom.0.as_ref().filter(|known| known.has_texts)?;
        known
            .find(element, b"", |_| {})
            .map(CustomAttribute::xml_row)
    }

    /// Whether the user named nothing.
    #[inline]
    pub(crate) fn is_empty(self) -> bool {
        self.custom.0.is_none()
    }

    /// Whether the text of some elements is asked for.
    #[doc(hidden)]
    pub fn has_texts(self) -> bool {
        self.custom.0.as_ref().is_some_and(|known| known.has_texts)
    }

    /// The custom attribute that an attribute is, if it is one. The URL of a `base` element never is:
    /// it is relative to something else than all others.
    #[doc(hidden)]
    #[inline]
    pub fn custom(self, element: &[u8], attribute: &[u8]) -> Option<&'w CustomAttribute> {
        let known = self.custom.0.as_ref()?;
        known.find(element, attribute, |_| {})
    }

    #[inline]
    pub(crate) fn mark_used(self, element: &[u8], attribute: &[u8]) -> Option<&'w CustomAttribute> {
        let known = self.custom.0.as_ref()?;
        known.find(element, attribute, |is_used| {
            is_used.store(true, Ordering::Relaxed)
        })
    }
}

impl Table {
    fn find(
        &self,
        element: &[u8],
        attribute: &[u8],
        fits: impl Fn(&AtomicBool),
    ) -> Option<&CustomAttribute> {
        if name_filter::is(element, b"base") && name_filter::is(attribute, b"href") {
            return None;
        }
        let fitting = (self.places.iter()).filter(|(place, _)| place.fits(element, attribute));
        fitting
            .inspect(|(_, is_used)| fits(is_used))
            .map(|(place, _)| place)
            .max_by_key(|place| place.element.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::rows;

    #[test]
    fn what_is_written_is_read_or_refused() {
        for row in rows("custom-attributes.tsv") {
            let [written, expected] = &row[..] else {
                panic!("two columns: {row:?}");
            };
            let read = match written.parse::<CustomAttribute>() {
                Ok(place) => format!(
                    "{} {} {}",
                    place.element.as_deref().unwrap_or("*"),
                    place.attribute,
                    place.row().kind.name()
                ),
                Err(error) => error.to_string(),
            };
            assert!(read.starts_with(expected.as_str()), "{written}: {read}");
        }
    }

    #[test]
    fn the_closest_counts_and_all_that_fit_are_met() {
        let places = ["img@x:srcset", "@x", "@x:css", "p@x", "p@y"];
        let custom: CustomAttributes = places.iter().map(|place| place.parse().unwrap()).collect();
        let wanted = Wanted {
            custom: &custom,
            is_content: false,
            ..Wanted::default()
        };
        let met = |element: &str| {
            let place = wanted.mark_used(element.as_bytes(), b"X");
            place.map(ToString::to_string)
        };
        assert_eq!(met("IMG").as_deref(), Some("img@x:srcset"));
        assert_eq!(met("a").as_deref(), Some("@x:css"));
        let unused: Vec<_> = custom.unused().map(ToString::to_string).collect();
        assert_eq!(unused, ["p@x", "p@y"]);
        assert_eq!(wanted.custom(b"base", b"href"), None);
    }
}
