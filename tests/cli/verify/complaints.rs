//! What the second reader may not complain about, and what it has to.

use crate::cli::Sandbox;

/// The exit code of `rewrite --verify` and what it says.
fn verified(name: &str, document: &str, fault: Option<&str>) -> (Option<i32>, String) {
    let sandbox = Sandbox::new();
    sandbox.write(name, document);
    let mut command = sandbox.abslink("rewrite --verify --also all -b http://h/d/ -o out");
    command.arg(name);
    command.envs(fault.map(|fault| ("ABSLINK_TEST_FAULT", fault)));
    let ran = command.output().unwrap();
    (ran.status.code(), String::from_utf8(ran.stderr).unwrap())
}

fn xhtml(head: &str, body: &str) -> String {
    format!(
        "<html xmlns='http://www.w3.org/1999/xhtml'><head>{head}</head><body>{body}</body></html>"
    )
}

/// A name is cut at its first colon.
#[test]
fn a_name_with_two_colons_is_no_other() {
    let two = |name: &str, rest: &str| {
        format!("<s:t:{name} xmlns:s='http://www.w3.org/1999/xhtml'{rest}</s:t:{name}>")
    };
    let head = two("base", " href='/b/'>");
    let (code, said) = verified("x.xhtml", &xhtml(&head, "<a href='x'/>"), None);
    assert_eq!(code, Some(0), "{said}");
    let style = two("style", ">a{b:url(zz)}");
    let body = format!("<a href='q'/><style>a{{b:url(q)}}{style}</style>");
    let fault = Some("url(zz)=>url(http://h/d/zz)");
    let (code, said) = verified("x.xhtml", &xhtml("", &body), fault);
    assert_eq!(code, Some(2), "{said}");
}

/// Of a style sheet in XML, what is markup in it stays.
#[cfg(debug_assertions)]
#[test]
fn markup_in_a_style_sheet_stays() {
    let page = xhtml(
        "<style>a{b:url(x)}<!--planted--><![CDATA[c{d:url(y)}]]></style>",
        "",
    );
    assert_eq!(verified("x.xhtml", &page, None).0, Some(0));
    for fault in ["planted=>changed", "<!--planted-->=>", "<!--planted=><!--"] {
        let (code, said) = verified("x.xhtml", &page, Some(fault));
        assert_eq!(code, Some(2), "{fault}: {said}");
    }
}

/// So does what stands inside a reference, around which a URL is written.
#[cfg(debug_assertions)]
#[test]
fn markup_in_a_reference_stays() {
    for inside in ["<!--planted-->", "<?planted?>"] {
        let page = xhtml(&format!("<style>a{{b:url(x{inside}y)}}</style>"), "");
        assert_eq!(verified("x.xhtml", &page, None).0, Some(0), "{inside}");
        let (code, said) = verified("x.xhtml", &page, Some("planted=>changed"));
        assert_eq!(code, Some(2), "{inside}: {said}");
    }
}

/// Documents in documents are followed as deep as they are rewritten, and below that nothing may change.
#[cfg(debug_assertions)]
#[test]
fn what_is_nested_too_deep_does_not_change() {
    let nested = (0..17).fold("<a href=x>".to_owned(), |inner, _| {
        let inner = inner.replace('&', "&amp;").replace('"', "&quot;");
        format!("<iframe srcdoc=\"{inner}\"></iframe>")
    });
    let page = nested + "<a href=y>";
    assert_eq!(verified("x.html", &page, None).0, Some(0));
    let (code, said) = verified("x.html", &page, Some("href=x=>href=http://h/d/x"));
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("16 documents deep"), "{said}");
    assert!(!said.contains("report this"), "{said}");
}
