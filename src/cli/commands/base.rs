//! `abslink base`: says for each document which base URL applies, and why.

use super::Error;
use crate::cli::args::{CommonArgs, OutputFormat, ResolverArgs};
use crate::cli::run::exit::Exit;
use crate::cli::session::{Listing, ShownItems};
use crate::cli::summary::{CommandSummary, documents};
use crate::cli::{plan, session};

pub(crate) fn run(
    common: &CommonArgs<ResolverArgs>,
    only_conflicts: bool,
    format: OutputFormat,
) -> Result<Exit, Error> {
    let mut plan = plan::base(common)?;
    plan::parts::add(&common.running, &mut plan)?;
    let shows = if only_conflicts {
        ShownItems::Conflicts
    } else {
        ShownItems::Bases
    };
    let listing = Listing::new(shows, format, false);
    Ok(session::run(
        &plan,
        &listing,
        &common.running,
        false,
        |end| CommandSummary {
            lead: format!("base URLs of {}", documents(&end.report)),
            on_bases: true,
            ..CommandSummary::default()
        },
    )?)
}
