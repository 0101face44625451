//! Placeholders that are ones only at the beginning of a reference.

use super::{Placeholders, is_of_name};

/// What stands at the root of an OData service.
const ODATA: [&str; 4] = ["all", "batch", "entity", "metadata"];

/// The length of one at the beginning of a text.
pub(crate) fn at_start(text: &str, placeholders: Placeholders) -> Option<usize> {
    let length = match text.as_bytes() {
        [b'{', b'"' | b'\'' | b'`', ..] | [b'<' | b'3', ..] => code(text),
        [b'{', ..] => enclosed(text, "{", "}").or_else(|| typed(text)),
        [b'/', b'{', ..] => local_link(text),
        [b':', ..] => enclosed(text, "::", "::"),
        [b'#', ..] => enclosed(text, "###", "###"),
        [b'@', b'[', ..] => text.find(']').map(|at| at + 1),
        [b'$' | b'@' | b'%', ..] => course(text)
            .or_else(|| variable(text))
            .or_else(|| segment(text))
            .or_else(|| razor(text, placeholders))
            .or_else(|| code(text)),
        [b'_' | b'[', ..] => segment(text).or_else(|| shortcode(text)),
        [b'~', b'/', ..] => from_application(text, placeholders),
        [b'\\' | b'"' | b'\'', ..] => code(text),
        _ => None,
    };
    length.filter(|length| *length > 0)
}

/// All of it, if it is no HTML yet. It begins with a quote or slash that is escaped, by a programming language or JSON, for a shortcode
/// (`%22`) or in quoted-printable (`3D"`); or with one that an operator follows; or with an expression of JSX (`{"`), or a tag
/// that makes the URL (`<c:url value=…>`).
fn code(text: &str) -> Option<usize> {
    const QUOTES: [&str; 7] = ["\"", "'", "/", "u0022", "u0027", "x22", "x27"];
    const OPENS: [&str; 7] = ["%22", "3D\"", "3D'", "{\"", "{'", "{`", "<!--#"];
    let is_tag = |it: &str| it.starts_with(|c: char| c.is_ascii_alphabetic());
    if OPENS.iter().any(|it| text.starts_with(it)) || text.strip_prefix('<').is_some_and(is_tag) {
        return Some(text.len());
    }
    let rest = text.trim_start_matches('\\');
    let is_escaped = rest.len() < text.len() && QUOTES.iter().any(|it| rest.starts_with(it));
    let behind = text.strip_prefix(['"', '\'']);
    let operand = behind.and_then(|it| it.trim_start().strip_prefix(['+', '.', '&']));
    let begins = |first: char| first.is_ascii_alphabetic() || "$_(".contains(first);
    let is_joined = operand.is_some_and(|it| it.trim_start().starts_with(begins));
    (is_escaped || is_joined).then_some(text.len())
}

/// The length of a name between two signs: letters, digits, `_`, `.` and `-`.
fn enclosed(text: &str, open: &str, close: &str) -> Option<usize> {
    let (name, _) = text.strip_prefix(open)?.split_once(close)?;
    let is_name = !name.is_empty() && name.bytes().all(|byte| is_of_name(&byte));
    is_name.then_some(open.len() + name.len() + close.len())
}

/// `{asset:1:url}`, as content systems write it.
fn typed(text: &str) -> Option<usize> {
    let (inside, _) = text.strip_prefix('{')?.split_once('}')?;
    let (name, value) = inside.split_once(':')?;
    let is_one = is_identifier(name) && !value.contains(|c| c <= ' ' || "{\"'".contains(c));
    is_one.then_some(inside.len() + "{}".len())
}

/// `/{localLink:1}` of Umbraco.
fn local_link(text: &str) -> Option<usize> {
    const OPEN: &str = "/{localLink:";
    let is_one = (text.get(..OPEN.len())).is_some_and(|open| open.eq_ignore_ascii_case(OPEN));
    let end = is_one.then(|| text.find('}'))?;
    end.map(|end| end + 1)
}

/// `[sitetree_link,id=5]`, and `[site:url]` of Drupal.
fn shortcode(text: &str) -> Option<usize> {
    let (inside, _) = text.strip_prefix('[')?.split_once(']')?;
    let (name, options) = inside.split_once([',', ' ', ':'])?;
    let is_token = inside[name.len()..].starts_with(':')
        && options
            .bytes()
            .all(|byte| is_of_name(&byte) || byte == b':');
    let is_one = is_identifier(name) && (is_token || options.contains('='));
    is_one.then_some(inside.len() + "[]".len())
}

/// The first segment, without blanks at its end, and what follows it.
fn first_segment(text: &str) -> (&str, &str) {
    let (segment, rest) = text.split_at(text.find(['/', '?', '#']).unwrap_or(text.len()));
    (segment.trim_end_matches(|c| c <= ' '), rest)
}

