//! `abslink base`: says for each document which base URL applies, and why.

use std::path::Path;

use abslink::base::Rung;
use abslink::html::{Examined, Settings};
use serde::Serialize;

use super::args::{Base, Format};
use super::exit::Exit;
use super::listing::Listing;
use super::print::{Count, OneLine, PathLine, push_json, push_line};
use super::summary::Words;
use super::{Error, plan, session, summary};

pub(crate) fn run(args: &Base) -> Result<Exit, Error> {
    let settings = Settings {
        resolver: args.resolver.resolver,
        ..Settings::default()
    };
    let plan = plan::examine(&args.documents, &args.location, settings, &args.running)?;
    let finished = session::run(&plan, &Bases(args.format), &args.running)?;
    let words = Words {
        lead: format!("base URLs of {}", Count(finished.report.files, "document")),
        others: false,
        hint: None,
    };
    summary::print(&finished, &args.running, &words);
    Ok(finished.exit(false))
}

/// Lists the base URL of each document.
struct Bases(Format);

impl Listing for Bases {
    fn document(&self, path: &Path, examined: &Examined, out: &mut Vec<u8>) {
        match self.0 {
            Format::Text => push_text(path, examined, out),
            Format::Json => push_json_line(path, examined, out),
        }
    }
}

/// The rung, the path and the base URL. Documents are listed as they come, so that columns have
/// fixed widths: every rung fits, and most paths.
fn push_text(path: &Path, examined: &Examined, out: &mut Vec<u8>) {
    let established = &examined.established;
    let base = established.base.as_ref();
    push_line(
        out,
        format_args!(
            "{:8}  {:40}  {}",
            established.rung.name(),
            PathLine(path).to_string(),
            OneLine(base.map_or("no base URL", |base| base.as_str())),
        ),
    );
    if let Some((href, reason)) = &established.refused {
        push_line(
            out,
            format_args!(
                "{:8}  refused: {} <base href=\"{}\">: {reason}",
                "",
                Rung::Embedded.name(),
                OneLine(href),
            ),
        );
    }
}

/// A line of `base --format json`; the names are those of `links`.
#[derive(Serialize)]
struct Line<'a> {
    file: &'a str,
    base: Option<&'a str>,
    base_from: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<Refused<'a>>,
}

/// Evidence that a better rung would have won with, had it been a base URL.
#[derive(Serialize)]
struct Refused<'a> {
    base: &'a str,
    base_from: &'static str,
    reason: String,
}

fn push_json_line(path: &Path, examined: &Examined, out: &mut Vec<u8>) {
    let established = &examined.established;
    let refused = established.refused.as_ref().map(|(href, reason)| Refused {
        base: href,
        base_from: Rung::Embedded.name(),
        reason: reason.to_string(),
    });
    let line = Line {
        file: &path.to_string_lossy(),
        base: established.base.as_ref().map(|base| base.as_str()),
        base_from: established.rung.name(),
        refused,
    };
    push_json(out, &line);
}

#[cfg(test)]
mod tests {
    use abslink::base::Established;
    use abslink::html::Tally;
    use abslink::resolver::{BaseUrl, UnsuitableBase};

    use super::*;

    fn listed(format: Format, established: Established) -> String {
        let examined = Examined {
            established,
            tally: Tally::default(),
            left: None,
        };
        let mut out = Vec::new();
        Bases(format).document(Path::new("a.html"), &examined, &mut out);
        String::from_utf8(out).expect("listings are UTF-8")
    }

    fn by_layout() -> Established {
        Established {
            base: BaseUrl::parse("http://h/a.html").ok(),
            rung: Rung::Layout,
            refused: Some(("x".into(), UnsuitableBase::Relative)),
        }
    }

    fn none() -> Established {
        Established {
            base: None,
            rung: Rung::None,
            refused: None,
        }
    }

    #[test]
    fn for_people() {
        let path = format!("{:40}", "a.html");
        assert_eq!(
            listed(Format::Text, by_layout()),
            format!(
                "layout    {path}  http://h/a.html\n          \
                 refused: embedded <base href=\"x\">: {}\n",
                UnsuitableBase::Relative
            )
        );
        let line = format!("none      {path}  no base URL\n");
        assert_eq!(listed(Format::Text, none()), line);
    }

    #[test]
    fn for_programs() {
        let line = listed(Format::Json, by_layout());
        let fields = "{\"file\":\"a.html\",\"base\":\"http://h/a.html\",\"base_from\":\"layout\",\
                      \"refused\":{\"base\":\"x\",\"base_from\":\"embedded\",\"reason\":\"";
        assert!(line.starts_with(fields), "{line}");
        let line = "{\"file\":\"a.html\",\"base\":null,\"base_from\":\"none\"}\n";
        assert_eq!(listed(Format::Json, none()), line);
    }
}
