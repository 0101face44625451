//! `--ext`.

/// A file name's ending of `--ext`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ExtItem {
    /// At the start of the list it adds all of them to the default endings.
    pub(crate) has_plus: bool,
    /// In lower case, without its dot.
    pub(crate) ending: String,
}

/// `--ext`: an ending, with or without its dot.
pub(crate) fn ending(given: &str) -> Result<ExtItem, String> {
    let given = given.trim();
    let added = given.strip_prefix('+');
    let ending = added.unwrap_or(given).trim_start_matches('.');
    let error = if ending.contains(['*', '?', '[', ']', '{', '}']) {
        "--ext takes file extensions, not patterns"
    } else if ending.contains(SEPARATORS) {
        "--ext takes a list with commas"
    } else if ending.is_empty() {
        "--ext: empty extension"
    } else if ending.contains(['/', '\\']) {
        return Err("extensions cannot contain a slash".to_owned());
    } else {
        return Ok(ExtItem {
            has_plus: added.is_some(),
            ending: ending.to_lowercase(),
        });
    };
    Err(format!("{error}\nhint: --ext {}", meant(given)))
}

const SEPARATORS: [char; 3] = [' ', ';', '|'];

/// The list of endings that was meant.
pub(crate) fn meant(given: &str) -> String {
    let plus = if given.starts_with('+') { "+" } else { "" };
    let items = given.split(|c: char| !c.is_alphanumeric() && !"-_~".contains(c));
    let items: Vec<&str> = items.filter(|item| !item.is_empty()).collect();
    let list = if items.is_empty() {
        "html,htm".to_owned()
    } else {
        items.join(",")
    };
    format!("{plus}{list}")
}

/// Whether it is a list of endings.
pub(crate) fn is_list(given: &str) -> bool {
    given.split(',').all(|it| ending(it).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_lose_their_dot_and_case() {
        let read = |given| ending(given).map(|it| (it.has_plus, it.ending));
        assert_eq!(read(".HTM"), Ok((false, "htm".into())));
        assert_eq!(read("html"), Ok((false, "html".into())));
        assert_eq!(read("+.CSS"), Ok((true, "css".into())));
        assert!(read("").is_err());
        assert!(read("+").is_err());
        assert!(read("a/b").is_err());
    }
}
