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
    let plus = if added.is_some() { "+" } else { "" };
    let ending = added.unwrap_or(given).trim_start_matches('.');
    if ending.contains(['*', '?', '[', ']', '{', '}']) {
        let last = ending.rsplit(['*', '.', '{']).next().unwrap_or_default();
        let is_plain = !last.is_empty() && last.bytes().all(|it| it.is_ascii_alphanumeric());
        let last = if is_plain { last } else { "html,htm" };
        let error = "--ext takes file extensions, not patterns";
        return Err(format!("{error}\nhint: --ext {plus}{last}"));
    }
    let separators = [' ', ';', '|'];
    if ending.contains(separators) {
        let list: Vec<&str> = ending
            .split(separators)
            .filter(|it| !it.is_empty())
            .collect();
        let list = list.join(",");
        let error = "--ext takes a list with commas";
        return Err(format!("{error}\nhint: --ext {plus}{list}"));
    }
    match ending {
        "" => Err("--ext: empty extension\nhint: --ext html,htm".to_owned()),
        ending if ending.contains(['/', '\\']) => Err("an extension has no slash".to_owned()),
        ending => Ok(ExtItem {
            has_plus: added.is_some(),
            ending: ending.to_lowercase(),
        }),
    }
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
