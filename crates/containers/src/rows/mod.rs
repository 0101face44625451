//! Documents in the fields of data: JSON, JSON Lines, CSV and TSV.
//!
//! ```text
//! cut (file -> rows) -> pointer, separated (row -> fields) -> values (field -> text -> edits -> field)
//! ```
//!
//! A row is copied but for what is edited in the texts of its fields: order, blanks, escapes, quotes and
//! numbers stay. Which base URL a field has is up to the caller.

mod cut;
mod field;
#[cfg(feature = "archives")]
mod packed;
mod pointer;
mod separated;

use std::borrow::Cow;
use std::ops::Range;
use std::rc::Rc;

use abslink_html::UnquotedField;
use pointer::DocumentString;
use separated::{Cell, End};
use serde::de::IgnoredAny;
use smallvec::smallvec;

use crate::values::decode::DecodedField;
use crate::values::may_hold_others;
use crate::values::spelling::{SpelledField, Spelling};
use crate::values::steps::{self, Step, Target};
pub use crate::values::{Holds, NewText, ValueError};
pub use field::{Field, ReadField};

pub use cut::{Chunk, Cutter, LONGEST, Row};
#[cfg(feature = "archives")]
pub use packed::{Compressor, packing, unpacked};

/// How many columns a file may have: each takes memory for each row.
const MOST_COLUMNS: usize = 1 << 20;

/// How rows are spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One JSON value (RFC 8259), which is one row.
    Json,
    /// A JSON value in each line.
    JsonLines,
    /// Fields between such delimiters (RFC 4180). The first record has their names.
    Separated(u8),
}

/// What fields hold, by the name that options and settings have for it.
const KINDS: &[(&str, Holds)] = &[
    ("html", Holds::Html),
    ("xhtml", Holds::Xhtml),
    ("feed", Holds::Feed),
    #[cfg(feature = "markdown")]
    ("markdown", Holds::Markdown),
    ("css", Holds::StyleSheet),
    ("url", Holds::Url),
    ("urls", Holds::Urls),
];

/// Why a text names no field.
///
/// # Examples
/// ```
/// use abslink_containers::rows::field;
///
/// let error = field("image:ulr").unwrap_err();
/// assert!(error.to_string().starts_with("`ulr` is not a kind of field"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a kind of field: html, xhtml, markdown, feed, css, url or urls; a name with a colon needs its kind, as in g:link:url"
)]
pub struct UnknownKind(String);

/// Reads `NAME[:KIND]`: a field, and what it holds, which is HTML if there is no KIND. A name with a colon needs
/// one, so that a misspelled KIND is not taken for a part of the name.
///
/// # Errors
/// There is no such KIND.
///
/// # Examples
/// ```
/// use abslink_containers::rows::{Holds, field};
///
/// assert_eq!(field("/posts/*/html"), Ok((Holds::Html, "/posts/*/html".to_owned())));
/// assert_eq!(field("g:link:url"), Ok((Holds::Url, "g:link".to_owned())));
/// ```
pub fn field(written: &str) -> Result<(Holds, String), UnknownKind> {
    let (name, kind) = written.rsplit_once(':').unwrap_or((written, "html"));
    let known = KINDS.iter().find(|(known, _)| *known == kind);
    let (_, holds) = known.ok_or_else(|| UnknownKind(kind.to_owned()))?;
    Ok((*holds, name.to_owned()))
}

/// Which fields of a row hold what. In JSON a field is named by JSON Pointer (RFC 6901), with `*` for every
/// element, or by the name of a member at the top; in CSV by the name of its column.
///
/// # Examples
/// ```
/// use abslink_containers::rows::{Fields, Holds};
///
/// let documents = vec![(Holds::Html, "/posts/*/html".to_owned())];
/// let url = Some("/posts/*/url".to_owned());
/// let fields = Fields { documents, url, delimiter: None };
/// assert!(!fields.is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fields {
    /// What holds documents. The first that names a field counts.
    pub documents: Vec<(Holds, String)>,
    /// The field with the URL that the row's documents were retrieved from.
    pub url: Option<String>,
    /// What stands between the fields of CSV, if that is not what the file's kind says.
    pub delimiter: Option<u8>,
}

