//! The text of a field as a document of its own, by what it holds.

use std::borrow::Cow;
use std::ops::Range;

use abslink_html::given_places::{DocumentBytes, FeedPlaces};
use abslink_html::shared::{Delimiter, FeedParameters};
use abslink_html::{
    self as html, Against, Context, DocumentRewriter, Edit, Reference, Row, Settings, Syntax,
    ValueKind,
};

use super::{Field, Holds, NewText, urls};
use crate::examined::Examined;
use crate::feed::{self, FeedBase};

static URL: Row = Row::of_feed("", ValueKind::Url, Against::Base);

impl Field<'_> {
    /// Shows every reference; spans count in the text.
    pub fn examine(
        &self,
        context: &Context,
        feed_base: FeedBase,
        settings: &Settings,
        each: &mut dyn FnMut(&Reference<'_>),
    ) -> Examined {
        let text = self.text.as_bytes();
        match self.holds {
            Holds::Html => html::examine(text, Syntax::Html, context, settings, each).into(),
            Holds::Feed => feed::examine(text, context, settings, feed_base, each),
            Holds::StyleSheet => html::sheet::examine(text, context, settings, each).into(),
            Holds::Url | Holds::Urls => self.urls(context, settings, Some(each)).0.into(),
        }
    }

    /// What makes the references absolute, as edits of the text. The rewriter lends its memory.
    pub fn edits<'w>(
        &self,
        context: &Context,
        feed_base: FeedBase,
        settings: &Settings,
        rewriter: &'w mut DocumentRewriter,
    ) -> (Examined, Vec<NewText<'w>>) {
        let text = self.text.as_bytes();
        let whole = |(examined, edits): (html::Examined, _)| (Examined::from(examined), edits);
        let (examined, edits) = match self.holds {
            Holds::Html => {
                let (examined, edits) = rewriter.edits(text, Syntax::Html, context, settings, None);
                return (examined.into(), edits);
            }
            Holds::Feed => feed::edits(text, context, settings, feed_base),
            Holds::StyleSheet => whole(html::sheet::edits(text, context, settings)),
            Holds::Url | Holds::Urls => whole(self.urls(context, settings, None)),
        };
        let borrowable = edits.into_iter().map(|(old, new)| (old, Cow::Owned(new)));
        (examined, borrowable.collect())
    }

    /// The URLs in the text. They are read as those of JSON Feed are.
    fn urls(
        &self,
        context: &Context,
        settings: &Settings,
        each: Option<&mut dyn FnMut(&Reference<'_>)>,
    ) -> (html::Examined, Vec<Edit>) {
        let document_base = html::document_base(None, context, settings.resolver);
        let mut examined = html::Examined::of(document_base.clone());
        let all = 0..self.text.len();
        let urls = match self.holds {
            Holds::Urls => urls::find(&self.text),
            _ => Ok((vec![all], Delimiter::RawText)),
        };
        let read = urls.and_then(|urls| Ok((urls, DocumentBytes::json(self.text.as_bytes())?)));
        let ((urls, delimiter), given) = match read {
            Ok(read) => read,
            Err(reason) => {
                examined.left = Some(reason);
                return (examined, Vec::new());
            }
        };
        let mut places = FeedPlaces::new(settings.wanted());
        for url in &urls {
            places.string(&URL, self.name, (url.clone(), delimiter), 0);
        }
        // Each URL of a text is one reference, with the blanks around it.
        let whole = |part: &Range<usize>| match delimiter {
            Delimiter::JsonString => part.clone(),
            _ => {
                let after = urls.partition_point(|url| url.start <= part.start);
                urls[after.saturating_sub(1)].clone()
            }
        };
        let bases = [(context.clone(), document_base)];
        let mut shown = each
            .map(|each| |reference: &Reference<'_>| each(&reference.at(whole(&reference.span))));
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
            delimiter: Some(delimiter),
        };
        examined.disagreement = feed::verify(&given, &known, &resolved, &mut new).err();
        if examined.disagreement.is_some() {
            return (examined, Vec::new());
        }
        let edits = given.edits(&resolved);
        let is_of_one = |one: &Edit, next: &Edit| whole(&one.0) == whole(&next.0);
        let of_urls = edits.chunk_by(is_of_one).map(|edits| {
            let url = whole(&edits[0].0);
            let inside = edits
                .iter()
                .map(|(part, new)| (part.start - url.start..part.end - url.start, new));
            let (old, mut new) = (&self.text.as_bytes()[url.clone()], Vec::new());
            html::splice(old, inside, &mut new, |new, out| out.extend_from_slice(new));
            (url, new)
        });
        (examined, of_urls.collect())
    }
}
