//! What a file sets, for `abslink config`.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::ArgMatches;

use super::file::{self, SettingsFile};
use super::keys::{COMMANDS, Setting};
use super::layers::TypedOptions;
use super::{ConfigError, Merge, counting};

/// The settings of a command, or of a part of the tree (`files`).
pub(crate) type Table = (&'static str, Vec<Setting>);

/// The tables of the file at `named`, or of the nearest one, that set anything; and its path.
pub(crate) fn tables(named: Option<&Path>) -> Result<Option<(PathBuf, Vec<Table>)>, ConfigError> {
    let Some(place) = named.map(SettingsFile::named).or_else(file::find) else {
        return Ok(None);
    };
    let mut tool = super::tool();
    let settings = super::read(&place, &mut tool)?;
    let mut tables = Vec::new();
    for command in COMMANDS {
        let typed = TypedOptions {
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
    Ok(Some((place.path, tables)))
}
