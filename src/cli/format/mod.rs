//! What a run finds, on standard output, one file a format.
//!
//! | format | `check`, `links`, `base` | `rewrite` |
//! |---|---|---|
//! | [`text`] | a line or a few for each item | nothing: documents or a diff may go there |
//! | [`json`] | a line for each item | the summary, as one object |
//!
//! Another format is a file here with a [`Printer`], and a line in [`Listing::new`].

mod json;
mod text;

use std::io::{self, Write};
use std::path::Path;

use crate::batch::Located;
use crate::html::Examined;

use super::args::Format;
use super::exit;
use super::finished::Finished;
pub(crate) use json::Summary;

/// Writes what a run finds in one format.
pub(crate) trait Printer: Sync {
    /// Writes what comes before all items.
    fn begin(&self, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    /// Appends an item to `out`. Workers call this in any order; what they append goes to standard
    /// output in path order.
    fn item(&self, item: &Item<'_>, out: &mut Vec<u8>);

    /// Writes what comes after all items, also where a signal has ended the run.
    fn end(&self, _finished: &Finished, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
}

/// Something that a run found.
#[derive(Clone, Copy)]
pub(crate) enum Item<'a> {
    /// A reference.
    Reference(&'a Located<'a>),
    /// The base URL of a document, with what else was known.
    Base(&'a Path, &'a Examined),
}

/// What a command shows of what a run finds, and how.
pub(crate) struct Listing {
    pub(crate) shows: Shows,
    pub(crate) printer: Box<dyn Printer>,
}

/// Which items a command shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shows {
    /// References.
    References {
        /// Only those that are relative.
        only_relative: bool,
    },
    /// Base URLs.
    Bases {
        /// Only those about which the evidence disagrees.
        only_conflicts: bool,
    },
    /// None.
    Nothing,
}

impl Listing {
    /// What a command shows, in this format.
    pub(crate) fn new(shows: Shows, format: Format) -> Listing {
        let printer: Box<dyn Printer> = match format {
            Format::Text => Box::new(text::Text),
            Format::Json => Box::new(json::Lines),
        };
        Listing { shows, printer }
    }

    /// A reference was found.
    pub(crate) fn reference(&self, found: &Located<'_>, out: &mut Vec<u8>) {
        if let Shows::References { only_relative } = self.shows
            && (!only_relative || exit::is_relative(found.reference.outcome))
        {
            self.printer.item(&Item::Reference(found), out);
        }
    }

    /// A document is done; its references have been shown.
    pub(crate) fn document(&self, path: &Path, examined: &Examined, out: &mut Vec<u8>) {
        if let Shows::Bases { only_conflicts } = self.shows
            && (!only_conflicts || examined.established.is_contested())
        {
            self.printer.item(&Item::Base(path, examined), out);
        }
    }
}

#[cfg(test)]
mod tests;
