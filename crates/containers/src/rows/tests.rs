use super::*;

fn fields(documents: &[(Holds, &str)], url: Option<&str>) -> Fields {
    let documents = documents
        .iter()
        .map(|(holds, name)| (*holds, (*name).to_owned()));
    Fields {
        documents: documents.collect(),
        url: url.map(str::to_owned),
        delimiter: None,
    }
}

/// What the fields of a row say, and what comes of it where each `x` becomes `http://h/x`.
fn told(table: &Table, row: &str) -> (Vec<(String, Option<String>)>, String) {
    let (fields, _) = table.fields(row.as_bytes()).unwrap();
    let (mut texts, mut out, mut copied) = (Vec::new(), Vec::new(), 0);
    for field in fields {
        let edits = field.text.match_indices('x');
        let edits: Vec<_> = edits.map(|(at, _)| (at..at, b"http://h/".into())).collect();
        copied = field.splice(row.as_bytes(), copied, &edits, &mut out);
        let url = field.url.map(Cow::into_owned);
        texts.push((field.text.into_owned(), url));
    }
    out.extend_from_slice(&row.as_bytes()[copied..]);
    (texts, String::from_utf8(out).unwrap())
}

#[test]
fn only_references_change_in_json() {
    let named = fields(&[(Holds::Html, "/p/*/b")], Some("/p/*/u"));
    let table = Table::new(Format::Json, &named);
    let row = "\u{feff}{ \"p\" :[ {\"b\":\"\\u003ca href=x>\", \"n\": 1.50e+3,\n \"u\":\"\\/1\"},{\"b\":null} ] }";
    let (texts, new) = told(&table, row);
    assert_eq!(texts, [("<a href=x>".to_owned(), Some("/1".to_owned()))]);
    assert_eq!(new, row.replace("=x", "=http://h/x"));
}

#[test]
fn only_references_change_in_csv() {
    let named = fields(&[(Holds::Html, "body"), (Holds::Url, "image")], Some("url"));
    let mut table = Table::new(Format::Separated(b','), &named);
    table
        .header(b"\xef\xbb\xbfimage,\"body\",id,url\n")
        .unwrap();
    let row = "x.png,\"<a href=\"\"x\"\">\",  007,http://k/\r\n";
    let (texts, new) = told(&table, row);
    assert_eq!(texts[0].0, "x.png");
    assert_eq!(
        texts[1],
        ("<a href=\"x\">".to_owned(), Some("http://k/".to_owned()))
    );
    let expected = "http://h/x.png,\"<a href=\"\"http://h/x\"\">\",  007,http://k/\r\n";
    assert_eq!(new, expected);
    assert_eq!(table.names(b""), ["image", "body", "id", "url"]);
}

#[test]
fn bad_rows_are_told_by_line_and_column() {
    let named = fields(&[(Holds::Html, "a")], None);
    let lines = Table::new(Format::JsonLines, &named);
    let mut csv = Table::new(Format::Separated(b';'), &named);
    csv.header(b"a;b\n").unwrap();
    for (table, row, expected) in [
        (
            &lines,
            &b"{\"a\": x}\n"[..],
            (1, 7, "not JSON: unexpected `x}`"),
        ),
        (&lines, b"{\"a\": \"\xff\"}\n", (1, 8, "not UTF-8")),
        (&lines, b"{\"a\": \r\n", (1, 5, "not JSON: ends too early")),
        (
            &csv,
            b"1;2;3\n",
            (1, 1, "it has 3 fields, and the header has 2"),
        ),
        (&csv, b"\xff;2\n", (1, 1, "not UTF-8")),
    ] {
        let error = table.fields(row).unwrap_err();
        assert_eq!((error.line, error.column, &*error.what), expected);
    }
    assert!(lines.fields(b"\r\n").unwrap().0.is_empty());
    assert!(csv.fields(b"\r\n").unwrap().0.is_empty());
}
