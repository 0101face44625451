"""One document: bytes and str, options, errors, threads, pickling."""

import copy
import inspect
import os
import pickle
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

import abslink
from conftest import command

BASE = "http://a/b/c/d;p?q"


def test_bytes_give_bytes_and_text_gives_text():
    assert abslink.rewrite(b"<a href='../g'>\xff", BASE) == b"<a href='http://a/b/g'>\xff"
    assert abslink.rewrite("<a href='../g'>é", BASE) == "<a href='http://a/b/g'>é"
    with pytest.raises(TypeError, match="bytes or str, not list"):
        abslink.rewrite([b"<p>"], BASE)
    for html in [b"<a href=g>\xff", b"<p>"]:
        expected = abslink.rewrite(html, BASE)
        for given in [bytearray(html), memoryview(html), memoryview(b"x" + html)[1:]]:
            for new in [abslink.rewrite(given, BASE), abslink.Rewriter().rewrite(given, BASE)]:
                assert (type(new), new) == (bytes, expected)
            assert abslink.links(given, BASE) == abslink.links(html, BASE)


@pytest.mark.parametrize("html", [b"<a href='http://x/'>", "<a href='http://x/'>é", b"", "<a href=g>"])
def test_what_does_not_change_is_the_same_object(html):
    base = None if html == "<a href=g>" else BASE
    assert abslink.rewrite(html, base) is html


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"to": "relative"}, "<base href=../../z/><a href=../b/x>"),
        ({"to": "root"}, "<base href=/z/><a href=/b/x>"),
        ({"to": "relative", "remove_base": True}, "<a href=../x>"),
        ({"move_url": ["http://a/b=http://n"]}, "<base href=http://a/z/><a href=http://n/x>"),
        ({"to": "keep", "move_url": ["http://a=http://n"]}, "<base href=/z/><a href=../b/x>"),
        ({"unwrap": True}, "<base href=http://a/z/><a href=http://a/b/x>"),
    ],
)
def test_references_in_other_forms(options, expected):
    assert abslink.rewrite("<base href=/z/><a href=../b/x>", BASE, **options) == expected
    assert abslink.rewrite(expected, BASE, **options) == expected


def test_the_url_in_that_of_an_archive():
    page = "<a href=/web/2020/http://e.com/x><a href=y>"
    base = "https://web.archive.org/web/2020/http://e.com/d/"
    new = "<a href=http://e.com/x><a href=http://e.com/d/y>"
    assert abslink.rewrite(page, base, unwrap=True) == new
    assert abslink.rewrite("<a href=//a/x>", to="keep", move_url=["http://a=http://n"]) == "<a href=//n/x>"


def test_a_surrogate_that_stands_alone_stays():
    html = "\ud800<a href=g>\udfff"
    assert abslink.rewrite(html, BASE) == "\ud800<a href=http://a/b/c/g>\udfff"
    link = abslink.links(html, BASE)[0]
    assert (html[link.start : link.end], link.column) == ("g", 10)


def test_links_and_rewrite_spell_surrogates_alike():
    html = "<a href='x\ud800'><a href='y\U0001f600?\udfff'>"
    links = abslink.links(html, BASE)
    assert [html[link.start : link.end] for link in links] == [link.reference for link in links]
    assert [link.reference for link in links] == ["x\ud800", "y\U0001f600?\udfff"]
    for resolver in ["rfc1808", "rfc3986", "whatwg"]:
        absolute = [link.absolute for link in abslink.links(html, BASE, resolver=resolver)]
        assert abslink.rewrite(html, BASE, resolver=resolver) == "".join(f"<a href='{url}'>" for url in absolute)
        assert absolute[0].endswith("x%EF%BF%BD" if resolver == "whatwg" else "x\ud800")
    # The stand-in characters occur in the text itself.
    html = "".join(f"<a href='{chr(0x10_0000 + (row << 12))}\ud800'>" for row in range(1, 16)) + "<a href=%f4%8f%80%80\udfff>"
    assert abslink.rewrite(html, "http://h/") == html.replace("='", "='http://h/").replace("=%", "=http://h/%")
    base = abslink.find_base("<base href='/\udfff/'>", "http://h/")
    assert base.url == "http://h/\udfff/"


