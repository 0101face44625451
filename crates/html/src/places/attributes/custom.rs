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
pub(crate) static ROWS: [(&str, Row); 8] = rows(Group::Lazy, ValueKind::Srcdoc, Against::Base);

/// The same for the elements of feeds, and for text in XML: names keep their letter case, and HTML is a
/// part of its page.
pub(crate) static XML_ROWS: [(&str, Row); 8] = rows(Group::Feed, ValueKind::Html, Against::Base);

/// Both where an `xml:base` counts.
pub(crate) static ROWS_IN_XML_BASE: [[(&str, Row); 8]; 2] = [
    rows(Group::Lazy, ValueKind::Srcdoc, Against::Codebase),
    rows(Group::Feed, ValueKind::Html, Against::Codebase),
];

const fn rows(group: Group, html: ValueKind, against: Against) -> [(&'static str, Row); 8] {
    const fn row(group: Group, kind: ValueKind, against: Against) -> Row {
        Row {
            against,
            ..text("", kind, group, Hash::Resolve)
        }
    }
    [
        ("url", row(group, ValueKind::Url, against)),
        ("srcset", row(group, ValueKind::Srcset, against)),
        (
            "css",
            Row {
                group: match group {
                    Group::Lazy => Group::Css,
                    group => group,
                },
                against,
                ..text("", ValueKind::CssDeclarations, group, Hash::Leave)
            },
        ),
        ("space-list", row(group, ValueKind::SpaceList, against)),
        ("comma-list", row(group, ValueKind::CommaList, against)),
        ("refresh", row(group, ValueKind::Refresh, against)),
        ("html", row(group, html, against)),
        (
            "json",
            Row {
                against: Against::Codebase,
                ..row(group, ValueKind::LinkedData, against)
            },
        ),
    ]
}
