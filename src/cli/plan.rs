//! Arguments become a plan, once: every error in them is found here, before
//! anything is read or written.

use std::borrow::Cow;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::batch::{
    self, ArchiveForm, ArchiveOptions, Findings, Fsync, GlobError, Globs, Input, Moment, Output,
    Part, Plan, PlanError, ReadAs, RowFields, RowHolds, Selection, Task,
};
use abslink_html::base::retrieval::mirror::ConvertedLinks;
use abslink_html::base::retrieval::tree::Tree;
use abslink_html::base::retrieval::url_map::{MapError, UrlMap};
use abslink_html::base::retrieval::{self, EvidenceKind, Scheme, Sources};
use abslink_html::{MappedPrefixError, Settings, Verify};
use abslink_url::{BaseUrl, UnsuitableBase, pre_step};

use super::args::{
    Base, Check, Common, Destination, Documents, Ending, Layout, Location, Rewrite, Rows,
};
use super::format::{Baseline, BaselineError, Command, Listing};
use super::passwords::masked;
use super::print::{OneLine, PathLine};

/// Why arguments, each well-formed, cannot be combined or do not fit this file system.
#[derive(Debug, thiserror::Error)]
pub(crate) enum UsageError {
    #[error(
        "the hook needs `--` before the names of files, or a name could be an option: end its args with it, \
         as in args: [--root=site, --]"
    )]
    NamesNeedDashes,
    #[error(transparent)]
    Inputs(#[from] InputError),
    #[error(
        "`-` has no file name, which {option} needs: leave the option out, and the document goes \
         to standard output"
    )]
    StdinHasNoName { option: &'static str },
    #[error(
        "`-` is not below a directory: leave --root out, and give the URL of the document with -b"
    )]
    StdinHasNoRoot,
    #[error(
        "{} is a directory; say where its documents go: -o DIR writes a new tree, -i replaces them, \
         --dry-run only counts, --diff only shows what would change",
        PathLine(path)
    )]
    DirectoryGoesNowhere { path: PathBuf },
    #[error(
        "{paths} PATHs cannot all go to standard output; choose one of -o DIR (a new tree), -i (in \
         place), --dry-run (only count), --diff (only show)"
    )]
    ManyGoNowhere { paths: usize },
    #[error(
        "the document or the diff goes to standard output, where --format {name} would write too: \
         choose -o DIR, -i or --dry-run, or give it a file: --format {name}=FILE"
    )]
    FormatHasNoPlace { name: &'static str },
    #[error(
        "--format text of rewrite is the summary on standard error, and goes to no file: leave `=FILE` out"
    )]
    TextIsOnStderr,
    #[error(
        "--format {one} and --format {other} would both go to standard output: give each a place of \
         its own, as in --format {other}=FILE"
    )]
    FormatsMeet {
        one: &'static str,
        other: &'static str,
    },
    #[error("--format {name}={}: cannot be written: {error}", PathLine(path))]
    FormatFile {
        name: &'static str,
        path: PathBuf,
        error: io::Error,
    },
    #[error(transparent)]
    Report(#[from] ReportError),
    #[error(transparent)]
    Baseline(#[from] BaselineError),
    #[error(transparent)]
    Level(#[from] LevelError),
    #[error(transparent)]
    Form(#[from] FormError),
    #[error(transparent)]
    Place(#[from] PlaceError),
    #[error(
        "--base-url is the URL of one document or one directory, but there are {paths} PATHs: add --root DIR, \
         the directory that the URL stands for, and each file gets its own URL; or convert them one by one, \
         each with its URL"
    )]
    OneUrlForMany { paths: usize },
    #[error(
        "--root {}: not a directory; it is the directory that --base-url stands for",
        PathLine(path)
    )]
    RootIsNoDirectory { path: PathBuf },
    #[error("--root {}: {error}", PathLine(path))]
    Root { path: PathBuf, error: io::Error },
    #[error("--layout tree needs --base-url, the URL that the tree stands for")]
    TreeNeedsUrl,
    #[error(
        "--base-url is for --layout tree only: in the other layouts the directories name their \
         hosts; leave one of the two options out"
    )]
    UrlIsForTree,
    #[error(
        "--any-host is for layouts in which the first directory is a host: wget, wget-windows, httrack"
    )]
    LayoutHasNoHosts,
    #[error(
        "with this --layout the first directory is a host: give the mirror's directory as PATH, or \
         add --root DIR for files below it"
    )]
    LayoutNeedsRoot,
    #[error("--url-from {0} needs {1}")]
    SourceNeeds(&'static str, &'static str),
    #[error("--url-map {}: {error}", PathLine(path))]
    Map { path: PathBuf, error: MapError },
    #[error(
        "--only-missing needs a tree to look for files in, and `-` has none: give a file or a directory"
    )]
    StdinHasNoTree,
    #[error("`-` has no name that says how its rows are spelled: add --as json, jsonl, csv or tsv")]
    RowsOnStdin,
    #[error("there are too many fields: {} at most", RowFields::MOST)]
    TooManyFields,
    #[error(
        "{option} is not for web archives, whose records say themselves which URL each document has: \
         leave it out"
    )]
    NotForArchives { option: &'static str },
    #[error(
        "-i cannot replace {} by its conversions: add --warc-as append or --warc-as response, or write \
         the conversions as a new archive with -o DIR",
        PathLine(path)
    )]
    ConversionsInPlace { path: PathBuf },
    #[error("--base-url {}: {reason}", OneLine(masked(url)))]
    Base { url: String, reason: UnsuitableBase },
    #[error("--base-url {}: a URL has no spaces: write {}", OneLine(masked(url)), OneLine(masked(&url.replace(' ', "%20"))))]
    SpaceInUrl { url: String },
    #[error("--map-url: {0}")]
    MapUrl(MappedPrefixError),
    #[error("{option} {error}")]
    Glob {
        option: &'static str,
        error: GlobError,
    },
    #[error(transparent)]
    Paths(#[from] PlanError),
}

