//! Where a browser would take a reference to a target other than the resolver's.
//!
//! The question is whether the URL Standard's parser gives the same URL for the resolver's result
//! as for the reference itself. Answering it takes two runs of that parser, so [`divergence`] first
//! looks whether the bytes show that the standards agree; [`differs`] is the question
//! itself, and tests compare the two. The class comes last, and only explains.

use crate::base::BaseUrl;
use crate::rfc1808::Components;
use crate::text::named::named;
use crate::text::pre_step;
use crate::whatwg::{self, Url};

/// What a browser does with a reference that the chosen resolver reads differently.
///
/// # Examples
/// ```
/// use abslink_url::{BaseUrl, DivergenceClass, divergence};
///
/// let base = BaseUrl::parse("http://h/a/b")?;
/// let divergence = divergence(&base, "///g/", "http://h/g/").unwrap();
/// assert_eq!(divergence.browser.as_deref(), Some("http://g/"));
/// assert_eq!(divergence.class, DivergenceClass::EmptyNetLoc);
/// # Ok::<(), abslink_url::UnsuitableBase>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Divergence {
    /// The URL that a browser gets; `None` if it gets a failure, or if nobody can tell: with
    /// [`DivergenceClass::BeforeBase`], in a document whose own URL is not known.
    pub browser: Option<String>,
    /// Why.
    pub class: DivergenceClass,
}

/// Whether a browser takes `reference` to a target other than `resolved`, the chosen resolver's
/// result (for an absolute reference that stays: the reference itself).
///
/// # Examples
/// ```
/// use abslink_url::divergence;
/// use abslink_url::{BaseUrl, DivergenceClass};
/// let base = BaseUrl::any("http://a/b/c/d;p?q#f");
/// assert_eq!(divergence(&base, "../g", "http://a/b/g"), None);
/// let found = divergence(&base, "///x", "http://a/x").unwrap();
/// assert_eq!(found.browser.as_deref(), Some("http://x/"));
/// assert_eq!(found.class, DivergenceClass::EmptyNetLoc);
/// ```
pub fn divergence(base: &BaseUrl, reference: &str, resolved: &str) -> Option<Divergence> {
    if agrees(base, reference, resolved) {
        None
    } else {
        differs(base, reference, resolved)
    }
}

/// The full comparison, without the cheap test before it.
pub fn differs(base: &BaseUrl, reference: &str, resolved: &str) -> Option<Divergence> {
    let browser = whatwg::parse(reference, base.whatwg_url()).ok();
    let same = match &browser {
        Some(url) if url.text() == resolved => true,
        _ => browser == whatwg::parse(resolved, None).ok(),
    };
    if same {
        return None;
    }
    Some(Divergence {
        browser: browser.map(|url| url.text().to_owned()),
        class: DivergenceClass::of(base, reference),
    })
}

/// The full comparison if a browser uses a different base URL from the resolver's, because of
/// `why`.
pub fn differs_in_base(
    browser: &BaseUrl,
    reference: &str,
    resolved: &str,
    why: DivergenceClass,
) -> Option<Divergence> {
    let found = differs(browser, reference, resolved)?;
    Some(Divergence {
        class: why,
        ..found
    })
}

/// Whether it is clear without the URL Standard's parser that a browser takes `reference` to `resolved`.
fn agrees(base: &BaseUrl, reference: &str, resolved: &str) -> bool {
    // A browser takes nothing from the base either, and parses what the resolver left alone.
    if reference == resolved && whatwg::is_absolute(base.as_str(), reference) {
        return true;
    }
    let shortcut = base.shortcut();
    let found = shortcut.and_then(|shortcut| shortcut.resolve(reference.as_bytes()));
    found.is_some_and(|(before, dropped)| {
        resolved.strip_prefix(before) == Some(&reference[dropped..])
    })
}

