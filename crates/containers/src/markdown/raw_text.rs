//! Elements whose text is no markup, opened and not closed in a piece of HTML.
//!
//! A browser would read all that follows as their text. What shows Markdown does not let it: GFM §6.11 takes `<title>`
//! for text, others drop it. So such a tag is read as another, of an element that holds markup.

/// GFM §6.11, "Disallowed Raw HTML", and elements with names as long, and the same URLs.
const NAMES: [(&str, &str); 9] = [
    ("title", "small"),
    ("textarea", "fieldset"),
    ("style", "small"),
    ("xmp", "div"),
    ("iframe", "frame "),
    ("noembed", "section"),
    ("noframes", "fieldset"),
    ("script", "source"),
    ("plaintext", "div      "),
];

/// What is open behind the HTML so far.
#[derive(Default)]
pub(super) struct RawText {
    open: Option<(&'static str, &'static str)>,
    /// Whether the piece of HTML that opened it has ended.
    is_behind: bool,
}

impl RawText {
    /// A piece of HTML has ended.
    pub(super) fn end_piece(&mut self) {
        self.is_behind = true;
    }

    /// HTML goes on or begins, behind what is in `before`.
    pub(super) fn html(&mut self, before: &mut [u8], text: &str) {
        if std::mem::take(&mut self.is_behind)
            && let Some((name, other)) = self.open
            && !is_tag(text.as_bytes(), "</", name)
        {
            let mut tags = memchr::memrchr_iter(b'<', before);
            let is_tag = |at: &usize| is_tag(&before[*at..], "<", name);
            if let Some(tag) = tags.find(is_tag) {
                before[tag + 1..][..other.len()].copy_from_slice(other.as_bytes());
            }
            self.open = None;
        }
        for at in memchr::memchr_iter(b'<', text.as_bytes()) {
            let tag = &text.as_bytes()[at..];
            self.open = match self.open {
                Some((name, _)) if is_tag(tag, "</", name) => None,
                None => NAMES.into_iter().find(|(name, _)| is_tag(tag, "<", name)),
                open => open,
            };
        }
    }
}

fn is_tag(text: &[u8], before: &str, name: &str) -> bool {
    let rest = text.strip_prefix(before.as_bytes());
    rest.is_some_and(|rest| {
        rest.get(..name.len())
            .is_some_and(|it| it.eq_ignore_ascii_case(name.as_bytes()))
            && !rest.get(name.len()).is_some_and(u8::is_ascii_alphanumeric)
    })
}
