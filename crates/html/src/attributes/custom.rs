//! The rows of attributes that are not in the table but were named by the user ([`CustomAttribute`]).
//!
//! They are like those of `data-src`: an empty value stays, and `#x` is resolved. Only `url(#x)` stays,
//! as in all CSS, since it points into its own document whatever the base URL. The name of the
//! attribute is not in the row; [`Places`] has it.
//!
//! [`CustomAttribute`]: crate::CustomAttribute
//! [`Places`]: crate::places::Places

use super::{Against, Group, Hash, Row, ValueKind, text};

const fn row(kind: ValueKind) -> Row {
    text("", kind, Group::Lazy, Hash::Resolve)
}

/// The kinds of values that `--attr` knows.
pub(crate) static ROWS: [(&str, Row); 8] = [
    ("url", row(ValueKind::Url)),
    ("srcset", row(ValueKind::Srcset)),
    (
        "css",
        text("", ValueKind::CssDeclarations, Group::Css, Hash::Leave),
    ),
    ("space-list", row(ValueKind::SpaceList)),
    ("comma-list", row(ValueKind::CommaList)),
    ("refresh", row(ValueKind::Refresh)),
    ("html", row(ValueKind::Srcdoc)),
    (
        "json",
        Row {
            against: Against::Codebase,
            ..row(ValueKind::LinkedData)
        },
    ),
];
