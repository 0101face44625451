//! XHTML documents that are well-formed: namespaces under several prefixes, entities of the
//! document's own, CDATA sections, comments and processing instructions wherever they may stand.

use super::{Random, each_seed};

/// Runs `check` on generated documents, as [`super::documents`] does.
pub(crate) fn documents(full: usize, mut check: impl FnMut(&str) -> Result<(), String>) {
    each_seed(full, |seed| {
        let document = document(seed);
        check(&document).map_err(|difference| format!("{difference}\n{document}"))
    });
}

/// The document that belongs to a seed.
pub(crate) fn document(seed: u64) -> String {
    let mut generator = Generator {
        random: Random(seed),
        out: String::new(),
        declared: false,
    };
    generator.document();
    generator.out
}

const HTML: &str = "http://www.w3.org/1999/xhtml";
const SVG: &str = "http://www.w3.org/2000/svg";

/// What stands between quotes, and holds none.
const VALUES: &[&str] = &[
    "a.html",
    "../b/",
    "x/y?z=1&amp;w=2",
    "",
    "#f",
    "/",
    "&#x61;b",
    "é",
    "a&gt;b",
    " u ",
    "\n u\tv \r\n",
    "&#10;w",
    "http://abs.example/&amp;",
    "//net.example/n",
    "q&quot;&apos;q",
    "javascript:x",
];

/// As [`VALUES`], with entities of [`SUBSET`].
const DECLARED_VALUES: &[&str] = &[
    "&root;p",
    "&file;",
    "a/&file;?&query;",
    "&deep;x",
    "&empty;",
    "&empty;y",
    "&quotes;",
    "&lines;z",
    "&file;#&file;",
    "&root;",
    "&frag;",
];

const LISTS: &[&str] = &[
    "a.png 1x, b.png 2x",
    "c.png",
    "d&#44;e.png 2w,\n f.png",
    "/g.png 3x",
];
const DECLARED_LISTS: &[&str] = &[
    "&set;",
    "h.png 1x, &set;, i.png 3x",
    "&file; 1x, &root;j 2x",
];

