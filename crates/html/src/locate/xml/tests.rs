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
        if !tag.base_applies {
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

    fn declared_markup(&mut self, text: Range<usize>) {
        self.lines.push(format!("markup {}", &self.document[text]));
    }

    fn declared_attribute(&mut self, element: Range<usize>, attribute: &Attribute) {
        let [element, name, value] = [element, attribute.name.clone(), attribute.value.clone()]
            .map(|range| &self.document[range]);
        let quote = attribute.quote;
        self.lines
            .push(format!("default {element} {name}={value} {quote:?}"));
    }

    fn refuse(&mut self, _: &'static str) {
        self.lines.push("refused".to_owned());
    }
}

/// A locator at the start of a document in which names without a prefix are HTML's.
fn in_html() -> OpenTags {
    let mut pieces = OpenTags::default();
    let is_known = (pieces.namespaces).declare(b"xmlns", b"http://www.w3.org/1999/xhtml", None);
    assert_eq!(is_known, Some(true));
    pieces
}

#[track_caller]
fn check(document: &str, expected: &[&str]) {
    check_with(in_html(), document, expected);
}

#[track_caller]
fn check_with(mut pieces: OpenTags, document: &str, expected: &[&str]) {
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
        check_with(OpenTags::default(), document, expected);
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

/// What a declaration spells is reported there, and has no effect where it is used.
#[test]
fn declarations_spell_markup() {
    for (subset, expected) in [
        ("<!ENTITY e '<b c=\"d\"/>'>", &["markup <b c=\"d\"/>"][..]),
        ("<!ENTITY e '&#60;b/>'>", &["markup &#60;b/>"]),
        ("<!ENTITY e '&#x3C;b/>'>", &["markup &#x3C;b/>"]),
        // Where it is used, these are text.
        ("<!ENTITY e '&#38;#60;b/>&lt;'>", &[]),
        ("<!ENTITY e '&f;'>", &[]),
        ("<!ENTITY % e '<b/>'>", &[]),
        ("<!-- <!ENTITY e '<b/>'> --><?p <!ENTITY e '<b/>'>?>", &[]),
        ("<!ENTITY e 'x'><!ENTITY e '<b/>'>", &[]),
        ("<!ENTITY é '<b/>'>", &["markup <b/>"]),
        ("<!ENTITY e '<base/>'>", &["refused", "markup <base/>"]),
        ("<!ATTLIST b c CDATA 'd'>", &["default b c=d Single"]),
        (
            "<!ATTLIST x:b c CDATA #FIXED \"d\">",
            &["default b c=d Double"],
        ),
        (
            "<!ATTLIST base href CDATA 'd'>",
            &["refused", "default base href=d Single"],
        ),
        ("<!ATTLIST b c CDATA #IMPLIED><!ATTLIST b c CDATA 'd'>", &[]),
        (
            "<!ATTLIST b d ID #REQUIRED e NOTATION (f | g) 'f' h (i|j) 'i' k CDATA>",
            &["default b e=f Single", "default b h=i Single"],
        ),
        // One that breaks off defines nothing.
        (
            "<!ATTLIST b c CDATA><!ATTLIST b c CDATA 'd'>",
            &["default b c=d Single"],
        ),
        (
            "<!NOTATION x SYSTEM \"<!ATTLIST b c CDATA 'n'>\"><?p it's?><!ELEMENT b (c)>",
            &[],
        ),
    ] {
        let document = format!("<!DOCTYPE a [{subset}]><a>&e;<b/></a>");
        let expected = [expected, &["Html a", "Html b"]].concat();
        check(&document, &expected);
    }
    // The first declaration counts, and none in an element.
    check(
        "<!DOCTYPE a><!DOCTYPE a [<!ENTITY e '<c/>'>]><a><!DOCTYPE a [<!ENTITY e '<b/>'>]></a>",
        &["Html a"],
    );
}

#[test]
fn namespaces_are_declared_by_default() {
    let html = "http://www.w3.org/1999/xhtml";
    let subset = format!("<!ATTLIST b xmlns CDATA #FIXED '{html}' xmlns:c CDATA '{html}'>");
    check_with(
        OpenTags::default(),
        &format!("<!DOCTYPE a [{subset}]><a><b><c:d/></b><c:d/><b xmlns='urn:x'/></a>"),
        &["Html b", "Html d"],
    );
    // An entity may be any of them.
    check_with(
        OpenTags::default(),
        &format!("<!DOCTYPE a [<!ENTITY n '{html}'>]><a xmlns='&n;'/>"),
        &["refused"],
    );
    // Each `b` would declare all of them anew.
    for (others, expected) in [(31, "Html b"), (32, "refused")] {
        let others: String = (0..others)
            .map(|n| format!(" xmlns:n{n} CDATA 'urn:{n}'"))
            .collect();
        check_with(
            OpenTags::default(),
            &format!("<!DOCTYPE a [<!ATTLIST b xmlns CDATA '{html}'{others}>]><a><b/></a>"),
            &[expected],
        );
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
        ("<a>x&", ""),
        ("<a>&e;<style>y</styl", "<style>y</styl"),
        (
            "<!DOCTYPE a [<!ENTITY e '>'>",
            "<!DOCTYPE a [<!ENTITY e '>'>",
        ),
    ] {
        let mut seen = Seen {
            document: piece,
            lines: Vec::new(),
        };
        let done = in_html().locate(piece.as_bytes(), false, &mut seen);
        assert_eq!(&piece[done..], left, "{piece}");
    }
}

/// The declaration whose internal subset that is.
fn doctype(subset: &str) -> Doctype {
    let declaration = format!("<!DOCTYPE a [{subset}]>");
    Doctype::read(declaration.as_bytes(), &mut |_| {}).unwrap()
}

#[test]
fn entities_are_unknown() {
    for (value, is_unknown) in [
        ("&a;", true),
        ("x&a;y", true),
        ("&undeclared;", true),
        ("&é;", true),
        // What is no reference stays as it is.
        ("&a &1;&-b;&amp;", false),
    ] {
        let flat = of_value(value.as_bytes(), Some(&doctype("<!ENTITY a 'x'>")));
        assert_eq!(
            flat.is_some_and(|flat| flat.is_unknown),
            is_unknown,
            "{value}"
        );
    }
}

/// DOM, "child text content".
#[test]
fn the_text_of_an_element_is_without_that_of_its_children() {
    let text = |raw: &str| {
        let flat = of_content(raw.as_bytes(), None)?;
        Some(String::from_utf8_lossy(&flat.bytes).into_owned())
    };
    assert_eq!(text("plain"), None);
    let content = "a<b>c<d>e</d>f<![CDATA[g]]></b>h<i/>j<![CDATA[k]]>";
    assert_eq!(text(content).as_deref(), Some("ahjk"));
}

#[test]
fn flat_text_stands_where_its_content_does() {
    let raw = "a<b/><![CDATA[c&d]]>e<!-- --><![CDATA[&f&]]>";
    let flat = of_content(raw.as_bytes(), None).unwrap();
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

#[test]
fn the_entities_of_html_are_declared_by_its_own_types() {
    let html = "<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Strict//EN' 'x'>";
    let declared = Doctype::read(html.as_bytes(), &mut |_| {}).unwrap();
    for (name, expected) in [
        ("nbsp", Some("&#160;")),
        ("semi", Some("&#59;")),
        // `&not` would need no semicolon.
        ("notit", None),
        ("nothing", None),
        ("x-y", None),
    ] {
        let found = declared.html_entity(name.as_bytes());
        assert_eq!(found.as_deref(), expected, "{name}");
    }
    assert_eq!(doctype("<!ENTITY b 'c'>").html_entity(b"nbsp"), None);
    let own = html.replace('>', " [<!ENTITY nbsp 'c'>]>");
    let own = Doctype::read(own.as_bytes(), &mut |_| {}).unwrap();
    assert_eq!(own.html_entity(b"nbsp"), None);
}

#[test]
fn declarations_may_end_anywhere() {
    let document = "<!DOCTYPE a PUBLIC 'x' \"y\" [<!ENTITY % b 'c'>%b;<!ENTITY b '&#38;c;'>\
                    <!ATTLIST a b NOTATION (c|d) #FIXED 'e' f (g) 'h' i CDATA #IMPLIED>\
                    <!-- j --><?k?>]>";
    for end in 0..=document.len() {
        Doctype::read(&document.as_bytes()[..end], &mut |_| {});
    }
}

/// The names of the attributes that are left, XLink's `href` under another prefix as such.
struct Names<'d>(&'d str, Vec<&'d str>);

impl Handler for Names<'_> {
    fn start_tag(&mut self, tag: &StartTag<'_>) {
        for (index, attribute) in tag.attributes.iter().enumerate() {
            self.1.push(if tag.xlink == Some(index) {
                "XLink"
            } else {
                &self.0[attribute.name.clone()]
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
