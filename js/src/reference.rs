//! The references of a document, as the command's JSON has them.

use abslink_html::line_column::Lines;
use abslink_html::{Context, Outcome, Reference};
use serde::Serialize;

use crate::document;
use crate::explain::Explanation;
use crate::failure::Failure;
use crate::options::Options;

/// The fields of `abslink links --format json`, but for the name of the file.
#[derive(Serialize)]
struct Fields<'r> {
    line: usize,
    column: usize,
    start: usize,
    end: usize,
    element: &'r str,
    attribute: &'r str,
    kind: &'static str,
    reference: &'r str,
    absolute: Option<&'r str>,
    base: Option<&'r str>,
    base_from: &'static str,
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    divergent: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<&'r str>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    explanation: Option<Explanation<'r>>,
}

/// What is listed of a document.
pub(crate) struct List<'d> {
    bytes: &'d [u8],
    options: &'d Options,
    /// Whether only what `check` lists is.
    left: bool,
    explained: bool,
}

impl<'d> List<'d> {
    pub(crate) fn new(bytes: &'d [u8], options: &'d Options, left: bool) -> List<'d> {
        List {
            bytes,
            options,
            left,
            explained: false,
        }
    }

    /// The same, with how each reference was resolved.
    pub(crate) fn explained(self) -> List<'d> {
        List {
            explained: true,
            ..self
        }
    }

    /// A JSON array.
    pub(crate) fn of(&self, context: &Context) -> Result<String, Failure> {
        let mut lines = Lines::default();
        let mut units = self.options.is_text.then(|| Units::new(self.bytes));
        let mut json = String::from("[");
        document::examine(self.bytes, context, self.options, &mut |reference| {
            let is_left = reference.to.is_some() || reference.outcome == Outcome::Unresolved;
            if self.left && !is_left {
                return;
            }
            let fields = self.fields(reference, &mut lines, units.as_mut());
            if json.len() > 1 {
                json.push(',');
            }
            // Text and numbers are always JSON.
            json += &serde_json::to_string(&fields).unwrap_or_default();
        })?;
        json.push(']');
        Ok(json)
    }

    fn fields<'r>(
        &self,
        reference: &'r Reference<'r>,
        lines: &mut Lines,
        units: Option<&mut Units<'_>>,
    ) -> Fields<'r> {
        let settings = &self.options.settings;
        let span = &reference.span;
        let at = lines.position(self.bytes, span.start);
        let [start, end] = match units {
            None => [span.start, span.end],
            Some(units) => [span.start, span.end].map(|offset| units.before(offset)),
        };
        // If a browser fails it gets no URL; the field is text all the same.
        let divergent = (reference.divergent)
            .map(|divergence| divergence.browser.as_deref().unwrap_or_default());
        Fields {
            line: at.line,
            column: at.column,
            start,
            end,
            element: reference.element,
            attribute: reference.attribute,
            kind: reference.kind.name(),
            reference: reference.reference,
            absolute: reference.absolute,
            base: reference.base,
            base_from: reference.base_from.name(),
            outcome: reference.outcome.name(),
            divergent,
            to: reference.to.filter(|_| settings.has_forms()),
            explanation: (self.explained).then(|| Explanation::of(reference, settings.resolver)),
        }
    }
}

/// Offsets in a text as JavaScript counts them, in units of UTF-16; the text is passed over once as long as
/// they ascend.
struct Units<'d> {
    bytes: &'d [u8],
    offset: usize,
    units: usize,
}

impl<'d> Units<'d> {
    fn new(bytes: &'d [u8]) -> Units<'d> {
        Units {
            bytes,
            offset: 0,
            units: 0,
        }
    }

    /// How many there are before an offset of bytes.
    fn before(&mut self, offset: usize) -> usize {
        if offset < self.offset {
            *self = Units::new(self.bytes);
        }
        let passed = self.bytes.get(self.offset..offset).unwrap_or_default();
        // A character begins with a byte that is not a continuation byte; one of four bytes has two units.
        let begins = |byte: &&u8| !matches!(byte, 0x80..=0xbf);
        self.units += passed.iter().filter(begins).count();
        self.units += passed.iter().filter(|&&byte| byte >= 0xf0).count();
        self.offset = offset;
        self.units
    }
}
