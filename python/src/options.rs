//! Keyword arguments are options of the command: they have its names, defaults and rules, since its
//! own parser reads them.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use abslink::batch::{self, Plan};
use abslink::bindings::Rewrite;
use abslink::{Context, Settings, Syntax, To};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyString};

use crate::errors::{BaseUrlError, UsageError, guarded, unsuitable};
use crate::text::{unencoded, utf8};

/// The options that say something about one document. The others are about files.
const OF_DOCUMENTS: [&str; 15] = [
    "charset",
    "read_as",
    "resolver",
    "fragments",
    "placeholders",
    "also",
    "skip",
    "only",
    "attr",
    "exclude_url",
    "to",
    "site",
    "move_url",
    "remove_base",
    "unwrap",
];

/// What a document is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Html(Syntax),
    Feed,
    Message,
    Markdown,
}

/// How documents are read.
#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) settings: Settings,
    pub(crate) kind: Kind,
    charset: Option<String>,
}

static DEFAULT: LazyLock<Arc<Options>> = LazyLock::new(|| {
    Arc::new(Options {
        settings: Settings::default(),
        kind: Kind::Html(Syntax::Html),
        charset: None,
    })
});

/// Those of the last call, since a program has the same for one document after another.
static LAST: Mutex<Option<(Vec<OsString>, Arc<Options>)>> = Mutex::new(None);

impl Options {
    /// By the keyword arguments of a call.
    pub(crate) fn of(given: Option<&Bound<'_, PyDict>>) -> PyResult<Arc<Options>> {
        let Some(given) = given.filter(|given| !given.is_empty()) else {
            return Ok(Arc::clone(&DEFAULT));
        };
        let arguments = arguments(given, &OF_DOCUMENTS)?;
        let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of_last, options)) = &*last
            && *of_last == arguments
        {
            return Ok(Arc::clone(options));
        }
        let stdin = [OsString::from("-")].into_iter();
        let plan = parse(stdin.chain(arguments.iter().cloned()))?.plan;
        let options = Arc::new(Options::try_from(plan)?);
        *last = Some((arguments, Arc::clone(&options)));
        Ok(options)
    }

    /// What is known about a document from outside. `charset` takes precedence over that of the
    /// options.
    pub(crate) fn context(
        &self,
        base_url: Option<&Bound<'_, PyString>>,
        charset: Option<&Bound<'_, PyString>>,
        is_text: bool,
    ) -> PyResult<Context> {
        let mut context = match base_url {
            None => Context::default(),
            Some(url) => {
                let url = utf8::<BaseUrlError>(url, "base_url")?;
                Context::retrieved_from(&url).map_err(|reason| unsuitable(&url, &reason))?
            }
        };
        context.charset = match charset {
            _ if is_text => Some("utf-8".to_owned()),
            Some(label) => Some(utf8::<UsageError>(label, "charset")?),
            None => self.charset.clone(),
        };
        Ok(context.unwrapped(&self.settings))
    }

    /// Whether a document is HTML or XHTML, for functions that take only these.
    pub(crate) fn syntax(&self) -> PyResult<Syntax> {
        match self.kind {
            Kind::Html(syntax) => Ok(syntax),
            Kind::Feed | Kind::Message | Kind::Markdown => Err(UsageError::new_err(
                "here a document is read as html or xhtml; rewrite takes the other kinds, \
                 and check lists what is relative in files of every kind",
            )),
        }
    }
}

impl TryFrom<Plan> for Options {
    type Error = PyErr;

    fn try_from(plan: Plan) -> PyResult<Options> {
        let kind = match plan.selection.read_as {
            None | Some(batch::Kind::HTML) => Kind::Html(Syntax::Html),
            Some(batch::Kind::XHTML) => Kind::Html(Syntax::Xml),
            Some(batch::Kind::FEED) => Kind::Feed,
            Some(batch::Kind::MESSAGE) => Kind::Message,
            Some(batch::Kind::MARKDOWN) => Kind::Markdown,
            Some(_) => {
                let message = "one document is read as html, xhtml, feed, message or markdown; for files of \
                               other kinds there is rewrite_tree";
                return Err(UsageError::new_err(message));
            }
        };
        let mut settings = plan.html;
        // Readers of feeds do not agree on what is relative to what.
        if matches!(kind, Kind::Feed) && settings.to.is_short() {
            settings.to = To::Absolute;
        }
        Ok(Options {
            settings,
            kind,
            charset: plan.charset,
        })
    }
}

/// What `abslink rewrite` would do with these arguments.
pub(crate) fn parse(arguments: impl IntoIterator<Item = OsString>) -> PyResult<Rewrite> {
    guarded(|| Rewrite::parse(arguments))?.map_err(UsageError::new_err)
}

/// Keyword arguments as they are typed, if they are `known`.
pub(crate) fn arguments(
    given: &Bound<'_, PyDict>,
    known: &[impl AsRef<str>],
) -> PyResult<Vec<OsString>> {
    let mut arguments = Vec::new();
    for (name, value) in given {
        let name: String = name.extract()?;
        if !known.iter().any(|known| known.as_ref() == name) {
            return Err(unknown(given.py(), &name, known));
        }
        let option = match &*name {
            "read_as" => "--as".to_owned(),
            _ => format!("--{}", name.replace('_', "-")),
        };
        push(option, &value, &mut arguments)?;
    }
    Ok(arguments)
}

/// The error that there is no such option, with the one that may be meant.
fn unknown(py: Python<'_>, name: &str, known: &[impl AsRef<str>]) -> PyErr {
    let known: Vec<_> = known.iter().map(AsRef::as_ref).collect();
    let nearest = || -> PyResult<Vec<String>> {
        let difflib = py.import("difflib")?;
        difflib
            .call_method1("get_close_matches", (name, known, 1))?
            .extract()
    };
    match nearest() {
        Err(error) => error,
        Ok(nearest) => {
            let tip = nearest
                .first()
                .map(|nearest| format!("; is {nearest} meant?"));
            let tip = tip.unwrap_or_default();
            PyTypeError::new_err(format!("there is no option {name} here{tip}"))
        }
    }
}

/// An option as it is typed: once for each value; alone if it is `True`, and not at all if it is
/// `None` or `False`.
fn push(option: String, value: &Bound<'_, PyAny>, arguments: &mut Vec<OsString>) -> PyResult<()> {
    let with = |value: OsString| {
        let mut argument = OsString::from(format!("{option}="));
        argument.push(value);
        argument
    };
    if let Ok(is_on) = value.cast::<PyBool>() {
        if is_on.is_true() {
            arguments.push(option.into());
        }
    } else if value.is_instance_of::<PyInt>() {
        arguments.push(with(value.str()?.extract()?));
    } else if value.is_instance_of::<PyString>() || value.hasattr("__fspath__")? {
        let text = value.extract::<PathBuf>();
        let text = text.map_err(|error| unencoded::<UsageError>(error, value, &option))?;
        arguments.push(with(text.into()));
    } else if !value.is_none() {
        for value in value.try_iter()? {
            push(option.clone(), &value?, arguments)?;
        }
    }
    Ok(())
}
