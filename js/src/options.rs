//! The options of a call: those of the command.

use std::cell::RefCell;
use std::fmt::Display;
use std::rc::Rc;
use std::str::FromStr;

use abslink_containers::feed::FeedBase;
use abslink_html::{
    Context, Fragments, Group, Groups, MappedPrefixes, Placeholders, Settings, Site, Syntax, To,
};
use abslink_url::{password, pre_step};
use encoding_rs::Encoding;

use crate::failure::Failure;
use crate::pattern;

/// What a document is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Kind {
    #[default]
    Html,
    Xhtml,
    Message,
    Feed,
    Css,
    Manifest,
    SpeculationRules,
}

/// How documents are read.
#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) settings: Settings,
    pub(crate) kind: Kind,
    pub(crate) feed_base: FeedBase,
    /// Whether documents are text: decoded already, and in UTF-8 here.
    pub(crate) is_text: bool,
    charset: Option<String>,
}

/// What `lib/options.js` gives; what is left out has the command's default.
#[derive(Debug, Default)]
struct Given {
    is_text: bool,
    r#as: Option<String>,
    charset: Option<String>,
    /// What a Content-Type says, which may be no encoding at all.
    content_charset: Option<String>,
    resolver: Option<String>,
    fragments: Option<String>,
    placeholders: Option<String>,
    also: Vec<String>,
    skip: Vec<String>,
    only: Vec<String>,
    attr: Vec<String>,
    /// As JavaScript prints an expression: `/source/flags`.
    exclude_url: Option<String>,
    to: Option<String>,
    site: Vec<String>,
    move_url: Vec<String>,
    remove_base: bool,
    unwrap: bool,
    feed_base: Option<String>,
}

impl Given {
    /// Of names and values, each with a NUL behind it, whose types `lib/options.js` has checked.
    fn of(options: &str) -> Result<Given, Failure> {
        let mut given = Given::default();
        let mut parts = options.split_terminator('\0');
        while let (Some(name), Some(value)) = (parts.next(), parts.next()) {
            let value = value.to_owned();
            match name {
                "isText" => given.is_text = true,
                "as" => given.r#as = Some(value),
                "charset" => given.charset = Some(value),
                "contentCharset" => given.content_charset = Some(value),
                "resolver" => given.resolver = Some(value),
                "fragments" => given.fragments = Some(value),
                "placeholders" => given.placeholders = Some(value),
                "also" => given.also.push(value),
                "skip" => given.skip.push(value),
                "only" => given.only.push(value),
                "attr" => given.attr.push(value),
                "excludeUrl" => given.exclude_url = Some(value),
                "to" => given.to = Some(value),
                "site" => given.site.push(value),
                "moveUrl" => given.move_url.push(value),
                "removeBase" => given.remove_base = true,
                "unwrap" => given.unwrap = true,
                "feedBase" => given.feed_base = Some(value),
                _ => return Err(Failure::usage(format_args!("there is no option {name}"))),
            }
        }
        Ok(given)
    }
}

/// The options of so many calls are kept, since a program has the same for one document after another.
const KEPT: usize = 8;

thread_local! {
    /// The last one used comes last.
    static LAST: RefCell<Vec<(String, Rc<Options>)>> = const { RefCell::new(Vec::new()) };
}

impl Options {
    /// Of what `lib/options.js` gives.
    pub(crate) fn of(given: &str) -> Result<Rc<Options>, Failure> {
        LAST.with_borrow_mut(|last| {
            let found = last.iter().position(|(of, _)| of == given);
            let entry = match found {
                Some(at) => last.remove(at),
                None => {
                    let options = Options::try_from(Given::of(given)?)?;
                    (given.to_owned(), Rc::new(options))
                }
            };
            if last.len() == KEPT {
                last.remove(0);
            }
            let options = Rc::clone(&entry.1);
            last.push(entry);
            Ok(options)
        })
    }

    /// What is known about a document from outside.
    pub(crate) fn context(&self, base: Option<&str>) -> Result<Context, Failure> {
        let mut context = match base {
            None => Context::default(),
            Some(url) => Context::retrieved_from(&pre_step(url))
                .map_err(|reason| Failure::base(url, &reason))?,
        };
        context.charset = match self.is_text {
            true => Some("utf-8".to_owned()),
            false => self.charset.clone(),
        };
        Ok(context.unwrapped(&self.settings))
    }

    /// The rules by which a document of this kind is parsed, if it is one of HTML.
    pub(crate) fn syntax(&self) -> Option<Syntax> {
        match self.kind {
            Kind::Html => Some(Syntax::Html),
            Kind::Xhtml => Some(Syntax::Xml),
            _ => None,
        }
    }
}

impl TryFrom<Given> for Options {
    type Error = Failure;

