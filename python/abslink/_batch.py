"""Arrow record batches: :meth:`abslink.Rewriter.rewrite_batch`."""

from typing import Any, Optional

import pyarrow as pa

from ._abslink import Error, Rewriter

ROOM = 2**31 - 1
"""The most bytes in one array of ``binary`` or ``string``: offsets have 32 bits."""

ADDED = pa.schema(
    [
        ("references", pa.int64()),
        ("rewritten", pa.int64()),
        ("unresolved", pa.int64()),
        ("error", pa.string()),
    ]
)
"""The columns that follow the documents."""

_LARGE = {pa.binary(): pa.large_binary(), pa.string(): pa.large_string()}


def rewrite_batch(
    rewriter: Rewriter, batch: Any, html: str, url: Optional[str], charset: Optional[str]
) -> pa.RecordBatch:
    """One row for each document, in their order."""
    batch = _one(batch)
    given = batch.column(html)
    kind = pa.binary() if pa.types.is_fixed_size_binary(given.type) else given.type
    rows = zip(given, _texts(batch, url), _texts(batch, charset))
    done = [_row(rewriter, document.as_py(), url, charset) for document, url, charset in rows]
    columns = list(zip(*done)) or [()] * (1 + len(ADDED))
    documents = pa.array(columns[0], _LARGE.get(kind, kind))
    if documents.nbytes <= ROOM:
        documents = documents.cast(kind)
    arrays = [documents]
    arrays += [pa.array(column, field.type) for column, field in zip(columns[1:], ADDED)]
    return pa.record_batch(arrays, schema=ADDED.insert(0, pa.field("html", documents.type)))


def _one(batch: Any) -> pa.RecordBatch:
    """One batch, from anything with the PyCapsule interface: a table or a DataFrame is a stream of them."""
    if hasattr(batch, "__arrow_c_array__") or not hasattr(batch, "__arrow_c_stream__"):
        return pa.record_batch(batch)
    table = pa.table(batch).combine_chunks()
    batches = table.to_batches() or [pa.RecordBatch.from_pylist([], table.schema)]
    if len(batches) > 1:
        raise Error("a column has more bytes than one batch can: pass on the batches one by one")
    return batches[0]


def _texts(batch: pa.RecordBatch, name: Optional[str]) -> "list[Optional[str]]":
    """The texts of a column; ``None`` for each row without a column."""
    return [None] * batch.num_rows if name is None else batch.column(name).to_pylist()


def _row(rewriter: Rewriter, document: Any, url: Optional[str], charset: Optional[str]) -> Any:
    """A document with absolute references, their counts, and no error; or as it is, with one."""
    if document is None:
        return None, 0, 0, 0, None
    try:
        return (*rewriter.rewrite_and_count(document, url, charset=charset), None)
    except (Error, TypeError, UnicodeError) as error:
        return document, 0, 0, 0, str(error)
