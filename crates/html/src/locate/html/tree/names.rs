//! Element names as numbers, and the standard's lists of names as sets of them.

use std::collections::HashMap;

use super::Namespace;

/// An element's name, whatever its letter case was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Name(pub(super) u32);

/// Defines a constant for each name that the tree construction rules mention.
macro_rules! names {
    ($($name:ident)*) => {
        // The names are in capitals, like constants.
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Number { $($name),* }
        $(pub(super) const $name: Name = Name(Number::$name as u32);)*
        /// The names in capitals, with `_` for `-`, by number.
        const KNOWN: &[&str] = &[$(stringify!($name)),*];
    };
}

names! {
    A ADDRESS ANNOTATION_XML APPLET AREA ARTICLE ASIDE B BASE BASEFONT BGSOUND BIG BLOCKQUOTE
    BODY BR BUTTON CAPTION CENTER CODE COL COLGROUP DD DESC DETAILS DIALOG DIR DIV DL DT EM
    EMBED FIELDSET FIGCAPTION FIGURE FONT FOOTER FOREIGNOBJECT FORM FRAME FRAMESET H1 H2 H3 H4
    H5 H6 HEAD HEADER HGROUP HR HTML I IFRAME IMAGE IMG INPUT KEYGEN LI LINK LISTING MAIN
    MALIGNMARK MARQUEE MATH MENU META MGLYPH MI MN MO MS MTEXT NAV NOBR NOEMBED NOFRAMES
    NOSCRIPT OBJECT OL OPTGROUP OPTION P PARAM PLAINTEXT PRE RB RP RT RTC RUBY S SCRIPT SEARCH
    SECTION SELECT SMALL SOURCE STRIKE STRONG STYLE SUMMARY SVG TABLE TBODY TD TEMPLATE
    TEXTAREA TFOOT TH THEAD TITLE TR TRACK TT U UL WBR XMP
}

/// Gives the same number to the same name.
pub(super) struct Names {
    numbers: HashMap<Box<[u8]>, u32>,
    lower: Vec<u8>,
}

impl Default for Names {
    fn default() -> Self {
        let spelt = |name: &&str| {
            name.to_ascii_lowercase()
                .replace('_', "-")
                .into_bytes()
                .into()
        };
        Names {
            numbers: KNOWN.iter().map(spelt).zip(0..).collect(),
            lower: Vec::new(),
        }
    }
}

impl Names {
    /// The number of a name, in any letter case.
    pub(super) fn number(&mut self, name: &[u8]) -> Name {
        self.lower.clear();
        self.lower.extend(name.iter().map(u8::to_ascii_lowercase));
        if let Some(&number) = self.numbers.get(self.lower.as_slice()) {
            return Name(number);
        }
        let number = self.numbers.len() as u32;
        self.numbers.insert(self.lower.as_slice().into(), number);
        Name(number)
    }
}

#[derive(Clone, Copy)]
pub(super) struct Set(u128);

impl Set {
    const fn of(names: &[Name]) -> Set {
        let mut bits = 0;
        let mut index = 0;
        while index < names.len() {
            bits |= 1 << names[index].0;
            index += 1;
        }
        Set(bits)
    }

    const fn and(self, names: &[Name]) -> Set {
        Set(self.0 | Set::of(names).0)
    }

    const fn without(self, names: &[Name]) -> Set {
        Set(self.0 & !Set::of(names).0)
    }

    pub(super) fn contains(self, name: Name) -> bool {
        name.0 < u128::BITS && self.0 >> name.0 & 1 == 1
    }
}

/// What bounds a search down the stack of open elements.
#[derive(Clone, Copy)]
pub(super) enum Scope {
    /// An element of the HTML namespace.
    Html,
    /// The "special" category.
    Special,
    /// The same, without those through which a list item is searched for.
    Item,
    /// "Has an element in scope".
    Default,
    /// "In list item scope".
    List,
    /// "In button scope".
    Button,
    /// "In table scope".
    Table,
}

impl Scope {
    pub(super) const ALL: [Scope; 7] = [
        Scope::Html,
        Scope::Special,
        Scope::Item,
        Scope::Default,
        Scope::List,
        Scope::Button,
        Scope::Table,
    ];

