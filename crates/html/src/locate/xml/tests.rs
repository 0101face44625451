//! What the locator reports.

use super::*;

#[derive(Default)]
struct Seen<'d> {
    document: &'d str,
    lines: Vec<String>,
}

impl Handler for Seen<'_> {
    fn start_tag(&mut self, tag: &StartTag<'_>) {
        let mut line = format!("{:?} {}", tag.namespace, &self.document[tag.name.clone()]);
        for attribute in tag.attributes {
            let (name, value) = (attribute.name.clone(), attribute.value.clone());
            line += &format!(" {}={}", &self.document[name], &self.document[value]);
        }
        if !tag.base_counts {
            line += " (no base)";
        }
        self.lines.push(line);
    }

    fn raw_text(&mut self, element: RawText, spelling: Spelling, text: Range<usize>) {
        self.lines
            .push(format!("{element:?} {spelling:?} {}", &self.document[text]));
    }

    fn comment(&mut self, data: Range<usize>) {
        self.lines.push(format!("comment {}", &self.document[data]));
    }

    fn declared(
        &mut self,
        at: Range<usize>,
        text: &[u8],
        inside: &mut dyn FnMut(&mut dyn Handler),
    ) {
        let mut seen = Seen {
            document: std::str::from_utf8(text).unwrap(),
            lines: Vec::new(),
        };
        inside(&mut seen);
        let place = &self.document[at];
        let lines = seen.lines.into_iter();
        self.lines
            .extend(lines.map(|line| format!("{place}: {line}")));
    }

    fn refuse(&mut self, _: &'static str) {
        self.lines.push("refused".to_owned());
    }
}

/// A locator at the start of a document in which names without a prefix are HTML's.
fn in_html() -> Pieces {
    let mut pieces = Pieces::default();
    let declared = (pieces.namespaces).bind(b"xmlns", b"http://www.w3.org/1999/xhtml", None);
    assert_eq!(declared, Some(true));
    pieces
}

#[track_caller]
fn check(document: &str, expected: &[&str]) {
    check_with(in_html(), document, expected);
}

#[track_caller]
fn check_with(mut pieces: Pieces, document: &str, expected: &[&str]) {
    let mut seen = Seen {
        document,
        lines: Vec::new(),
    };
    pieces.locate(document.as_bytes(), true, &mut seen);
    assert_eq!(seen.lines, expected);
}

#[test]
fn namespaces_follow_their_declarations() {
    check(
        r#"<html xmlns="http://www.w3.org/1999/xhtml"><svg xmlns="http://www.w3.org/2000/svg"><a b="1"/></svg><a c='2'/></html>"#,
        &[
            "Html html xmlns=http://www.w3.org/1999/xhtml",
            "Svg svg xmlns=http://www.w3.org/2000/svg",
            "Svg a b=1",
            "Html a c=2",
        ],
    );
    check(
        r#"<x:p xmlns:x="http://www.w3.org/1999/xhtml"><q xmlns="urn:x"/><x:a/></x:p>"#,
        &["Html p xmlns:x=http://www.w3.org/1999/xhtml", "Html a"],
    );
}

#[test]
fn three_namespaces_are_known() {
    check(
        "<math xmlns='http://www.w3.org/1998/Math/MathML'><mi/></math><x xmlns='urn:x'/>",
        &[
            "MathMl math xmlns=http://www.w3.org/1998/Math/MathML",
            "MathMl mi",
        ],
    );
}

/// Namespaces in XML §6.2: without a declaration, or with an empty one, it is in none.
#[test]
fn without_a_namespace_nothing_is_html() {
    for (document, expected) in [
        ("<html><base href='b'/><style>a</style></html>", &[][..]),
        (
            "<h:html xmlns:h='http://www.w3.org/1999/xhtml'><base/><h:a/></h:html>",
            &["Html html xmlns:h=http://www.w3.org/1999/xhtml", "Html a"],
        ),
        (
            "<a xmlns='http://www.w3.org/1999/xhtml'><b xmlns=''/></a>",
            &["Html a xmlns=http://www.w3.org/1999/xhtml"],
        ),
        ("<h:a/>", &[]),
    ] {
        check_with(Pieces::default(), document, expected);
    }
}

#[test]
fn letter_case_matters() {
    check("<a HREF='x' href='y'/><A href='z'/>", &["Html a href=y"]);
}

#[test]
fn attributes_end_where_xml_says() {
    check("<a b= 'c' d ='e' f = \"g\"/>", &["Html a b=c d=e f=g"]);
    check("<a / b='c'/>", &["Html a b=c"]);
}

