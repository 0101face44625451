//! What holds for every base and every reference.

use abslink::rfc1808::{Components, explain};
use abslink::{BaseUrl, DivergenceClass, Resolver, pre_step};
use abslink_url::divergence::differs;
use abslink_url::rfc1808::grammar;
use abslink_url::{divergence, rfc1738, rfc3986};
use proptest::prelude::*;

use crate::oracle::properties::check;
use crate::support::pairs::Pairs;
use crate::support::transcription;

fn resolve(resolver: Resolver, base: &BaseUrl, reference: &str) -> Option<String> {
    resolver.resolve(base, reference).ok().map(String::from)
}

#[test]
fn rfc1808_agrees_with_the_literal_transcription() {
    for (base, reference) in Pairs::new().take(Pairs::count()) {
        let resolved = resolve(Resolver::Rfc1808, &BaseUrl::any(base), &reference);
        let expected = transcription::resolve(base, &reference);
        assert_eq!(resolved, Some(expected), "{base} + {reference:?}");
    }
}

#[test]
fn the_explanation_ends_with_the_result() {
    for (base, reference) in Pairs::new().take(Pairs::count()) {
        let base = BaseUrl::any(base);
        let steps = explain(&base, &reference);
        let merged = steps.iter().find(|step| step.number == "6d");
        let resolved = resolve(Resolver::Rfc1808, &base, &reference).unwrap();
        if let Some(merged) = merged {
            let path = merged.text.rsplit(": ").next().unwrap();
            assert!(
                resolved.contains(path),
                "{base:?} + {reference:?}: {steps:#?}"
            );
        }
    }
}

#[test]
fn rfc1808_reads_its_own_result_as_absolute() {
    for (base, reference) in Pairs::new().take(Pairs::count()) {
        let Ok(base) = BaseUrl::parse(base) else {
            continue;
        };
        let resolved = resolve(Resolver::Rfc1808, &base, &reference).unwrap();
        assert!(
            Resolver::Rfc1808.is_absolute(&base, &resolved),
            "{resolved}"
        );
        let again = resolve(Resolver::Rfc1808, &base, &resolved);
        assert_eq!(again.as_ref(), Some(&resolved), "{base:?} + {reference:?}");
    }
}

#[test]
fn rfc1808_gives_the_components_that_it_recombined() {
    for (base_text, reference) in Pairs::new().take(Pairs::count()) {
        let Ok(base) = BaseUrl::parse(base_text) else {
            continue;
        };
        let own = Components::parse(&reference);
        if own.scheme.is_some() || reference.is_empty() {
            continue;
        }
        let resolved = resolve(Resolver::Rfc1808, &base, &reference).unwrap();
        let parts = Components::parse(&resolved);
        let inherited = Components::parse(base_text);
        let context = format!("{base_text} + {reference:?} = {resolved}");
        assert_eq!(parts.scheme, inherited.scheme, "{context}");
        assert_eq!(parts.fragment, own.fragment, "{context}");
        let net_loc = own.net_loc.filter(|net_loc| !net_loc.is_empty());
        assert_eq!(parts.net_loc, net_loc.or(inherited.net_loc), "{context}");
        if !own.path.is_empty() {
            assert_eq!(
                (parts.params, parts.query),
                (own.params, own.query),
                "{context}"
            );
        }
    }
}

/// oxiri refuses what its grammar does not allow, and results whose path begins with `//`.
#[test]
fn rfc3986_agrees_with_oxiri() {
    let mut compared = 0;
    for (base, reference) in Pairs::new().take(Pairs::count()) {
        let Ok(iri) = oxiri::Iri::parse(base) else {
            continue;
        };
        let Ok(iri_reference) = oxiri::IriRef::parse(reference.as_str()) else {
            continue;
        };
        let Ok(expected) = iri.resolve(&iri_reference) else {
            continue;
        };
        let resolved = resolve(Resolver::Rfc3986, &BaseUrl::any(base), &reference);
        assert_eq!(
            resolved.as_deref(),
            Some(expected.as_str()),
            "{base} + {reference:?}"
        );
        compared += 1;
    }
    assert!(
        compared * 10 > Pairs::count(),
        "{compared} pairs are too few"
    );
}

#[test]
fn the_cheap_test_for_divergence_misses_nothing() {
    for (base_text, reference) in Pairs::new().take(Pairs::count()) {
        let base = BaseUrl::any(base_text);
        for resolver in Resolver::ALL {
            let Some(resolved) = resolve(resolver, &base, &reference) else {
                continue;
            };
            let found = divergence(&base, &reference, &resolved);
            let expected = differs(&base, &reference, &resolved);
            let context = format!("{resolver}: {base_text} + {reference:?} = {resolved}");
            assert_eq!(found, expected, "{context}");
            if resolver == Resolver::Whatwg {
                assert_eq!(found, None, "{context}");
            }
        }
    }
}

#[test]
fn the_shortcut_gives_what_the_long_way_gives() {
    let mut taken = 0;
    for (base_text, reference) in Pairs::new().take(Pairs::count()) {
        let base = BaseUrl::any(base_text);
        match check::shortcut(&base, &reference) {
            Ok(found) => taken += usize::from(found),
            Err(what) => panic!("{base_text} + {reference:?}: {what}"),
        }
    }
    assert!(taken > Pairs::count() / 100, "{taken} taken");
}

/// The last class is what remains when no other one applies: it must be true as well.
#[test]
fn every_divergence_has_its_class() {
    for (base_text, reference) in Pairs::new().take(Pairs::count()) {
        let base = BaseUrl::any(base_text);
        let resolved = resolve(Resolver::Rfc1808, &base, &reference).unwrap();
        let Some(found) = divergence(&base, &reference, &resolved) else {
            continue;
        };
        let context = format!("{base_text} + {reference:?} = {resolved}: {found:?}");
        if found.class == DivergenceClass::BaseNotNormal {
            let path = Components::parse(base_text).path;
            let odd = path.ends_with("/..") || path.contains("%2e") || path.contains('\\');
            assert!(odd, "{context}");
        }
        assert_ne!(found.class, DivergenceClass::DotsInAbsolute, "{context}");
    }
}

proptest! {
    #[test]
    fn no_text_is_too_odd(base in "\\PC{0,12}", reference in "(?s).{0,12}") {
        let _ = grammar::validate(&reference);
        let _ = grammar::validate_generic(&reference);
        let _ = rfc1738::validate(&reference);
        let _ = BaseUrl::parse(&base);
        prop_assert_eq!(Components::parse(&reference).to_string(), reference.clone());
        let base = BaseUrl::any(&base);
        for resolver in Resolver::ALL {
            if let Ok(resolved) = resolver.resolve(&base, &reference) {
                let _ = divergence(&base, &reference, &resolved);
            }
        }
    }

    #[test]
    fn the_pre_step_runs_once(reference in "[ \t\n\r\u{1}ab]{0,8}") {
        let stripped = pre_step(&reference).into_owned();
        prop_assert_eq!(pre_step(&stripped), stripped.clone());
    }

    #[test]
    fn the_split_of_appendix_b_loses_nothing(uri in "[a:/?#.]{0,10}") {
        let parts = rfc3986::split(&uri);
        let mut joined = String::new();
        for (before, part, after) in [
            ("", parts.scheme, ":"),
            ("//", parts.net_loc, ""),
            ("", Some(parts.path), ""),
            ("?", parts.query, ""),
            ("#", parts.fragment, ""),
        ] {
            if let Some(part) = part {
                joined += &[before, part, after].concat();
            }
        }
        prop_assert_eq!(joined, uri);
    }
}
