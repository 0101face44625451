//! The inverse of RFC 1808 §4: from a base URL and a target to a reference that leads there.
//!
//! RFC 1808 has no algorithm for this way. The steps are those that every reader of §4 takes back:
//!
//! 1. The target has the scheme and the network location of the base. Any other stays absolute.
//! 2. It is the base but for a fragment: the fragment alone says so (§4 step 5), where it may.
//! 3. What the paths share in front is left out, as far as it is directories; `../` leads out of
//!    each directory of the base that is not shared (§4 step 6), and the rest of the target follows.
//!    From the root, all of the path follows the network location (§4 step 4).
//! 4. What would be read as something else gets `./` before it: nothing at all (the base itself), a
//!    colon in the first segment (a scheme), `;` at its start (parameters), an empty first segment (a
//!    network location), white space (which is stripped). A query never stands alone: readers of RFC
//!    2396 drop the last segment of the base with it.
//! 5. The proof: resolved again, by each of the three resolvers, the reference is what that resolver
//!    makes of the target. Where one gives anything else, the target stays absolute.

use memchr::{memchr, memchr_iter, memchr2};

use crate::base::BaseUrl;
use crate::explain::Step;
use crate::resolver::Resolver;
use crate::rfc1808::{Components, parse};
use crate::shortcut::Shortcut;
use crate::text::named::named;
use crate::text::pre_step;
use crate::whatwg;

/// Which references lead to a target.
///
/// # Examples
/// ```
/// use abslink_url::{BaseUrl, inverse::{Form, Inverse}};
///
/// let base = BaseUrl::parse("http://h/docs/a/b.html")?;
/// let inverse = Inverse::of(Form::Relative);
/// assert_eq!(inverse.reference(&base, "http://h/docs/a/b.html#x").as_deref(), Ok("#x"));
/// // Where a fragment alone would mean the document and not its base:
/// let inverse = Inverse { fragment_alone: false, ..inverse };
/// assert_eq!(inverse.reference(&base, "http://h/docs/a/b.html#x").as_deref(), Ok("b.html#x"));
/// # Ok::<(), abslink_url::UnsuitableBase>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inverse {
    /// Where a path begins.
    pub form: Form,
    /// Whether a fragment alone means the base URL with that fragment.
    pub fragment_alone: bool,
}

named! {
/// Where the path of a reference begins.
///
/// # Examples
/// ```
/// use abslink_url::inverse::Form;
///
/// assert_eq!(Form::ALL.map(Form::name), ["relative", "root"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// At the directory of the base URL.
    Relative = "relative",
    /// At the root of the server, with a slash.
    Root = "root",
}
/// The form's name on the command line.
name
/// All forms.
ALL
}

/// Why a target stays absolute.
///
/// # Examples
/// ```
/// use abslink_url::{BaseUrl, inverse::{KeepReason, relative}};
///
/// let base = BaseUrl::parse("http://h/a/b")?;
/// assert_eq!(relative(&base, "https://h/a/c"), Err(KeepReason::OtherServer));
/// assert_eq!(relative(&base, "http://h/a/../c"), Err(KeepReason::DotSegments));
/// # Ok::<(), abslink_url::UnsuitableBase>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KeepReason {
    /// It has no scheme, or no network location behind it.
    #[error("it has no scheme and network location")]
    NotAbsolute,
    /// Its scheme, host, port, user or password is not the base URL's.
    #[error("it has another scheme, host, port or login than the base URL")]
    OtherServer,
    /// A resolver would remove segments of its path.
    #[error("its path has dot segments, which a resolver would remove")]
    DotSegments,
    /// Its path begins with two slashes, so that from the root it would begin with a host.
    #[error("its path begins with `//`, which would be read as a host")]
    TwoSlashes,
    /// A resolver would lead somewhere else.
    #[error("by {0} its reference would lead elsewhere")]
    NotProved(Resolver),
}

impl KeepReason {
    /// The step that it comes from.
    fn step(self) -> &'static str {
        match self {
            KeepReason::NotAbsolute | KeepReason::OtherServer | KeepReason::DotSegments => "1",
            KeepReason::TwoSlashes => "3",
            KeepReason::NotProved(_) => "5",
        }
    }
}

/// The reference that leads from `base` to `target`: the inverse of [`resolve`](super::resolve).
///
/// # Errors
/// [`KeepReason`] says why the target has to stay absolute.
///
/// # Examples
/// ```
/// use abslink_url::{BaseUrl, inverse::relative};
///
/// let base = BaseUrl::parse("https://e.org/docs/a/b.html")?;
/// for (target, reference) in [
///     ("https://e.org/docs/a/c.html#x", "c.html#x"),
///     ("https://e.org/docs/", "../"),
///     ("https://e.org/docs/a/", "./"),
///     ("https://e.org/docs/a/k:v.html", "./k:v.html"),
/// ] {
///     assert_eq!(relative(&base, target).as_deref(), Ok(reference));
/// }
/// # Ok::<(), abslink_url::UnsuitableBase>(())
/// ```
pub fn relative(base: &BaseUrl, target: &str) -> Result<String, KeepReason> {
    Inverse::of(Form::Relative).reference(base, target)
}

