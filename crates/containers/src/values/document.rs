//! A text as a document of its own, or as URLs, by what it holds.

use std::ops::Range;
use std::sync::LazyLock;

use abslink_html::given_places::is_relative;
use abslink_html::given_places::{DocumentBytes, FeedPlaces, Resolved};
use abslink_html::locate::{self, Handler, RawText, Spelling, StartTag};
use abslink_html::shared::{Delimiter, FeedParameters};
use abslink_html::{
    self as html, Against, Context, Disagreement, Edit, Reference, Row, Settings, Syntax, Tally,
    TextRewriter, ValueKind, document_base, sheet,
};
use memchr::memmem::Finder;

use super::{Expected, Part, Reading, lists};
use crate::examined::Examined;

static URL: Row = Row::of_feed("", ValueKind::Url, Against::Base);

/// Put before XHTML: the entities of HTML, and the namespace of what has no prefix.
const XHTML: &str = "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Strict//EN\" \"\">\
                     <html xmlns=\"http://www.w3.org/1999/xhtml\">";

/// What a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// An HTML document, or a fragment of one.
    Html,
    /// The same, read as XML, with prefixes that nothing declares.
    Xhtml,
    /// A feed.
    Feed,
    /// Markdown.
    Markdown,
    /// A style sheet.
    StyleSheet,
    /// One URL.
    Url,
    /// Several URLs: a JSON array, or a text with blanks, bars or commas between them.
    Urls,
}

impl Holds {
    /// Whether no text is looked for in it.
    pub(super) fn is_url(self) -> bool {
        matches!(self, Holds::Url | Holds::Urls)
    }
}