def test_what_has_no_surrogate_is_refused_with_one():
    with pytest.raises(abslink.BaseUrlError, match=r"base_url 'http://h/.ud800' has a lone surrogate"):
        abslink.rewrite("<a href=g>", "http://h/\ud800")
    with pytest.raises(abslink.BaseUrlError):
        abslink.Rewriter().rewrite("<a href=g>", "http://h/\ud800")
    with pytest.raises(abslink.BaseUrlError):
        abslink.resolve("http://h/\ud800", "g")
    with pytest.raises(abslink.ResolveError):
        abslink.resolve("http://h/", "\udc80")
    with pytest.raises(abslink.UsageError):
        abslink.resolve("http://h/", "g", resolver="\ud800")
    with pytest.raises(abslink.Error, match="surrogate"):
        abslink.parse("http://h/\udfff")
    with pytest.raises(abslink.UsageError):
        abslink.rewrite(b"", charset="\ud800")
    with pytest.raises(abslink.UsageError):
        abslink.Rewriter().rewrite(b"", charset="\ud800")


def test_feeds_and_messages():
    feed = b"<rss><channel><item><link>http://h/p/</link><description>&lt;img src=i></description></item></channel></rss>"
    new = feed.replace(b"src=i", b"src=http://h/p/i")
    mail = b"Content-Type: text/html\nContent-Base: http://h/a/\n\n<img src='i.png'>"
    for kind, old, expected in [("feed", feed, new), ("message", mail, mail.replace(b"i.png", b"http://h/a/i.png"))]:
        assert abslink.rewrite(old, read_as=kind) == expected
        assert abslink.rewrite(bytearray(old), read_as=kind) == expected
        rewriter = abslink.Rewriter(read_as=kind)
        assert rewriter.rewrite(expected) is expected
        assert rewriter.rewrite_and_count(old)[2:] == (1, 0)
        done = command("rewrite", "--as", kind, "-", input=old)
        assert done.stdout == expected
        with pytest.raises(TypeError, match="as bytes"):
            abslink.rewrite(old.decode(), read_as=kind)
        with pytest.raises(abslink.UsageError, match="check"):
            abslink.links(old, read_as=kind)
    text = "[a](b.md) `[c](d)` <img src=e.png>"
    expected = "[a](http://h/b.md) `[c](d)` <img src=http://h/e.png>"
    assert abslink.rewrite(text, "http://h/", read_as="markdown") == expected
    assert abslink.rewrite(text.encode(), "http://h/", read_as="markdown") == expected.encode()
    assert abslink.rewrite(b"Content-Type: text/html\n\n<a href=g>", "http://h/", read_as="message").endswith(b"http://h/g>")
    with pytest.raises(abslink.Error, match="line 1"):
        abslink.rewrite(b"<rss><channel>", read_as="feed")
    with pytest.raises(abslink.Error, match="part 1 unchanged"):
        abslink.rewrite(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: br\r\n\r\nx", "http://h/", read_as="message")


def test_text_is_decoded_already():
    html = "<meta charset=iso-8859-1><a href='?é'>"
    expected = html.replace("?é", "http://a/b/c/d;p?é")
    assert abslink.rewrite(html, BASE) == expected
    assert abslink.rewrite(html, BASE, charset="utf-16le") == expected
    xml = "<?xml version='1.0' encoding='utf-16'?><a xmlns='http://www.w3.org/1999/xhtml' href='é'/>"
    assert abslink.rewrite(xml, "http://h/", read_as="xhtml") == xml.replace("'é'", "'http://h/é'")


def test_charset_counts_more_than_meta_and_less_than_a_mark():
    html = "<meta charset=utf-8><a href='é' title='\x80'>".encode("latin-1")
    assert abslink.links(html, BASE, charset="latin1")[0].reference == "é"
    marked = b"\xef\xbb\xbf" + "<a href='é'>".encode()
    assert abslink.links(marked, BASE, charset="latin1")[0].reference == "é"
    assert abslink.Rewriter(charset="latin1").rewrite(b"<a href='\xe9'>", "http://h/") == (
        b"<a href='http://h/\xe9'>"
    )
    # The document's own label takes precedence over that of the options.
    utf16 = "<a href=g>".encode("utf-16le")
    rewriter = abslink.Rewriter(charset="latin1")
    assert rewriter.rewrite(utf16, "http://h/", charset="utf-16le").decode("utf-16le") == (
        "<a href=http://h/g>"
    )


def test_the_base_element_comes_first():
    html = "<base href='/x/'><a href=g>"
    assert abslink.find_base(html, BASE) == abslink.Base("http://a/x/", "embedded")
    assert abslink.find_base("<a href=g>", BASE) == (BASE, "layout")
    assert abslink.find_base("<a href=g>") is None
    assert abslink.rewrite("<base href='http://h/x/'><a href=g>").endswith("href=http://h/x/g>")


def test_links_have_places_in_what_was_given():
    text = "<p>é€😀\n<a href='&#103;é'><img srcset='1.png 1x, é.png 2x'>"
    for html in [text, text.encode()]:
        links = abslink.links(html, BASE)
        assert [html[link.start : link.end] for link in links] == [
            part if isinstance(html, str) else part.encode() for part in ["&#103;é", "1.png", "é.png"]
        ]
        assert [(link.line, link.column) for link in links] == [(2, 10), (2, 32), (2, 42)]
        assert [link.reference for link in links] == ["gé", "1.png", "é.png"]
        assert links[0]._replace(start=0, end=0) == abslink.Link(
            2, 10, 0, 0, "a", "href", "url", "gé", "http://a/b/c/gé", BASE, "layout", "relative", None
        )


def test_a_browser_that_gets_another_target_is_named():
    link = abslink.links("<a href=http:g>", "http://h/a/b")[0]
    assert (link.absolute, link.outcome, link.divergent) == ("http:g", "absolute", "http://h/a/g")


@pytest.mark.parametrize(
    ("options", "html", "expected"),
    [
        ({"also": "lazy"}, "<i data-src=g>", "<i data-src=http://h/g>"),
        ({"also": ["lazy", "meta"]}, "<i data-src=g>", "<i data-src=http://h/g>"),
        ({"skip": ("links",)}, "<a href=g>", "<a href=g>"),
        ({"only": "css"}, "<a href=g style='x:url(g)'>", "<a href=g style='x:url(http://h/g)'>"),
        ({"skip": "all", "also": {"css"}}, "<a href=g style='x:url(g)'>", "<a href=g style='x:url(http://h/g)'>"),
        ({"exclude_url": "^g,?$"}, "<a href=g><a href=h>", "<a href=g><a href=http://h/h>"),
        ({"fragments": "keep"}, "<a href=#g>", "<a href=#g>"),
        ({"placeholders": "keep"}, "<a href='{{ a }}'>", "<a href='{{ a }}'>"),
        ({"placeholders": "resolve"}, "<a href='{{ a }}'>", "<a href='http://h/{{ a }}'>"),
        ({"resolver": "whatwg"}, "<a href='a\\b'>", "<a href='http://h/a/b'>"),
        ({"read_as": "xhtml"}, "<a xmlns='http://www.w3.org/1999/xhtml' href='g'/>", "<a xmlns='http://www.w3.org/1999/xhtml' href='http://h/g'/>"),
        ({"attr": ["@x", "i@y:srcset"]}, "<i x=a y='b 1x'>", "<i x=http://h/a y='http://h/b 1x'>"),
        ({"move_url": "http://h/=https://new.example/"}, "<a href=g>", "<a href=https://new.example/g>"),
        ({"charset": None, "also": None, "skip": ()}, "<a href=g>", "<a href=http://h/g>"),
    ],
)
def test_options(options, html, expected):
    assert abslink.rewrite(html, "http://h/", **options) == expected
    assert abslink.Rewriter(**options).rewrite(html, "http://h/") == expected
    assert abslink.rewrite(html, "http://h/", **options) == expected


def test_errors_say_what_is_wrong():
    with pytest.raises(abslink.BaseUrlError, match="cannot use docs/ as a base URL: .*absolute"):
        abslink.rewrite("<a href=g>", "docs/")
    with pytest.raises(abslink.BaseUrlError):
        abslink.resolve("mailto:a@b", "g")
    with pytest.raises(abslink.ResolveError, match="cannot resolve"):
        abslink.resolve("http://h/", "http://[", resolver="whatwg")
    with pytest.raises(abslink.EncodingError):
        abslink.rewrite(b"\x1b$B<a href=g>\xff", "http://h/", charset="iso-2022-jp")
    with pytest.raises(abslink.GrowthError, match="16 MiB"):
        abslink.rewrite(f"<base href='http://h/{'x' * 70_000}/'>" + "<a href=g>" * 70_000)
    with pytest.raises(abslink.UsageError, match="possible values: rfc1808, rfc3986, whatwg"):
        abslink.rewrite("", resolver="rfc")
    with pytest.raises(abslink.UsageError, match="rfc"):
        abslink.resolve("http://h/", "g", resolver="rfc")
    with pytest.raises(abslink.UsageError, match="exclude-url"):
        abslink.Rewriter(exclude_url="(")
    with pytest.raises(abslink.UsageError, match="rewrite_tree"):
        abslink.rewrite("", read_as="warc")
    with pytest.raises(TypeError, match="no option jobs here$"):
        abslink.rewrite("", jobs=2)
    with pytest.raises(TypeError, match="no option exclude_urls here; is exclude_url meant"):
        abslink.rewrite("", exclude_urls="x")
    for error in ["UsageError", "BaseUrlError", "ResolveError", "EncodingError", "GrowthError", "InternalError"]:
        kind = getattr(abslink, error)
        assert issubclass(kind, abslink.Error) and issubclass(kind, ValueError)
        assert pickle.loads(pickle.dumps(kind("x"))).args == ("x",)


def test_a_bug_is_an_exception_and_prints_nothing():
    code = "import abslink\nfrom abslink._abslink import fail\ntry: fail('as the test wants it')\nexcept abslink.InternalError as e: print(e)"
    # With it, the user has asked for more.
    env = {name: value for name, value in os.environ.items() if name != "RUST_BACKTRACE"}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=60)
    assert done.stdout == "abslink failed (as the test wants it); please report this\n"
    assert (done.stderr, done.returncode) == ("", 0)


