//! Passwords in URLs: no text, report or message shows one, unless `--show-passwords` is given. The value of an
//! option or a setting that should be a URL may lack the scheme, and then looks like any other text: what may be a
//! login in it is remembered, and hidden wherever it comes up.
//!
//! What goes to standard error is masked line by line, where it is written ([`super::print`]).
//! Findings are masked value by value before any format sees them ([`in_reference`]). Documents and
//! diffs are exact, and so is the output of `resolve` and `parse`.

use std::borrow::Cow;
use std::ffi::OsString;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{PoisonError, RwLock};

use crate::batch::Located;
use abslink_url::{Divergence, password};

/// `--show-passwords`.
static SHOWN: AtomicBool = AtomicBool::new(false);

/// Carries out `--show-passwords`.
pub(crate) fn show(shown: bool) {
    SHOWN.store(shown, Ordering::Relaxed);
}

pub(crate) fn are_shown() -> bool {
    SHOWN.load(Ordering::Relaxed)
}

/// The options whose values should be URLs, or two of them with a `=` between.
const URLS: [&str; 3] = ["base-url", "site", "move-url"];

/// Texts in options and settings that may be logins.
static LOGINS: RwLock<Vec<String>> = RwLock::new(Vec::new());
static HAS_LOGINS: AtomicBool = AtomicBool::new(false);

/// Remembers the logins in what was typed.
pub(crate) fn remember(typed: &[OsString]) {
    logins(typed).into_iter().for_each(add);
}

/// The same for a setting.
pub(crate) fn remember_setting(name: &str, texts: &[String]) {
    if URLS.contains(&name) {
        texts.iter().flat_map(|text| in_option(text)).for_each(add);
    }
}

fn add(login: String) {
    let mut all = LOGINS.write().unwrap_or_else(PoisonError::into_inner);
    all.push(login);
    HAS_LOGINS.store(true, Ordering::Relaxed);
}

fn logins(typed: &[OsString]) -> Vec<String> {
    let mut found = Vec::new();
    let mut follows = false;
    for typed in typed {
        let typed = typed.to_string_lossy();
        // A message may show a part of what was typed, in which no URL is left to be seen.
        if let Some(password) = password::first(&typed) {
            let behind = password
                .match_indices(':')
                .map(|(at, _)| &password[at + 1..]);
            let parts = [password].into_iter().chain(behind);
            found.extend(parts.filter(|part| !part.is_empty()).map(str::to_owned));
        }
        let (name, value) = match typed.strip_prefix("--").map(|long| long.split_once('=')) {
            Some(Some((name, value))) => (URLS.contains(&name), Some(value)),
            Some(None) => (URLS.contains(&&typed[2..]), None),
            // Among short options only the last one may have a value.
            None => match typed
                .strip_prefix('-')
                .and_then(|short| short.split_once('b'))
            {
                Some((_, "")) => (true, None),
                Some((_, value)) => (true, Some(value)),
                None => (false, None),
            },
        };
        let of_earlier = std::mem::take(&mut follows).then_some(&*typed);
        follows = name && value.is_none();
        let values = [value.filter(|_| name), of_earlier].into_iter().flatten();
        found.extend(values.flat_map(in_option));
    }
    found
}

/// The logins in the value of an option.
fn in_option(value: &str) -> Vec<String> {
    let urls = [Some(value), value.split_once('=').map(|(_, to)| to)];
    let logins = urls.into_iter().flatten().filter_map(password::bare_login);
    logins.map(str::to_owned).collect()
}

/// A text without these.
fn without<'t>(text: Cow<'t, str>, logins: &[String]) -> Cow<'t, str> {
    let hide = |text: Cow<'t, str>, login: &String| {
        let exact = format!("{login}@");
        if text.contains(&exact) {
            text.replace(&exact, "***@").into()
        } else {
            text
        }
    };
    logins.iter().fold(text, hide)
}

fn without_remembered(text: Cow<'_, str>) -> Cow<'_, str> {
    if !HAS_LOGINS.load(Ordering::Relaxed) {
        return text;
    }
    without(text, &LOGINS.read().unwrap_or_else(PoisonError::into_inner))
}

/// A message about arguments, for those who call the commands as functions.
pub(crate) fn in_message(message: &str, typed: &[OsString]) -> String {
    without(password::masked_line(message), &logins(typed)).into_owned()
}

/// A value as it may be shown.
pub(crate) fn masked(value: &str) -> Cow<'_, str> {
    if are_shown() {
        value.into()
    } else {
        without_remembered(password::masked(value))
    }
}

/// A line of text with URLs in it, as it may be shown.
pub(crate) fn masked_line(line: &str) -> Cow<'_, str> {
    if are_shown() {
        line.into()
    } else {
        without_remembered(password::masked_line(line))
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
