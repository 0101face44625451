//! `abslink resolve`: references against a base URL, no HTML involved.

use std::io::{self, BufRead, IsTerminal as _, Write};

use crate::resolver::{
    BaseUrl, Divergence, Resolver, divergence, pre_step, rfc1808, rfc1808::Components, rfc3986,
};
use serde_json::{Map, Value, json};

use super::args::{self, Format};
use super::exit::Exit;
use super::input::{NotText, for_each};
use super::print::line;

/// What was asked for.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    /// `--base-url`.
    pub(crate) base: String,
    /// The references; none for one a line on standard input.
    pub(crate) references: Vec<String>,
    /// `--resolver`.
    pub(crate) resolver: Resolver,
    /// `--explain`.
    pub(crate) explain: bool,
    /// `--compare`.
    pub(crate) compare: bool,
    /// `--format`.
    pub(crate) format: Format,
    /// Whether results that stand for themselves are shown on a terminal; elsewhere they are exact.
    pub(crate) on_terminal: bool,
}

impl From<args::Resolve> for Options {
    fn from(args: args::Resolve) -> Options {
        Options {
            base: args.base_url,
            references: args.references,
            resolver: args.resolver.resolver,
            explain: args.explain,
            compare: args.compare,
            format: args.format,
            on_terminal: io::stdout().is_terminal(),
        }
    }
}

/// One reference and what became of it.
struct Resolved<'a> {
    base: &'a BaseUrl,
    reference: &'a str,
    resolver: Resolver,
    absolute: Result<String, String>,
    divergence: Option<Divergence>,
}

/// Runs the command.
///
/// # Errors
/// Where a stream fails.
pub(crate) fn run(
    options: &Options,
    input: &mut impl BufRead,
    out: &mut impl Write,
    err: &mut impl Write,
) -> io::Result<Exit> {
    let base = match BaseUrl::parse(&pre_step(&options.base)) {
        Ok(base) => base,
        Err(reason) => {
            let url = &options.base;
            line(
                err,
                format_args!("error: cannot use {url} as a base URL: {reason}"),
            )?;
            return Ok(Exit::Failed);
        }
    };
    let mut exit = Exit::Done;
    for_each(&options.references, input, |given| {
        let reference = match given {
            Ok(reference) => pre_step(reference),
            Err(reason) => {
                exit = exit.max(Exit::Failed);
                line(err, format_args!("error: {reason}"))?;
                return print_unread(&base, &reason, options, out);
            }
        };
        let resolved = resolve(&base, &reference, options.resolver);
        if let Err(reason) = &resolved.absolute {
            exit = exit.max(Exit::Left);
            let message = format_args!("error: cannot resolve {reference:?}: {reason}");
            line(err, message)?;
        }
        match options.format {
            Format::Json => writeln!(out, "{}", to_json(&resolved, options)),
            Format::Text => print(&resolved, options, out),
        }
    })?;
    Ok(exit)
}

/// What stands for a line that cannot be read, so that there is a result for each line.
fn print_unread(
    base: &BaseUrl,
    reason: &NotText,
    options: &Options,
    out: &mut impl Write,
) -> io::Result<()> {
    match options.format {
        Format::Json => {
            let object = json!({
                "resolver": options.resolver.name(),
                "absolute": null,
                "error": reason.to_string(),
                "base": base.as_str(),
                "reference": null,
            });
            writeln!(out, "{object}")
        }
        Format::Text => writeln!(out),
    }
}

fn resolve<'a>(base: &'a BaseUrl, reference: &'a str, resolver: Resolver) -> Resolved<'a> {
    let absolute = resolver
        .resolve(base, reference)
        .map(String::from)
        .map_err(|error| error.to_string());
    let divergence = absolute
        .as_ref()
        .ok()
        .and_then(|absolute| divergence(base, reference, absolute));
    Resolved {
        base,
        reference,
        resolver,
        absolute,
        divergence,
    }
}

