//! Elements whose text is no markup, opened and not closed in a piece of HTML.
//!
//! A browser would read all that follows as their text. What shows Markdown does not let it: GFM §6.11 takes `<title>`
//! for text, others drop it. So the element is closed in the next gap between pieces of HTML that has room.

/// GFM §6.11, "Disallowed Raw HTML".
const NAMES: [&str; 9] = [
    "title",
    "textarea",
    "style",
    "xmp",
    "iframe",
    "noembed",
    "noframes",
    "script",
    "plaintext",
];

/// What is open behind the HTML so far, and where the gap behind that begins.
#[derive(Default)]
pub(super) struct Gap {
    open: Option<&'static str>,
    at: Option<usize>,
    /// What was closed, and where.
    pub(super) closers: Vec<(usize, String)>,
}

impl Gap {
    /// HTML has ended here.
    pub(super) fn begin(&mut self, at: usize) {
        self.at = Some(at);
    }

    /// HTML goes on or begins.
    pub(super) fn html(&mut self, start: usize, text: &str, markup: &mut [u8]) {
        let closes = |name: &str| is_tag(text, "</", name);
        if let (Some(name), Some(at)) = (self.open, self.at.take())
            && !closes(name)
        {
            let closer = ["</", name, ">"].concat();
            if let Some(gap) = markup
                .get_mut(at..start)
                .filter(|gap| gap.len() >= closer.len())
            {
                gap[..closer.len()].copy_from_slice(closer.as_bytes());
                self.open = None;
                self.closers.push((at, closer));
            }
        }
        for at in memchr::memchr_iter(b'<', text.as_bytes()) {
            let tag = &text[at..];
            self.open = match self.open {
                Some(name) if is_tag(tag, "</", name) => None,
                None => NAMES.into_iter().find(|name| is_tag(tag, "<", name)),
                open => open,
            };
        }
    }
}

fn is_tag(text: &str, before: &str, name: &str) -> bool {
    let rest = text.strip_prefix(before).map(str::as_bytes);
    rest.is_some_and(|rest| {
        rest.get(..name.len())
            .is_some_and(|it| it.eq_ignore_ascii_case(name.as_bytes()))
            && !rest.get(name.len()).is_some_and(u8::is_ascii_alphanumeric)
    })
}
