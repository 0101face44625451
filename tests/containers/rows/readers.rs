//! How other programs read CSV: Python's csv and PostgreSQL's COPY, by their rules.

use std::process::Command;

use crate::cli::Sandbox;
use crate::support::skip;

/// The records of a file; an error if the program refuses it.
pub(super) type Records = Result<Vec<Vec<String>>, String>;

/// Python's `csv.reader(strict=True)` (`Modules/_csv.c`, `parse_process_char`).
pub(super) fn python(text: &str, delimiter: char) -> Records {
    enum At {
        Start,
        Unquoted,
        Quoted,
        Quote,
    }
    let (mut records, mut record, mut field) = (Vec::new(), Vec::new(), String::new());
    let mut at = At::Start;
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        match (&at, c) {
            (At::Quoted, '"') => at = At::Quote,
            (At::Quoted, c) => field.push(c),
            (At::Quote, '"') => {
                field.push('"');
                at = At::Quoted;
            }
            (_, '\n' | '\r') => {
                if c == '\r' {
                    characters.next_if_eq(&'\n');
                }
                // An empty line is a record without fields.
                if !(record.is_empty() && matches!(at, At::Start)) {
                    record.push(std::mem::take(&mut field));
                }
                records.push(std::mem::take(&mut record));
                at = At::Start;
            }
            (_, c) if c == delimiter => {
                record.push(std::mem::take(&mut field));
                at = At::Start;
                // Behind it a field begins, if only an empty one.
                if characters.peek().is_none_or(|c| matches!(c, '\n' | '\r')) {
                    at = At::Unquoted;
                }
            }
            (At::Start, '"') => at = At::Quoted,
            (At::Start | At::Unquoted, c) => {
                field.push(c);
                at = At::Unquoted;
            }
            (At::Quote, c) => return Err(format!("{c:?} behind a closing quote")),
        }
    }
    match at {
        At::Quoted => return Err("a quoted field is not closed".to_owned()),
        At::Start if record.is_empty() => {}
        _ => {
            record.push(field);
            records.push(record);
        }
    }
    Ok(records)
}

/// PostgreSQL's `COPY … (FORMAT csv)` (`CopyReadAttributesCSV`): a quote anywhere opens and closes, and two inside are
/// one.
pub(super) fn postgresql(text: &str, delimiter: char) -> Records {
    let (mut records, mut record, mut field) = (Vec::new(), Vec::new(), String::new());
    let mut is_quoted = false;
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '"' if is_quoted && characters.next_if_eq(&'"').is_some() => field.push('"'),
            '"' => is_quoted = !is_quoted,
            c if is_quoted => field.push(c),
            '\n' | '\r' => {
                if c == '\r' {
                    characters.next_if_eq(&'\n');
                }
                record.push(std::mem::take(&mut field));
                records.push(std::mem::take(&mut record));
            }
            c if c == delimiter => record.push(std::mem::take(&mut field)),
            c => field.push(c),
        }
    }
    if is_quoted {
        return Err("unterminated CSV quoted field".to_owned());
    }
    if !(record.is_empty() && field.is_empty()) {
        record.push(field);
        records.push(record);
    }
    Ok(records)
}

/// How many quotes there are in fields that do not begin with one.
fn bare_quotes(text: &str, delimiter: char) -> usize {
    let (mut bare, mut is_quoted, mut is_start) = (0, false, true);
    let mut characters = text.trim_start_matches('\u{feff}').chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '"' if is_start => is_quoted = true,
            '"' if is_quoted => is_quoted = characters.next_if_eq(&'"').is_some(),
            '"' => bare += 1,
            _ => {}
        }
        is_start = !is_quoted && (c == delimiter || matches!(c, '\n' | '\r'));
    }
    bare
}

/// Programs that read the old file read the new one: as many records with as many fields, of which only those that are
/// named differ.
#[track_caller]
pub(super) fn agree(old: &str, new: &str, delimiter: char, fields: &[&str]) {
    for read in [python, postgresql] {
        let (Ok(before), after) = (read(old, delimiter), read(new, delimiter)) else {
            continue;
        };
        let after = after.unwrap_or_else(|error| panic!("{error}: {new}"));
        assert_eq!(before.len(), after.len(), "{old}\n{new}");
        let header = before.first().cloned().unwrap_or_default();
        for (before, after) in before.iter().zip(&after) {
            assert_eq!(before.len(), after.len(), "{old}\n{new}");
            for (column, (before, after)) in before.iter().zip(after).enumerate() {
                let name = header.get(column).map_or("", String::as_str);
                // A byte order mark makes the quotes of the first name a part of it.
                let name = name.trim_start_matches('\u{feff}').trim_matches('"');
                let is_named = fields.contains(&name);
                assert!(is_named || before == after, "{before}: {after}");
            }
        }
    }
    let [before, after] = [old, new].map(|text| bare_quotes(text, delimiter));
    assert!(after <= before, "a quote in a field without quotes: {new}");
}

const READ: &str = "
import csv, json
with open('x.csv', newline='') as file:
    try: print(json.dumps(list(csv.reader(file, strict=True))))
    except csv.Error: print('null')
";

/// The rules above are those of the program.
#[test]
#[ignore = "slow tier: another program"]
fn the_rules_are_those_of_python() {
    let sandbox = Sandbox::new();
    let texts = [
        "a,b\n1,2\n",
        "a,b\n\"1,\"\"x\"\"\ny\",\n\n,\"\"",
        "a,b\n1\"2\"3,4\n",
        "a,b\n\"1\"2,3\n",
        "a,b\n\"1,2\n",
        "a,b\r\n1 , 2 \r\n\r\n\"\"\"\",'",
    ];
    for text in texts {
        sandbox.write("x.csv", text);
        let Ok(ran) = Command::new("python3")
            .args(["-c", READ])
            .current_dir(sandbox.path())
            .output()
        else {
            return skip::tool("there is no Python");
        };
        let theirs: Option<Vec<Vec<String>>> = serde_json::from_slice(&ran.stdout).unwrap();
        assert_eq!(python(text, ',').ok(), theirs, "{text}");
    }
}
