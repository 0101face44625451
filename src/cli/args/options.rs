//! The options, in groups as the help shows them.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::LazyLock;

use crate::batch::{self, ArchiveForm, Fsync, Moment, ReadAs, RowHolds};
use abslink_containers::feed::FeedBase;
use abslink_containers::message::{Attachments, FileLocations};
use abslink_containers::rows;
use abslink_html::base::retrieval::EvidenceKind;
use abslink_html::base::retrieval::mirror::ConvertedLinks;
use abslink_html::{
    CustomAttribute, Engine, Fragments, MappedPrefix, Placeholders, ReferencePattern, To,
};
use abslink_url::Resolver;
use clap::{ArgGroup, ValueEnum, ValueHint};

use super::values::{self, ExtItem, GroupName};
use crate::cli::run::used::{PartOfTree, UsedSettings};
use crate::cli::terminal::progress::When;

/// Where `rewrite` writes.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Where the result goes")]
pub(crate) struct DestinationArgs {
    /// Write the same tree below DIR
    ///
    /// With one directory PATH, its contents go straight below DIR. With several PATHs, each goes
    /// below DIR under its own file name. Only HTML documents are written, unless --copy-others is
    /// given. New directories get the permissions of the directories they are copied from, less the
    /// umask, as with `cp -r`, except that the owner can always write to them.
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    #[arg(conflicts_with = "in_place")]
    pub(crate) output: Option<PathBuf>,
    /// Replace each file that changes; no other is touched
    ///
    /// A file is replaced as a whole. Other names of it (hard links) keep the old contents; a
    /// symbolic link given as PATH stays a link.
    #[arg(short, long)]
    pub(crate) in_place: bool,
    /// Write nothing; the summary is the same
    ///
    /// Works with -o, with -i and alone. The directory of -o is not made.
    #[arg(long, conflicts_with = "diff")]
    pub(crate) dry_run: bool,
    /// Write nothing but a unified diff to standard output
    ///
    /// Works with -o, with -i and alone. The directory of -o is not made. The diff is exact, except that
    /// on a terminal control characters are shown as \u{1b} and the like, and so is, in the log of a CI
    /// system, whatever its runner would take for a command.
    #[arg(long)]
    pub(crate) diff: bool,
    /// With -o, also copy the files that are not documents
    ///
    /// Backups are copied too. A symbolic link is copied as a link to the same path; with --follow-links the file
    /// or directory that it leads to is copied instead.
    // clap waives `requires` if the required option conflicts with a given one.
    #[arg(long, requires = "output", conflicts_with = "in_place")]
    pub(crate) copy_others: bool,
    /// With -i, keep each original as its name plus SUFFIX
    ///
    /// An older backup of abslink's is never overwritten; where another program's has that name, the file is
    /// left, with exit code 2. Backups are not read, unless they are given as PATH.
    #[arg(long, value_name = "SUFFIX", value_parser = values::suffix)]
    #[arg(requires = "in_place", conflicts_with = "output")]
    pub(crate) backup: Option<OsString>,
    /// Write only what a second, independent reader confirms
    ///
    /// A second reader reads each document, finds its tags and values in the new one, and resolves what
    /// has changed with code of its own: only references may change, and each must mean what
    /// it meant. If it finds anything else, the document is left as it is, a message says where, and
    /// the exit code is 2. With -o the document is then copied unchanged; to standard output nothing of
    /// it is written. --dry-run and --diff verify as well. This takes several times as long.
    #[arg(long)]
    pub(crate) verify: bool,
    /// With -o or -i, when to wait until files are on the disk [default: batch, or never]
    ///
    /// The default is `batch` for -i without --backup, where a file that is replaced is the only one
    /// that there is, and `never` for -i with --backup and for -o. Without WHEN it is `always`.
    #[arg(long, value_name = "WHEN", value_parser = values::fsync())]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "always")]
    pub(crate) fsync: Option<Fsync>,
    #[command(flatten)]
    pub(crate) archives: ArchiveArgs,
}

