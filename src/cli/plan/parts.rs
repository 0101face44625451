//! `[[files]]` of abslink.toml: documents that are read in another way than the others.

use crate::batch::{Globs, Input, Part, Plan};

use super::Result;
use super::forms;
use crate::cli::args::{Command, RunArgs};

/// Adds them to a plan that is finished otherwise.
pub(crate) fn add(running: &RunArgs, plan: &mut Plan) -> Result<()> {
    // It has no path.
    if plan.inputs == [Input::Stdin] {
        return Ok(());
    }
    let mut whole = plan.clone();
    // Which files are read is decided for all of them.
    whole.selection.include = Globs::default();
    whole.selection.exclude = Globs::default();
    for of_tree in &running.parts {
        let read = match &of_tree.command {
            Command::Rewrite(args) => super::examine(&args.common)?,
            Command::Check(args) => super::examine_for_check(args)?,
            Command::Links { common, .. } => super::examine(common)?,
            Command::Base { common, .. } => super::base(common)?,
            _ => continue,
        };
        let root = read.root.clone();
        let mut plan_of_part = whole.clone();
        plan_of_part.retrieval = read.retrieval;
        plan_of_part.retrieval.complete = whole.retrieval.complete;
        plan_of_part.root = read.root;
        plan_of_part.has_tree_url = read.has_tree_url;
        // All else is held once.
        plan_of_part.html.groups = read.html.groups;
        forms::add_tree(&mut plan_of_part)?;
        if of_tree.has_one_kind {
            plan_of_part.selection.read_as = read.selection.read_as;
            plan_of_part.has_one_kind = true;
        }
        plan.parts.push(Part {
            globs: of_tree.globs.clone(),
            directory: of_tree.directory.clone(),
            root: root.and_then(|root| root.canonicalize().ok()),
            plan: plan_of_part,
        });
    }
    Ok(())
}
