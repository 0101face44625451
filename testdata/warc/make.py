#!/usr/bin/env python3
"""Makes the archives of this directory: every odd record that is met, each archive a few KB.

    python3 testdata/warc/make.py

The same Python packages (brotli, zstandard) give the same bytes; zlib's may differ from version to
version, which changes nothing that the tests look at.
"""

import gzip
import os
import zlib

import brotli
import zstandard

HERE = os.path.dirname(os.path.abspath(__file__))
DATE = "2020-01-02T03:04:05Z"
PAGE = b'<!doctype html><title>t</title><p>text <a href="../x?a=1">link</a> <img src=i.png>\n'
PAGE *= 3


def record_id(number):
    return f"<urn:uuid:00000000-0000-4000-8000-{number:012d}>"


class Archive:
    """An archive, record by record."""

    def __init__(self, member):
        self.member = member
        self.bytes = b""
        self.count = 0

    def add(self, block, kind="response", target="http://h.example/a/b/c", version="1.0",
            length=None, fields=(), without=(), content_type="application/http;msgtype=response",
            end=b"\r\n\r\n", raw=None, spell=str):
        self.count += 1
        head = [
            ("WARC-Type", kind),
            ("WARC-Record-ID", record_id(self.count)),
            ("WARC-Date", DATE),
            ("WARC-Target-URI", target),
            ("Content-Type", content_type),
            *fields,
            ("Content-Length", str(len(block) if length is None else length)),
        ]
        head = [(name, value) for name, value in head
                if value is not None and name not in without]
        lines = [f"WARC/{version}"] + [f"{spell(name)}: {value}" for name, value in head]
        record = "\r\n".join(lines).encode() + b"\r\n\r\n" + block + end
        self.bytes += raw(record) if raw else self.member(record)
        return self

    def save(self, name):
        with open(os.path.join(HERE, name), "wb") as file:
            file.write(self.bytes)


def gz(record):
    return gzip.compress(record, 9, mtime=0)


def zst(record):
    return zstandard.ZstdCompressor(level=19, write_checksum=True).compress(record)


def plain(record):
    return record


def http(body, *fields, status="HTTP/1.1 200 OK", content_type="text/html"):
    head = [status]
    if content_type:
        head.append(f"Content-Type: {content_type}")
    return "\r\n".join([*head, *fields]).encode() + b"\r\n\r\n" + body


def chunked(body, size=50):
    out = b""
    for at in range(0, len(body), size):
        piece = body[at : at + size]
        out += b"%x\r\n" % len(piece) + piece + b"\r\n"
    return out + b"0\r\n\r\n"


def raw_deflate(body):
    coder = zlib.compressobj(9, zlib.DEFLATED, -15)
    return coder.compress(body) + coder.flush()


CODINGS = {
    "gzip": lambda body: gzip.compress(body, 9, mtime=0),
    "x-gzip": lambda body: gzip.compress(body, 9, mtime=0),
    "deflate": zlib.compress,
    "br": brotli.compress,
    "zstd": lambda body: zstandard.ZstdCompressor().compress(body),
    "identity": lambda body: body,
}


def url(name):
    return f"http://h.example/a/{name}/c"


def codings():
    archive = Archive(gz)
    for name, code in CODINGS.items():
        archive.add(http(code(PAGE), f"Content-Encoding: {name}"), target=url(name))
    archive.add(http(chunked(PAGE), "Transfer-Encoding: chunked"), target=url("chunked"))
    both = ("Transfer-Encoding: chunked", "Content-Encoding: gzip")
    archive.add(http(chunked(CODINGS["gzip"](PAGE)), *both), target=url("chunked-gzip"))
    archive.add(http(raw_deflate(PAGE), "Content-Encoding: deflate"), target=url("raw-deflate"))
    two = CODINGS["br"](CODINGS["gzip"](PAGE))
    archive.add(http(two, "Content-Encoding: gzip, br"), target=url("gzip-br"))
    # What is named and is not so.
    archive.add(http(PAGE, "Transfer-Encoding: chunked"), target=url("not-chunked"))
    for name in ("gzip", "deflate", "br", "zstd"):
        archive.add(http(PAGE, f"Content-Encoding: {name}"), target=url(f"not-{name}"))
    archive.add(http(PAGE, "Content-Encoding: compress"), target=url("unknown"))
    archive.save("codings.warc.gz")


