//! The command that was typed, and how it reads with other options.

use std::ffi::OsString;
use std::sync::OnceLock;

use clap::{Arg, ArgAction, Command, CommandFactory as _};

use crate::batch::quoted;
use crate::cli::args::{Args, values};

/// A longer command is not repeated: its reader knows best where an option goes.
const LONGEST: usize = 300;

static TYPED: OnceLock<Vec<OsString>> = OnceLock::new();

/// Remembers what was typed: the name of the program, and its arguments.
pub(crate) fn remember(typed: &[OsString]) {
    // A process runs one command.
    let _ = TYPED.set(typed.to_vec());
}

/// A change of the command.
#[derive(Default)]
pub(super) struct Edit<'a> {
    /// Another command than the one that was typed.
    pub(super) command: Option<&'a str>,
    /// Options that come first, each with its value.
    pub(super) add: Vec<(&'a str, Option<String>)>,
    /// The long names of options to leave out.
    pub(super) remove: Vec<&'a str>,
    /// A value of an option, and the one that is meant.
    pub(super) replace: Option<(&'a str, &'a str)>,
    /// Other PATHs.
    pub(super) paths: Option<String>,
}

/// An option with its value, or a PATH, as it was typed.
struct Piece<'a> {
    option: Option<&'a Arg>,
    words: Vec<String>,
}

impl Piece<'_> {
    fn value(&self) -> &str {
        let last = self.words.last().map_or("", String::as_str);
        match last.split_once('=') {
            Some((_, value)) if self.words.len() == 1 => value,
            _ => last,
        }
    }

    fn is(&self, long: &str) -> bool {
        self.option.and_then(Arg::get_long) == Some(long)
    }
}

/// What was typed with a change; `None` where that is unknown, or too long.
pub(super) fn with(edit: &Edit<'_>) -> Option<String> {
    let mut tool = Args::command();
    tool.build();
    let mut words = TYPED.get()?.iter().map(|word| word.to_str());
    let typed = words.find_map(|word| tool.find_subcommand(word?))?;
    let words: Option<Vec<&str>> = words.collect();
    let mut pieces = pieces(typed, &words?)?;
    let command = match edit.command {
        Some(name) => tool.find_subcommand(name)?,
        None => typed,
    };
    let is_other = command.get_name() != typed.get_name();
    let mut added = Vec::new();
    for (long, value) in &edit.add {
        let mut value = value.clone();
        let old = pieces
            .iter()
            .find(|piece| piece.is("ext") && *long == "ext");
        let more = value.as_deref().and_then(|value| value.strip_prefix('+'));
        value = match (old.map(Piece::value), more) {
            (Some(old), _) if !values::is_list(old) => Some(values::meant(old)),
            (Some(old), Some(more)) => Some([old, more].join(",")),
            _ => value,
        };
        added.push(format!("--{long}"));
        added.extend(value);
    }
    if let Some((old, new)) = edit.replace {
        let is_it = |piece: &&mut Piece<'_>| piece.option.is_some() && piece.value().trim() == old;
        let piece = pieces.iter_mut().find(is_it)?;
        let length = piece.value().len();
        let last = piece.words.last_mut()?;
        last.replace_range(last.len() - length.., new);
    }
    pieces.retain(|piece| {
        let Some(option) = piece.option else {
            return edit.paths.is_none() || piece.words == ["--"];
        };
        let long = option.get_long().unwrap_or_default();
        let adds = edit.add.iter().any(|(added, _)| *added == long);
        let appends = matches!(option.get_action(), ArgAction::Append) && long != "ext";
        let is_replaced = adds && !(appends && piece.value() != "none");
        let is_known = |arg: &Arg| arg.get_long() == Some(long);
        let stays = !is_other
            || command.get_arguments().any(is_known) && !["format", "strict"].contains(&long);
        stays && !is_replaced && !edit.remove.contains(&long)
    });
    let rest = pieces.into_iter().flat_map(|piece| piece.words);
    let first = ["abslink", command.get_name()].map(str::to_owned);
    let words = first.into_iter().chain(added).chain(rest);
    let words: Vec<String> = words.chain(edit.paths.clone()).collect();
    let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    let line = words.join(" ");
    (line.len() <= LONGEST).then_some(line)
}

/// The options and PATHs among the words behind a command; `None` if one is unknown.
fn pieces<'a>(command: &'a Command, words: &[&str]) -> Option<Vec<Piece<'a>>> {
    let mut pieces = Vec::new();
    let mut words = words.iter().copied().peekable();
    while let Some(word) = words.next() {
        let is_path = word == "-" || !word.starts_with('-');
        if is_path || word == "--" {
            let words = vec![word.to_owned()];
            let option = None;
            pieces.push(Piece { option, words });
        } else if let Some(long) = word.strip_prefix("--") {
            let name = long.split('=').next().unwrap_or_default();
            let is_it = |arg: &&Arg| {
                let names = arg.get_long_and_visible_aliases().unwrap_or_default();
                names.contains(&name)
            };
            let option = command.get_arguments().find(is_it)?;
            let follows = !long.contains('=') && takes_next(option);
            let value = follows.then(|| words.next_if(is_value)).flatten();
            let value = value.map(str::to_owned);
            let words = [word.to_owned()].into_iter().chain(value).collect();
            let option = Some(option);
            pieces.push(Piece { option, words });
        } else {
            // Flags may be written together, and the last one may have a value.
            let mut rest = &word[1..];
            while let Some(short) = rest.chars().next() {
                rest = &rest[short.len_utf8()..];
                let is_it = |arg: &&Arg| arg.get_short() == Some(short);
                let option = command.get_arguments().find(is_it)?;
                let mut one = vec![format!("-{short}")];
                if takes_next(option) {
                    let glued = Some(std::mem::take(&mut rest)).filter(|glued| !glued.is_empty());
                    match glued {
                        Some(glued) => one[0].push_str(glued),
                        None => one.extend(words.next_if(is_value).map(str::to_owned)),
                    }
                }
                let (option, words) = (Some(option), one);
                pieces.push(Piece { option, words });
            }
        }
    }
    Some(pieces)
}

/// An option that lacks its value does not take the next option for it.
fn is_value(word: &&str) -> bool {
    !word.starts_with('-') || *word == "-"
}

/// Whether the next word is the value of an option.
fn takes_next(option: &Arg) -> bool {
    option.get_action().takes_values() && !option.is_require_equals_set()
}