#[test]
fn style_text_is_parsed_and_cdata_is_raw() {
    check(
        "<style>a&amp;<![CDATA[b<c>]]>d</style><p><![CDATA[<a href='x'>]]></p>",
        &[
            "Html style",
            "Style Content a&amp;<![CDATA[b<c>]]>d",
            "Html p",
        ],
    );
}

#[test]
fn text_comes_before_what_is_in_it() {
    check(
        "<style>a<style>b</style>c</style><style/><p/>",
        &[
            "Html style",
            "Style Content a<style>b</style>c",
            "Html style",
            "Style Content b",
            "Html style",
            "Html p",
        ],
    );
    check(
        "<p/><script>a<b/></script>",
        &["Html p", "Html script", "Script Content a<b/>", "Html b"],
    );
}

#[test]
fn declarations_spell_markup() {
    check(
        "<!DOCTYPE a [<!ENTITY e '<b c=\"d\"/>'>]><a>&e;</a>",
        &["Html a", "&e;: Html b c=d"],
    );
    check(
        "<!DOCTYPE a [<!ATTLIST b c CDATA 'd'>]><a><b e='f'/><b e='f'>x</b><b c='g'/></a>",
        &[
            "Html a",
            "b: Html b e=f c=d",
            "b: Html b e=f c=d",
            "Html b c=g",
        ],
    );
    // The first declaration counts, and none in an element.
    check(
        "<!DOCTYPE a [<!ENTITY e '<b/>'>]><!DOCTYPE a [<!ENTITY e '<c/>'>]><a>&e;</a>",
        &["Html a", "&e;: Html b"],
    );
    check("<a><!DOCTYPE a [<!ENTITY e '<b/>'>]>&e;</a>", &["Html a"]);
}

/// Checks whether a document is refused of which every byte of markup earns what one does.
#[track_caller]
fn earns(document: &str, enough: bool) {
    let mut pieces = Pieces {
        allowance: Allowance::of(0),
        ..Pieces::default()
    };
    let mut seen = Seen {
        document,
        lines: Vec::new(),
    };
    pieces.locate(document.as_bytes(), true, &mut seen);
    let refused = seen.lines.iter().any(|line| line == "refused");
    assert_eq!(refused, !enough, "{document:.200}");
}

#[test]
fn markup_earns_what_declarations_may_spell() {
    let mut allowance = Allowance::of(0);
    allowance.earn(1);
    assert!(allowance.spend(Allowance::BYTE));
    assert!(!allowance.spend(1));
    // `<a>` and `&e;` are as long as the text for which there is enough.
    for (text, enough) in [("<b/>xx", true), ("<b/>xxx", false)] {
        let document = format!("<!DOCTYPE a [<!ENTITY e '{text}'>]><a>&e;</a>");
        earns(&document, enough);
    }
    // A default costs its literal, one byte, and one for each attribute that is there.
    for (tag, attributes) in [("<b/>", 0), ("<b x=''/>", 1)] {
        let longest = tag.len() * Allowance::BYTE - 1 - attributes - "''".len();
        for (length, enough) in [(longest, true), (longest + 1, false)] {
            let value = "x".repeat(length);
            let document = format!("<!DOCTYPE b [<!ATTLIST b xmlns:q CDATA '{value}'>]>{tag}");
            earns(&document, enough);
        }
    }
}

#[test]
fn what_is_no_element_is_skipped() {
    check(
        "<?xml-stylesheet href='x'?><!DOCTYPE html [<!ENTITY a \"]>\"> <!-- ]> -->]><!-- c --><p/>",
        &["comment  c ", "Html p"],
    );
    check(
        "<template><base/></template><base/>",
        &["Html template", "Html base (no base)", "Html base"],
    );
}

/// Each piece of markup goes up to the bar.
#[test]
fn markup_has_an_end() {
    for marked in [
        "<!DOCTYPE a>|>",
        "<!DOCTYPE a [<!ENTITY b 'c]>'>]>|]>",
        "<!DOCTYPE a [<!ENTITY b \"c]>\">]>|]>",
        "<!DOCTYPE a [<!ELEMENT b (c)>]>|]>",
        "<!DOCTYPE a [<?b it's ]>?>]>|]>",
        "<!DOCTYPE a [<!-- it's ]> -->]>|]>",
        "<!DOCTYPE a [<!-- b --><!-- it's ]> -->]>|]>",
        "<!DOCTYPE a [<!--'-->]>|]>",
        "<!---->|-->",
        "<![CDATA[]]>|]]>",
        "<??>|?>",
        "</a '>|'>",
        "<a b='>'>|>",
    ] {
        let (markup, rest) = marked.split_once('|').unwrap();
        let bytes = [markup, rest].concat();
        let kind = MarkupKind::of(bytes.as_bytes());
        assert_eq!(
            kind.length(bytes.as_bytes()),
            Some(markup.len()),
            "{marked}"
        );
    }
}