    /// "Has an element in the specific scope": whether an element bounds the search.
    pub(super) fn is_bounded_by(self, namespace: Namespace, name: Name) -> bool {
        let foreign = match namespace {
            Namespace::Html => return self.html().is_none_or(|names| names.contains(name)),
            Namespace::MathMl => Set::of(&[ANNOTATION_XML, MI, MN, MO, MS, MTEXT]),
            Namespace::Svg => Set::of(&[DESC, FOREIGNOBJECT, TITLE]),
        };
        !matches!(self, Scope::Html | Scope::Table) && foreign.contains(name)
    }

    /// The HTML elements that bound the search; `None` for all of them.
    fn html(self) -> Option<Set> {
        Some(match self {
            Scope::Html => return None,
            Scope::Special => SPECIAL,
            Scope::Item => SPECIAL.without(&[ADDRESS, DIV, P]),
            Scope::Default => DEFAULT_SCOPE,
            Scope::List => DEFAULT_SCOPE.and(&[OL, UL]),
            Scope::Button => DEFAULT_SCOPE.and(&[BUTTON]),
            Scope::Table => TABLE_CONTEXT,
        })
    }
}

const SPECIAL: Set = Set::of(&[
    ADDRESS, APPLET, AREA, ARTICLE, ASIDE, BASE, BASEFONT, BGSOUND, BLOCKQUOTE, BODY, BR, BUTTON,
    CAPTION, CENTER, COL, COLGROUP, DD, DETAILS, DIR, DIV, DL, DT, EMBED, FIELDSET, FIGCAPTION,
    FIGURE, FOOTER, FORM, FRAME, FRAMESET, H1, H2, H3, H4, H5, H6, HEAD, HEADER, HGROUP, HR, HTML,
    IFRAME, IMG, INPUT, KEYGEN, LI, LINK, LISTING, MAIN, MARQUEE, MENU, META, NAV, NOEMBED,
    NOFRAMES, NOSCRIPT, OBJECT, OL, P, PARAM, PLAINTEXT, PRE, SCRIPT, SEARCH, SECTION, SELECT,
    SOURCE, STYLE, SUMMARY, TABLE, TBODY, TD, TEMPLATE, TEXTAREA, TFOOT, TH, THEAD, TITLE, TR,
    TRACK, UL, WBR, XMP,
]);
const DEFAULT_SCOPE: Set = Set::of(&[
    APPLET, CAPTION, HTML, MARQUEE, OBJECT, SELECT, TABLE, TD, TEMPLATE, TH,
]);

/// "Generate implied end tags".
pub(super) const IMPLIED_END: Set = Set::of(&[DD, DT, LI, OPTGROUP, OPTION, P, RB, RP, RT, RTC]);
pub(super) const HEADINGS: [Name; 6] = [H1, H2, H3, H4, H5, H6];
/// "Clear the stack back to a table context".
pub(super) const TABLE_CONTEXT: Set = Set::of(&[HTML, TABLE, TEMPLATE]);
/// "Clear the stack back to a table body context".
pub(super) const TABLE_BODY_CONTEXT: Set = Set::of(&[HTML, TBODY, TEMPLATE, TFOOT, THEAD]);
/// "Clear the stack back to a table row context".
pub(super) const TABLE_ROW_CONTEXT: Set = Set::of(&[HTML, TEMPLATE, TR]);
/// Elements in which text waits, to be foster parented unless it is whitespace.
pub(super) const TABLE_TEXT: Set = Set::of(&[TABLE, TBODY, TEMPLATE, TFOOT, THEAD, TR]);
/// "Appropriate place for inserting a node": elements whose content is foster parented.
pub(super) const FOSTERED_FROM: Set = Set::of(&[TABLE, TBODY, TFOOT, THEAD, TR]);
/// What is inserted there all the same.
pub(super) const PLACED_IN_TABLES: Set =
    Set::of(&[CAPTION, COLGROUP, TBODY, TD, TEMPLATE, TFOOT, TH, THEAD, TR]);
