//! What a fuzz target checks, by its name.

use abslink::Syntax;
use abslink_containers::rows::Format;

use super::check::{self, Checked};
use super::{archive, feed, markdown, message, rows, url_map, values};
use crate::oracle::locate::compare::compare_but_for_departures;

/// Checks one input as the fuzz target of this name does. What takes text gets what is none with
/// replacement characters.
pub(crate) fn target(name: &str, input: &[u8]) -> Checked {
    let text = String::from_utf8_lossy(input);
    match name {
        // A base URL, and a reference on the lines after it.
        "resolver" => {
            let default = ("http://h/d/x", &*text);
            let (base, reference) = text.split_once('\n').unwrap_or(default);
            check::resolver(base, reference)
        }
        // The memory engine's locator and html5ever.
        "locator" => compare_but_for_departures(&text).map(drop),
        // All locators.
        "locators" => check::locators(input),
        "document" => {
            check::document(input, Syntax::Html)?;
            check::document(input, Syntax::Xml)
        }
        "srcset" => check::srcset(&text),
        "refresh" => check::refresh(&text),
        // A style sheet, which is a `style` attribute as well.
        "css" => check::css(&text),
        // The value of an `href` attribute as it is written.
        "entities" => check::entities(&text),
        // A label of an encoding, and a document on the lines after it.
        "encoding" => {
            let end = input.iter().position(|&byte| byte == b'\n');
            let (label, document) = input.split_at(end.unwrap_or(0));
            check::encoding(&String::from_utf8_lossy(label), document)
        }
        "url_map" => url_map::url_map(input),
        "feed" => feed::feed(input),
        "css_file" => feed::css_file(input),
        "markdown" => markdown::markdown(input),
        // A message, and a body in each transfer encoding.
        "messages" => {
            message::message(input)?;
            message::transfer(input)
        }
        // In each of their formats.
        "rows" => {
            let separated = [b',', b'\t', b';'].map(Format::Separated);
            let mut formats = [Format::Json, Format::JsonLines]
                .into_iter()
                .chain(separated);
            formats.try_for_each(|format| rows::rows(input, format))
        }
        // The text of a field.
        "serialized" => values::serialized(&text),
        "json" => values::json(&text),
        "blocks" => values::blocks(&text),
        "lists" => values::lists(&text),
        "lines" => values::lines(&text),
        // An archive, compressed or not.
        "warc" => archive::archive(input),
        _ => Err("there is no such target".into()),
    }
}