impl Fields {
    /// How rows of such a file are spelled, with the delimiter that was given.
    pub fn spelled(&self, format: Format) -> Format {
        match (format, self.delimiter) {
            (Format::Separated(_), Some(delimiter)) => Format::Separated(delimiter),
            (format, _) => format,
        }
    }

    /// Whether no field holds a document.
    pub fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }
}

/// Why a row is copied as it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unchanged: {what} (line {line} of the row, column {column})")]
pub struct RowError {
    /// The line in the row, from 1.
    pub line: usize,
    /// The column, from 1, in bytes.
    pub column: usize,
    /// What is wrong there.
    pub what: String,
}

impl RowError {
    fn at(row: &[u8], offset: usize, what: impl Into<String>) -> RowError {
        let before = &row[..offset.min(row.len())];
        let start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
        RowError {
            line: 1 + memchr::memchr_iter(b'\n', before).count(),
            column: 1 + before.len() - start,
            what: what.into(),
        }
    }
}

/// The fields of a file's rows.
#[derive(Debug)]
pub struct Table {
    format: Format,
    fields: Fields,
    /// Those of the documents, then that of the URL.
    pointers: Vec<Vec<Step>>,
    /// The names of the columns.
    header: Vec<String>,
    /// Which columns hold documents, each with those of the fields that name it, or what is in a value in it.
    columns: Vec<(usize, Vec<usize>)>,
    /// The column with the URL.
    url: Option<usize>,
}

impl Table {
    pub fn new(format: Format, fields: &Fields) -> Table {
        let documents = fields.documents.iter().map(|(_, name)| name);
        let all = documents.chain(&fields.url);
        Table {
            format,
            fields: fields.clone(),
            pointers: all.map(|name| steps::path(name)).collect(),
            header: Vec::new(),
            columns: Vec::new(),
            url: None,
        }
    }

    /// Reads the record with the names of the columns.
    ///
    /// # Errors
    /// Why it is none.
    pub fn header(&mut self, record: &[u8]) -> Result<(), RowError> {
        let Format::Separated(delimiter) = self.format else {
            return Ok(());
        };
        let mark = cut::mark(record);
        text(record)?;
        let (cells, count) = cells(&record[mark..], delimiter, MOST_COLUMNS)?;
        if count > cells.len() {
            let what = format!("it names {count} columns, and {MOST_COLUMNS} is the most");
            return Err(RowError::at(record, 0, what));
        }
        let names = cells.into_iter().map(|cell| {
            let (_, name) = cell.spelled(&record[mark..], delimiter)?;
            Ok(name.into_owned())
        });
        self.header = names.collect::<Result<_, RowError>>()?;
        let (fields, header) = (&self.fields, self.header.iter().enumerate());
        let columns = header.clone().map(|(column, name)| {
            let first = fields.documents.iter().position(|it| it.1 == *name);
            let pointers = self
                .pointers
                .iter()
                .take(fields.documents.len())
                .enumerate();
            let inside = pointers.filter(|(field, steps)| {
                fields.documents[*field].1.starts_with('/')
                    && matches!(&steps[..], [Step::Name(first), _, ..] if first == name)
            });
            let inside = inside
                .map(|(field, _)| field)
                .filter(|field| Some(*field) != first);
            (column, first.into_iter().chain(inside).collect::<Vec<_>>())
        });
        self.columns = columns.filter(|(_, fields)| !fields.is_empty()).collect();
        let mut urls = header.filter(|(_, name)| Some(*name) == fields.url.as_ref());
        self.url = urls.next().map(|(column, _)| column);
        match urls.next() {
            // Readers differ in which one they take.
            Some((_, name)) => {
                let what = format!("two columns are called {name:?}, so the URL is ambiguous");
                Err(RowError::at(record, 0, what))
            }
            None => Ok(()),
        }
    }

    /// Whether a column is named that holds documents.
    pub fn has_columns(&self) -> bool {
        !self.columns.is_empty()
    }

