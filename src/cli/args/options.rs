//! The options, in groups as the help shows them.

use std::path::PathBuf;

use abslink_html::BaseSource;
use abslink_html::base::retrieval::mirror::ConvertedLinks;
use abslink_html::{
    CustomAttribute, Engine, Fragments, MappedPrefix, Placeholders, ReferencePattern, To,
};
use abslink_url::Resolver;
use clap::{ArgGroup, ValueEnum, ValueHint};

use super::PartOfTree;
use super::values::{self, GroupName};
use crate::cli::run::used::UsedSettings;
use crate::cli::terminal::progress::When;

/// RFC 1808 §3.3: which URL a document was retrieved from.
#[derive(Debug, clap::Args)]
#[command(group = ArgGroup::new("spelling").args(["base_url", "layout", "url_map", "repo"]).multiple(true))]
pub(crate) struct LocationArgs {
    /// Resolve links as if PATH were at URL
    ///
    /// A `<base href>` in a page comes first. The relative links of a page without any base URL stay as they
    /// are, and the exit code is 1.
    #[arg(short, long, value_name = "URL", value_hint = ValueHint::Url)]
    pub(crate) base_url: Option<String>,
    /// Resolve links as if the repository were at URL
    ///
    /// As in https://github.com/o/r/tree/v1.2, and on other forges: links lead to pages there, pictures to
    /// their bytes. The repository begins where `.git` is, or at --root. See docs/markdown.md.
    #[arg(long, value_name = "URL", value_hint = ValueHint::Url)]
    #[arg(conflicts_with_all = ["base_url", "layout"])]
    pub(crate) repo: Option<String>,
    /// Use DIR as the directory that --base-url stands for
    ///
    /// --layout and --url-map read paths below DIR, too.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, requires = "spelling")]
    pub(crate) root: Option<PathBuf>,
    /// Derive URLs from paths: wget, httrack, wayback, ...
    #[arg(long, value_enum, value_name = "LAYOUT")]
    pub(crate) layout: Option<LayoutName>,
    /// Set the scheme, where a mirror does not record it
    ///
    /// https (assumed without this option), http, ftp, ftps, gopher, nntp, prospero or wais.
    #[arg(long, value_name = "SCHEME", value_parser = values::scheme)]
    pub(crate) scheme: Option<String>,
    /// Treat every first directory as a host, with --layout
    ///
    /// Otherwise only names with a dot or a port, addresses and `localhost` are hosts.
    #[arg(long, requires = "layout")]
    pub(crate) any_host: bool,
    /// Set the names that stand for their directory; or `none`
    #[arg(
        long,
        value_name = "NAME,...",
        value_delimiter = ',',
        requires = "spelling"
    )]
    #[arg(default_value = "index.html,index.htm")]
    pub(crate) index: Vec<String>,
    /// Read the URLs of paths from FILE
    ///
    /// CSV or TSV with the columns path and url, JSON Lines with these fields, or HTTrack's
    /// hts-cache/new.txt. Paths are below PATH.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) url_map: Option<PathBuf>,
    /// Choose which records of a page's URL are used, in order
    ///
    /// map: --url-map; layout: the path, by --base-url or --layout; xattr: what wget and curl --xattr write;
    /// comment: that of a browser, HTTrack, SingleFile or monolith; self: what a feed says. By default
    /// `map,layout` with --base-url, --layout or --url-map, else `xattr,comment,self`.
    #[arg(long, value_name = "SOURCE,...", value_delimiter = ',', value_parser = values::source())]
    pub(crate) url_from: Vec<BaseSource>,
    /// Replace links into a web archive by the URLs in them
    ///
    /// `/web/20200103104500/http://www.example.com/` becomes `http://www.example.com/`, in links and in the
    /// URLs of pages, before --move-url and --to. --exclude-url keeps some.
    #[arg(long)]
    pub(crate) unwrap: bool,
}

/// Which standard resolves.
#[derive(Debug, clap::Args)]
pub(crate) struct ResolverArgs {
    /// Choose the standard that resolves links
    ///
    /// rfc1808 (the default), rfc3986, or whatwg, which is what browsers do.
    #[arg(long, value_name = "NAME", value_parser = values::resolver())]
    #[arg(default_value = "rfc1808")]
    pub(crate) resolver: Resolver,
}

