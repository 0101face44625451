use std::io::Read as _;

use super::*;

const HEAD: &str = "WARC/1.0\r\nWARC-Type: response\r\nwarc-record-id: <urn:uuid:1>\r\nX: y\r\n\
    WARC-Target-URI: <http://h/>\r\nWARC-Date: 2020-01-01T00:00:00Z\r\nContent-Length: 70\r\n\r\n";

fn writer(settings: &str) -> Writer {
    let [used, shown] = [settings, settings].map(str::to_owned);
    Writer::new(Compression::Plain, Moment::at(0), used, shown)
}

#[test]
fn a_changed_response() {
    let head = Head::parse(HEAD.as_bytes().to_vec()).unwrap();
    let block = b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\nA: b\r\n c\r\n\r\nold";
    let mut record = Vec::new();
    let changed = writer("").changed(&head, block, b"new", &mut record);
    changed.unwrap();
    let record = String::from_utf8(record).unwrap();
    let (head, block) = record.split_once("\r\n\r\n").unwrap();
    let expected = "HTTP/1.1 200 OK\r\nX-Archive-Orig-content-encoding: gzip\r\nA: b\r\n c\r\n\
        Content-Length: 3\r\n\r\nnew";
    assert_eq!(block, format!("{expected}\r\n\r\n"));
    let lines: Vec<_> = head.split("\r\n").collect();
    assert_eq!(lines[..2], ["WARC/1.0", "WARC-Type: response"]);
    assert!(lines[2].starts_with("WARC-Record-ID: <urn:uuid:") && lines[2].len() > 50);
    let block = digest(&[expected.as_bytes()]);
    assert_eq!(
        lines[3..],
        [
            "X: y",
            "WARC-Target-URI: <http://h/>",
            "WARC-Date: 2020-01-01T00:00:00Z",
            &format!("Content-Length: {}", expected.len()),
            &format!("WARC-Block-Digest: {block}"),
            &format!("WARC-Payload-Digest: {}", digest(&[b"new"])),
        ]
    );
}

#[test]
fn ids_depend_on_all_that_they_are_made_of() {
    let head = |id: &str| Head::parse(HEAD.replace("urn:uuid:1", id).into_bytes()).unwrap();
    let ids = [
        writer("a").conversion_id(&head("urn:uuid:1"), b"x"),
        writer("b").conversion_id(&head("urn:uuid:1"), b"x"),
        writer("a").conversion_id(&head("urn:uuid:2"), b"x"),
        writer("a").conversion_id(&head("urn:uuid:1"), b"y"),
    ];
    let distinct: std::collections::BTreeSet<_> = ids.iter().collect();
    assert_eq!(distinct.len(), ids.len());
    assert_eq!(ids[0], writer("a").conversion_id(&head("urn:uuid:1"), b"x"));
}

/// Of the empty string, and of `abc` (FIPS 180-4).
#[test]
fn digests_are_sha1_in_base_32() {
    assert_eq!(digest(&[]), "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
    assert_eq!(
        digest(&[b"a", b"bc"]),
        "sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5"
    );
}

#[test]
fn repeated_fields_are_replaced_once() {
    let head = b"HTTP/1.1 200 OK\nContent-Length: 1\nContent-Length: 2\nTransfer-Encoding: chunked";
    assert_eq!(
        String::from_utf8(http_head(head, 7)).unwrap(),
        "HTTP/1.1 200 OK\nContent-Length: 7\r\nX-Archive-Orig-Transfer-Encoding: chunked\r\n\r\n"
    );
}

/// What compresses is used again, also where a member was not written to its end.
#[test]
fn each_member_is_whole_by_itself() {
    let noise: Vec<u8> = (0..200_000_u32)
        .map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8)
        .collect();
    for compression in [Compression::Gzip, Compression::Zstd] {
        let mut members = MemberWriter::new(compression);
        let mut archive = Vec::new();
        for payload in [&noise[..], b"", b"text"] {
            let mut fails = |to: &mut dyn Write| {
                to.write_all(&noise[..100_000])?;
                Err(io::ErrorKind::StorageFull.into())
            };
            let failed = members.write(200_000, &mut Vec::new(), &mut fails);
            assert_eq!(failed.unwrap_err().kind(), io::ErrorKind::StorageFull);
            let mut whole = |to: &mut dyn Write| to.write_all(payload);
            let mut member = Vec::new();
            let length = payload.len() as u64;
            members.write(length, &mut member, &mut whole).unwrap();
            let mut again = Vec::new();
            let mut other = members.clone();
            other.write(length, &mut again, &mut whole).unwrap();
            assert!(member == again, "{compression:?}");
            archive.extend(member);
        }
        let mut decoded = Vec::new();
        match compression {
            Compression::Gzip => flate2::read::MultiGzDecoder::new(&archive[..])
                .read_to_end(&mut decoded)
                .map(drop),
            _ => zstd::stream::copy_decode(&archive[..], &mut decoded),
        }
        .unwrap();
        assert!(decoded == [&noise[..], b"text"].concat(), "{compression:?}");
    }
}