/// How web archives are written.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Web archives: .warc, .warc.gz, .warc.zst")]
pub(crate) struct ArchiveArgs {
    /// What is written of a web archive
    ///
    /// Copied records stay the same to the byte. -i needs `append` or `response`. See
    /// docs/archives.md for which programs read what.
    #[arg(long, value_name = "FORM", value_parser = values::archive_form())]
    #[arg(default_value = "conversions")]
    pub(crate) warc_as: ArchiveForm,
    /// The date of new records, such as 2026-01-31T12:00:00Z
    ///
    /// By default it is SOURCE_DATE_EPOCH if that is set, else the time at which the run begins. The
    /// same input, options and date give the same bytes.
    #[arg(long, value_name = "DATE")]
    pub(crate) date: Option<Moment>,
    /// How much time compressing may take: for .gz 0 to 9, for .zst 0 to 22
    ///
    /// By default 6 for .gz and 3 for .zst. Only new records are compressed.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=22))]
    pub(crate) compression_level: Option<u32>,
}

/// Which files are documents.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Which files")]
pub(crate) struct DocumentArgs {
    /// For hooks: refuse to run without a `--` before the PATHs, which may have any names
    #[arg(long, hide = true)]
    pub(crate) hook: bool,
    /// Files, directories, or `-` for one HTML document on standard input
    ///
    /// A file's name and first bytes decide what it is. A file that is something else, such as a script or
    /// a picture, or is not recognised, is left, and the exit code is 2. --as says what a file PATH is. See docs/files.md. Without a PATH, those of the project's abslink.toml count.
    #[arg(value_name = "PATH", required = true, value_hint = ValueHint::AnyPath)]
    #[arg(help_heading = None::<&str>)]
    pub(crate) paths: Vec<PathBuf>,
    /// Which files in directories are documents, by the ending of their names, in any letter case
    ///
    /// An ending with a `+` is added to the defaults: `+css` takes style sheets as well.
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = values::ending)]
    #[arg(default_value = DEFAULT_ENDINGS.as_str())]
    pub(crate) ext: Vec<ExtItem>,
    /// The character encoding of HTML files, as the server gives it in Content-Type
    ///
    /// It takes precedence over what a document declares, and a byte order mark over it. Messages and
    /// web archives name the encodings of their documents themselves.
    #[arg(long, value_name = "LABEL", value_parser = values::charset)]
    pub(crate) charset: Option<String>,
    /// Also take files whose first bytes are HTML, and page templates
    ///
    /// This finds a mirror's `view.php?id=3`, and `page.html.j2`. The rule is that of the MIME sniffing
    /// standard. It is on with --layout wget, wget-windows or httrack, since mirrors may keep a page
    /// under any name. A file whose ending says that it is something else, such as `app.js`, is never
    /// taken.
    ///
    /// Backups are not taken, and the summary names them: see docs/files.md.
    #[arg(long, overrides_with = "no_detect_html")]
    pub(crate) detect_html: bool,
    /// Take files by their names only
    ///
    /// The summary still says how many other files look like HTML.
    #[arg(long, overrides_with = "detect_html")]
    pub(crate) no_detect_html: bool,
    /// Also take every file that is a feed, a sitemap or OPML by its root element, or JSON Feed
    ///
    /// Without this option only files that end in .rss or .atom are taken; the summary says how many
    /// with other usual names, such as feed.xml or sitemap.xml, were not.
    #[arg(long)]
    pub(crate) detect_feeds: bool,
    /// Take only files that match
    ///
    /// May be given several times. A GLOB with a slash is a path below PATH, or one as you would type it
    /// here; one without is the name of a file or directory at any depth. A directory that matches stands
    /// for all files below it. Together the GLOBs may be 32 KiB long.
    #[arg(long, value_name = "GLOB")]
    pub(crate) include: Vec<String>,
    /// Leave out files that match; see --include
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
    /// Leave out what .gitignore and .ignore name
    ///
    /// The files in each directory below the root of the repository count, as for git; .ignore counts outside
    /// of one too, and wins. What is given as PATH is read. The summary says how much was left out. Off by
    /// default: what CI builds and checks is often just what git ignores.
    #[arg(long)]
    pub(crate) gitignore: bool,
    /// Follow symbolic links; loops are reported
    #[arg(long)]
    pub(crate) follow_links: bool,
    /// What the HTML in feeds is relative to
    ///
    /// An xml:base in the feed comes first, and the feed's own URL last. The links of the feed
    /// itself are always relative to one of these two.
    #[arg(long, value_name = "WHAT", value_parser = values::feed_base())]
    #[arg(default_value = "item")]
    pub(crate) feed_base: FeedBase,
    #[command(flatten)]
    pub(crate) messages: MessageArgs,
    #[command(flatten)]
    pub(crate) rows: RowArgs,
}

