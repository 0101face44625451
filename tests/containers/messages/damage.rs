//! Messages that something happened to, or that somebody made in order to keep a program busy.

use mail_parser::MimeHeaders;

use super::*;
use crate::oracle::properties::message::{examined, message, rewritten};
use crate::support::growth::is_linear;

/// Messages that something happened to keep what every message does, and another reader finds the
/// same parts before and after.
#[test]
fn damaged_messages() {
    let mut random = Random(0x1808);
    let mut judged = 0;
    each_case_of("message", |case| {
        let whole = fs::read(case.path(&case.input)).unwrap();
        for _ in 0..100 {
            let mut damaged = whole.clone();
            for _ in 0..=random.below(4) {
                damage(&mut damaged, &mut random);
            }
            message(&damaged).map_err(|wrong| format!("{wrong}\n{}", damaged.escape_ascii()))?;
            judged += u32::from(same_to_another_reader(&damaged)?);
        }
        Ok(())
    });
    assert!(judged > 200, "{judged}");
}

/// Whether what must not change is the same bytes to another reader, who is asked only where it
/// reads the message as abslink does; answers whether it was.
fn same_to_another_reader(input: &[u8]) -> Result<bool, String> {
    let context = Context::default();
    let (output, _) = rewritten(input, &context);
    let (links, documents) = examined(input, &context);
    let (Some(before), Some(after)) = (raw_parts(input), raw_parts(&output)) else {
        return Ok(false);
    };
    let html: Vec<&RawPart> = before.iter().filter(|part| part.is_html).collect();
    let mut links = links.iter();
    let in_html = links.all(|link| html.iter().any(|part| part.holds(link.start, link.end)));
    if output == input || html.len() != documents.len() || !in_html {
        return Ok(false);
    }
    let fixed = |parts: Vec<RawPart>| -> Vec<_> {
        let fixed = parts
            .into_iter()
            .filter(|part| part.is_signed || !part.is_html);
        fixed.map(|part| part.bytes).collect()
    };
    match fixed(before) == fixed(after) {
        true => Ok(true),
        false => {
            let [input, output] = [input, &output].map(|it| String::from_utf8_lossy(it));
            Err(format!("{input}\n--- became\n{output}"))
        }
    }
}

/// A part as it stands in the message: one that encloses no others, or one that is signed.
#[derive(Debug)]
struct RawPart {
    is_html: bool,
    is_signed: bool,
    start: usize,
    bytes: Vec<u8>,
}

impl RawPart {
    fn holds(&self, start: usize, end: usize) -> bool {
        self.start <= start && end <= self.start + self.bytes.len()
    }
}

/// `None` for what is too much for the other reader.
fn raw_parts(message: &[u8]) -> Option<Vec<RawPart>> {
    let read = || {
        let mut found = Vec::new();
        collect_raw(&MessageParser::default().parse(message)?, &mut found);
        Some(found)
    };
    std::panic::catch_unwind(read).ok()?
}

fn collect_raw(message: &Message<'_>, found: &mut Vec<RawPart>) {
    for part in &message.parts {
        let kind = part.content_type();
        let is_signed = kind.is_some_and(|kind| {
            kind.c_type.eq_ignore_ascii_case("multipart")
                && kind
                    .subtype()
                    .is_some_and(|name| name.eq_ignore_ascii_case("signed"))
        });
        match &part.body {
            PartType::Message(inner) => collect_raw(inner, found),
            PartType::Multipart(_) if !is_signed => {}
            body => {
                let (start, end) = (part.offset_body as usize, part.offset_end as usize);
                let bytes = message.raw_message.get(start..end).unwrap_or_default();
                found.push(RawPart {
                    is_html: matches!(body, PartType::Html(_)),
                    is_signed,
                    start,
                    bytes: bytes.to_vec(),
                });
            }
        }
    }
}

/// Each of these took minutes in a program that looked at the same bytes again and again.
#[test]
fn traps_take_linear_time() {
    const MANY: usize = 300_000;
    let html = "Content-Type: text/html\n";
    let quoted = "Content-Transfer-Encoding: quoted-printable\n";
    let parts = "Content-Type: multipart/mixed; boundary=a\n\n--a\n";
    let nested = |nth| format!("Content-Type: multipart/mixed; boundary=a{nth}\n\n--a{nth}\n");
    let inside: String = (0..1000).map(nested).collect();
    let traps: [&dyn Fn(usize) -> String; 7] = [
        // Encoded words, none of which ends.
        &|many| {
            format!(
                "Content-Location: http://h/{}\n{html}\n",
                "=?a".repeat(many)
            )
        },
        &|many| format!("Content-Location: {}\n{html}\n", "=?a?q?a=".repeat(many)),
        // Sections of a parameter, and one of them missing.
        &|many| {
            format!(
                "Content-Type: text/html{}\n\n",
                "; charset*1=x".repeat(many)
            )
        },
        // Space that might be the end of a line.
        &|many| format!("{html}{quoted}\n{}x", " ".repeat(10 * many)),
        &|many| format!("{html}{quoted}\n{}x", "= ".repeat(many)),
        // Parts in parts, and each of them to its end.
        &|many| parts.repeat(many / 10),
        &|many| format!("{inside}{}", "--a\n".repeat(many)),
    ];
    for trap in traps {
        is_linear(&trap(1), MANY, trap, |message| {
            message::examine(
                message.as_bytes(),
                &Context::default(),
                &Settings::default(),
                &mut |_| {},
            );
        });
    }
}

fn damage(message: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(message.len().max(1)).min(message.len());
    let length = random.below(40).min(message.len() - at);
    match random.below(4) {
        0 => drop(message.drain(at..at + length)),
        1 => {
            let copy = message[at..at + length].to_vec();
            let to = random.below(message.len() + 1);
            drop(message.splice(to..to, copy));
        }
        2 => message.truncate(at),
        _ => {
            let byte = random.pick(b"\r\n-=: \t\"'<>\0\xff;?#");
            message.insert(at, byte);
        }
    }
}

/// Fields that count the lines of a body are corrected, however many there are: it is counted once.
#[test]
fn many_fields_with_a_length() {
    for field in ["Lines: 1\n", "Content-Length: 11\n", "Content-MD5: x\n"] {
        let make = |count: usize| {
            let heading = format!(
                "MIME-Version: 1.0\nContent-Type: text/html\n{}",
                field.repeat(count)
            );
            format!("{heading}\n<a href=x>\n{}", "y\n".repeat(count))
        };
        is_linear(field, 80_000, make, |message| {
            let context = Context::retrieved_from("http://h/").unwrap();
            let new = message::rewrite(message.as_bytes(), &context, &Settings::default());
            assert!(new.is_changed());
        });
    }
}
