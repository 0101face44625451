//! `abslink resolve`: references against a base URL, no HTML involved.

mod json;
mod text;

use std::borrow::Cow;
use std::io::{self, BufRead, Write};

use serde_json::json;

use super::input::for_each;
use crate::cli::args::{OutputFormat, ResolveArgs};
use crate::cli::plan::check_url;
use crate::cli::run::exit::Exit;
use crate::cli::terminal::print::{self, line};
use abslink_html::unwrapped;
use abslink_url::explain::{Step, explain};
use abslink_url::inverse::{Form, Inverse, KeepReason};
use abslink_url::{BaseUrl, Divergence, Resolver, divergence, pre_step};

/// One reference and what became of it.
struct Resolution<'a> {
    base: &'a BaseUrl,
    reference: &'a str,
    resolver: Resolver,
    absolute: Result<String, String>,
    divergence: Option<Divergence>,
    /// The reference that leads back and the steps to it, if that is asked for.
    inverse: Option<(Result<String, KeepReason>, Vec<Step>)>,
}

impl Resolution<'_> {
    /// The reference that leads to the target, or the target where none does.
    fn written(&self) -> Option<&str> {
        let inverse = self.inverse.as_ref();
        let reference = inverse.and_then(|(reference, _)| reference.as_deref().ok());
        reference.or(self.absolute.as_deref().ok())
    }

    /// The same, with the way back.
    fn and_back(self, form: Form) -> Self {
        let target = self.absolute.as_deref().ok();
        let inverse = target.map(|target| Inverse::of(form).explain(self.base, target));
        Resolution { inverse, ..self }
    }

    /// The steps of RFC 1808 §4; no other resolver has any.
    fn steps(&self) -> Option<Vec<Step>> {
        let is_of_rfc = self.resolver == Resolver::Rfc1808;
        is_of_rfc.then(|| explain(self.base, self.reference))
    }
}

/// Runs the command. `on_terminal`: results on lines of their own are escaped for a terminal;
/// elsewhere they are exact.
///
/// # Errors
/// Where a stream fails.
pub(crate) fn run(
    args: &ResolveArgs,
    on_terminal: bool,
    input: &mut impl BufRead,
    out: &mut impl Write,
    err: &mut impl Write,
) -> io::Result<Exit> {
    let url = pre_step(&args.base_url);
    if let Err(error) = check_url("--base-url", &url) {
        line(err, format_args!("error: {error}"))?;
        for hint in error.hints {
            line(err, format_args!("hint: {hint}"))?;
        }
        return Ok(Exit::Failed);
    }
    let base = match BaseUrl::parse(&url) {
        Ok(base) => base,
        Err(reason) => {
            let url = &args.base_url;
            let message = format_args!("error: cannot use {url} as a base URL: {reason}");
            line(err, message)?;
            return Ok(Exit::Failed);
        }
    };
    let page = args.unwrap.then(|| unwrapped(base.as_str())).flatten();
    let base = match page.map(|url| BaseUrl::parse(&url)) {
        Some(Ok(page)) => page,
        _ => base,
    };
    let mut exit = Exit::Done;
    for_each(&args.references, input, |given| {
        let reference = match given {
            Ok(reference) => pre_step(reference),
            Err(reason) => {
                exit = exit.max(Exit::Failed);
                line(err, format_args!("error: {reason}"))?;
                return print_unread(&base, &reason, args, out);
            }
        };
        let resolver = args.resolver.resolver;
        // What is relative may lead into an archive.
        let target = || resolver.resolve(&base, &reference).ok();
        let page = (args.unwrap)
            .then(|| unwrapped(&reference).or_else(|| unwrapped(target()?.as_ref())))
            .flatten();
        let reference = page.map_or(reference, Cow::Owned);
        let resolved = resolve(&base, &reference, resolver);
        let resolved = match args.to.inverse() {
            Some(form) => resolved.and_back(form),
            None => resolved,
        };
        if let Err(reason) = &resolved.absolute {
            exit = exit.max(Exit::Left);
            let message = format_args!("error: cannot resolve {reference:?}: {reason}");
            line(err, message)?;
        }
        match args.format {
            OutputFormat::Json => print::json_line(out, &json::to_json(&resolved, args)),
            OutputFormat::Text => text::print(&resolved, args, on_terminal, out),
        }
    })?;
    Ok(exit)
}

/// Prints the result for a line that cannot be read, so that there is a result for each line.
fn print_unread(
    base: &BaseUrl,
    reason: &str,
    args: &ResolveArgs,
    out: &mut impl Write,
) -> io::Result<()> {
    match args.format {
        OutputFormat::Json => {
            let object = json!({
                "absolute": null,
                "base": base.as_str(),
                "error": reason,
                "reference": null,
                "resolver": args.resolver.resolver.name(),
            });
            writeln!(out, "{object}")
        }
        OutputFormat::Text => writeln!(out),
    }
}

fn resolve<'a>(base: &'a BaseUrl, reference: &'a str, resolver: Resolver) -> Resolution<'a> {
    let absolute = resolver
        .resolve(base, reference)
        .map(String::from)
        .map_err(|error| error.to_string());
    let divergence = absolute
        .as_ref()
        .ok()
        .and_then(|absolute| divergence(base, reference, absolute));
    Resolution {
        base,
        reference,
        resolver,
        absolute,
        divergence,
        inverse: None,
    }
}

#[cfg(test)]
mod tests;
