//! The documents that browsers load: XHTML with namespaces, legacy encodings, and CSS.

use abslink::{Context, Resolver, Rewritten, Settings, Site, Syntax, To, Verify, rewrite_bytes};
use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, IBM866, ISO_2022_JP, ISO_8859_2, ISO_8859_5,
    ISO_8859_8, KOI8_R, MACINTOSH, SHIFT_JIS, UTF_8, WINDOWS_1251, WINDOWS_1252, WINDOWS_1253,
    WINDOWS_1258,
};

use super::sheets::{css, sheet};
use crate::support::generate::{self, Random};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// XHTML with entities and sections, as other tests have it.
    Xhtml,
    /// XHTML whose elements are in any namespace, or in none.
    Namespaces,
    /// HTML in an encoding that is not UTF-8.
    Legacy,
    /// HTML with style sheets.
    Css,
    /// XHTML with style sheets.
    XhtmlCss,
    /// HTML that is hard to parse.
    Html,
}

impl Kind {
    pub(super) const ALL: [Kind; 6] = [
        Kind::Xhtml,
        Kind::Namespaces,
        Kind::Legacy,
        Kind::Css,
        Kind::XhtmlCss,
        Kind::Html,
    ];

    fn syntax(self) -> Syntax {
        match self {
            Kind::Xhtml | Kind::Namespaces | Kind::XhtmlCss => Syntax::Xml,
            Kind::Legacy | Kind::Css | Kind::Html => Syntax::Html,
        }
    }

    pub(super) fn media_type(self) -> &'static str {
        match self.syntax() {
            Syntax::Xml => "application/xhtml+xml",
            Syntax::Html => "text/html",
        }
    }
}

/// A document, as it was and as it was made.
pub(super) struct Page {
    pub(super) kind: Kind,
    pub(super) old: Vec<u8>,
    pub(super) new: Vec<u8>,
    /// What the second reader says.
    pub(super) alarm: Option<String>,
}

fn rewritten<'d>(old: &'d [u8], syntax: Syntax, url: &str, verify: Verify) -> Rewritten<'d> {
    let context = Context::retrieved_from(url).unwrap();
    let mut settings = Settings::default();
    // Where others differ from browsers, it is said elsewhere (docs/resolution.md).
    settings.resolver = Resolver::Whatwg;
    settings.verify = verify;
    rewrite_bytes(old, syntax, &context, &settings)
}

/// The page that belongs to a seed, at a URL.
pub(super) fn page(seed: u64, url: &str) -> Page {
    let kind = Kind::ALL[(seed % Kind::ALL.len() as u64) as usize];
    let mut random = Random(seed);
    let old = match kind {
        Kind::Xhtml => generate::xhtml::document(seed).into_bytes(),
        Kind::Namespaces => namespaces(&mut random).into_bytes(),
        Kind::Legacy => legacy(&mut random),
        Kind::Css => css(&mut random, Syntax::Html).into_bytes(),
        Kind::XhtmlCss => css(&mut random, Syntax::Xml).into_bytes(),
        Kind::Html => format!(
            "<!DOCTYPE html><meta charset=utf-8>{}",
            generate::document(seed)
        )
        .into_bytes(),
    };
    let syntax = kind.syntax();
    let alarm = rewritten(&old, syntax, url, abslink_verify::second_reader())
        .examined
        .disagreement;
    let new = rewritten(&old, syntax, url, Verify::default())
        .document
        .into_owned();
    Page {
        kind,
        new,
        alarm: alarm.map(|it| it.what),
        old,
    }
}

/// The documents of testdata/html/forms.tsv, but for those of another site, where a target is moved, and
/// those with URLs that no browser reads.
pub(super) fn forms() -> impl Iterator<Item = &'static str> {
    let rows = include_str!("../../../testdata/html/forms.tsv").lines();
    let rows = rows.filter(|line| !line.starts_with("# "));
    let documents = rows.filter_map(|line| line.split('\t').next());
    let others = ["//www.e.org", "itemid", "ld+json"];
    documents.filter(move |document| !others.iter().any(|other| document.contains(other)))
}

