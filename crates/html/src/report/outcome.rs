//! What becomes of a reference.
//!
//! For a new one the compiler names what is here, [`Tally::count`](crate::Tally) and `rewrite/remove_base.rs`. It
//! does not name: who gives it and what follows (`resolve/`), whether it costs bytes (`growth.rs`), the field of the
//! tally and its test (`rewrite/tests.rs`); in the command, `run/exit.rs`, `summary/`, `format/` and the shares of
//! `html_report/outcomes.rs`; and the lists in `python/abslink/_types.py`, `js/lib/index.d.ts`, `web/src/list.js` and
//! `web/src/details.js`.

abslink_url::named! {
/// What became of a reference: [`Reference::outcome`](crate::Reference::outcome).
///
/// # Examples
/// ```
/// use abslink_html::{Context, Outcome, Settings, Syntax, examine};
///
/// let mut outcomes = Vec::new();
/// let html = b"<a href=x><a href='http://h/'>";
/// examine(html, Syntax::Html, &Context::default(), &Settings::default(), &mut |reference| {
///     outcomes.push(reference.outcome);
/// });
/// assert_eq!(outcomes, [Outcome::Unresolved, Outcome::Absolute]);
/// assert_eq!(Outcome::Unresolved.name(), "unresolved");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// It is relative; `rewrite` makes it absolute.
    Relative = "relative",
    /// It was absolute already.
    Absolute = "absolute",
    /// It points into its own document and stays (`usemap`, `url(#x)`, fragments that stay).
    SameDocument = "same-document",
    /// It stays relative: there is no base URL, or the resolver gives no result.
    #[default]
    Unresolved = "unresolved",
    /// `--exclude-url` matched it.
    Excluded = "excluded",
    /// It is relative and stays: its target is in the tree, and only references to missing files
    /// become absolute; or a browser has saved its target with the document.
    Present = "present",
    /// It begins with a template placeholder and stays: only the template's data can tell whether
    /// it is relative.
    Placeholder = "placeholder",
    /// It is a file's path on Windows (`C:\x`, `\\server\share`) and stays: no URL leads there.
    WindowsPath = "windows-path",
}
/// The outcome's name in JSON.
name
}

impl Outcome {
    /// Whether it is relative and a resolver gave a URL for it.
    pub(crate) fn is_resolved(self) -> bool {
        match self {
            Outcome::Relative | Outcome::Present => true,
            Outcome::Absolute | Outcome::SameDocument | Outcome::Unresolved => false,
            Outcome::Excluded | Outcome::Placeholder | Outcome::WindowsPath => false,
        }
    }
}
