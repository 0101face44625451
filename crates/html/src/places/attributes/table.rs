//! The places that carry URLs, as data: the HTML standard's attribute index and its list of
//! non-conforming features, SVG 2's linking chapter, MathML, and HTML 2 to 4.
//!
//! What has no row here is not a place. There are deliberately none for identifiers that are
//! absolute by definition (`itemtype`, `urn`, `definitionURL`), for class names in applet code
//! (`code`, `classid`, `object` on applet: an absolute `codebase` is all they need), for `script
//! for`, for source expressions of a content security policy, and for document type declarations.

use super::super::groups::Group::{
    Amp, Canonical, Css, Htmx, Lazy, Legacy, Links, Meta, Refresh, Srcdoc, Srcset, Svg as SvgGroup,
};
use super::Against::{Base, Codebase, Fallback, Retrieval};
use super::Empty::{Resolves, Stays};
use super::Hash::{Based, Leave, Page, Resolve};
use super::Row;
use super::ValueKind::{
    CommaList, CssDeclarations, HashName, Refresh as RefreshValue, SemicolonList, SpaceList,
    Srcdoc as SrcdocValue, Srcset as SrcsetValue, TileTask, Url,
};
use super::When::{
    Always, AnimatesHref, Expects, HoldsCss, HttpEquivRefresh, IsNoSwitch, MetaTask, MetaUrl,
    NamesDocument, ValuetypeRef,
};
use crate::locate::Namespace;
use crate::locate::name_filter::NameSet;

/// SVG elements that normally refer to others in their own document.
const REFERRING: &str = "feImage use linearGradient radialGradient pattern mpath textPath filter \
    tref altGlyph glyphRef animate animateMotion animateTransform set discard";

/// One row per line: elements (`*` is any, `?` any custom element and any that HTML does not know, `*-*` any custom
/// element), attribute, kind, group, and the columns that
/// differ.
macro_rules! rows {
    (@Any) => { None };
    (@$namespace:ident) => { Some(Namespace::$namespace) };
    ($($scope:ident $elements:tt $attribute:literal $kind:ident $group:ident
       $empty:ident $hash:ident $against:ident $when:ident)*) => {
        &[$(Row {
            scope: rows!(@$scope),
            elements: $elements,
            attribute: $attribute,
            kind: $kind,
            group: $group,
            empty: $empty,
            hash: $hash,
            against: $against,
            when: $when,
        }),*]
    };
}

