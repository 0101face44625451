"""Markdown and plain text of pages, for an index or a training set: absolute first, then text.

Afterwards it is too late. Text does not say which words were URLs, and what `<base>` said is gone:
trafilatura and markdownify take it out. trafilatura makes a link absolute by the URL of the page alone, and
markdownify copies it as it is.
"""

from typing import Optional

import markdownify
import trafilatura

import abslink


def markdown(html: str, url: str) -> str:
    """The whole page."""
    return str(markdownify.markdownify(abslink.rewrite(html, url)))


def article(html: str, url: str) -> Optional[str]:
    """What the page is about, without its menus; `None` if it is about nothing."""
    # In the page trafilatura finds the links as they are, so it is not told where they lead.
    return trafilatura.extract(abslink.rewrite(html, url), output_format="markdown", include_links=True)
