"""Polars: a column of documents, absolute, in a lazy query.

What follows in the query, such as a filter by the host of a link or a join on its URL, then needs no URL of the
page, and gets the same as all others who read the column. An expression on strings cannot tell a link from text.
"""

import polars as pl

import abslink

REWRITER = abslink.Rewriter()


def absolute(pages: pl.DataFrame) -> pl.DataFrame:
    """The frame with absolute documents in `html`, relative to `url`."""
    done = REWRITER.rewrite_batch(pages.select("html", "url"))
    return pages.with_columns(pl.Series("html", done.column("html")))


def query(path: str) -> pl.LazyFrame:
    """The pages of a Parquet file. The schema stays, so that Polars need not ask, and can pass on parts."""
    return pl.scan_parquet(path).map_batches(absolute, schema=None, streamable=True)