impl Reading<'_, '_, '_> {
    pub(super) fn tally(&mut self) -> &mut Tally {
        let (context, resolver) = (self.context, self.settings.resolver);
        let whole = self
            .examined
            .whole
            .get_or_insert_with(|| html::Examined::of(document_base(None, context, resolver)));
        &mut whole.tally
    }

    /// Adds what becomes of a text that holds no others.
    pub(super) fn string(&mut self, part: &mut Part<'_>, mut holds: Holds) {
        let (text, depth) = (part.text, part.depth);
        if depth > 0 && !holds.is_url() {
            let is_word = !text.contains(|c: char| c.is_whitespace() || c == '<');
            let moves = &self.settings.moves;
            let is_moved = || moves.moved(text).is_some() || moves.moving_from_host(text).is_some();
            if is_word && !moves.is_empty() && is_moved() {
                holds = Holds::Url;
            } else if is_word && is_relative(text) {
                self.tally().in_values[0] += 1;
                return;
            } else if !matches!(holds, Holds::StyleSheet | Holds::Markdown)
                && memchr::memchr(b'<', text.as_bytes()).is_none()
            {
                return;
            }
        }
        if depth > 0 && holds == Holds::Html && self.short(text) {
            return;
        }
        let (mut read, edits) = match holds {
            Holds::Feed | Holds::Markdown => {
                let (mut read, edits) = self.other(part, holds);
                for (at, what) in read.whole.iter_mut().flat_map(|it| it.broken.drain(..)) {
                    self.broken(part.at(at), what);
                }
                if depth == 0 {
                    *self.examined = read;
                    return self.extend(edits);
                }
                let damage = read.damage.map(|damage| damage.to_string());
                if let Some(left) = damage.or(read.left.map(str::to_owned)) {
                    self.broken(part.at(0), left);
                    return;
                }
                for document in read.documents {
                    self.tally().merge(&document.examined.tally);
                }
                match read.whole {
                    Some(whole) => (whole, edits),
                    None => return self.extend(edits),
                }
            }
            _ => self.document(part, holds),
        };
        let is_html = holds == Holds::Html;
        if let Some(expected) = is_html.then(|| doubled_quote(text, &edits)).flatten() {
            self.broken(part.at(expected.at), expected.what);
            return;
        }
        for (at, what) in read.broken.drain(..) {
            self.broken(part.at(at), what);
        }
        if depth == 0 {
            *self.examined = read.into();
        } else if let Some(left) = read.left {
            self.broken(part.at(0), left.to_owned());
            return;
        } else {
            self.tally().merge(&read.tally);
            if let (Some(whole), Some(disagreement)) = (&mut self.examined.whole, read.disagreement)
            {
                whole.disagreement.get_or_insert(disagreement);
            }
        }
        self.extend(edits);
    }

    fn extend(&mut self, edits: Vec<Edit>) {
        for (old, new) in edits {
            self.push(old, &new);
        }
    }

    /// Adds what HTML in a value becomes, if nothing is to be said of it.
    fn short(&mut self, text: &str) -> bool {
        if self.each.is_some() || self.settings.verify.is_on() {
            return false;
        }
        let before = self.edits.len();
        let new = || TextRewriter::new(self.context, self.settings);
        // Where it is counted: a tally is large, and is added up where it stands.
        self.tally();
        let texts = self.texts.get_or_insert_with(new);
        let (Some(tally), Some(whole)) = (
            texts.edits(text, self.rewriter, &mut self.edits),
            &mut self.examined.whole,
        ) else {
            return false;
        };
        if doubled_quote(text, &self.edits[before..]).is_some() {
            self.edits.truncate(before);
            return false;
        }
        whole.tally.merge(tally);
        true
    }

    /// What a feed or Markdown becomes.
    fn other(&mut self, part: &mut Part<'_>, holds: Holds) -> (Examined, Vec<Edit>) {
        let bytes = part.text.as_bytes();
        let Some(each) = &mut self.each else {
            return (self.read_other)(holds, bytes, None);
        };
        let mut each =
            |reference: &Reference<'_>| each(&reference.at((part.place)(reference.span.clone())));
        (self.read_other)(holds, bytes, Some(&mut each))
    }

    fn document(&mut self, part: &mut Part<'_>, holds: Holds) -> (html::Examined, Vec<Edit>) {
        let (context, settings, text) = (self.context, self.settings, part.text);
        let bytes = text.as_bytes();
        let of_xhtml;
        let (bytes, syntax, start) = match holds {
            Holds::Xhtml => {
                of_xhtml = [XHTML, text].concat();
                (of_xhtml.as_bytes(), Syntax::Xml, XHTML.len())
            }
            _ => (bytes, Syntax::Html, 0),
        };
        let own = |part: &Range<usize>| part.start - start..part.end - start;
        if let Some(each) = &mut self.each {
            let mut each = |reference: &Reference<'_>| {
                each(&reference.at((part.place)(own(&reference.span))));
            };
            let each: &mut dyn FnMut(&Reference<'_>) = &mut each;
            let read = match holds {
                Holds::Html | Holds::Xhtml => {
                    (self.rewriter).examine(bytes, syntax, context, settings, each)
                }
                Holds::StyleSheet => sheet::examine(bytes, context, settings, each),
                _ => urls(self.name, text, holds, (context, settings), Some(each)).0,
            };
            return (read, Vec::new());
        }
        match holds {
            Holds::Html | Holds::Xhtml => {
                let (read, edits) = (self.rewriter).edits(bytes, syntax, context, settings, None);
                let edits = edits.into_iter();
                let edits = edits.map(|(old, new)| (own(&old), new.into_owned()));
                (read, edits.collect())
            }
            Holds::StyleSheet => sheet::edits(bytes, context, settings),
            _ => urls(self.name, text, holds, (context, settings), None),
        }
    }
}

/// The first empty value whose quotes are doubled: `href=""x""`. Another attribute may follow an empty one.
pub(crate) fn doubled_quote<N>(text: &str, edits: &[Edit<N>]) -> Option<Expected> {
    let is_doubled = |value: &Range<usize>| {
        let (before, after) = text.split_at(value.start);
        let quote = before
            .strip_suffix(['"', '\''])
            .map(|it| &before[it.len()..]);
        let Some(rest) = after.strip_prefix(quote.unwrap_or("<")) else {
            return false;
        };
        let is_outside = |c: char| c.is_ascii_whitespace() || c == '<' || c == '>';
        let word = rest.split(is_outside).next().unwrap_or_default();
        let doubled = word.find(&after[..1].repeat(2));
        doubled.is_some_and(|at| at > 0 && !word[..at].ends_with('='))
    };
    let may_be = |value: &Range<usize>| {
        let first = text.as_bytes().get(value.start);
        value.is_empty() && matches!(first, Some(b'"' | b'\'' | b'<'))
    };
    let mut values = edits.iter().map(|(old, _)| old);
    let value = values.find(|value| may_be(value) && is_doubled(value))?;
    Some(Expected {
        at: value.start,
        what: "a doubled quote: a string of SQL, CSV or YAML, which abslink does not read"
            .to_owned(),
    })
}

