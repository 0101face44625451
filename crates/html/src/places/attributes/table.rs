//! The table of places, and what it says by names.

use std::sync::LazyLock;

use super::{Against, Empty, Hash, Row, ValueKind, When};
use crate::locate::Namespace;
use crate::locate::name_filter::NameSet;

/// Every place.
pub(super) static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let lines = include_str!("table.tsv").lines();
    lines.filter_map(row).collect()
});

/// A row of the table; `None` for a remark.
fn row(line: &'static str) -> Option<Row> {
    let mut cells = line.split('\t');
    let scope = match cells.next()? {
        "html" => Some(Namespace::Html),
        "svg" => Some(Namespace::Svg),
        "mathml" => Some(Namespace::MathMl),
        "any" => None,
        _ => return None,
    };
    let mut row = Row {
        scope,
        elements: cells.next()?,
        attribute: cells.next()?,
        kind: ValueKind::of_attribute(cells.next()?)?,
        group: cells.next()?.parse().ok()?,
        empty: Empty::Stays,
        hash: Hash::Resolve,
        against: Against::Base,
        when: When::Always,
    };
    for word in cells.next().unwrap_or_default().split(' ') {
        match word {
            "" => {}
            "empty" => row.empty = Empty::Resolves,
            "page" => row.hash = Hash::Page,
            "leave" => row.hash = Hash::Leave,
            "based" => row.hash = Hash::Based,
            "codebase" => row.against = Against::Codebase,
            "fallback" => row.against = Against::Fallback,
            "retrieval" => row.against = Against::Retrieval,
            "http-equiv-refresh" => row.when = When::HttpEquivRefresh,
            "meta-url" => row.when = When::MetaUrl,
            "meta-task" => row.when = When::MetaTask,
            "expects" => row.when = When::Expects,
            "names-document" => row.when = When::NamesDocument,
            "animates-href" => row.when = When::AnimatesHref,
            "no-switch" => row.when = When::IsNoSwitch,
            "holds-css" => row.when = When::HoldsCss,
            "valuetype-ref" => row.when = When::ValuetypeRef,
            _ => return None,
        }
    }
    Some(row)
}

/// Elements that HTML knows or once knew: an attribute of theirs means what HTML says.
pub(super) static HTML_ELEMENTS: NameSet = NameSet::of(
    "a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink \
     blockquote body br button canvas caption center cite code col colgroup command content data \
     datalist dd del details dfn dialog dir div dl dt element em embed fencedframe fieldset figcaption \
     figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe \
     ilayer image img input ins isindex kbd keygen label layer legend li link listing main map mark \
     marquee menu menuitem meta meter multicol nav nextid nobr noembed noframes nolayer noscript \
     object ol optgroup option output p param picture plaintext portal pre progress q rb rbc rp rt \
     rtc ruby s samp script search section select selectedcontent shadow slot small source spacer \
     span strike strong style sub summary sup table tbody td template textarea tfoot th thead time \
     title tr track tt u ul var video wbr xml xmp",
);

/// `name`, `property` and `itemprop` values of `meta` whose `content` is one URL.
pub(super) static META_URLS: NameSet = NameSet::of(
    "al:web:url contenturl image msapplication-config msapplication-square150x150logo \
     msapplication-square310x310logo msapplication-square70x70logo msapplication-starturl \
     msapplication-tileimage msapplication-wide310x150logo og:audio og:audio:secure_url \
     og:audio:url og:image og:image:secure_url og:image:url og:see_also og:url og:video \
     og:video:secure_url og:video:url thumbnail thumbnailurl twitter:image twitter:image:src \
     twitter:player twitter:player:stream twitter:url url vk:image",
);

/// The same where `content` has a `/` and no blanks: some give a name.
pub(super) static META_URLS_OR_NAMES: NameSet = NameSet::of("article:author article:publisher");

/// `name` values of `meta` whose `content` is `key=value` pairs, some of them with URLs.
pub(super) static TILE_TASKS: NameSet =
    NameSet::of("msapplication-badge msapplication-notification msapplication-task");

/// Words in the `rel` of a `link` that names its document to others. `alternate` does so where there is
/// a `hreflang`.
pub(super) static DOCUMENT_NAMES: NameSet = NameSet::of("amphtml canonical self shortlink");