/// Which fields of rows hold documents.
#[derive(Debug, clap::Args)]
#[command(
    next_help_heading = "Rows: .jsonl, .json, .csv, .tsv and the like, also with .gz or .zst"
)]
pub(crate) struct RowArgs {
    /// A field with HTML, or with what KIND says; repeatable
    ///
    /// In JSON a JSON Pointer such as /posts/*/html, with * for every element, or the name of a member
    /// at the top. In CSV the name of a column. Each is a document with a base URL of its own. KIND is
    /// html (the default), feed, css, url or urls (a JSON array, or URLs with blanks, `|` or commas between
    /// them). A name with a colon needs its KIND: `g:link:url`.
    #[arg(long, value_name = "NAME[:KIND]", value_parser = rows::field)]
    pub(crate) field: Vec<(RowHolds, String)>,
    /// The field with the URL that the row's HTML was retrieved from; a relative one is relative to
    /// --base-url
    #[arg(long, value_name = "NAME")]
    pub(crate) url_field: Option<String>,
    /// What stands between the fields of CSV, if it is neither a comma nor in .tsv a tab
    #[arg(long, value_name = "CHARACTER", value_parser = values::delimiter)]
    pub(crate) delimiter: Option<u8>,
}

/// The endings of `--ext` where it is not given.
static DEFAULT_ENDINGS: LazyLock<String> =
    LazyLock::new(|| batch::default_endings().collect::<Vec<_>>().join(","));

/// How messages with HTML in them are read.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Messages: .mht, .mhtml, .eml")]
pub(crate) struct MessageArgs {
    /// Read `-` and file PATHs as this, whatever their names are
    #[arg(long = "as", value_name = "WHAT", value_parser = values::read_as())]
    pub(crate) read_as: Option<ReadAs>,
    /// What happens to HTML parts that are attachments
    #[arg(long, value_name = "RULE", value_parser = values::attachments())]
    #[arg(default_value = "rewrite")]
    pub(crate) attachments: Attachments,
    /// What happens to parts that a program saved at a file: URL, as Word does
    #[arg(long, value_name = "RULE", value_parser = values::file_locations())]
    #[arg(default_value = "keep")]
    pub(crate) file_locations: FileLocations,
}

