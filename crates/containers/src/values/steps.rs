//! Where a field is, step by step: JSON Pointer (RFC 6901), in which `*` stands for every element, and `**` for any number
//! of members and elements.

use std::borrow::Cow;

use super::Holds;

/// A step of a pointer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// The name of a member, or the number of an element.
    Name(String),
    Every,
    Deep,
}

/// The steps that are left of a pointer, and what is where they lead.
pub(crate) type Target<'t> = (&'t [Step], Holds);

/// All that is inside.
pub(crate) const ALL: &[Step] = &[Step::Deep];

/// The steps of a pointer. A name without a slash is that of a member at the top; no name at all is the whole value.
pub(crate) fn path(written: &str) -> Vec<Step> {
    if written.is_empty() {
        return Vec::new();
    }
    let steps = written.strip_prefix('/').unwrap_or(written).split('/');
    let step = |step: &str| match step {
        "*" => Step::Every,
        "**" => Step::Deep,
        step => Step::Name(step.replace("~1", "/").replace("~0", "~")),
    };
    steps.map(step).collect()
}

/// What is where these lead: what leads here alone comes before what leads to all.
pub(crate) fn holds(targets: &[Target<'_>]) -> Option<Holds> {
    let ends = |end: &[Step]| targets.iter().find(|target| target.0 == end);
    ends(&[]).or_else(|| ends(ALL)).map(|target| target.1)
}

/// What is left of the steps behind one more key, of which `is` says whether a step leads there.
pub(crate) fn behind<'a, 't>(
    targets: &'a [Target<'t>],
    is_element: bool,
    is: impl Fn(&Step) -> bool,
) -> Cow<'a, [Target<'t>]> {
    if targets.iter().all(|target| target.0 == ALL) {
        return Cow::Borrowed(targets);
    }
    let mut left: Vec<Target<'t>> = Vec::new();
    let mut add = |target: Target<'t>| {
        if !left.contains(&target) {
            left.push(target);
        }
    };
    for (steps, holds) in targets {
        match *steps {
            [] if *holds == Holds::Urls && is_element => add((&[], Holds::Url)),
            [] => {}
            [Step::Deep, rest @ ..] => {
                add((steps, *holds));
                if let [step, rest @ ..] = rest
                    && is(step)
                {
                    add((rest, *holds));
                }
            }
            [step, rest @ ..] if is(step) => add((rest, *holds)),
            _ => {}
        }
    }
    Cow::Owned(left)
}
