"""Ray Data: documents become absolute where Ray holds them, on the machines of a cluster.

A later step of the pipeline (cleaning, deduplication, tokens) then needs no URL of the page, and pages that are the
same but for their addresses differ in what they link to, as they should. A step of its own over the finished text
would find no links any more.
"""

import pyarrow as pa
import ray

import abslink


def absolute(batch: pa.Table) -> pa.Table:
    """`html`, relative to `url`; the other columns stay."""
    done = abslink.Rewriter().rewrite_batch(batch.select(["html", "url"]))
    return batch.set_column(batch.column_names.index("html"), "html", pa.chunked_array([done.column("html")]))


def absolute_dataset(pages: "ray.data.Dataset") -> "ray.data.Dataset":
    # Pages are large: so many of them are some tens of megabytes.
    return pages.map_batches(absolute, batch_format="pyarrow", batch_size=512)