/// RFC 1808 §3.3: which URL a document was retrieved from.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Which URL the documents were retrieved from")]
#[command(group = ArgGroup::new("spelling").args(["base_url", "layout", "url_map"]).multiple(true))]
pub(crate) struct LocationArgs {
    /// The URL of the document or directory that PATH is
    ///
    /// For a file or `-` it is the document's own URL, for a directory the URL of that directory.
    /// A `<base href>` in a document comes first. The relative references of a document without any
    /// base URL stay as they are, and the exit code is 1.
    #[arg(short, long, value_name = "URL", value_hint = ValueHint::Url)]
    pub(crate) base_url: Option<String>,
    /// The directory that --base-url stands for, when PATHs are files below it
    ///
    /// The paths that --layout and --url-map read are below this directory too.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, requires = "spelling")]
    pub(crate) root: Option<PathBuf>,
    /// How paths spell URLs
    ///
    /// With --base-url it is `tree`.
    #[arg(long, value_enum, value_name = "LAYOUT")]
    pub(crate) layout: Option<LayoutName>,
    /// The scheme, where a mirror does not record it
    ///
    /// One of https, http, ftp, ftps, gopher, nntp, prospero and wais. Without this option https is
    /// assumed, and `abslink base` says so.
    #[arg(long, value_name = "SCHEME", value_parser = values::scheme)]
    pub(crate) scheme: Option<String>,
    /// With a mirror's --layout, take every first directory for a host
    ///
    /// Without this option only names that look like a host are taken for one: those with a dot or a
    /// port, addresses, and `localhost`. A port after HTTrack's `_` is not enough: `photos_2019` is
    /// not a host. Documents in other directories, such as `docs`, get no base URL from the layout.
    #[arg(long, requires = "layout")]
    pub(crate) any_host: bool,
    /// Names that stand for the URL of their directory
    #[arg(
        long,
        value_name = "NAME,...",
        value_delimiter = ',',
        requires = "spelling"
    )]
    #[arg(default_value = "index.html,index.htm")]
    pub(crate) index: Vec<String>,
    /// Keep index.html and the like in URLs
    #[arg(long, conflicts_with = "index", requires = "spelling")]
    pub(crate) keep_index: bool,
    /// A map from paths below PATH to URLs
    ///
    /// CSV or TSV with the columns path and url, JSON Lines with these fields, or HTTrack's
    /// hts-cache/new.txt.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) url_map: Option<PathBuf>,
    /// Which records of a document's URL are used; the first that exists counts
    ///
    /// By default `map,layout` with --base-url, --layout or --url-map, and `xattr,comment,self` without
    /// them.
    #[arg(long, value_name = "SOURCE,...", value_delimiter = ',', value_parser = values::source())]
    pub(crate) url_from: Vec<EvidenceKind>,
    /// Take the URL in that of a web archive's copy of a page
    ///
    /// `/web/20200103104500/http://www.example.com/` becomes `http://www.example.com/`, wherever it is found: in
    /// references of every form and host, in base URLs, and in the URLs of documents. This is before --move-url
    /// and --to, and after --exclude-url, which keeps links that cite an archive on purpose.
    #[arg(long, help_heading = "Which form references get")]
    pub(crate) unwrap: bool,
}

/// Which standard resolves.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "What is resolved, and how")]
pub(crate) struct ResolverArgs {
    /// The standard that resolves references
    #[arg(long, value_name = "NAME", value_parser = values::resolver())]
    #[arg(default_value = "rfc1808")]
    pub(crate) resolver: Resolver,
}

