//! The three standards, and one face for them.

mod above;

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use crate::base::{BaseUrl, UnsuitableBase};
use crate::text::named::named;
use crate::text::pre_step;
use crate::whatwg::InvalidUrl;
use crate::{rfc1808, rfc3986, whatwg};

named! {
/// Which standard resolves references.
///
/// # Examples
/// ```
/// use abslink_url::{BaseUrl, Resolver};
///
/// let base = BaseUrl::parse("http://a/b/c")?;
/// let resolved = |resolver: Resolver| resolver.resolve(&base, "../../g").unwrap();
/// assert_eq!(resolved(Resolver::Rfc1808), "http://a/../g");
/// assert_eq!(resolved(Resolver::Rfc3986), "http://a/g");
/// assert_eq!(resolved("whatwg".parse().unwrap()), "http://a/g");
/// # Ok::<(), abslink_url::UnsuitableBase>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Resolver {
    /// RFC 1808 §4, in the reading that keeps empty components ("preserve").
    #[default]
    Rfc1808 = "rfc1808",
    /// RFC 3986 §5.2.2.
    Rfc3986 = "rfc3986",
    /// The URL Standard: what browsers do.
    Whatwg = "whatwg",
}
/// The resolver's name on the command line and in JSON.
name
/// All resolvers, the default first.
ALL
}

/// A name that no resolver has.
///
/// # Examples
/// ```
/// use abslink_url::Resolver;
///
/// let error = "rfc2396".parse::<Resolver>().unwrap_err();
/// assert!(error.to_string().starts_with("no resolver is called `rfc2396`"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no resolver is called `{0}`; there are rfc1808, rfc3986 and whatwg")]
pub struct UnknownResolver(String);

impl Resolver {
    /// Whether `reference` is an absolute URL under this resolver, so that a document that carries
    /// it needs no change.
    ///
    /// # Examples
    /// ```
    /// use abslink_url::{BaseUrl, Resolver};
    /// let base = BaseUrl::any("http://a/b");
    /// assert!(Resolver::Rfc1808.is_absolute(&base, "12:30.html"));
    /// assert!(!Resolver::Rfc3986.is_absolute(&base, "12:30.html"));
    /// assert!(!Resolver::Whatwg.is_absolute(&base, "http:g"));
    /// ```
    pub fn is_absolute(self, base: &BaseUrl, reference: &str) -> bool {
        match self {
            Resolver::Rfc1808 => rfc1808::parse::scheme(&mut &*reference).is_some(),
            Resolver::Rfc3986 => rfc3986::scheme(reference).is_some(),
            Resolver::Whatwg => whatwg::is_absolute(base.as_str(), reference),
        }
    }

    /// Appends the absolute form of `reference` to `out`.
    ///
    /// # Errors
    /// [`InvalidUrl`] if the resolver gives no result; then `out` is as it was.
    pub fn resolve_into(
        self,
        base: &BaseUrl,
        reference: &str,
        out: &mut String,
    ) -> Result<(), InvalidUrl> {
        if let Some((before, dropped)) =
            (base.shortcut()).and_then(|shortcut| shortcut.resolve(reference.as_bytes()))
        {
            out.extend([before, &reference[dropped..]]);
            return Ok(());
        }
        self.resolve_by_steps(base, reference, out)
    }

    /// The same without the [shortcut](BaseUrl::shortcut).
    pub(crate) fn resolve_by_steps(
        self,
        base: &BaseUrl,
        reference: &str,
        out: &mut String,
    ) -> Result<(), InvalidUrl> {
        let url = base.as_str();
        match self {
            Resolver::Rfc1808 => {
                rfc1808::resolve::resolve_into(base.rfc1808(), url, reference, out);
            }
            Resolver::Rfc3986 => rfc3986::resolve_into(base.rfc3986(), url, reference, out),
            Resolver::Whatwg => out.push_str(whatwg::parse(reference, base.whatwg_url())?.text()),
        }
        Ok(())
    }

