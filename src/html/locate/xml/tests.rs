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
}

#[track_caller]
fn check(document: &str, expected: &[&str]) {
    let mut seen = Seen {
        document,
        lines: Vec::new(),
    };
    locate(document.as_bytes(), &mut seen);
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
fn letter_case_matters() {
    check("<a HREF='x' href='y'/><A href='z'/>", &["Html a href=y"]);
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
            format!("<svg xmlns='http://www.w3.org/2000/svg' {bound} B='c' {name}='d'/>");
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
    check(
        "xmlns:xl='http://www.w3.org/1999/&#120;link'",
        "xl:href",
        "XLink",
    );
}