/// The plan of `rewrite`, and what it shows.
pub(crate) fn rewrite(args: &Rewrite, typed: &[OsString]) -> Result<(Plan, Listing), UsageError> {
    delimited(&args.common, typed)?;
    let mut plan = examine(&args.common)?;
    plan.task = task(&args.destination, &plan.inputs)?;
    let prints = matches!(
        plan.task,
        Task::Rewrite(Output::Stdout) | Task::Try { diff: true, .. }
    );
    plan.archives = archives(&args.destination, &plan)?;
    plan.archives.show_passwords = args.common.running.show_passwords;
    let files = places::Files {
        page: &args.page,
        formats: &args.formats,
        map: args.common.location.url_map.as_deref(),
        baseline: None,
        new_baseline: None,
    };
    places::add(&files, &mut plan)?;
    let mut listing = formats::rewrite(&args.formats, prints, plan.html.only_missing)?;
    if listing.printer.finds() {
        plan.findings = Findings::Left;
    }
    let command = Command::Rewrite {
        only_missing: plan.html.only_missing,
    };
    report::add(&args.page, command, typed, &mut plan, &mut listing)?;
    plan.fsync = args.destination.fsync.unwrap_or(match plan.output() {
        // A file that is lost here is lost for good.
        Some(Output::InPlace { backup: None }) => Fsync::Batch,
        _ => Fsync::Never,
    });
    if args.destination.verify {
        plan.html.verify = verify();
    }
    parts::add(&args.common.running, &mut plan)?;
    plan.check()?;
    Ok((plan, listing))
}

/// The plan of `check`, and what it shows.
pub(crate) fn check(args: &Check, typed: &[OsString]) -> Result<(Plan, Listing), UsageError> {
    delimited(&args.common, typed)?;
    let mut plan = examine(&args.common)?;
    let (baseline, new_baseline) = (args.baseline.as_deref(), args.write_baseline.as_deref());
    let files = places::Files {
        page: &args.page,
        formats: &args.formats,
        map: args.common.location.url_map.as_deref(),
        baseline,
        new_baseline,
    };
    places::add(&files, &mut plan)?;
    let forms = plan.html.has_forms();
    let mut listing = formats::check(&args.formats, forms)?;
    listing.baseline = match (baseline, new_baseline) {
        (_, Some(path)) => Some(Baseline::write(path)?),
        (Some(path), _) => Some(Baseline::read(path)?),
        (None, None) => None,
    };
    let command = Command::Check { forms };
    report::add(&args.page, command, typed, &mut plan, &mut listing)?;
    parts::add(&args.common.running, &mut plan)?;
    Ok((plan, listing))
}

/// The PATHs of a command that makes no plan.
pub(crate) fn paths(typed: &[PathBuf]) -> Result<Cow<'_, [PathBuf]>, UsageError> {
    Ok(inputs::typed(typed)?)
}

/// Hook runners append file names, which strangers choose, to the arguments.
fn delimited(common: &Common, typed: &[OsString]) -> Result<(), UsageError> {
    match common.documents.hook && !typed.iter().any(|typed| typed == "--") {
        true => Err(UsageError::NamesNeedDashes),
        false => Ok(()),
    }
}