#[test]
fn a_document_may_end_anywhere() {
    let document = "<!DOCTYPE a [<!ENTITY b 'c'>]><p a='b' c><![CDATA[d]]><!-- e --></p><?f?>";
    for end in 0..document.len() {
        locate(
            &document.as_bytes()[..end],
            &mut Seen {
                document,
                lines: Vec::new(),
            },
        );
    }
}

/// How much of a piece is done with when more is to follow, by what is left of it.
#[test]
fn what_may_go_on_in_the_next_piece_is_left() {
    for (piece, left) in [
        ("<a>x", ""),
        ("<a>x<b c='", "<b c='"),
        ("<a>x&", "&"),
        ("<a>x&e", "&e"),
        ("<a>x&e;", ""),
        ("<a>x&e;y", ""),
        ("<a>x& y", ""),
        ("<a>&e;<style>y</styl", "<style>y</styl"),
    ] {
        let document = format!("<!DOCTYPE a [<!ENTITY e '<i/>'>]>{piece}");
        let mut seen = Seen {
            document: &document,
            lines: Vec::new(),
        };
        let done = in_html().locate(document.as_bytes(), false, &mut seen);
        assert_eq!(&document[done..], left, "{piece}");
    }
}

/// What a declaration declares, by what a value says that refers to it.
#[track_caller]
fn expands(subset: &str, value: &str, expected: Option<&str>) {
    let doctype = Doctype::read(format!("<!DOCTYPE a [{subset}]>").as_bytes());
    let flat = of_value(
        value.as_bytes(),
        doctype.as_ref(),
        &mut Allowance::default(),
    );
    let flat = flat.unwrap_or_default();
    let text = String::from_utf8_lossy(&flat.bytes);
    let found = Some(&*text).filter(|_| !flat.is_unknown);
    assert_eq!(found, expected, "{subset:.200}");
}

#[test]
fn entities_are_declared() {
    expands("<!ENTITY a 'x'>", "1&a;2&a;3", Some("1x2x3"));
    expands("<!ENTITY a 'x'><!ENTITY a 'y'>", "&a;", Some("x"));
    expands("<!ENTITY a '&b;'><!ENTITY b \"'\">", "&a;", Some("'"));
    // An ASCII character reference is read where the entity is declared, another where it is used.
    expands("<!ENTITY a '&#38;b;&#x3C;'><!ENTITY b 'y'>", "&a;", None);
    expands(
        "<!ENTITY a '&#38;b;&#233;'><!ENTITY b 'y'>",
        "&a;",
        Some("y&#233;"),
    );
    expands("<!ENTITY a '&#38;#38;&amp;'>", "&a;", Some("&#38;&amp;"));
    let others = "<!-- <!ENTITY a 'n'> --><?p <!ENTITY a 'n'>?><!ELEMENT a (b)>";
    expands(&format!("{others}<!ENTITY a 'x'>"), "&a;", Some("x"));
    expands("<!ENTITY é 'x'>", "&é;", Some("x"));
    expands("<!ENTITY a '100%'>", "&a;", Some("100%"));
    expands("<!ENTITY a '100%;'>", "&a;", Some("100%;"));
    expands("<!ENTITY a '100%b,'>", "&a;", Some("100%b,"));
    // What is no reference stays as it is.
    let subset = "<!ENTITY a 'x'><!ENTITY 1 'y'><!ENTITY -b 'z'>";
    expands(subset, "&a;&a &1;&-b;", Some("x&a &1;&-b;"));
}

/// DOM, "child text content", also where an entity holds the children.
#[test]
fn the_text_of_an_element_is_without_that_of_its_children() {
    let text = |subset: &str, raw: &str| {
        let doctype = Doctype::read(format!("<!DOCTYPE a [{subset}]>").as_bytes());
        let allowance = &mut Allowance::default();
        let flat = of_content(raw.as_bytes(), doctype.as_ref(), allowance)?;
        Some(String::from_utf8_lossy(&flat.bytes).into_owned())
    };
    assert_eq!(text("", "plain"), None);
    let content = "a<b>c<d>e</d>f<![CDATA[g]]></b>h<i/>j";
    assert_eq!(text("", content).as_deref(), Some("ahj"));
    let subset = format!("<!ENTITY k '{content}<![CDATA[l&#38;m&#38;n]]>o'>");
    let expected = "1ahjl&amp;m&amp;no2";
    assert_eq!(text(&subset, "1&k;2").as_deref(), Some(expected));
}

