//! Stands for the crate `idna` in the module for JavaScript: names of hosts beyond ASCII become ASCII by the `URL` of
//! whoever runs it, which has the tables of Unicode for that already. They were a seventh of the module.

use std::borrow::Cow;
use std::fmt;

use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    type URL;

    #[wasm_bindgen(constructor, catch)]
    fn new(url: &str) -> Result<URL, JsValue>;

    #[wasm_bindgen(method, getter)]
    fn hostname(this: &URL) -> String;
}

/// A name is none.
#[derive(Debug)]
pub struct Errors;

impl std::error::Error for Errors {}

impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not the name of a host")
    }
}

/// Which characters of ASCII may not be in a name.
#[derive(Clone, Copy, Debug)]
pub struct AsciiDenyList;

impl AsciiDenyList {
    /// The URL Standard's forbidden domain code points, the only list here.
    pub const URL: AsciiDenyList = AsciiDenyList;
}

/// The URL Standard's "domain to ASCII".
///
/// # Errors
/// If that is not the name of a host.
pub fn domain_to_ascii_from_cow(
    domain: Cow<'_, [u8]>,
    _: AsciiDenyList,
) -> Result<Cow<'_, str>, Errors> {
    // What would end the name in a URL, or be decoded once more, is among them.
    if domain
        .iter()
        .any(|&byte| byte <= b' ' || b"\x7f%#/:<>?@[\\]^|".contains(&byte))
    {
        return Err(Errors);
    }
    let domain = match domain {
        Cow::Borrowed(domain) => Cow::Borrowed(str::from_utf8(domain).map_err(|_| Errors)?),
        Cow::Owned(domain) => Cow::Owned(String::from_utf8(domain).map_err(|_| Errors)?),
    };
    let is_encoded = |label: &str| {
        let start = label.get(..4);
        start.is_some_and(|start| start.eq_ignore_ascii_case("xn--"))
    };
    if !domain.is_ascii() || domain.split('.').any(is_encoded) {
        let url = URL::new(&format!("http://{domain}")).map_err(|_| Errors)?;
        return Ok(Cow::Owned(url.hostname()));
    }
    Ok(match domain.bytes().any(|byte| byte.is_ascii_uppercase()) {
        true => Cow::Owned(domain.to_ascii_lowercase()),
        false => domain,
    })
}

/// The other way, for showing names, which abslink does not: here the name is what it was, and an error.
///
/// # Errors
/// Always.
pub fn domain_to_unicode(domain: &str) -> (String, Result<(), Errors>) {
    (domain.to_owned(), Err(Errors))
}
