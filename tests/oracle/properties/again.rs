//! One run is enough: whatever the form of references, a second run with the same options changes nothing.

use abslink::{
    Context, Group, Groups, MappedPrefix, MappedPrefixes, Resolver, Settings, Syntax, To,
    rewrite_bytes,
};

use super::check::Checked;
use crate::support::generate::Random;

const OWN: &[&str] = &[
    "http://e.org/docs/a/b.html",
    "http://e.org/docs/a/b.html",
    "https://e.org/",
    "http://e.org",
    "http://e.org/a'b c/d/",
    "http://e.org/é/d?q=é",
    "http://e.org/d/p.html#f",
    "HTTP://E.org:80/d/e/f",
    "http://e.org/a\\b/c",
    "http://e.org/a/./b/../c/d",
    "http://e.org/a//b/c",
    "http://e.org/d;p=1/e",
    "http://u:p@e.org:8080/d/e",
    "http://bücher.example/ä/b",
    "http://e.org/%41/%7euser/x",
    "http://e.org/{x}/[y]/__Z__/",
    "http://e.org/x^y/`z/",
    "file:///x/y/z.html",
    "foo://h/a/b",
    "ftp://e.org/d;type=a",
];

const HEADS: &[&str] = &[
    "",
    "",
    "",
    "",
    "",
    "",
    "http://e.org/",
    "http://e.org/docs/",
    "http://e.org/docs/a/",
    "//e.org/",
    "//",
    "///",
    "https://o.org/",
    "HTTP://E.org:80/",
    "http://e.org",
    "http:",
    "http:/",
    "data:,",
    "javascript:",
    "mailto:a@b",
    "http://",
    "/",
    "../",
    "./",
    "#",
    "?",
    "file:///",
    "foo:",
    "http://e.org/d/e/",
    "http://u:p@e.org:8080/d/",
    "http://xn--bcher-kva.example/",
    "http://BÜCHER.example/",
];

const PIECES: &[&str] = &[
    "a",
    "b.html",
    "docs/",
    "a/",
    "..",
    "../",
    ".",
    "./",
    "/",
    "//",
    "?",
    "?y",
    "#",
    "#s",
    "é",
    "%C3%A9",
    "%c3",
    ";",
    ";p=1",
    ":",
    "x:",
    "%",
    "%2e",
    "%2e%2e/",
    "\\",
    " ",
    "'",
    "^",
    "`",
    "|",
    "{",
    "}",
    "{{x}}",
    "{%",
    "%}",
    "[x]",
    "[x_y]",
    "%x%",
    "__X__",
    "::x::",
    "###x###",
    "{$x}",
    "<",
    "\t",
    "@",
    "index.html",
    "é/",
    "ü?ß",
    ",",
    "(",
    ")",
    "url",
    "\u{81}",
    "~",
    "%7E",
    "_",
];

/// Where sites move to, and whether links are taken out of the URLs of archives.
const MOVES: &[(&[&str], bool)] = &[
    (&["http://e.org/=http://e.org/docs/"], false),
    (&["http://e.org=http://new.org/n"], true),
    (
        &[
            "http://e.org/docs/=http://new.org/docs/",
            "https://e.org/=https://new.org/",
        ],
        true,
    ),
    (
        &[
            "https://o.org/=https://e.org/a'b,c/",
            "http://q/=http://e.org/q/",
        ],
        true,
    ),
    (
        &[
            "http://e.org/d/=http://new.org/",
            "https://o.org/=https://y.org/d",
        ],
        false,
    ),
    (&[], true),
    (&["http://e.org/=https://e.org/"], false),
    (
        &["https://o.org=file:///o", "http://e.org=ftp://e.org"],
        false,
    ),
];

/// What goes before the pieces of a link into an archive.
const ARCHIVES: &[&str] = &[
    "http://e.org/web/20200103104500/",
    "//e.org/web/2020im_/",
    "/web/20200103104500/",
    "web/2020/",
    "20200103104500/",
    "\\web\\20200103104500\\",
];

fn reference(random: &mut Random) -> String {
    let mut text = String::new();
    if random.below(12) == 0 {
        text.push_str(random.pick(ARCHIVES));
    }
    text.push_str(random.pick(HEADS));
    rest(random, text)
}

fn rest(random: &mut Random, mut text: String) -> String {
    for _ in 0..random.below(5) {
        text.push_str(random.pick(PIECES));
    }
    text
}

fn quoted(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;")
}