#[test]
fn flat_text_stands_where_its_content_does() {
    let raw = "a<b/><![CDATA[c&d]]>e<!-- --><![CDATA[&f&]]>";
    let flat = of_content(raw.as_bytes(), None, &mut Allowance::default()).unwrap();
    let text = String::from_utf8(flat.bytes).unwrap();
    assert_eq!(text, "ac&amp;de&amp;f&amp;");
    let places =
        |text: &str, what| -> Vec<usize> { text.match_indices(what).map(|(at, _)| at).collect() };
    for what in ["a", "c", "&", "d", "e", "f"] {
        // "a" and "d" are letters of the reference, too.
        let found = places(&text.replace("&amp;", "&____"), what);
        let found: Vec<_> = (found.into_iter())
            .map(|at| flat.layout.map.source(at))
            .collect();
        assert_eq!(
            found,
            places(&raw.replace("CDATA", "_____"), what),
            "{what}"
        );
    }
}

/// The attributes that `a` has by default.
#[track_caller]
fn has_by_default(subset: &str, expected: &[(&str, &str)]) {
    let doctype = Doctype::read(format!("<!DOCTYPE a [{subset}]>").as_bytes());
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let defaults = doctype.as_ref().and_then(|it| it.defaults(b"a"));
    let found = (defaults.into_iter().flatten())
        .map(|(name, literal)| (text(name), text(literal.as_deref().unwrap_or_default())));
    let mut found: Vec<_> = found.collect();
    found.sort();
    let expected: Vec<_> = (expected.iter())
        .map(|(name, literal)| (text(name.as_bytes()), text(literal.as_bytes())))
        .collect();
    assert_eq!(found, expected, "{subset}");
}

#[test]
fn attributes_are_declared() {
    has_by_default("<!ATTLIST a b CDATA 'c'>", &[("b", "'c'")]);
    has_by_default("<!ATTLIST A b CDATA 'c'>", &[]);
    has_by_default(
        "<!ATTLIST a b CDATA #FIXED \"c\" d CDATA #IMPLIED e ID #REQUIRED f (g|h) 'g'>",
        &[("b", "\"c\""), ("f", "'g'")],
    );
    has_by_default(
        "<!ATTLIST a b NOTATION (c | d) 'c' e CDATA 'f'>",
        &[("b", "'c'"), ("e", "'f'")],
    );
    // The first definition counts, also of none.
    let second = "<!ATTLIST a b CDATA 'c'>";
    for (first, expected) in [
        ("<!ATTLIST a b CDATA 'd'>", &[("b", "'d'")][..]),
        ("<!ATTLIST a b CDATA #IMPLIED>", &[]),
        // One that breaks off defines nothing.
        ("<!ATTLIST a b CDATA>", &[("b", "'c'")]),
        ("<?p it's?>", &[("b", "'c'")]),
        ("<?p <'?>", &[("b", "'c'")]),
        ("<!ELEMENT a (b, c)>", &[("b", "'c'")]),
        (
            "<!NOTATION x SYSTEM \"<!ATTLIST a b CDATA 'n'>\">",
            &[("b", "'c'")],
        ),
    ] {
        has_by_default(&format!("{first}{second}"), expected);
    }
    assert!(Doctype::read(b"<!DOCTYPE a>").is_none());
}

#[test]
fn the_entities_of_html_are_declared_by_its_own_types() {
    let html = "<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Strict//EN' 'x'>";
    let doctype = Doctype::read(html.as_bytes()).unwrap();
    for (name, expected) in [
        ("nbsp", Some("&#160;")),
        ("semi", Some("&#59;")),
        // `&not` would need no semicolon.
        ("notit", None),
        ("nothing", None),
        ("x-y", None),
    ] {
        let found = doctype.html_entity(name.as_bytes());
        assert_eq!(found.as_deref(), expected, "{name}");
    }
    let other = Doctype::read(b"<!DOCTYPE a [<!ENTITY b 'c'>]>").unwrap();
    assert_eq!(other.html_entity(b"nbsp"), None);
}

