//! `abslink config`: which settings count for each command, and the line that says so.

use std::io::{self, Write};
use std::path::Path;

use serde_json::{Value as Json, json};

use super::Error;
use crate::cli::args::OutputFormat;
use crate::cli::config::{self, Setting, SettingValue, Table};
use crate::cli::run::exit::Exit;
use crate::cli::terminal::passwords::masked_line;
use crate::cli::terminal::print::{self, PathLine, with_slashes};

const NONE: &str = "no abslink.toml from the working directory up to the root of the repository or the home directory";

/// Runs the command.
pub(crate) fn run(
    named: Option<&Path>,
    format: OutputFormat,
    out: &mut dyn Write,
) -> Result<Exit, Error> {
    let Some((path, tables)) = config::tables(named)? else {
        print::note(NONE);
        return Ok(Exit::Done);
    };
    if tables.is_empty() {
        print::note(format_args!("{} sets nothing", PathLine(&path)));
    }
    match format {
        OutputFormat::Json => as_json(&tables, &path, out)?,
        OutputFormat::Text => as_text(&tables, &path, out)?,
    }
    Ok(Exit::Done)
}

/// TOML with a comment on each line.
fn as_text(tables: &[Table], path: &Path, mut out: &mut dyn Write) -> io::Result<()> {
    let path = PathLine(path);
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

fn as_json(tables: &[Table], path: &Path, out: &mut dyn Write) -> io::Result<()> {
    for (name, keys) in tables {
        for key in keys {
            let shown = json!({
                "file": with_slashes(path),
                "key": key.name,
                "line": key.line,
                "table": name,
                "value": value(key),
            });
            print::json_line(out, &shown)?;
        }
    }
    Ok(())
}

/// A setting as a line of TOML.
fn text(key: &Setting) -> String {
    format!("{} = {}", key.name, value(key))
}

/// The value, which is TOML as well. Passwords in it are not shown.
fn value(key: &Setting) -> Json {
    let is_list = matches!(&*key.name, "paths" | "include");
    match &key.value {
        SettingValue::Flag(is_on) => json!(is_on),
        SettingValue::Number(number) => json!(number.parse::<u64>().unwrap_or_default()),
        SettingValue::Texts(texts) => match &texts[..] {
            [text] if !is_list => json!(masked_line(text)),
            texts => texts.iter().map(|text| json!(masked_line(text))).collect(),
        },
    }
}
