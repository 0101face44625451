"""pandas: a column of documents, absolute, with what went wrong beside it.

`frame.apply` with lxml parses and writes every page anew, and one page that it cannot read ends it. Here a bad
row has an error, and the frame goes on.
"""

import pandas as pd

import abslink


def absolute(pages: pd.DataFrame) -> pd.DataFrame:
    """The frame with absolute documents in `html`, relative to `url`, and a column `error`."""
    done = abslink.Rewriter().rewrite_batch(pages[["html", "url"]]).to_pandas()
    done.index = pages.index
    return pages.assign(html=done["html"], error=done["error"])