fn to_json(resolved: &Resolved<'_>, options: &Options) -> Value {
    let mut object = result_json(resolved);
    object.insert("base".into(), resolved.base.as_str().into());
    object.insert("reference".into(), resolved.reference.into());
    if options.compare {
        let all = Resolver::ALL
            .map(|resolver| result_json(&resolve(resolved.base, resolved.reference, resolver)));
        object.insert("compare".into(), json!(all));
    }
    if options.explain {
        let base = Components::parse(resolved.base.as_str());
        let reference = Components::parse(resolved.reference);
        let (base, reference) = match resolved.resolver {
            Resolver::Rfc1808 => (rfc1808_json(&base), rfc1808_json(&reference)),
            _ => (
                rfc3986_json(resolved.base.as_str()),
                rfc3986_json(resolved.reference),
            ),
        };
        object.insert(
            "components".into(),
            json!({"base": base, "reference": reference}),
        );
        if resolved.resolver == Resolver::Rfc1808 {
            let steps = rfc1808::explain(resolved.base, resolved.reference).steps;
            let steps: Vec<_> = steps
                .iter()
                .map(|step| json!({"step": step.number, "text": step.text}))
                .collect();
            object.insert("steps".into(), steps.into());
        }
    }
    Value::Object(object)
}

/// What one resolver gave. `divergent` is what a browser gets, the empty string for nothing; it is
/// there only where that differs.
fn result_json(resolved: &Resolved<'_>) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("resolver".into(), resolved.resolver.name().into());
    object.insert("absolute".into(), json!(resolved.absolute.as_ref().ok()));
    object.insert("error".into(), json!(resolved.absolute.as_ref().err()));
    if let Some(divergence) = &resolved.divergence {
        let class = divergence.class;
        let browser = divergence.browser.as_deref().unwrap_or_default();
        object.insert("divergent".into(), browser.into());
        object.insert(
            "class".into(),
            json!({
                "number": class.number(),
                "name": class.name(),
                "explanation": class.explanation(),
            }),
        );
    }
    object
}

/// §2.1: the components of a URL as JSON; `null` is absent, `""` is empty.
pub(crate) fn rfc1808_json(parts: &Components<'_>) -> Value {
    let mut object = Map::new();
    for (name, component) in rfc1808_rows(parts) {
        object.insert(name.into(), json!(component));
    }
    Value::Object(object)
}

fn rfc3986_json(uri: &str) -> Value {
    let mut object = Map::new();
    for (name, component) in rfc3986_rows(uri) {
        object.insert(name.into(), json!(component));
    }
    Value::Object(object)
}

/// §2.1: the components by name, in their order.
pub(crate) fn rfc1808_rows<'a>(parts: &Components<'a>) -> [(&'static str, Option<&'a str>); 6] {
    [
        ("scheme", parts.scheme),
        ("net_loc", parts.net_loc),
        ("path", Some(parts.path)),
        ("params", parts.params),
        ("query", parts.query),
        ("fragment", parts.fragment),
    ]
}

