//! Documents made by a grammar that nests what HTML parsers find hard: raw text, foreign content,
//! templates, tables, framesets, comments, odd quoting and unclosed or misplaced tags.

pub(crate) mod xhtml;

/// Runs `check` on generated documents: `ABSLINK_DOCUMENTS` of them, or `default`, from the seed
/// `ABSLINK_SEED`, or one taken from the clock. The seed of a document that fails is in the message.
pub(crate) fn documents(default: u64, mut check: impl FnMut(&str) -> Result<(), String>) {
    each_seed(default, |seed| {
        let document = document(seed);
        check(&document).map_err(|difference| format!("{difference}\n{document:?}"))
    });
}

/// Runs `check` on up to twelve pieces in any order, as [`documents`] does on documents.
pub(crate) fn pieces(
    pieces: &[&[u8]],
    default: u64,
    mut check: impl FnMut(&[u8]) -> Result<(), String>,
) {
    each_seed(default, |seed| {
        let mut random = Random(seed);
        let count = random.below(13);
        let bytes: Vec<u8> = (0..count)
            .flat_map(|_| random.pick(pieces))
            .copied()
            .collect();
        let shown = bytes.escape_ascii();
        check(&bytes).map_err(|difference| format!("{difference}\n\"{shown}\""))
    });
}

/// Runs `check` on pieces of text, as [`pieces`] does.
pub(crate) fn texts(
    texts: &[&str],
    default: u64,
    mut check: impl FnMut(&str) -> Result<(), String>,
) {
    let bytes: Vec<&[u8]> = texts.iter().map(|text| text.as_bytes()).collect();
    pieces(&bytes, default, |bytes| {
        check(&String::from_utf8_lossy(bytes))
    });
}

fn each_seed(default: u64, mut check: impl FnMut(u64) -> Result<(), String>) {
    let number = |name| {
        std::env::var(name)
            .ok()
            .and_then(|value| value.parse().ok())
    };
    let clock = || {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        now.map_or(1, |elapsed| elapsed.as_nanos() as u64)
    };
    let first = number("ABSLINK_SEED").unwrap_or_else(clock);
    let count = number("ABSLINK_DOCUMENTS").unwrap_or(default);
    println!("ABSLINK_SEED={first} ABSLINK_DOCUMENTS={count}");
    for seed in (0..count).map(|nth| first.wrapping_add(nth)) {
        if let Err(difference) = check(seed) {
            panic!("ABSLINK_SEED={seed} ABSLINK_DOCUMENTS=1\n{difference}");
        }
    }
}

/// The document that belongs to a seed.
pub(crate) fn document(seed: u64) -> String {
    let mut random = Random(seed);
    let favourite = random.pick(&[
        BLOCKS, PHRASES, TABLES, CONTAINERS, FOREIGN, FOREIGN, BASES, TEMPLATES,
    ]);
    let mut generator = Generator {
        random,
        favourite,
        out: String::new(),
        open: Vec::new(),
    };
    generator.document();
    generator.out
}

/// SplitMix64: small, and good enough to choose with.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound as u64) as usize
    }

    pub(crate) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

