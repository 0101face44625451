//! The text of a field as a document of its own, by what it holds.

use std::borrow::Cow;

use abslink_html::document_bytes::{DocumentBytes, FeedPlaces};
use abslink_html::shared::{Edited, FeedParameters};
use abslink_html::{
    self as html, Against, Context, Disagreement, DocumentRewriter, Edit, Reference, Row, Settings,
    Syntax, ValueKind, json,
};

use super::{Holds, NewText};
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
            Holds::Reference => self.reference(settings, Some(each)).0.into(),
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
            Holds::Reference => whole(self.reference(settings, None)),
        };
        let borrowable = edits.into_iter().map(|(old, new)| (old, Cow::Owned(new)));
        (examined, borrowable.collect())
    }

    /// The text as one URL. It is read as the JSON string that says it, as the URLs of JSON Feed are.
    fn reference(
        &self,
        settings: &Settings,
        each: Option<&mut dyn FnMut(&Reference<'_>)>,
    ) -> (html::Examined, Vec<Edit>) {
        let mut spelled = "\"".to_owned();
        json::encode(self.text, &mut spelled);
        spelled.push('"');
        let inside = |json: &[u8]| json::decode(&json[1..json.len() - 1]);
        let document_base = html::document_base(None, self.context, settings.resolver);
        let mut examined = html::Examined::of(document_base.clone());
        let given = match DocumentBytes::json(spelled.as_bytes()) {
            Ok(given) => given,
            Err(reason) => {
                examined.left = Some(reason);
                return (examined, Vec::new());
            }
        };
        let mut places = FeedPlaces::new(settings.wanted());
        places.string(&URL, self.name, 1..spelled.len() - 1, 0);
        let bases = [(self.context.clone(), document_base)];
        let all = 0..self.text.len();
        let mut shown = each.map(|each| {
            |reference: &Reference<'_>| {
                let mut reference = reference.clone();
                reference.span = all.clone();
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
        let changes = || given.changes(&resolved);
        let checked: Result<(), Disagreement> =
            (settings.verify).check(&mut new, 0, changes, |reader, new, changes| {
                let old = spelled.as_bytes();
                reader.feed(&known, Edited { old, new, changes })
            });
        examined.disagreement = checked.err();
        match examined.disagreement {
            Some(_) => (examined, Vec::new()),
            None => (examined, vec![(all, inside(&new).into_bytes())]),
        }
    }
}
