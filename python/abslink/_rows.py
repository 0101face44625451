"""Rows with documents in their fields: :func:`abslink.rewrite_rows`."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Dict, List, Optional, Union

from ._abslink import BaseUrlError, Error, Rewriter, UsageError, resolve

Row = Dict[str, Any]
"""A row, by the names of its fields."""


def rewrite_rows(
    rows: Iterable[Row],
    html: Union[str, Iterable[str]] = "body",
    url: Optional[str] = "url",
    *,
    base_url: Optional[str] = None,
    on_error: Optional[Callable[[int, Error], object]] = None,
    **options: Any,
) -> Iterator[Row]:
    """Make the documents in the fields of rows absolute, as ``abslink rewrite --field`` does.

    rows: dictionaries, such as those of ``csv.DictReader``, or ``map(json.loads, lines)``. They are taken
        one by one, and none is held.
    html: the name of the field with a document, or the names of several. A ``str`` and ``bytes`` are
        documents; anything else stays, and so does a field that is missing.
    url: the name of the field with the URL that the row's documents were retrieved from (RFC 1808 section
        3.3); ``None`` for none. A relative URL is relative to base_url.
    base_url: the URL for rows that have none.
    on_error: what is called with the number of a row, from 1, and the error, if a document of the row
        cannot be rewritten. That document stays, and the rows go on. Without it the error is raised.
    options: those of ``abslink.rewrite``.

    Yields the rows in their order: a new dictionary for each one that changes, and the same object
    otherwise. Each document has the bytes that ``abslink.rewrite`` gives it.
    Raises what ``abslink.rewrite`` raises, with the number of the row and the name of the field; and
    UsageError after the last row if none had a field that html names, or the one that url names (unless that
    is "url"), as that is a wrong name.

    >>> list(rewrite_rows([{"id": 7, "body": "<a href=g>", "url": "http://h/a/b"}]))
    [{'id': 7, 'body': '<a href=http://h/a/g>', 'url': 'http://h/a/b'}]
    """
    names = [html] if isinstance(html, str) else list(html)
    # Here, so that wrong options are an error of the call and not of the first row.
    rewriter = Rewriter(**options)

    def based(given: Any) -> Optional[str]:
        """What documents are relative to in a row with this URL."""
        if not isinstance(given, str) or not given.strip():
            return base_url
        if base_url is None:
            return given
        try:
            resolve(given, "")
            return given
        except BaseUrlError:
            return resolve(base_url, given, resolver=options.get("resolver") or "rfc1808")

    def rewritten(document: Union[str, bytes], row: Row) -> Union[str, bytes]:
        return rewriter.rewrite(document, based(None if url is None else row.get(url)))

    if base_url is not None:
        resolve(base_url, "")
    # Rows without a URL are common, and a name that was given is not.
    return _rows(rows, names, None if url == "url" else url, rewritten, on_error)


def _rows(
    rows: Iterable[Row],
    names: "List[str]",
    url: Optional[str],
    rewritten: Callable[[Union[str, bytes], Row], Union[str, bytes]],
    on_error: Optional[Callable[[int, Error], object]],
) -> Iterator[Row]:
    first: Optional[Row] = None
    has_field, has_url = False, url is None
    for number, row in enumerate(rows, 1):
        first = row if first is None else first
        has_url = has_url or url in row
        for name in names:
            has_field = has_field or name in row
            document = row.get(name)
            if not isinstance(document, (str, bytes)):
                continue
            try:
                new = rewritten(document, row)
            except Error as error:
                located = type(error)(f"row {number}, field {name}: {error}")
                if on_error is None:
                    raise located from error
                on_error(number, located)
                continue
            if new is not document:
                row = {**row, name: new}
        yield row
    if first is not None and not (has_field and has_url):
        there = ", ".join(map(str, first))
        missing = url if has_field else " or ".join(names)
        raise UsageError(f"no row has a field {missing}: in the first there are {there}")