    /// Whether a column is named that holds the URL.
    pub fn has_url(&self) -> bool {
        self.url.is_some()
    }

    /// The fields of a row that hold documents, and whether there is one for the URL, if only with `null` in it.
    ///
    /// # Errors
    /// Why the row cannot be read.
    pub fn fields<'r>(&'r self, row: &'r [u8]) -> Result<(Vec<Field<'r>>, bool), RowError> {
        match self.format {
            Format::Separated(delimiter) => self.columns(row, delimiter),
            Format::Json | Format::JsonLines => self.members(row),
        }
    }

    /// Where the pointers lead: those of the documents, then that of the URL.
    fn targets(&self) -> impl Iterator<Item = Target<'_>> {
        let holds = self.fields.documents.iter().map(|(holds, _)| *holds);
        let all = self.pointers.iter().zip(holds.chain([Holds::Url]));
        all.enumerate().map(|(field, (steps, holds))| Target {
            steps,
            holds,
            field,
        })
    }

    fn members<'r>(&'r self, row: &'r [u8]) -> Result<(Vec<Field<'r>>, bool), RowError> {
        let mark = cut::mark(row);
        let json = &row[mark..];
        if self.format == Format::JsonLines && json.iter().all(u8::is_ascii_whitespace) {
            return Ok((Vec::new(), false));
        }
        let url = self.fields.documents.len();
        let mut found = pointer::find(json, &self.targets().collect::<Vec<_>>(), url);
        // What was decoded is nearly all of a row, and need not be read a second time.
        let rest = without(json, &found.documents);
        let url_of = |span: &Range<usize>| {
            let mut decoded = DecodedField::default();
            decoded.read_json(&json[span.start..])?;
            Some(SpelledField::new(&json[span.clone()], Spelling::Json, decoded)?.1)
        };
        let documents = std::mem::take(&mut found.documents);
        let fields = documents.into_iter().map(|matched| {
            let name = &self.fields.documents[matched.targets[0].field].1;
            // A URL is not relative to itself.
            let url = found.url_of(&matched.elements);
            let url = url.filter(|url| matched.parts.iter().all(|part| part.0 != **url));
            let url = match url {
                Some(url) => Some(url_of(url)?),
                None => None,
            };
            let parts = matched.parts.into_iter().map(|(span, decoded)| {
                let inside = &json[span.clone()];
                let (spelled, text) = SpelledField::new(inside, Spelling::Json, decoded)?;
                Some((mark + span.start, spelled, text))
            });
            let parts = parts.collect::<Option<_>>()?;
            let mut field = Field::new(name, matched.targets, url, parts);
            field.element = matched.elements.first().map(|&first| first as u64 + 1);
            Some(field)
        });
        let fields: Option<Vec<_>> = fields.collect();
        // It does not look whether strings that it ignores are UTF-8.
        let rest = str::from_utf8(&rest).ok();
        let is_json = rest.is_some_and(|rest| serde_json::from_str::<IgnoredAny>(rest).is_ok());
        match fields.filter(|_| is_json) {
            Some(fields) => Ok((fields, found.has_url)),
            None => Err(no_json(&text(row)?[mark..])),
        }
    }

    fn columns<'r>(
        &'r self,
        row: &'r [u8],
        delimiter: u8,
    ) -> Result<(Vec<Field<'r>>, bool), RowError> {
        let should = self.header.len();
        let (cells, is) = cells(row, delimiter, should)?;
        text(row)?;
        let is_blank = |cell: &Cell| cell.span.is_empty() && !cell.is_quoted;
        if is != should {
            // Readers pass over empty lines.
            if is == 1 && cells.iter().all(is_blank) {
                return Ok((Vec::new(), false));
            }
            let what = format!("it has {is} fields, and the header has {should}");
            return Err(RowError::at(row, 0, what));
        }
        let url = match self.url {
            Some(column) => Some(cells[column].spelled(row, delimiter)?.1),
            None => None,
        };
        let mut fields = Vec::with_capacity(self.columns.len());
        for (column, named) in &self.columns {
            let cell = &cells[*column];
            let (spelled, text) = cell.spelled(row, delimiter)?;
            let targets = named.iter().filter_map(|&field| {
                let (holds, name) = &self.fields.documents[field];
                let is_inside = *name != self.header[*column];
                let steps = self.pointers[field].get(1..).unwrap_or_default();
                let holds = *holds;
                let target = Target {
                    steps,
                    holds,
                    field,
                };
                match is_inside {
                    true => may_hold_others(&text).then_some(target),
                    false => Some(target.reached()),
                }
            });
            let targets: Rc<[Target<'_>]> = targets.collect();
            if targets.is_empty() {
                continue;
            }
            // A URL is not relative to itself.
            let url = url.clone().filter(|_| self.url != Some(*column));
            let name = &self.fields.documents[named[0]].1;
            let part = (cell.span.start, spelled, text);
            fields.push(Field::new(name, targets, url, smallvec![part]));
        }
        Ok((fields, self.has_url()))
    }

    /// The names of the fields that a row has, for who named others.
    pub fn names(&self, row: &[u8]) -> Vec<String> {
        /// More help nobody.
        const MOST: usize = 20;
        match self.format {
            Format::Separated(_) => self.header.iter().take(MOST).cloned().collect(),
            _ => pointer::names(row, MOST),
        }
    }
}

