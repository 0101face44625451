//! `abslink base`: says for each document which base URL applies, and why.

use std::fmt::{self, Display};
use std::path::Path;

use crate::base::Rung;
use crate::base::retrieval::url_evidence::UrlEvidence;
use crate::html::Examined;
use serde::Serialize;

use super::args::{Base, Format};
use super::exit::Exit;
use super::listing::Listing;
use super::print::{Count, OneLine, PathLine, push_json, push_line};
use super::summary::Words;
use super::{Error, plan, session, summary};

pub(crate) fn run(args: &Base) -> Result<Exit, Error> {
    let plan = plan::base(args)?;
    let listing = Bases {
        format: args.format,
        only_conflicts: args.conflicts,
    };
    let finished = session::run(&plan, &listing, &args.running)?;
    let words = Words {
        lead: format!("base URLs of {}", Count(finished.report.files, "document")),
        others: false,
        hint: None,
        strict: false,
    };
    summary::print(&finished, &args.running, &words);
    Ok(finished.exit(false))
}

/// Lists the base URL of each document.
struct Bases {
    format: Format,
    only_conflicts: bool,
}

impl Listing for Bases {
    fn document(&self, path: &Path, examined: &Examined, out: &mut Vec<u8>) {
        if self.only_conflicts && !examined.established.is_contested() {
            return;
        }
        match self.format {
            Format::Text => push_text(path, examined, out),
            Format::Json => push_json_line(path, examined, out),
        }
    }
}

/// The rung, the path and the base URL; below them what else is known. Documents are listed as they
/// come, so that columns have fixed widths: every rung fits, and most paths.
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
    let first = established.first();
    for evidence in &established.evidence {
        let is_first = first.is_some_and(|first| std::ptr::eq(first, evidence));
        let won = is_first && evidence.source.rung() == established.rung;
        if !won {
            push_line(out, Other { evidence, first });
        }
        for caveat in &evidence.caveats {
            let source = evidence.source.rung().name();
            push_line(out, format_args!("{:10}unsure: {source}: {caveat}", ""));
        }
    }
}

/// A piece of evidence that did not give the base URL.
struct Other<'a> {
    evidence: &'a UrlEvidence,
    first: Option<&'a UrlEvidence>,
}

impl Display for Other<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Other { evidence, first } = self;
        let (source, says) = (evidence.source.rung().name(), OneLine(&evidence.says));
        match &evidence.url {
            Err(reason) => write!(f, "{:10}refused: {source} {says}: {reason}", ""),
            Ok(_) if first.is_some_and(|first| !evidence.agrees_with(first)) => {
                write!(f, "{:10}differs: {source} {says}", "")
            }
            Ok(_) => write!(f, "{:10}agrees: {source} {says}", ""),
        }
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
    #[serde(skip_serializing_if = "Vec::is_empty")]
    evidence: Vec<EvidenceLine<'a>>,
}

/// A piece of evidence of the retrieval URL (§3.3), used or not.
#[derive(Serialize)]
struct EvidenceLine<'a> {
    base: &'a str,
    base_from: &'static str,
    /// Whether it may be true together with the first that names a URL.
    agrees: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    doubts: Vec<&'static str>,
    /// Why it is no base URL.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
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
    let first = established.first();
    let evidence = established.evidence.iter().map(|evidence| EvidenceLine {
        base: &evidence.says,
        base_from: evidence.source.rung().name(),
        agrees: first.is_none_or(|first| evidence.agrees_with(first)),
        doubts: evidence
            .caveats
            .iter()
            .map(|caveat| caveat.name())
            .collect(),
        reason: evidence.url.as_ref().err().map(ToString::to_string),
    });
    let line = Line {
        file: &path.to_string_lossy(),
        base: established.base.as_ref().map(|base| base.as_str()),
        base_from: established.rung.name(),
        refused,
        evidence: evidence.collect(),
    };
    push_json(out, &line);
}

#[cfg(test)]
mod tests {
    use crate::base::Established;
    use crate::html::Tally;
    use crate::resolver::{BaseUrl, UnsuitableBase};

    use super::*;

    fn listed(format: Format, established: Established) -> String {
        let examined = Examined {
            established,
            tally: Tally::default(),
            left: None,
            growth: 0,
        };
        let mut out = Vec::new();
        let bases = Bases {
            format,
            only_conflicts: false,
        };
        bases.document(Path::new("a.html"), &examined, &mut out);
        String::from_utf8(out).expect("listings are UTF-8")
    }

    fn by_layout() -> Established {
        Established {
            base: BaseUrl::parse("http://h/a.html").ok(),
            rung: Rung::Layout,
            refused: Some(("x".into(), UnsuitableBase::Relative)),
            browser: None,
            evidence: Vec::new(),
            is_guess: false,
        }
    }

    fn none() -> Established {
        Established {
            base: None,
            rung: Rung::None,
            refused: None,
            browser: None,
            evidence: Vec::new(),
            is_guess: false,
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
