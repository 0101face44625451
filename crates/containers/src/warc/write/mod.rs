//! The records that are written: `warcinfo`, `conversion`, and responses that were changed.
//!
//! The same record, settings and date give the same bytes: ids are UUIDs of version 5 (RFC 9562 §5.5),
//! and nothing else is random.

mod member;
mod moment;

use std::fmt::Write as _;
use std::io::{self, Write};

use data_encoding::BASE32;
use sha1::{Digest, Sha1};
use uuid::Uuid;

use super::head::{Head, Kind};
use super::http::Response;
use super::member::Compression;
use crate::heading::Heading;
use member::MemberWriter;
pub use moment::{Moment, NoMoment};

/// Makes records. A clone makes the same ones, on another thread.
#[derive(Clone)]
pub struct Writer {
    members: MemberWriter,
    /// `WARC-Date` of what this run makes.
    date: Moment,
    /// How documents are rewritten, exactly, for ids.
    used: String,
    /// The same for everyone to read.
    shown: String,
}

impl Writer {
    /// `used` says how documents are rewritten, `shown` the same for everyone to read.
    pub fn new(compression: Compression, date: Moment, used: String, shown: String) -> Writer {
        Writer {
            members: MemberWriter::new(compression),
            date,
            used,
            shown,
        }
    }

    /// WARC 1.1 §6.2: says what the records after it are. `name` is that of the file, if it has one.
    pub fn warcinfo(&mut self, name: Option<&str>, to: &mut dyn Write) -> io::Result<()> {
        let block = format!(
            "software: abslink/{}\r\nformat: WARC File Format 1.1\r\n\
             conformsTo: http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/\r\n\
             description: documents whose relative URLs were made absolute\r\n\
             options: {}\r\n",
            env!("CARGO_PKG_VERSION"),
            self.shown,
        );
        let name = name.filter(|name| !name.contains(['\r', '\n']));
        let about = [name.unwrap_or_default(), self.date.as_str(), &block];
        let mut fields = record_head("warcinfo", &id("warcinfo", &about));
        push_field(&mut fields, "WARC-Date", self.date.as_str());
        if let Some(name) = name {
            push_field(&mut fields, "WARC-Filename", name);
        }
        push_field(
            &mut fields,
            "WARC-Block-Digest",
            &digest(&[block.as_bytes()]),
        );
        push_field(&mut fields, "Content-Type", "application/warc-fields");
        self.record(fields, &[block.as_bytes()], to)
    }

    /// The id of the conversion of a record to `text`.
    pub fn conversion_id(&self, head: &Head, text: &[u8]) -> String {
        self.id("conversion", head, &digest(&[text]))
    }

    /// §6.8: the conversion of a record to `text`.
    pub fn conversion(
        &mut self,
        head: &Head,
        content_type: &str,
        text: &[u8],
        to: &mut dyn Write,
    ) -> io::Result<()> {
        let digest = digest(&[text]);
        let mut fields = record_head("conversion", &self.id("conversion", head, &digest));
        push_field(&mut fields, "WARC-Date", self.date.as_str());
        if let Some(target) = head.target() {
            push_field(&mut fields, "WARC-Target-URI", &target);
        }
        if let Some(id) = head.id() {
            push_field(&mut fields, "WARC-Refers-To", id);
        }
        push_field(&mut fields, "WARC-Block-Digest", &digest);
        push_field(&mut fields, "WARC-Payload-Digest", &digest);
        push_field(&mut fields, "Content-Type", content_type);
        self.record(fields, &[text], to)
    }

    /// The record itself, with `text` as its document. The date stays, since it is the capture's.
    pub fn changed(
        &mut self,
        head: &Head,
        block: &[u8],
        text: &[u8],
        to: &mut dyn Write,
    ) -> io::Result<()> {
        let http = match (head.kind(), Response::of(block).head) {
            (Kind::Response, http) if !http.is_empty() => http_head(http, text.len()),
            _ => Vec::new(),
        };
        let block = [&http[..], text];
        let payload = digest(&[text]);
        let new = [
            ("WARC-Record-ID", self.id("response", head, &payload)),
            ("WARC-Block-Digest", digest(&block)),
            ("WARC-Payload-Digest", payload),
            ("Content-Length", (http.len() + text.len()).to_string()),
        ];
        let old = head.bytes();
        let blank = if old.ends_with(b"\r\n") { 2 } else { 1 };
        let new = new.iter().map(|(name, value)| (*name, Some(&**value)));
        let fields = replaced(
            &old[..old.len() - blank],
            head.fields(),
            &new.collect::<Vec<_>>(),
        );
        self.record(fields, &block, to)
    }

