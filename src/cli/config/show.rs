//! `abslink config`: which settings count for each command, and the line that says so.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{self, Write};

use clap::ArgMatches;
use serde_json::{Value as Json, json};

use super::keys::{COMMANDS, Key, Value};
use super::layers::Typed;
use super::{Merge, counting, file, file::Place};
use crate::cli::Error;
use crate::cli::args::{Format, Shown};
use crate::cli::run::exit::Exit;
use crate::cli::terminal::passwords::masked_line;
use crate::cli::terminal::print::{self, PathLine, with_slashes};

const NONE: &str = "there is no abslink.toml from the working directory up to the root of the repository or the home \
                    directory";

/// Runs the command.
pub(crate) fn run(args: &Shown, out: &mut dyn Write) -> Result<Exit, Error> {
    let named = args.config.as_deref().map(Place::named);
    let Some(place) = named.or_else(file::find) else {
        print::note(NONE);
        return Ok(Exit::Done);
    };
    let mut tool = super::tool();
    let settings = super::read(&place, &mut tool)?;
    let mut tables = Vec::new();
    for command in COMMANDS {
        let typed = Typed {
            command,
            ids: BTreeSet::new(),
            matches: &ArgMatches::default(),
        };
        let counting = counting(&settings, None, &tool, &typed, &place);
        // As if nothing were typed.
        let mut merge = Merge {
            settings: &settings,
            place: &place,
            tool: &mut tool,
            typed: &["abslink", command, "."].map(OsString::from),
            options: &typed,
        };
        merge.arguments(None)?;
        tables.push((command, counting));
    }
    for part in settings.parts {
        let keys = [part.include].into_iter().chain(part.keys);
        tables.push(("files", keys.collect()));
    }
    tables.retain(|(_, keys)| !keys.is_empty());
    if tables.is_empty() {
        print::note(format_args!("{} sets nothing", PathLine(&place.path)));
    }
    match args.format {
        Format::Json => as_json(&tables, &place, out)?,
        Format::Text => as_text(&tables, &place, out)?,
    }
    Ok(Exit::Done)
}

/// The settings of a command, or of a part of the tree.
type Table = (&'static str, Vec<Key>);

/// TOML with a comment on each line.
fn as_text(tables: &[Table], place: &Place, mut out: &mut dyn Write) -> io::Result<()> {
    let path = PathLine(&place.path);
    for (index, (name, keys)) in tables.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        match *name {
            "files" => print::line(&mut out, "[[files]]")?,
            command => print::line(&mut out, format_args!("[{command}]"))?,
        }
        let texts: Vec<String> = keys.iter().map(text).collect();
        let lengths = texts.iter().map(|text| text.chars().count());
        let width = lengths.max().unwrap_or_default();
        for (text, key) in texts.iter().zip(keys) {
            let line = key.line;
            print::line(&mut out, format_args!("{text:<width$}  # {path}:{line}"))?;
        }
    }
    Ok(())
}

fn as_json(tables: &[Table], place: &Place, out: &mut dyn Write) -> io::Result<()> {
    for (name, keys) in tables {
        for key in keys {
            let shown = json!({
                "table": name,
                "key": key.name,
                "value": value(key),
                "file": with_slashes(&place.path),
                "line": key.line,
            });
            print::json(out, &shown)?;
            writeln!(out)?;
        }
    }
    Ok(())
}

/// A setting as a line of TOML.
fn text(key: &Key) -> String {
    format!("{} = {}", key.name, value(key))
}

/// The value, which is TOML as well. Passwords in it are not shown.
fn value(key: &Key) -> Json {
    let is_list = matches!(&*key.name, "paths" | "include");
    match &key.value {
        Value::Flag(is_on) => json!(is_on),
        Value::Number(number) => json!(number.parse::<u64>().unwrap_or_default()),
        Value::Texts(texts) => match &texts[..] {
            [text] if !is_list => json!(masked_line(text)),
            texts => texts.iter().map(|text| json!(masked_line(text))).collect(),
        },
    }
}
