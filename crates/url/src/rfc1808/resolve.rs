//! RFC 1808 §4: resolving a reference against a base URL.
//!
//! Because empty components stay, recombining (step 7) never changes what lies between two
//! components: every result is a beginning of the base URL followed by an end of the reference.
//! Steps 1 to 5 therefore only decide how much of the base is inherited; step 6 is in
//! [`path`].

use super::parse::Components;
use super::path;

/// How much a reference inherits from the base URL: what steps 1 to 5 decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inherited {
    /// Step 1 or 2b: the reference is absolute.
    Nothing,
    /// Step 2a: the reference is empty and equals the base, with its fragment.
    Everything,
    /// Step 3: it has its own net_loc.
    Scheme,
    /// Step 4: it has its own path, from the root.
    NetLoc,
    /// Step 5a: it has its own params.
    Path,
    /// Step 5b: it has its own query.
    Params,
    /// Step 5, to its end: it has at most a fragment.
    Query,
    /// Step 6: its path is relative to the base's.
    Directory,
}

/// A base URL as §4 needs it, and RFC 3986 §5.2.2.
#[derive(Clone, Debug)]
pub(crate) struct Base {
    /// Where each component ends in the text of the base; an absent one ends where the previous one
    /// does.
    pub(crate) scheme: usize,
    pub(crate) net_loc: usize,
    pub(crate) path: usize,
    pub(crate) params: usize,
    pub(crate) query: usize,
    /// Step 6: scheme, net_loc and the path's directory, whose own dot segments are removed.
    pub(crate) directory: String,
    /// Where in `directory` the path's segments begin.
    pub(crate) bottom: usize,
}

impl Base {
    /// §4 step 2: parses the base.
    pub(crate) fn new(text: &str) -> Base {
        let parts = Components::parse(text);
        let scheme = parts.scheme.map_or(0, |scheme| scheme.len() + 1);
        let net_loc = scheme + parts.net_loc.map_or(0, |net_loc| net_loc.len() + 2);
        let path = net_loc + parts.path.len();
        let params = path + parts.params.map_or(0, |params| params.len() + 1);
        let query = params + parts.query.map_or(0, |query| query.len() + 1);

        let mut directory = text[..net_loc].to_owned();
        let (is_rooted, below_root) = match parts.path.strip_prefix('/') {
            Some(path) => (true, path),
            // §2.1 writes `//<net_loc>/<path>`: what follows a net_loc begins with a slash.
            None => (parts.net_loc.is_some(), parts.path),
        };
        directory.push_str(if is_rooted { "/" } else { "" });
        let bottom = directory.len();
        path::append(&mut directory, bottom, path::directory(below_root));
        Base {
            scheme,
            net_loc,
            path,
            params,
            query,
            directory,
            bottom,
        }
    }

    fn has_net_loc(&self) -> bool {
        self.net_loc > self.scheme
    }
}

/// §4 steps 1 to 5: what `reference` inherits from the base URL `base`.
pub(crate) fn inherited(base: &str, reference: &str, parts: &Components<'_>) -> Inherited {
    // Step 1: "If the base URL is the empty string (unknown), the embedded URL is interpreted as
    // an absolute URL and we are done."
    if base.is_empty() {
        return Inherited::Nothing;
    }
    // Step 2a. "Entirely empty" is read as: there is no character, not even a delimiter. `#`
    // leads to the top of the document, not to the base's own fragment.
    if reference.is_empty() {
        return Inherited::Everything;
    }
    // Step 2b; the scheme may be the base's own (§5.2: `http:g` is a URL, not `g`).
    if parts.scheme.is_some() {
        return Inherited::Nothing;
    }
    // Step 3. Here "non-empty" means just that: `///g` inherits the base's net_loc, since an empty
    // one names no place.
    if parts.net_loc.is_some_and(|net_loc| !net_loc.is_empty()) {
        return Inherited::Scheme;
    }
    // Step 4.
    if parts.path.starts_with('/') {
        return Inherited::NetLoc;
    }
    // Step 5. "Non-empty" is read as "present": `?` removes the base's query.
    if parts.path.is_empty() {
        return if parts.params.is_some() {
            Inherited::Path
        } else if parts.query.is_some() {
            Inherited::Params
        } else {
            Inherited::Query
        };
    }
    Inherited::Directory
}

/// §4: appends the absolute form of `reference` to `out`. `text` is what `base` was made from.
pub(crate) fn resolve_into(base: &Base, text: &str, reference: &str, out: &mut String) {
    let parts = Components::parse(reference);
    let start = out.len();
    // An empty net_loc has been replaced by the base's.
    let own = match parts.net_loc {
        Some("") => &reference[2..],
        _ => reference,
    };
    // Step 7, "the resulting URL components, including any inherited from the base URL, are
    // recombined", is the same in each case: the inherited part, then the reference's own.
    match inherited(text, reference, &parts) {
        Inherited::Nothing => return out.push_str(reference),
        Inherited::Everything => return out.push_str(text),
        Inherited::Scheme => {
            out.push_str(&text[..base.scheme]);
            return out.push_str(reference);
        }
        Inherited::NetLoc => {
            out.push_str(&text[..base.net_loc]);
            out.push_str(own);
        }
        inherited @ (Inherited::Path | Inherited::Params) => {
            let is_path = inherited == Inherited::Path;
            let end = if is_path { base.path } else { base.params };
            out.push_str(&text[..end]);
            // §2.1 and §2.2 (`net_path = "//" net_loc [ abs_path ]`): params and query follow a net_loc only
            // after a slash, without which they would be read as part of it.
            if base.path == base.net_loc && base.has_net_loc() {
                out.push('/');
            }
            out.push_str(own);
        }
        Inherited::Query => {
            out.push_str(&text[..base.query]);
            out.push_str(own);
        }
        Inherited::Directory => {
            out.push_str(&base.directory);
            path::append(out, start + base.bottom, parts.path);
            out.push_str(&own[parts.path.len()..]);
        }
    }
    let path = start + base.scheme;
    // Step 7: a path that begins with `//` would be read as a net_loc if there is none, so `/.` is put before it
    // (`x:/a/b` and `..//g` give `x:/.//g`, as in the URL Standard).
    if !base.has_net_loc() && out[path..].starts_with("//") {
        out.insert_str(path, "/.");
    }
}