fn rfc3986_rows(uri: &str) -> [(&'static str, Option<&str>); 5] {
    let parts = rfc3986::Components::split(uri);
    [
        ("scheme", parts.scheme),
        ("authority", parts.authority),
        ("path", Some(parts.path)),
        ("query", parts.query),
        ("fragment", parts.fragment),
    ]
}

fn print(resolved: &Resolved<'_>, options: &Options, out: &mut impl Write) -> io::Result<()> {
    if !options.explain && !options.compare {
        let absolute = resolved.absolute.as_deref().unwrap_or_default();
        return match options.on_terminal {
            true => line(out, absolute),
            false => writeln!(out, "{absolute}"),
        };
    }
    line(out, quoted(Some(resolved.reference)))?;
    if options.explain {
        print_explanation(resolved, out)?;
    }
    if options.compare {
        for resolver in Resolver::ALL {
            print_result(&resolve(resolved.base, resolved.reference, resolver), out)?;
        }
    } else {
        print_result(resolved, out)?;
    }
    Ok(())
}

fn print_explanation(resolved: &Resolved<'_>, out: &mut impl Write) -> io::Result<()> {
    match resolved.resolver {
        Resolver::Rfc1808 => {
            let told = rfc1808::explain(resolved.base, resolved.reference);
            print_side_by_side(
                &rfc1808_rows(&told.base),
                &rfc1808_rows(&told.reference),
                out,
            )?;
            for step in told.steps {
                let number = format!("step {}", step.number);
                line(out, format_args!("  {number:<9} {}", step.text))?;
            }
            Ok(())
        }
        // The URL Standard has no split of its own: it is a state machine over characters. RFC
        // 3986's components are close to what it arrives at.
        Resolver::Rfc3986 | Resolver::Whatwg => print_side_by_side(
            &rfc3986_rows(resolved.base.as_str()),
            &rfc3986_rows(resolved.reference),
            out,
        ),
    }
}

type Row<'a> = (&'static str, Option<&'a str>);

/// The components of the base and of the reference, aligned.
fn print_side_by_side(
    base: &[Row<'_>],
    reference: &[Row<'_>],
    out: &mut impl Write,
) -> io::Result<()> {
    let width = base
        .iter()
        .map(|(_, component)| quoted(*component).chars().count())
        .fold("base".len(), usize::max);
    let heading = format_args!("  {:<9} {:<width$}  reference", "", "base");
    line(out, heading)?;
    for ((name, base), (_, reference)) in base.iter().zip(reference) {
        let (base, reference) = (quoted(*base), quoted(*reference));
        line(out, format_args!("  {name:<9} {base:<width$}  {reference}"))?;
    }
    Ok(())
}

fn print_result(resolved: &Resolved<'_>, out: &mut impl Write) -> io::Result<()> {
    let name = resolved.resolver;
    match &resolved.absolute {
        Ok(absolute) => line(out, format_args!("  {name:<9} {absolute}"))?,
        Err(reason) => line(out, format_args!("  {name:<9} no result: {reason}"))?,
    }
    let Some(divergence) = &resolved.divergence else {
        return Ok(());
    };
    let class = divergence.class;
    let browser = divergence.browser.as_deref().unwrap_or("no result");
    line(out, format_args!("  {:<9} a browser gets {browser}", ""))?;
    line(
        out,
        format_args!(
            "  {:<9} class {}, {}: {}",
            "",
            class.number(),
            class.name(),
            class.explanation()
        ),
    )
}

/// Shows a component so that an empty one differs from one that is absent.
pub(crate) fn quoted(component: Option<&str>) -> String {
    component.map_or("-".to_owned(), |component| format!("{component:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(references: &[&str]) -> Options {
        Options {
            base: "http://a/b/c/d;p?q#f".to_owned(),
            references: references
                .iter()
                .map(|&reference| reference.to_owned())
                .collect(),
            resolver: Resolver::Rfc1808,
            explain: false,
            compare: false,
            format: Format::Text,
            on_terminal: false,
        }
    }

    fn output(options: &Options, input: impl AsRef<[u8]>) -> (Exit, String, String) {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let status = run(options, &mut input.as_ref(), &mut out, &mut err).unwrap();
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
        let whatwg = Options {
            resolver: Resolver::Whatwg,
            ..options(&["//", "g"])
        };
        let (status, out, err) = output(&whatwg, "");
        assert_eq!((status, out.as_str()), (Exit::Left, "\nhttp://a/b/c/g\n"));
        assert!(err.starts_with("error: cannot resolve \"//\": "), "{err}");
    }

    #[test]
    fn an_unsuitable_base_is_status_2() {
        let mailto = Options {
            base: "mailto:x".to_owned(),
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
        let compare = Options {
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
        let explain = Options {
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
            let explain = Options {
                explain: true,
                resolver,
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
            let json = Options {
                format: Format::Json,
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
        assert!(lines[0].starts_with("error: standard input, line 3: byte 3 of it is not UTF-8;"));
        assert!(lines[1].starts_with("error: standard input, line 4: byte 1 of it is not UTF-8;"));
        assert_eq!(lines.len(), 2);
        let json = Options {
            format: Format::Json,
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
        let shown = Options {
            on_terminal: true,
            ..options(&["g\u{1b}[2J\u{202e}"])
        };
        let (_, out, _) = output(&shown, "");
        assert_eq!(out, "http://a/b/c/g\\u{1b}[2J\\u{202e}\n");
    }

    #[test]
    fn json_has_one_object_a_line() {
        let json = Options {
            format: Format::Json,
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
}