def heads():
    archive = Archive(gz)
    archive.add(http(PAGE), target=url("lower-case"), spell=str.lower)
    repeated = (("WARC-Concurrent-To", record_id(90)), ("X-Folded", "one\r\n two"),
                ("WARC-Concurrent-To", record_id(91)))
    archive.add(http(PAGE), target=url("repeated"), fields=repeated)
    archive.add(http(PAGE), target=f"<{url('brackets')}>")
    archive.add(http(PAGE), target=url("version"), version="1.1")
    archive.add(http(PAGE, status="HTTP/2 200"), target=url("no-reason"))
    archive.add(http(PAGE, status="HTTP/1.1 404 Not Found"), target=url("status"))
    archive.add(http(PAGE, content_type=None), target=url("sniffed"))
    archive.add(http(PAGE), target=url("truncated"), fields=(("WARC-Truncated", "length"),))
    archive.add(http(PAGE, "Base: <URL:http://base.example/d/>"), target=url("base"))
    archive.add(http(PAGE, "Content-Base: http://base.example/e/"), target=url("content-base"))
    archive.add(http(PAGE, "Content-Location: http://base.example/f/"), target=url("location"))
    latin = '<a href="caf\xe9">x</a>'.encode("latin-1")
    archive.add(http(latin, content_type="text/html; charset=iso-8859-1"), target=url("charset"))
    wide = "\ufeff<a href=x>\u2603</a>".encode("utf-16-le")
    archive.add(http(wide), target=url("utf-16"))
    bare = "<a href=x>\u2603</a>".encode("utf-16-be")
    archive.add(http(bare, content_type="text/html; charset=utf-16"), target=url("utf-16-bare"))
    xhtml = b'<html xmlns="http://www.w3.org/1999/xhtml"><a href="x"/></html>'
    archive.add(http(xhtml, content_type="application/xhtml+xml"), target=url("xhtml"))
    archive.save("heads.warc.gz")


def bare():
    """What not every reader can read."""
    archive = Archive(gz)
    archive.add(PAGE, target=url("no-head"))
    archive.add(http(PAGE), target=None)
    archive.add(http(PAGE), target=url("after"))
    archive.save("bare.warc.gz")


def kinds():
    archive = Archive(gz)
    archive.add(b"software: make.py\r\n", kind="warcinfo", target=None,
                content_type="application/warc-fields")
    archive.add(b"GET /a/b/c HTTP/1.1\r\n\r\n", kind="request", target=url("page"),
                content_type="application/http;msgtype=request",
                fields=(("WARC-Concurrent-To", record_id(3)),))
    archive.add(http(PAGE), target=url("page"))
    archive.add(b"fetchTimeMs: 7\r\n", kind="metadata", target=url("page"),
                content_type="application/warc-fields",
                fields=(("WARC-Refers-To", record_id(3)),))
    same = (("WARC-Refers-To", record_id(3)), ("WARC-Profile", "x"))
    archive.add(http(b""), kind="revisit", target=url("page"), fields=same)
    archive.add(http(b""), kind="revisit", target=url("other"), fields=same)
    archive.add(PAGE, kind="resource", target=url("resource"), content_type="text/html")
    archive.add(b"\x89PNG", kind="resource", target=url("picture"), content_type="image/png")
    archive.add(PAGE, kind="conversion", target=url("conversion"), content_type="text/html",
                version="1.1", fields=(("WARC-Refers-To", record_id(99)),))
    segment = (("WARC-Segment-Number", "1"),)
    archive.add(http(PAGE), target=url("segment"), fields=segment)
    archive.add(http(b"body { }", content_type="text/css"), target=url("sheet"))
    archive.add(b"20200102030405\nh.example. A 192.0.2.1\n", target="dns:h.example",
                content_type="text/dns")
    archive.save("kinds.warc.gz")


