//! `abslink restore`: puts back what `rewrite -i --backup` has replaced.

use crate::batch::{self, Restored};

use super::Error;
use crate::cli::args::{Fact, RestoreArgs};
use crate::cli::plan;
use crate::cli::run::exit::Exit;
use crate::cli::summary::notice::{self, Notice};
use crate::cli::terminal::print::{self, Count, PathLine};

/// Without extended attributes and times of links nothing tells an edit from what a run wrote.
const EDITED: &str = if cfg!(unix) {
    "edited"
} else {
    "may have been edited"
};

pub(crate) fn run(args: &RestoreArgs) -> Result<Exit, Error> {
    let paths = plan::expanded(&args.paths)?;
    let options = batch::Restore {
        suffix: args.backup.clone(),
        force: args.force,
        dry_run: args.dry_run,
    };
    let (mut back, mut edited, mut not_ours, mut failed) = (0_u64, 0_u64, 0_u64, 0_u64);
    batch::restore(&paths, &options, &mut |path, became| {
        let path = PathLine(path);
        match became {
            Restored::Back => back += 1,
            Restored::Edited | Restored::Gone => {
                edited += 1;
                let what = if matches!(became, Restored::Gone) {
                    "removed"
                } else {
                    EDITED
                };
                let text = format!("{path}: {what} since the backup was made; skipped");
                Notice::warning(text).with_fact(Fact::BackupEdited).say();
            }
            Restored::NotOurs => not_ours += 1,
            Restored::Failed(error) => {
                failed += 1;
                print::error(format_args!("{path}: {error}"));
            }
        }
    });
    let found = back + edited + not_ours + failed;
    if found == 0 {
        let suffix = args.backup.display();
        print::error(format_args!("no backups found (*{suffix})"));
        return Ok(Exit::Failed);
    }
    if !args.quiet {
        let did = if args.dry_run {
            "dry run: would restore"
        } else {
            "restored"
        };
        print::note(format_args!("{did} {}", Count(back, "file")));
        let left = notice::said(not_ours, Fact::BackupForeign);
        left.into_iter().for_each(Notice::say);
    }
    Ok(match (failed, edited + not_ours) {
        (0, 0) => Exit::Done,
        (0, _) => Exit::Left,
        _ => Exit::Failed,
    })
}
