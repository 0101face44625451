//! What helps: which fact leads to which hint. Wherever it can be, a hint is the whole command that was typed, with
//! what helps in it.

mod typed;

use std::path::{Path, PathBuf};

pub(crate) use typed::remember;
use typed::{Edit, with};

use crate::batch::{Input, quoted};
use crate::cli::terminal::print::{MessageLevel, list};

/// Defines [`Fact`], with what is said of a number of each, and the hints.
macro_rules! facts {
    ($($fact:ident $($level:ident $text:literal)?: $($hint:literal),*;)*) => {
        /// What a run, or the reader of the arguments, has met.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Fact { $($fact),* }

        impl Fact {
            /// What the table says of it.
            pub(super) fn rows(self) -> &'static [&'static str] {
                match self { $(Fact::$fact => &[$($hint),*]),* }
            }

            /// The text about a number of these, as for [`counted`](crate::cli::terminal::print::counted).
            pub(crate) fn text(self) -> Option<(MessageLevel, &'static str)> {
                match self { $(Fact::$fact => None$(.or(Some((MessageLevel::$level, $text))))?),* }
            }

            /// All facts.
            #[cfg(test)]
            pub(crate) const ALL: &[Fact] = &[$(Fact::$fact),*];
        }
    };
}

// What is said of a number of things, where that is all; and which hints a fact leads to.
//
// | begins with | what it is |
// |---|---|
// | `+` | the command that was typed, with these options |
// | the name of a command | that command, with the options of the one that was typed |
// | `say` | a text |
//
// `{}` is a value that comes with the fact; where one option has several, it comes once for each; `{1}` and `{2}` are
// the first and the second. `!NAME` leaves an option out, `@` sets another PATH, and `%` puts the second value in the
// place of the first.
facts! {
    // The base URL is too short for `../`.
    AboveRoot Warning "# link[|s] [leads|lead] above the root of [its|their] site": "base";
    ArchivesOwn Note "# link[ is|s are] the web archive's own":;
    // Nothing tells the scheme of a site.
    AssumedScheme: "+ --scheme http";
    // `--backup` without `-i`, `--copy-others` without `-o`.
    BackupAlone: "+ --in-place";
    BackupEdited: "+ --force";
    BackupForeign Warning "skipped # backup[|s] that abslink did not make": "+ --force";
    BackupsLeft: "say give one as PATH to read it";
    // A PATH in which there is nothing to read.
    Barren: "say --ext, --detect, --include and --exclude choose files; --allow-empty accepts none";
    BaselineGone: "+ --write-baseline {} !baseline";
    // Links above the `base` of their page.
    BeforeBase Warning
        "# of these [is|are] above the <base> of [its page|their pages]: browsers fetch such links before they read the <base>":
        "say only the author can move the <base> up";
    BelowRoot: "+ --root {}";
    BrokenSignatures Note "# DKIM signature[|s] [is|are] no longer valid":;
    BrowsersDiffer Warning "browsers resolve # link[|s] differently": "+ --resolver whatwg";
    CdataInHtml Note
        "read # CDATA section[|s] as HTML, which has none":
        "say --field NAME:xhtml reads XML such as Confluence's";
    // Links to files became the URLs that the files were saved from.
    Converted Note
        "# [link to a file|links to files] with ? in [its name|their names] became the [URL that the file was|URLs that the files were] saved from":
        "+ --converted-links never";
    CopiesLeft: "check --verbose";
    CopyAlone: "+ --output {}";
    ErrorPages Note
        "links in [404.html|# pages named 404.html] begin at the root (as --to root writes them): servers show [it|them] for any path":;
    FeedWithoutUrl: "+ --base-url URL";
    FeedsSkipped: "+ --detect feeds";
    // A form for which the tree has to be known.
    FilesWithoutTree: "+ --root {}";
    // Settings in a directory that another user may write to.
    ForeignSettings: "say --config FILE uses it, --no-config ignores it";
    // What makes another form impossible.
    FormForbidden: "+ !{}";
    GroupsOff: "+ --also {}";
    GuessedUrls Warning "guessed the URL[|s] of # page[|s]": "base";
    GuessedLinks Warning
        "# link[|s] may have [a wrong URL|wrong URLs] now: the URL map has several pages, or none, for [its file|their files]":;
    // PATH is one of the directories that have a host's name.
    HostAbove: "+ @{} !root";
    // PATH contains the directory of the host in the base URL, in which the whole site is; that of a part of it; and
    // HTTrack's map.
    HostTwice: "+ --layout {1} --scheme {2} !base-url", "+ --layout tree";
    HostTwiceInPart: "+ @{}", "+ --layout tree";
    HostTwiceWithMap: "+ --url-map {} !base-url", "+ --layout tree";
    // The hosts are one level below PATH.
    HostsBelow: "+ @{} !root", "+ --any-host";
    InWebArchive Warning
        "# [link leads|links lead] into a web archive (/web/2020…/http://…)":
        "+ --unwrap";
    Interrupted: "say every file is whole; run the same command again for the rest";
    // All directories have the names of hosts.
    IsMirror: "+ --layout {}";
    IsUrl: "+ --base-url {} @FILE";
    // `--to keep` without what changes anything.
    KeepAlone: "say add --move-url FROM=TO or --unwrap";
    LikelyBackups Note
        "skipped # file[|s] that [looks|look] like [a backup by its name|backups by their names]":;
    LinksNotFollowed: "+ --follow";
    LooksLikeHtml Note
        "skipped # file[|s] that [looks|look] like HTML":
        "+ --detect html";
    // `--list-files` beside a document on standard output.
    ListBesideDocument: "+ --output {} !diff !in-place !backup", "+ --in-place !diff !output !copy-others", "+ --dry-run !diff";
    // HTTrack's map is above PATH.
    MapAbove: "+ --url-map {1} --root {2}";
    MapLeadsNowhere Warning
        "the URL map names # file[|s] that [does|do] not exist":
        "say its paths start at PATH, or at --root";
    // There is nothing to read but Markdown.
    MarkdownSkipped: "+ --ext +md";
    // Names that wget -k wrote.
    NamesOfFiles Warning
        "# [link looks like the name of a file|links look like names of files], as wget -k writes links":
        "+ --converted-links always";
    // Browsers do not open them from a disk as what they are.
    Misnamed Warning
        "# link[ leads|s lead] to [a page or style sheet|pages or style sheets] that browsers do not open from a disk, by [its name|their names] (`x?id=1`, `x.php`, `x.css?v=1`)":
        "say wget -E gives them names that end in .html and .css";
    NoBase: "+ --base-url URL";
    NoBaseOfSeveral: "+ --base-url URL --root {}";
    NoDestination: "+ --output {}", "+ --in-place", "+ --dry-run", "+ --diff";
    NoDirectory: "say patterns select files in directories; files given as PATH are always read";
    // The same, where two PATHs have the same name.
    NoOwnNames: "+ --in-place", "+ --dry-run", "+ --diff";
    // A repository without a tag, branch or commit.
    NoRef: "+ --repo {}";
    NoRows: "+ --ext +csv,jsonl";
    NoSuffix: "+ --backup .orig";
    NotAHost: "+ --base-url URL !layout !any-host !scheme";
    NotCopied Note
        "# link[ leads|s lead] to pictures or scripts, which were not copied":
        "+ --copy-others";
    NotInMap: "say add a line to the URL map";
    OddObjects Note "left # serialized object[|s] that [has a format|have formats] of [its|their] own (`C:`)":;
    OnOtherComputer: "say copy the files to this computer, or read them with Spark: python/README.md";
    OpaqueBase: "base";
    // It is in a PATH, or a PATH is in it.
    OtherOutput: "+ --output {}";
    OtherSuffix: "+ --backup .abslink";
    OtherUrl: "+ --site {}";
    Piped: "+ @{} !output !in-place !backup !copy-others";
    // In a mirror, names may look like placeholders.
    PlaceholdersInMirror: "+ --placeholders resolve";
    QueryNames Warning
        "# link[|s] may be wrong: ? in file names was read as %3F, not as the start of a query":
        "+ --converted-links always";
    Relative: "rewrite --output {}";
    RelativeInPipe: "rewrite";
    // Links from the root, on two servers.
    RootInPlace: "+ --output {} !in-place !backup", "+ --to relative";
    SavedFolder Note
        "left # link[|s] to [a file|files] saved with the page unchanged":
        "+ --converted-links never";
    SiteAlone: "+ --to relative";
    StaleCopies Warning "# compressed [copy|copies] (.gz, .br, .zst) [is|are] now out of date":;
    StringsInValues Note
        "left # string[|s] in JSON or serialized values that look[s|] like [a relative link|relative links]":
        "say --field '/NAME/**/KEY:url' takes those at KEY in the field NAME";
    TreeUnknown: "+ --base-url URL";
    TryExtAlone: "+ --to files";
    UnknownElement: "+ --attr {}";
    UnknownForge: "+ --base-url URL !repo";
    Unresolved: "check";
    UnreadSettings: "say fix it, or run with --no-config";
    // A value, and what is meant.
    WrongValue: "+ %";
    WindowsPaths Warning "# link[|s] [is a path|are paths] of Windows: no URL leads there": "check";
}

