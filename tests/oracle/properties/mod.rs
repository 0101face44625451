//! What holds for every input, on generated ones: the pieces below in any order. `ABSLINK_SEED`
//! pins them and `ABSLINK_DOCUMENTS` says how many (see [`generate`]).

mod again;
mod archive;
pub(crate) mod check;
mod feed;
mod markdown;
pub(crate) mod message;
mod odd;
mod rows;
mod target;
mod url_map;
mod values;

use std::path::Path;

use abslink::Syntax;

use crate::support::generate;
use crate::support::pairs::Pairs;

/// What the fuzz targets start from, and what they found before it was mended.
#[test]
fn seeds() {
    if !crate::support::skip::has("fuzz") {
        return;
    }
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds");
    let mut count = 0;
    for seed in walkdir::WalkDir::new(seeds).min_depth(2) {
        let seed = seed.unwrap();
        let name = seed.path().parent().unwrap().file_name().unwrap();
        let input = std::fs::read(seed.path()).unwrap();
        if let Err(wrong) = target::target(name.to_str().unwrap(), &input) {
            panic!("{}: {wrong}", seed.path().display());
        }
        count += 1;
    }
    assert!(count > 50, "{count}");
}

/// Feeds, style sheets and Markdown with bytes that are missing, doubled, or others.
#[test]
fn feeds_sheets_and_markdown_that_are_damaged() {
    if !crate::support::skip::has("fuzz") {
        return;
    }
    for target in ["feed", "css_file", "markdown"] {
        let seeds = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("fuzz/seeds")
            .join(target);
        for seed in std::fs::read_dir(seeds).unwrap() {
            let whole = std::fs::read(seed.unwrap().path()).unwrap();
            for nth in 0..1_000 {
                let mut random = generate::Random(nth);
                let mut input = whole.clone();
                for _ in 0..=random.below(3) {
                    let at = random.below(input.len());
                    let end = (at + random.below(12)).min(input.len());
                    match random.below(4) {
                        0 => drop(input.drain(at..end)),
                        1 => input.truncate(at.max(1)),
                        2 => input.extend_from_within(at..end),
                        _ => input[at] = random.pick(b"<>&\"'/]\\\0\xe9 {}:;-[(`|!\n"),
                    }
                    input.push(b'\n');
                }
                if let Err(wrong) = target::target(target, &input) {
                    panic!("{wrong}: {}", input.escape_ascii());
                }
            }
        }
    }
}

#[test]
fn resolvers() {
    for (base, reference) in Pairs::new().take(Pairs::count()) {
        if let Err(wrong) = check::resolver(base, &reference) {
            panic!("{base} + {reference:?}: {wrong}");
        }
    }
}

/// Records in any order, whole and in part, in members and between them.
#[test]
fn archives() {
    let http = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=x>";
    let record = |kind: &str, id: u32, length: usize, block: &str| {
        format!(
            "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:{id}>\r\nWARC-Target-URI: \
             http://h/a/b\r\nWARC-Refers-To: <urn:1>\r\nContent-Length: {length}\r\n\r\n{block}\r\n\r\n"
        )
        .into_bytes()
    };
    let gzip = |bytes: &[u8]| {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), Default::default());
        std::io::Write::write_all(&mut gzip, bytes).unwrap();
        gzip.finish().unwrap()
    };
    let pieces = [
        record("response", 1, http.len(), http),
        record("response", 2, http.len() - 1, http),
        record("response", 3, http.len() + 9, http),
        record("response", 4, 0, ""),
        record("conversion", 5, 3, "<a>"),
        record("revisit", 6, 17, "HTTP/1.1 200 OK\r\n"),
        record("response", 7, http.len() + 2, &format!("{http}\r\n")),
        b"\r\n\r\nWARC/1.1\r\n".to_vec(),
        b"x".to_vec(),
        b"\r\n".to_vec(),
    ];
    let members = pieces.each_ref().map(|piece| gzip(piece));
    let many = gzip(&[&pieces[0][..], &pieces[4], &pieces[0]].concat());
    let members: Vec<Vec<u8>> = members
        .into_iter()
        .chain([many, vec![0x1f, 0x8b, 8]])
        .collect();
    for seed in 0..300 {
        let mut random = generate::Random(seed);
        let from = if random.one_in(2) {
            &pieces[..]
        } else {
            &members[..]
        };
        let count = 1 + random.below(6);
        let mut archive: Vec<u8> = (0..count)
            .flat_map(|_| from[random.below(from.len())].clone())
            .collect();
        if random.one_in(4) {
            let at = random.below(archive.len());
            archive[at] ^= 1 << random.below(8);
        }
        if let Err(wrong) = archive::archive(&archive) {
            panic!("seed {seed}: {wrong}: {}", archive.escape_ascii());
        }
    }
}

