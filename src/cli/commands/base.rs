//! `abslink base`: says for each document which base URL applies, and why.

use super::Error;
use crate::cli::args::BaseArgs;
use crate::cli::run::exit::Exit;
use crate::cli::session::{Listing, ShownItems};
use crate::cli::summary::{CommandSummary, documents};
use crate::cli::{plan, session};

pub(crate) fn run(args: &BaseArgs) -> Result<Exit, Error> {
    let mut plan = plan::base(args)?;
    plan::parts::add(&args.common.running, &mut plan)?;
    let only_conflicts = args.conflicts;
    let listing = Listing::new(ShownItems::Bases { only_conflicts }, args.format, false);
    Ok(session::run(
        &plan,
        &listing,
        &args.common.running,
        false,
        |end| CommandSummary {
            lead: format!("base URLs of {}", documents(&end.report)),
            on_bases: true,
            ..CommandSummary::default()
        },
    )?)
}