/// One of them, at a URL, relative or from the root.
pub(super) fn form(nth: u64, url: &str) -> Page {
    let document = forms().nth(nth as usize / 2).unwrap();
    let authority = url.split('/').nth(2).unwrap();
    let document = document.replace("https://e.org", &format!("http://{authority}"));
    let document = document.replace("//e.org", &format!("//{authority}"));
    let document = document
        .replace("/docs/a/", "/d/e/")
        .replace("/docs/", "/d/");
    let old = format!("<!DOCTYPE html><meta charset=utf-8>{document}").into_bytes();
    let context = Context::retrieved_from(url).unwrap();
    let mut settings = Settings::default();
    settings.to = if nth.is_multiple_of(2) {
        To::Relative
    } else {
        To::Root
    };
    settings.site = Site::default()
        .with(&format!("http://{authority}/d/"))
        .unwrap();
    settings.verify = abslink_verify::second_reader();
    let new = rewrite_bytes(&old, Syntax::Html, &context, &settings);
    Page {
        kind: Kind::Html,
        new: new.document.clone().into_owned(),
        alarm: new.examined.disagreement.map(|it| it.what),
        old,
    }
}

/// Faults, each of which a browser has to see: what was made of what.
pub(super) const FAULTS: [(&str, &str); 8] = [
    ("<a href=x>", "<a href=y>"),
    ("<a href=x>", "<a href=x><b>"),
    ("<p title=x>", "<p title=/d/e/x>"),
    ("<img srcset='a 1x, b 2x'>", "<img srcset='a 1x, c 2x'>"),
    (
        "<style>p{background:url(x)}</style>",
        "<style>p{background:url(y)}</style>",
    ),
    (
        "<p style='background:url(x)'>",
        "<p style='background:url(y)'>",
    ),
    (
        "<noscript><a href=x></noscript>",
        "<noscript><a href=y></noscript>",
    ),
    (
        "<iframe srcdoc='<a href=x>'></iframe>",
        "<iframe srcdoc='<a href=y>'></iframe>",
    ),
];

pub(super) fn fault(nth: u64) -> Page {
    let (old, new) = FAULTS[nth as usize];
    let spelled = |body: &str| format!("<!DOCTYPE html><meta charset=utf-8>{body}").into_bytes();
    Page {
        kind: Kind::Html,
        old: spelled(old),
        new: spelled(new),
        alarm: None,
    }
}

pub(super) const HTML: &str = "http://www.w3.org/1999/xhtml";
const SVG: &str = "http://www.w3.org/2000/svg";
const MATHML: &str = "http://www.w3.org/1998/Math/MathML";

/// Values of XML.
const VALUES: &[&str] = &[
    "x",
    "../y",
    "?q=1&amp;r",
    "#f",
    "",
    "/z",
    "//n.example/",
    "&#x85;a",
    "&#38;amp;b",
    "a b",
    "\u{e9}?\u{e9}",
    "http://abs.example/",
    "c;d",
    " e ",
    "mailto:m@h.example",
    "&#x10ffff;",
    "%zz",
    "a|b",
    "a\\b",
];

fn namespaces(random: &mut Random) -> String {
    let root = random.pick(&["html", "html", "html", "h:html", "s:svg", "div"]);
    let mut out = format!("<{root}");
    if !random.one_in(4) {
        out += &format!(
            " xmlns='{}'",
            random.pick(&[HTML, HTML, HTML, SVG, "", "urn:x"])
        );
    }
    out += &format!(
        " xmlns:h='{HTML}' xmlns:s='{SVG}' xmlns:m='{MATHML}' \
         xmlns:xlink='http://www.w3.org/1999/xlink' xmlns:l='http://www.w3.org/1999/xlink'>"
    );
    for _ in 0..1 + random.below(14) {
        element(random, &mut out, 0);
    }
    out += &format!("</{root}>");
    out
}