#[test]
fn one_run_is_enough() {
    generate::each_seed(400, again::again);
}

#[test]
fn one_run_is_enough_for_a_site_that_moves() {
    generate::each_seed(400, again::moved);
}

#[test]
fn locators() {
    generate::documents(1_000, |document| check::locators(document.as_bytes()));
}

#[test]
fn documents() {
    generate::documents(2_000, |document| {
        check::document(document.as_bytes(), Syntax::Html)?;
        check::document(document.as_bytes(), Syntax::Xml)
    });
    generate::xhtml::documents(1_000, |document| {
        check::document(document.as_bytes(), Syntax::Xml)
    });
}

#[test]
fn srcsets() {
    let pieces = [
        "a.png", "b,c", "d", "/", "#", " ", "\t", "\n", ",", ",,", ", ", "(", ")", "1x", "2x,",
        "100w", "data:x,y", "//h/", "?", "&amp;", "é", "\u{1}",
    ];
    generate::texts(&pieces, 3_000, check::srcset);
}

#[test]
fn refreshes() {
    let pieces = [
        "0", "3", ".", "5.5", ";", ",", " ", "\t", "url", "URL", "u", "=", "'", "\"", "a.html",
        "#x", "http:", "//h/", "?", "é", "\u{1}",
    ];
    generate::texts(&pieces, 3_000, check::refresh);
}

#[test]
fn style_sheets() {
    let pieces = [
        "url(",
        "URL(",
        "src(",
        "image-set(",
        "image(",
        "f(",
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        "\"",
        "'",
        "a.png",
        "#x",
        ";",
        ":",
        ",",
        " ",
        "\n",
        "/*",
        "*/",
        "\\",
        "\\29 ",
        "@import ",
        "@namespace ",
        "x",
        "1px",
        "</style",
        "é",
        "<!--",
    ];
    generate::texts(&pieces, 3_000, check::css);
}

#[test]
fn character_references() {
    let pieces = [
        "&",
        "&amp",
        "&amp;",
        "&lt",
        "&not",
        "&notin;",
        "&copy=",
        "&#",
        "&#x",
        "41",
        "80",
        ";",
        "x",
        "=",
        "/",
        "?",
        "#",
        "'",
        "é",
        " ",
        "\n",
        "d800",
        "\u{1}",
        "&NewLine;",
        "&Tab;",
    ];
    generate::texts(&pieces, 3_000, check::entities);
}

#[test]
fn encodings() {
    let labels = [
        "utf-8",
        "utf-16",
        "windows-1252",
        "shift_jis",
        "gb18030",
        "iso-2022-jp",
        "big5",
        "x",
        "x-user-defined",
        "euc-kr",
    ];
    let bytes: [&[u8]; 18] = [
        b"<a href=",
        b"<a href='",
        b"'",
        b">",
        b"x",
        b"&amp;",
        b"\0",
        b"<\0a\0",
        b" \0h\0r\0e\0f\0=\0",
        b"\0>",
        b"\xff",
        b"\x81",
        b"\x5c",
        b"\x1b$B",
        b"\x1b(B",
        b"\xc3\xa9",
        b"<style>url(",
        b")",
    ];
    let mut number = 0;
    generate::pieces(&bytes, 1_000, |bytes| {
        number += 1;
        check::encoding(labels[number % labels.len()], bytes)
    });
}

#[test]
fn files_of_rows() {
    let long = "é字😀".repeat(40);
    let pieces = [
        "{\"body\":\"",
        "\"}\n",
        "\",\"url\":\"http://h/\"}\n",
        "[{\"html\":\"",
        "{\"posts\":",
        "}]}",
        "body,url\n",
        "body\turl\r\n",
        "\"\"",
        "\\\"",
        "\\n",
        "\\u00e9",
        "\\ud83d",
        "\\ude00",
        "\\",
        "\"",
        ",",
        "\t",
        "\n",
        "\r",
        "a",
        "\u{feff}",
        &long,
    ];
    generate::texts(&pieces, 10_000, |text| {
        target::target("rows", text.as_bytes())
    });
}

#[test]
fn values_in_fields() {
    let pieces = [
        "a:1:{",
        "i:0;",
        "s:10:\"<a href=x>\";",
        "S:2:\"\\61x\";",
        "O:1:\"A\":1:{",
        "}",
        "N;",
        "d:1.5;",
        "C:1:\"A\":1:{x}",
        "{\"url\":",
        "\"/x\"",
        "[",
        "]",
        "{",
        ",",
        "\"<a href=y>\"",
        "\\",
        "\"",
        "<!-- wp:x ",
        " -->",
        "-",
        "/-->",
        "\\u002d",
        "<a href=z>",
        "é",
        " ",
        "\n",
    ];
    generate::texts(&pieces, 10_000, |text| {
        let targets = ["serialized", "json", "blocks", "lists", "lines"];
        (targets.iter()).try_for_each(|name| target::target(name, text.as_bytes()))
    });
}

