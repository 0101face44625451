use super::*;
use crate::values::steps::path;

fn targets(pointers: &[Vec<Step>], holds: Holds) -> Vec<Target<'_>> {
    let targets = pointers.iter().enumerate().map(|(field, steps)| Target {
        steps,
        holds,
        field,
    });
    targets.collect()
}

fn found(json: &str, written: &[&str]) -> Vec<(usize, Vec<usize>, String)> {
    let pointers: Vec<_> = written.iter().map(|it| path(it)).collect();
    let found = find(
        json.as_bytes(),
        &targets(&pointers, Holds::Html),
        usize::MAX,
    );
    let found = found.documents.into_iter();
    found
        .map(|mut it| {
            let (span, _) = it.parts.remove(0);
            (it.targets[0].field, it.elements, json[span].to_owned())
        })
        .collect()
}

#[test]
fn pointers_lead_where_serde_json_leads() {
    let json = r#"{"a": {"b/c": ["x", 1, [2, "y"], "z"], "~": "t"}, "": "e", "a": 1}"#;
    let value: serde_json::Value = serde_json::from_str(&json.replace(r#", "a": 1"#, "")).unwrap();
    for pointer in ["/a/b~1c/0", "/a/b~1c/3", "/a/b~1c/2/1", "/a/~0", "/"] {
        let expected = value.pointer(pointer).unwrap().as_str().unwrap();
        let found = found(json, &[pointer]);
        assert_eq!(found, [(0, vec![], expected.to_owned())], "{pointer}");
    }
    for nothing in ["/a", "/a/b", "/a/b~1c/1", "/b", "/a/b~1c/9"] {
        assert_eq!(found(json, &[nothing]), [], "{nothing}");
    }
}

#[test]
fn a_star_stands_for_every_element() {
    let json = r#"{"posts": [{"html": "a", "tags": ["t", "u"]}, 3, {"html": "b"}, {}]}"#;
    let text = |text: &str| text.to_owned();
    assert_eq!(
        found(json, &["/posts/*/html", "/posts/*/tags/*"]),
        [
            (0, vec![0], text("a")),
            (1, vec![0, 0], text("t")),
            (1, vec![0, 1], text("u")),
            (0, vec![2], text("b")),
        ]
    );
    // The name alone is that of a member at the top.
    assert_eq!(
        found(r#"{"body": "b"}"#, &["body"]),
        [(0, vec![], text("b"))]
    );
}

#[test]
fn a_url_is_that_of_the_same_element() {
    let mut found = PointerTargets::default();
    found.urls.extend([(vec![0], 0..1), (vec![1], 1..2)]);
    assert_eq!(found.url_of(&[1, 7]), Some(&(1..2)));
    assert_eq!(found.url_of(&[2]), None);
    let mut inner = PointerTargets::default();
    inner.urls.insert(vec![3, 0], 3..4);
    assert_eq!(inner.url_of(&[3]), Some(&(3..4)));
    assert_eq!(inner.url_of(&[2]), None);
}

/// What Python's json, serde_json and JSON.parse take.
#[test]
fn the_last_of_several_urls_counts() {
    let url = |json: &str, url: &str| {
        let pointers = [path("/b"), path(url)];
        let found = find(json.as_bytes(), &targets(&pointers, Holds::Html), 1);
        let span = found.url_of(&[]).cloned();
        (span.map(|span| json[span].to_owned()), found.has_url)
    };
    let text = |text: &str| Some(text.to_owned());
    assert_eq!(url(r#"{"u": "a", "u": "b"}"#, "u"), (text("b"), true));
    assert_eq!(url(r#"{"u": "a", "\u0075": null}"#, "u"), (None, true));
    assert_eq!(url(r#"{"m": {"u": "a"}, "m": {}}"#, "/m/u"), (None, true));
    assert_eq!(
        url(r#"{"m": [{"u": "a"}], "m": [1, {"u": "b"}]}"#, "/m/*/u"),
        (text("b"), true)
    );
    assert_eq!(url(r#"{"n": {"u": "a"}}"#, "u"), (None, false));
    // A field may be a document's, too.
    assert_eq!(url(r#"{"b": "c"}"#, "b"), (text("c"), true));
}

#[test]
fn what_is_passed_is_not_counted() {
    let deep = format!("{}\"x\", 1, 2{}", "[[1, ".repeat(300), "], 3]".repeat(300));
    let json = format!(r#"{{"n": {{"u": "a"}}, "l": [{deep}, {{"o": 1, "p": 2}}, "b"]}}"#);
    assert!(serde_json::from_str::<serde::de::IgnoredAny>(&json).is_ok());
    let text = "b".to_owned();
    assert_eq!(found(&json, &["/l/2"]), [(0, vec![], text)]);
}

#[test]
fn a_list_is_its_strings() {
    let pointers = ["/p/*/i", ""].map(path);
    let json = r#"{"p": [{"i": ["a", ["b"], {"i": "c"}, "d"]}, {"i": "e"}]}"#;
    let lists = targets(&pointers, Holds::Urls);
    let found = find(json.as_bytes(), &lists, usize::MAX).documents;
    let found = found.into_iter().map(|it| {
        let is_in_list = it.targets[0].holds == Holds::Url;
        (it.elements, &json[it.parts[0].0.clone()], is_in_list)
    });
    let found: Vec<_> = found.collect();
    assert_eq!(
        found,
        [
            (vec![0], "a", true),
            (vec![0], "d", true),
            (vec![1], "e", false)
        ]
    );
    let found = find(br#"["a"]"#, &lists, usize::MAX).documents;
    assert_eq!((found.len(), found[0].targets[0].field), (1, 1));
    assert!(
        find(
            br#"["a","b"]"#,
            &targets(&pointers, Holds::Html),
            usize::MAX
        )
        .documents
        .is_empty()
    );
}

#[test]
fn two_stars_stand_for_any_depth() {
    let json = r#"{"u":"a","b":[{"u":"b","c":{"u":["no"],"d":{"u":"c"}}}],"d":{"e":{"u":"d"}}}"#;
    let texts = |pointer| {
        let found = found(json, &[pointer]).into_iter();
        found.map(|it| it.2).collect::<String>()
    };
    // An array of one string is its text.
    assert_eq!(texts("/**/u"), "abnocd");
    assert_eq!(texts("/**/d/u"), "c");
    assert_eq!(texts("/**/d/**/u"), "cd");
    assert_eq!(texts("/b/**"), "bnoc");
    assert_eq!(texts("/b/**/u"), "bnoc");
}

#[test]
fn lines_are_one_text() {
    let lines = |json: &str| {
        let pointers = [path("/a")];
        let targets = targets(&pointers, Holds::Html);
        let found = find(json.as_bytes(), &targets, usize::MAX).documents;
        found
            .into_iter()
            .map(|it| it.parts.len())
            .collect::<Vec<_>>()
    };
    assert_eq!(lines(r#"{"a":["x\n","y\u2028",""]}"#), [3]);
    assert_eq!(lines(r#"{"a":["x"]}"#), [1]);
    for other in [
        r#"["x","y"]"#,
        r#"["x\n",1]"#,
        r#"["x\n",{"b":"c"}]"#,
        "[]",
        "[1]",
    ] {
        assert_eq!(lines(&format!("{{\"a\":{other}}}")), [0; 0], "{other}");
    }
}

/// A line may look as if it were a value that another pointer leads into.
#[test]
fn a_line_is_no_value_of_its_own() {
    let pointers = [path("/a"), path("/a/**/url")];
    let json = r#"{"a":["<pre>\n","{ \"b\n","</pre>"]}"#;
    let targets = targets(&pointers, Holds::Html);
    let found = find(json.as_bytes(), &targets, usize::MAX).documents;
    assert_eq!((found.len(), found[0].parts.len()), (1, 3));
    let fields: Vec<_> = found[0].targets.iter().map(|it| it.field).collect();
    assert_eq!(fields, [0, 1]);
}

#[test]
fn no_name_is_the_whole_value() {
    assert_eq!(found(r#" "x" "#, &[""]), [(0, vec![], "x".to_owned())]);
    assert_eq!(found(r#"{"": "x"}"#, &[""]), []);
}

#[test]
fn names_are_those_of_strings() {
    let json = br#"{"id": 3, "t/t": "x", "posts": [{"html": "a"}, {"html": "b"}]}"#;
    assert_eq!(names(json, 9), ["/t~1t", "/posts/*/html"]);
    assert_eq!(names(json, 1), ["/t~1t"]);
}
