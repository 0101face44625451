"""A scraper's pipeline: absolute links before pages are stored, in place of lxml.

With lxml, the usual lines are:

    tree = lxml.html.fromstring(html, base_url=url)
    tree.make_links_absolute()
    html = lxml.html.tostring(tree)

What differs:

- abslink changes the references and no other byte. lxml writes the whole document anew: entities, quotes,
  upper case, missing end tags, `<html>` around a fragment, and the encoding are different afterwards.
- lxml removes the document's `<base>` element by default; here it stays, and its own href is made absolute.
- lxml handles `srcset`, `<style>`, `srcdoc`, SVG and `ping` in part or not at all; abslink handles them all.
- lxml needs the right encoding from you; abslink takes the label of the HTTP header and finds the rest as
  browsers do.
- lxml resolves as `urllib.parse.urljoin` does. `resolver="whatwg"` resolves as browsers do.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple, Optional

import abslink


class Page(NamedTuple):
    """What a scraper has fetched."""

    url: str
    charset: Optional[str]
    html: bytes


def absolute(pages: Iterable[Page]) -> Iterator[Page]:
    """The pages with absolute references; one that cannot be rewritten is passed on as it is."""
    rewriter = abslink.Rewriter(resolver="whatwg", also=["lazy"])
    for page in pages:
        try:
            yield page._replace(html=rewriter.rewrite(page.html, page.url, charset=page.charset))
        except abslink.Error:
            yield page


def to_follow(page: Page) -> "list[str]":
    """The URLs that a page links to, each once, for the queue of the scraper."""
    try:
        links = abslink.links(page.html, page.url, charset=page.charset, resolver="whatwg")
    except abslink.Error:
        return []
    found = (link.absolute or "" for link in links if (link.element, link.attribute) == ("a", "href"))
    pages = (url.split("#")[0] for url in found if url.startswith(("http:", "https:")))
    return list(dict.fromkeys(pages))
