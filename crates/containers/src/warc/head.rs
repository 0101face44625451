//! The head of a record: its version and its named fields (WARC 1.1 §4, §5).

use super::member::WARC;
use crate::heading::{self, Heading, MediaType};
use abslink_html::Syntax;

/// What kind of record it is (§6), as far as it matters here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Response,
    Resource,
    Revisit,
    Conversion,
    Other,
}

/// The head of a record, as it stands.
#[derive(Clone, Debug)]
pub struct Head {
    /// With the empty line at its end.
    bytes: Vec<u8>,
    /// How long the block is.
    pub length: u64,
}

impl Head {
    /// §4: `None` where this is no record's head.
    pub(super) fn parse(bytes: Vec<u8>) -> Option<Head> {
        let mut head = Head { bytes, length: 0 };
        let version = head.bytes.split_at_checked(WARC.len())?;
        if !version.0.eq_ignore_ascii_case(WARC) || !version.1.first()?.is_ascii_digit() {
            return None;
        }
        head.length = head.text("Content-Length")?.parse().ok()?;
        Some(head)
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The fields in order.
    pub(crate) fn fields(&self) -> Heading<'_> {
        // The line with the version has no colon, and is no field.
        Heading::new(&self.bytes, 0..self.bytes.len())
    }

    /// The first field of that name.
    fn text(&self, name: &str) -> Option<&str> {
        let value = self.fields().get(name)?.value;
        std::str::from_utf8(value).ok().map(str::trim)
    }

    /// §5.5.
    pub fn kind(&self) -> Kind {
        let kind = self.text("WARC-Type").unwrap_or_default();
        match &*kind.to_ascii_lowercase() {
            "response" => Kind::Response,
            "resource" => Kind::Resource,
            "revisit" => Kind::Revisit,
            "conversion" => Kind::Conversion,
            _ => Kind::Other,
        }
    }

    /// §5.2: `WARC-Record-ID`, with its angle brackets.
    pub fn id(&self) -> Option<&str> {
        self.id_in("WARC-Record-ID")
    }

    /// §5.4: the capture's date.
    pub fn date(&self) -> Option<&str> {
        self.text("WARC-Date")
    }

    /// §5.14: `WARC-Target-URI`, without the angle brackets that WARC 1.0 writes.
    pub fn target(&self) -> Option<String> {
        self.url("WARC-Target-URI")
    }

    /// No URI has control characters: one that does is no id, and is not written anywhere.
    fn id_in(&self, name: &str) -> Option<&str> {
        self.text(name).filter(|id| !id.contains(char::is_control))
    }

    /// Without control characters, which would break the head that it is written into.
    fn url(&self, name: &str) -> Option<String> {
        let mut target = heading::text(self.fields().get(name)?.value);
        target.retain(|c| !c.is_control());
        let bare = target
            .strip_prefix('<')
            .and_then(|target| target.strip_suffix('>'));
        Some(bare.map_or(target.clone(), str::to_owned))
    }

    /// §5.11: `WARC-Refers-To`.
    pub fn refers(&self) -> Option<&str> {
        self.id_in("WARC-Refers-To")
    }

    /// §5.12: the URL of the record that a revisit refers to.
    pub fn refers_to_target(&self) -> Option<String> {
        self.url("WARC-Refers-To-Target-URI")
    }

    /// §5.13: its date.
    pub fn refers_to_date(&self) -> Option<&str> {
        self.text("WARC-Refers-To-Date")
    }

    /// §5.7: the records that were made together with it, by their ids.
    pub fn concurrent(&self) -> impl Iterator<Item = &str> {
        let fields = self
            .fields()
            .fields()
            .filter(|field| field.is("WARC-Concurrent-To"));
        fields.filter_map(|field| std::str::from_utf8(field.value).ok().map(str::trim))
    }

    /// Whether the record that follows is a document that it was converted to. A record without an id can
    /// be told by its URL only.
    pub fn is_converted_by(&self, following: Option<&Head>) -> bool {
        let Some(following) = following else {
            return false;
        };
        let is_document = following
            .media_type()
            .is_some_and(|it| syntax(&it).is_some());
        is_document
            && match (following.refers(), self.id()) {
                (Some(refers), Some(id)) => refers == id,
                (None, None) => following.target() == self.target(),
                _ => false,
            }
    }

    /// §5.19: whether the record is one of several that hold one block together.
    pub fn is_segment(&self) -> bool {
        self.fields().get("WARC-Segment-Number").is_some()
    }

    /// §5.6: the type of the block, if it is given.
    pub(crate) fn media_type(&self) -> Option<MediaType> {
        self.fields().get("Content-Type")?;
        Some(MediaType::of(self.fields(), ""))
    }
}

/// By which rules a document of this type is parsed; nothing for what is no document.
pub(super) fn syntax(media_type: &MediaType) -> Option<Syntax> {
    match &*media_type.essence {
        "text/html" => Some(Syntax::Html),
        "application/xhtml+xml" => Some(Syntax::Xml),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(fields: &str) -> Option<Head> {
        Head::parse(format!("WARC/1.0\r\n{fields}\r\n\r\n").into_bytes())
    }

    #[test]
    fn fields_in_any_spelling() {
        let head = head(
            "warc-type: Response\r\nwarc-target-uri: <http://h/\r\n a>\r\n\
             WARC-Concurrent-To: <urn:x>\r\nWARC-Concurrent-To: <urn:y>\r\ncontent-length:  12 ",
        )
        .unwrap();
        assert_eq!(head.kind(), Kind::Response);
        assert_eq!(head.length, 12);
        assert_eq!(head.id(), None);
        assert_eq!(head.target().as_deref(), Some("http://h/a"));
        assert!(!head.is_segment());
    }

    #[test]
    fn brackets_around_a_target_come_off() {
        for (given, expected) in [("<http://h/>", "http://h/"), (" http://h/ ", "http://h/")] {
            let head = head(&format!("Content-Length: 0\r\nWARC-Target-URI:{given}")).unwrap();
            assert_eq!(head.target().as_deref(), Some(expected));
        }
    }

    #[test]
    fn control_characters_are_in_no_id_and_in_no_target() {
        let head = |id: &str| {
            let fields = "Content-Length: 0\r\nWARC-Target-URI: http://h/\r\0a\r\nWARC-Record-ID:";
            head(&format!("{fields} {id}\r\nWARC-Refers-To: {id}")).unwrap()
        };
        for bad in ["<urn:\rx>", "<urn:\0x>"] {
            assert_eq!(
                (head(bad).id(), head(bad).refers()),
                (None, None),
                "{bad:?}"
            );
        }
        assert_eq!(head("<urn:x>").id(), Some("<urn:x>"));
        assert_eq!(head("<urn:x>").target().as_deref(), Some("http://h/a"));
    }

    #[test]
    fn what_is_no_head() {
        for fields in [
            "",
            "Content-Length: x",
            "Content-Length: -1",
            "Content-Length:",
        ] {
            assert!(head(fields).is_none(), "{fields}");
        }
        for version in ["HTTP/1.1", "WARC/x", "WARC", ""] {
            let bytes = format!("{version}\r\nContent-Length: 0\r\n\r\n").into_bytes();
            assert!(Head::parse(bytes).is_none(), "{version}");
        }
        assert!(Head::parse(b"WARC/0.18\r\nContent-Length: 0\r\n\r\n".to_vec()).is_some());
    }
}
