//! `abslink restore`: puts back what `rewrite -i --backup` has replaced.

use crate::batch::{self, Restored};

use super::Error;
use crate::cli::args::RestoreArgs;
use crate::cli::plan;
use crate::cli::run::exit::Exit;
use crate::cli::terminal::print::{self, Count, PathLine, counted};

pub(crate) fn run(args: &RestoreArgs) -> Result<Exit, Error> {
    let paths = plan::paths(&args.paths)?;
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
            Restored::Edited => {
                edited += 1;
                let text = "it was edited since, and is left; --force puts the original back";
                print::attention(format_args!("{path}: {text}"));
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
        print::error(format_args!(
            "there is no backup whose name ends with {suffix}"
        ));
        return Ok(Exit::Failed);
    }
    if !args.quiet {
        let did = if args.dry_run {
            "nothing written; would put"
        } else {
            "put"
        };
        print::note(format_args!("{did} {} back", Count(back, "file")));
        let left = counted(
            not_ours,
            "1 backup has no record of abslink and is left, since another program may have made it; --force takes it",
            "# backups have no record of abslink and are left, since another program may have made them; --force \
             takes them",
        );
        left.into_iter().for_each(print::note);
    }
    Ok(match (failed, edited + not_ours) {
        (0, 0) => Exit::Done,
        (0, _) => Exit::Left,
        _ => Exit::Failed,
    })
}