    /// Writes a record that stays as it is, as a member of its own. `write` writes its block, which is
    /// as long as its head says.
    pub fn unchanged(
        &mut self,
        head: &Head,
        to: &mut dyn Write,
        write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        let length = (head.bytes().len() + END.len()) as u64 + head.length;
        self.members.write(length, to, &mut |to| {
            to.write_all(head.bytes())?;
            write(to)?;
            to.write_all(END)
        })
    }

    /// A record, as a member of its own. `head` has its version and fields, without the empty line.
    fn record(&mut self, mut head: Vec<u8>, block: &[&[u8]], to: &mut dyn Write) -> io::Result<()> {
        let length: usize = block.iter().map(|part| part.len()).sum();
        if Heading::new(&head, 0..head.len())
            .get("Content-Length")
            .is_none()
        {
            push_field(&mut head, "Content-Length", &length.to_string());
        }
        head.extend(b"\r\n");
        let whole = (head.len() + length + END.len()) as u64;
        self.members.write(whole, to, &mut |to| {
            to.write_all(&head)?;
            block.iter().try_for_each(|part| to.write_all(part))?;
            to.write_all(END)
        })
    }

    /// The id of what is made of a record: the same for the same original, settings and payload.
    fn id(&self, what: &str, head: &Head, payload: &str) -> String {
        let (old, target) = (head.id().unwrap_or_default(), head.target());
        id(
            what,
            &[old, &target.unwrap_or_default(), &self.used, payload],
        )
    }
}

/// What ends a record.
const END: &[u8] = b"\r\n\r\n";

/// The first lines of a record.
fn record_head(kind: &str, id: &str) -> Vec<u8> {
    let mut head = b"WARC/1.1\r\n".to_vec();
    push_field(&mut head, "WARC-Type", kind);
    push_field(&mut head, "WARC-Record-ID", id);
    head
}

fn push_field(to: &mut Vec<u8>, name: &str, value: &str) {
    to.extend(format!("{name}: {value}\r\n").into_bytes());
}

/// §5.2: a URI for a record, made of what it is and what it is about.
fn id(what: &str, about: &[&str]) -> String {
    /// Of the ids that abslink makes.
    const NAMESPACE: Uuid = Uuid::from_u128(0x5f0e_2b6a_9d0c_4c64_8a3f_6b1f_0a55_117c);
    let mut name = what.to_owned();
    for part in about {
        // With their lengths, so that no two lists make the same name.
        let _ = write!(name, "\n{}\n{part}", part.len());
    }
    format!("<urn:uuid:{}>", Uuid::new_v5(&NAMESPACE, name.as_bytes()))
}

/// §5.8: SHA-1 in base 32, as all tools write and read it.
fn digest(parts: &[&[u8]]) -> String {
    let mut hash = Sha1::new();
    parts.iter().for_each(|part| hash.update(part));
    format!("sha1:{}", BASE32.encode(&hash.finalize()))
}

/// The head of a response whose body is stored without codings now, and is so long; with the empty
/// line. What it said is kept under names that say so.
fn http_head(head: &[u8], length: usize) -> Vec<u8> {
    let length = length.to_string();
    let new = [
        ("Transfer-Encoding", None),
        ("Content-Encoding", None),
        ("Content-Length", Some(&*length)),
    ];
    let mut out = replaced(head, Heading::new(head, 0..head.len()), &new);
    out.extend(b"\r\n");
    out
}

/// A head with new values for some fields: each stands where its first one stood, or at the end. A
/// field without a new value is renamed to `X-Archive-Orig-…`. All else stays.
fn replaced(head: &[u8], fields: Heading<'_>, new: &[(&str, Option<&str>)]) -> Vec<u8> {
    let mut out = Vec::with_capacity(head.len() + 256);
    let mut copied = 0;
    let mut done = vec![false; new.len()];
    for field in fields.fields() {
        let Some(at) = new.iter().position(|(name, _)| field.is(name)) else {
            continue;
        };
        out.extend(&head[copied..field.range.start]);
        match new[at] {
            (_, None) => {
                out.extend(b"X-Archive-Orig-");
                out.extend(&head[field.range.clone()]);
            }
            (name, Some(value)) if !done[at] => push_field(&mut out, name, value),
            (_, Some(_)) => {}
        }
        done[at] = true;
        copied = field.range.end;
    }
    out.extend(&head[copied..]);
    if !out.ends_with(b"\n") {
        out.extend(b"\r\n");
    }
    for ((name, value), _) in new.iter().zip(done).filter(|(_, done)| !done) {
        if let Some(value) = value {
            push_field(&mut out, name, value);
        }
    }
    out
}

#[cfg(test)]
mod tests;
