//! Header fields that say something about a body: what becomes of them when the body changes.

use super::entity::Entity;
use super::frame::Frame;
use super::framing::Framing;
use super::mbox::meant;
use crate::heading::Heading;
use abslink_html::{Edit, sort_by_number};

/// By how much a body has grown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Growth {
    changed: bool,
    bytes: i64,
    lines: i64,
}

impl Growth {
    fn add(&mut self, other: Growth) {
        self.changed |= other.changed;
        self.bytes += other.bytes;
        self.lines += other.lines;
    }

    fn of(message: &[u8], (old, new): &Edit) -> Growth {
        let lines = |bytes: &[u8]| memchr::memchr_iter(b'\n', bytes).count() as i64;
        let old = &message[old.clone()];
        Growth {
            changed: true,
            bytes: new.len() as i64 - old.len() as i64,
            lines: lines(new) - lines(old),
        }
    }
}

/// What changed bodies make of the headings that are about them, in ascending order, and how many DKIM signatures are
/// about a changed body. `bodies` are edits of whole bodies, each with the index of its entity. What counts the body of a message in an
/// mbox follows only if it was right: such fields are often left from before the message was put there.
pub(super) fn follow(
    message: &[u8],
    entities: &[Entity],
    bodies: &[(usize, Edit)],
    frame: &Frame,
) -> (Vec<Edit>, usize) {
    let (mut edits, mut broken_signatures) = (Vec::new(), 0);
    if bodies.is_empty() {
        return (edits, broken_signatures);
    }
    let mut growth = vec![Growth::default(); entities.len()];
    for (index, edit) in bodies {
        growth[*index].add(Growth::of(message, edit));
    }
    // From the innermost out: what changes in a heading changes the body of what encloses it.
    for (index, entity) in entities.iter().enumerate().rev() {
        let mut grown = growth[index];
        if grown.changed {
            let is_of_mbox = entity.parent.is_none() && frame.framing == Framing::Mbox;
            for edit in heading(message, entity, grown, is_of_mbox, &mut broken_signatures) {
                grown.add(Growth::of(message, &edit));
                edits.push(edit);
            }
        }
        if let Some(parent) = entity.parent {
            growth[parent].add(grown);
        }
    }
    sort_by_number(&mut edits, |(range, _)| range.start);
    (edits, broken_signatures)
}

/// The edits of one heading whose body has grown. In an mbox (`is_of_mbox`) a length is believed where the message was cut
/// by it or might have been, and lines may be counted with the empty one behind the message.
fn heading(
    message: &[u8],
    entity: &Entity,
    grown: Growth,
    is_of_mbox: bool,
    broken_signatures: &mut usize,
) -> Vec<Edit> {
    let mut edits = Vec::new();
    let body = &message[entity.body.clone()];
    // Counted once: a heading may have many such fields.
    let mut counted = None;
    let mut lines = || *counted.get_or_insert_with(|| memchr::memchr_iter(b'\n', body).count());
    for field in Heading::new(message, entity.heading.clone()).fields() {
        let text = std::str::from_utf8(field.value.trim_ascii()).ok();
        let old = text.and_then(|value| value.parse::<i64>().ok());
        let at = old.and_then(|old| usize::try_from(old).ok());
        // By as much as the body has grown, whatever the program that wrote it counts.
        let (by, is_right) = match () {
            // A checksum of the old body (RFC 1864).
            () if field.is("Content-MD5") => {
                edits.push((field.range, Vec::new()));
                continue;
            }
            () if field.is("Content-Length") => {
                let rest = || message.get(entity.body.start.checked_add(at?)?..);
                let is_believed = || rest().is_some_and(|it| meant(it).contains(&it.len()));
                (grown.bytes, !is_of_mbox || is_believed())
            }
            () if field.is("Lines") => {
                let lines = lines();
                let is_counted = |at| (lines..=lines + 1).contains(&at);
                (grown.lines, !is_of_mbox || at.is_some_and(is_counted))
            }
            () => {
                *broken_signatures += usize::from(field.is("DKIM-Signature"));
                continue;
            }
        };
        let new = old.filter(|_| is_right);
        let new = new.and_then(|old| old.checked_add(by));
        if let Some(new) = new.filter(|_| by != 0) {
            edits.push((field.value_range, format!(" {}", new.max(0)).into_bytes()));
        }
    }
    edits
}

#[cfg(test)]
mod tests {
    use super::super::entity::entities;
    use super::super::transfer::splice;
    use super::*;

    #[track_caller]
    fn followed(
        message: &str,
        expected: &str,
        broken_signatures: usize,
        framing: Framing,
        blank: usize,
    ) {
        let frame = Frame {
            message: 0..message.len(),
            framing,
        };
        let file = message.to_owned() + ["", "\n", "\r\n"][blank];
        let entities = entities(file.as_bytes(), frame.message.clone());
        let last = entities.len() - 1;
        let body = (last, (entities[last].body.clone(), b"new\nbody".to_vec()));
        let (mut edits, broken) = follow(
            file.as_bytes(),
            &entities,
            std::slice::from_ref(&body),
            &frame,
        );
        edits.push(body.1);
        let new = splice(message.as_bytes(), &edits);
        assert_eq!(String::from_utf8_lossy(&new), expected);
        assert_eq!(broken, broken_signatures);
    }

    #[test]
    fn lengths_grow_and_checksums_go() {
        followed(
            "Content-MD5: x=\n =\nContent-Length:3\nLines: 0\nX: y\n\nold",
            "Content-Length: 8\nLines: 1\nX: y\n\nnew\nbody",
            0,
            Framing::Single,
            0,
        );
        followed(
            "Lines: many\n\nold",
            "Lines: many\n\nnew\nbody",
            0,
            Framing::Single,
            0,
        );
    }

    #[test]
    fn what_encloses_the_body_grows_with_its_heading() {
        followed(
            "DKIM-Signature: v=1\nContent-Length: 40\nContent-Type: message/rfc822\n\n\
             Content-Length: 9\nContent-MD5: x\n\nold",
            "DKIM-Signature: v=1\nContent-Length: 31\nContent-Type: message/rfc822\n\n\
             Content-Length: 14\n\nnew\nbody",
            1,
            Framing::Single,
            0,
        );
    }

    #[test]
    fn in_an_mbox_only_what_was_right_follows() {
        for (blank, lengths) in [(1, [3, 4]), (2, [3, 5])] {
            for length in lengths {
                let old = format!("Content-Length: {length}\nLines: 1\n\nold");
                let new = format!("Content-Length: {}\nLines: 2\n\nnew\nbody", length + 5);
                followed(&old, &new, 0, Framing::Mbox, blank);
            }
        }
        let wrong = "Content-Length: 2\nLines: 7\n\n";
        followed(
            &format!("{wrong}old"),
            &format!("{wrong}new\nbody"),
            0,
            Framing::Mbox,
            1,
        );
    }

    #[test]
    fn each_signature_counts() {
        let signed = "DKIM-Signature: a\nX: y\nDKIM-Signature: b\n\n";
        followed(
            &format!("{signed}old"),
            &format!("{signed}new\nbody"),
            2,
            Framing::Single,
            0,
        );
    }
}
