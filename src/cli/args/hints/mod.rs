//! What helps: which fact leads to which hint. Wherever it can be, a hint is the whole command that was typed, with
//! what helps in it.

mod typed;

use std::path::Path;

pub(crate) use typed::remember;
use typed::{Edit, with};

use crate::batch::quoted;

/// What a run, or the reader of the arguments, has met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fact {
    /// The base URL is too short for `../`.
    AboveRoot,
    /// Nothing tells the scheme of a site.
    AssumedScheme,
    /// A PATH in which there is nothing to read.
    Barren,
    BackupEdited,
    BackupForeign,
    BackupsLeft,
    BaselineGone,
    /// Links above the `base` of their page.
    BeforeBase,
    BelowRoot,
    BrowsersDiffer,
    CdataInHtml,
    /// Links to files became the URLs that the files were saved from.
    Converted,
    CopiesLeft,
    FeedWithoutUrl,
    FeedsSkipped,
    /// A form for which the tree has to be known.
    FilesWithoutTree,
    /// What makes another form impossible.
    FormForbidden,
    GroupsOff,
    GuessedUrls,
    /// PATH is one of the directories that have a host's name.
    HostAbove,
    /// PATH contains the directory of the host in the base URL, in which the whole site is; that of a part of it; and
    /// HTTrack's map.
    HostTwice,
    HostTwiceInPart,
    HostTwiceWithMap,
    /// The hosts are one level below PATH.
    HostsBelow,
    InWebArchive,
    Interrupted,
    /// `--to keep` without what changes anything.
    KeepAlone,
    /// All directories have the names of hosts.
    IsMirror,
    IsUrl,
    LinksNotFollowed,
    LooksLikeHtml,
    /// HTTrack's map is above PATH.
    MapAbove,
    /// There is nothing to read but Markdown.
    MarkdownSkipped,
    MapLeadsNowhere,
    /// Names that wget -k wrote.
    NamesOfFiles,
    NoBase,
    NoBaseOfSeveral,
    NoDirectory,
    NoDestination,
    /// An element of `--attr`, which may be meant as an attribute.
    NoElement,
    NoRows,
    /// A repository without a tag, branch or commit.
    NoRef,
    NotAHost,
    NotCopied,
    NotInMap,
    NoSuffix,
    OpaqueBase,
    OtherSuffix,
    OtherUrl,
    Piped,
    /// In a mirror, names may look like placeholders.
    PlaceholdersInMirror,
    Relative,
    RelativeInPipe,
    /// Links from the root, on two servers.
    RootInPlace,
    SavedFolder,
    SiteAlone,
    StringsInValues,
    TreeUnknown,
    TryExtAlone,
    UnknownElement,
    UnknownForge,
    Unresolved,
    WindowsPaths,
}