/// The URLs in a text. They are read as those of JSON Feed are.
fn urls(
    name: &str,
    text: &str,
    holds: Holds,
    (context, settings): (&Context, &Settings),
    each: Option<&mut dyn FnMut(&Reference<'_>)>,
) -> (html::Examined, Vec<Edit>) {
    let document_base = document_base(None, context, settings.resolver);
    let mut examined = html::Examined::of(document_base.clone());
    let all = 0..text.len();
    let urls = match holds {
        Holds::Urls => lists::plain(text),
        _ => vec![all],
    };
    let given = match DocumentBytes::json(text.as_bytes()) {
        Ok(given) => given,
        Err(reason) => {
            examined.left = Some(reason);
            return (examined, Vec::new());
        }
    };
    let mut places = FeedPlaces::new(settings.wanted());
    for url in &urls {
        places.string(&URL, name, (url.clone(), Delimiter::RawText), 0);
    }
    // Each URL of a text is one reference, with the blanks around it.
    let whole = |part: &Range<usize>| {
        let after = urls.partition_point(|url| url.start <= part.start);
        urls[after.saturating_sub(1)].clone()
    };
    let bases = [(context.clone(), document_base)];
    let mut shown =
        each.map(|each| |reference: &Reference<'_>| each(&reference.at(whole(&reference.span))));
    let each = shown.as_mut();
    let each = each.map(|each| each as &mut dyn FnMut(&Reference<'_>));
    let resolved = given.references(&places, &bases, settings, each);
    examined.tally = resolved.tallies[0];
    examined.left = resolved.left;
    examined.growth = resolved.growth;
    let Some(mut new) = given.applied(&resolved) else {
        return (examined, Vec::new());
    };
    let known = FeedParameters {
        encoding: given.markup_encoding(),
        places: &places,
        bases: &bases,
        settings,
        values: &[],
        delimiter: Some(Delimiter::RawText),
    };
    examined.disagreement = verify(&given, &known, &resolved, &mut new).err();
    if examined.disagreement.is_some() {
        return (examined, Vec::new());
    }
    let edits = given.edits(&resolved);
    if holds != Holds::Urls {
        return (examined, lists::by_url(text, &urls, &edits, |_| false));
    }
    let separated = lists::separated(text, &urls, &edits);
    let edits = separated.unwrap_or_else(|reason| {
        examined.left = Some(reason);
        Vec::new()
    });
    (examined, edits)
}

/// The bytes of a feed, which is JSON or XML.
pub(crate) fn given(bytes: &[u8], is_json: bool) -> Result<DocumentBytes<'_>, &'static str> {
    if is_json {
        DocumentBytes::json(bytes)
    } else {
        DocumentBytes::xml(bytes)
    }
}

/// Asks the second reader about what was made of a feed, or of a text with URLs.
pub(crate) fn verify(
    given: &DocumentBytes<'_>,
    known: &FeedParameters<'_>,
    resolved: &Resolved,
    new: &mut Vec<u8>,
) -> Result<(), Disagreement> {
    let changes = || given.changes(resolved);
    (known.settings.verify).check(new, 0, changes, |reader, new, changes| {
        let at_start = |what: &str| Disagreement {
            line: 1,
            column: 1,
            what: what.to_owned(),
            is_bug: true,
        };
        let new = self::given(new, known.delimiter.is_some()).map_err(at_start)?;
        reader.feed(known, [given.markup(), new.markup()], changes)
    })
}

/// How many CDATA sections of XML end too early in HTML, which takes them for comments up to the first `>`.
pub(crate) fn lost_sections(text: &str) -> u64 {
    const START: &[u8] = b"<![CDATA[";
    static FINDER: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new(START));
    struct Sections<'t>(&'t [u8], u64);
    impl Handler for Sections<'_> {
        fn wants(&self, _: &[u8]) -> bool {
            false
        }
        fn wants_bare(&self) -> bool {
            false
        }
        fn start_tag(&mut self, _: &StartTag<'_>) {}
        fn raw_text(&mut self, _: RawText, _: Spelling, _: Range<usize>) {}
        fn comment(&mut self, _: Range<usize>) {}
        fn without_tags(&mut self, markup: Range<usize>) {
            let markup = &self.0[markup];
            let is_lost = markup.starts_with(START) && !markup.ends_with(b"]]>");
            self.1 += u64::from(is_lost);
        }
    }
    let bytes = text.as_bytes();
    if FINDER.find(bytes).is_none() {
        return 0;
    }
    let mut sections = Sections(bytes, 0);
    locate::locate(bytes, Syntax::Html, false, &mut sections);
    sections.1
}
