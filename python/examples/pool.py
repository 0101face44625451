"""The pages of a web archive, on all cores, for whatever comes next: a pool of processes, without a cluster.

Each page is made absolute where its URL and the encoding that the server named are at hand; afterwards neither is in
the page. To get another archive, `abslink.rewrite_warc` is faster, and keeps all other records.
"""

import re
from collections.abc import Iterator
from multiprocessing import Pool
from typing import Optional

from warcio.archiveiterator import ArchiveIterator

import abslink


def pages(path: str) -> "Iterator[tuple[str, Optional[str], bytes]]":
    with open(path, "rb") as archive:
        for record in ArchiveIterator(archive):
            kind = record.http_headers and record.http_headers.get_header("Content-Type", "")
            if record.rec_type == "response" and kind.startswith("text/html"):
                charset = re.search(r"charset=([\w-]+)", kind)
                url = record.rec_headers.get_header("WARC-Target-URI")
                yield url, charset and charset[1], record.content_stream().read()


def absolute(page: "tuple[str, Optional[str], bytes]") -> "tuple[str, bytes]":
    url, charset, html = page
    return url, abslink.rewrite(html, url, charset=charset)


def absolute_pages(path: str) -> "Iterator[tuple[str, bytes]]":
    """URLs and pages, in the order of the archive."""
    with Pool() as pool:
        yield from pool.imap(absolute, pages(path), chunksize=16)
