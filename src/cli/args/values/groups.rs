//! `--also`, `--skip` and `--only`.

use abslink_html::Group;
use clap::builder::TypedValueParser;

use super::one_of;

/// What `--also`, `--skip` and `--only` name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GroupName {
    /// Every group.
    All,
    /// One of them.
    One(Group),
}

/// `--also`, `--skip`, `--only`.
pub(crate) fn groups() -> impl TypedValueParser<Value = GroupName> {
    let mut rows = [("all", GroupName::All, "Every group"); Group::ALL.len() + 1];
    for (row, group) in rows.iter_mut().zip(Group::ALL) {
        *row = (group.name(), GroupName::One(group), about(group));
    }
    one_of(rows)
}

/// What a group holds, in a line.
fn about(group: Group) -> &'static str {
    match group {
        Group::Links => "href, src, data, poster, action, cite, ...",
        Group::Canonical => "link rel=canonical, shortlink, alternate hreflang; a part of links",
        Group::Srcset => "srcset, imagesrcset",
        Group::Css => "style attributes and elements, SVG presentation attributes",
        Group::Refresh => "meta http-equiv=refresh",
        Group::Srcdoc => "The page inside iframe srcdoc",
        Group::Svg => "href and xlink:href of SVG and MathML",
        Group::Legacy => "background, codebase, archive, profile, lowsrc, frames, ...",
        Group::Noscript => "What stands inside noscript",
        Group::Feed => "The URLs of a feed itself, of sitemaps, OPML and manifests",
        Group::Meta => "og:, twitter:, itemprop, msapplication; off by default",
        Group::Lazy => "data-src, data-srcset, data-href, ...; off by default",
        Group::Comments => "Conditional comments; off by default",
        Group::Json => "Import maps, speculation rules, JSON-LD; off by default",
        Group::Amp => "action-xhr, poster-portrait-src, ...; off by default",
        Group::Htmx => "hx-get, hx-post, data-hx-get, ...; off by default",
        Group::Blocks => "WordPress' block comments; on only in rows and feeds",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_is_a_name_of_its_own() {
        let names: Vec<_> = (groups().possible_values().into_iter().flatten())
            .map(|value| value.get_name().to_owned())
            .collect();
        assert_eq!(names.len(), Group::ALL.len() + 1);
        assert_eq!(names.last().map(String::as_str), Some("all"));
    }
}
