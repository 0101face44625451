use serde_json::Value;

use abslink_html::To;

use super::*;
use crate::cli::args::ResolverArgs;

fn options(references: &[&str]) -> ResolveArgs {
    ResolveArgs {
        base_url: "http://a/b/c/d;p?q#f".to_owned(),
        references: references
            .iter()
            .map(|&reference| reference.to_owned())
            .collect(),
        resolver: by(Resolver::Rfc1808),
        to: To::Absolute,
        unwrap: false,
        explain: false,
        compare: false,
        format: OutputFormat::Text,
    }
}

fn by(resolver: Resolver) -> ResolverArgs {
    ResolverArgs { resolver }
}

fn output(args: &ResolveArgs, input: impl AsRef<[u8]>) -> (Exit, String, String) {
    shown(args, false, input)
}

fn shown(args: &ResolveArgs, on_terminal: bool, input: impl AsRef<[u8]>) -> (Exit, String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let status = run(args, on_terminal, &mut input.as_ref(), &mut out, &mut err).unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status, text(out), text(err))
}

#[test]
fn one_result_a_line_in_order_of_input() {
    let (status, out, err) = output(&options(&[" g ", "../g"]), "ignored");
    assert_eq!(
        (status, out.as_str()),
        (Exit::Done, "http://a/b/c/g\nhttp://a/b/g\n")
    );
    assert_eq!(err, "");
    let (_, out, _) = output(&options(&[]), "g\r\n\n#s");
    assert_eq!(
        out,
        "http://a/b/c/g\nhttp://a/b/c/d;p?q#f\nhttp://a/b/c/d;p?q#s\n"
    );
}

#[test]
fn what_does_not_resolve_is_an_empty_line_and_status_1() {
    let whatwg = ResolveArgs {
        resolver: by(Resolver::Whatwg),
        ..options(&["//", "g"])
    };
    let (status, out, err) = output(&whatwg, "");
    assert_eq!((status, out.as_str()), (Exit::Left, "\nhttp://a/b/c/g\n"));
    assert!(err.starts_with("error: cannot resolve \"//\": "), "{err}");
}

#[test]
fn an_unsuitable_base_is_status_2() {
    let mailto = ResolveArgs {
        base_url: "mailto:x".to_owned(),
        ..options(&["g"])
    };
    let (status, out, err) = output(&mailto, "");
    assert_eq!((status, out.as_str()), (Exit::Failed, ""));
    assert!(
        err.contains("cannot use mailto:x as a base URL: `mailto:`"),
        "{err}"
    );
}

#[test]
fn compare_says_where_a_browser_differs() {
    let compare = ResolveArgs {
        compare: true,
        ..options(&["///x"])
    };
    let (_, out, _) = output(&compare, "");
    let expected = "\
\"///x\"
  rfc1808   http://a/x
            a browser gets http://x/
            class 6, empty network location: \
RFC 1808 takes the host from the base; browsers read the next name as the host, or fail
  rfc3986   http:///x
  whatwg    http://x/
";
    assert_eq!(out, expected);
}

#[test]
fn explain_shows_components_and_steps() {
    let explain = ResolveArgs {
        explain: true,
        ..options(&["?"])
    };
    let (_, out, _) = output(&explain, "");
    assert!(out.contains("  query     \"q\"       \"\"\n"), "{out}");
    assert!(out.contains("  params    \"p\"       -\n"), "{out}");
    assert!(
        out.contains("  step 5b   it has a query: on to step 7\n"),
        "{out}"
    );
    assert!(out.ends_with("  rfc1808   http://a/b/c/d;p?\n"), "{out}");
}

/// RFC 3986 has other components than RFC 1808, and browsers arrive at them as well.
#[test]
fn explain_shows_the_components_of_rfc_3986() {
    for resolver in [Resolver::Rfc3986, Resolver::Whatwg] {
        let explain = ResolveArgs {
            explain: true,
            resolver: by(resolver),
            ..options(&["//h:1/x;y?#"])
        };
        let (_, out, _) = output(&explain, "");
        let expected = format!(
            "\
\"//h:1/x;y?#\"
            base        reference
  scheme    \"http\"      -
  authority \"a\"         \"h:1\"
  path      \"/b/c/d;p\"  \"/x;y\"
  query     \"q\"         \"\"
  fragment  \"f\"         \"\"
  {resolver:<9} http://h:1/x;y?#
"
        );
        assert_eq!(out, expected);
        let json = ResolveArgs {
            format: OutputFormat::Json,
            ..explain
        };
        let (_, out, _) = output(&json, "");
        let line: Value = serde_json::from_str(&out).unwrap();
        let expected = json!({
            "base": {
                "scheme": "http", "authority": "a", "path": "/b/c/d;p", "query": "q",
                "fragment": "f",
            },
            "reference": {
                "scheme": null, "authority": "h:1", "path": "/x;y", "query": "",
                "fragment": "",
            },
        });
        assert_eq!(line["components"], expected);
    }
}