#[test]
fn nobody_can_tell_some_entities() {
    for subset in [
        "",
        "<!ENTITY a SYSTEM 'x'>",
        "<!ENTITY a PUBLIC 'x' 'y'>",
        "<!ENTITY a SYSTEM 'x' NDATA y>",
        "<!ENTITY % a 'x'>",
        "%b;<!ENTITY a 'x'>",
        "<!ENTITY a '%b;'>",
        "<!ENTITY a '&a;'>",
        "<!ENTITY a '&b;'><!ENTITY b '&c;'><!ENTITY c '&b;'>",
        "<!ENTITY a '&b;'>",
        "<!ENTITY a '<b/>'>",
        "<!ENTITY a 'x",
    ] {
        expands(subset, "&a;", None);
    }
    let deep = |depth: usize| {
        let chain = (1..depth).map(|nth| format!("<!ENTITY a{nth} '&a{};'>", nth - 1));
        let chain: String = chain.collect();
        format!("<!ENTITY a0 'x'>{chain}<!ENTITY a '&a{};'>", depth - 1)
    };
    expands(&deep(39), "&a;", Some("x"));
    expands(&deep(40), "&a;", None);
    expands(&deep(50_000), "&a;", None);
}

#[test]
fn entities_stand_for_so_much_and_no_more() {
    let ten = |nth: usize| format!("&a{nth};").repeat(10);
    let subset = (1..12).map(|nth| format!("<!ENTITY a{nth} '{}'>", ten(nth - 1)));
    let subset: String = subset.collect();
    for last in ["x", ""] {
        let subset = format!("<!ENTITY a0 '{last}'>{subset}");
        expands(&subset, "&a3;", Some(&last.repeat(1000)));
        expands(&subset, "&a11;", None);
    }
    let doctype = Doctype::read(b"<!DOCTYPE a [<!ENTITY a 'four'>]>");
    let mut allowance = Allowance::of(9);
    let mut is_unknown = || {
        let flat = of_value(b"&a;", doctype.as_ref(), &mut allowance);
        flat.unwrap_or_default().is_unknown
    };
    assert_eq!([is_unknown(), is_unknown()], [false, true]);
}

#[test]
fn declarations_may_end_anywhere() {
    let document = "<!DOCTYPE a PUBLIC 'x' \"y\" [<!ENTITY % b 'c'>%b;<!ENTITY b '&#38;c;'>\
                    <!ATTLIST a b NOTATION (c|d) #FIXED 'e' f (g) 'h' i CDATA #IMPLIED>\
                    <!-- j --><?k?>]>";
    for end in 0..=document.len() {
        Doctype::read(&document.as_bytes()[..end]);
    }
}

/// The names of the attributes that are left, XLink's `href` under another prefix as such.
struct Names<'d>(&'d str, Vec<&'d str>);

impl Handler for Names<'_> {
    fn start_tag(&mut self, tag: &StartTag<'_>) {
        for (index, attribute) in tag.attributes.iter().enumerate() {
            self.1.push(match tag.xlink == Some(index) {
                true => "XLink",
                false => &self.0[attribute.name.clone()],
            });
        }
    }

    fn raw_text(&mut self, _: RawText, _: Spelling, _: Range<usize>) {}

    fn comment(&mut self, _: Range<usize>) {}
}

#[test]
fn xlink_is_known_by_its_namespace() {
    let check = |bound: &str, name: &str, expected: &str| {
        let bound = bound.replace("XLINK", "http://www.w3.org/1999/xlink");
        let document =
            format!("<svg xmlns='http://www.w3.org/2000/svg'><a {bound} B='c' {name}='d'/></svg>");
        let mut names = Names(&document, Vec::new());
        locate(document.as_bytes(), &mut names);
        names.1.retain(|name| !name.starts_with("xmlns"));
        assert_eq!(names.1.join(" "), expected, "{document}");
    };
    check("", "xlink:href", "xlink:href");
    check("", "xl:href", "xl:href");
    check("xmlns:xlink='XLINK'", "xlink:href", "xlink:href");
    check("xmlns:xlink='urn:x'", "xlink:href", "");
    check("xmlns:xl='XLINK'", "xl:href", "XLink");
    check("xmlns:XL='XLINK'", "XL:href", "XLink");
    check("xmlns:xl='XLINK'", "xl:title", "xl:title");
    check("xmlns:xl='XLINK'", "href", "href");
    check(
        "xmlns:xl='http://www.w3.org/1999/&#120;link'",
        "xl:href",
        "XLink",
    );
    // Elements of HTML have no such attribute.
    check(
        "xmlns='http://www.w3.org/1999/xhtml' xmlns:xl='XLINK'",
        "xl:href",
        "xl:href",
    );
}
