//! RFC 1738 §5: the forms of the schemes that the RFC defines, one function for each.
//!
//! There are two departures from the letter. A fragment is set aside first, since RFC 1738 has
//! none. And what RFC 1808 §2.3 calls an error in RFC 1738 (`?` in ftp and file paths) is still
//! checked as RFC 1738 writes it: this validator says what that RFC says.

use super::login::{host, hostport, login};
use crate::rfc1808::Components;
use crate::text::bnf::{Cursor, GrammarError, RESERVED, Rule};

/// §5: checks a URL against the form of its scheme. `None` where RFC 1738 defines none.
///
/// # Examples
/// ```
/// use abslink_url::rfc1738::validate;
/// assert_eq!(validate("ftp://host/path;type=d"), Some(Ok(())));
/// let error = validate("ftp://host/path;type=x").unwrap().unwrap_err();
/// assert_eq!((error.offset, error.rule.name), (21, "ftptype"));
/// assert_eq!(validate("https://host/"), None);
/// ```
pub fn validate(url: &str) -> Option<Result<(), GrammarError>> {
    let scheme = Components::parse(url).scheme?;
    let end = url.find('#').unwrap_or(url.len());
    let mut url = Cursor::new(url, scheme.len() + 1, end);
    // §5 `url = httpurl | ftpurl | newsurl | ...`
    Some(match &*scheme.to_ascii_lowercase() {
        "file" => file(&mut url),
        "ftp" => ftp(&mut url),
        "gopher" => gopher(&mut url),
        "http" => http(&mut url),
        "mailto" => mailto(&mut url),
        "news" => news(&mut url),
        "nntp" => nntp(&mut url),
        "prospero" => prospero(&mut url),
        "telnet" => telnet(&mut url),
        "wais" => wais(&mut url),
        _ => return None,
    })
}

/// `uchar` and these make `hsegment` and `search`.
const HTTP: &[u8] = b";:@&=";
/// `uchar` and these make `fsegment` and `psegment`.
const FTP: &[u8] = b"?:@&=";