def test_one_rewriter_serves_many_threads():
    rewriter = abslink.Rewriter(also=["lazy"], resolver="rfc3986")
    pages = [f"<i data-src={n}>{'<a href=g/../h>' * n}" for n in range(500)]
    expected = [rewriter.rewrite(page, BASE) for page in pages]
    with ThreadPoolExecutor(4) as threads:
        runs = list(threads.map(lambda _: [rewriter.rewrite(page, BASE) for page in pages], range(4)))
    assert runs == [expected] * 4


def test_rewriters_and_results_can_be_pickled():
    rewriter = abslink.Rewriter(also=["lazy"], exclude_url="^h")
    html = "<i data-src=g><a href=h>"
    for other in [pickle.loads(pickle.dumps(rewriter)), copy.deepcopy(rewriter), copy.copy(rewriter)]:
        assert other.rewrite(html, BASE) == rewriter.rewrite(html, BASE) != html
        assert repr(other) == "abslink.Rewriter(also=['lazy'], exclude_url='^h')"
    links = abslink.links(html, BASE)
    assert pickle.loads(pickle.dumps(links)) == links
    assert len({*links, *abslink.links(html, BASE)}) == 1
    assert repr(links[0]).startswith("Link(line=1, column=23, ")


def test_resolve_and_parse():
    assert abslink.resolve(BASE, " ../g\n") == "http://a/b/g"
    assert abslink.resolve(BASE, "?y", resolver="rfc1808") == "http://a/b/c/d;p?y"
    assert abslink.resolve("http://h", "a b", resolver="whatwg") == "http://h/a%20b"
    parts = abslink.parse("ftp://ann:s@example.org:21/d;type=a?q#f")
    assert parts == ("ftp", "ann:s@example.org:21", "/d", "type=a", "q", "f", "ann", "s", "example.org", "21")
    assert abslink.parse("g?") == abslink.Components(None, None, "g", None, "", None, None, None, None, None)


def test_every_function_says_what_it_takes_and_does():
    for name in abslink.__all__:
        thing = getattr(abslink, name)
        if callable(thing):
            assert len(inspect.getdoc(thing)) > 20, name
    signature = inspect.signature(abslink.rewrite)
    assert list(signature.parameters)[:3] == ["html", "base_url", "charset"]
    assert signature.parameters["resolver"].default == "rfc1808"
    assert re.search("RFC 1808 section 4", abslink.resolve.__doc__)


@pytest.mark.parametrize("url", ["u:s3cr3t@h", "ci:s3cr3t@h/", "mailto:http://u:s3cr3t@h/"])
def test_no_message_shows_a_password(url):
    calls = [
        lambda: abslink.rewrite("<a href=x>", url),
        lambda: abslink.resolve(url, "x"),
        lambda: abslink.rewrite("<a href=x>", "http://h/", to="root", site=[url]),
        lambda: abslink.rewrite("<a href=x>", "http://h/", move_url=[f"{url}?=http://h/"]),
    ]
    for call in calls:
        with pytest.raises(abslink.Error, match=re.escape("***")) as raised:
            call()
        assert "s3cr3t" not in str(raised.value)
