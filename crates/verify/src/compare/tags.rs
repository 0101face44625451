//! Tags, in pairs.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use super::base_element::{Cut, element_end};
use super::values::Text;
use super::{Comparison, base_element, bases};
use crate::fault::{Difference, Fault, Result};
use crate::markup::{Attribute, Tag, Token};
use crate::text::first_difference;
use abslink_html::Syntax;
use abslink_html::shared::Pair;

impl Comparison<'_> {
    /// Compares a tag with the next token, unless it was cut out.
    pub(super) fn tag(&mut self, tag: &Tag, new: Option<Token>) -> Result<(), Difference> {
        let loses_base = self.rules.targets.loses_base;
        let cut = loses_base.then(|| base_element::cut(&self.old, tag));
        let cut = cut.flatten();
        let new_tag = match &new {
            Some(Token::Tag(new)) => Some(new),
            _ => None,
        };
        let has_url = |new: &Tag| bases::base_href(&self.new, new).is_some();
        let is_left = |new: &Tag, cut: &Cut| {
            let is_one = || self.attributes([tag, new], &cut.urls).is_ok();
            let is_at =
                |end| is_one() && self.are_at_one_place([tag, new]) && !self.is_next(new, end);
            !has_url(new) && cut.element_end.is_none_or(is_at)
        };
        let mut edited = Vec::new();
        let is_gone = cut
            .as_ref()
            .filter(|cut| !new_tag.is_some_and(|new| is_left(new, cut)));
        let end = is_gone.and_then(|cut| cut.element_end);
        if let Some(end) = end.filter(|_| !new_tag.is_some_and(has_url)) {
            let before = self.old.bytes(self.old.position..tag.start);
            self.cuts.push(tag.start, before);
            self.old.skip_to(end);
            new.into_iter().for_each(|new| self.new.unread(new));
        } else if is_gone.is_some() && tag.base_applies && tag.is_sure {
            return Fault::of("a base URL is left that should be gone").at(tag.start);
        } else if let Some(new) = new_tag {
            let cut = cut.filter(|_| !has_url(new)).unwrap_or_default();
            self.text_until([tag.start, new.start])?;
            edited = self.attributes([tag, new], &cut.urls)?;
            (self.old.position, self.new.position) = (tag.end, new.end);
        } else {
            return Fault::NEIGHBOURS.at(tag.start);
        }
        if self.text == Text::Raw {
            // Where there is a tag, the text is none.
            self.text = Text::Plain;
        }
        // A reference may mean something else although it stays the same.
        if self.rules.targets.new_base.is_some() && self.is_sure {
            let mut seen = HashSet::new();
            for (index, attribute) in self.old.attributes(tag).iter().enumerate() {
                // A repeated one is none.
                let name = self.old.bytes(attribute.name.clone());
                let is_first = seen.insert(self.old.folded(name));
                if is_first && !edited.contains(&index) {
                    let stays = self.rules.stays(&self.old, tag, attribute);
                    stays.or_else(|fault| self.fault(tag, attribute, fault))?;
                }
            }
        }
        if let Some(bases) = &mut self.bases {
            bases.read(&self.old, tag, &self.rules);
        }
        if self.cuts.places.is_empty() {
            (self.old.others, self.new.others) = (0, 0);
            let mut names = [&b"pre"[..], b"listing"].into_iter();
            self.drops_newline = self.rules.syntax == Syntax::Html
                && names.any(|name| self.old.name(tag).eq_ignore_ascii_case(name));
        }
        self.is_sure = tag.is_sure && self.was_sure;
        // The text of an element that was cut out went with it.
        if let Some(delimiter) = tag.text.filter(|_| self.cuts.places.is_empty()) {
            let text = self.rules.text_of(&self.old, tag, delimiter);
            self.open(text);
        }
        Ok(())
    }

    /// Whether what stands before two tags is one text, in which URLs may have changed.
    fn are_at_one_place(&self, [tag, new]: [&Tag; 2]) -> bool {
        let before = self.old.bytes(self.old.position..tag.start);
        let new = self.new.bytes(self.new.position..new.start);
        let may_change = || {
            let is_value = matches!(self.text, Text::Value(..));
            is_value || self.cuts.has_condition || base_element::has_condition(before)
        };
        self.cuts.is_text(before, new) || self.old.others == self.new.others && may_change()
    }

    /// Whether a new tag is rather what stands behind an element that goes as far as this than what is left of its tag:
    /// there are no more `base` tags from there on than those that have to stay.
    fn is_next(&self, new: &Tag, end: usize) -> bool {
        let [run, new_run] = &mut *self.runs.borrow_mut();
        let others = new_run.count(&self.new, element_end(&self.new, new), false);
        others < run.count(&self.old, end, true)
    }

    /// Compares two tags: the answer is which attributes have another value. Nothing is left of these URLs.
    fn attributes(
        &self,
        [tag, new]: [&Tag; 2],
        urls: &[Range<usize>],
    ) -> Result<Vec<usize>, Difference> {
        let mut edited = Vec::new();
        let bytes = [self.old.bytes(tag.place()), self.new.bytes(new.place())];
        if bytes[0] == bytes[1] {
            return self.spelled([tag.place(), new.place()]).map(|()| edited);
        }
        let is_url = |name: usize| {
            let url = urls.get(urls.partition_point(|url| url.end <= name));
            url.is_some_and(|url| url.start <= name)
        };
        let (attributes, new_attributes) = (self.old.attributes(tag), self.new.attributes(new));
        let left = attributes.iter().enumerate();
        let left = left.filter(|(_, it)| !is_url(it.name.start));
        if left.clone().count() != new_attributes.len() {
            return Fault::NEIGHBOURS.at(tag.start + first_difference(bytes));
        }
        let left_of = |part: Range<usize>| {
            if urls.is_empty() {
                return Cow::Borrowed(self.old.bytes(part));
            }
            let [start, end] =
                [part.start, part.end].map(|at| urls.partition_point(|url| url.start < at));
            let inside = urls[start..end].iter();
            let ends = inside.clone().map(|url| url.start).chain([part.end]);
            let starts = [part.start].into_iter().chain(inside.map(|url| url.end));
            let kept = starts
                .zip(ends)
                .map(|(start, end)| self.old.bytes(start..end));
            Cow::Owned(kept.collect::<Vec<_>>().concat())
        };
        let [mut done, mut new_done] = [tag.start, new.start];
        for ((index, attribute), new_attribute) in left.zip(&new_attributes) {
            let (name, value) = (&attribute.name, attribute.value());
            let new_value = new_attribute.value();
            let head = left_of(done..value.start);
            let heads = [&*head, self.new.bytes(new_done..new_value.start)];
            let Some(is_quoted_anew) = is_quoted_anew(heads) else {
                let length = head.len() - (value.start - name.end);
                return match heads[1].starts_with(&head[..length]) {
                    true => Fault::of("its quotes changed").at(name.end),
                    false => Fault::OUTSIDE.at(done + first_difference(heads)),
                };
            };
            let values = [
                self.old.bytes(value.clone()),
                self.new.bytes(new_value.clone()),
            ];
            if is_quoted_anew || values[0] != values[1] {
                let compared = self.value(tag, &attributes[..=index], values, is_quoted_anew);
                compared.or_else(|fault| self.fault(tag, attribute, fault))?;
                edited.extend((values[0] != values[1]).then_some(index));
            }
            if !is_quoted_anew {
                self.spelled([done..value.start, new_done..new_value.start])?;
            }
            done = value.end;
            new_done = new_value.end + usize::from(is_quoted_anew);
        }
        let rest = left_of(done..tag.end);
        let rests = [&*rest, self.new.bytes(new_done..new.end)];
        match rests[0] == rests[1] {
            true => Ok(edited),
            false => Fault::OUTSIDE.at(done + first_difference(rests)),
        }
    }

    fn fault(&self, tag: &Tag, attribute: &Attribute, fault: Fault) -> Result<(), Difference> {
        let fault = self.old.fault(tag, attribute, fault);
        fault.at(attribute.name.end)
    }

    /// Compares the value of the last of these attributes.
    fn value(
        &self,
        tag: &Tag,
        attributes: &[Attribute],
        pair: Pair<'_>,
        is_quoted_anew: bool,
    ) -> Result {
        let mut names = attributes.iter().map(|it| self.old.bytes(it.name.clone()));
        let name = names.next_back().unwrap_or_default();
        if names.any(|other| self.old.is_name(other, name)) {
            return Err(Fault::of("not the first of that name, but changed"));
        }
        // XML 1.0 §3.1, "No < in Attribute Values".
        let [old, new] = pair.map(|bytes| bytes.contains(&b'<'));
        if self.rules.syntax == Syntax::Xml && new && !old {
            return Err(Fault::of("it has an unescaped `<`"));
        }
        let document = (self.rules).attribute(&self.old, (tag, name), pair, is_quoted_anew)?;
        document.map_or(Ok(()), |document| self.srcdoc(&document))
    }
}

/// Whether a value that had no quotes has got some, or one that was missing, by what stands before both; `None` where
/// that changed in another way.
fn is_quoted_anew([old, new]: Pair<'_>) -> Option<bool> {
    if old == new {
        return Some(false);
    }
    let before = new.strip_suffix(b"\"").or_else(|| new.strip_suffix(b"'"))?;
    (before == old || before.strip_suffix(b"=") == Some(old)).then_some(true)
}
