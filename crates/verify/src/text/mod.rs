//! What bytes spell, and where in that text a change of the bytes is.

pub(crate) mod edits;

use std::sync::LazyLock;

use crate::fault::Fault;
use abslink_html::Syntax;
use abslink_html::shared::{
    Change, Charset, Delimiter, Doctype, Edited, Quote, Value, ValueContext,
};
use encoding_rs::Encoding;

use self::edits::EditedPart;

/// What decides how bytes are read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spelling {
    pub(crate) syntax: Syntax,
    pub(crate) encoding: &'static Encoding,
    /// XML in which the entities of HTML are none.
    pub(crate) is_feed: bool,
}

/// How the value of an attribute is read: its quotes do not matter.
pub(crate) const ATTRIBUTE: Delimiter = Delimiter::Attribute(Quote::Double);

impl Spelling {
    /// Of a document.
    pub(crate) fn of(syntax: Syntax, encoding: &'static Encoding) -> Spelling {
        Spelling {
            syntax,
            encoding,
            is_feed: false,
        }
    }

    /// What bytes spell.
    pub(crate) fn read(self, bytes: &[u8], delimiter: Delimiter) -> Value<'_> {
        static XHTML: LazyLock<Doctype> = LazyLock::new(Doctype::html);
        static FEED: LazyLock<Doctype> = LazyLock::new(|| Doctype::lenient(None));
        let context = ValueContext {
            charset: &Charset::known(self.encoding, b""),
            syntax: self.syntax,
            doctype: Some(if self.is_feed { &FEED } else { &XHTML }),
        };
        Value::decode(bytes, delimiter, &context)
    }

    /// How many times a `&` in text of XML begins no reference that is known.
    fn strays(self, text: &[u8], value: &Value<'_>) -> usize {
        let mut texts: Vec<_> = value.runs().filter(|(_, in_cdata)| !in_cdata).collect();
        if value.runs().next().is_none() {
            texts.push((0..text.len(), false));
        }
        let behind = texts
            .into_iter()
            .flat_map(|(run, _)| text[run].split(|&byte| byte == b'&').skip(1));
        let is_stray = |behind: &&[u8]| {
            let end = memchr::memchr(b';', behind).map_or(0, |end| end + 1);
            let Ok(name) = std::str::from_utf8(&behind[..end]) else {
                return true;
            };
            let reference = format!("&{name}");
            let is_known = quick_xml::escape::unescape(&reference).is_ok();
            let may_be_known = !self.is_feed && !name.starts_with('#');
            !(is_known || may_be_known && htmlize::unescape(&*reference) != reference)
        };
        behind.filter(is_stray).count()
    }
}

impl EditedPart<String> {
    /// What bytes spell. What stands between changes may be spelled by other bytes where `by_meaning`.
    pub(crate) fn read(
        edited: Edited<'_>,
        delimiter: Delimiter,
        spelling: Spelling,
        by_meaning: bool,
    ) -> Result<EditedPart<String>, Fault> {
        let [old, new] = [edited.old, edited.new].map(|bytes| spelling.read(bytes, delimiter));
        if spelling.syntax == Syntax::Xml
            && matches!(delimiter, Delimiter::Attribute(_) | Delimiter::Content)
            && spelling.strays(edited.new, &new) > spelling.strays(edited.old, &old)
        {
            return Err(Fault::of("it has an unescaped `&`"));
        }
        let changes = edited.changes.iter().map(|[x, y]| {
            [
                old.place(x.start)..old.place(x.end),
                new.place(y.start)..new.place(y.end),
            ]
        });
        let differs = |[x, y]: &Change| old.text.get(x.clone()) != new.text.get(y.clone());
        let changes = changes.filter(|change| !by_meaning || differs(change));
        let changes = changes.collect();
        let [old, new] = [old, new].map(|value| value.text.into_owned());
        Ok(EditedPart { old, new, changes })
    }
}

#[cfg(test)]
mod tests {
    use encoding_rs::UTF_8;

    use super::*;

    #[test]
    fn a_stray_ampersand_is_one_whatever_follows_it() {
        for (text, of_xhtml, of_feed) in [
            ("a &amp; b", 0, 0),
            ("&b &amp;", 1, 1),
            ("&&amp;", 1, 1),
            ("&eacute;&#233;&#x;", 1, 2),
            ("& ;&", 2, 2),
        ] {
            let strays = [false, true].map(|is_feed| {
                let spelling = Spelling {
                    is_feed,
                    ..Spelling::of(Syntax::Xml, UTF_8)
                };
                spelling.strays(text.as_bytes(), &spelling.read(text.as_bytes(), ATTRIBUTE))
            });
            assert_eq!(strays, [of_xhtml, of_feed], "{text}");
        }
    }
}