const HTTPURL: Rule = Rule::new(r#"httpurl = "http://" hostport [ "/" hpath [ "?" search ]]"#);
const HSEGMENT: Rule = Rule::new(r#"hsegment = *[ uchar | ";" | ":" | "@" | "&" | "=" ]"#);
const SEARCH: Rule = HSEGMENT.named("search");

/// §5 `httpurl = "http://" hostport [ "/" hpath [ "?" search ]]`.
fn http(url: &mut Cursor<'_>) -> Result<(), GrammarError> {
    url.expect("//", HTTPURL)?;
    hostport(url)?;
    if !url.take("/") {
        return url.finish(HTTPURL);
    }
    path(url, HTTP)?;
    if !url.take("?") {
        return url.finish(HSEGMENT);
    }
    url.uchars(HTTP)?;
    url.finish(SEARCH)
}

const FTPURL: Rule = Rule::new(r#"ftpurl = "ftp://" login [ "/" fpath [ ";type=" ftptype ]]"#);
const FTPTYPE: Rule = Rule::new(r#"ftptype = "A" | "I" | "D" | "a" | "i" | "d""#);

/// §5 `ftpurl = "ftp://" login [ "/" fpath [ ";type=" ftptype ]]`.
fn ftp(url: &mut Cursor<'_>) -> Result<(), GrammarError> {
    url.expect("//", FTPURL)?;
    login(url)?;
    if !url.take("/") {
        return url.finish(FTPURL);
    }
    path(url, FTP)?;
    if url.rest().starts_with(';') {
        url.expect(";type=", FTPURL)?;
        let mut kinds = ["A", "I", "D", "a", "i", "d"].iter();
        if !kinds.any(|kind| url.take(kind)) {
            return Err(url.departs(FTPTYPE));
        }
        return url.finish(FTPTYPE);
    }
    url.finish(FSEGMENT)
}

const FILEURL: Rule = Rule::new(r#"fileurl = "file://" [ host | "localhost" ] "/" fpath"#);
const FSEGMENT: Rule = Rule::new(r#"fsegment = *[ uchar | "?" | ":" | "@" | "&" | "=" ]"#);

/// §5 `fileurl = "file://" [ host | "localhost" ] "/" fpath`.
fn file(url: &mut Cursor<'_>) -> Result<(), GrammarError> {
    url.expect("//", FILEURL)?;
    if !url.rest().starts_with('/') {
        host(url)?;
    }
    url.expect("/", FILEURL)?;
    path(url, FTP)?;
    url.finish(FSEGMENT)
}

const GOPHERURL: Rule = Rule::new(
    r#"gopherurl = "gopher://" hostport [ / [ gtype [ selector [ "%09" search [ "%09" gopher+_string ] ] ] ] ]"#,
);
const SELECTOR: Rule = Rule::new("selector = *xchar");

/// §5 `gopherurl = "gopher://" hostport [ / [ gtype [ selector [ "%09" search [ "%09"
/// gopher+_string ] ] ] ] ]`. What follows the slash is all `xchar`, including `%09`, so nothing
/// tells its parts apart.
fn gopher(url: &mut Cursor<'_>) -> Result<(), GrammarError> {
    url.expect("//", GOPHERURL)?;
    hostport(url)?;
    if !url.take("/") {
        return url.finish(GOPHERURL);
    }
    url.uchars(RESERVED)?;
    url.finish(SELECTOR)
}

const ENCODED822ADDR: Rule = Rule::new("encoded822addr = 1*xchar");

/// §5 `mailtourl = "mailto:" encoded822addr`.
fn mailto(url: &mut Cursor<'_>) -> Result<(), GrammarError> {
    if url.uchars(RESERVED)?.is_empty() {
        return Err(url.departs(ENCODED822ADDR));
    }
    url.finish(ENCODED822ADDR)
}

const GROUPPART: Rule = Rule::new(r#"grouppart = "*" | group | article"#);
const ARTICLE: Rule =
    Rule::new(r#"article = 1*[ uchar | ";" | "/" | "?" | ":" | "&" | "=" ] "@" host"#);
const GROUP: Rule = Rule::new(r#"group = alpha *[ alpha | digit | "-" | "." | "+" | "_" ]"#);

/// §5 `newsurl = "news:" grouppart`. Only an article contains `@`.
fn news(url: &mut Cursor<'_>) -> Result<(), GrammarError> {
    if url.rest().contains('@') {
        if url.uchars(b";/?:&=")?.is_empty() {
            return Err(url.departs(ARTICLE));
        }
        url.expect("@", ARTICLE)?;
        host(url)?;
        return url.finish(ARTICLE);
    }
    if url.take("*") {
        return url.finish(GROUPPART);
    }
    group(url)?;
    url.finish(GROUP)
}

/// §5 `group`.
fn group(url: &mut Cursor<'_>) -> Result<(), GrammarError> {
    let alpha = |first: char| first.is_ascii_alphabetic();
    if !url.rest().starts_with(alpha) {
        return Err(url.departs(GROUP));
    }
    url.take_while(|byte| byte.is_ascii_alphanumeric() || b"-.+_".contains(&byte));
    Ok(())
}

const NNTPURL: Rule = Rule::new(r#"nntpurl = "nntp://" hostport "/" group [ "/" digits ]"#);
const DIGITS: Rule = Rule::new("digits = 1*digit");

/// §5 `nntpurl = "nntp://" hostport "/" group [ "/" digits ]`.
fn nntp(url: &mut Cursor<'_>) -> Result<(), GrammarError> {
    url.expect("//", NNTPURL)?;
    hostport(url)?;
    url.expect("/", NNTPURL)?;
    group(url)?;
    if !url.take("/") {
        return url.finish(GROUP);
    }
    if url.take_while(|byte| byte.is_ascii_digit()).is_empty() {
        return Err(url.departs(DIGITS));
    }
    url.finish(DIGITS)
}

const TELNETURL: Rule = Rule::new(r#"telneturl = "telnet://" login [ "/" ]"#);

/// §5 `telneturl = "telnet://" login [ "/" ]`.
fn telnet(url: &mut Cursor<'_>) -> Result<(), GrammarError> {
    url.expect("//", TELNETURL)?;
    login(url)?;
    url.take("/");
    url.finish(TELNETURL)
}

const WAISURL: Rule =
    Rule::new(r#"waisurl = "wais://" hostport "/" database [ "?" search | "/" wtype "/" wpath ]"#);
const WPATH: Rule = Rule::new("wpath = *uchar");

/// §5 `waisurl = waisdatabase | waisindex | waisdoc`; the three begin alike and are written here
/// as one rule.
fn wais(url: &mut Cursor<'_>) -> Result<(), GrammarError> {
    url.expect("//", WAISURL)?;
    hostport(url)?;
    url.expect("/", WAISURL)?;
    url.uchars(b"")?;
    if url.take("?") {
        url.uchars(HTTP)?;
        return url.finish(SEARCH);
    }
    if !url.take("/") {
        return url.finish(WAISURL);
    }
    url.uchars(b"")?;
    url.expect("/", WAISURL)?;
    url.uchars(b"")?;
    url.finish(WPATH)
}

const PROSPEROURL: Rule =
    Rule::new(r#"prosperourl = "prospero://" hostport "/" ppath *[ fieldspec ]"#);
const PSEGMENT: Rule = FSEGMENT.named("psegment");
const FIELDSPEC: Rule = Rule::new(r#"fieldspec = ";" fieldname "=" fieldvalue"#);

/// §5 `prosperourl = "prospero://" hostport "/" ppath *[ fieldspec ]`.
fn prospero(url: &mut Cursor<'_>) -> Result<(), GrammarError> {
    url.expect("//", PROSPEROURL)?;
    hostport(url)?;
    url.expect("/", PROSPEROURL)?;
    path(url, FTP)?;
    let mut last = PSEGMENT;
    while url.take(";") {
        url.uchars(b"?:@&")?;
        url.expect("=", FIELDSPEC)?;
        url.uchars(b"?:@&")?;
        last = FIELDSPEC;
    }
    url.finish(last)
}

/// §5 `hpath`, `fpath`, `ppath`: segments between slashes, made of `uchar` and `more`.
fn path(url: &mut Cursor<'_>, more: &[u8]) -> Result<(), GrammarError> {
    url.uchars(more)?;
    while url.take("/") {
        url.uchars(more)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What each form accepts, and where a URL departs from it. Columns: URL, byte, rule ("-" for
    /// none).
    #[test]
    fn forms() {
        let table = include_str!("../../testdata/rfc1738/forms.tsv");
        let rows = table.lines().filter(|line| !line.starts_with('#'));
        for row in rows {
            let columns: Vec<_> = row.split('\t').collect();
            let [url, byte, rule] = columns[..] else {
                panic!("three columns: {row}");
            };
            let found = match validate(url) {
                Some(Ok(())) => ("-".to_owned(), "-"),
                Some(Err(error)) => (error.offset.to_string(), error.rule.name),
                None => panic!("no form: {url}"),
            };
            assert_eq!(found, (byte.to_owned(), rule), "{url}");
        }
    }

    #[test]
    fn the_scheme_is_read_without_regard_to_case() {
        assert_eq!(validate("HTTP://h/"), Some(Ok(())));
        assert_eq!(validate("g"), None);
    }
}
