//! RFC 3986 §5.2 transcribed word by word, slowly. It shares no code with the resolver.

#[derive(Clone, Default)]
struct Parts {
    scheme: Option<String>,
    authority: Option<String>,
    path: String,
    query: Option<String>,
    fragment: Option<String>,
}

/// Appendix B.
fn parse(uri: &str) -> Parts {
    let mut parts = Parts::default();
    let mut rest = uri;
    if let Some((before, fragment)) = rest.split_once('#') {
        (rest, parts.fragment) = (before, Some(fragment.to_owned()));
    }
    if let Some((before, query)) = rest.split_once('?') {
        (rest, parts.query) = (before, Some(query.to_owned()));
    }
    // §3.1
    let allowed = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
    if let Some((scheme, after)) = rest.split_once(':')
        && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(allowed)
    {
        (parts.scheme, rest) = (Some(scheme.to_owned()), after);
    }
    if let Some(after) = rest.strip_prefix("//") {
        let end = after.find('/').unwrap_or(after.len());
        (parts.authority, rest) = (Some(after[..end].to_owned()), &after[end..]);
    }
    parts.path = rest.to_owned();
    parts
}

/// §5.2.2, strict.
pub(crate) fn resolve(base: &str, reference: &str) -> String {
    let (base, reference) = (parse(base), parse(reference));
    let mut target = Parts::default();
    if reference.scheme.is_some() {
        target.scheme = reference.scheme;
        target.authority = reference.authority;
        target.path = remove_dot_segments(&reference.path);
        target.query = reference.query;
    } else {
        if reference.authority.is_some() {
            target.authority = reference.authority;
            target.path = remove_dot_segments(&reference.path);
            target.query = reference.query;
        } else {
            if reference.path.is_empty() {
                target.path = base.path;
                target.query = reference.query.or(base.query);
            } else {
                target.path = if reference.path.starts_with('/') {
                    remove_dot_segments(&reference.path)
                } else {
                    remove_dot_segments(&merge(&base, &reference.path))
                };
                target.query = reference.query;
            }
            target.authority = base.authority;
        }
        target.scheme = base.scheme;
    }
    target.fragment = reference.fragment;
    recompose(&target)
}

/// §5.2.3.
fn merge(base: &Parts, path: &str) -> String {
    if base.authority.is_some() && base.path.is_empty() {
        return format!("/{path}");
    }
    let kept = base.path.rfind('/').map_or(0, |slash| slash + 1);
    format!("{}{path}", &base.path[..kept])
}

/// §5.2.4.
fn remove_dot_segments(path: &str) -> String {
    let mut input = path;
    let mut output = String::new();
    while !input.is_empty() {
        // A.
        if let Some(rest) = input.strip_prefix("../").or(input.strip_prefix("./")) {
            input = rest;
        }
        // B.
        else if input.starts_with("/./") {
            input = &input[2..];
        } else if input == "/." {
            input = "/";
        }
        // C.
        else if input.starts_with("/../") || input == "/.." {
            input = if input == "/.." { "/" } else { &input[3..] };
            output.truncate(output.rfind('/').unwrap_or(0));
        }
        // D.
        else if input == "." || input == ".." {
            input = "";
        }
        // E.
        else {
            let first = usize::from(input.starts_with('/'));
            let end = input[first..]
                .find('/')
                .map_or(input.len(), |at| at + first);
            output.push_str(&input[..end]);
            input = &input[end..];
        }
    }
    output
}

/// §5.3.
fn recompose(parts: &Parts) -> String {
    let path = Some(parts.path.clone());
    [
        ("", &parts.scheme, ":"),
        ("//", &parts.authority, ""),
        ("", &path, ""),
        ("?", &parts.query, ""),
        ("#", &parts.fragment, ""),
    ]
    .into_iter()
    .filter_map(|(before, part, after)| Some(format!("{before}{}{after}", part.as_ref()?)))
    .collect()
}

#[cfg(test)]
mod tests {
    use super::resolve;
    use abslink_url::{BaseUrl, Resolver};

    #[test]
    fn agrees_with_the_resolver() {
        let bases = [
            "http://a/b/c/d;p?q",
            "http://h",
            "x:y/z",
            "http://h/é/f#g",
            "f:///a/../b",
        ];
        let references = [
            "g",
            "./g",
            "g/",
            "/g",
            "//g",
            "?y",
            "g?y",
            "#s",
            "",
            ".",
            "./",
            "..",
            "../g",
            "../..",
            "../../../g",
            "/./g",
            "/../g",
            "g.",
            "..g",
            "./../g",
            "g;x=1/../y",
            "g?y/../x",
            "g:h",
            "1:g",
            "é/../ü",
            "a//b/../c",
            "http:g",
        ];
        for base in bases {
            for reference in references {
                let expected = Resolver::Rfc3986.resolve(&BaseUrl::any(base), reference);
                let expected = expected.unwrap_or_default();
                assert_eq!(resolve(base, reference), expected, "{base} {reference}");
            }
        }
    }
}