/// What is resolved, and how.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "What is resolved, and how")]
pub(crate) struct LinkArgs {
    #[command(flatten)]
    pub(crate) resolver: ResolverArgs,
    /// What happens to `href="#x"` on `a` and `area`, and to `#x` in the URLs of a feed
    #[arg(long, value_name = "RULE", value_parser = values::fragments())]
    #[arg(default_value = "resolve")]
    pub(crate) fragments: Fragments,
    /// What happens to references with template placeholders, such as `{{ url }}` or `*|URL|*`
    ///
    /// A reference that begins with a placeholder stays: only the template's data can tell whether it is
    /// relative. With a placeholder further on, the part before it decides, and the rest of the reference
    /// stays as it is written. These are placeholders: `{{…}}`, `{%…%}`, `{#…#}`, `<%…%>`, `<?…?>`,
    /// `${…}`, `#{…}`, `@{…}`, `{$…}`, `{!…}`, `[[…]]`, `*|…|*`, `%%…%%`, `%recipient.…%`, and at the
    /// beginning `{name}`, `__NAME__`, `%name%`, `[name]`, `@[…]`, `::name::` and `###name###`.
    #[arg(long, value_name = "RULE", value_parser = values::placeholders())]
    #[arg(default_value = "keep")]
    pub(crate) placeholders: Placeholders,
    /// Take these places too
    #[arg(long, value_name = "GROUP,...", value_delimiter = ',', value_parser = values::groups())]
    pub(crate) also: Vec<GroupName>,
    /// Leave these places alone; the groups are those of --also
    ///
    /// `--skip all --also links` takes links only, and `--also all --skip css` all but css.
    #[arg(long, value_name = "GROUP,...", value_delimiter = ',', value_parser = values::groups())]
    #[arg(hide_possible_values = true)]
    pub(crate) skip: Vec<GroupName>,
    /// Take these places and no others; the groups are those of --also
    ///
    /// `check --only canonical,meta` finds what must be absolute although all else is relative.
    #[arg(long, value_name = "GROUP,...", value_delimiter = ',', value_parser = values::groups())]
    #[arg(hide_possible_values = true, conflicts_with_all = ["also", "skip"])]
    pub(crate) only: Vec<GroupName>,
    /// Take this attribute too, or as another kind of value
    ///
    /// May be given several times. Without ELEMENT it is the attribute of every element. KIND says how
    /// the value holds URLs: url (the default), srcset, css (declarations), space-list, comma-list,
    /// refresh, html (a document, as in srcdoc) or json (JSON-LD). Without `@` it is the text of an element,
    /// in feeds, sitemaps, OPML, XHTML and SVG. A name with a colon needs its KIND: `@xlink:href:url`,
    /// `g:link:url`. It takes precedence over --also and --skip, one with ELEMENT over one
    /// without, and a later one over an earlier; an empty value stays. The URL of `<base href>` is
    /// never affected.
    #[arg(long, value_name = "[ELEMENT]@ATTR[:KIND]")]
    pub(crate) attr: Vec<CustomAttribute>,
    /// Leave alone the references whose target is in the tree
    ///
    /// A partial mirror can then be browsed where it is, and links to all other pages lead to the
    /// original site.
    #[arg(long)]
    pub(crate) only_missing: bool,
    /// Whether a link to a file of the mirror becomes the URL that the file was retrieved from
    ///
    /// HTTrack and wget -k replace links by the names of the files that they saved. The server does
    /// not know these names.
    #[arg(long, value_name = "WHEN", value_parser = values::converted_links())]
    #[arg(default_value = "auto")]
    pub(crate) converted_links: ConvertedLinks,
    /// Leave alone the references that match
    ///
    /// A compiled REGEX may take up to 512 KiB: the larger it is, the longer a long reference takes.
    #[arg(long, value_name = "REGEX")]
    pub(crate) exclude_url: Option<ReferencePattern>,
    /// If the URL of a reference begins with FROM, write TO in its place
    ///
    /// May be given several times: the longest FROM that a URL begins with counts. Both are absolute URLs
    /// without query and fragment; slashes at their end do not count. This is the last step, after --exclude-url
    /// and --only-missing. Only relative references are mapped, and never the URL of `<base href>`.
    /// `--map-url http://localhost:8000/=https://example.org/` publishes pages that were made with a
    /// local server.
    #[arg(long, value_name = "FROM=TO")]
    pub(crate) map_url: Vec<MappedPrefix>,
    #[command(flatten)]
    pub(crate) forms: FormArgs,
}

/// Which form references get.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Which form references get")]
pub(crate) struct FormArgs {
    /// The form of references to what is in the same tree
    ///
    /// References to other places become absolute, as without this option, and so do the groups canonical,
    /// meta, JSON-LD, `itemid` and `cite`, feeds, and a URL to which no reference of this form leads by all
    /// three resolvers. Not for web archives. In directories, style sheets, SVG images and web app manifests are
    /// documents too. With `relative`, the page 404.html gets paths from the root.
    ///
    /// `files` is for pages that are opened from a disk: a reference becomes the path of the file that was
    /// retrieved from its target, by --base-url, --layout or --url-map. If there is no such file, it
    /// becomes absolute. PATH is a directory then, or --root is given.
    ///
    /// `keep` is for --move-url and --unwrap: what is relative stays so, and no base URL is needed.
    #[arg(long, value_name = "FORM", value_parser = values::to(), default_value = "absolute")]
    pub(crate) to: To,
    /// With --to files, an ending that the server appends to paths, such as .html
    ///
    /// May be given several times: `/docs/intro` then leads to docs/intro.html, if there is no file `intro`
    /// and no directory with an index page.
    #[arg(long, value_name = "ENDING")]
    pub(crate) try_ext: Vec<String>,
    /// Take out each `<base href>` on which no reference depends any more
    ///
    /// References are then relative to the document's own URL. An element stays if a relative reference does:
    /// one that is unresolved, or in a group that is not taken. Of an element with other attributes only the
    /// href is taken out. --to files does so anyway. Documents of more than 16 MiB keep theirs.
    #[arg(long)]
    pub(crate) remove_base: bool,
    /// One more URL that stands for the tree
    ///
    /// May be given several times: for pages that mix `http://www.example.org/` and `https://example.org/`.
    /// By default the tree is what --base-url stands for, if PATH is a directory or --root is given, and
    /// the server of each document if not.
    #[arg(long, value_name = "URL", value_hint = ValueHint::Url)]
    pub(crate) site: Vec<String>,
    /// Move every reference whose target begins with FROM to TO, absolute ones too
    ///
    /// May be given several times: the longest FROM counts. What begins with a TO has been moved, so a second
    /// run changes nothing. `--move-url https://wrong/=https://right/` repairs a run with a wrong base URL.
    #[arg(long, value_name = "FROM=TO")]
    pub(crate) move_url: Vec<MappedPrefix>,
}

