//! Hosts that the standard accepts and the crate refuses.
//!
//! Since 2026 a domain of ASCII characters is taken as it is, in lower case, whatever UTS 46 says about
//! its labels (<https://github.com/whatwg/url/pull/914>); the crate still fails if a label that starts
//! with `xn--` is not valid Punycode (<https://github.com/servo/rust-url/issues/1135>). So it gets a
//! stand-in for such a host: `xo--` in place of `xn--`, which is just as long, and not a number either.

use std::ops::Range;

use super::is_special;
use crate::rfc3986;
use crate::text::percent;

/// `input` with a stand-in for its host, and the host; `None` if the host is not why the crate fails.
pub(super) fn stand_in(input: &str, base: Option<&url::Url>) -> Option<(String, String)> {
    let place = own_host(input, base)?;
    let (stand_in, host) = refused(&input[place.clone()])?;
    let input = [&input[..place.start], &stand_in, &input[place.end..]].concat();
    Some((input, host))
}

/// A stand-in for the host that `text` is, and the host; `None` if the standard refuses it too.
pub(super) fn refused(text: &str) -> Option<(String, String)> {
    let host = String::from_utf8(percent::decode(text)).ok()?;
    let host = host.to_ascii_lowercase();
    // ASCII, and no forbidden domain code point.
    let is_of_domain = |byte: u8| byte.is_ascii_graphic() && !b"#/:<>?@[\\]^|%".contains(&byte);
    if !host.bytes().all(is_of_domain) {
        return None;
    }
    let labels = host
        .split('.')
        .map(|label| match label.strip_prefix("xn--") {
            Some(rest) => format!("xo--{rest}"),
            None => label.to_owned(),
        });
    let stand_in = labels.collect::<Vec<_>>().join(".");
    (stand_in != host).then_some((stand_in, host))
}

/// Whether `url`, which `input` stands for, has its host from `base`.
pub(super) fn is_inherited(input: &str, url: &url::Url, base: &url::Url) -> bool {
    url.host_str() == base.host_str()
        && !super::is_absolute(base.as_str(), input)
        && own_host(input, Some(base)).is_none()
}

/// Where the host is in an `input` that has its own host and a special scheme: with other schemes it
/// is not a domain.
fn own_host(input: &str, base: Option<&url::Url>) -> Option<Range<usize>> {
    let own_scheme = rfc3986::scheme(input);
    let scheme = own_scheme.or(base.map(url::Url::scheme))?;
    if !is_special(scheme) {
        return None;
    }
    let after_scheme = own_scheme.map_or(input, |scheme| &input[scheme.len() + 1..]);
    let after_slashes = after_scheme.trim_start_matches(['/', '\\']);
    let slashes = after_scheme.len() - after_slashes.len();
    let is_absolute = base.is_none_or(|base| super::is_absolute(base.as_str(), input));
    let has_host = slashes >= 2 || own_scheme.is_some() && is_absolute;
    if !has_host {
        return None;
    }
    let end = after_slashes.find(['/', '\\', '?', '#']);
    let authority = &after_slashes[..end.unwrap_or(after_slashes.len())];
    let login = authority.rfind('@').map_or(0, |at| at + 1);
    let host = authority[login..].split(':').next().unwrap_or_default();
    let start = input.len() - after_slashes.len() + login;
    Some(start..start + host.len())
}
