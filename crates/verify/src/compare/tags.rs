//! Tags, in pairs.

use std::borrow::Cow;
use std::collections::HashSet;
use std::iter;
use std::ops::Range;

use super::base_element::Cut;
use super::values::Text;
use super::{Comparison, base_element, bases};
use crate::fault::{Difference, Fault};
use crate::markup::{Tag, Token};
use crate::text::first_difference;
use abslink_html::Syntax;
use abslink_html::shared::Pair;

impl Comparison<'_> {
    /// Compares a tag with the next token, unless it was cut out.
    pub(super) fn tag(&mut self, tag: &Tag, new: Option<Token>) -> Result<(), Difference> {
        let cut = base_element::cut(&self.old, tag).filter(|_| self.rules.targets.loses_base);
        let new_tag = match &new {
            Some(Token::Tag(new)) => Some(new),
            _ => None,
        };
        let has_url = |new: &Tag| bases::base_href(&self.new, new).is_some();
        let is_left = |new: &Tag, cut: &Cut| {
            let is_one = || self.attributes([tag, new], &cut.urls).is_ok();
            let is_at = |end| {
                is_one() && self.are_at_one_place([tag, new]) && !self.is_next([tag, new], end)
            };
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
        } else if is_gone.is_some() && tag.base_counts && tag.is_sure {
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
            for index in 0..tag.attributes.len() {
                let (name, _) = self.old.attribute(tag, index);
                // A repeated one is none.
                let is_first = seen.insert(self.old.folded(name));
                if !is_first || edited.contains(&index) {
                    continue;
                }
                let at = tag.attributes[index].name.end;
                let stays = self.rules.stays(&self.old, tag, index);
                stays.or_else(|fault| self.old.fault(tag, index, fault).at(at))?;
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

    /// Whether a new tag is rather what stands behind an element that goes as far as this, and those behind it that may
    /// go, than what is left of its tag.
    fn is_next(&self, [tag, new]: [&Tag; 2], end: usize) -> bool {
        /// So much shows it.
        const SHOWN: usize = 4 << 10;
        let shown = |bytes: &[u8]| bytes.len().min(SHOWN);
        let left = self.new.bytes(new.place());
        let mut behind = self.old.bytes(end..self.old.end());
        behind = &behind[..shown(behind)];
        if behind.starts_with(left) {
            // It is where there are as many like it as there were, between others that went too.
            let mut others = self.new.bytes(new.start..self.new.end());
            while let Some(length) = base_element::tag_length(behind) {
                let (tag, rest) = behind.split_at(length);
                if tag == left {
                    others = others.strip_prefix(left).unwrap_or_default();
                }
                behind = rest;
            }
            return !others.starts_with(left);
        }
        let alike = |old, new| {
            let [old, new] = [
                self.old.bytes(old..self.old.end()),
                self.new.bytes(new..self.new.end()),
            ];
            first_difference([old, new].map(|bytes| &bytes[..shown(bytes)]))
        };
        let least = new.place().len().max(alike(tag.end, new.end) + 1);
        alike(self.run_end(end), new.start) >= least
    }

    /// Where elements end that may all go, one behind the other from here on. A hostile page has thousands of them.
    fn run_end(&self, end: usize) -> usize {
        if end > self.run_end.get() {
            let behind =
                |end: &usize| base_element::cut(&self.old, self.old.tag_at(*end)?)?.element_end;
            let last = iter::successors(Some(end), behind).last();
            self.run_end.set(last.unwrap_or(end));
        }
        self.run_end.get()
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
        let attributes = tag.attributes.iter().enumerate();
        let left = attributes.filter(|(_, it)| !is_url(it.name.start));
        if left.clone().count() != new.attributes.len() {
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
        for ((index, attribute), new_attribute) in left.zip(&new.attributes) {
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
                let compared = self.value((tag, index), values, is_quoted_anew);
                compared.or_else(|fault| self.old.fault(tag, index, fault).at(name.end))?;
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

    /// Compares the value of an attribute.
    fn value(
        &self,
        attribute: (&Tag, usize),
        pair: Pair<'_>,
        is_quoted_anew: bool,
    ) -> Result<(), Fault> {
        // XML 1.0 §3.1, "No < in Attribute Values".
        let [old, new] = pair.map(|bytes| bytes.contains(&b'<'));
        if self.rules.syntax == Syntax::Xml && new && !old {
            return Err(Fault::of("it has an unescaped `<`"));
        }
        let document = (self.rules).attribute(&self.old, attribute, pair, is_quoted_anew)?;
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
