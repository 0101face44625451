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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Target<'t> {
    pub(crate) steps: &'t [Step],
    pub(crate) holds: Holds,
    /// The number of the field that it leads to.
    pub(crate) field: usize,
}

impl Target<'static> {
    /// All strings inside are such texts.
    pub(crate) const fn all(holds: Holds) -> Target<'static> {
        Target {
            steps: ALL,
            holds,
            field: 0,
        }
    }
}

impl Target<'_> {
    /// The same where it has led to what it leads to. All that is in that is such a text, but for what is in a URL.
    pub(crate) fn reached(self) -> Self {
        let steps = match self.holds {
            Holds::Url | Holds::Urls => &[],
            _ => ALL,
        };
        Target { steps, ..self }
    }

    pub(crate) fn ends(&self) -> bool {
        self.steps.is_empty() || self.steps == ALL
    }
}

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
    let ends = |end: &[Step]| targets.iter().find(|target| target.steps == end);
    ends(&[]).or_else(|| ends(ALL)).map(|target| target.holds)
}

/// An object or array that is open, and what of it is read.
#[derive(Debug)]
pub(crate) struct Place<'v> {
    pub(crate) is_object: bool,
    /// How many members or elements were before.
    pub(crate) number: usize,
    pub(crate) key: Cow<'v, str>,
}

impl<'v> Place<'v> {
    pub(crate) fn new(is_object: bool) -> Place<'v> {
        Place {
            is_object,
            number: 0,
            key: Cow::Borrowed(""),
        }
    }

    pub(crate) fn is_at(&self, step: &Step) -> bool {
        match step {
            Step::Every | Step::Deep => true,
            Step::Name(name) if self.is_object => *name == self.key,
            Step::Name(number) => number.parse() == Ok(self.number),
        }
    }

    /// What is left of the steps for what is read.
    pub(crate) fn behind<'a, 't>(&self, targets: &'a [Target<'t>]) -> Cow<'a, [Target<'t>]> {
        if targets.iter().all(|target| target.steps == ALL) {
            return Cow::Borrowed(targets);
        }
        let mut left: Vec<Target<'t>> = Vec::new();
        let mut add = |target: Target<'t>| {
            if !left.contains(&target) {
                left.push(target);
            }
        };
        for &target in targets {
            match *target.steps {
                // The elements of a list are one URL each.
                [] if target.holds == Holds::Urls && !self.is_object => add(Target {
                    holds: Holds::Url,
                    ..target
                }),
                [] => {}
                [Step::Deep, ref rest @ ..] => {
                    add(target);
                    if let [step, steps @ ..] = rest
                        && self.is_at(step)
                    {
                        add(Target { steps, ..target });
                    }
                }
                [ref step, ref steps @ ..] if self.is_at(step) => add(Target { steps, ..target }),
                _ => {}
            }
        }
        Cow::Owned(left)
    }
}
