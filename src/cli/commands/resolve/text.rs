//! A result for people.

use std::io::{self, Write};

use super::{Resolution, ResolveArgs, resolve};
use crate::cli::commands::components::quoted;
use crate::cli::terminal::print::line;
use abslink_url::{Resolver, explain};

/// Writes the result, and with `--explain` and `--compare` how it was obtained.
pub(super) fn print(
    resolved: &Resolution<'_>,
    args: &ResolveArgs,
    on_terminal: bool,
    out: &mut impl Write,
) -> io::Result<()> {
    if !args.explain && !args.compare {
        let written = resolved.written().unwrap_or_default();
        return if on_terminal {
            line(out, written)
        } else {
            writeln!(out, "{written}")
        };
    }
    line(out, quoted(Some(resolved.reference)))?;
    if args.explain {
        print_explanation(resolved, out)?;
    }
    if args.compare {
        for resolver in Resolver::ALL {
            print_result(&resolve(resolved.base, resolved.reference, resolver), out)?;
        }
    } else {
        print_result(resolved, out)?;
    }
    match &resolved.inverse {
        Some((Ok(reference), _)) => line(out, format_args!("  {:<9} {reference}", "back")),
        _ => Ok(()),
    }
}

/// The components of the base and of the reference, aligned, and the steps.
fn print_explanation(resolved: &Resolution<'_>, out: &mut impl Write) -> io::Result<()> {
    let rows = |url| explain::components(resolved.resolver, url);
    let (base, reference) = (rows(resolved.base.as_str()), rows(resolved.reference));
    let width = base
        .iter()
        .map(|(_, component)| quoted(*component).chars().count())
        .fold("base".len(), usize::max);
    let heading = format_args!("  {:<9} {:<width$}  reference", "", "base");
    line(out, heading)?;
    for ((name, base), (_, reference)) in base.iter().zip(&reference) {
        let (base, reference) = (quoted(*base), quoted(*reference));
        line(out, format_args!("  {name:<9} {base:<width$}  {reference}"))?;
    }
    let back = resolved.inverse.iter().flat_map(|(_, steps)| steps);
    let steps = resolved.steps().unwrap_or_default();
    let steps = steps.iter().map(|step| ("step", step));
    for (what, step) in steps.chain(back.map(|step| ("back", step))) {
        let number = format!("{what} {}", step.number);
        line(out, format_args!("  {number:<9} {}", step.text))?;
    }
    Ok(())
}

fn print_result(resolved: &Resolution<'_>, out: &mut impl Write) -> io::Result<()> {
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
    let (number, name) = (class.number(), class.name());
    let explained = format_args!("  {:<9} class {number}, {name}: {class}", "");
    line(out, explained)
}