/// The plan of a command that only looks.
pub(crate) fn examine(args: &Common) -> Result<Plan, UsageError> {
    let mut plan = plan(args, reading::settings(&args.reading)?)?;
    let has_archive = archive(&plan).is_some();
    let is_directory = |input: &Input| matches!(input, Input::Directory(_));
    let is_in_tree = plan.root.is_some() || plan.inputs.iter().all(is_directory);
    forms::add(
        &args.reading,
        &plan.retrieval,
        has_archive,
        is_in_tree,
        &mut plan.html,
    )?;
    plan.converted_links = args.reading.converted_links;
    if args.reading.converted_links != ConvertedLinks::Auto && archive(&plan).is_some() {
        let option = "--converted-links";
        return Err(UsageError::NotForArchives { option });
    }
    Ok(plan)
}

/// The plan of `base`, which does not show what references mean.
pub(crate) fn base(args: &Base) -> Result<Plan, UsageError> {
    let mut settings = Settings::default();
    settings.resolver = args.common.reading.resolver;
    let mut plan = plan(&args.common, settings)?;
    plan.retrieval.complete = true;
    Ok(plan)
}

/// A plan that writes nothing, and takes references as they are.
fn plan<R: clap::Args>(common: &Common<R>, html: Settings) -> Result<Plan, UsageError> {
    let (documents, location) = (&common.documents, &common.location);
    let inputs = inputs::inputs(documents)?;
    if html.only_missing && inputs == [Input::Stdin] {
        return Err(UsageError::StdinHasNoTree);
    }
    let retrieval = retrieval(location, &inputs)?;
    let mut plan = Plan::new(inputs, Task::Examine);
    plan.retrieval = retrieval;
    plan.selection = selection(documents, location)?;
    // What a project says is about its tree.
    let mut settings = common.running.settings.iter().flat_map(|it| &it.names);
    plan.has_tree_url = settings.any(|set| ["base-url", "url-map"].contains(&&**set));
    let is_own = plan.inputs.len() == 1 && !plan.has_tree_url;
    let not_for_archives = [
        ("--only-missing", html.only_missing),
        ("--base-url", is_own && location.base_url.is_some()),
        ("--url-map", is_own && location.url_map.is_some()),
    ];
    if let Some((option, _)) = not_for_archives.into_iter().find(|(_, given)| *given)
        && archive(&plan).is_some()
    {
        return Err(UsageError::NotForArchives { option });
    }
    plan.charset = documents.charset.clone();
    plan.converted_links = ConvertedLinks::Never;
    plan.root = location.root.clone();
    plan.html = html;
    plan.html.engine = common.running.engine;
    plan.feed_base = documents.feed_base;
    plan.rows = rows(&documents.rows)?;
    if !plan.rows.is_empty() && plan.inputs == [Input::Stdin] && plan.selection.read_as.is_none() {
        return Err(UsageError::RowsOnStdin);
    }
    plan.message.attachments = documents.messages.attachments;
    plan.message.file_locations = documents.messages.file_locations;
    plan.jobs = common.running.jobs.unwrap_or_default().into();
    Ok(plan)
}

/// Which fields of rows hold documents.
fn rows(given: &Rows) -> Result<RowFields, UsageError> {
    let fields = [
        (RowHolds::Html, &given.html_field),
        (RowHolds::Feed, &given.feed_field),
        (RowHolds::StyleSheet, &given.css_field),
        (RowHolds::Reference, &given.reference_field),
    ];
    let documents = fields.into_iter().flat_map(|(holds, names)| {
        let names = names.iter().cloned();
        names.map(move |name| (holds, name))
    });
    let documents: Vec<_> = documents.collect();
    if documents.len() > RowFields::MOST {
        return Err(UsageError::TooManyFields);
    }
    Ok(RowFields {
        documents,
        url: given.url_field.clone(),
        delimiter: given.delimiter,
    })
}

/// The first PATH that is a web archive, as far as its name or --as says so.
fn archive(plan: &Plan) -> Option<&Path> {
    plan.inputs
        .iter()
        .find_map(|input| match (input, plan.selection.read_as) {
            (Input::Directory(_), _) => None,
            (Input::Stdin, Some(ReadAs::Warc)) => Some(Path::new("-")),
            (Input::File(path), Some(ReadAs::Warc)) => Some(path),
            (Input::File(path), None) if batch::is_archive(path) => Some(path),
            _ => None,
        })
}

