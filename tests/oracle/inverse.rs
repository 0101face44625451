//! The inverse of RFC 1808 §4 on generated pairs.

use crate::support::transcription;
use abslink::inverse::{Form, Inverse, KeepReason};
use abslink::{BaseUrl, pre_step};

use crate::support::pairs::Pairs;

/// A URL in the form in which two are compared: scheme and host in lower case, no default port, and a
/// path.
fn normal(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else {
        return url.to_owned();
    };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (net_loc, rest) = rest.split_at(end);
    let (login, host) = match net_loc.rsplit_once('@') {
        Some((login, host)) => (format!("{login}@"), host),
        None => (String::new(), net_loc),
    };
    let (scheme, mut host) = (scheme.to_ascii_lowercase(), host.to_ascii_lowercase());
    for (of, port) in [("http", ":80"), ("https", ":443"), ("ftp", ":21")] {
        if scheme == of && host.ends_with(port) {
            host.truncate(host.len() - port.len());
        }
    }
    let slash = if rest.starts_with('/') { "" } else { "/" };
    format!("{scheme}://{login}{host}{slash}{rest}")
}

/// What RFC 3986 makes of a reference, by a resolver that shares no code; `None` for what its grammar
/// does not allow.
fn by_rfc3986(base: &str, reference: &str) -> Option<String> {
    let reference = oxiri::IriRef::parse(reference).ok()?;
    let resolved = oxiri::Iri::parse(base).ok()?.resolve(&reference).ok()?;
    Some(normal(resolved.as_str()))
}

/// What browsers make of it, by the url crate, where that follows the URL Standard: it reads drive
/// letters of `file:` in ways of its own, and takes `\\` for a slash behind schemes that are not special.
fn by_browser(base: &str, reference: &str) -> Option<String> {
    let scheme = base.split(':').next()?.to_ascii_lowercase();
    let is_followed = match &*scheme {
        "file" => false,
        "http" | "https" | "ftp" => true,
        _ => !reference.contains('\\'),
    };
    if !is_followed {
        return None;
    }
    let joined = url::Url::parse(base).ok()?.join(reference).ok()?;
    Some(normal(joined.as_str()))
}

/// Every reference leads back, by a transcription of RFC 1808, by oxiri and by the url crate, and none
/// is read as anything but a path or a fragment. Nearly every target below the base gets one.
#[test]
fn every_reference_leads_back() {
    let (mut found, mut not_proved) = (0, 0);
    for (nth, (base_text, reference)) in Pairs::new().take(Pairs::count()).enumerate() {
        let Ok(base) = BaseUrl::parse(base_text) else {
            continue;
        };
        let target = transcription::resolve(base_text, &pre_step(&reference));
        for form in Form::ALL {
            let inverse = Inverse {
                form,
                fragment_alone: nth % 2 == 0,
            };
            let inverted = match inverse.reference(&base, &target) {
                Ok(inverted) => inverted,
                Err(kept) => {
                    not_proved += usize::from(matches!(kept, KeepReason::NotProved(_)));
                    continue;
                }
            };
            found += 1;
            let what = format!("{base_text} to {target:?} by {form:?}: {inverted:?}");
            let is_odd = |odd: &&str| inverted.starts_with(odd);
            assert!(
                !inverted.is_empty() && !["//", "?", ";", " "].iter().any(is_odd),
                "{what}"
            );
            let back = transcription::resolve(base_text, &inverted);
            assert_eq!(normal(&back), normal(&target), "{what}");
            if let Some(meant) = by_rfc3986(base_text, &target) {
                assert_eq!(by_rfc3986(base_text, &inverted), Some(meant), "{what}");
            }
            if let Some(meant) = by_browser(base_text, &target) {
                assert_eq!(by_browser(base_text, &inverted), Some(meant), "{what}");
            }
        }
    }
    println!("{found} references, {not_proved} were not proved");
    assert!(
        found > 2 * not_proved && found > Pairs::count() / 10,
        "{found} {not_proved}"
    );
}
