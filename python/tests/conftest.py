"""What several tests need: the command, pages, and archives."""

import gzip
import importlib
import os
import subprocess
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CORPORA = ROOT / "target/corpus"


def command(*arguments, **options):
    """Runs the command ``abslink`` that the package installed."""
    program = Path(sysconfig.get_path("scripts")) / "abslink"
    options.setdefault("timeout", 600)
    return subprocess.run([program, *arguments], capture_output=True, **options)


def lacks(what):
    """Skips a test that lacks something, or fails it if nothing may be lacking."""
    if os.environ.get("ABSLINK_REQUIRE_ALL"):
        pytest.fail(f"{what} is missing")
    pytest.skip(f"{what} is missing")


def needs(module):
    """A module without which the tests of a file are skipped, or fail if nothing may be lacking."""
    if os.environ.get("ABSLINK_REQUIRE_ALL"):
        return importlib.import_module(module)
    return pytest.importorskip(module)


def pages(name):
    """The pages of a corpus, which testdata/fetch-corpora.sh fetches."""
    found = sorted((CORPORA / name).rglob("*.html"))
    return [path for path in found if path.is_file()] or lacks(f"target/corpus/{name}")


@pytest.fixture
def site(tmp_path):
    """A small site."""
    site = tmp_path / "site"
    (site / "sub").mkdir(parents=True)
    (site / "index.html").write_bytes(b"<a href=sub/page.html>\xff")
    (site / "sub/page.html").write_bytes(b"<img src=../i.png><a href=http://x/>")
    (site / "sub/done.html").write_bytes(b"<a href=http://x/>")
    (site / "i.png").write_bytes(b"")
    return site


def write_archive(path, html, urls):
    """Writes a web archive with a response for each page."""
    with open(path, "wb") as out:
        for number, (page, url) in enumerate(zip(html, urls)):
            body = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page
            head = (
                f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\n"
                f"WARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-{number:012}>\r\n"
                f"Content-Type: application/http;msgtype=response\r\nContent-Length: {len(body)}\r\n\r\n"
            )
            out.write(gzip.compress(head.encode() + body + b"\r\n\r\n", 1))