#[test]
fn url_maps() {
    let pieces = [
        "path,url\n",
        "path\turl\n",
        "url,x,path\r\n",
        "date\tstatuscode\turl\tlocalfile\n",
        "{\"path\":\"",
        "\",\"url\":\"",
        "\"}\n",
        "a.html",
        "b/",
        "./",
        "out/",
        "h/",
        "http://h/",
        "1\t200\t",
        "1\t404\t",
        ",",
        "\t",
        "\n",
        "\r\n",
        "\"",
        " ",
        "é",
        "\u{feff}",
        "\\",
    ];
    generate::texts(&pieces, 10_000, |map| url_map::url_map(map.as_bytes()));
    // Whole lines, which differ.
    let headers = [
        ("path,url\n", "a.html,http://h/a\n"),
        ("url\tpath\n", "http://h/a\ta.html\n"),
        ("", "{\"url\": \"http://h/a\", \"path\": \"a.html\"}\n"),
        (
            "statuscode\turl\tlocalfile\n",
            "200\thttp://h/a\tout/h/a.html\n",
        ),
        ("url\tlocalfile\n", "http://other/a\tout/h/a.html\n"),
    ];
    generate::pieces(&[b"a", b"b", b"c", b"d", b"./", b""], 3_000, |order| {
        headers.iter().try_for_each(|(header, line)| {
            let lines = order.iter().enumerate().map(|(number, byte)| {
                let name = format!("{}{}", char::from(*byte), number % 5);
                let host = if *byte == b'd' { "h" } else { "other" };
                line.replace("a.html", &name)
                    .replace("//other", &format!("//{host}"))
            });
            let map = format!("{header}{}", lines.collect::<String>());
            url_map::url_map(map.as_bytes()).map_err(|wrong| format!("{wrong}\n{map}"))
        })
    });
}

#[test]
fn messages() {
    let pieces: [&[u8]; 60] = [
        b"Content-Type: text/html\r\n",
        b"Content-Type: text/html; charset=utf-16\n",
        b"Content-Type: multipart/mixed; boundary=a\r\n",
        b"Content-Type: multipart/related; boundary=\"b\"\n",
        b"Content-Type: multipart/signed; boundary=a\n",
        b"Content-Type: multipart/digest;\n boundary=a\n",
        b"Content-Type: message/rfc822\n",
        b"Content-Type: application/xhtml+xml\n",
        b"Content-Type: application/http\n",
        b"Content-Transfer-Encoding: quoted-printable\r\n",
        b"Content-Transfer-Encoding: base64\n",
        b"Content-Transfer-Encoding: 8bit\n",
        b"Content-Base: http://h/a/\r\n",
        b"Base: <URL:http://b/>\n",
        b"Content-Location: http://h/x.html\r\n",
        b"Content-Location: \xe9 x\n",
        b"Content-Location: file:///C:/x/\n",
        b"Content-Location: =?utf-8?q?http:=2F=2Fq/?=\n",
        b"Content-Disposition: attachment\n",
        b"Content-Encoding: gzip\n",
        b"Content-Length: 10\n",
        b"Content-MD5: x\n",
        b"Lines: 3\n",
        b"DKIM-Signature: x\n",
        b"HTTP/1.1 200 OK\r\n",
        b"\r\n",
        b"\r\n",
        b"\r\n",
        b"\n",
        b"\n",
        b"\n",
        b"\n--a\n",
        b"\r\n--a\r\n",
        b"\n--a--\n",
        b"--a",
        b"--b\n",
        b"--",
        b"<a href=g>",
        b"<img src=\"i.gif\">",
        b"<a href='x&amp;y'>",
        b"<base href=http://base/>",
        b"<base href=d/>",
        b"<img srcset='a, b 2x'>",
        b"<a href=3D\"x\">",
        b"<a hr=\r\nef=3Dg>",
        b"<style>a{b:url(",
        b")",
        b"\xe9",
        b"=\n",
        b"= \t\r\n",
        b"=3D",
        b"=e9",
        b"=",
        b" ",
        b"\t",
        b"PGEgaHJlZj1nPg==\n",
        b"PGEgaHJlZj0nLi4v\r\n",
        b"ZyciPg",
        b"://",
        b">",
    ];
    generate::pieces(&pieces, 10_000, |input| {
        message::message(input)?;
        message::transfer(input)
    });
    // Parts as they should be, with a heading that says where they are from.
    generate::pieces(&pieces, 3_000, |input| {
        let whole = [
            b"Content-Base: http://h/a/\nContent-Type: multipart/mixed; boundary=a\n\n--a\n",
            input,
            b"\n--a\nContent-Type: text/html\n\n<a href=last>\n--a--\n",
        ];
        message::message(&whole.concat())
    });
}