impl Fact {
    /// The first hint.
    pub(crate) fn hint(self) -> String {
        self.hint_with(&[])
    }

    /// The first hint, with these values.
    pub(crate) fn hint_with(self, values: &[&str]) -> String {
        self.hints(values).into_iter().next().unwrap_or_default()
    }

    /// All of its hints.
    pub(crate) fn hints(self, values: &[&str]) -> Vec<String> {
        let rows = self.rows().iter();
        rows.map(|hint| filled(hint, values)).collect()
    }
}

/// A hint that begins with the options that help, for a file if it is about one.
pub(crate) fn with_options(text: &str, path: Option<&Path>) -> String {
    let (mut options, mut words) = (Vec::new(), text.split(' ').peekable());
    while let Some(option) = words.next_if(|word| word.starts_with("--")) {
        options.push(option);
        options.extend(words.next());
    }
    if options.is_empty() {
        return text.to_owned();
    }
    let mut row = format!("+ {}", options.join(" "));
    // What says how to read a file is not for others.
    let path = path.map(Path::to_string_lossy);
    let path = path.filter(|_| text.starts_with("--as") || text.starts_with("--field"));
    row.push_str(path.as_ref().map_or("", |_| " @{}"));
    filled(&row, path.as_deref().as_slice())
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
            let value = words.next_if(|next| !next.starts_with(['-', '!', '@']));
            let values = match value {
                Some("{}") => values,
                Some("{1}") => values.get(..1).unwrap_or_default(),
                Some("{2}") => values.get(1..2).unwrap_or_default(),
                _ => {
                    edit.add.push((long, value.map(str::to_owned)));
                    continue;
                }
            };
            let values = values.iter().map(|&value| (long, Some(value.to_owned())));
            edit.add.extend(values);
        }
    }
    with(&edit).unwrap_or_else(|| short(&edit))
}

