"""DuckDB: a function of SQL that makes documents absolute, over Arrow.

    SELECT url, absolute(html, url) AS html FROM 'pages.parquet'

So it can stand in any query: before `regexp_extract_all` collects the links, for example, which afterwards could not be
told apart by host. DuckDB calls the function once for some thousand rows, not once for each.
"""

import duckdb
import pyarrow as pa
from duckdb.func import ARROW, SPECIAL

import abslink


def with_absolute(connection: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """The connection, which knows the function then. Documents that are NULL stay so."""
    rewriter = abslink.Rewriter()

    def absolute(html: pa.ChunkedArray, url: pa.ChunkedArray) -> pa.Array:
        return rewriter.rewrite_batch(pa.table({"html": html, "url": url})).column("html")

    text = "VARCHAR"
    return connection.create_function("absolute", absolute, [text, text], text, type=ARROW, null_handling=SPECIAL)