const BLOCKS: &[&str] = &[
    "div",
    "p",
    "ul",
    "li",
    "dl",
    "dt",
    "dd",
    "h1",
    "h2",
    "section",
    "pre",
    "blockquote",
    "form",
    "address",
    "details",
    "summary",
    "center",
    "listing",
    "fieldset",
    "main",
    "dialog",
    "menu",
];
const PHRASES: &[&str] = &[
    "a", "a", "b", "i", "em", "font", "nobr", "span", "code", "u", "small", "button", "label",
    "x-y", "object", "applet", "marquee", "ruby", "rb", "rt", "rp", "rtc", "q", "ins", "video",
    "sub", "var",
];
const VOIDS: &[&str] = &[
    "img", "br", "hr", "input", "link", "meta", "base", "area", "embed", "source", "image", "wbr",
    "param", "track", "bgsound", "basefont", "frame", "keygen",
];
const TABLES: &[&str] = &[
    "table", "tr", "td", "th", "tbody", "thead", "tfoot", "caption", "colgroup", "col",
];
/// What moves a `base`, and what it is moved with.
const BASES: &[&str] = &[
    "base",
    "base",
    "base",
    "table",
    "table",
    "tr",
    "td",
    "td",
    "tbody",
    "caption",
    "colgroup",
    "a",
    "b",
    "div",
    "p",
    "form",
    "select",
    "template",
    "svg",
    "foreignObject",
];
const RAW: &[&str] = &[
    "script", "script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes",
    "noscript", "noscript",
];
const CONTAINERS: &[&str] = &["select", "option", "optgroup", "template", "template"];
const ROOTS: &[&str] = &["html", "head", "body"];
/// What a template holds that decides how the rest of it is read.
const TEMPLATES: &[&str] = &[
    "template", "template", "col", "colgroup", "td", "tr", "caption", "tbody", "table", "base",
    "svg", "math", "p", "a", "li", "slot", "form", "select", "script", "style", "link",
];
const FOREIGN: &[&str] = &[
    "svg",
    "math",
    "g",
    "path",
    "use",
    "a",
    "image",
    "title",
    "desc",
    "foreignObject",
    "mi",
    "mo",
    "mtext",
    "mglyph",
    "malignmark",
    "annotation-xml",
    "style",
    "script",
    "template",
    "font",
    "tr",
    "mrow",
    "noscript",
    "base",
];
const ATTRIBUTES: &[&str] = &[
    "href",
    "src",
    "HREF",
    "href",
    "style",
    "srcset",
    "class",
    "data-src",
    "xlink:href",
    "type",
    "encoding",
    "color",
    "face",
    "size",
    "checked",
    "id",
    "=",
    "a?b",
    "<",
    "background",
];
const VALUES: &[&str] = &[
    "a.html",
    "../b/",
    "x/y?z=1&amp;w=2",
    "",
    "hidden",
    "HIDDEN",
    "text/html",
    "a b",
    "#f",
    "/",
    "&#x61;b",
    "é",
    "a>b",
    "a=b",
    "application/xhtml+xml",
    "<!--",
    "<base href=q>",
    "\n u \t",
];
const TEXTS: &[&str] = &[
    "text", " ", "\n", "a < b", "&amp;", "&#32;", "&copy", "<", "</", "< /p>", "\0", "x\r\ny",
    "]]>", "-->", "é", "\t ", "\n\n", "a&b", "<1>", "</>",
];
const RAW_TEXTS: &[&str] = &[
    "x",
    "<!--",
    "-->",
    "<script>",
    "</script",
    "</scripty>",
    "<script ",
    "</SCRIPT/",
    "<a href=r>",
    "</style ",
    "</titl>",
    "<!-->",
    "<!--->",
    "--",
    "&lt;",
    "\n",
    "<",
    "</",
    "url(a)",
    "<b>",
    "--!>",
];
const DECLARATIONS: &[&str] = &[
    "<!-- c -->",
    "<!---->",
    "<!-->",
    "<!--->",
    "<!-- <a href=c> -->",
    "<!-- a --!>",
    "<!--!>",
    "<!---!>",
    "<!-- <!-- -->",
    "<!----!>",
    "<!-- - -- > -->",
    "<!doctype html>",
    "<!x>",
    "<!>",
    "<?pi a='>' ?>",
    "<?>",
    "</ x>",
    "</1>",
    "<![CDATA[ <a href=d> ]]>",
    "<![CDATA[x]]>",
    "<![cdata[ > ]]>",
    "<!--\0-->",
    "<![CDATA[ ]]>",
    "<!DOCTYPE html SYSTEM \"about:legacy-compat\">",
];

struct Generator {
    random: Random,
    /// What stands in this document more often than elsewhere.
    favourite: &'static [&'static str],
    out: String,
    /// What was opened, the last one last.
    open: Vec<&'static str>,
}

impl Generator {
    fn document(&mut self) {
        if self.random.one_in(2) {
            self.out.push_str("<!DOCTYPE html>");
        }
        if self.random.one_in(3) {
            self.out.push_str("<html><head><title>t</title></head>");
            self.out.push_str(
                self.random
                    .pick(&["", "<body>", "<body><p>x</p>", "<frameset>"]),
            );
        }
        let pieces = self.random.pick(&[10, 30, 60]);
        for _ in 0..1 + self.random.below(pieces) {
            self.piece();
        }
        if self.random.one_in(5) {
            let mut end = self.random.below(self.out.len().max(1));
            while !self.out.is_char_boundary(end) {
                end -= 1;
            }
            self.out.truncate(end);
        }
    }

    fn piece(&mut self) {
        match self.random.below(100) {
            0..12 => {
                let text = self.random.pick(TEXTS);
                self.out.push_str(text);
            }
            12..30 => self.start_of(self.favourite),
            30..37 => self.start_of(BLOCKS),
            37..46 => self.start_of(PHRASES),
            46..51 => self.start_of(VOIDS),
            51..56 => self.start_of(TABLES),
            56..60 => self.start_of(CONTAINERS),
            60 => self.start_of(ROOTS),
            61..68 => self.start_of(FOREIGN),
            68 => self.start_of(&["frameset", "plaintext"]),
            69..73 => self.raw_text(),
            73..75 => self.probe(),
            75..77 => self.template(),
            77..80 => {
                let declaration = self.random.pick(DECLARATIONS);
                self.out.push_str(declaration);
            }
            80..92 => {
                if let Some(name) = self.open.pop() {
                    self.end_tag(name);
                }
            }
            92..97 => {
                let depth = self.random.below(self.open.len().max(1));
                if let Some(name) = self.open.get(depth) {
                    self.end_tag(name);
                }
            }
            _ => {
                let pool = self.random.pick(&[
                    BLOCKS,
                    PHRASES,
                    TABLES,
                    CONTAINERS,
                    ROOTS,
                    FOREIGN,
                    RAW,
                    VOIDS,
                    &["frameset"],
                ]);
                let name = self.random.pick(pool);
                self.end_tag(name);
            }
        }
    }

