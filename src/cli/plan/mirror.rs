//! What a tree tells about the program that mirrored it, where nobody said so.

use std::fs;
use std::path::Path;

use abslink_html::base::retrieval::{Layout, Sources, comment};
use abslink_url::rfc1808::Components;

use super::inputs;
use super::level::directories_alone;
use crate::batch::{Input, Plan};
use crate::cli::args::LocationArgs;
use crate::cli::run::end::name;
use crate::cli::run::mirror::{above, behind_host, files, links_to, pages, text};

/// The layouts that a name tells, and the port that each writes behind a host's name.
const LAYOUTS: [(Layout, char); 3] = [
    (Layout::Wget, ':'),
    (Layout::WgetWindows, '+'),
    (Layout::Httrack, '_'),
];

/// For what helps where pages have no base URL.
pub(super) fn describe(location: &LocationArgs, plan: &mut Plan) {
    let is_known = plan.retrieval.layout.is_some() || plan.retrieval.map.is_some();
    let [Input::Directory(root)] = &plan.inputs[..] else {
        return;
    };
    if is_known || location.root.is_some() || !plan.hints {
        return;
    }
    plan.mirror = layout(root);
    let map = Path::new(".").join(root).join("../hts-cache/new.txt");
    plan.map_above = map.is_file().then(|| above(root));
}

/// The layout by which each directory that has pages is a host.
fn layout(root: &Path) -> Option<&'static str> {
    let mut hosts = directories_alone(root);
    // Most trees are no mirrors, and are not walked for that.
    let may_be_host = |host: &String| LAYOUTS.iter().any(|(layout, _)| layout.is_host(host));
    if !hosts.iter().any(may_be_host) {
        return None;
    }
    hosts.retain(|directory| has_page(&root.join(directory)));
    let is_mirror = !hosts.is_empty() && !hosts.iter().any(|host| is_package(host));
    let is_layout = |(layout, _): &&(Layout, char)| hosts.iter().all(|host| layout.is_host(host));
    let of_port = |(_, mark): &&(Layout, char)| {
        let ends_so = |host: &String| {
            host.rsplit_once(*mark)
                .is_some_and(|(_, port)| port.parse::<u16>().is_ok())
        };
        hosts.iter().any(ends_so)
    };
    let known = LAYOUTS.iter().filter(is_layout);
    let known = known.clone().find(of_port).or_else(|| known.clone().next());
    known.filter(|_| is_mirror).map(|(layout, _)| name(layout))
}

fn has_page(directory: &Path) -> bool {
    pages(directory).next().is_some()
}

/// `socket.io` is more often a package than a host.
fn is_package(directory: &str) -> bool {
    let (word, ending) = directory.split_once('.').unwrap_or_default();
    !word.is_empty() && ["js", "io", "net"].contains(&ending)
}

/// Whether PATH has the name of the host in the base URL: somebody mirrored that.
pub(super) fn is_of_host(url: &str, inputs: &[Input]) -> bool {
    let [Input::Directory(root)] = inputs else {
        return false;
    };
    let root = root.canonicalize().ok();
    let name = root.as_deref().and_then(|root| root.file_name()?.to_str());
    let host = Components::parse(url).net_loc;
    (name.zip(host)).is_some_and(|(name, host)| {
        LAYOUTS
            .iter()
            .any(|(layout, _)| layout.is_host(name) && layout.spells_host(name, host))
    })
}

/// What the files of a mirror tell about how it was made, where nobody said so.
pub(super) fn find(location: &LocationArgs, inputs: &[Input], sources: &mut Sources) {
    let Some(root) = inputs::root(location, inputs) else {
        return;
    };
    let has_marks = || names(root).any(|name| name.contains('?'));
    sources.assumptions.linked = match sources.layout {
        Some(Layout::Wget) if has_marks() => linked(root, '?'),
        Some(Layout::Wget | Layout::WgetWindows) => linked(root, '@'),
        _ => Vec::new(),
    };
    // Where names have such a mark, it is the one that wget writes there.
    if let Some(layout @ Layout::Wget) = &mut sources.layout
        && sources
            .assumptions
            .linked
            .iter()
            .any(|name| !name.contains('?'))
    {
        *layout = Layout::WgetWindows;
    }
    let layout = sources.layout.as_ref().filter(|layout| layout.has_hosts());
    if let (Some(layout), None) = (layout, &location.scheme) {
        sources.assumptions.schemes = schemes(root, layout);
    }
}

/// The names in which this is the mark of a query: a page has a link to such a URL.
fn linked(root: &Path, mark: char) -> Vec<String> {
    let names = names(root).filter(|name| name.contains(mark));
    let names: Vec<String> = names.collect();
    let spelled = |name: &String| {
        let url = name.strip_suffix(".html").unwrap_or(name);
        let url = url.replacen(mark, "?", 1).replace("%3F", "?");
        [url.replace('&', "&amp;"), url.replace('&', "&#38;"), url]
    };
    let links = links_to(root, &names.iter().map(spelled).collect::<Vec<_>>());
    let linked = names.into_iter().zip(links);
    linked
        .filter_map(|(name, links)| (links > 0).then_some(name))
        .collect()
}

fn names(root: &Path) -> impl Iterator<Item = String> {
    files(root).filter_map(|path| Some(path.file_name()?.to_str()?.to_owned()))
}

/// The schemes of hosts, by what names their URLs in full: robots.txt, sitemaps, wget's log, the pages themselves.
fn schemes(root: &Path, layout: &Layout) -> Vec<(String, &'static str)> {
    let entries = fs::read_dir(root).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let logs: Vec<String> = ["wget.log", "wget-log", "hts-log.txt"]
        .map(|log| text(&root.join(log)))
        .into();
    let mut found = Vec::new();
    for directory in names.filter(|name| layout.is_host(name)) {
        let Some(host) = layout.host(&directory) else {
            continue;
        };
        let below = root.join(&directory);
        let own = ["robots.txt", "sitemap.xml"].map(|file| text(&below.join(file)));
        let listed = own
            .iter()
            .chain(&logs)
            .find_map(|text| in_text(text, &host));
        let by_page =
            || pages(&below).find_map(|page| comment::own_scheme(text(&page).as_bytes(), &host));
        found.extend(listed.or_else(by_page).map(|scheme| (host, scheme)));
    }
    found
}

/// The scheme with which a text names a host last: a server may have sent wget from http to https.
fn in_text(text: &str, host: &str) -> Option<&'static str> {
    let last = |scheme| {
        let rests = behind_host(text, scheme, host).filter(|rest| !rest.starts_with(':'));
        rests.last().map(|rest| text.len() - rest.len())
    };
    match (last("http"), last("https")) {
        (None, None) => None,
        (http, https) => Some(if http > https { "http" } else { "https" }),
    }
}
