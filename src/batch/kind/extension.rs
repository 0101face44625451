//! What the ending of a name says.
//!
//! The table of what is not HTML has what is usually found beside pages. It is shorter than the registry
//! of media types on purpose: that has `.com`, `.org`, `.page` and `.1`, which also end the names of
//! hosts, pages and versions.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::format::{self, Kind};
use crate::batch::report::NotRead;

/// What the extension of a name says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NameKind {
    /// The file is read as this.
    Ours(Kind),
    /// It is a template from which pages are made.
    Template,
    /// It is a program with markup in it that makes a page or, in a mirror, the page that it made.
    Page,
    /// It is a program or, in a mirror, its output.
    Program(NotRead),
    /// It is something else, whatever its bytes look like.
    Other(NotRead),
}

const fn other(what: &'static str) -> NameKind {
    with(what, NotRead::AS_HTML)
}

const fn packed(what: &'static str) -> NameKind {
    with(what, NotRead::PACKED)
}

const fn with(what: &'static str, help: &'static str) -> NameKind {
    NameKind::Other(NotRead::by_name(what, help))
}

pub(crate) const JSON: NotRead = NotRead::by_name("JSON", NotRead::BY_FIELD);

/// The endings of files that abslink does not read, by what they say.
const KNOWN: [(NameKind, &str); 30] = [
    (
        NameKind::Template,
        "ejs erb ftl gohtml handlebars hbs j2 jinja jinja2 liquid mako mjml mustache njk svelte tmpl tpl \
         twig vue",
    ),
    (NameKind::Page, "asp aspx cfm cshtml jsp php phtml"),
    (
        NameKind::Program(NotRead::by_name("a program", NotRead::AS_HTML)),
        "cgi fcgi pl py",
    ),
    (other("JavaScript"), "cjs es6 js jsx mjs"),
    (other("TypeScript"), "cts mts ts tsx"),
    (NameKind::Other(JSON), "geojson har ipynb json json5 jsonld"),
    (with("MDX", NotRead::OF_NO_USE), "mdx"),
    (
        other("plain text"),
        "adoc asciidoc asc log nfo rst srt sub text txt vtt",
    ),
    (
        with("XML", NotRead::AS_XHTML),
        "dtd gml gpx kml plist rdf smi smil ttml wml wsdl xml xsd xsl xslt xspf xul",
    ),
    (with("an SVG image", NotRead::OF_ANOTHER_ROOT), "svg"),
    (
        with("a list of feeds (OPML)", NotRead::OF_ANOTHER_ROOT),
        "opml",
    ),
    (
        with("rows of data", NotRead::BY_FIELD),
        "csv jl jsonl jsonlines ldjson ndjson tab tsv",
    ),
    (
        with("rows of data", NotRead::OF_NO_USE),
        "arrow avro feather orc parquet",
    ),
    (
        with(
            "a database dump",
            ": export rows as CSV or JSON Lines instead, and load them back (docs/rows.md)",
        ),
        "sql",
    ),
    (
        with("a web archive of Safari", NotRead::OF_NO_USE),
        "webarchive",
    ),
    (with("a ZIM archive", ": zimdump takes it apart"), "zim"),
    (
        with(
            "a book in a ZIP file (EPUB)",
            ": unpack it and give the XHTML files in it",
        ),
        "epub",
    ),
    (
        other("a picture"),
        "ai apng avif bmp cdr cr2 cur dds dib djv djvu dng dwg dxf emf eps exr gif heic heif icns ico \
         ief j2c j2k jfif jng jp2 jpe jpeg jpf jpg jpm jpx jxl jxr mng nef orf pbm pcx pgm pic pict png \
         pnm ppm ps psb psd ras raw rgb sgi tga tif tiff wbmp webp wmf xbm xcf xpm xwd",
    ),
    (
        other("a font"),
        "afm bdf eot otc otf pfa pfb pfm ttc ttf woff woff2",
    ),
    (
        other("a sound"),
        "3ga aac ac3 aif aifc aiff amr ape au cda flac kar m3u m3u8 m4a m4b m4r mid midi mka mod mp1 mp2 \
         mp3 mpc mpga oga ogg opus pls ra ram s3m snd spx voc wav wax weba wma wv xm",
    ),
    (
        other("a film"),
        "3g2 3gp 3gpp asf asx avi divx dv f4v flv m1v m2ts m2v m4s m4v mj2 mkv mov movie mp4 mpe mpeg mpg \
         mpd mxf ogm ogv qt rm rmvb vob webm wm wmv wmx",
    ),
    // Source code; `.pl` and `.py` are above.
    (
        other("source code"),
        "ada adb ads asm awk bash bat c cc clj cmake cmd coffee cpp cs cxx d dart diff el elm erl ex exs f \
         f77 f90 fish fs go gradle groovy h hh hpp hs hxx idl java kt kts lisp lua m4 mak map mk ml mli \
         mm nim pas patch po pot proto ps1 pyi r rb rs s scala scm sh swift tcl tex v vala vb vbs vhd \
         vhdl wat wgsl yml yaml zig zsh",
    ),
    (
        other("a style sheet in another language than CSS"),
        "less sass scss styl",
    ),
    // Templates that are not HTML until they are filled in.
    (
        other("a template in a language of its own"),
        "haml jade pug slim",
    ),
    (
        other("data"),
        "bib cbor cfg conf db dbf gltf hdf5 ics ini kmz lock mdb mo n3 npy npz nt pb pickle properties \
         sav shp sqlite sqlite3 toml torrent trig ttl vcf",
    ),
    (
        other("an office document or a book"),
        "abw azw azw3 chm doc docm docx dot dotx dvi fb2 gnumeric hlp indd key mobi msg numbers odb \
         odf odg odp ods odt one otg otp ots ott oxps pages pdf potx pps ppsx ppt pptm pptx pub rtf rtx \
         sxc sxi sxw vsd vsdx wpd wps wri xlam xls xlsb xlsm xlsx xlt xltx xps",
    ),
    (
        packed("a compressed file"),
        "br bz bz2 gz lz lz4 lzma lzo svgz taz tbz tbz2 tgz tlz txz xz z zst",
    ),
    (
        packed("an archive"),
        "7z ace ar arj cab cpio ear iso jar lha lib lzh rar shar sit sitx tar war whl xpi zip zipx",
    ),
    (
        other("a program"),
        "apk app appimage bin class crx deb dex dll dmg dylib elf exe gem img jnlp msi nupkg o obj pak pdb \
         pkg pyc pyd pyo rpm run snap so swf udeb vmdk wasm",
    ),
    (
        other("a model, a key or a signature"),
        "3ds 3mf blend cer crl crt csr dae der fbx glb gpg iges igs jks mtl p12 p7b p7c p7m p7s pem pfx ply sha1 \
         sha256 sha512 sig step stl stp usdz wrl x3d",
    ),
];

