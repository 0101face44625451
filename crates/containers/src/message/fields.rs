//! Header fields that say something about a body: what becomes of them when the body changes.

use super::entity::Entity;
use crate::heading::Heading;
use abslink_html::Edit;

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

/// What changed bodies make of the headings that are about them.
#[derive(Debug, Default)]
pub(super) struct Fields {
    /// In ascending order.
    pub(super) edits: Vec<Edit>,
    /// Whether a `DKIM-Signature` is about a changed body.
    pub(super) breaks_dkim: bool,
}

/// `bodies` are edits of whole bodies, each with the index of its entity.
pub(super) fn follow(message: &[u8], entities: &[Entity], bodies: &[(usize, Edit)]) -> Fields {
    let mut fields = Fields::default();
    if bodies.is_empty() {
        return fields;
    }
    let mut growth = vec![Growth::default(); entities.len()];
    for (index, edit) in bodies {
        growth[*index].add(Growth::of(message, edit));
    }
    // From the innermost out: what changes in a heading changes the body of what encloses it.
    for (index, entity) in entities.iter().enumerate().rev() {
        let mut grown = growth[index];
        if grown.changed {
            for edit in heading(message, entity, grown, &mut fields.breaks_dkim) {
                grown.add(Growth::of(message, &edit));
                fields.edits.push(edit);
            }
        }
        if let Some(parent) = entity.parent {
            growth[parent].add(grown);
        }
    }
    fields.edits.sort_by_key(|(range, _)| range.start);
    fields
}

/// The edits of one heading whose body has grown.
fn heading(message: &[u8], entity: &Entity, grown: Growth, breaks_dkim: &mut bool) -> Vec<Edit> {
    let mut edits = Vec::new();
    for field in Heading::new(message, entity.heading.clone()).fields() {
        let by = match () {
            // A checksum of the old body (RFC 1864).
            () if field.is("Content-MD5") => {
                edits.push((field.range, Vec::new()));
                continue;
            }
            () if field.is("Content-Length") => grown.bytes,
            () if field.is("Lines") => grown.lines,
            () => {
                *breaks_dkim |= field.is("DKIM-Signature");
                continue;
            }
        };
        // By as much as the body has grown, whatever the program that wrote it counts.
        let old = std::str::from_utf8(field.value.trim_ascii())
            .ok()
            .and_then(|value| value.parse::<i64>().ok());
        if let Some(new) = old.and_then(|old| old.checked_add(by)).filter(|_| by != 0) {
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
    fn followed(message: &str, expected: &str, breaks_dkim: bool) {
        let entities = entities(message.as_bytes());
        let last = entities.len() - 1;
        let body = (last, (entities[last].body.clone(), b"new\nbody".to_vec()));
        let fields = follow(message.as_bytes(), &entities, std::slice::from_ref(&body));
        let mut edits = fields.edits;
        edits.push(body.1);
        let new = splice(message.as_bytes(), &edits);
        assert_eq!(String::from_utf8_lossy(&new), expected);
        assert_eq!(fields.breaks_dkim, breaks_dkim);
    }

    #[test]
    fn lengths_grow_and_checksums_go() {
        followed(
            "Content-MD5: x=\n =\nContent-Length:3\nLines: 0\nX: y\n\nold",
            "Content-Length: 8\nLines: 1\nX: y\n\nnew\nbody",
            false,
        );
        followed("Lines: many\n\nold", "Lines: many\n\nnew\nbody", false);
    }

    #[test]
    fn what_encloses_the_body_grows_with_its_heading() {
        followed(
            "DKIM-Signature: v=1\nContent-Length: 40\nContent-Type: message/rfc822\n\n\
             Content-Length: 9\nContent-MD5: x\n\nold",
            "DKIM-Signature: v=1\nContent-Length: 31\nContent-Type: message/rfc822\n\n\
             Content-Length: 14\n\nnew\nbody",
            true,
        );
    }
}
