//! Which settings count: what is typed comes before the table of the command, and that before what is set for
//! all commands. A later layer gives way where the two exclude each other.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use abslink_html::To;
use clap::{ArgMatches, Command};

use super::keys::{self, FilesTable, PATHS, ProjectSettings, Setting};

/// The options that say together which URL documents were retrieved from. One of the first three that is
/// typed is about the PATH that is typed, and none of these settings is.
const LOCATION: [&str; 7] = [
    "base_url", "layout", "url_map", "root", "any_host", "scheme", "url_from",
];

/// What was typed, as far as it matters here.
pub(super) struct TypedOptions<'t> {
    pub(super) command: &'t str,
    /// clap's ids of the options.
    pub(super) ids: BTreeSet<&'t str>,
    pub(super) matches: &'t ArgMatches,
}

impl TypedOptions<'_> {
    /// The document is on standard input.
    pub(super) fn is_piped(&self) -> bool {
        let paths = self.matches.try_get_many::<PathBuf>(PATHS);
        let mut paths = paths.ok().flatten().into_iter().flatten();
        paths.any(|path| path == Path::new("-"))
    }
}

/// The settings that count for a command: of a part of the tree, if one is given, or of the whole.
pub(super) fn counting(
    settings: &ProjectSettings,
    part: Option<&FilesTable>,
    tool: &Command,
    typed: &TypedOptions<'_>,
) -> Vec<Setting> {
    let Some(definition) = tool.find_subcommand(typed.command) else {
        return Vec::new();
    };
    let of = |table: Option<&str>| {
        let keys = settings.keys.iter();
        let keys = keys.filter(|key| key.command.as_deref() == table);
        keys.collect::<Vec<&Setting>>()
    };
    let of_part = part.map_or(Vec::new(), |part| part.keys.iter().collect());
    let layers = [of_part, of(Some(typed.command)), of(None)];
    let options: Vec<&clap::Arg> = keys::options(definition).collect();
    let has = |key: &&Setting| {
        options
            .iter()
            .any(|option| option.get_id() == key.id.as_str())
    };
    let fallen = fallen(typed);
    let ids = &typed.ids;
    let excludes = |one: &str, other: &str| {
        let (one, other) = (find(definition, one), find(definition, other));
        let declares = |one: &clap::Arg, other: &clap::Arg| {
            let excluded = definition.get_arg_conflicts_with(one);
            excluded.iter().any(|it| it.get_id() == other.get_id())
        };
        one.zip(other)
            .is_some_and(|(one, other)| declares(one, other) || declares(other, one))
    };
    let mut kept: Vec<Setting> = Vec::new();
    for layer in layers {
        let counts = |key: &&Setting| {
            let before = ids.iter().copied();
            let set = kept.iter().filter(|key| key.is_on()).map(|key| &*key.id);
            let is_named = ids.contains(&*key.id) || kept.iter().any(|kept| kept.id == key.id);
            !is_named
                && !fallen.contains(&&*key.id)
                && !before.chain(set).any(|other| excludes(&key.id, other))
        };
        let counting = layer.into_iter().filter(has).filter(counts);
        let counting: Vec<Setting> = counting.cloned().collect();
        kept.extend(counting);
    }
    kept.sort_by_key(|key| key.line);
    kept
}

/// Takes out what says how another option is meant, as long as that is missing.
pub(super) fn wait(typed: &TypedOptions<'_>, kept: &mut Vec<Setting>) {
    let is_on = |id: &str, kept: &[Setting]| {
        typed.ids.contains(id) || kept.iter().any(|key| key.id == id && key.is_on())
    };
    let set = kept.iter().find(|key| key.id == "to");
    let to = match typed.matches.try_get_one::<To>("to") {
        Ok(Some(to)) if typed.ids.contains("to") => Some(to.name()),
        _ => set.and_then(|key| key.texts().first()).map(|to| &**to),
    };
    let to = to.unwrap_or_else(|| To::Absolute.name()).to_owned();
    // A document or a diff on standard output leaves no room for anything else.
    let goes_somewhere = ["output", "in_place", "dry_run"]
        .iter()
        .any(|id| is_on(id, kept));
    let has_stdout = typed.command != "rewrite" || goes_somewhere && !is_on("diff", kept);
    kept.retain(|key| match &*key.name {
        "try-ext" => to == To::Files.name(),
        "site" => ![To::Absolute, To::Keep].map(To::name).contains(&&*to),
        "format" | "list-files" => has_stdout,
        _ => true,
    });
}

fn find<'c>(command: &'c Command, id: &str) -> Option<&'c clap::Arg> {
    command.get_arguments().find(|option| option.get_id() == id)
}

/// The settings that make no sense beside what is typed, though each of the two is an option that may be
/// typed with the other.
fn fallen(given: &TypedOptions<'_>) -> Vec<&'static str> {
    let TypedOptions {
        ids: typed,
        matches,
        ..
    } = given;
    let mut fallen = Vec::new();
    if given.is_piped() {
        // What is about names of files. The URL is that of the document, as it is where both are typed.
        fallen.extend(&LOCATION[1..]);
    }
    if LOCATION[..3].iter().any(|id| typed.contains(id)) {
        fallen.extend(LOCATION);
    }
    // These are for references that become absolute.
    let is_absolute = matches!(matches.try_get_one::<To>("to"), Ok(Some(To::Absolute)));
    if typed.contains("to") && !is_absolute {
        fallen.push("only_missing");
    }
    if typed.contains("only_missing") {
        fallen.push("to");
    }
    fallen
}