fn element(random: &mut Random, out: &mut String, depth: usize) {
    let (name, attributes): (&str, &[&str]) = random.pick(&[
        (
            "a",
            &["href", "xlink:href", "l:href", "HREF", "h:href", "ping"][..],
        ),
        ("A", &["href"][..]),
        ("base", &["href", "HREF", "h:href"][..]),
        ("img", &["src", "srcset", "longdesc"][..]),
        ("image", &["href", "xlink:href", "src"][..]),
        ("IMAGE", &["href", "xlink:href", "src"][..]),
        ("use", &["href", "xlink:href", "l:href"][..]),
        ("linearGradient", &["href"][..]),
        ("lineargradient", &["href"][..]),
        ("feImage", &["href", "l:href"][..]),
        ("FEIMAGE", &["href"][..]),
        ("MATH", &["altimg", "href"][..]),
        ("math", &["altimg", "href"][..]),
        ("mi", &["href", "xlink:href"][..]),
        ("q", &["cite", "style"][..]),
        ("p", &["style", "fill", "href"][..]),
        ("rect", &["fill", "style", "mask"][..]),
        ("style", &[][..]),
        ("template", &["href"][..]),
        ("script", &["src", "href"][..]),
        ("form", &["action"][..]),
        ("noscript", &[][..]),
    ]);
    let prefix = random.pick(&["", "", "h:", "h:", "s:", "m:"]);
    *out += &format!("<{prefix}{name}");
    if random.one_in(8) {
        *out += &format!(
            " xmlns='{}'",
            random.pick(&[HTML, SVG, MATHML, "", "urn:y"])
        );
    }
    if random.one_in(12) {
        *out += &format!(" xmlns:l='{}'", random.pick(&["urn:l", HTML]));
    }
    let mut has_link = false;
    for attribute in attributes {
        // In the end two prefixes may stand for one namespace.
        let is_link = attribute.contains(':');
        if random.one_in(2) && !(is_link && std::mem::replace(&mut has_link, is_link)) {
            let value = match *attribute {
                "style" => "background-image: url(x.png)",
                "fill" | "mask" => "url(y.svg#g)",
                _ => random.pick(VALUES),
            };
            *out += &format!(" {attribute}='{value}'");
        }
    }
    if depth > 4 || random.one_in(3) {
        return *out += "/>";
    }
    *out += ">";
    match name {
        "style" => sheet(random, out, Syntax::Xml),
        _ => {
            for _ in 0..random.below(3) {
                element(random, out, depth + 1);
            }
        }
    }
    *out += &format!("</{prefix}{name}>");
}

const ENCODINGS: [&Encoding; 18] = [
    BIG5,
    EUC_JP,
    EUC_KR,
    GB18030,
    GBK,
    IBM866,
    ISO_2022_JP,
    ISO_8859_2,
    ISO_8859_5,
    ISO_8859_8,
    KOI8_R,
    MACINTOSH,
    SHIFT_JIS,
    WINDOWS_1251,
    WINDOWS_1252,
    WINDOWS_1253,
    WINDOWS_1258,
    UTF_8,
];

/// Characters of many encodings, and some that encoders map to others.
const TEXTS: &[&str] = &[
    "\u{e9}",
    "\u{44f}",
    "\u{65e5}\u{672c}",
    "\u{3042}",
    "\u{20ac}",
    "\u{a5}",
    "\u{203e}",
    "\u{2212}",
    "\u{ff71}",
    "\u{4e2d}",
    "\u{d55c}",
    "\u{5d0}",
    "\u{3b1}",
    "\u{8868}",
    "\u{80fd}",
    "\u{1f600}",
    "a",
    "b",
    "/",
    "?",
    "&amp;",
    "#",
    "=",
    "%",
    " ",
];

fn word(random: &mut Random) -> String {
    (0..1 + random.below(5))
        .map(|_| random.pick(TEXTS))
        .collect()
}

fn legacy(random: &mut Random) -> Vec<u8> {
    let encoding = random.pick(&ENCODINGS);
    let mut out = String::new();
    if random.one_in(3) {
        out += &format!("<base href=\"{}/\">", word(random));
    }
    for _ in 0..1 + random.below(10) {
        let value = word(random);
        let text = word(random);
        let piece = match random.below(9) {
            0 => format!("<a href=\"{value}\">{text}</a>"),
            1 => format!("<a href='?{value}'>{text}</a>"),
            2 => format!("<img src=\"x?{value}\" alt=\"{text}\">"),
            3 => format!("<form action=\"{value}\">{text}</form>"),
            4 => format!(
                "<img srcset=\"x?{} 1x, y 2x\">",
                value.replace([' ', ','], "")
            ),
            5 => format!("<p style=\"background-image:url('{value}')\">{text}</p>"),
            6 => format!(
                "<style>p{{background-image:url('{}')}}/*{}*/</style>",
                value.replace("&amp;", "&").replace('\\', ""),
                text.replace('<', "")
            ),
            7 => format!("<meta http-equiv=refresh content=\"9;url={value}\">"),
            _ => format!(
                "<q cite={}>{text}</q>",
                value.replace([' ', '=', '`', '"', '\''], "")
            ),
        };
        out += &piece;
    }
    let head = format!("<!DOCTYPE html><meta charset={}>", encoding.name());
    [head.as_bytes(), &encoding.encode(&out).0].concat()
}
