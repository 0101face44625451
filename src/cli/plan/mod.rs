//! Arguments become a plan, once: every error in them is found here, before
//! anything is read or written.

mod destination;
mod formats;
mod forms;
mod inputs;
mod level;
mod mirror;
pub(crate) mod parts;
mod places;
mod reading;
mod retrieval;
mod wildcards;

use std::ffi::OsString;
use std::io::{self, IsTerminal as _};
use std::path::Path;

use crate::batch::{
    self, Fsync, Globs, Input, Kind, Output, Plan, PlanError, RowFields, Selection, Task,
};
use abslink_html::base::retrieval::Layout;
use abslink_html::base::retrieval::mirror::ConvertedLinks;
use abslink_html::base::retrieval::tree::Tree;
use abslink_html::{Group, Groups, Settings, To, Verify};
use abslink_url::typed::{self, TypedUrlError};

use crate::cli::args::hints::{new_directory, with_options};
use crate::cli::args::{
    CheckArgs, CommonArgs, Detect, DocumentArgs, ExtItem, Fact, LayoutName, LocationArgs,
    ResolverArgs, RewriteArgs, UsageError, usage,
};
use crate::cli::format::Baseline;
use crate::cli::run::used::UsedSettings;
use crate::cli::session::Listing;
use crate::cli::terminal::passwords::masked;
use crate::cli::terminal::print::OneLine;
use destination::{archives, task};
pub(crate) use inputs::expanded;
use retrieval::{of_httrack, retrieval, root};

/// Every error here is one of the arguments, or of settings.
type Result<T, E = UsageError> = std::result::Result<T, E>;

/// The plan of `rewrite`, and what it shows.
pub(crate) fn rewrite(args: &RewriteArgs, typed: &[OsString]) -> Result<(Plan, Listing)> {
    delimited(&args.common, typed)?;
    let mut plan = examine(&args.common)?;
    plan.task = task(&args.destination, &plan.inputs)?;
    plan.archives = archives(&args.destination, &plan)?;
    forms::check_in_place(&plan)?;
    plan.to_terminal = io::stdout().is_terminal();
    plan.archives.show_passwords = args.common.running.show_passwords;
    let off = reading::off_by_default(&args.common.reading);
    let counts_lazy = plan.hints && off.contains(Group::Lazy);
    plan.html.counted = counts_lazy.then(|| Groups::NONE.with(Group::Lazy));
    places::add(&args.common, &args.formats, [None, None], &mut plan)?;
    let listing = formats::rewrite(args, typed, &mut plan)?;
    plan.fsync = args.destination.fsync.unwrap_or(match plan.output() {
        // A file that is lost here is lost for good.
        Some(Output::InPlace { backup: None }) => Fsync::Batch,
        _ => Fsync::Never,
    });
    if args.destination.verify {
        plan.html.verify = verify();
    }
    parts::add(&args.common.running, &mut plan)?;
    plan.check().map_err(|error| {
        let wrong = UsageError::new(&error);
        match error {
            PlanError::OutputIsInput(_)
            | PlanError::OutputInsideInput { .. }
            | PlanError::InputInsideOutput { .. } => {
                wrong.because(Fact::OtherOutput, &[&new_directory(&plan.inputs)])
            }
            _ => wrong,
        }
    })?;
    Ok((plan, listing))
}

/// The plan of `check`, and what it shows.
pub(crate) fn check(args: &CheckArgs, typed: &[OsString]) -> Result<(Plan, Listing)> {
    delimited(&args.common, typed)?;
    let mut plan = examine_for_check(args)?;
    let baselines = [&args.baseline, &args.write_baseline].map(Option::as_deref);
    places::add(&args.common, &args.formats, baselines, &mut plan)?;
    let mut listing = formats::check(args, typed, &mut plan)?;
    let baseline = match baselines {
        [_, Some(path)] => Some(Baseline::write(path)),
        [Some(path), _] => Some(Baseline::read(path)),
        [None, None] => None,
    };
    listing.baseline = baseline.transpose()?;
    parts::add(&args.common.running, &mut plan)?;
    Ok((plan, listing))
}

/// Hook runners append file names, which strangers choose, to the arguments.
fn delimited(common: &CommonArgs, typed: &[OsString]) -> Result<()> {
    if common.documents.hook && !typed.iter().any(|typed| typed == "--") {
        Err(usage!(
            "the hook needs `--` before the names of files, or a name could be an option: end its args with it, \
             as in args: [--root=site, --]"
        ))
    } else {
        Ok(())
    }
}