/// Which fact leads to which hint.
///
/// | begins with | what it is |
/// |---|---|
/// | `+` | the command that was typed, with these options |
/// | the name of a command | that command, with the options of the one that was typed |
/// | `say` | a text |
///
/// `{}` is a value that comes with the fact; where one option has several, it comes once for each; `{1}` and `{2}` are
/// the first and the second. `!NAME` leaves
/// an option out, `@` sets another PATH, and `%` puts the second value in the place of the first.
pub(crate) const HINTS: [(Fact, &str); 71] = [
    (Fact::AboveRoot, "base"),
    (
        Fact::Barren,
        "say --ext, --detect, --include and --exclude choose files; --allow-empty accepts none",
    ),
    (Fact::AssumedScheme, "+ --scheme http"),
    (Fact::BackupEdited, "+ --force"),
    (Fact::BackupForeign, "+ --force"),
    (Fact::BackupsLeft, "say give one as PATH to read it"),
    (Fact::BaselineGone, "+ --write-baseline {} !baseline"),
    (
        Fact::BeforeBase,
        "say only the author can move the <base> up",
    ),
    (Fact::BelowRoot, "+ --root {}"),
    (Fact::BrowsersDiffer, "+ --resolver whatwg"),
    (
        Fact::CdataInHtml,
        "say --field NAME:xhtml reads XML such as Confluence's",
    ),
    (Fact::Converted, "+ --converted-links never"),
    (Fact::CopiesLeft, "check --verbose"),
    (Fact::FeedWithoutUrl, "+ --base-url URL"),
    (Fact::FeedsSkipped, "+ --detect feeds"),
    (Fact::FilesWithoutTree, "+ --root {}"),
    (Fact::FormForbidden, "+ !{}"),
    (Fact::GroupsOff, "+ --also {}"),
    (Fact::GuessedUrls, "base"),
    (Fact::HostAbove, "+ @{} !root"),
    (Fact::HostTwice, "+ --layout {1} --scheme {2} !base-url"),
    (Fact::HostTwice, "+ --layout tree"),
    (Fact::HostTwiceInPart, "+ @{}"),
    (Fact::HostTwiceInPart, "+ --layout tree"),
    (Fact::HostTwiceWithMap, "+ --url-map {} !base-url"),
    (Fact::HostTwiceWithMap, "+ --layout tree"),
    (Fact::HostsBelow, "+ @{} !root"),
    (Fact::HostsBelow, "+ --any-host"),
    (Fact::InWebArchive, "+ --unwrap"),
    (
        Fact::Interrupted,
        "say every file is whole; run the same command again for the rest",
    ),
    (Fact::KeepAlone, "say add --move-url FROM=TO or --unwrap"),
    (Fact::LinksNotFollowed, "+ --follow"),
    (Fact::LooksLikeHtml, "+ --detect html"),
    (Fact::IsMirror, "+ --layout {}"),
    (Fact::IsUrl, "+ --base-url {} @FILE"),
    (Fact::MarkdownSkipped, "+ --ext +md"),
    (Fact::MapAbove, "+ --url-map {1} --root {2}"),
    (
        Fact::MapLeadsNowhere,
        "say its paths start at PATH, or at --root",
    ),
    (Fact::NamesOfFiles, "+ --converted-links always"),
    (Fact::NoBase, "+ --base-url URL"),
    (Fact::NoBaseOfSeveral, "+ --base-url URL --root ."),
    (
        Fact::NoDirectory,
        "say patterns select files in directories; files given as PATH are always read",
    ),
    (Fact::NoDestination, "+ --output {}"),
    (Fact::NoDestination, "+ --in-place"),
    (Fact::NoDestination, "+ --dry-run"),
    (Fact::NoDestination, "+ --diff"),
    (Fact::NoElement, "+ %"),
    (Fact::NoRows, "+ --ext +csv,jsonl"),
    (Fact::NoRef, "+ --repo {}"),
    (Fact::NotAHost, "+ --base-url URL !layout !any-host !scheme"),
    (Fact::NoSuffix, "+ --backup .orig"),
    (Fact::NotCopied, "+ --copy-others"),
    (Fact::NotInMap, "say add a line to the URL map"),
    (Fact::OpaqueBase, "base"),
    (Fact::OtherSuffix, "+ --backup .abslink"),
    (Fact::OtherUrl, "+ --site {}"),
    (Fact::Piped, "+ @{} !output !in-place !backup !copy-others"),
    (Fact::PlaceholdersInMirror, "+ --placeholders resolve"),
    (Fact::Relative, "rewrite --output {}"),
    (Fact::RelativeInPipe, "rewrite"),
    (Fact::RootInPlace, "+ --output {} !in-place !backup"),
    (Fact::RootInPlace, "+ --to relative"),
    (Fact::SavedFolder, "+ --converted-links never"),
    (Fact::SiteAlone, "+ --to relative"),
    (
        Fact::StringsInValues,
        "say --field '/NAME/**/KEY:url' takes those at KEY in the field NAME",
    ),
    (Fact::TreeUnknown, "+ --base-url URL"),
    (Fact::TryExtAlone, "+ --to files"),
    (Fact::UnknownElement, "+ --attr {}"),
    (Fact::UnknownForge, "+ --base-url URL !repo"),
    (Fact::Unresolved, "check"),
    (Fact::WindowsPaths, "check"),
];

