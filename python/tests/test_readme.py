"""README.md and docstrings show what really happens, and the examples run."""

import doctest
import sys

import pytest

import abslink
from conftest import ROOT, needs

sys.path.insert(0, str(ROOT / "python/examples"))

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def test_readme(site, tmp_path):
    needs("pyarrow")
    names = {"site": site, "out": tmp_path / "out"}
    result = doctest.testfile(str(ROOT / "python/README.md"), module_relative=False, globs=names, optionflags=FLAGS)
    assert result.failed == 0 and result.attempted > 15


def test_docstrings():
    result = doctest.testmod(abslink)
    assert result.failed == 0 and result.attempted > 2


def test_newsletter():
    from newsletter import newsletter

    html = b"<h1 CLASS=x>News\xe9</h1><a href=../41><img src=i.png></a><a href=#top>"
    mail = newsletter(html, "https://example.org/news/", "list@example.org", "iso-8859-1")
    part = mail.get_payload()[1]
    assert (part.get_content_type(), part.get_content_charset()) == ("text/html", "iso-8859-1")
    assert "News\xe9" in part.get_content()
    body = part.get_payload(decode=True)
    assert body == (
        b"<h1 CLASS=x>News\xe9</h1><a href=https://example.org/41><img src=https://example.org/news/i.png></a><a href=#top>"
    )
    with pytest.raises(ValueError, match="line 1: x has no absolute form"):
        newsletter(b"<base href='mailto:a@b'><a href=x>", "https://example.org/", "list@example.org", "utf-8")


def test_scraper():
    from scraper import Page, absolute, to_follow

    html = "<base href=/x/><p>&eacute;<img srcset='a 1x, b 2x' data-src=c><a href='d#e' ping=p><a href='é'><a href=mailto:a@b>".encode("latin-1")
    page, bad = absolute([Page("http://h/", "latin1", html), Page("no URL", None, html)])
    assert page.html.decode("latin-1") == (
        "<base href=http://h/x/><p>&eacute;<img srcset='http://h/x/a 1x, http://h/x/b 2x' data-src=http://h/x/c>"
        "<a href='http://h/x/d#e' ping=http://h/x/p><a href='http://h/x/%C3%A9'><a href=mailto:a@b>"
    )
    assert bad.html == html
    assert to_follow(page) == ["http://h/x/d", "http://h/x/%C3%A9"]
    assert to_follow(bad) == []


def test_what_differs_from_lxml():
    """What the scraper's example says about lxml is true."""
    lxml = needs("lxml.html")
    html = "<base href='/x/'><P>&eacute;<img srcset='a 1x' src=b><style>p { x: url(c) }</style>"
    tree = lxml.fromstring(html, base_url="http://h/")
    tree.make_links_absolute()
    theirs = lxml.tostring(tree, encoding="unicode")
    assert "<base" not in theirs and "&eacute;" not in theirs and "srcset=\"a 1x\"" in theirs
    ours = abslink.rewrite(html, "http://h/")
    assert "<base href='http://h/x/'><P>&eacute;" in ours and "http://h/x/a 1x" in ours and "url(http://h/x/c)" in ours
