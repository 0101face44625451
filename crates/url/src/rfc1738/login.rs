//! RFC 1738 §3.1: user, password, host and port.

use crate::text::bnf::{Cursor, GrammarError, Rule};

/// The parts of a net_loc. `None` is a part that is absent; `Some("")` one whose delimiter is
/// there with nothing in it: "an empty user name or password is different than no user name or
/// password".
///
/// # Examples
/// ```
/// use abslink_url::rfc1738::Login;
/// let login = Login::parse("foo:@host.com");
/// assert_eq!((login.user, login.password), (Some("foo"), Some("")));
/// assert_eq!((login.host, login.port), ("host.com", None));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Login<'a> {
    /// Before `:` or `@`.
    pub user: Option<&'a str>,
    /// Between `:` and `@`. There is none without a user name.
    pub password: Option<&'a str>,
    /// The host; empty if none is named.
    pub host: &'a str,
    /// After the `:` that follows the host.
    pub port: Option<&'a str>,
}

impl<'a> Login<'a> {
    /// §3.1: splits any net_loc.
    ///
    /// Two readings go beyond the RFC, for what it does not allow but pages contain. Of several `@`
    /// the last one ends the login, as in browsers, so no password passes for a host. A
    /// `:` inside brackets is not the port's (`[::1]:80`).
    pub fn parse(net_loc: &'a str) -> Login<'a> {
        let (login, hostport) = match net_loc.rsplit_once('@') {
            Some((login, hostport)) => (Some(login), hostport),
            None => (None, net_loc),
        };
        let (user, password) = match login.and_then(|login| login.split_once(':')) {
            Some((user, password)) => (Some(user), Some(password)),
            None => (login, None),
        };
        let brackets = match hostport.find(']') {
            Some(close) if hostport.starts_with('[') => close,
            _ => 0,
        };
        let (host, port) = match hostport[brackets..].find(':') {
            Some(colon) => {
                let colon = brackets + colon;
                (&hostport[..colon], Some(&hostport[colon + 1..]))
            }
            None => (hostport, None),
        };
        Login {
            user,
            password,
            host,
            port,
        }
    }
}

const USER: Rule = Rule::new(r#"user = *[ uchar | ";" | "?" | "&" | "=" ]"#);
const PASSWORD: Rule = USER.named("password");
const HOSTNAME: Rule = Rule::new(r#"hostname = *[ domainlabel "." ] toplabel"#);
const DOMAINLABEL: Rule =
    Rule::new(r#"domainlabel = alphadigit | alphadigit *[ alphadigit | "-" ] alphadigit"#);
const TOPLABEL: Rule = Rule::new(r#"toplabel = alpha | alpha *[ alphadigit | "-" ] alphadigit"#);
const HOSTNUMBER: Rule = Rule::new(r#"hostnumber = digits "." digits "." digits "." digits"#);
const PORT: Rule = Rule::new("port = digits");

/// §5 `login = [ user [ ":" password ] "@" ] hostport`.
pub(super) fn login(cursor: &mut Cursor<'_>) -> Result<(), GrammarError> {
    let before_path = cursor.rest().split('/').next().unwrap_or_default();
    if before_path.contains('@') {
        cursor.uchars(b";?&=")?;
        let rule = if cursor.take(":") {
            cursor.uchars(b";?&=")?;
            PASSWORD
        } else {
            USER
        };
        cursor.expect("@", rule)?;
    }
    hostport(cursor)
}

/// §5 `hostport = host [ ":" port ]`.
pub(super) fn hostport(cursor: &mut Cursor<'_>) -> Result<(), GrammarError> {
    host(cursor)?;
    // §3.1: "If the port is omitted, the colon is as well."
    if cursor.take(":") && cursor.take_while(|byte| byte.is_ascii_digit()).is_empty() {
        return Err(cursor.departs(PORT));
    }
    Ok(())
}

/// §5 `host = hostname | hostnumber`.
pub(super) fn host(cursor: &mut Cursor<'_>) -> Result<(), GrammarError> {
    let start = *cursor;
    let host =
        cursor.take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.'));
    let mut at = start.offset();
    let is_of_number = |byte: u8| byte.is_ascii_digit() || byte == b'.';
    if host.bytes().all(is_of_number) && host.contains('.') {
        return hostnumber(start, host);
    }
    let labels = host.split('.').count();
    for (index, label) in host.split('.').enumerate() {
        let top = index + 1 == labels;
        let rule = match label {
            "" => HOSTNAME,
            _ if top => TOPLABEL,
            _ => DOMAINLABEL,
        };
        let first = |byte: u8| byte.is_ascii_alphabetic() || !top && byte.is_ascii_digit();
        if !label.bytes().next().is_some_and(first) {
            return Err(start.moved_to(at).departs(rule));
        }
        if label.ends_with('-') {
            return Err(start.moved_to(at + label.len() - 1).departs(rule));
        }
        at += label.len() + 1;
    }
    Ok(())
}

/// §5 `hostnumber = digits "." digits "." digits "." digits`.
fn hostnumber(start: Cursor<'_>, host: &str) -> Result<(), GrammarError> {
    let mut at = start.offset();
    for (index, digits) in host.split('.').enumerate() {
        if digits.is_empty() || index == 4 {
            return Err(start.moved_to(at).departs(HOSTNUMBER));
        }
        at += digits.len() + 1;
    }
    if host.split('.').count() < 4 {
        return Err(start.moved_to(at - 1).departs(HOSTNUMBER));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_and_absent_differ() {
        let parts = |net_loc| {
            let login = Login::parse(net_loc);
            (login.user, login.password, login.host, login.port)
        };
        // The three examples of §3.1.
        assert_eq!(parts("@host.com"), (Some(""), None, "host.com", None));
        assert_eq!(parts("host.com"), (None, None, "host.com", None));
        assert_eq!(
            parts("foo:@host.com"),
            (Some("foo"), Some(""), "host.com", None)
        );

        assert_eq!(parts(":@h:"), (Some(""), Some(""), "h", Some("")));
        assert_eq!(
            parts("u:p:q@h:80"),
            (Some("u"), Some("p:q"), "h", Some("80"))
        );
        assert_eq!(parts("a@b@h"), (Some("a@b"), None, "h", None));
        assert_eq!(parts("[::1]:80"), (None, None, "[::1]", Some("80")));
        assert_eq!(parts("[::1]"), (None, None, "[::1]", None));
        assert_eq!(parts("h:8]:9"), (None, None, "h", Some("8]:9")));
        assert_eq!(parts(""), (None, None, "", None));
    }

    #[track_caller]
    fn check(net_loc: &str, expected: Option<(usize, &str)>) {
        let mut cursor = Cursor::new(net_loc, 0, net_loc.len());
        let result = login(&mut cursor).and_then(|()| cursor.finish(HOSTNAME));
        let found = result.err().map(|error| (error.offset, error.rule.name));
        assert_eq!(found, expected, "{net_loc}");
    }

    #[test]
    fn the_grammar_of_the_login() {
        check("user:pass;x@www.a-b.example:8080", None);
        check("@h", None);
        check("127.0.0.1", None);
        check("3com.example", None);
        check("", Some((0, "hostname")));
        check("a@b@c", Some((3, "hostname")));
        check("a:b:c@h", Some((3, "password")));
        check("a b@h", Some((1, "user")));
        check("h:", Some((2, "port")));
        check("h:8a", Some((3, "hostname")));
        check("a..b", Some((2, "hostname")));
        check("a.b.", Some((4, "hostname")));
        check("-a.b", Some((0, "domainlabel")));
        check("a-.b", Some((1, "domainlabel")));
        check("a.3b", Some((2, "toplabel")));
        check("1.2.3", Some((5, "hostnumber")));
        check("1.2.3.4.5", Some((8, "hostnumber")));
        check("a_b", Some((1, "hostname")));
        check("[::1]", Some((0, "hostname")));
    }
}