const SUBSET: &str = r##"
<!ENTITY root "http://o.example/d/">
<!-- <!ENTITY root "comment"> ]> -->
<!ENTITY file 'e.html'>
<!ENTITY file 'second.html'>
<!ENTITY query "a=1&amp;b='2'">
<!ENTITY deep "../&file;/&empty;">
<!ENTITY empty "">
<!ENTITY quotes 'say"so"'>
<!ENTITY lines "l
m">
<!ENTITY frag "#f">
<!ENTITY set "k.png 1x, m.png 2x">
<!ENTITY refresh "refresh">
<!ENTITY css "i{j:url(n.png)}">
<!ENTITY name "o.png">
<!ENTITY plain "<em>e</em>">
<!ENTITY link "<a href='p.html'>p</a><img src='&root;q.png'/>">
<!ENTITY links "&link;<q cite='&file;'>&link;</q>">
<?pi ]> ?>
<!ELEMENT zz (#PCDATA)>
<!ATTLIST zz href CDATA "r.html" kind (a|b) #REQUIRED src CDATA #IMPLIED>
<!ENTITY elsewhere SYSTEM "elsewhere.ent">
<!ENTITY % unused "<!ENTITY file 'never.html'>">
"##;

/// Style sheets, as their text is.
const SHEETS: &[&str] = &[
    "a{b:url(x.png)}",
    "c{d:url(\"y\\\nz.png\")}",
    "@import 'i.css';",
    "@import url(j.css?a&b<c);",
    "e{f:image-set('k.png' 1x, url(l.png) 2x)}",
    "g>h{i:url( 'm]]n.png' )}",
    "/* url(no.png) */",
    "j{k:url(#f) url(http://abs.example/o.png)}",
    "l{m:url(\\70.png)}",
];

const OTHER: &[&str] = &[
    "<!-- <a href='no'> -->",
    "<!--url(no)-->",
    "<?pi <a href='no'> ?>",
    "<![CDATA[<a href='no'>&file;]]>",
    "text &amp; text",
    "a > b",
    "\r\n",
];

struct Generator {
    random: Random,
    out: String,
    /// Whether the document declares entities.
    declared: bool,
}

impl Generator {
    fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn document(&mut self) {
        if self.random.one_in(3) {
            self.push("<?xml version='1.0' encoding=\"utf-8\"?>\n");
        }
        self.declared = !self.random.one_in(3);
        if self.declared {
            self.push("<!DOCTYPE html [");
            self.push(SUBSET);
            self.push("]>");
        } else if self.random.one_in(2) {
            self.push("<!DOCTYPE html>");
        }
        self.push(&format!(
            "<html xmlns=\"{HTML}\" xmlns:h='{HTML}' xmlns:s=\"{SVG}\" \
             xmlns:xl='http://www.w3.org/1999/xlink'><head><title>t</title>"
        ));
        if self.random.one_in(3) {
            // With an entity in it, all of the document would be left.
            self.push("<!--base--><base");
            self.attribute("href", VALUES, VALUES);
            self.push("/>");
        }
        for _ in 0..self.random.below(3) {
            self.style("");
        }
        self.push("</head><body>");
        for _ in 0..1 + self.random.below(12) {
            self.piece(0);
        }
        self.push("</body></html>");
        if self.random.one_in(4) {
            self.push("<!-- end -->\n");
        }
    }

    fn piece(&mut self, depth: usize) {
        match self.random.below(12) {
            0 => self.other(),
            1 | 2 => self.svg(depth),
            3 => {
                let prefix = self.random.pick(&["", "h:", "s:"]);
                self.style(prefix);
            }
            4 => self.foreign(depth),
            5 if self.declared => {
                let reference = self
                    .random
                    .pick(&["&link;", "&links;", "&plain;", "&file;"]);
                self.push(reference);
            }
            6 => {
                let refresh = match self.declared && self.random.one_in(2) {
                    true => "&refresh;",
                    false => "refresh",
                };
                self.push(&format!("<meta http-equiv='{refresh}'"));
                self.attribute(
                    "content",
                    &["0;url=s.html", "5", "1; t.html"],
                    &["2;url=&root;&file;"],
                );
                self.push("/>");
            }
            _ => self.html(depth),
        }
    }

    fn other(&mut self) {
        let other = self.random.pick(OTHER);
        self.push(other);
    }

    fn html(&mut self, depth: usize) {
        let (name, attribute) = self.random.pick(&[
            ("a", "href"),
            ("a", "HREF"),
            ("A", "href"),
            ("img", "src"),
            ("q", "cite"),
            ("form", "action"),
            ("object", "data"),
            ("p", "title"),
            ("p", "h:href"),
            ("p", "xl:href"),
        ]);
        let prefix = self.random.pick(&["", "", "", "h:"]);
        self.push(&format!("<{prefix}{name}"));
        self.value(attribute);
        if name == "img" && self.random.one_in(2) {
            self.attribute("srcset", LISTS, DECLARED_LISTS);
        }
        if self.random.one_in(4) {
            let sheets = &["b:url(u.png)", "c:url( 'v.png' ) url(w.png)", "d:url(#f)"];
            self.attribute(
                "style",
                sheets,
                &["e:url(&name;)", "f:url('&root;x') url(y&name;)"],
            );
        }
        self.close(&format!("{prefix}{name}"), depth);
    }

    fn svg(&mut self, depth: usize) {
        let (start, prefix) = self.random.pick(&[
            ("<s:g", "s:"),
            ("<svg xmlns='http://www.w3.org/2000/svg'", ""),
        ]);
        self.push(start);
        self.push(">");
        let (name, attribute) = self.random.pick(&[
            ("a", "xl:href"),
            ("image", "xl:href"),
            ("use", "xl:href"),
            ("a", "href"),
            ("image", "href"),
            ("rect", "fill"),
        ]);
        self.push(&format!("<{prefix}{name}"));
        let rebound = attribute == "xl:href" && self.random.one_in(3);
        if rebound {
            self.push(" xmlns:xl='urn:none'");
        }
        match attribute {
            "fill" => self.attribute("fill", &["url(#f)", "url(z.svg#f)"], &["url(&name;#f)"]),
            attribute => self.value(attribute),
        }
        self.close(&format!("{prefix}{name}"), depth);
        let end = start.trim_start_matches('<').split(' ').next();
        self.push(&format!("</{}>", end.unwrap_or_default()));
    }

    /// An element of nobody's, whose children are HTML's again or nobody's either.
    fn foreign(&mut self, depth: usize) {
        self.push("<x xmlns='urn:none'");
        self.value("href");
        self.push("><a");
        self.value("href");
        self.push("/><h:a");
        self.value("href");
        self.close("h:a", depth);
        self.push("</x>");
    }

    fn close(&mut self, name: &str, depth: usize) {
        if self.random.one_in(3) || depth > 4 {
            return self.push("/>");
        }
        self.push(">");
        for _ in 0..self.random.below(3) {
            self.piece(depth + 1);
        }
        self.push(&format!("</{name}>"));
    }

    fn value(&mut self, name: &str) {
        self.attribute(name, VALUES, DECLARED_VALUES);
    }

    fn attribute(&mut self, name: &str, values: &[&str], declared: &[&str]) {
        let values = match self.declared && self.random.one_in(2) {
            true => declared,
            false => values,
        };
        let value = self.random.pick(values);
        let quote = match value {
            _ if value.contains('"') => '\'',
            _ if value.contains('\'') => '"',
            _ => self.random.pick(&['"', '\'']),
        };
        let space = self.random.pick(&[" ", " ", "\n"]);
        let equals = self.random.pick(&["=", "=", " = "]);
        self.push(&format!("{space}{name}{equals}{quote}{value}{quote}"));
    }

    /// A style sheet whose text is cut anywhere, and spelled in all ways.
    fn style(&mut self, prefix: &str) {
        self.push(&format!("<{prefix}style>"));
        for _ in 0..1 + self.random.below(3) {
            if self.declared && self.random.one_in(4) {
                let entity =
                    self.random
                        .pick(&["&css;", "k{l:url(&name;)}", "m{n:url('o/&name;')}"]);
                self.push(entity);
                continue;
            }
            let sheet = self.random.pick(SHEETS);
            self.run_of(sheet);
        }
        self.push(&format!("</{prefix}style>"));
    }

    fn run_of(&mut self, text: &str) {
        let mut is_literal = false;
        for c in text.chars() {
            if self.random.one_in(12) {
                if std::mem::take(&mut is_literal) {
                    self.push("]]>");
                }
                match self.random.below(4) {
                    0 => self.push("<!-- url(c.png) -->"),
                    1 => self.push("<?p url(p.png)?>"),
                    _ => {
                        self.push("<![CDATA[");
                        is_literal = true;
                    }
                }
            }
            match c {
                _ if is_literal => self.out.push(c),
                '&' => self.push("&amp;"),
                '<' => self.push("&lt;"),
                '>' => self.push("&gt;"),
                _ if c != '\n' && self.random.one_in(20) => {
                    self.push(&format!("&#{};", u32::from(c)));
                }
                _ => self.out.push(c),
            }
        }
        if is_literal {
            self.push("]]>");
        }
    }
}