    fn try_from(mut given: Given) -> Result<Options, Failure> {
        let mut settings = Settings::default();
        settings.resolver = parsed("resolver", given.resolver.as_deref())?.unwrap_or_default();
        settings.fragments = named(
            "fragments",
            given.fragments.as_deref(),
            [
                ("auto", Fragments::Auto),
                ("resolve", Fragments::Resolve),
                ("keep", Fragments::Keep),
            ],
        )?;
        settings.placeholders = named(
            "placeholders",
            given.placeholders.as_deref(),
            [
                ("keep", Placeholders::Keep),
                ("resolve", Placeholders::Resolve),
            ],
        )?;
        settings.groups = groups(&given)?;
        let attributes = given.attr.iter().map(|attr| one("attr", attr));
        settings.custom_attributes = attributes
            .collect::<Result<Vec<_>, _>>()?
            .into_iter()
            .collect();
        settings.exclude = given.exclude_url.take().map(pattern::of_host);
        settings.moves = prefixes("moveUrl", &given.move_url)?;
        settings.remove_base = given.remove_base;
        settings.unwrap = given.unwrap;
        if let Some([first, second]) = settings.moves.chained() {
            return Err(Failure::usage(format_args!(
                "moveUrl {first} and moveUrl {second}: a second run would move on what the first has moved; \
                 write where it is to be in the end"
            )));
        }
        let forms = [To::Absolute, To::Relative, To::Root, To::Keep].map(|to| (to.name(), to));
        settings.to = named("to", given.to.as_deref(), forms)?;
        settings.site = site(&given, &settings)?;
        let feed_base = named(
            "feedBase",
            given.feed_base.as_deref(),
            [
                ("item", FeedBase::Item),
                ("feed", FeedBase::Feed),
                ("document", FeedBase::Document),
            ],
        )?;
        let kind = named(
            "as",
            given.r#as.as_deref(),
            [
                ("html", Kind::Html),
                ("xhtml", Kind::Xhtml),
                ("message", Kind::Message),
                ("feed", Kind::Feed),
                ("css", Kind::Css),
                ("manifest", Kind::Manifest),
                ("speculation-rules", Kind::SpeculationRules),
            ],
        )?;
        if let Some(label) = &given.charset
            && Encoding::for_label(label.as_bytes()).is_none()
        {
            return Err(Failure::usage(format_args!(
                "charset {label}: not a label of the Encoding Standard; write for example utf-8 or shift_jis"
            )));
        }
        let options = Options {
            settings,
            kind,
            feed_base,
            is_text: given.is_text,
            charset: given.charset.or(given.content_charset),
        };
        options.check()
    }
}

impl Options {
    /// What the command says too about options that do not go together.
    fn check(mut self) -> Result<Options, Failure> {
        let settings = &self.settings;
        if settings.to == To::Absolute {
            return Ok(self);
        }
        if settings.to == To::Keep {
            return match settings.moves.is_empty() && !settings.unwrap {
                true => Err(Failure::usage(
                    "to: 'keep' changes nothing by itself; add moveUrl or unwrap",
                )),
                false => Ok(self),
            };
        }
        // Readers of feeds do not agree on what is relative to what.
        if self.kind == Kind::Feed {
            self.settings.to = To::Absolute;
        }
        Ok(self)
    }
}

/// The value of an option.
fn one<T>(option: &str, value: &str) -> Result<T, Failure>
where
    T: FromStr<Err: Display>,
{
    (value.parse()).map_err(|error| {
        let urls: Vec<_> = value.split('=').map(password::masked_url).collect();
        Failure::usage(format_args!("{option} {}: {error}", urls.join("=")))
    })
}

/// The value of an option, if it is given.
fn parsed<T>(option: &str, value: Option<&str>) -> Result<Option<T>, Failure>
where
    T: FromStr<Err: Display>,
{
    value.map(|value| one(option, value)).transpose()
}

/// The value with this name; the default if none is given.
fn named<T: Copy + Default, const N: usize>(
    option: &str,
    value: Option<&str>,
    table: [(&str, T); N],
) -> Result<T, Failure> {
    let Some(value) = value else {
        return Ok(T::default());
    };
    let row = table.iter().find(|(name, _)| *name == value);
    row.map(|(_, named)| *named).ok_or_else(|| {
        let names = table.map(|(name, _)| name).join(", ");
        Failure::usage(format_args!("{option} is one of {names}, and not {value}"))
    })
}

/// The places that count. `all` comes first, wherever it stands, so that the other names change something.
fn groups(given: &Given) -> Result<Groups, Failure> {
    const ALL: &str = "all";
    let (start, also) = match &given.only[..] {
        [] => (Groups::default(), &given.also),
        _ if given.also.len() + given.skip.len() > 0 => {
            return Err(Failure::usage(
                "`only` takes these places and no others: leave `also` and `skip` out",
            ));
        }
        _ => (Groups::NONE, &given.only),
    };
    let is_all = |name: &String| name == ALL;
    let with = |groups: Groups, group| groups.with(group);
    let without = |groups: Groups, group| groups.without(group);
    let mut groups = start;
    if also.iter().any(is_all) {
        groups = Group::ALL.into_iter().fold(groups, with);
    }
    if given.skip.iter().any(is_all) {
        groups = Group::ALL.into_iter().fold(groups, without);
    }
    let named = |option, names: &[String]| -> Result<Vec<Group>, Failure> {
        let names = names.iter().filter(|name| !is_all(name));
        names.map(|name| one(option, name)).collect()
    };
    let option = if given.only.is_empty() {
        "also"
    } else {
        "only"
    };
    groups = named(option, also)?.into_iter().fold(groups, with);
    Ok(named("skip", &given.skip)?
        .into_iter()
        .fold(groups, without))
}

fn prefixes(option: &str, given: &[String]) -> Result<MappedPrefixes, Failure> {
    let mut all = MappedPrefixes::default();
    for value in given {
        let with = all.with(one(option, value)?);
        all = with.map_err(|error| Failure::usage(format_args!("{option}: {error}")))?;
    }
    Ok(all)
}

/// The URLs that stand for the same tree.
fn site(given: &Given, settings: &Settings) -> Result<Site, Failure> {
    if !settings.to.is_short() && !given.site.is_empty() {
        return Err(Failure::usage(
            "site says what is in the tree for to: 'relative' and to: 'root': add one of them, or leave it out",
        ));
    }
    given.site.iter().try_fold(Site::default(), |all, url| {
        let moved = settings.moves.moved(url);
        let with = all.with(moved.as_deref().unwrap_or(url));
        with.map_err(|error| {
            let url = password::masked_url(url);
            Failure::usage(format_args!("site {url}: {error}"))
        })
    })
}
