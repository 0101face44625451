//! RFC 1808 §2.2, `escape`: a byte as `%` and two hexadecimal digits.
//!
//! The resolvers themselves neither escape nor unescape. Code that makes URLs from names, or writes
//! a URL where not every character is allowed, does it here.

/// Appends bytes to a URL, and escapes as `%HH` those that may not stand for themselves. `stays`
/// gets all bytes that are left, and decides about the first; of a non-ASCII character it keeps all
/// bytes or none.
///
/// # Examples
/// ```
/// let mut url = String::from("http://h/");
/// abslink_url::percent::encode(b"a b", |rest| rest[0] != b' ', &mut url);
/// assert_eq!(url, "http://h/a%20b");
/// ```
pub fn encode(bytes: &[u8], stays: impl Fn(&[u8]) -> bool, url: &mut String) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let digit = |half: u8| char::from(DIGITS[usize::from(half)]);
    url.reserve(bytes.len());
    let mut rest = bytes;
    loop {
        let plain = (0..rest.len()).take_while(|&at| stays(&rest[at..])).count();
        match std::str::from_utf8(&rest[..plain]) {
            Ok(plain) => url.push_str(plain),
            Err(_) => url.push_str(&String::from_utf8_lossy(&rest[..plain])),
        }
        let Some((byte, after)) = rest[plain..].split_first() else {
            return;
        };
        url.extend(['%', digit(byte >> 4), digit(byte & 15)]);
        rest = after;
    }
}

/// The bytes that a part of a URL stands for. A `%` without two digits stands for itself.
///
/// # Examples
/// ```
/// assert_eq!(abslink_url::percent::decode("100%25%"), b"100%%");
/// ```
pub fn decode(text: &str) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let (byte, after) = match escape(rest) {
            Some(byte) => (byte, &rest[3..]),
            None => (*first, after),
        };
        decoded.push(byte);
        rest = after;
    }
    decoded
}

/// The byte that the `escape` at the start of `text` stands for, if there is one.
///
/// # Examples
/// ```
/// assert_eq!(abslink_url::percent::escape(b"%20x"), Some(b' '));
/// ```
pub fn escape(text: &[u8]) -> Option<u8> {
    let digit = |digit: u8| char::from(digit).to_digit(16)?.try_into().ok();
    match text {
        [b'%', high, low, ..] => {
            let (high, low): (u8, u8) = (digit(*high)?, digit(*low)?);
            Some(high << 4 | low)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_must_not_stand_there_is_escaped() {
        let encoded = |bytes: &[u8]| {
            let mut url = String::from("/");
            let stays = |rest: &[u8]| {
                rest[0].is_ascii_alphanumeric()
                    || rest.starts_with("é".as_bytes())
                    || rest[0] == 0xa9
            };
            encode(bytes, stays, &mut url);
            url
        };
        assert_eq!(encoded(b"a b\x1f"), "/a%20b%1F");
        assert_eq!(encoded("é\u{ff}".as_bytes()), "/é%C3%BF");
        assert_eq!(encoded(b""), "/");
    }

    #[test]
    fn escapes_are_decoded_and_what_is_none_stays() {
        assert_eq!(decode("%41%2f%c3%A9"), "A/é".as_bytes());
        assert_eq!(decode("%4%zz%"), b"%4%zz%");
        assert_eq!(escape(b"%7e~"), Some(b'~'));
        assert_eq!(escape(b"a%7e"), None);
    }
}