/// The plan of `check`, which also counts what is in groups that are off.
fn examine_for_check(args: &CheckArgs) -> Result<Plan> {
    let mut plan = examine(&args.common)?;
    let off = reading::off_by_default(&args.common.reading);
    plan.html.counted = (!args.common.running.quiet).then_some(off);
    Ok(plan)
}

/// The plan of a command that only looks.
pub(crate) fn examine(args: &CommonArgs) -> Result<Plan> {
    let mut settings = reading::settings(&args.reading);
    settings.unwrap = args.location.unwrap;
    let mut plan = plan(args, settings)?;
    forms::add(&args.reading, &mut plan)?;
    plan.retrieval.nameless = nameless(&plan);
    // Each page needs these, and their references have to lead from where the pages lead.
    if plan.html.to != To::Absolute && has_default_endings(&args.documents.ext) {
        let selection = &mut plan.selection;
        let is_asked_for = |ending: &str| selection.extensions.iter().any(|it| it == ending);
        let endings = batch::FORMED_ENDINGS.into_iter();
        selection.by_default = endings.filter(|ending| !is_asked_for(ending)).collect();
        let endings = selection.by_default.iter().map(|&ending| ending.to_owned());
        selection.extensions.extend(endings);
    }
    plan.converted_links = args.reading.converted_links;
    if args.reading.converted_links != ConvertedLinks::Auto && archive(&plan).is_some() {
        return Err(not_for_archives("--converted-links"));
    }
    Ok(plan)
}

fn is_in_tree(plan: &Plan) -> bool {
    let is_directory = |input: &Input| matches!(input, Input::Directory(_));
    plan.root.is_some() || plan.inputs.iter().all(is_directory)
}

/// What stands for directories whose URL nothing tells, where references lead from file to file.
fn nameless(plan: &Plan) -> Option<Tree> {
    let is_unknown = plan.retrieval.layout.is_none() && plan.retrieval.map.is_none();
    let is_tree = matches!(plan.inputs[..], [Input::Directory(_)]);
    let leads = matches!(plan.html.to, To::Files | To::Relative);
    (is_unknown && is_tree && leads).then(|| Tree::nameless(&plan.retrieval.assumptions.index))
}

/// The plan of `base`, which does not show what references mean.
pub(crate) fn base(common: &CommonArgs<ResolverArgs>) -> Result<Plan> {
    let mut settings = Settings::default();
    settings.resolver = common.reading.resolver;
    settings.unwrap = common.location.unwrap;
    let mut plan = plan(common, settings)?;
    plan.retrieval.complete = true;
    Ok(plan)
}

/// A plan that writes nothing, and takes references as they are.
fn plan<R: clap::Args>(common: &CommonArgs<R>, html: Settings) -> Result<Plan> {
    let (documents, location) = (&common.documents, &common.location);
    let inputs = inputs::inputs(documents)?;
    if html.only_missing && location.repo.is_some() {
        return Err(usage!("--only-missing does not go with --repo"));
    }
    if html.only_missing && inputs == [Input::Stdin] {
        return Err(usage!(
            "--only-missing needs a tree to look for files in, and `-` has none: give a file or a directory"
        ));
    }
    let finds_map = of_httrack(location, &inputs).is_some();
    let root = root(location, &inputs)?;
    let mut retrieval = retrieval(location, &inputs)?;
    mirror::find(location, &inputs, &mut retrieval);
    let mut plan = Plan::new(inputs, Task::Examine);
    plan.finds_map = finds_map;
    plan.retrieval = retrieval;
    plan.selection = selection(documents, location, common.running.settings.as_ref())?;
    if plan.selection.detect_saved
        && let Some(Layout::Tree(tree)) = &plan.retrieval.layout
    {
        plan.selection.detect_html |= mirror::is_of_host(&tree.directory, &plan.inputs);
    }
    // What a project says is about its tree.
    let mut settings = common.running.settings.iter().flat_map(|it| &it.names);
    plan.has_tree_url = settings.any(|set| ["base-url", "url-map"].contains(&&**set));
    let is_own = plan.inputs.len() == 1 && !plan.has_tree_url;
    let of_pages = [
        ("--only-missing", html.only_missing),
        ("--base-url", is_own && location.base_url.is_some()),
        ("--url-map", is_own && location.url_map.is_some()),
    ];
    if let Some((option, _)) = of_pages.into_iter().find(|(_, given)| *given)
        && archive(&plan).is_some()
    {
        return Err(not_for_archives(option));
    }
    plan.charset = documents.charset.clone();
    plan.converted_links = ConvertedLinks::Never;
    plan.root = root;
    plan.html = html;
    plan.html.engine = common.running.engine;
    plan.feed_base = documents.feed_base;
    plan.rows = RowFields {
        documents: documents.field.clone(),
        url: documents.url_field.clone(),
        delimiter: documents.delimiter,
    };
    if !plan.rows.is_empty() && plan.inputs == [Input::Stdin] && plan.selection.read_as.is_none() {
        return Err(usage!(
            "`-` has no file name: add --as json, jsonl, csv or tsv"
        ));
    }
    plan.hints = !common.running.quiet;
    mirror::describe(location, &mut plan);
    plan.jobs = common.running.jobs.unwrap_or_default().into();
    Ok(plan)
}

