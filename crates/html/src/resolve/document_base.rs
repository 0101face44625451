//! The base URL of a document with everything that the settings say about it.

use std::borrow::Cow;

use super::replay;
use crate::base::{self, BaseSource, Context, DocumentBase, RelativeBase};
use crate::places::attributes::ValueKind;
use crate::places::groups::Group;
use crate::settings::Settings;
use crate::settings::placeholder::first;
use crate::text::encoding::Charset;
use abslink_url::{BaseUrl, UnsuitableBase, pre_step, rfc3986};

/// [`base::document_base`] for text that is UTF-8, and may be a template's.
pub fn document_base(
    embedded: Option<&str>,
    context: &Context,
    settings: &Settings,
) -> DocumentBase {
    document_base_in(&Charset::utf8(""), embedded, context, settings)
}

/// [`base::document_base`] for a document in that encoding, which may be a template: what its `base` element
/// will say cannot be told, so nothing can be relative to it.
pub fn document_base_in(
    charset: &Charset<'_>,
    embedded: Option<&str>,
    context: &Context,
    settings: &Settings,
) -> DocumentBase {
    let Some(href) = embedded else {
        return base::document_base(None, context, settings.resolver).unwrapped(settings);
    };
    if has_placeholder(href, settings) {
        return DocumentBase {
            source: BaseSource::Embedded,
            refused: Some((href.to_owned(), UnsuitableBase::Unfilled)),
            evidence: context.evidence.clone(),
            ..DocumentBase::default()
        };
    }
    let outer = context.fallback().map(|(url, _)| url);
    let read = pre_step(href);
    let mut read = charset.percent_encode_inner(&read, outer);
    // The page in an archive needs no base URL, so nor does what is relative to it.
    if outer.is_none()
        && settings.unwrap
        && let Some(inner) = replay::unwrapped(&read)
    {
        read = Cow::Owned(inner);
    }
    let document_base = base::document_base(Some(&read), context, settings.resolver);
    let document_base = document_base.unwrapped(settings);
    let becomes = becomes(&read, &document_base, context, settings);
    // It is shown as it is written.
    let (refused, relative) = (document_base.refused, document_base.relative);
    DocumentBase {
        refused: refused.map(|(_, reason)| (href.to_owned(), reason)),
        relative: relative.map(|it| RelativeBase {
            href: href.to_owned(),
            ..it
        }),
        becomes,
        ..document_base
    }
}

/// [`DocumentBase::becomes`], for the `href` of a `base` element. Where a comment asks to leave the element, it
/// does not.
fn becomes(
    href: &str,
    document_base: &DocumentBase,
    context: &Context,
    settings: &Settings,
) -> Option<BaseUrl> {
    document_base.browser.as_ref()?;
    let (base, resolver) = (document_base.base.as_ref()?, settings.resolver);
    let (outer, _) = context.fallback()?;
    let exclude = settings.exclude.as_ref();
    let stays = resolver.is_absolute(outer, href)
        || !settings.groups.contains(Group::Links)
        || exclude.is_some_and(|exclude| exclude.is_match(href));
    let written = resolver.resolve(outer, href).ok().filter(|_| !stays)?;
    let read = base::document_base(Some(&written), context, resolver).unwrapped(settings);
    let is_same = read.browser.is_none() && read.base.as_ref() == Some(base);
    is_same.then(|| base.clone())
}

/// Whether a URL has a placeholder that counts.
pub fn has_placeholder(url: &str, settings: &Settings) -> bool {
    first(url, ValueKind::Url, settings.placeholders).is_some()
}

/// Whether something stands behind the host: a base without a path would get one, and with it another meaning.
pub(super) fn has_path(base: &BaseUrl) -> bool {
    let parts = rfc3986::split(base.as_str());
    parts.net_loc.is_none() || parts.path.starts_with('/')
}
