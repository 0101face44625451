"""Turns every relative URL in HTML into an absolute one, by RFC 1808, and changes no other byte.

>>> import abslink
>>> abslink.rewrite('<a href="../g">', "http://a/b/c/d;p?q")
'<a href="http://a/b/g">'
>>> abslink.resolve("http://a/b/c/d;p?q", "../g")
'http://a/b/g'
"""

from ._abslink import (
    BaseUrlError,
    EncodingError,
    Error,
    GrowthError,
    InternalError,
    ResolveError,
    Rewriter,
    UsageError,
    __version__,
    check,
    find_base,
    links,
    parse,
    resolve,
    rewrite,
    rewrite_tree,
    rewrite_warc,
)
from ._rows import rewrite_rows
from ._types import Base, Check, Components, Finding, Link, Message, Summary

__all__ = [
    "Base",
    "BaseUrlError",
    "Check",
    "Components",
    "EncodingError",
    "Error",
    "Finding",
    "GrowthError",
    "InternalError",
    "Link",
    "Message",
    "ResolveError",
    "Rewriter",
    "Summary",
    "UsageError",
    "__version__",
    "check",
    "find_base",
    "links",
    "parse",
    "resolve",
    "rewrite",
    "rewrite_rows",
    "rewrite_tree",
    "rewrite_warc",
]
