//! Endings of names that tell what a file is, and that it is no HTML.
//!
//! The table holds what is met beside pages: a file with one of these endings need not be opened to
//! be passed over. It is shorter than the registry of media types on purpose. That has `.com`,
//! `.org`, `.page` and `.1`, with which names of hosts, of pages and of versions end; and it has
//! `.php`, `.asp` and `.pl`, whose files in a mirror hold what the server made of them.

use std::collections::HashSet;
use std::sync::LazyLock;

/// By the first half of the media type, then what has none of its own.
const KNOWN: [&str; 10] = [
    // image/
    "ai apng avif bmp cdr cr2 cur dds dib djv djvu dng dwg dxf emf eps exr gif heic heif icns ico \
     ief j2c j2k jfif jng jp2 jpe jpeg jpf jpg jpm jpx jxl jxr mng nef orf pbm pcx pgm pic pict png \
     pnm ppm ps psb psd ras raw rgb sgi svg svgz tga tif tiff wbmp webp wmf xbm xcf xpm xwd",
    // font/
    "afm bdf eot otc otf pfa pfb pfm ttc ttf woff woff2",
    // audio/
    "3ga aac ac3 aif aifc aiff amr ape au cda flac kar m3u m3u8 m4a m4b m4r mid midi mka mod mp1 mp2 \
     mp3 mpc mpga oga ogg opus pls ra ram s3m snd spx voc wav wax weba wma wv xm xspf",
    // video/
    "3g2 3gp 3gpp asf asx avi divx dv f4v flv m1v m2ts m2v m4s m4v mj2 mkv mov movie mp4 mpe mpeg mpg \
     mpd mts mxf ogm ogv qt rm rmvb smi smil srt sub ts ttml vob vtt webm wm wmv wmx",
    // text/: style sheets, scripts, and what programs are written in. `.pl` and `.py` are left out.
    "ada adb ads asm awk bash bat c cc cjs clj cmake cmd coffee cpp cs css csv cxx d dart diff el elm \
     erl ex exs f f77 f90 fish fs go gradle groovy h hh hpp hs hxx ics idl ini java jl js jsx kt kts \
     less lisp log lua m4 mak map markdown md mjs mk ml mli mm nim nfo pas patch po pot properties \
     ps1 pyi r rb rs rst rtx s sass scala scm scss sh sql styl swift tcl tex text toml tsv tsx txt v \
     vala vb vbs vcf vhd vhdl wgsl yaml yml zig zsh",
    // text/: templates, of which pages are made
    "ejs erb ftl haml handlebars hbs j2 jade jinja jinja2 liquid mako mustache njk pug svelte tmpl \
     tpl twig vue",
    // application/: data
    "arrow atom avro bib cbor conf cfg db dbf dtd geojson gml gpx har hdf5 ipynb json json5 jsonl \
     jsonld kml kmz lock mdb mo n3 ndjson nt npy npz parquet pb pickle plist proto rdf rss sav shp \
     sqlite sqlite3 torrent trig ttl warc wasm wat webmanifest wml wsdl xml xsd xsl xslt xul",
    // application/: office and books
    "abw azw azw3 chm doc docm docx dot dotx dvi epub fb2 gnumeric hlp indd key mobi msg numbers odb \
     odf odg odp ods odt one otg otp ots ott oxps pages pdf pot potx pps ppsx ppt pptm pptx pub rtf \
     sxc sxi sxw vsd vsdx wpd wps wri xlam xls xlsb xlsm xlsx xlt xltx xps",
    // application/: archives and programs
    "7z ace apk app appimage ar arj bin br bz bz2 cab class cpio crx deb dex dll dmg dylib ear elf \
     exe gem gz img iso jar jnlp lha lib lz lz4 lzh lzma lzo msi nupkg o obj pak pdb pkg pyc pyd pyo \
     rar rpm run shar sit sitx snap so swf tar taz tbz tbz2 tgz tlz txz udeb vmdk war whl xpi xz z \
     zip zipx zst",
    // model/, and keys and signatures
    "3ds 3mf asc blend cer crl crt csr dae der fbx glb gltf gpg iges igs jks mtl p12 p7b p7c p7m p7s \
     pem pfx ply sha1 sha256 sha512 sig step stl stp usdz wrl x3d",
];

static SET: LazyLock<HashSet<&[u8]>> = LazyLock::new(|| {
    let endings = KNOWN.iter().flat_map(|row| row.split_ascii_whitespace());
    endings.map(str::as_bytes).collect()
});

/// Whether the name of a file tells that it is something else than HTML.
///
/// Where wget kept a query in the name, what stands before it tells: `view.php?file=a.css` is no
/// style sheet. It writes an `@` for the `?` where that is asked for; but `logo@2x.png` is a picture.
pub(super) fn tells(name: &[u8]) -> bool {
    let page = before(name, b'?');
    let ending = ending(before(page, b'@')).or_else(|| ending(page));
    ending.is_some_and(|ending| SET.contains(&*ending.to_ascii_lowercase()))
}

/// What stands before the first `mark`; all where there is none.
fn before(name: &[u8], mark: u8) -> &[u8] {
    &name[..memchr::memchr(mark, name).unwrap_or(name.len())]
}

/// What stands after the last dot, unless that is where the name begins.
fn ending(name: &[u8]) -> Option<&[u8]> {
    match memchr::memrchr(b'.', name) {
        None | Some(0) => None,
        Some(dot) => Some(&name[dot + 1..]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_need_not_be_opened() {
        for name in [
            "a.png",
            "a.JPG",
            "a.tar.gz",
            "a.b.css",
            "page.hbs",
            "a.webmanifest",
        ] {
            assert!(tells(name.as_bytes()), "{name}");
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
            assert!(!tells(name.as_bytes()), "{name}");
        }
    }

    #[test]
    fn what_stands_before_a_query_tells() {
        for (name, expected) in [
            ("style.css?v=3", true),
            ("style.css@v=3.1", true),
            ("logo@2x.png", true),
            ("logo@2x.png?v=1", true),
            ("view.php?file=a.css", false),
            ("view.php@file=a.css", false),
            ("download?file=a.zip", false),
            ("?a.css", false),
        ] {
            assert_eq!(tells(name.as_bytes()), expected, "{name}");
        }
    }

    /// What is never found would be looked into without need.
    #[test]
    fn each_ending_can_be_found() {
        let endings = KNOWN.iter().flat_map(|row| row.split_ascii_whitespace());
        for ending in endings {
            assert!(tells(format!("a.{ending}").as_bytes()), "{ending}");
        }
    }
}