/// How the command runs.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "How it runs")]
pub(crate) struct RunArgs {
    /// Number of files worked on at a time; by default one per core
    #[arg(short, long, value_name = "N")]
    #[arg(value_parser = values::jobs)]
    pub(crate) jobs: Option<u16>,
    /// How documents are read; the result is the same
    #[arg(long, value_name = "NAME", value_parser = values::engine(), default_value = "auto")]
    pub(crate) engine: Engine,
    /// Show the progress on standard error
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
    pub(crate) progress: When,
    /// Print only errors on standard error, and no summary or progress
    #[arg(short, long, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Say for each document which base URL was used, and which was refused
    #[arg(short, long)]
    pub(crate) verbose: bool,
    /// Show the passwords in URLs, which are *** without this option
    ///
    /// This goes for messages, listings, --format, --report and the headers of web archives. Documents
    /// and the diff always show them.
    #[arg(long)]
    pub(crate) show_passwords: bool,
    /// Succeed even if no document is found; without this option the exit code is 2
    #[arg(long)]
    pub(crate) allow_empty: bool,
    /// Take the project's settings from FILE
    ///
    /// Without it, they are those of the nearest abslink.toml, from the working directory up to the root of the
    /// repository or the home directory. `abslink config` shows which ones count.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    #[arg(conflicts_with = "no_config")]
    pub(crate) config: Option<PathBuf>,
    /// Use no project's settings
    #[arg(long)]
    pub(crate) no_config: bool,
    /// The project's settings among these options.
    #[arg(skip)]
    pub(crate) settings: Option<UsedSettings>,
    /// What it says about parts of the tree.
    #[arg(skip)]
    pub(crate) parts: Vec<PartOfTree>,
}

/// Which files a command is about in the end.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "How it runs")]
pub(crate) struct ListFilesArgs {
    /// Print the paths of files that change, or would change
    ///
    /// One path a line on standard output, in order, with --quiet too. check prints the files with
    /// relative links, and not the links. With `--format json` they are a line each in check; in rewrite
    /// they are the last field, `files`, in place of the number of files.
    #[arg(short, long)]
    pub(crate) list_files: bool,
}

/// What a CI job may want to fail on.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "How it runs")]
pub(crate) struct StrictArgs {
    /// Fail if files that look like documents were not taken
    ///
    /// These are files that look like HTML or feeds by their first bytes, but not by their names. The exit
    /// code is then 2. Without this option the summary only says how many there are.
    #[arg(long)]
    pub(crate) strict: bool,
}

/// How a path spells a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LayoutName {
    /// The base URL plus the path
    Tree,
    /// [scheme/]host[:port]/path[?query]: wget -r
    Wget,
    /// [scheme/]host[+port]/path[@query]: wget -r --restrict-file-names=windows
    WgetWindows,
    /// host[_port]/path: HTTrack
    Httrack,
    /// [timestamp/]host[:port]/path[?query]: wayback_machine_downloader, waybackpack
    Wayback,
}

/// For people or for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputFormat {
    /// For people
    Text,
    /// For programs
    Json,
}
