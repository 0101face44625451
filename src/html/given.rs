//! Documents that are no HTML, whose places are given: style sheets, and feeds, in which their own
//! layer finds them.
//!
//! Such a document has several base URLs: each place comes with the number of its own. Otherwise it
//! takes the way that an HTML document takes.

use std::borrow::Cow;

use encoding_rs::Encoding;

use super::chunk::Chunk;
use super::encoding::{self, Charset, Handling};
use super::growth::{self, Growth, OUTGROWN};
use super::pass::Pass;
use super::places::Places;
use super::sink::Sink;
use super::splice::Edits;
use super::{Reference, Settings, Syntax, Tally};
use crate::base::{Context, Established};

/// The bytes of a document, and how they are read.
pub(crate) struct Given<'d> {
    bytes: &'d [u8],
    charset: Charset<'d>,
    /// The text, where that has to be decoded before anything is found in it.
    decoded: Option<(String, &'static Encoding)>,
    syntax: Syntax,
}

/// What became of the references.
#[derive(Debug, Default)]
pub(crate) struct Gone {
    /// Their outcomes, for each base URL.
    pub(crate) tallies: Vec<Tally>,
    /// Why the document is left as it is.
    pub(crate) left: Option<&'static str>,
    /// At most so many bytes stand where the relative references stood.
    pub(crate) growth: u64,
    edits: Edits,
}

/// A base URL, and what is known besides about what is resolved against it.
pub(crate) type Base = (Context, Established);

impl<'d> Given<'d> {
    /// An error where the document cannot be decoded.
    pub(super) fn new(
        bytes: &'d [u8],
        charset: Charset<'d>,
        syntax: Syntax,
    ) -> Result<Given<'d>, &'static str> {
        let decoded = match charset.handling() {
            Handling::Leave(reason) => return Err(reason),
            Handling::Bytes => None,
            Handling::Transcode(encoding) => {
                let text = encoding::transcode(&bytes[charset.bom..], encoding);
                Some((text.ok_or(encoding::NOT_VALID)?, encoding))
            }
        };
        Ok(Given {
            bytes,
            charset,
            decoded,
            syntax,
        })
    }

    /// The document in an encoding that ASCII is a part of: what places are counted in.
    pub(crate) fn markup(&self) -> &[u8] {
        match &self.decoded {
            Some((text, _)) => text.as_bytes(),
            None => self.bytes,
        }
    }

    /// The charset of [`Given::markup`].
    pub(super) fn charset(&self) -> Cow<'_, Charset<'_>> {
        match &self.decoded {
            Some((text, encoding)) => Cow::Owned(Charset::transcoded(text, encoding)),
            None => Cow::Borrowed(&self.charset),
        }
    }

    /// What the document is in.
    pub(super) fn encoding(&self) -> &'static Encoding {
        self.charset.encoding()
    }

    /// Resolves the references in `places`, each against the base URL whose number `numbers` has for
    /// its place.
    pub(super) fn go(
        &self,
        places: &Places,
        numbers: &[usize],
        bases: &[Base],
        settings: &Settings,
        each: Option<&mut dyn FnMut(&Reference<'_>)>,
        rewrites: bool,
    ) -> Gone {
        let mut gone = Gone {
            tallies: vec![Tally::default(); bases.len()],
            ..Gone::default()
        };
        let mut edits = Edits::default();
        let mut shown = each.map(|each| move |reference: &Reference<'_>| each(reference));
        let shown = shown.as_mut();
        let each = shown.map(|each| each as &mut dyn FnMut(&Reference<'_>));
        let mut sink = Sink::new(each, rewrites.then_some(&mut edits));
        match &self.decoded {
            None => self.runs(places, numbers, bases, settings, &mut gone, &mut sink),
            Some((text, encoding)) => {
                let mut offsets = encoding::Offsets::new(text, encoding, self.charset.bom);
                let mut new = Edits::default();
                sink.inside(
                    |span| offsets.source(span.start)..offsets.source(span.end),
                    &mut new,
                    |sink| self.runs(places, numbers, bases, settings, &mut gone, sink),
                );
                new.sort();
                if let (Some(edits), false) = (&mut sink.edits, new.is_empty()) {
                    let all = self.charset.bom..self.bytes.len();
                    edits.push(all, |out| out.push_str(&new.applied(text)));
                }
            }
        }
        edits.sort();
        if gone.left.is_none() {
            gone.edits = edits;
        } else {
            gone.tallies.fill(Tally::default());
        }
        gone
    }

    /// Goes through the places that have the same base URL at once.
    fn runs(
        &self,
        places: &Places,
        numbers: &[usize],
        bases: &[Base],
        settings: &Settings,
        gone: &mut Gone,
        sink: &mut Sink<'_>,
    ) {
        let charset = self.charset();
        let chunk = Chunk {
            bytes: self.markup(),
            charset: &charset,
            syntax: self.syntax,
            start: 0,
        };
        let mut growth = Growth::up_to(growth::limit(self.bytes.len() as u64));
        let mut allowance = Default::default();
        let mut start = 0;
        for run in numbers.chunk_by(|one, other| one == other) {
            let within = start..start + run.len();
            start = within.end;
            let (context, established) = &bases[run[0]];
            let mut pass = Pass::new(settings, context, 0, growth).with_allowance(allowance);
            pass.part(established, &chunk, places, within, sink);
            gone.tallies[run[0]].merge(&pass.tally);
            (growth, allowance) = (pass.growth, pass.allowance());
            if growth.is_exceeded() {
                gone.left = Some(OUTGROWN);
                return;
            }
        }
        gone.growth = growth.used;
    }

    /// The new document, if anything changes.
    pub(crate) fn applied(&self, gone: &Gone) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        (!gone.edits.is_empty()).then(|| {
            gone.edits.apply(self.bytes, &self.charset, &mut out);
            out
        })
    }
}