/// How web archives are written.
fn archives(destination: &Destination, plan: &Plan) -> Result<ArchiveOptions, UsageError> {
    let given = &destination.archives;
    if destination.in_place
        && given.warc_as == ArchiveForm::Conversions
        && let Some(path) = archive(plan)
    {
        let path = path.to_owned();
        return Err(UsageError::ConversionsInPlace { path });
    }
    let date = match &given.date {
        Some(date) => Some(date.clone()),
        None => report::source_date()?,
    };
    Ok(ArchiveOptions {
        form: given.warc_as,
        date,
        level: given.compression_level,
        show_passwords: false,
    })
}

fn selection(documents: &Documents, location: &Location) -> Result<Selection, UsageError> {
    let is_mirror = (location.layout).is_some_and(|layout| layout != Layout::Tree);
    let globs = |option, patterns: &[String]| {
        Globs::new(patterns).map_err(|error| UsageError::Glob { option, error })
    };
    Ok(Selection {
        read_as: documents.messages.read_as,
        extensions: endings(&documents.ext),
        detect_feeds: documents.detect_feeds,
        detect_html: documents.detect_html || (is_mirror && !documents.no_detect_html),
        include: globs("--include", &documents.include)?,
        exclude: globs("--exclude", &documents.exclude)?,
        gitignore: documents.gitignore,
        follow_links: documents.follow_links,
        own_files: Vec::new(),
    })
}

/// The endings that count: those given, or the default ones, and those that are added.
fn endings(given: &[Ending]) -> Vec<String> {
    let mut endings: Vec<String> = Vec::new();
    if given.iter().all(|ending| ending.is_added) {
        endings.extend(batch::default_endings().map(String::from));
    }
    endings.extend(given.iter().map(|ending| ending.ending.clone()));
    endings
}

/// RFC 1808 §3.3: what is known about the documents' retrieval URLs.
fn retrieval(location: &Location, inputs: &[Input]) -> Result<Sources, UsageError> {
    if let Some(root) = &location.root {
        if inputs == [Input::Stdin] {
            return Err(UsageError::StdinHasNoRoot);
        }
        let path = root.clone();
        match root.metadata() {
            Ok(metadata) if metadata.is_dir() => {}
            Ok(_) => return Err(UsageError::RootIsNoDirectory { path }),
            Err(error) => return Err(UsageError::Root { path, error }),
        }
    }
    let index = match location.keep_index {
        true => Vec::new(),
        false => location.index.clone(),
    };
    let layout = layout(location, inputs, &index)?;
    let map = location.url_map.as_deref().map(url_map).transpose()?;
    let order = match (&location.url_from[..], layout.is_some() || map.is_some()) {
        ([], true) => vec![EvidenceKind::Map, EvidenceKind::Layout],
        ([], false) => Sources::default().order,
        (given, _) => given.to_vec(),
    };
    let given = !location.url_from.is_empty();
    if given && order.contains(&EvidenceKind::Map) && map.is_none() {
        return Err(UsageError::SourceNeeds("map", "--url-map FILE"));
    }
    if given && order.contains(&EvidenceKind::Layout) && layout.is_none() {
        return Err(UsageError::SourceNeeds("layout", "--base-url or --layout"));
    }
    let mut sources = Sources::default();
    sources.order = order;
    sources.layout = layout;
    sources.map = map;
    sources.unrecorded.scheme = (location.scheme.clone().map(Scheme::Given)).unwrap_or_default();
    sources.unrecorded.index = index;
    sources.unrecorded.any_host = location.any_host;
    level::check(location, inputs, &sources)?;
    Ok(sources)
}

