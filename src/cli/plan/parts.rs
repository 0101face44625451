//! `[[files]]` of abslink.toml: documents that are read in another way than the others.

use clap::Parser as _;

use crate::batch::{Input, Part, Plan};

use super::super::args::{Args, Command, Running};
use super::UsageError;

/// Adds them to a plan that is finished otherwise.
pub(crate) fn add(running: &Running, plan: &mut Plan) -> Result<(), UsageError> {
    // It has no path.
    if plan.inputs == [Input::Stdin] {
        return Ok(());
    }
    let whole = plan.clone();
    for of_tree in &running.parts {
        let mut args = Args::try_parse_from(&of_tree.arguments);
        if let Ok(args) = &mut args {
            args.command.note(of_tree.used.clone(), Vec::new());
        }
        let read = match args.map(|args| args.command) {
            Ok(Command::Rewrite(args)) => super::examine(&args.common)?,
            Ok(Command::Check(args)) => super::examine_for_check(&args)?,
            Ok(Command::Links(args)) => super::examine(&args.common)?,
            Ok(Command::Base(args)) => super::base(&args)?,
            _ => continue,
        };
        let root = read.root.clone();
        let mut plan_of_part = whole.clone();
        plan_of_part.retrieval = read.retrieval;
        plan_of_part.retrieval.complete = whole.retrieval.complete;
        plan_of_part.root = read.root;
        plan_of_part.has_tree_url = read.has_tree_url;
        plan_of_part.html = read.html;
        plan_of_part.html.verify = whole.html.verify.clone();
        // These count what they meet.
        plan_of_part.html.custom_attributes = whole.html.custom_attributes.clone();
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
