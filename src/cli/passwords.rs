//! Passwords in URLs: no text, report or message shows one, unless `--show-passwords` is given.
//!
//! What goes to standard error is masked line by line, where it is written ([`super::print`]).
//! Findings are masked value by value before any format sees them ([`in_reference`]). Documents and
//! diffs are exact, and so is the output of `resolve` and `parse`.

use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::batch::Located;
use abslink_url::{Divergence, password};

/// Whether `--show-passwords` was given.
static SHOWN: AtomicBool = AtomicBool::new(false);

/// Carries out `--show-passwords`.
pub(crate) fn show(shown: bool) {
    SHOWN.store(shown, Ordering::Relaxed);
}

/// Whether passwords are shown.
pub(crate) fn are_shown() -> bool {
    SHOWN.load(Ordering::Relaxed)
}

/// A value as it may be shown.
pub(crate) fn masked(value: &str) -> Cow<'_, str> {
    match are_shown() {
        true => value.into(),
        false => password::masked(value),
    }
}

/// A line of text with URLs in it, as it may be shown.
pub(crate) fn masked_line(line: &str) -> Cow<'_, str> {
    match are_shown() {
        true => line.into(),
        false => password::masked_line(line),
    }
}

/// A reference as it may be shown; `show` gets it.
pub(crate) fn in_reference(found: &Located<'_>, show: impl FnOnce(&Located<'_>)) {
    let exact = found.reference;
    let [reference, base] = [Some(exact.reference), exact.base].map(|value| value.map(masked));
    let browser = exact.divergent.and_then(|found| found.browser.as_deref());
    let browser = browser.map(masked);
    // RFC 1808 turns `///u:p@h/` into the path /u:p@h/, which does not look as if it had a
    // password.
    let first = password::first(exact.reference).filter(|_| !are_shown());
    let [absolute, to] = [exact.absolute, exact.to].map(|value| match (value, &first) {
        (Some(exact), Some(first)) => {
            let hidden = exact.replace(&format!(":{first}@"), ":***@");
            Some(Cow::Owned(password::masked(&hidden).into_owned()))
        }
        _ => value.map(masked),
    });
    let all = [&reference, &absolute, &to, &base, &browser];
    if !all.iter().any(|value| matches!(value, Some(Cow::Owned(_)))) {
        return show(found);
    }
    let divergent = exact.divergent.map(|divergence| Divergence {
        browser: browser.map(Cow::into_owned),
        class: divergence.class,
    });
    let mut masked = exact.clone();
    masked.reference = reference.as_deref().unwrap_or_default();
    masked.absolute = absolute.as_deref();
    masked.to = to.as_deref();
    masked.base = base.as_deref();
    masked.divergent = divergent.as_ref();
    show(&Located {
        reference: &masked,
        ..found.clone()
    });
}