/// How paths spell URLs, if they do.
fn layout(
    location: &Location,
    inputs: &[Input],
    index: &[String],
) -> Result<Option<retrieval::Layout>, UsageError> {
    // What cannot be examined may be a directory, and the run says what is wrong with it.
    let is_file = |input: &Input| match input {
        Input::File(path) => path.symlink_metadata().is_ok(),
        Input::Stdin => true,
        Input::Directory(_) => false,
    };
    let has_files = location.root.is_none() && inputs.iter().any(is_file);
    let url = match (location.layout, &location.base_url) {
        (None, None) => return Ok(None),
        (Some(Layout::Tree), _) if location.any_host => return Err(UsageError::LayoutHasNoHosts),
        (Some(Layout::Tree), None) => return Err(UsageError::TreeNeedsUrl),
        (None | Some(Layout::Tree), Some(url)) => pre_step(url),
        (Some(_), Some(_)) => return Err(UsageError::UrlIsForTree),
        (Some(_), None) if has_files => return Err(UsageError::LayoutNeedsRoot),
        (Some(Layout::Wget), None) => return Ok(Some(retrieval::Layout::Wget)),
        (Some(Layout::WgetWindows), None) => return Ok(Some(retrieval::Layout::WgetWindows)),
        (Some(Layout::Httrack), None) => return Ok(Some(retrieval::Layout::Httrack)),
    };
    if url.contains(' ') {
        let url = url.into_owned();
        return Err(UsageError::SpaceInUrl { url });
    }
    let layout = match inputs {
        [Input::File(_) | Input::Stdin] if location.root.is_none() => {
            BaseUrl::parse(&url).map(retrieval::Layout::Document)
        }
        inputs if location.root.is_none() && inputs.len() > 1 => {
            return Err(UsageError::OneUrlForMany {
                paths: inputs.len(),
            });
        }
        _ => Tree::new(&url, index).map(retrieval::Layout::Tree),
    };
    layout.map(Some).map_err(|reason| UsageError::Base {
        url: url.to_string(),
        reason,
    })
}

/// Why a map is not opened: a named pipe may never get a writer, and a device may have no end.
const NO_FILE: &str = "it is not a regular file; give one, or the output of a command that runs \
                       meanwhile: --url-map <(COMMAND)";

/// Reads the map. The pipe that a shell passes for the output of a command is open already, and has
/// no name.
fn url_map(path: &Path) -> Result<Arc<UrlMap>, UsageError> {
    let is_other = |path: &Path| {
        let named = path.canonicalize().and_then(std::fs::metadata);
        named.is_ok_and(|named| !named.is_file() && !named.is_dir())
    };
    let opened = match is_other(path) {
        true => Err(io::Error::other(NO_FILE)),
        false => File::open(path),
    };
    let map = opened
        .map_err(MapError::Read)
        .and_then(|file| UrlMap::read(BufReader::with_capacity(1 << 16, file)));
    map.map(Arc::new).map_err(|error| UsageError::Map {
        path: path.to_owned(),
        error,
    })
}

/// What `rewrite` does: `--dry-run` and `--diff` change nothing about where documents would go.
fn task(destination: &Destination, inputs: &[Input]) -> Result<Task, UsageError> {
    let output = output(destination, inputs)?;
    match output {
        output if destination.dry_run || destination.diff => Ok(Task::Try {
            output,
            diff: destination.diff,
        }),
        Some(output) => Ok(Task::Rewrite(output)),
        None => stdout(inputs).map(Task::Rewrite),
    }
}

/// The second reader. If a test asks for it, with a fault for it to find; not in a release.
fn verify() -> Verify {
    #[cfg(debug_assertions)]
    if let Ok(fault) = std::env::var("ABSLINK_TEST_FAULT")
        && let Some((from, to)) = fault.split_once("=>")
    {
        return abslink_verify::planted(from, to);
    }
    abslink_verify::second_reader()
}

/// Where documents go by the options that say so.
fn output(destination: &Destination, inputs: &[Input]) -> Result<Option<Output>, UsageError> {
    let needs_name = |option| match inputs {
        [Input::Stdin] => Err(UsageError::StdinHasNoName { option }),
        _ => Ok(()),
    };
    if let Some(directory) = &destination.output {
        needs_name("-o")?;
        inputs::check_output(directory, inputs)?;
        Ok(Some(Output::Directory {
            directory: directory.clone(),
            copy_others: destination.copy_others,
        }))
    } else if destination.in_place {
        needs_name("-i")?;
        Ok(Some(Output::InPlace {
            backup: destination.backup.clone(),
        }))
    } else {
        Ok(None)
    }
}

/// Without such an option, one document goes to standard output.
fn stdout(inputs: &[Input]) -> Result<Output, UsageError> {
    let directory = inputs.iter().find_map(|input| match input {
        Input::Directory(path) => Some(path.clone()),
        Input::File(_) | Input::Stdin => None,
    });
    match (directory, inputs.len()) {
        (Some(path), _) => Err(UsageError::DirectoryGoesNowhere { path }),
        (None, 1) => Ok(Output::Stdout),
        (None, paths) => Err(UsageError::ManyGoNowhere { paths }),
    }
}

mod formats;
mod forms;
mod inputs;
mod level;
pub(crate) mod parts;
mod places;
mod reading;
mod report;
mod wildcards;

use forms::FormError;
use inputs::InputError;
use level::LevelError;
use places::PlaceError;
use report::ReportError;

#[cfg(test)]
mod tests;
