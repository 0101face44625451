//! What is written for a web archive.

use abslink_containers::warc::Moment;
use abslink_html::{Fragments, Group, Placeholders, Settings};

/// What is written of a web archive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ArchiveForm {
    /// A new archive with a conversion of each document that changes, and nothing else.
    Conversions,
    /// The archive as it is, with each conversion after its original.
    #[default]
    Append,
    /// The archive with the documents themselves changed, for programs that know no conversions.
    Response,
}

/// How web archives are written.
///
/// # Examples
/// ```
/// use abslink::batch::{Input, Plan, Task};
///
/// let mut plan = Plan::new(vec![Input::Stdin], Task::Examine);
/// plan.archives.date = Some("2026-01-31T12:00:00Z".parse()?);
/// # Ok::<(), abslink::batch::NoMoment>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ArchiveOptions {
    /// What is written.
    pub form: ArchiveForm,
    /// The date of the new records; by default the time at which the run begins.
    pub date: Option<Moment>,
    /// Whether `-i` replaces an archive that a directory holds, and not only one that is named.
    pub replaces_found: bool,
    /// Whether the record that describes the run shows the passwords in URLs; otherwise they are
    /// `***`.
    pub show_passwords: bool,
}

impl ArchiveForm {
    /// Whether the records of the input are in the output too.
    pub(crate) fn copies(self) -> bool {
        self != ArchiveForm::Conversions
    }
}

/// How documents are rewritten. It has everything that the result depends on, since ids are made from it.
pub(crate) fn described(html: &Settings) -> String {
    let groups: Vec<_> = (Group::ALL.into_iter())
        .filter(|group| html.groups.contains(*group))
        .map(Group::name)
        .collect();
    let fragments = match html.fragments {
        Fragments::Auto | Fragments::Resolve => "resolve",
        Fragments::Keep => "keep",
    };
    let mut text = format!(
        "--resolver {} --fragments {fragments} --skip all --also {}",
        html.resolver.name(),
        groups.join(",")
    );
    if html.placeholders == Placeholders::Resolve {
        text.push_str(" --placeholders resolve");
    }
    for place in html.custom_attributes.iter() {
        text.push_str(&format!(" --attr {:?}", place.to_string()));
    }
    for prefix in html.moves.iter() {
        text.push_str(&format!(" --move-url {:?}", prefix.to_string()));
    }
    if html.unwrap {
        text.push_str(" --unwrap");
    }
    if let Some(pattern) = &html.exclude {
        // A line of the record's block must not contain a line break.
        text.push_str(&format!(" --exclude-url {:?}", pattern.as_str()));
    }
    text
}