/// Every place, sorted by scope and attribute. If several rows fit an attribute, the first
/// one counts.
#[rustfmt::skip]
pub(super) const ROWS: &[Row] = rows! {
//  scope elements                                     attribute        kind            group     value=""  value="#x" against  when
    Html "form"                                        "action"         Url             Links     Stays    Resolve Base      Always
    Html "isindex"                                     "action"         Url             Legacy    Stays    Resolve Base      Always
    Html "form"                                        "action-xhr"     Url             Amp       Stays    Resolve Base      Always
    Html "object"                                      "archive"        SpaceList       Legacy    Stays    Resolve Codebase  Always
    Html "applet"                                      "archive"        CommaList       Legacy    Stays    Resolve Codebase  Always
    Html "amp-audio amp-video"                         "artwork"        Url             Amp       Stays    Resolve Base      Always
    Html "a area img script"                           "attributionsrc" SpaceList       Links     Stays    Resolve Base      Always
    Html "body table thead tbody tfoot tr td th layer ilayer" "background" Url          Legacy    Stays    Resolve Base      Always
    Html "amp-story amp-story-page"                    "background-audio" Url             Amp       Stays    Resolve Base      Always
    Html "mj-hero mj-section mj-wrapper mj-all mj-class" "background-url" Url             Links     Stays    Resolve Base      Always
    Html "mj-navbar"                                    "base-url"       Url             Links     Stays    Resolve Base      Always
    Html "amp-story"                                   "bookend-config-src" Url             Amp       Stays    Resolve Base      Always
    Html "blockquote q del ins"                        "cite"           Url             Links     Resolves Resolve Base      Always
    Html "object applet embed"                         "codebase"       Url             Legacy    Stays    Resolve Base      Always
    Html "amp-analytics"                               "config"         Url             Amp       Stays    Resolve Base      Always
    Html "meta"                                        "content"        RefreshValue    Refresh   Stays    Resolve Base      HttpEquivRefresh
    Html "meta"                                        "content"        TileTask        Meta      Stays    Resolve Base      MetaTask
    Html "meta"                                        "content"        Url             Meta      Stays    Resolve Base      MetaUrl
    Html "object"                                      "data"           Url             Links     Stays    Resolve Base      Always
    Html "*"                                           "data-background" CssDeclarations Lazy      Stays    Leave   Base      HoldsCss
    Html "*"                                           "data-background" Url            Lazy      Stays    Resolve Base      Always
    Html "*"                                           "data-background-image" CssDeclarations Lazy      Stays    Leave   Base      HoldsCss
    Html "*"                                           "data-background-image" Url             Lazy      Stays    Resolve Base      Always
    Html "*"                                           "data-bg"        CssDeclarations Lazy      Stays    Leave   Base      HoldsCss
    Html "*"                                           "data-bg"        Url             Lazy      Stays    Resolve Base      Always
    Html "*"                                           "data-bgset"     SrcsetValue     Lazy      Stays    Resolve Base      Always
    Html "*"                                           "data-href"      Url             Lazy      Stays    Resolve Base      Always
    Html "*"                                           "data-hx-delete" Url             Htmx      Stays    Resolve Base      Always
    Html "*"                                           "data-hx-get"    Url             Htmx      Stays    Resolve Base      Always
    Html "*"                                           "data-hx-patch"  Url             Htmx      Stays    Resolve Base      Always
    Html "*"                                           "data-hx-post"   Url             Htmx      Stays    Resolve Base      Always
    Html "*"                                           "data-hx-push-url" Url             Htmx      Stays    Resolve Base      IsNoSwitch
    Html "*"                                           "data-hx-put"    Url             Htmx      Stays    Resolve Base      Always
    Html "*"                                           "data-hx-replace-url" Url             Htmx      Stays    Resolve Base      IsNoSwitch
    Html "amp-install-serviceworker"                   "data-iframe-src" Url             Amp       Stays    Resolve Base      Always
    Html "*"                                           "data-large-file" Url             Lazy      Stays    Resolve Base      Always
    Html "*"                                           "data-large_image" Url             Lazy      Stays    Resolve Base      Always
    Html "*"                                           "data-lazy-src"  Url             Lazy      Stays    Resolve Base      Always
    Html "*"                                           "data-lazy-srcset" SrcsetValue   Lazy      Stays    Resolve Base      Always
    Html "*"                                           "data-medium-file" Url             Lazy      Stays    Resolve Base      Always
    Html "*"                                           "data-orig-file" Url             Lazy      Stays    Resolve Base      Always
    Html "*"                                           "data-original"  Url             Lazy      Stays    Resolve Base      Always
    Html "*"                                           "data-poster"    Url             Lazy      Stays    Resolve Base      Always
    Html "*"                                           "data-src"       Url             Lazy      Stays    Resolve Base      Always
    Html "*"                                           "data-srcset"    SrcsetValue     Lazy      Stays    Resolve Base      Always
    Html "*"                                           "data-thumb"     Url             Lazy      Stays    Resolve Base      Always
    Html "img"                                         "dynsrc"         Url             Legacy    Stays    Resolve Base      Always
    Html "input button"                                "formaction"     Url             Links     Stays    Resolve Base      Always
    Html "amp-web-push"                                "helper-iframe-url" Url             Amp       Stays    Resolve Base      Always
    Html "a area"                                      "href"           Url             Links     Resolves Page    Base      Always
    Html "base"                                        "href"           Url             Links     Resolves Resolve Fallback  Always
    Html "link"                                        "href"           Url             Links     Stays    Based   Base      Expects
    Html "link"                                        "href"           Url             Canonical Stays    Resolve Base      NamesDocument
    Html "link"                                        "href"           Url             Links     Stays    Resolve Base      Always
    Html "?"                                           "href"           CssDeclarations Links     Stays    Leave   Base      HoldsCss
    Html "?"                                           "href"           Url             Links     Stays    Based   Base      Always
    Html "*"                                           "href"           Url             Links     Stays    Resolve Base      Always
    Html "*"                                           "hx-delete"      Url             Htmx      Stays    Resolve Base      Always
    Html "*"                                           "hx-get"         Url             Htmx      Stays    Resolve Base      Always
    Html "*"                                           "hx-patch"       Url             Htmx      Stays    Resolve Base      Always
    Html "*"                                           "hx-post"        Url             Htmx      Stays    Resolve Base      Always
    Html "*"                                           "hx-push-url"    Url             Htmx      Stays    Resolve Base      IsNoSwitch
    Html "*"                                           "hx-put"         Url             Htmx      Stays    Resolve Base      Always
    Html "*"                                           "hx-replace-url" Url             Htmx      Stays    Resolve Base      IsNoSwitch
    Html "menuitem command"                            "icon"           Url             Legacy    Stays    Resolve Base      Always
    Html "mj-accordion mj-accordion-element mj-all mj-class" "icon-unwrapped-url" Url             Links     Stays    Resolve Base      Always
    Html "mj-accordion mj-accordion-element mj-all mj-class" "icon-wrapped-url" Url             Links     Stays    Resolve Base      Always
    Html "link"                                        "imagesrcset"    SrcsetValue     Srcset    Stays    Resolve Base      Always
    Html "*"                                           "itemid"         Url             Links     Resolves Resolve Base      Always
    Html "mj-carousel mj-all mj-class"                  "left-icon"      Url             Links     Stays    Resolve Base      Always
    Html "frame"                                       "longdesc"       Url             Legacy    Resolves Resolve Base      Always
    Html "img iframe"                                  "longdesc"       Url             Links     Resolves Resolve Base      Always
    Html "img"                                         "lowsrc"         Url             Legacy    Stays    Resolve Base      Always
    Html "html"                                        "manifest"       Url             Legacy    Stays    Resolve Retrieval Always
    Html "amp-web-push"                                "permission-dialog-url" Url             Amp       Stays    Resolve Base      Always
    Html "a area"                                      "ping"           SpaceList       Links     Stays    Resolve Base      Always
    Html "embed"                                       "pluginspage"    Url             Legacy    Stays    Resolve Base      Always
    Html "embed"                                       "pluginurl"      Url             Legacy    Stays    Resolve Base      Always
    Html "video"                                       "poster"         Url             Links     Stays    Resolve Base      Always
    Html "*-*"                                         "poster"         CssDeclarations Links     Stays    Leave   Base      HoldsCss
    Html "*-*"                                         "poster"         Url             Links     Stays    Based   Base      Always
    Html "amp-story"                                   "poster-landscape-src" Url             Amp       Stays    Resolve Base      Always
    Html "amp-story"                                   "poster-portrait-src" Url             Amp       Stays    Resolve Base      Always
    Html "amp-story"                                   "poster-square-src" Url             Amp       Stays    Resolve Base      Always
    Html "head"                                        "profile"        SpaceList       Legacy    Stays    Resolve Base      Always
    Html "amp-story"                                   "publisher-logo-src" Url             Amp       Stays    Resolve Base      Always
    Html "mj-carousel mj-all mj-class"                  "right-icon"     Url             Links     Stays    Resolve Base      Always
    Html "amp-web-push"                                "service-worker-url" Url             Amp       Stays    Resolve Base      Always
    Html "frame layer ilayer bgsound"                  "src"            Url             Legacy    Stays    Resolve Base      Always
    Html "img script iframe source video audio embed input track" "src" Url             Links     Stays    Resolve Base      Always
    Html "?"                                           "src"            CssDeclarations Links     Stays    Leave   Base      HoldsCss
    Html "?"                                           "src"            Url             Links     Stays    Based   Base      Always
    Html "*"                                           "src"            Url             Links     Stays    Resolve Base      Always
    Html "iframe"                                      "srcdoc"         SrcdocValue     Srcdoc    Stays    Resolve Base      Always
    Html "img source"                                  "srcset"         SrcsetValue     Srcset    Stays    Resolve Base      Always
    Html "*-*"                                         "srcset"         SrcsetValue     Srcset    Stays    Resolve Base      Always
    Html "*"                                           "sse-connect"    Url             Htmx      Stays    Resolve Base      Always
    Html "mj-carousel-image mj-all mj-class"            "thumbnails-src" Url             Links     Stays    Resolve Base      Always
    Html "img input object"                            "usemap"         HashName        Links     Stays    Leave   Base      Always
    Html "param"                                       "value"          Url             Legacy    Stays    Resolve Base      ValuetypeRef
    Html "form"                                        "verify-xhr"     Url             Amp       Stays    Resolve Base      Always

    Any  "*"                                           "style"          CssDeclarations Css       Stays    Leave   Base      Always

    Svg  "*"                                           "clip-path"      CssDeclarations Css       Stays    Leave   Base      Always
    Svg  "*"                                           "color-profile"  CssDeclarations Css       Stays    Leave   Base      Always
    Svg  "*"                                           "cursor"         CssDeclarations Css       Stays    Leave   Base      Always
    Svg  "*"                                           "fill"           CssDeclarations Css       Stays    Leave   Base      Always
    Svg  "*"                                           "filter"         CssDeclarations Css       Stays    Leave   Base      Always
    Svg  "animate set"                                 "from"           Url             SvgGroup  Stays    Leave   Base      AnimatesHref
    Svg  "a"                                           "href"           Url             SvgGroup  Resolves Page    Base      Always
    Svg  "image script cursor font-face-uri color-profile" "href"       Url             SvgGroup  Stays    Resolve Base      Always
    Svg  REFERRING                                     "href"           Url             SvgGroup  Stays    Leave   Base      Always
    Svg  "*"                                           "marker"         CssDeclarations Css       Stays    Leave   Base      Always
    Svg  "*"                                           "marker-end"     CssDeclarations Css       Stays    Leave   Base      Always
    Svg  "*"                                           "marker-mid"     CssDeclarations Css       Stays    Leave   Base      Always
    Svg  "*"                                           "marker-start"   CssDeclarations Css       Stays    Leave   Base      Always
    Svg  "*"                                           "mask"           CssDeclarations Css       Stays    Leave   Base      Always
    Svg  "a"                                           "ping"           SpaceList       SvgGroup  Stays    Resolve Base      Always
    Svg  "*"                                           "stroke"         CssDeclarations Css       Stays    Leave   Base      Always
    Svg  "animate set"                                 "to"             Url             SvgGroup  Stays    Leave   Base      AnimatesHref
    Svg  "animate"                                     "values"         SemicolonList   SvgGroup  Stays    Leave   Base      AnimatesHref
    Svg  "a"                                           "xlink:href"     Url             SvgGroup  Resolves Page    Base      Always
    Svg  "image script cursor font-face-uri color-profile" "xlink:href" Url             SvgGroup  Stays    Resolve Base      Always
    Svg  REFERRING                                     "xlink:href"     Url             SvgGroup  Stays    Leave   Base      Always

    MathMl "math"                                      "altimg"         Url             SvgGroup  Stays    Resolve Base      Always
    MathMl "*"                                         "href"           Url             SvgGroup  Resolves Page    Base      Always
    MathMl "mglyph annotation annotation-xml"          "src"            Url             SvgGroup  Stays    Resolve Base      Always
    MathMl "*"                                         "xlink:href"     Url             SvgGroup  Resolves Page    Base      Always
};

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