impl Fact {
    /// The first hint.
    pub(crate) fn hint(self) -> String {
        self.hint_with(&[])
    }

    /// The first hint, with these values.
    pub(crate) fn hint_with(self, values: &[&str]) -> String {
        self.hints(values).swap_remove(0)
    }

    /// All of its hints.
    pub(crate) fn hints(self, values: &[&str]) -> Vec<String> {
        let rows = HINTS.iter().filter(|(fact, _)| *fact == self);
        rows.map(|(_, hint)| filled(hint, values)).collect()
    }
}

/// The hint about a file, which begins with the options that help.
pub(crate) fn about_file(path: &Path, text: &str) -> String {
    let (mut options, mut words) = (Vec::new(), text.split(' ').peekable());
    while let Some(option) = words.next_if(|word| word.starts_with("--")) {
        options.push(option);
        options.extend(words.next());
    }
    if options.is_empty() {
        return text.to_owned();
    }
    // What says how to read a file is not for others.
    let is_for_one = text.starts_with("--as") || text.starts_with("--field");
    let path = path.to_string_lossy();
    let paths = if is_for_one { " @{}" } else { "" };
    filled(&format!("+ {}{paths}", options.join(" ")), &[&*path])
}

/// The hint of a table's row.
fn filled<'a>(hint: &'a str, values: &[&'a str]) -> String {
    if let Some(text) = hint.strip_prefix("say ") {
        return text.to_owned();
    }
    let mut words = hint.split(' ');
    let command = words.next().filter(|first| *first != "+");
    let mut edit = Edit {
        command,
        ..Edit::default()
    };
    let mut words = words.peekable();
    while let Some(word) = words.next() {
        if let Some(name) = word.strip_prefix('!') {
            let value = values.first().filter(|_| name == "{}");
            edit.remove.push(value.map_or(name, |it| *it));
        } else if let ("%", [old, new, ..]) = (word, values) {
            edit.replace = Some((old, new));
        } else if let Some(path) = word.strip_prefix('@') {
            let given = values.first().filter(|_| path == "{}");
            edit.paths = Some(given.map_or(path, |it| *it).to_owned());
        } else if let Some(long) = word.strip_prefix("--") {
            match words.next_if(|next| !next.starts_with(['-', '!', '@'])) {
                Some("{}") => {
                    let values = values.iter().map(|&value| (long, Some(value.to_owned())));
                    edit.add.extend(values);
                }
                Some("{1}") => edit
                    .add
                    .push((long, values.first().map(|&it| it.to_owned()))),
                Some("{2}") => edit
                    .add
                    .push((long, values.get(1).map(|&it| it.to_owned()))),
                value => edit.add.push((long, value.map(str::to_owned))),
            }
        }
    }
    with(&edit).unwrap_or_else(|| short(&edit))
}

/// What is said of an edit where the command is unknown, or too long to say.
fn short(edit: &Edit<'_>) -> String {
    if let Some(command) = edit.command {
        return format!("see abslink {command}");
    }
    let mut said = Vec::new();
    for (long, value) in &edit.add {
        let value = value.iter().map(|value| format!(" {}", quoted(value)));
        said.push(format!("add --{long}{}", value.collect::<String>()));
    }
    said.extend(
        edit.replace
            .iter()
            .map(|(_, new)| format!("did you mean {new}?")),
    );
    said.extend(edit.remove.iter().map(|name| format!("leave --{name} out")));
    said.extend(
        edit.paths
            .iter()
            .map(|path| format!("give {} as PATH", quoted(path))),
    );
    said.join(", ")
}

/// A directory that is not there yet, for `--output`.
pub(crate) fn new_directory() -> String {
    let names = (1..).map(|number: u32| match number {
        1 => "out".to_owned(),
        _ => format!("out{number}"),
    });
    let mut free = names.filter(|name| Path::new(name).symlink_metadata().is_err());
    free.next().unwrap_or_default()
}