named! {
/// Why a browser and a resolver disagree; as text, one line that says what happens.
///
/// The numbers come from a survey of 708,032 pairs of base and reference, in which each pair that
/// diverged fell into one of 17 classes. Two of them do not occur here: 15 needs a reading of RFC
/// 1808 that drops empty components, and 17 (queries in documents that are not UTF-8) is above this
/// layer, which sees text and no encodings. 18 is RFC 3986's; 19 and 20 are found by the code that
/// knows the document.
///
/// # Examples
/// ```
/// assert_eq!(abslink_url::DivergenceClass::Backslash as u8, 7);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum DivergenceClass {
    /// `;x`
    #[error(
        "RFC 1808 appends parameters at the start to the base's last segment; browsers replace the segment"
    )]
    LeadingParams(1) = "leading parameters",
    /// `..;x`
    #[error("RFC 1808 reads `..` before `;` as the parent directory, browsers as part of a name")]
    DotsBeforeParams(2) = "dot segment before `;`",
    /// `g`, where the base is `http://a/b;x/c/d`
    #[error("RFC 1808 ends the base's path at `;`, browsers read it up to its last slash")]
    SlashInBaseParams(3) = "slash in the base's parameters",
    /// `http:g`
    #[error("browsers read a URL with the scheme of the base and no `//` as a relative one")]
    SchemeLoophole(4) = "scheme of the base without slashes",
    /// `12:30.html`
    #[error("RFC 1808 reads what is before the `:` as a scheme, browsers as part of a path")]
    SchemeStart(5) = "scheme that starts with no letter",
    /// `///x`
    #[error(
        "RFC 1808 takes the host from the base; browsers read the next name as the host, or fail"
    )]
    EmptyNetLoc(6) = "empty network location",
    /// `\g`
    #[error("browsers read `\\` as `/`, which may change the host")]
    Backslash(7) = "backslash",
    /// ` g`, where the [pre-step](crate::pre_step) has not run
    #[error(
        "browsers remove control characters and spaces at the ends, and tabs and line breaks inside"
    )]
    Whitespace(8) = "whitespace",
    /// The empty reference
    #[error("RFC 1808 takes the fragment from the base too, browsers do not")]
    Empty(9) = "empty reference",
    /// `%2e%2e/../g`
    #[error("browsers read `%2e` as a dot, so a `..` after it removes another segment")]
    EncodedDots(10) = "encoded dot segments",
    /// `g`, where the base is `http://a/b/..`
    #[error("browsers remove the dot segments and backslashes of the base before they use it")]
    BaseNotNormal(11) = "base that is not normalised",
    /// `g`, where the base is `http://a?q/b`
    #[error("RFC 1808 ends the network location at the next slash, browsers at `?`")]
    QueryInBaseNetLoc(12) = "`?` in the base's network location",
    /// `g`, where the base is `mailto:x`
    #[error("browsers resolve only fragments against this base")]
    UnsuitableBase(13) = "unsuitable base",
    /// `/g`, where the base is `file:///C:/d`
    #[error("browsers keep drive letters and treat hosts of file URLs in their own way")]
    File(14) = "file URL",
    /// `?y`, where the base is `foo://a`
    #[error("browsers write the paths of other schemes differently")]
    NotSpecial(16) = "scheme that is not special",
    /// `y:./z`
    #[error("RFC 3986 removes dot segments from absolute URLs that browsers leave as they are")]
    DotsInAbsolute(18) = "dot segments of an absolute URL",
    /// `g`, below `<base href="\\b\">`
    #[error("browsers read another URL in the `href` of the base element")]
    BaseElement(19) = "base element that is read differently",
    /// `<link rel=stylesheet href=g>` before `<base href=/b/>`
    #[error(
        "RFC 1808 gives a document one base URL; browsers fetch this before they read the base element"
    )]
    BeforeBase(20) = "fetched before the base element",
}
/// The class's name in JSON and in messages.
name
}

#[cfg(feature = "serde")]
impl serde::Serialize for DivergenceClass {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name())
    }
}

impl DivergenceClass {
    /// The class that explains why `reference` diverges; of several, the more surprising one.
    fn of(base: &BaseUrl, reference: &str) -> DivergenceClass {
        let url = base.whatwg_url();
        let Some(url) = url.filter(|url| !url.cannot_be_a_base()) else {
            return DivergenceClass::UnsuitableBase;
        };
        if reference.is_empty() {
            return DivergenceClass::Empty;
        }
        if pre_step(reference) != reference {
            return DivergenceClass::Whitespace;
        }
        let parts = Components::parse(reference);
        match parts.scheme {
            Some(_) if !reference.starts_with(|first: char| first.is_ascii_alphabetic()) => {
                DivergenceClass::SchemeStart
            }
            Some(_) if !whatwg::is_absolute(base.as_str(), reference) => {
                DivergenceClass::SchemeLoophole
            }
            Some(_) => DivergenceClass::DotsInAbsolute,
            None => DivergenceClass::of_relative(base, url, reference, &parts),
        }
    }

    /// As [`DivergenceClass::of`], for a reference without a scheme.
    fn of_relative(
        base: &BaseUrl,
        url: &Url,
        reference: &str,
        parts: &Components<'_>,
    ) -> DivergenceClass {
        let hierarchy = reference.split(['?', '#']).next().unwrap_or_default();
        let base_parts = Components::parse(base.as_str());
        if url.is_special() && hierarchy.contains('\\') {
            DivergenceClass::Backslash
        } else if parts.net_loc == Some("") || hierarchy == "//" {
            DivergenceClass::EmptyNetLoc
        } else if url.scheme() == "file" {
            DivergenceClass::File
        } else if !url.is_special() && parts.params.is_none() {
            DivergenceClass::NotSpecial
        } else if parts.params.is_some() && parts.path.is_empty() {
            DivergenceClass::LeadingParams
        } else if parts.params.is_some()
            && matches!(parts.path.rsplit('/').next(), Some("." | ".."))
        {
            DivergenceClass::DotsBeforeParams
        } else if base_parts
            .net_loc
            .is_some_and(|net_loc| net_loc.contains('?'))
        {
            DivergenceClass::QueryInBaseNetLoc
        } else if base_parts.params.is_some_and(|params| params.contains('/')) {
            DivergenceClass::SlashInBaseParams
        } else if hierarchy.to_ascii_lowercase().contains("%2e") {
            DivergenceClass::EncodedDots
        } else {
            DivergenceClass::BaseNotNormal
        }
    }

    /// The class's number.
    pub fn number(self) -> u8 {
        self as u8
    }
}