/// What is said of an edit where the command is unknown, or too long to say.
fn short(edit: &Edit<'_>) -> String {
    if let Some(command) = edit.command {
        return format!("see abslink {command}");
    }
    let added = edit.add.iter().map(|(long, value)| {
        let value = value.iter().map(|value| format!(" {}", quoted(value)));
        format!("add --{long}{}", value.collect::<String>())
    });
    let replaced = edit.replace.map(|(_, new)| format!("did you mean {new} ?"));
    let removed = edit.remove.iter().map(|name| format!("leave --{name} out"));
    let paths = edit.paths.as_ref();
    let paths = paths.map(|path| format!("give {} as PATH", quoted(path)));
    list(added.chain(replaced).chain(removed).chain(paths))
}

/// A directory that is not there yet and is in none of these, for `--output`.
pub(crate) fn new_directory(inputs: &[Input]) -> String {
    let place = |above: &String| Path::new(".").join(above).canonicalize().ok();
    let is_below = |place: PathBuf| {
        inputs.iter().any(|input| match input {
            Input::Directory(path) => path
                .canonicalize()
                .is_ok_and(|path| place.starts_with(path)),
            _ => false,
        })
    };
    let mut above = (0..8).map(|levels| "../".repeat(levels));
    let above = above.find(|above| !place(above).is_some_and(is_below));
    let above = above.unwrap_or_default();
    let names = (1..).map(|number: u32| match number {
        1 => format!("{above}out"),
        _ => format!("{above}out{number}"),
    });
    let mut free = names.filter(|name| Path::new(name).symlink_metadata().is_err());
    free.next().unwrap_or_default()
}
