//! What the user asked for.

pub(crate) mod exclude;
pub(crate) mod placeholder;
pub(crate) mod second_reader;
pub(crate) mod site;

use crate::base::Context;
use crate::base::moves::MappedPrefixes;
use crate::places::custom_attributes::{CustomAttributes, Wanted};
use crate::places::groups::Groups;
use abslink_url::Resolver;
use exclude::ReferencePattern;
use placeholder::Placeholders;
use second_reader::Verify;
use site::{Site, To};

/// What happens to `href="#x"` on `a` and `area`, and to `#x` in the URLs of a feed: [`Settings::fragments`].
///
/// # Examples
/// ```
/// use abslink_html::{Context, Fragments, Settings, Syntax, rewrite_bytes};
///
/// let context = Context::retrieved_from("http://h/a.html")?;
/// let mut settings = Settings::default();
/// settings.fragments = Fragments::Keep;
/// assert!(!rewrite_bytes(b"<a href=#x>", Syntax::Html, &context, &settings).is_changed());
/// # Ok::<(), abslink_html::UnsuitableBase>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fragments {
    /// It is resolved like every other reference, but stays in Markdown, which is shown as a page of its own.
    #[default]
    Auto,
    /// It is resolved like every other reference.
    Resolve,
    /// It stays if the base URL is the document's own URL.
    Keep,
}

/// How much of a document is held in memory ([`Settings::engine`]); the result is the same.
///
/// # Examples
/// ```
/// use abslink_html::Settings;
/// use abslink_html::Engine;
///
/// let mut settings = Settings::default();
/// settings.engine = Engine::Stream;
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// All of a file up to 16 MiB and of standard input up to 8 MiB, and a window of a larger one.
    #[default]
    Auto,
    /// All of it.
    Memory,
    /// A window of it.
    Stream,
}

impl Engine {
    /// How many bytes a file may have to be held whole in memory.
    #[doc(hidden)]
    pub fn largest_held(self) -> u64 {
        match self {
            Engine::Auto => 16 << 20,
            Engine::Memory => u64::MAX,
            Engine::Stream => 0,
        }
    }
}

/// How documents are rewritten: the same for a whole run.
///
/// # Examples
#[cfg_attr(feature = "exclude", doc = "```")]
#[cfg_attr(not(feature = "exclude"), doc = "```ignore")]
/// use abslink_html::{Group, Resolver, Settings};
///
/// let mut settings = Settings::default();
/// settings.resolver = Resolver::Whatwg;
/// settings.groups = settings.groups.with(Group::Lazy);
/// settings.exclude = Some("^javascript:".parse()?);
/// # Ok::<(), abslink_html::PatternError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Settings {
    /// Which standard resolves.
    pub resolver: Resolver,
    /// Which places count.
    pub groups: Groups,
    /// Other groups, whose relative references are only counted ([`Tally::off`](crate::Tally::off)).
    #[doc(hidden)]
    pub counted: Option<Groups>,
    /// Further attributes that carry URLs, or that replace those of the groups.
    pub custom_attributes: CustomAttributes,
    /// What happens to same-document links.
    pub fragments: Fragments,
    /// What happens to template placeholders.
    pub placeholders: Placeholders,
    /// References to leave alone, matched against the decoded value after the pre-step.
    pub exclude: Option<ReferencePattern>,
    /// Which form references get.
    pub to: To,
    /// What a server may append to a path without saying so, such as `.html`, for the names of files.
    pub try_ext: Vec<String>,
    /// Whether `base` elements with a URL are taken out where no reference depends on them any more. With
    /// [`To::Files`] they are.
    pub remove_base: bool,
    /// What is in the same tree, for the forms of references that are not absolute.
    pub site: Site,
    /// Where references are moved to, before their form is chosen: those that are absolute as well.
    pub moves: MappedPrefixes,
    /// Whether the URL in that of a web archive's copy is taken, such as
    /// `/web/20200103104500/http://www.example.com/`, in references and in base URLs.
    pub unwrap: bool,
    /// Whether references to files in the tree stay (`Context::mirror`).
    pub only_missing: bool,
    /// How much of a document is held in memory.
    pub engine: Engine,
    /// Whether a second reader has to confirm a rewritten document.
    pub verify: Verify,
}

#[doc(hidden)]
impl Settings {
    /// Whether absolute references change too.
    pub fn has_forms(&self) -> bool {
        self.to != To::Absolute || !self.moves.is_empty() || self.remove_base || self.unwrap
    }

    /// Whether references may get another target.
    pub fn moves_targets(&self) -> bool {
        !self.moves.is_empty() || self.unwrap
    }

    /// Which places count in a document of which that is known.
    pub fn wanted_in(&self, context: &Context) -> Wanted<'_> {
        let mut wanted = self.wanted();
        if context.is_content {
            wanted.groups = wanted.groups.in_content();
            wanted.is_content = true;
        }
        wanted
    }

    /// Which places count.
    pub fn wanted(&self) -> Wanted<'_> {
        Wanted {
            counted: self.counted.unwrap_or(Groups::NONE),
            ..self.custom_attributes.wanted(self.groups)
        }
    }
}
