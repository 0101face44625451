"""Real exports, in the rows of several programs: exports.py ABSLINK EXPORTS

The posts that WordPress and Blogger exported, as Python's json and csv write them; their links are made relative
before. Each link has to lead where lxml and urllib say, and everything else has to stay.
"""

import csv
import io
import json
import pathlib
import re
import subprocess
import sys
import tempfile
from urllib.parse import urljoin, urlsplit

import lxml.etree
import lxml.html

ATOM = "{http://www.w3.org/2005/Atom}"
ENCODED = "{http://purl.org/rss/1.0/modules/content/}encoded"
# The value of a link, as each kind of file spells it.
IN_JSON = rb'((?:href|src)=(?:\\"|\'))(?:[^"\'\\]|\\/|\\u[0-9a-f]{4})*'
IN_CSV = rb'((?:href|src)=(?:""?|\'))[^"\']*'
IN_XML = rb'((?:href|src)=(?:"|\'|&quot;|&#39;)|<link>)[^"\'&<]*'

program, exports = sys.argv[1], pathlib.Path(sys.argv[2])


def parse(text):
    # Blogger's has a prefix that nothing declares.
    return lxml.etree.fromstring(text, lxml.etree.XMLParser(recover=True))


wordpress, blogger = [
    (exports / name).read_bytes() for name in ("wordpressexport.xml", "bloggerexport.xml")
]


def posts():
    """Title, URL and HTML of each post."""
    for item in parse(wordpress).iter("item"):
        yield item.findtext("title"), item.findtext("link"), item.findtext(ENCODED)
    for entry in parse(blogger).iter(ATOM + "entry"):
        url = entry.find(ATOM + "link[@rel='alternate']")
        content = entry.find(ATOM + "content[@type='html']")
        if url is not None and content is not None:
            yield entry.findtext(ATOM + "title"), url.get("href"), content.text


def relative(post):
    """The same with links that need a base URL: those to its own site have no host, others no scheme."""
    title, url, body = post
    own = re.escape(urlsplit(url).netloc)
    body = re.sub(rf"((?:href|src)=[\"'])https?://{own}/", r"\1/", body or "")
    return title, url, re.sub(r"((?:href|src)=[\"'])https?://", r"\1//", body)


def links(body):
    if not body.strip():
        return []
    return [link for *_, link, _ in lxml.html.fromstring(f"<div>{body}</div>").iterlinks()]


def rewritten(name, text, *options):
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory, name)
        path.write_bytes(text)
        command = [program, "rewrite", "-q", "--verify", *options, path]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout


def same(old, new, value):
    """Whether two files are the same but for links."""
    assert re.sub(value, rb"\1", old) == re.sub(value, rb"\1", new)


changed = 0


def compare(rows, done, base=None):
    """Compares title, URL and HTML of each row before and after."""
    global changed
    assert len(rows) == len(done)
    for (title, url, body), new in zip(rows, done):
        assert (title, url) == new[:2]
        expected = [urljoin(base or url, link) for link in links(body)]
        assert links(new[2]) == expected, (links(new[2]), expected)
        changed += body != new[2]


rows = [relative(post) for post in posts()]
members = [dict(zip(["title", "url", "html"], row)) for row in rows]

# A training set, by three programs.
for dump in [
    json.dumps,
    lambda row: json.dumps(row, ensure_ascii=False),
    lambda row: json.dumps(row).replace("/", "\\/"),
]:
    old = "".join(dump(row) + "\n" for row in members).encode()
    new = rewritten("rows.jsonl", old, "--field", "html", "--url-field", "url")
    same(old, new, IN_JSON)
    compare(rows, [tuple(json.loads(line).values()) for line in new.decode().splitlines()])

# Ghost's form: a post does not know its site.
ghost = {"db": [{"meta": {"exported_on": 1, "version": "5.0.0"}, "data": {"posts": members}}]}
old = json.dumps(ghost, indent=2).encode()
site = "https://blog.example.org/"
new = rewritten("export.json", old, "--field", "/db/*/data/posts/*/html", "-b", site)
same(old, new, IN_JSON)
done = json.loads(new)["db"][0]["data"]["posts"]
compare(rows, [tuple(post.values()) for post in done], site)

# Shopify's, by two kinds of quotes.
for quoting in [csv.QUOTE_MINIMAL, csv.QUOTE_ALL]:
    file = io.StringIO(newline="")
    writer = csv.writer(file, quoting=quoting)
    writer.writerow(["Handle", "URL", "Body (HTML)", "Vendor"])
    writer.writerows([*row, "x, y"] for row in rows)
    old = file.getvalue().encode()
    new = rewritten("products.csv", old, "--field", "Body (HTML)", "--url-field", "URL")
    same(old, new, IN_CSV)
    file = io.StringIO(new.decode(), newline="")
    done = [tuple(row) for row in csv.reader(file, strict=True)][1:]
    compare([*((title or "", url, body) for title, url, body in rows)], [row[:3] for row in done])

# The exports themselves, which are feeds.
for old, item, content in [
    (wordpress, "item", ENCODED),
    (blogger, ATOM + "entry", ATOM + "content"),
]:
    new = rewritten("export.xml", old)
    same(old, new, IN_XML)
    items = [parse(text).iter(item) for text in (old, new)]
    for before, after in zip(*items, strict=True):
        url = before.findtext("link")
        if url is None and (link := before.find(ATOM + "link[@rel='alternate']")) is not None:
            url = link.get("href")
        is_html = url and before.find(content).get("type") in (None, "html")
        old, new = [each.findtext(content) or "" if is_html else "" for each in (before, after)]
        assert links(new) == [urljoin(url, link) for link in links(old)]
        changed += old != new

print(len(rows), changed)