/// The reference that leads from the root of the server of `base` to `target`.
///
/// # Errors
/// As for [`relative`].
///
/// # Examples
/// ```
/// use abslink_url::{BaseUrl, inverse::from_root};
///
/// let base = BaseUrl::parse("https://e.org/docs/a/b.html")?;
/// assert_eq!(from_root(&base, "https://e.org/blog/?p=2").as_deref(), Ok("/blog/?p=2"));
/// # Ok::<(), abslink_url::UnsuitableBase>(())
/// ```
pub fn from_root(base: &BaseUrl, target: &str) -> Result<String, KeepReason> {
    Inverse::of(Form::Root).reference(base, target)
}

/// Whether a target is on the server of a base URL: scheme, host, port and login are the same.
///
/// # Examples
/// ```
/// use abslink_url::{BaseUrl, inverse::have_same_server};
///
/// let base = BaseUrl::parse("http://h/a/")?;
/// assert!(have_same_server(&base, "HTTP://H:80/b") && !have_same_server(&base, "https://h/a/"));
/// # Ok::<(), abslink_url::UnsuitableBase>(())
/// ```
pub fn have_same_server(base: &BaseUrl, target: &str) -> bool {
    let (from, to) = (split(base.as_str()), split(target));
    from.zip(to)
        .is_some_and(|(from, to)| are_of_one_server(&from, &to))
}

/// A URL as two are compared: scheme and host in lower case, without a default port, with the slash of
/// its root. `None` for what has no network location.
///
/// # Examples
/// ```
/// let normal = abslink_url::inverse::normal("HTTP://H:80?q");
/// assert_eq!(normal.as_deref(), Some("http://h/?q"));
/// ```
pub fn normal(url: &str) -> Option<String> {
    let url = split(url)?;
    Some(server(&url) + url.path + &after_path(&url))
}

impl Inverse {
    /// References of this form, where a fragment may stand alone.
    pub fn of(form: Form) -> Inverse {
        Inverse {
            form,
            fragment_alone: true,
        }
    }

    /// The reference that leads from `base` to `target`.
    ///
    /// # Errors
    /// [`KeepReason`] says why the target has to stay absolute.
    pub fn reference(self, base: &BaseUrl, target: &str) -> Result<String, KeepReason> {
        if let Some(shortcut) = base.shortcut()
            && target.starts_with(shortcut.server())
            && let Some((before, dropped)) = shortcut.resolve(target.as_bytes())
        {
            let mut reference = String::new();
            self.append(shortcut, before, &target[dropped..], &mut reference);
            return Ok(reference);
        }
        self.find(base, target, &mut |_, _| {})
    }

