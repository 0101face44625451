//! `abslink links`: lists every reference, relative or not.

use super::Error;
use crate::cli::args::{CommonArgs, OutputFormat};
use crate::cli::run::exit::{Exit, Remaining};
use crate::cli::session::{Listing, ShownItems};
use crate::cli::summary::{CommandSummary, documents};
use crate::cli::terminal::print::{Count, Number};
use crate::cli::{plan, session};

pub(crate) fn run(common: &CommonArgs, format: OutputFormat) -> Result<Exit, Error> {
    let mut plan = plan::examine(common)?;
    plan::parts::add(&common.running, &mut plan)?;
    let listing = Listing::new(ShownItems::References, format, plan.html.has_forms());
    let running = &common.running;
    Ok(session::run(&plan, &listing, running, false, |end| {
        CommandSummary {
            lead: format!(
                "{} in {}, {} of them {}",
                Count(end.report.tally.references, "link"),
                documents(&end.report),
                Number(Remaining::Relative.count(&end.report)),
                if plan.html.has_forms() {
                    "to change"
                } else {
                    "relative"
                },
            ),
            ..CommandSummary::default()
        }
    })?)
}