impl Cell {
    /// How it is spelled, and what it says.
    fn spelled<'r>(
        &self,
        row: &'r [u8],
        delimiter: u8,
    ) -> Result<(SpelledField<'r>, Cow<'r, str>), RowError> {
        let spelling = if self.is_quoted {
            Spelling::Quoted
        } else {
            Spelling::Unquoted(UnquotedField { delimiter })
        };
        let spelled = SpelledField::separated(&row[self.span.clone()], spelling);
        spelled.ok_or_else(|| not_utf8(row, self.span.start))
    }
}

fn text(row: &[u8]) -> Result<&str, RowError> {
    str::from_utf8(row).map_err(|error| not_utf8(row, error.valid_up_to()))
}

fn not_utf8(row: &[u8], at: usize) -> RowError {
    RowError::at(row, at, "not UTF-8")
}

/// The text without what these strings say.
fn without<'j>(json: &'j [u8], strings: &[DocumentString<'_>]) -> Cow<'j, [u8]> {
    if strings.is_empty() {
        return Cow::Borrowed(json);
    }
    let parts = strings.iter().flat_map(|matched| &matched.parts);
    let strings = parts.map(|(span, _)| (span.clone(), ()));
    let said: usize = strings.clone().map(|(span, ())| span.len()).sum();
    let mut rest = Vec::with_capacity(json.len() - said);
    abslink_html::splice(json, strings, &mut rest, |(), _| {});
    Cow::Owned(rest)
}

/// Why such a row is left.
fn no_json(json: &str) -> RowError {
    // The line break of a row is none of its text.
    match crate::values::json::check(json.trim_ascii_end()) {
        Err(wrong) => RowError::at(json.as_bytes(), wrong.at, wrong.what),
        Ok(()) => RowError::at(json.as_bytes(), 0, "not JSON"),
    }
}

/// The first fields of a record, and how many there are.
fn cells(record: &[u8], delimiter: u8, most: usize) -> Result<(Vec<Cell>, usize), RowError> {
    let (mut cells, mut count) = (Vec::new(), 0);
    let end = separated::record(record, delimiter, true, |cell| {
        count += 1;
        if count <= most {
            cells.push(cell);
        }
    });
    match end {
        End::At(end) if end == record.len() => Ok((cells, count)),
        End::Unclosed(at) => Err(unclosed(record, at)),
        _ => Err(RowError::at(record, record.len(), "it ends too late")),
    }
}

/// Why such a row is left.
pub fn unclosed(row: &[u8], at: usize) -> RowError {
    RowError::at(
        row,
        at,
        "a quoted field is not closed, or something stands behind its closing quote",
    )
}

/// Why a row is left that is longer than [`LONGEST`].
pub fn too_long() -> RowError {
    RowError::at(b"", 0, "longer than 256 MiB")
}

#[cfg(test)]
mod tests;