fn markup(random: &mut Random, depth: usize) -> String {
    let [one, two] = [reference(random), reference(random)].map(|it| quoted(&it));
    match random.below(26) {
        0..3 => format!("<base href=\"{one}\">"),
        3 => "<base href>".to_owned(),
        4..9 => format!("<a href=\"{one}\">"),
        9 => format!(
            "<img src={}>",
            one.replace([' ', '\t', '<', '\'', '`', '"', '>'], "")
        ),
        10..12 => format!("<img srcset=\"{one} 1x, {two} 2x\">"),
        12 => format!("<p style=\"a:url('{one}') url({two})\">"),
        13 => format!("<style>@import \"{one}\"; a{{b:url({two})}}</style>"),
        14..17 if depth < 2 => {
            let inner: String = (0..1 + random.below(4))
                .map(|_| markup(random, depth + 1))
                .collect();
            format!("<iframe srcdoc=\"{}\"></iframe>", quoted(&inner))
        }
        17 => format!(
            "<link rel=\"{}\" href=\"{one}\">",
            random.pick(&["canonical", "expect", "stylesheet"])
        ),
        18 => format!("<stream src=\"{one}\"><x-y href=\"{two}\">"),
        19 => format!("<svg><use href=\"{one}\"/><a href=\"{two}\"/></svg>"),
        20 => format!("<meta http-equiv=refresh content=\"0;url={one}\">"),
        21 => format!("<a ping=\"{one} {two}\">"),
        22 => format!("<object codebase=\"{one}\" archive=\"{two}\" data=\"{two}\"></object>"),
        23 => format!(
            "<template{}><img src=\"{one}\"></template>",
            random.pick(&["", " shadowrootmode=open"])
        ),
        24 => format!("<noscript><a href=\"{one}\"></noscript>"),
        _ => format!("<script type=importmap>{{\"imports\":{{\"{one}\":\"{two}\"}}}}</script>"),
    }
}

/// A document and what is known from outside of it.
fn document(random: &mut Random) -> Result<(Vec<u8>, Context, String), String> {
    let charset = random.pick(&["utf-8", "utf-8", "windows-1252", "gb18030"]);
    let document: String = (0..1 + random.below(5))
        .map(|_| markup(random, 0))
        .collect();
    let own = random.pick(OWN);
    let mut context = Context::retrieved_from(own).map_err(|error| format!("{own}: {error}"))?;
    context.charset = Some(charset.to_owned());
    let encoding = encoding_rs::Encoding::for_label(charset.as_bytes()).unwrap();
    let (bytes, ..) = encoding.encode(&document);
    Ok((bytes.into_owned(), context, format!("{charset} {own}")))
}

fn stays(bytes: &[u8], context: &Context, settings: &Settings, what: &str) -> Checked {
    let once = rewrite_bytes(bytes, Syntax::Html, context, settings);
    let twice = rewrite_bytes(&once.document, Syntax::Html, context, settings);
    // What leads nowhere from the URL of before may lead somewhere from the new one.
    let leads_nowhere = once.examined.tally.unresolved > 0;
    let is_based_anew = settings.unwrap || settings.moves != MappedPrefixes::default();
    if !twice.is_changed() || leads_nowhere && is_based_anew {
        return Ok(());
    }
    let (once, twice) = (&once.document, &twice.document);
    let Settings {
        to,
        resolver,
        remove_base,
        ..
    } = settings;
    let [old, once, twice] = [bytes, once, twice].map(|it| it.escape_ascii().to_string());
    Err(format!(
        "{what} --to {} --resolver {resolver} remove {remove_base}\n{old}\n{once}\n{twice}",
        to.name()
    ))
}

/// Runs each set of options twice over the document of a seed.
pub(super) fn again(seed: u64) -> Checked {
    let (bytes, context, what) = document(&mut Random(seed))?;
    for to in To::ALL {
        for resolver in Resolver::ALL {
            for (remove_base, all) in [(false, false), (true, false), (false, true), (true, true)] {
                let mut settings = Settings::default();
                (settings.to, settings.resolver, settings.remove_base) =
                    (to, resolver, remove_base);
                if all {
                    settings.groups = Group::ALL.into_iter().fold(Groups::default(), Groups::with);
                }
                stays(&bytes, &context, &settings, &format!("{what} all {all}"))?;
            }
        }
    }
    Ok(())
}

/// The same with sites that move, and links into archives. Only a path from the root of another server is read
/// otherwise by a second run; the command refuses to replace files by such.
pub(super) fn moved(seed: u64) -> Checked {
    let (bytes, context, what) = document(&mut Random(seed))?;
    for (prefixes, unwrap) in MOVES {
        let prefixes = prefixes
            .iter()
            .map(|it| it.parse::<MappedPrefix>().unwrap());
        let prefixes: Vec<MappedPrefix> = prefixes.collect();
        let is_read_otherwise = prefixes.iter().any(MappedPrefix::changes_root);
        for to in To::ALL {
            // Nor can be told whether a short reference below TO is one that was moved, where that is below FROM.
            let is_nested = prefixes
                .iter()
                .any(|it| it.parts().1.starts_with(it.parts().0));
            if is_read_otherwise && to == To::Root || is_nested && to != To::Absolute {
                continue;
            }
            for resolver in Resolver::ALL {
                let mut settings = Settings::default();
                (settings.to, settings.resolver, settings.unwrap) = (to, resolver, *unwrap);
                settings.moves = MappedPrefixes::of(prefixes.clone()).unwrap();
                let what = format!("{what} {prefixes:?} unwrap {unwrap}");
                stays(&bytes, &context, &settings, &what)?;
            }
        }
    }
    Ok(())
}
