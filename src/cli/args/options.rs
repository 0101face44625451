//! The options, in groups as the help shows them.

use std::path::PathBuf;

use abslink_html::base::retrieval::EvidenceKind;
use abslink_html::base::retrieval::mirror::ConvertedLinks;
use abslink_html::{
    CustomAttribute, Engine, Fragments, MappedPrefix, Placeholders, ReferencePattern, To,
};
use abslink_url::Resolver;
use clap::{ArgGroup, ValueEnum, ValueHint};

use super::values::{self, GroupName};
use crate::cli::run::used::{PartOfTree, UsedSettings};
use crate::cli::terminal::progress::When;

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
    /// Names that stand for the URL of their directory, or `none`
    #[arg(
        long,
        value_name = "NAME,...",
        value_delimiter = ',',
        requires = "spelling"
    )]
    #[arg(default_value = "index.html,index.htm")]
    pub(crate) index: Vec<String>,
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
    /// For tests: how documents are read; the result is the same
    #[arg(long, value_name = "NAME", value_parser = values::engine(), default_value = "auto")]
    #[arg(hide = true)]
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
    /// This goes for messages, listings, --format and the headers of web archives. Documents
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