    /// Appends the reference that leads to `before` and `tail`, a target that [`Shortcut::resolve`] has given. All
    /// three resolvers lead back to it. Returns how many `../` a relative one begins with, and the path behind them.
    ///
    /// # Examples
    /// ```
    /// use abslink_url::{BaseUrl, inverse::{Form, Inverse}};
    ///
    /// let base = BaseUrl::parse("http://h/a/b/c")?;
    /// let shortcut = base.shortcut().expect("an everyday base URL");
    /// let (before, dropped) = shortcut.resolve(b"../b/d#x").expect("a plain reference");
    /// let mut out = String::new();
    /// let inverse = Inverse::of(Form::Relative);
    /// inverse.append(&shortcut, before, &"../b/d#x"[dropped..], &mut out);
    /// assert_eq!(out, "d#x");
    /// # Ok::<(), abslink_url::UnsuitableBase>(())
    /// ```
    #[doc(hidden)]
    pub fn append<'t>(
        self,
        base: &'t Shortcut,
        before: &'t str,
        tail: &'t str,
        out: &mut String,
    ) -> (usize, &'t str) {
        let directory = base.directory();
        let mut shared = directory.len().min(before.len());
        // Of the base itself, for a query or a fragment alone.
        let (name, query) = before[shared..].split_at(base.name().len().min(before.len() - shared));
        let end = memchr2(b'?', b'#', tail.as_bytes()).unwrap_or(tail.len());
        let (mut path, after) = match &before[shared..] {
            "" => tail.split_at(end),
            _ => (name, tail),
        };
        let (own_query, fragment) = after.split_at(after.find('#').unwrap_or(after.len()));
        if let Some(below_root) = path.strip_prefix('/') {
            (shared, path) = (shared + 1, below_root);
        }
        while let Some(slash) = memchr(b'/', &directory.as_bytes()[shared..])
            && let Some(inside) = path.strip_prefix(&directory[shared..=shared + slash])
        {
            (shared, path) = (shared + slash + 1, inside);
        }
        let is_same_path = shared == directory.len() && path == base.name();
        let is_base = is_same_path && [query, own_query].concat() == base.query();
        if self.fragment_alone && is_base && !fragment.is_empty() {
            out.push_str(fragment);
            return (0, path);
        }
        let levels = match self.form {
            Form::Root => {
                out.push_str(&directory[base.server().len()..shared]);
                0
            }
            Form::Relative => {
                let levels = memchr_iter(b'/', &directory.as_bytes()[shared..]).count();
                (0..levels).for_each(|_| out.push_str("../"));
                if levels == 0 && is_misread(path) {
                    out.push_str("./");
                }
                levels
            }
        };
        out.extend([path, query, after]);
        (levels, path)
    }

    /// What [`append`](Inverse::append) returns, if it would write the reference as it is, from its first byte on:
    /// `tail` behind the `dropped` bytes that `before` stands for. `None` where that takes more to tell.
    #[doc(hidden)]
    #[inline]
    pub fn unchanged<'t>(
        self,
        base: &Shortcut,
        before: &str,
        dropped: usize,
        tail: &'t str,
    ) -> Option<(usize, &'t str)> {
        let levels = dropped / b"../".len();
        let is_written_so = self.form == Form::Relative
            && dropped.is_multiple_of(b"../".len())
            && base.directories.get(levels) == Some(&before.len());
        let end = memchr2(b'?', b'#', tail.as_bytes()).unwrap_or(tail.len());
        let path = &tail[..end];
        if !is_written_so || path.is_empty() {
            return None;
        }
        let inside = &base.directory()[before.len()..];
        let is_shortest = match memchr(b'/', inside.as_bytes()) {
            Some(slash) => !path.starts_with(&inside[..=slash]),
            None => path != base.name() && !is_misread(path),
        };
        is_shortest.then_some((levels, path))
    }

    /// The same with the steps that were taken, in order, and with the numbers of [this module](self).
    ///
    /// # Examples
    /// ```
    /// use abslink_url::{BaseUrl, inverse::{Form, Inverse}};
    ///
    /// let base = BaseUrl::parse("http://h/a/b/c")?;
    /// let (reference, steps) = Inverse::of(Form::Relative).explain(&base, "http://h/a/d");
    /// assert_eq!(reference.as_deref(), Ok("../d"));
    /// assert_eq!(steps[2].text, "the paths share /a/; ../ for each of b: ../d");
    /// # Ok::<(), abslink_url::UnsuitableBase>(())
    /// ```
    pub fn explain(self, base: &BaseUrl, target: &str) -> (Result<String, KeepReason>, Vec<Step>) {
        let mut steps = Vec::new();
        let reference = self.find(base, target, &mut |number, text| {
            let text = text();
            steps.push(Step { number, text });
        });
        (reference, steps)
    }

    /// Gives `tell` the number of each step, and what it says.
    fn find(
        self,
        base: &BaseUrl,
        target: &str,
        tell: &mut dyn FnMut(&'static str, &dyn Fn() -> String),
    ) -> Result<String, KeepReason> {
        let found = self.candidate(base, target, tell).and_then(|reference| {
            let mut resolvers = Resolver::ALL.into_iter();
            match resolvers.find(|resolver| !leads(*resolver, base, &reference, target)) {
                Some(resolver) => Err(KeepReason::NotProved(resolver)),
                None => Ok(reference),
            }
        });
        match &found {
            Ok(_) => tell("5", &|| {
                "all three resolvers lead back to the target".to_owned()
            }),
            Err(reason) => tell(reason.step(), &|| format!("it stays absolute: {reason}")),
        }
        found
    }

    /// Steps 1 to 4.
    fn candidate(
        self,
        base: &BaseUrl,
        target: &str,
        tell: &mut dyn FnMut(&'static str, &dyn Fn() -> String),
    ) -> Result<String, KeepReason> {
        let from = split(base.as_str()).ok_or(KeepReason::NotAbsolute)?;
        let to = split(target).ok_or(KeepReason::NotAbsolute)?;
        if !are_of_one_server(&from, &to) {
            return Err(KeepReason::OtherServer);
        }
        if (to.path.split('/')).any(|segment| whatwg::dots(segment).is_some()) {
            return Err(KeepReason::DotSegments);
        }
        let [scheme, net_loc] = [to.scheme, to.net_loc].map(Option::unwrap_or_default);
        tell("1", &|| format!("both are of {scheme}://{net_loc}"));
        let is_base = (from.path, from.query) == (to.path, to.query);
        if self.fragment_alone
            && is_base
            && let Some(fragment) = to.fragment
        {
            tell("2", &|| {
                format!("it is the base but for a fragment: {}", after_path(&to))
            });
            return Ok(format!("#{fragment}"));
        }
        let said = match is_base {
            true => "it is the base, and no fragment alone can say so",
            false => "it is not the base",
        };
        tell("2", &|| said.to_owned());
        let path = match self.form {
            Form::Root if to.path.starts_with("//") => return Err(KeepReason::TwoSlashes),
            Form::Root => {
                tell("3", &|| format!("the path from the root: {}", to.path));
                to.path.to_owned()
            }
            Form::Relative => {
                let path = path(from.path, to.path, tell);
                if is_misread(&path) {
                    tell("4", &|| format!("`./` before it: ./{path}"));
                    format!("./{path}")
                } else {
                    path
                }
            }
        };
        Ok(path + &after_path(&to))
    }
}

/// The path from the directory of one path to another.
fn path(from: &str, to: &str, tell: &mut dyn FnMut(&'static str, &dyn Fn() -> String)) -> String {
    let (directories, _) = from.rsplit_once('/').unwrap_or_default();
    // Each path begins with the slash of its root.
    let from: Vec<&str> = directories.split('/').skip(1).collect();
    let to: Vec<&str> = to.split('/').skip(1).collect();
    let inner = &to[..to.len().saturating_sub(1)];
    let shared = from.iter().zip(inner).take_while(|(a, b)| a == b).count();
    let path = "../".repeat(from.len() - shared) + &to[shared..].join("/");
    tell("3", &|| {
        let root: String = from[..shared].iter().map(|it| format!("/{it}")).collect();
        match &from[shared..] {
            [] => format!("the paths share {root}/: {path}"),
            out => format!(
                "the paths share {root}/; ../ for each of {}: {path}",
                out.join(", ")
            ),
        }
    });
    path
}

/// Step 4: whether a path would be read as something else at the start of a reference.
fn is_misread(path: &str) -> bool {
    let first = path.split('/').next().unwrap_or_default();
    first.is_empty() || first.contains(':') || first.starts_with(|c| c == ';' || c <= ' ')
}

/// Whether a resolver takes a reference to where it takes the target.
fn leads(resolver: Resolver, base: &BaseUrl, reference: &str, target: &str) -> bool {
    let resolved = |reference: &str| {
        let url = resolver.resolve(base, reference).ok()?;
        normal(&url)
    };
    let found = resolved(&pre_step(reference));
    found.is_some() && found == resolved(target)
}

/// A URL with a scheme and a network location, and the slash of its root; parameters are part of the path. `None` for
/// what lacks one of them.
fn split(url: &str) -> Option<Components<'_>> {
    let mut path = url;
    let fragment = parse::fragment(&mut path);
    let query = parse::query(&mut path);
    let scheme = Some(parse::scheme(&mut path)?);
    let net_loc = Some(parse::net_loc(&mut path)?);
    Some(Components {
        scheme,
        net_loc,
        path: if path.is_empty() { "/" } else { path },
        params: None,
        query,
        fragment,
    })
}

/// Scheme, login, host and port in the form in which they are compared.
fn server(url: &Components<'_>) -> String {
    let scheme = url.scheme.unwrap_or_default();
    let net_loc = url.net_loc.unwrap_or_default();
    let mut server = [scheme, "://", net_loc].concat();
    server[..scheme.len()].make_ascii_lowercase();
    let host = server.len() - net_loc.len() + net_loc.rfind('@').map_or(0, |at| at + 1);
    server[host..].make_ascii_lowercase();
    let port = default_port(&server[..scheme.len()]).filter(|port| server[host..].ends_with(port));
    server.truncate(server.len() - port.map_or(0, str::len));
    server
}

fn are_of_one_server(one: &Components<'_>, other: &Components<'_>) -> bool {
    let is_same = (one.scheme, one.net_loc) == (other.scheme, other.net_loc);
    is_same || server(one) == server(other)
}

fn after_path(url: &Components<'_>) -> String {
    let query = url.query.map(|query| format!("?{query}"));
    let fragment = url.fragment.map(|fragment| format!("#{fragment}"));
    query.unwrap_or_default() + &fragment.unwrap_or_default()
}

/// The port that a scheme has without one being named, with its colon.
fn default_port(scheme: &str) -> Option<&'static str> {
    match scheme {
        "http" | "ws" => Some(":80"),
        "https" | "wss" => Some(":443"),
        "ftp" => Some(":21"),
        _ => None,
    }
}