#[test]
fn a_line_that_is_not_utf8_is_named() {
    let (status, out, err) = output(&options(&[]), b"g\n\nab\xff\r\n\xe9\nh");
    assert_eq!(status, Exit::Failed);
    let results = "http://a/b/c/g\nhttp://a/b/c/d;p?q#f\n\n\nhttp://a/b/c/h\n";
    assert_eq!(out, results);
    let lines: Vec<&str> = err.lines().collect();
    assert!(
        lines[0].starts_with("error: standard input, line 3: byte 3 of the line is not UTF-8;")
    );
    assert!(
        lines[1].starts_with("error: standard input, line 4: byte 1 of the line is not UTF-8;")
    );
    assert_eq!(lines.len(), 2);
    let json = ResolveArgs {
        format: OutputFormat::Json,
        ..options(&[])
    };
    let (_, out, _) = output(&json, b"\xff\n");
    let object: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(object["reference"], Value::Null);
    assert!(object["error"].as_str().unwrap().contains("line 1: byte 1"));
}

#[test]
fn results_are_exact_unless_a_terminal_shows_them() {
    let (_, out, _) = output(&options(&["g\u{1b}[2J\u{202e}"]), "");
    assert_eq!(out, "http://a/b/c/g\u{1b}[2J\u{202e}\n");
    let (_, out, _) = shown(&options(&["g\u{1b}[2J\u{202e}"]), true, "");
    assert_eq!(out, "http://a/b/c/g\\u{1b}[2J\\u{202e}\n");
}

#[test]
fn json_has_one_object_a_line() {
    let json = ResolveArgs {
        format: OutputFormat::Json,
        explain: true,
        compare: true,
        ..options(&["//", "g"])
    };
    let (_, out, _) = output(&json, "");
    let lines: Vec<Value> = out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines[0]["absolute"], "http://a/b/c/d;p?q");
    assert_eq!(lines[0]["divergent"], "");
    assert_eq!(lines[0]["class"]["number"], 6);
    assert_eq!(lines[0]["compare"][2]["absolute"], Value::Null);
    assert_eq!(lines[0]["components"]["reference"]["net_loc"], "");
    assert_eq!(lines[0]["components"]["reference"]["params"], Value::Null);
    assert_eq!(lines[1]["reference"], "g");
    assert_eq!(lines[1]["steps"][0]["step"], "1");
    assert!(lines[1].get("divergent").is_none());
}

#[test]
fn the_way_back() {
    let references = ["g", "http://a/b/c/d;p?q#s", "https://a/x", "?y"];
    for (to, expected) in [
        (To::Relative, "g\n#s\nhttps://a/x\nd;p?y\n"),
        (To::Root, "/b/c/g\n#s\nhttps://a/x\n/b/c/d;p?y\n"),
    ] {
        let back = ResolveArgs {
            to,
            ..options(&references)
        };
        assert_eq!(output(&back, "").1, expected);
    }
}

#[test]
fn the_way_back_is_explained() {
    let explain = ResolveArgs {
        to: To::Relative,
        explain: true,
        ..options(&["http://a/x"])
    };
    let (_, out, _) = output(&explain, "");
    let steps = "  \
  back 1    both are of http://a
  back 2    it is not the base
  back 3    the paths share /; ../ for each of b, c: ../../x
  back 5    all three resolvers lead back to the target
  rfc1808   http://a/x
  back      ../../x
";
    assert!(out.ends_with(steps), "{out}");
    let json = ResolveArgs {
        format: OutputFormat::Json,
        ..explain
    };
    let object: Value = serde_json::from_str(&output(&json, "").1).unwrap();
    assert_eq!(object["to"], "../../x");
    assert_eq!(object["back"][0]["step"], "1");
    // What stays as it is needs no field.
    let json = ResolveArgs {
        references: vec!["../x".to_owned()],
        ..json
    };
    let object: Value = serde_json::from_str(&output(&json, "").1).unwrap();
    assert_eq!(object.get("to"), None);
}
