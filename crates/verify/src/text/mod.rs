//! What bytes spell.

use std::ops::Range;
use std::sync::LazyLock;

use crate::fault::{Fault, Result};
use abslink_html::Syntax;
use abslink_html::shared::{Charset, Delimiter, Doctype, Pair, Quote, Value, ValueContext};
use encoding_rs::{Encoding, UTF_8};

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

/// Where two texts differ first.
pub(crate) fn first_difference([old, new]: Pair<'_>) -> usize {
    old.iter().zip(new).take_while(|(x, y)| x == y).count()
}

/// What the bytes of a value spell, before and after.
pub(crate) struct Texts<'t> {
    values: [Value<'t>; 2],
    /// The bytes, unless texts that are the same may be spelled in two ways.
    spelled: Option<Pair<'t>>,
}

impl<'t> Texts<'t> {
    /// `by_meaning`: what is the same may be spelled by other bytes.
    pub(crate) fn read(
        pair: Pair<'t>,
        delimiter: Delimiter,
        spelling: Spelling,
        by_meaning: bool,
    ) -> Result<Texts<'t>> {
        let values = pair.map(|bytes| spelling.read(bytes, delimiter));
        if spelling.syntax == Syntax::Xml
            && matches!(delimiter, Delimiter::Attribute(_) | Delimiter::Content)
            && spelling.strays(pair[1], &values[1]) > spelling.strays(pair[0], &values[0])
        {
            return Err(Fault::of("it has an unescaped `&`"));
        }
        Ok(Texts {
            values,
            spelled: Some(pair).filter(|_| !by_meaning),
        })
    }

    /// Texts that stand for themselves.
    pub(crate) fn plain(pair: [&'t str; 2]) -> Texts<'t> {
        let spelling = Spelling::of(Syntax::Html, UTF_8);
        Texts {
            values: pair.map(|text| spelling.read(text.as_bytes(), Delimiter::RawText)),
            spelled: None,
        }
    }

    pub(crate) fn text(&self) -> [&str; 2] {
        self.values.each_ref().map(|value| &*value.text)
    }

    pub(crate) fn bytes(&self) -> Pair<'_> {
        self.text().map(str::as_bytes)
    }

    /// Whether parts of both, which are the same text, are spelled by the same bytes.
    pub(crate) fn are_spelled_alike(&self, parts: [Range<usize>; 2]) -> bool {
        let Some(spelled) = self.spelled else {
            return true;
        };
        let mut parts = parts.into_iter().zip(&self.values).zip(spelled);
        let [old, new] = [(); 2].map(|()| {
            let ((part, value), bytes) = parts.next()?;
            bytes.get(value.span(part))
        });
        // A character reference that nothing ended may need that now.
        old == new || new.and_then(|new| new.strip_suffix(b";")) == old
    }
}

/// Text as it is read where something was cut out of it.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Reading {
    text: String,
    /// How often `]]>` is in it, an error in XML (XML 1.0 §2.4).
    ends: usize,
}

impl Reading {
    /// What bytes spell: in XHTML as XML does, else with all references of HTML.
    pub(crate) fn append(&mut self, bytes: &[u8], drops_newline: bool, spelling: Spelling) {
        if spelling.syntax == Syntax::Xml {
            self.ends += memchr::memmem::find_iter(bytes, b"]]>").count();
            let whole = spelling.read(bytes, Delimiter::Content);
            if whole.runs().next().is_none() {
                self.text += &whole.text;
                return;
            }
            // Markup parts what would be a reference without it.
            for (run, in_cdata) in whole.runs() {
                let delimiter = if in_cdata {
                    Delimiter::RawText
                } else {
                    Delimiter::Content
                };
                self.text += &spelling.read(&bytes[run], delimiter).text;
            }
            return;
        }
        let (text, _) = spelling.encoding.decode_without_bom_handling(bytes);
        let text = htmlize::unescape(text.replace("\r\n", "\n").replace('\r', "\n"));
        let newline = text.strip_prefix('\n').filter(|_| drops_newline);
        self.text += newline.unwrap_or(&text);
    }
}

#[cfg(test)]
mod tests {
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
