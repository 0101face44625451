//! The HTTP message in a block (RFC 9112), as crawlers store it.

use super::RecordReason;
use super::coding::Coding;
use crate::heading::{self, Heading, MediaType};

/// A response, or what is stored of one.
#[derive(Clone, Copy)]
pub(super) struct Response<'b> {
    /// The status line and the fields, without the empty line behind them; empty where there is only
    /// a body.
    pub head: &'b [u8],
    pub body: &'b [u8],
}

impl<'b> Response<'b> {
    /// §2.1. The status line may be that of any version, and need not give a reason.
    pub(super) fn of(block: &'b [u8]) -> Response<'b> {
        if !(block.get(..5)).is_some_and(|start| start.eq_ignore_ascii_case(b"HTTP/")) {
            return Response {
                head: b"",
                body: block,
            };
        }
        let (head, body) = heading::split(block, 0..block.len());
        Response {
            head: &block[head],
            body: &block[body],
        }
    }

    pub(super) fn fields(&self) -> Heading<'b> {
        Heading::new(self.head, 0..self.head.len())
    }

    /// The media type, if it is given: the last one that is one (Fetch standard, "extract a MIME type").
    pub(super) fn media_type(&self) -> Option<MediaType> {
        let fields = self
            .fields()
            .fields()
            .filter(|field| field.is("Content-Type"));
        let found = fields.map(|field| MediaType::last(&String::from_utf8_lossy(field.value)));
        found.flatten().last()
    }

    /// The codings of the body, in the order in which they were applied: those of the content, then
    /// those of the transfer.
    ///
    /// # Errors
    /// One that is not known, and more than anybody uses: each can be made to take as long as a whole body
    /// takes.
    pub(super) fn codings(&self) -> Result<Vec<Coding>, RecordReason> {
        const MOST: usize = 5;
        let mut codings = Vec::new();
        for name in ["Content-Encoding", "Transfer-Encoding"] {
            for field in self.fields().fields().filter(|field| field.is(name)) {
                let value = String::from_utf8_lossy(field.value).into_owned();
                for coding in value.split(',') {
                    codings.extend(Coding::named(coding.trim())?);
                    if codings.len() > MOST {
                        return Err(RecordReason::Coding);
                    }
                }
            }
        }
        Ok(codings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_in_the_wild() {
        for (block, head, body) in [
            (
                "HTTP/1.1 200 OK\r\nA: b\r\n\r\nx",
                "HTTP/1.1 200 OK\r\nA: b\r\n",
                "x",
            ),
            ("HTTP/2 200\nA: b\n\nx", "HTTP/2 200\nA: b\n", "x"),
            ("http/1.0 200 OK\r\n\r\n", "http/1.0 200 OK\r\n", ""),
            ("HTTP/1.1 200 OK\r\nA: b", "HTTP/1.1 200 OK\r\nA: b", ""),
            ("<p>\r\n\r\nx", "", "<p>\r\n\r\nx"),
        ] {
            let found = Response::of(block.as_bytes());
            assert_eq!((found.head, found.body), (head.as_bytes(), body.as_bytes()));
        }
    }

    #[test]
    fn codings_in_their_order() {
        let block = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\
            content-encoding: identity, br\r\nContent-Encoding: GZIP\r\n\r\n";
        let expected = vec![Coding::Brotli, Coding::Gzip, Coding::Chunked];
        assert_eq!(Response::of(block).codings(), Ok(expected));
        let block = b"HTTP/1.1 200 OK\r\nContent-Encoding: x\r\n\r\n";
        assert_eq!(
            Response::of(block).codings(),
            Err(RecordReason::UnknownCoding)
        );
        let many = |number| {
            let names = vec!["identity, gzip"; number].join(",");
            let block = format!("HTTP/1.1 200 OK\r\nContent-Encoding: {names}\r\n\r\n");
            Response::of(block.as_bytes())
                .codings()
                .map(|codings| codings.len())
        };
        assert_eq!([many(5), many(6)], [Ok(5), Err(RecordReason::Coding)]);
    }
}