fn not_for_archives(option: &str) -> UsageError {
    usage!("{option} is not for web archives: each record names its URL")
}

fn none_and_others(option: &str) -> UsageError {
    usage!("{option} none cannot be combined with other values")
}

/// Refuses a URL that was typed for an option and is hardly what was meant.
pub(crate) fn check_url(option: &str, url: &str) -> Result<()> {
    let shown = OneLine(masked(url));
    typed::check(url).map_err(|error| match error {
        TypedUrlError::NoScheme { meant } => {
            let meant = meant.as_deref().unwrap_or("https://example.org/docs/");
            usage!("no scheme in {option} {shown}").because(Fact::WrongValue, &[url, meant])
        }
        error => usage!("{option} {shown}: {error}"),
    })
}

/// The first PATH that is a web archive, as far as its name or --as says so.
fn archive(plan: &Plan) -> Option<&Path> {
    plan.inputs
        .iter()
        .find_map(|input| match (input, plan.selection.read_as) {
            (Input::Directory(_), _) => None,
            (Input::Stdin, Some(Kind::Archive)) => Some(Path::new("-")),
            (Input::File(path), Some(Kind::Archive)) => Some(path),
            (Input::File(path), None) if batch::is_archive(path) => Some(path),
            _ => None,
        })
}

fn selection(
    documents: &DocumentArgs,
    location: &LocationArgs,
    settings: Option<&UsedSettings>,
) -> Result<Selection> {
    let is_mirror = (location.layout).is_some_and(|layout| layout != LayoutName::Tree);
    let detect = &documents.detect;
    let detects = |kind| detect.contains(&kind) || detect.contains(&Detect::All);
    let is_off = detect.contains(&Detect::None);
    if is_off && detect.iter().any(|kind| *kind != Detect::None) {
        return Err(none_and_others("--detect"));
    }
    let globs = |option: &'static str, patterns: &[String]| {
        let is_it = |name: &String| option.strip_prefix("--") == Some(name);
        let file = settings.filter(|used| used.names.iter().any(is_it));
        let file = file.map(|used| used.path.as_path());
        let directory = file.and_then(Path::parent).unwrap_or(Path::new(""));
        let globs = Globs::new(patterns).and_then(|globs| globs.typed_in(directory));
        globs.map_err(|error| usage!("{option} {error}"))
    };
    Ok(Selection {
        read_as: documents.read_as,
        extensions: endings(&documents.ext)?,
        by_default: Vec::new(),
        detect_feeds: detects(Detect::Feeds),
        detect_html: detects(Detect::Html) || is_mirror && !is_off,
        detect_saved: detect.is_empty(),
        include: globs("--include", &documents.include)?,
        exclude: globs("--exclude", &documents.exclude)?,
        gitignore: documents.gitignore,
        follow_links: documents.follow,
        own_files: Vec::new(),
    })
}

/// A `+` at the start of `--ext` adds the whole list to the default.
fn adds_endings(given: &[ExtItem]) -> bool {
    given.first().is_none_or(|first| first.has_plus)
}

/// Whether `--ext` was not given, or only adds to what counts without it.
fn has_default_endings(given: &[ExtItem]) -> bool {
    let own = given.iter().map(|item| &*item.ending);
    adds_endings(given) || own.eq(batch::default_endings())
}

/// The endings that count: those given, and the default ones if these are added to them.
fn endings(given: &[ExtItem]) -> Result<Vec<String>> {
    if given.iter().skip(1).any(|item| item.has_plus) {
        let list: Vec<&str> = given.iter().map(|item| &*item.ending).collect();
        let hint = with_options(&format!("--ext +{}", list.join(",")), None);
        let error = usage!("--ext: `+` comes once, before the whole list");
        return Err(error.with_hints(&[&hint]));
    }
    let default = batch::default_endings().filter(|_| adds_endings(given));
    let given = given.iter().map(|item| item.ending.clone());
    Ok(default.map(String::from).chain(given).collect())
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

#[cfg(test)]
mod tests;
