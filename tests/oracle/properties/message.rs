//! What holds for every message, as [`super::check`] has it for documents.

use abslink::message::{self, Reason};
use abslink::{BaseUrl, Context, Settings, Syntax, rewrite_bytes};

use super::check::{Checked, link, same};
use crate::oracle::bytes;
use crate::support::links::Link;

/// A message: its documents stay where they are, each reference becomes what was announced, a
/// second run changes nothing, and where nothing is encoded, nothing but references changes.
pub(crate) fn message(input: &[u8]) -> Checked {
    let placed = Context::retrieved_from("https://h/d/m.eml").unwrap_or_default();
    for context in [Context::default(), placed] {
        one_way(input, &context)?;
    }
    Ok(())
}

fn one_way(input: &[u8], context: &Context) -> Checked {
    let (before, sections) = examined(input, context);
    let (output, refused) = rewritten(input, context);
    let (twice, _) = rewritten(&output, context);
    same("the second run", shown(&twice), shown(&output))?;
    let (after, sections_after) = examined(&output, context);
    same("documents", sections_after, sections)?;
    same("number of references", after.len(), before.len())?;
    for (x, y) in before.iter().zip(&after) {
        if x.outcome != "relative" {
            same("what stays", y.reference.as_str(), &x.reference)?;
            same("its outcome", &y.outcome, &x.outcome)?;
        }
    }
    let is_plain = |word: &str| {
        let lower = input.to_ascii_lowercase();
        memchr::memmem::find(&lower, word.as_bytes()).is_none()
    };
    let encoded_or_counted = ["base64", "quoted", "content-md5", "content-length", "lines"];
    if !refused && encoded_or_counted.into_iter().all(is_plain) {
        bytes::outside(input, &before, &output, &after)?;
        for (x, y) in before.iter().zip(&after) {
            if x.outcome != "relative" {
                let (old, new) = (&input[x.start..x.end], &output[y.start..y.end]);
                same("the bytes of what stays", shown(new), shown(old))?;
            }
        }
    }
    Ok(())
}

/// A document in a message by its own, spelled in each transfer encoding by these bytes: the
/// octets afterwards are those that [`html::rewrite`] makes of the octets before.
pub(crate) fn transfer(body: &[u8]) -> Checked {
    for (name, decode) in [
        ("7bit", octets as fn(&[u8]) -> Option<Vec<u8>>),
        ("binary", octets),
        ("quoted-printable", from_quoted_printable),
        ("base64", from_base64),
    ] {
        let heading = format!(
            "Content-Base: http://h/a/\r\nContent-Type: text/html\r\n\
             Content-Transfer-Encoding: {name}\r\n\r\n"
        );
        let input = [heading.as_bytes(), body].concat();
        let (output, refused) = rewritten(&input, &Context::default());
        let Some((before, new)) = decode(body).zip(output.strip_prefix(heading.as_bytes())) else {
            same("what cannot be decoded", shown(&output), shown(&input))?;
            continue;
        };
        let expected = if refused { before } else { document(&before) };
        let found = decode(new).unwrap_or_default();
        same(name, shown(&found), shown(&expected))?;
        let long = |body: &[u8]| {
            let lines = body.split(|&byte| byte == b'\n');
            lines
                .filter(|line| line.trim_ascii_end().len() > 76)
                .count()
        };
        if matches!(name, "quoted-printable" | "base64") && long(new) > long(body) {
            return Err(format!("{name}: a line is too long: {}", shown(new)));
        }
    }
    Ok(())
}

/// What abslink makes of the document alone.
fn document(octets: &[u8]) -> Vec<u8> {
    let mut context = Context::default();
    context.entity = BaseUrl::parse("http://h/a/").ok();
    (rewrite_bytes(octets, Syntax::Html, &context, &Settings::default()).document).into_owned()
}

fn octets(body: &[u8]) -> Option<Vec<u8>> {
    Some(body.to_vec())
}

/// RFC 2045 §6.7, line by line. An `=` that begins nothing stands for itself.
fn from_quoted_printable(body: &[u8]) -> Option<Vec<u8>> {
    let mut octets = Vec::new();
    for line in body.split_inclusive(|&byte| byte == b'\n') {
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        let text = match line.len() > text.len() {
            true => text.strip_suffix(b"\r").unwrap_or(text),
            false => text,
        };
        let line_end = &line[text.len()..];
        let space = text
            .iter()
            .rev()
            .take_while(|&&byte| byte == b' ' || byte == b'\t');
        let text = &text[..text.len() - space.count()];
        let (text, line_end) = match text.strip_suffix(b"=") {
            Some(text) => (text, &b""[..]),
            None => (text, line_end),
        };
        let mut at = 0;
        while let Some(&byte) = text.get(at) {
            let digits = text.get(at + 1..at + 3).filter(|_| byte == b'=');
            let digits = digits.and_then(|digits| std::str::from_utf8(digits).ok());
            let digits = digits.filter(|digits| !digits.starts_with('+'));
            let escaped = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
            octets.push(escaped.unwrap_or(byte));
            at += if escaped.is_some() { 3 } else { 1 };
        }
        octets.extend_from_slice(line_end);
    }
    Some(octets)
}

/// RFC 2045 §6.8, digit by digit. `None` for what has other characters, or digits after the end.
fn from_base64(body: &[u8]) -> Option<Vec<u8>> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let text: Vec<u8> = body
        .iter()
        .copied()
        .filter(|byte| !byte.is_ascii_whitespace())
        .collect();
    let padding = text.iter().rev().take_while(|&&byte| byte == b'=').count();
    let digits = &text[..text.len() - padding];
    // Padding may be missing.
    if digits.len() % 4 == 1 || padding > (4 - digits.len() % 4) % 4 {
        return None;
    }
    let mut octets = Vec::new();
    let (mut bits, mut count) = (0_u32, 0);
    for digit in digits {
        let value = DIGITS.iter().position(|known| known == digit)?;
        bits = bits << 6 | value as u32;
        count += 6;
        if count >= 8 {
            count -= 8;
            octets.push((bits >> count) as u8);
        }
    }
    Some(octets)
}

fn shown(bytes: &[u8]) -> String {
    bytes.escape_ascii().to_string()
}

/// Its references, and its documents by their numbers.
pub(crate) fn examined(input: &[u8], context: &Context) -> (Vec<Link>, Vec<String>) {
    let mut links = Vec::new();
    let html = Settings::default();
    let examined = message::examine(input, context, &html, &mut |found| {
        links.push(link(found));
    });
    let documents = examined.documents.into_iter();
    (links, documents.map(|document| document.number).collect())
}

/// The new message, and whether some document could not be written.
pub(crate) fn rewritten(input: &[u8], context: &Context) -> (Vec<u8>, bool) {
    let rewritten = message::rewrite(input, context, &Settings::default());
    let unwritten = |reason: &Reason| matches!(reason, Reason::NotSevenBit | Reason::Boundary);
    let mut refusals = rewritten.examined.refusals.iter();
    let refused = refusals.any(|refusal| unwritten(&refusal.reason));
    (rewritten.document.into_owned(), refused)
}
