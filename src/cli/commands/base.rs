//! `abslink base`: says for each document which base URL applies, and why.

use crate::cli::args::Base;
use crate::cli::format::{Listing, Shows};
use crate::cli::run::exit::{Exit, Left};
use crate::cli::summary::Words;
use crate::cli::terminal::print::Count;
use crate::cli::{Error, plan, session};

pub(crate) fn run(args: &Base) -> Result<Exit, Error> {
    let mut plan = plan::base(args)?;
    plan::parts::add(&args.common.running, &mut plan)?;
    let only_conflicts = args.conflicts;
    let listing = Listing::new(Shows::Bases { only_conflicts }, args.format, false);
    session::run(&plan, &listing, &args.common.running, false, |finished| {
        Words {
            left: Left::Nothing,
            lead: format!("base URLs of {}", Count(finished.report.files, "document")),
            others: false,
            on_bases: true,
            hint: None,
        }
    })
}
