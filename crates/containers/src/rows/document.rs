//! The text of a field as a document of its own, by what it holds.

use std::borrow::Cow;
use std::iter;
use std::ops::Range;

use abslink_html::given_places::{DocumentBytes, FeedPlaces};
use abslink_html::shared::FeedParameters;
use abslink_html::{
    self as html, Against, Context, DocumentRewriter, Edit, Reference, Row, Settings, Syntax,
    ValueKind, json,
};

use super::{Holds, NewText, urls};
use crate::examined::Examined;
use crate::feed::{self, FeedBase};

static URL: Row = Row::of_feed("", ValueKind::Url, Against::Base);

/// A document in a field.
#[derive(Clone, Copy)]
pub struct FieldDocument<'f> {
    pub holds: Holds,
    /// What the field is called.
    pub name: &'f str,
    pub text: &'f str,
    /// What its references are relative to.
    pub context: &'f Context,
    /// What the HTML in feeds is relative to.
    pub feed_base: FeedBase,
}

impl FieldDocument<'_> {
    /// Shows every reference; spans count in the text.
    pub fn examine(&self, settings: &Settings, each: &mut dyn FnMut(&Reference<'_>)) -> Examined {
        let (text, context) = (self.text.as_bytes(), self.context);
        match self.holds {
            Holds::Html => html::examine(text, Syntax::Html, context, settings, each).into(),
            Holds::Feed => feed::examine(text, context, settings, self.feed_base, each),
            Holds::StyleSheet => html::sheet::examine(text, context, settings, each).into(),
            Holds::Url | Holds::Urls => self.urls(settings, Some(each)).0.into(),
        }
    }

    /// What makes the references absolute, as edits of the text. The rewriter lends its memory.
    pub fn edits<'w>(
        &self,
        settings: &Settings,
        rewriter: &'w mut DocumentRewriter,
    ) -> (Examined, Vec<NewText<'w>>) {
        let (text, context) = (self.text.as_bytes(), self.context);
        let whole = |(examined, edits): (html::Examined, _)| (Examined::from(examined), edits);
        let (examined, edits) = match self.holds {
            Holds::Html => {
                let (examined, edits) = rewriter.edits(text, Syntax::Html, context, settings, None);
                return (examined.into(), edits);
            }
            Holds::Feed => feed::edits(text, context, settings, self.feed_base),
            Holds::StyleSheet => whole(html::sheet::edits(text, context, settings)),
            Holds::Url | Holds::Urls => whole(self.urls(settings, None)),
        };
        let borrowable = edits.into_iter().map(|(old, new)| (old, Cow::Owned(new)));
        (examined, borrowable.collect())
    }

    /// The URLs in the text. They are read as strings of JSON, as the URLs of JSON Feed are.
    fn urls(
        &self,
        settings: &Settings,
        each: Option<&mut dyn FnMut(&Reference<'_>)>,
    ) -> (html::Examined, Vec<Edit>) {
        let document_base = html::document_base(None, self.context, settings.resolver);
        let mut examined = html::Examined::of(document_base.clone());
        let urls = match self.holds {
            Holds::Urls => urls::find(self.text),
            _ => Ok((iter::once(0..self.text.len()).collect(), false)),
        };
        let strings = match urls {
            Ok((urls, are_json)) => Strings::of(self.text, urls, are_json),
            Err(reason) => {
                examined.left = Some(reason);
                return (examined, Vec::new());
            }
        };
        let given = match DocumentBytes::json(strings.json.as_bytes()) {
            Ok(given) => given,
            Err(reason) => {
                examined.left = Some(reason);
                return (examined, Vec::new());
            }
        };
        let mut places = FeedPlaces::new(settings.wanted());
        for (string, _) in &strings.list {
            places.string(&URL, self.name, string.clone(), 0);
        }
        let bases = [(self.context.clone(), document_base)];
        let mut shown = each.map(|each| {
            |reference: &Reference<'_>| {
                let mut reference = reference.clone();
                reference.span = strings.in_text(reference.span);
                each(&reference);
            }
        });
        let each = shown.as_mut();
        let each = each.map(|each| each as &mut dyn FnMut(&Reference<'_>));
        let resolved = given.references(&places, &bases, settings, each);
        examined.tally = resolved.tallies[0];
        examined.left = resolved.left;
        examined.growth = resolved.growth;
        let Some(mut new) = given.applied(&resolved) else {
            return (examined, Vec::new());
        };
        let known = FeedParameters {
            encoding: given.markup_encoding(),
            places: &places,
            bases: &bases,
            settings,
            is_json: true,
        };
        examined.disagreement = feed::verify(&given, &known, &resolved, &mut new).err();
        match examined.disagreement {
            Some(_) => (examined, Vec::new()),
            None => (examined, strings.edits(given.edits(&resolved))),
        }
    }
}

/// URLs as strings of JSON.
struct Strings<'t> {
    json: Cow<'t, str>,
    /// Where each is in that, without its quotes, and where in the text. They ascend.
    list: Vec<(Range<usize>, Range<usize>)>,
}

impl<'t> Strings<'t> {
    fn of(text: &'t str, urls: Vec<Range<usize>>, are_json: bool) -> Strings<'t> {
        if are_json {
            let list = urls.into_iter().map(|string| (string.clone(), string));
            return Strings {
                json: Cow::Borrowed(text),
                list: list.collect(),
            };
        }
        let (mut json, mut list) = ("[".to_owned(), Vec::with_capacity(urls.len()));
        for url in urls {
            json.push_str(if list.is_empty() { "\"" } else { ",\"" });
            let start = json.len();
            json::encode(&text[url.clone()], &mut json);
            list.push((start..json.len(), url));
            json.push('"');
        }
        json.push(']');
        Strings {
            json: Cow::Owned(json),
            list,
        }
    }

    /// The string that a part of the JSON is in.
    fn of_part(&self, part: &Range<usize>) -> &(Range<usize>, Range<usize>) {
        let after = self
            .list
            .partition_point(|(string, _)| string.start <= part.start);
        &self.list[after.saturating_sub(1)]
    }

    /// Where a reference is in the text.
    fn in_text(&self, reference: Range<usize>) -> Range<usize> {
        match self.json {
            Cow::Borrowed(_) => reference,
            Cow::Owned(_) => self.of_part(&reference).1.clone(),
        }
    }

    /// Edits of the JSON, as edits of the text.
    fn edits(&self, edits: Vec<Edit>) -> Vec<Edit> {
        if let Cow::Borrowed(_) = self.json {
            return edits;
        }
        let is_of_one = |one: &Edit, next: &Edit| self.of_part(&one.0) == self.of_part(&next.0);
        let of_strings = edits.chunk_by(is_of_one).map(|edits| {
            let (string, url) = self.of_part(&edits[0].0);
            let old = &self.json.as_bytes()[string.clone()];
            let inside = edits
                .iter()
                .map(|(part, new)| (part.start - string.start..part.end - string.start, new));
            let mut new = Vec::new();
            html::splice(old, inside, &mut new, |new, out| out.extend_from_slice(new));
            (url.clone(), json::decode(&new).into_bytes())
        });
        of_strings.collect()
    }
}