/// The length of a first segment that is `__NAME__`, `%name%` or `[name]`. In brackets there may also be the name of a
/// file (`[slug]/page.js`).
fn segment(text: &str) -> Option<usize> {
    let (segment, rest) = first_segment(text);
    let between = |open, close| segment.strip_prefix(open)?.strip_suffix(close);
    let is_named = |name: &str| {
        name.starts_with(|first: char| first.is_ascii_alphabetic())
            && name.bytes().all(|byte| is_of_name(&byte) || byte == b':')
    };
    let is_word = |name: &str| {
        let is_of_word =
            |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
        !name.is_empty() && name.bytes().all(is_of_word)
    };
    let is_whole = !rest.starts_with('/');
    let is_placeholder = between("__", "__").is_some_and(is_word)
        || between("%", "%").is_some_and(is_named)
        || between("[", "]").is_some_and(|name| is_named(name) && (is_whole || name.contains('_')));
    is_placeholder.then_some(segment.len())
}

/// The length of a token that programs for courses replace when they import one. Its signs may be escaped.
fn course(text: &str) -> Option<usize> {
    let has_word = |rest: &&str| rest.starts_with(|first: char| first.is_ascii_uppercase());
    let ends_segment = |rest: &&str| {
        rest.trim_start_matches(|c| c <= ' ').is_empty() || rest.starts_with(['/', '?', '#'])
    };
    let behind = match (after(text, '$'), after(text, '@')) {
        (Some(rest), _) => (filebase(rest))
            .or_else(|| up_to(after(rest, '@').filter(has_word)?, "@$"))
            .or_else(|| word(rest, 4, "$").filter(ends_segment))?,
        (_, Some(rest)) => match after(rest, '@') {
            Some(rest) => word(rest, 1, "@@")?,
            None => up_to(after(rest.strip_prefix('X')?, '@')?, "@X@")?,
        },
        _ => return None,
    };
    Some(text.len() - behind.len())
}

/// What follows a sign, which may be escaped.
fn after(text: &str, sign: char) -> Option<&str> {
    let escaped = match sign {
        '$' => "%24",
        '@' => "%40",
        _ => return text.strip_prefix(sign),
    };
    text.strip_prefix(sign)
        .or_else(|| text.strip_prefix(escaped))
}

/// What follows these signs.
fn after_all<'t>(text: &'t str, signs: &str) -> Option<&'t str> {
    signs.chars().try_fold(text, after)
}

/// What follows the first of these signs.
fn up_to<'t>(text: &'t str, signs: &str) -> Option<&'t str> {
    let mut starts = text.match_indices(['@', '%']).map(|(at, _)| &text[at..]);
    starts.find_map(|rest| after_all(rest, signs))
}

/// `IMS-CC-FILEBASE$`, of Common Cartridge; files may follow without a slash.
fn filebase(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("IMS").or(text.strip_prefix("1EdTech"))?;
    let rest = rest.strip_prefix(['-', '_'])?.strip_prefix("CC")?;
    let rest = rest.strip_prefix(['-', '_'])?.strip_prefix("FILEBASE")?;
    after(rest, '$')
}

/// What follows a word in capital letters and the signs behind it.
fn word<'t>(text: &'t str, least: usize, signs: &str) -> Option<&'t str> {
    let is_of_word = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || "_-".contains(c);
    let rest = text.trim_start_matches(is_of_word);
    let is_word = text.len() - rest.len() >= least;
    is_word.then(|| after_all(rest, signs))?
}

/// `$name`, `$name$` and `$!name` as the first segment. What doxygen writes for the way to the root may stand before
/// anything.
fn variable(text: &str) -> Option<usize> {
    const TO_ROOT: [&str; 2] = ["$relpath^", "$relpath$"];
    if TO_ROOT.iter().any(|open| text.starts_with(open)) {
        return Some(TO_ROOT[0].len());
    }
    let (segment, _) = first_segment(text);
    let name = segment.strip_prefix('$')?;
    let name = name.strip_prefix('!').unwrap_or(name);
    let name = name.strip_suffix('$').unwrap_or(name);
    (is_identifier(name) && !ODATA.contains(&name)).then_some(segment.len())
}

/// An expression of Razor, in its own files: elsewhere `@user/post` is a link.
fn razor(text: &str, placeholders: Placeholders) -> Option<usize> {
    let rest = text.strip_prefix('@')?;
    let begins = |first: char| first.is_ascii_alphabetic() || "_(".contains(first);
    let is_one = placeholders == Placeholders::KeepRazor && rest.starts_with(begins);
    is_one.then(|| first_segment(text).0.len())
}

/// `~/x`, which stands for the root of an application in files of ASP.NET, and `~/link.aspx?_id=…` of Sitecore.
fn from_application(text: &str, placeholders: Placeholders) -> Option<usize> {
    const LINK: &str = "~/link.aspx?_id=";
    let is_link = (text.get(..LINK.len())).is_some_and(|open| open.eq_ignore_ascii_case(LINK));
    let is_page = !matches!(placeholders, Placeholders::Keep | Placeholders::Resolve);
    (is_link || is_page).then_some("~/".len())
}

/// Whether it is a letter, then letters, digits and `_`.
fn is_identifier(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic())
        && (name.bytes()).all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