def damage():
    archive = Archive(gz)
    archive.add(http(PAGE), target=url("good-1"))
    archive.add(http(PAGE), target=url("short"), length=len(http(PAGE)) - 9)
    archive.add(http(PAGE), target=url("good-2"))
    archive.add(http(PAGE), target=url("long"), length=len(http(PAGE)) + 999)

    def broken(record):
        member = bytearray(gz(record))
        member[60:80] = b"\xff" * 20
        return bytes(member)

    archive.add(http(PAGE), target=url("damaged"), raw=broken)
    archive.add(http(PAGE), target=url("good-3"))
    archive.add(http(PAGE), target=url("no-end"), end=b"\r\n")
    archive.add(http(b"\x1f\x8b\x08\x00" + b"\xff" * 60, "Content-Encoding: gzip"),
                target=url("damaged-body"))
    archive.add(http(PAGE), target=url("good-4"))
    archive.bytes += b"trailing garbage"
    archive.save("damage.warc.gz")

    archive = Archive(plain)
    archive.add(http(PAGE), target=url("good-1"))
    archive.add(http(PAGE), target=url("short"), length=len(http(PAGE)) - 9)
    archive.add(http(PAGE), target=url("good-2"))
    archive.add(http(PAGE), target=url("long"), length=len(http(PAGE)) + 999)
    archive.add(http(PAGE), target=url("good-3"))
    archive.add(http(PAGE), target=url("huge"), length=10**17)
    archive.add(http(PAGE), target=url("good-4"))
    archive.add(http(PAGE), target=url("no-end"), end=b"")
    archive.save("damage.warc")


def frames():
    good = Archive(plain)
    for number in range(4):
        good.add(http(PAGE), target=url(f"page-{number}"))
    good.save("plain.warc")

    for member, name in ((gz, "one-member.warc.gz"), (zst, "one-frame.warc.zst")):
        one = Archive(plain)
        one.bytes = member(good.bytes)
        one.save(name)

    frame = Archive(zst)
    for number in range(4):
        frame.add(http(PAGE), target=url(f"page-{number}"))
    frame.save("frames.warc.zst")

    # The dictionary stands in a skippable frame: as it is, or as a frame itself.
    dictionary = zstandard.ZstdCompressionDict(good.bytes[:1000])
    for name, stored in (("dictionary.warc.zst", good.bytes[:1000]),
                         ("compressed-dictionary.warc.zst", zst(good.bytes[:1000]))):
        coder = zstandard.ZstdCompressor(level=19, dict_data=dictionary, write_checksum=True)
        archive = Archive(coder.compress)
        archive.bytes = (0x184D2A5D).to_bytes(4, "little")
        archive.bytes += len(stored).to_bytes(4, "little") + stored
        for number in range(4):
            archive.add(http(PAGE), target=url(f"page-{number}"))
        archive.save(name)


def sizes():
    archive = Archive(gz)
    bomb = zstandard.ZstdCompressor(level=19).compress(b"<p>" + b" " * (20 << 20))
    archive.add(http(bomb, "Content-Encoding: zstd"), target=url("bomb"))
    archive.add(http(PAGE), target=url("after"))
    archive.save("bomb.warc.gz")
    large = Archive(lambda record: zstandard.ZstdCompressor(level=3).compress(record))
    line = b'<p>text <a href="../x">link</a>' + b"." * 993 + b"\n"
    large.add(http(line * (40 << 10)), target=url("large"))
    large.save("large.warc.zst")
    Archive(gz).save("empty.warc.gz")
    with open(os.path.join(HERE, "old.arc"), "wb") as file:
        file.write(b"filedesc://old.arc 0.0.0.0 20200102030405 text/plain 20\n1 0 x\nURL IP-address\n")


def crawl():
    """A small crawl, for the recipes."""
    archive = Archive(gz)
    archive.add(b"software: make.py\r\n", kind="warcinfo", target=None,
                content_type="application/warc-fields")
    for name, body in (("", PAGE), ("docs/setup.html", PAGE)):
        target = f"https://www.example.org/{name}"
        archive.add(f"GET /{name} HTTP/1.1\r\nHost: www.example.org\r\n\r\n".encode(), kind="request",
                    target=target, content_type="application/http;msgtype=request")
        archive.add(http(CODINGS["gzip"](body), "Content-Encoding: gzip"), target=target)
    archive.add(http(b"body { }", content_type="text/css"), target="https://www.example.org/s.css")
    archive.save("crawl.warc.gz")


def body():
    """A body for unit tests, and nothing around it: there is no encoder for brotli among them."""
    page = b"".join(b"<p>%d" % (n * 7919 % 65537) for n in range(4000))
    path = os.path.join(HERE, "../../crates/containers/testdata/page.br")
    with open(path, "wb") as file:
        file.write(brotli.compress(page, quality=5))


codings()
heads()
bare()
kinds()
damage()
frames()
sizes()
crawl()
body()
