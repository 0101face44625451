//! Keyword arguments are options of the command: they have its names, defaults and rules, since its
//! own parser reads them.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use abslink::batch::{Plan, ReadAs};
use abslink::bindings::Rewrite;
use abslink::{Context, Settings, Syntax};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyString};

use crate::errors::{UsageError, guarded, unsuitable};

/// The options that say something about one document. The others are about files.
const OF_DOCUMENTS: [&str; 9] = [
    "charset",
    "read_as",
    "resolver",
    "fragments",
    "also",
    "skip",
    "attr",
    "exclude_url",
    "map_url",
];

/// How documents are read.
#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) settings: Settings,
    pub(crate) syntax: Syntax,
    charset: Option<String>,
}

static DEFAULT: LazyLock<Arc<Options>> = LazyLock::new(|| {
    Arc::new(Options {
        settings: Settings::default(),
        syntax: Syntax::Html,
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
        let arguments = arguments(given, |name| OF_DOCUMENTS.contains(&name))?;
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

    /// What is known of a document from outside. `charset` counts more than the one of the options.
    pub(crate) fn context(
        &self,
        base_url: Option<&str>,
        charset: Option<&str>,
        is_text: bool,
    ) -> PyResult<Context> {
        let mut context = match base_url {
            None => Context::default(),
            Some(url) => Context::retrieved_from(url).map_err(|reason| unsuitable(url, &reason))?,
        };
        let label = charset.or(self.charset.as_deref());
        let label = if is_text { Some("utf-8") } else { label };
        context.charset = label.map(str::to_owned);
        Ok(context)
    }
}

impl TryFrom<Plan> for Options {
    type Error = PyErr;

    fn try_from(plan: Plan) -> PyResult<Options> {
        let syntax = match plan.selection.read_as {
            None | Some(ReadAs::Html) => Syntax::Html,
            Some(ReadAs::Xhtml) => Syntax::Xml,
            Some(_) => {
                let message = "one document is read as html or xhtml; for files of other kinds \
                               there is rewrite_tree";
                return Err(UsageError::new_err(message));
            }
        };
        Ok(Options {
            settings: plan.html,
            syntax,
            charset: plan.charset,
        })
    }
}

/// What `abslink rewrite` would do with these arguments.
pub(crate) fn parse(arguments: impl IntoIterator<Item = OsString>) -> PyResult<Rewrite> {
    guarded(|| Rewrite::parse(arguments))?.map_err(UsageError::new_err)
}

/// Keyword arguments as they are typed, if `is_known`.
pub(crate) fn arguments(
    given: &Bound<'_, PyDict>,
    is_known: impl Fn(&str) -> bool,
) -> PyResult<Vec<OsString>> {
    let mut arguments = Vec::new();
    for (name, value) in given {
        let name: String = name.extract()?;
        if !is_known(&name) {
            let message = format!("there is no option {name} here");
            return Err(PyTypeError::new_err(message));
        }
        let option = match &*name {
            "read_as" => "--as".to_owned(),
            _ => format!("--{}", name.replace('_', "-")),
        };
        push(option, &value, &mut arguments)?;
    }
    Ok(arguments)
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
        arguments.push(with(value.extract::<PathBuf>()?.into()));
    } else if !value.is_none() {
        for value in value.try_iter()? {
            push(option.clone(), &value?, arguments)?;
        }
    }
    Ok(())
}
