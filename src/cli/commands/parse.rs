//! `abslink parse`: the components of a URL, and where it departs from the grammar.

use std::io::{self, BufRead, Write};

use abslink_url::bnf::GrammarError;
use abslink_url::rfc1738::{self, Login};
use abslink_url::rfc1808::{Components, grammar, schemes::SchemeClass};
use abslink_url::{Resolver, explain};
use serde_json::{Value, json};

use super::components::{self, quoted};
use super::input::for_each;
use crate::cli::args::OutputFormat;
use crate::cli::run::exit::Exit;
use crate::cli::terminal::print::{json_line, line};

/// The grammars that a URL is checked against, and where it departs from each.
fn grammars(
    url: &str,
    scheme: Option<&str>,
) -> Vec<(&'static str, String, Result<(), GrammarError>)> {
    let generic = match scheme {
        Some(_) => "generic-RL",
        None => "relativeURL",
    };
    let of_rfc1808 = || "RFC 1808 2.2".to_owned();
    let mut grammars = vec![
        ("URL", of_rfc1808(), grammar::validate(url)),
        (generic, of_rfc1808(), grammar::validate_generic(url)),
    ];
    if let Some(result) = rfc1738::validate(url) {
        let scheme = scheme.unwrap_or_default().to_ascii_lowercase();
        grammars.push(("scheme", format!("RFC 1738 5, {scheme}"), result));
    }
    grammars
}

fn login_rows<'a>(parts: &Components<'a>) -> Option<[components::Row<'a>; 4]> {
    parts.net_loc.map(Login::parse).map(|login| {
        [
            ("user", login.user),
            ("password", login.password),
            ("host", Some(login.host)),
            ("port", login.port),
        ]
    })
}

/// Runs the command. Every text can be parsed, so the exit code is 0 if all lines are text.
///
/// # Errors
/// Where a stream fails.
pub(crate) fn run(
    urls: &[String],
    format: OutputFormat,
    input: &mut impl BufRead,
    out: &mut impl Write,
    err: &mut impl Write,
) -> io::Result<Exit> {
    let mut first = true;
    let mut exit = Exit::Done;
    for_each(urls, input, |given| {
        let url = match given {
            Ok(url) => url,
            Err(reason) => {
                exit = Exit::Failed;
                return line(err, format_args!("error: {reason}"));
            }
        };
        match format {
            OutputFormat::Json => json_line(out, &to_json(url)),
            OutputFormat::Text => {
                if !std::mem::take(&mut first) {
                    writeln!(out)?;
                }
                print(url, out)
            }
        }
    })?;
    Ok(exit)
}

fn print(url: &str, out: &mut impl Write) -> io::Result<()> {
    let parts = Components::parse(url);
    line(out, quoted(Some(url)))?;
    for (name, component) in explain::components(Resolver::Rfc1808, url) {
        line(out, format_args!("  {name:<11} {}", quoted(component)))?;
        match name {
            "scheme" => {
                if let Some(class) = parts.scheme.map(SchemeClass::of) {
                    line(out, format_args!("    {:<9} {class}", "class"))?;
                }
            }
            "net_loc" => {
                for (name, part) in login_rows(&parts).into_iter().flatten() {
                    line(out, format_args!("    {name:<9} {}", quoted(part)))?;
                }
            }
            _ => {}
        }
    }
    for (name, source, result) in grammars(url, parts.scheme) {
        match result {
            Ok(()) => line(out, format_args!("  {name:<11} fits ({source})"))?,
            Err(error) => line(
                out,
                format_args!("  {name:<11} departs at {error} ({source})"),
            )?,
        }
    }
    Ok(())
}

fn to_json(url: &str) -> Value {
    let parts = Components::parse(url);
    let mut object = json!({
        "url": url,
        "components": components::to_json(&explain::components(Resolver::Rfc1808, url)),
        "login": Value::Null,
        "scheme_class": parts.scheme.map(|scheme| SchemeClass::of(scheme).name()),
    });
    if let Some(rows) = login_rows(&parts) {
        object["login"] = components::to_json(&rows);
    }
    object["grammar"] = grammars(url, parts.scheme)
        .iter()
        .map(|(name, source, result)| {
            let departs = result.as_ref().err().map(|error| {
                json!({
                    "byte": error.offset,
                    "found": error.found,
                    "rule": error.rule.name,
                    "definition": error.rule.definition,
                })
            });
            json!({"rule": name, "source": source, "fits": departs.is_none(), "departs": departs})
        })
        .collect();
    object.sort_all_objects();
    object
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(url: &str, format: OutputFormat) -> String {
        let urls = [url.to_owned()];
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let exit = run(&urls, format, &mut io::empty(), &mut out, &mut err).unwrap();
        assert_eq!((exit, err.as_slice()), (Exit::Done, [].as_slice()));
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn text_is_aligned_and_tells_empty_from_absent() {
        let expected = "\
\"ftp://foo:@h/a;type=x\"
  scheme      \"ftp\"
    class     always parsed by the generic-RL syntax
  net_loc     \"foo:@h\"
    user      \"foo\"
    password  \"\"
    host      \"h\"
    port      -
  path        \"/a\"
  params      \"type=x\"
  query       -
  fragment    -
  URL         fits (RFC 1808 2.2)
  generic-RL  fits (RFC 1808 2.2)
  scheme      departs at byte 20: `x` does not fit \
ftptype = \"A\" | \"I\" | \"D\" | \"a\" | \"i\" | \"d\" (RFC 1738 5, ftp)
";
        assert_eq!(
            output("ftp://foo:@h/a;type=x", OutputFormat::Text),
            expected
        );
    }

    #[test]
    fn a_line_that_is_not_utf8_is_named() {
        let mut input = b"g\n\xff\nh\n".as_slice();
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let exit = run(&[], OutputFormat::Json, &mut input, &mut out, &mut err).unwrap();
        assert_eq!(exit, Exit::Failed);
        assert_eq!(String::from_utf8(out).unwrap().lines().count(), 2);
        let err = String::from_utf8(err).unwrap();
        assert!(
            err.starts_with("error: standard input, line 2: byte 1 "),
            "{err}"
        );
    }

    #[test]
    fn json_tells_where_and_which_rule() {
        let object: Value = serde_json::from_str(&output("g h?", OutputFormat::Json)).unwrap();
        assert_eq!(object["components"]["query"], "");
        assert_eq!(object["components"]["fragment"], Value::Null);
        assert_eq!(object["login"], Value::Null);
        assert_eq!(object["scheme_class"], Value::Null);
        assert_eq!(object["grammar"][0]["departs"]["byte"], 1);
        assert_eq!(object["grammar"][0]["departs"]["rule"], "segment");
        assert_eq!(object["grammar"][1]["rule"], "relativeURL");
    }
}
