//! The rows of what is not in the table but was named by the user ([`CustomAttribute`]).
//!
//! They are like those of `data-src`: an empty value stays, and `#x` is resolved. Only `url(#x)` stays,
//! as in all CSS, since it points into its own document whatever the base URL. The name of the
//! attribute is not in the row; [`Places`] has it.
//!
//! [`CustomAttribute`]: crate::CustomAttribute
//! [`Places`]: crate::places::list::Places

use super::{Against, Group, Hash, Row, ValueKind, text};

/// The kinds of values that `--attr` knows.
pub(crate) static ROWS: [(&str, Row); 8] = rows(Group::Lazy, ValueKind::Srcdoc);

/// The same for the elements of feeds, and for text in XML: names keep their letter case, and HTML is a
/// part of its page.
pub(crate) static XML_ROWS: [(&str, Row); 8] = rows(Group::Feed, ValueKind::Html);

const fn rows(group: Group, html: ValueKind) -> [(&'static str, Row); 8] {
    const fn row(group: Group, kind: ValueKind) -> Row {
        text("", kind, group, Hash::Resolve)
    }
    [
        ("url", row(group, ValueKind::Url)),
        ("srcset", row(group, ValueKind::Srcset)),
        (
            "css",
            Row {
                group: match group {
                    Group::Lazy => Group::Css,
                    group => group,
                },
                ..text("", ValueKind::CssDeclarations, group, Hash::Leave)
            },
        ),
        ("space-list", row(group, ValueKind::SpaceList)),
        ("comma-list", row(group, ValueKind::CommaList)),
        ("refresh", row(group, ValueKind::Refresh)),
        ("html", row(group, html)),
        (
            "json",
            Row {
                against: Against::Codebase,
                ..row(group, ValueKind::LinkedData)
            },
        ),
    ]
}