    fn start_of(&mut self, pool: &[&'static str]) {
        let name = self.random.pick(pool);
        self.start_tag(name);
        self.open.push(name);
    }

    fn start_tag(&mut self, name: &str) {
        self.out.push('<');
        self.name(name);
        // Tags that tree builders drop are numbered, so that one is not taken for another.
        if [TABLES, CONTAINERS, ROOTS, &["form", "frame", "frameset"]]
            .concat()
            .contains(&name)
        {
            self.out.push_str(&format!(" n={}", self.out.len()));
        }
        // Which one counts is told by its number.
        if name == "base" && !self.random.one_in(4) {
            self.out.push_str(&format!(" href={}", self.out.len()));
        }
        for _ in 0..self.random.pick(&[0, 0, 0, 1, 1, 1, 2, 3]) {
            self.attribute();
        }
        self.out.push_str(
            self.random
                .pick(&["", "", "", "", "", " ", "/", " /", "\n", " / "]),
        );
        self.out.push('>');
    }

    fn end_tag(&mut self, name: &str) {
        self.out.push_str("</");
        self.name(name);
        if self.random.one_in(12) {
            self.attribute();
        }
        self.out
            .push_str(self.random.pick(&[">", ">", ">", ">", " >", "/>"]));
    }

    fn name(&mut self, name: &str) {
        if self.random.one_in(10) {
            self.out.push_str(&name.to_ascii_uppercase());
        } else {
            self.out.push_str(name);
        }
    }

    fn attribute(&mut self) {
        self.out.push_str(
            self.random
                .pick(&[" ", " ", " ", " ", "\n", "/", " / ", ""]),
        );
        if !self.out.ends_with(|end: char| !end.is_ascii_alphanumeric()) {
            self.out.push(' ');
        }
        self.out.push_str(self.random.pick(ATTRIBUTES));
        let value = self.random.pick(VALUES);
        match self.random.below(8) {
            0 => {}
            1 => self.out.push('='),
            2 | 3 => {
                self.out.push('=');
                let value: String = value.split([' ', '\n', '\t', '>']).collect();
                self.out.push_str(&value);
            }
            4 => {
                self.out.push_str(" = '");
                self.out.push_str(value);
                self.out.push('\'');
            }
            _ => {
                self.out.push_str("=\"");
                self.out.push_str(value);
                self.out.push('"');
            }
        }
    }

    /// Foreign content that an end tag closes or not, as the elements around it decide; what
    /// follows is markup or raw text accordingly.
    fn probe(&mut self) {
        let root = self.random.pick(&["svg", "math"]);
        self.start_tag(root);
        let pool = self
            .random
            .pick(&[BLOCKS, PHRASES, TABLES, CONTAINERS, ROOTS]);
        let name = self.random.pick(pool);
        self.end_tag(name);
        self.out.push_str("<xmp><a href=x></xmp>");
    }

    /// A template, or a shadow root, in whatever place this is; what follows tells whether it was
    /// closed, and how a column in it was read.
    fn template(&mut self) {
        self.out
            .push_str(self.random.pick(&["<template", "<TEMPLATE"]));
        self.out.push_str(&format!(" n={}", self.out.len()));
        self.out.push_str(self.random.pick(&[
            ">",
            ">",
            " shadowrootmode=open>",
            " shadowrootmode=closed shadowrootclonable>",
            " shadowrootmode=x>",
        ]));
        for _ in 0..self.random.below(6) {
            match self.random.below(4) {
                0 => self.start_of(TEMPLATES),
                1 => self.raw_text(),
                2 if self.random.one_in(3) => self.template(),
                _ => self.piece(),
            }
        }
        if !self.random.one_in(6) {
            self.end_tag("template");
        }
    }

    fn raw_text(&mut self) {
        let name = self.random.pick(RAW);
        self.start_tag(name);
        for _ in 0..self.random.below(5) {
            let text = self.random.pick(RAW_TEXTS);
            self.out.push_str(text);
        }
        if !self.random.one_in(12) {
            self.end_tag(name);
        }
    }
}