    /// The absolute form of `reference`, borrowed where it is the reference itself.
    ///
    /// This is the resolver's own full answer: `rfc3986` removes dot segments from an absolute
    /// reference too, and `whatwg` normalises it. To leave absolute references alone, ask
    /// [`Resolver::is_absolute`] first.
    ///
    /// # Errors
    /// As [`Resolver::resolve_into`].
    pub fn resolve<'r>(
        self,
        base: &BaseUrl,
        reference: &'r str,
    ) -> Result<Cow<'r, str>, InvalidUrl> {
        let stays = match self {
            Resolver::Rfc1808 => self.is_absolute(base, reference),
            Resolver::Rfc3986 => self.is_absolute(base, reference) && rfc3986::is_fixed(reference),
            Resolver::Whatwg => false,
        };
        if stays {
            return Ok(Cow::Borrowed(reference));
        }
        let mut out = String::with_capacity(base.as_str().len() + reference.len());
        self.resolve_into(base, reference, &mut out)?;
        Ok(if out == reference {
            Cow::Borrowed(reference)
        } else {
            Cow::Owned(out)
        })
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Resolver {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name())
    }
}

impl fmt::Display for Resolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Resolver {
    type Err = UnknownResolver;

    fn from_str(name: &str) -> Result<Resolver, UnknownResolver> {
        Resolver::ALL
            .into_iter()
            .find(|resolver| resolver.name() == name)
            .ok_or_else(|| UnknownResolver(name.to_owned()))
    }
}

/// RFC 1808 §4: the absolute form of `reference`, borrowed if it is the reference itself.
/// [`Resolver::resolve`] follows other standards, and takes a base URL that was parsed already.
///
/// # Errors
/// [`UnsuitableBase`] says why `base` cannot be a base URL.
///
/// # Examples
/// ```
/// assert_eq!(abslink_url::resolve("http://a/b/c/d;p?q", "../g")?, "http://a/b/g");
/// assert_eq!(abslink_url::resolve("http://a/b/c/d;p?q", "http://x/")?, "http://x/");
/// assert!(abslink_url::resolve("docs/", "g").is_err());
/// # Ok::<(), abslink_url::UnsuitableBase>(())
/// ```
pub fn resolve<'r>(base: &str, reference: &'r str) -> Result<Cow<'r, str>, UnsuitableBase> {
    let base = BaseUrl::parse(&pre_step(base))?;
    let stays = |_| Cow::Borrowed(reference);
    Ok(match pre_step(reference) {
        // By RFC 1808 every reference has a result.
        Cow::Borrowed(text) => (Resolver::Rfc1808.resolve(&base, text)).unwrap_or_else(stays),
        Cow::Owned(text) => match Resolver::Rfc1808.resolve(&base, &text) {
            Ok(url) => Cow::Owned(url.into_owned()),
            Err(error) => stays(error),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back() {
        for resolver in Resolver::ALL {
            assert_eq!(resolver.name().parse(), Ok(resolver));
            assert_eq!(resolver.to_string(), resolver.name());
        }
        let error = "rfc2396".parse::<Resolver>().unwrap_err();
        assert!(error.to_string().contains("`rfc2396`"));
    }

    #[test]
    fn the_face_takes_the_pre_step_for_both() {
        let resolved = |reference| resolve(" http://a/b/c\n", reference).unwrap();
        assert_eq!(resolved(" ../d "), "http://a/d");
        assert_eq!(resolved("d\te"), "http://a/b/de");
        assert!(matches!(resolved(" x:y\n"), Cow::Borrowed("x:y")));
        assert_eq!(resolve("b/c", "d"), Err(UnsuitableBase::Relative));
    }

    #[test]
    fn what_stays_is_borrowed() {
        let base = BaseUrl::any("http://a/b");
        for (resolver, reference) in [
            (Resolver::Rfc1808, "http://a/../x"),
            (Resolver::Rfc3986, "http://a/x"),
            (Resolver::Whatwg, "http://a/x"),
        ] {
            let resolved = resolver.resolve(&base, reference);
            assert!(matches!(resolved, Ok(Cow::Borrowed(_))), "{resolver}");
        }
    }
}