/// What is resolved, how, and which form it gets.
#[derive(Debug, clap::Args)]
pub(crate) struct LinkArgs {
    #[command(flatten)]
    pub(crate) resolver: ResolverArgs,
    /// Choose what happens to links such as `#top`
    ///
    /// resolve: as with every other link; keep: they stay where the base URL is the page's own; auto (the
    /// default): resolve, but in Markdown they stay.
    #[arg(long, value_name = "RULE", value_parser = values::fragments())]
    #[arg(default_value = "auto")]
    pub(crate) fragments: Fragments,
    /// Choose what happens to template placeholders
    ///
    /// keep (the default): a link that begins with one, such as `{{ url }}` or `*|URL|*`, stays; resolve:
    /// they are text like any other. See docs/templates.md.
    #[arg(long, value_name = "RULE", value_parser = values::placeholders())]
    #[arg(default_value = "keep")]
    pub(crate) placeholders: Placeholders,
    /// Change links in these places too
    #[arg(long, value_name = "GROUP,...", value_delimiter = ',', value_parser = values::groups())]
    pub(crate) also: Vec<GroupName>,
    /// Leave links in these places unchanged; groups: see --also
    ///
    /// `--skip all --also links` changes the group links only.
    #[arg(long, value_name = "GROUP,...", value_delimiter = ',', value_parser = values::groups())]
    pub(crate) skip: Vec<GroupName>,
    /// Change links in these places only; groups as for --also
    ///
    /// `check --only canonical,meta` finds what must be absolute even if all else is relative.
    #[arg(long, value_name = "GROUP,...", value_delimiter = ',', value_parser = values::groups())]
    #[arg(conflicts_with_all = ["also", "skip"])]
    pub(crate) only: Vec<GroupName>,
    /// Change this attribute too, or the text of an element
    ///
    /// Repeatable. KIND is url (the default), srcset, css, space-list, comma-list, refresh, html or json
    /// (JSON-LD). Without ELEMENT it is the attribute of every element; without `@` it is the text of an
    /// element, in feeds, sitemaps, OPML, XHTML and SVG. A name with a colon needs its KIND:
    /// `@xlink:href:url`, `g:link:url`. It wins over --also and --skip.
    #[arg(long, value_name = "[ELEMENT]@ATTR[:KIND]")]
    pub(crate) attr: Vec<CustomAttribute>,
    /// Leave links unchanged if their target is in the tree
    #[arg(long)]
    pub(crate) only_missing: bool,
    /// Turn links to a mirror's files back into URLs
    ///
    /// HTTrack and wget -k write the names of files into links, which the server does not know. auto (the
    /// default): each one in HTTrack's pages, elsewhere only those that the server cannot know; always:
    /// each one, for wget -k; never: none, for httrack -K4.
    #[arg(long, value_name = "WHEN", value_parser = values::converted_links())]
    #[arg(default_value = "auto")]
    pub(crate) converted_links: ConvertedLinks,
    /// Leave links that match REGEX unchanged
    #[arg(long, value_name = "REGEX")]
    pub(crate) exclude_url: Option<ReferencePattern>,
    /// Choose the form of links to what is in the tree
    ///
    /// Links to elsewhere become absolute, and so do canonical links, meta and JSON-LD, and links in feeds.
    /// files is for pages that are opened from a disk; it needs a directory as PATH, or --root. keep is for
    /// --move-url and --unwrap. Not for web archives. See docs/relative.md.
    #[arg(long, value_name = "FORM", value_parser = values::to(), default_value = "absolute")]
    pub(crate) to: To,
    /// Try this ending for links without one, with --to files
    ///
    /// Repeatable. With `.html`, /docs/intro leads to docs/intro.html. With `.md=.html`, which --to relative
    /// takes too, docs/intro.md leads to docs/intro.html if that is there.
    #[arg(long, value_name = "ENDING")]
    pub(crate) try_ext: Vec<String>,
    /// Remove each `<base href>` that no link depends on
    ///
    /// --to files does so anyway. Pages of more than 16 MiB keep theirs.
    #[arg(long)]
    pub(crate) remove_base: bool,
    /// Treat URL as another URL of the tree
    ///
    /// Repeatable. For pages that mix `http://www.example.org/` and `https://example.org/`.
    #[arg(long, value_name = "URL", value_hint = ValueHint::Url)]
    pub(crate) site: Vec<String>,
    /// Move links that lead below FROM, absolute ones too
    ///
    /// Repeatable; the longest FROM is used. Links that begin with a TO stay, so a second run changes nothing.
    /// `--move-url https://wrong/=https://right/` corrects a wrong base URL.
    #[arg(long, value_name = "FROM=TO")]
    pub(crate) move_url: Vec<MappedPrefix>,
}

/// How the command runs.
#[derive(Debug, clap::Args)]
pub(crate) struct RunArgs {
    /// Work on N files at a time; by default one per core
    #[arg(short, long, value_name = "N")]
    #[arg(value_parser = values::jobs)]
    pub(crate) jobs: Option<u16>,
    /// For tests: how documents are read; the result is the same
    #[arg(long, value_name = "NAME", value_parser = values::engine(), default_value = "auto")]
    #[arg(hide = true)]
    pub(crate) engine: Engine,
    /// Show the progress on standard error
    ///
    /// auto (the default): on a terminal; always: in a log too, as an occasional line; never.
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
    pub(crate) progress: When,
    /// Print only errors, and no summary
    #[arg(short, long, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Say which base URL each page has
    #[arg(short, long)]
    pub(crate) verbose: bool,
    /// Show the passwords in URLs, instead of ***
    ///
    /// In messages, listings, --format and archive headers. Pages and the diff always show them.
    #[arg(long)]
    pub(crate) show_passwords: bool,
    /// Succeed even if there is nothing to read
    #[arg(long)]
    pub(crate) allow_empty: bool,
    /// Take the settings from FILE
    ///
    /// Otherwise from the nearest abslink.toml, up to the root of the repository or the home directory.
    /// `abslink config` shows them.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    #[arg(conflicts_with = "no_config")]
    pub(crate) config: Option<PathBuf>,
    /// Read no abslink.toml
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
pub(crate) struct ListFilesArgs {
    /// List the files that change, or would change
    ///
    /// One path a line, with --quiet too. check lists files with relative links, not the links. With
    /// `--format json`, check writes an object for each, and rewrite has a field `files`.
    #[arg(short, long)]
    pub(crate) list_files: bool,
}

/// What a CI job may want to fail on.
#[derive(Debug, clap::Args)]
pub(crate) struct StrictArgs {
    /// Fail if a file was skipped that looks like a page
    ///
    /// One that looks like HTML or a feed by its first bytes, not by its name: exit code 2.
    #[arg(long)]
    pub(crate) strict: bool,
}

/// How a path spells a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LayoutName {
    /// The base URL plus the path; the default with --base-url
    Tree,
    /// [scheme/]host[:port]/path[?query]: wget -r
    Wget,
    /// [scheme/]host[+port]/path[@query]: wget -r --restrict-file-names=windows
    WgetWindows,
    /// host[_port]/path: HTTrack
    Httrack,
    /// [timestamp/]host[:port]/path[?query]: waybackpack and others
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