static TABLE: LazyLock<HashMap<&[u8], NameKind>> = LazyLock::new(|| {
    let rows = KNOWN.iter().flat_map(|(told, endings)| {
        let endings = endings.split_ascii_whitespace();
        endings.map(|ending| (ending.as_bytes(), *told))
    });
    rows.collect()
});

/// What the ending of a name says. If a template names what it produces, as `app.js.erb` does, it
/// counts as that.
///
/// If wget kept a query in the name, the part before it counts: `view.php?file=a.css` is not a style
/// sheet. wget can write `@` for the `?`; but `logo@2x.png` is a picture.
pub(crate) fn of(name: &[u8]) -> Option<NameKind> {
    if let Some(kind) = format::by_name(name) {
        return Some(NameKind::Ours(kind));
    }
    let page = before(name, b'?');
    let (stem, ending) = split(before(page, b'@')).or_else(|| split(page))?;
    match *TABLE.get(&*ending.to_ascii_lowercase())? {
        NameKind::Template => Some(of(stem).unwrap_or(NameKind::Template)),
        told => Some(told),
    }
}

/// The name shows that a file is not a document and need not be opened.
pub(crate) fn is_of_others(name: &[u8]) -> bool {
    matches!(of(name), Some(NameKind::Other(_)))
}

/// The part before the first `mark`; all of it if there is none.
fn before(name: &[u8], mark: u8) -> &[u8] {
    &name[..memchr::memchr(mark, name).unwrap_or(name.len())]
}

/// The parts before and after the last dot; `None` if the name begins with that dot.
fn split(name: &[u8]) -> Option<(&[u8], &[u8])> {
    match memchr::memrchr(b'.', name) {
        None | Some(0) => None,
        Some(dot) => Some((&name[..dot], &name[dot + 1..])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_need_not_be_opened() {
        for name in ["a.png", "a.JPG", "a.tar.gz", "a.b.js", "a.conf.j2"] {
            assert!(is_of_others(name.as_bytes()), "{name}");
        }
    }

    #[test]
    fn what_a_server_made_is_looked_into() {
        for name in [
            "about",
            "view.php",
            "a.ASP",
            "a.cgi",
            "a.html",
            "v1.2",
            "www.example.org",
            ".png",
            "",
            "a.",
            "a.png.orig",
            "a.extraordinarily",
        ] {
            assert!(!is_of_others(name.as_bytes()), "{name}");
        }
    }

    #[test]
    fn what_stands_before_a_query_tells() {
        for (name, expected) in [
            ("style.js?v=3", true),
            ("style.js@v=3.1", true),
            ("logo@2x.png", true),
            ("logo@2x.png?v=1", true),
            ("view.php?file=a.js", false),
            ("view.php@file=a.js", false),
            ("download?file=a.zip", false),
            ("?a.js", false),
        ] {
            assert_eq!(is_of_others(name.as_bytes()), expected, "{name}");
        }
    }

    #[test]
    fn a_template_is_what_is_made_of_it() {
        for (name, expected) in [
            ("page.hbs", Some(NameKind::Template)),
            ("www.example.j2", Some(NameKind::Template)),
            ("page.html.erb", Some(NameKind::Ours(Kind::HTML))),
            ("page.xhtml.j2.j2", Some(NameKind::Ours(Kind::XHTML))),
            ("page.css.erb", Some(NameKind::Ours(Kind::STYLE_SHEET))),
            ("data.json.j2", Some(NameKind::Other(JSON))),
            (".j2", None),
        ] {
            assert_eq!(of(name.as_bytes()), expected, "{name}");
        }
    }

    /// An ending in two rows would be ambiguous.
    #[test]
    fn each_ending_stands_once_and_is_none_of_ours() {
        let endings: usize = KNOWN.iter().map(|row| row.1.split(' ').count()).sum();
        assert_eq!(TABLE.len(), endings);
        for ending in format::default_endings() {
            assert!(!TABLE.contains_key(ending.as_bytes()), "{ending}");
        }
    }
}
