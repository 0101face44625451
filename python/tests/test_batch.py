"""Arrow record batches."""

import pytest

import abslink

from conftest import needs

pa = needs("pyarrow")

from abslink import _batch  # noqa: E402

ADDED = ["references", "rewritten", "unresolved", "error"]


class Capsule:
    """Something that has the Arrow PyCapsule interface, and nothing else."""

    def __init__(self, batch):
        self.batch = batch

    def __arrow_c_array__(self, requested_schema=None):
        return self.batch.__arrow_c_array__(requested_schema)


def batch(**columns):
    return pa.RecordBatch.from_pydict(columns)


def test_a_batch_has_a_row_for_each_document():
    rows = batch(
        html=[b"<a href=g><a href=http://x/>", b"<a href=g>", None, b""],
        url=["http://h/", None, "http://h/", "http://h/"],
    )
    done = abslink.Rewriter().rewrite_batch(Capsule(rows))
    assert done.schema.names == ["html", *ADDED]
    assert done.to_pydict() == {
        "html": [b"<a href=http://h/g><a href=http://x/>", b"<a href=g>", None, b""],
        "references": [2, 1, 0, 0],
        "rewritten": [1, 0, 0, 0],
        "unresolved": [0, 1, 0, 0],
        "error": [None] * 4,
    }
    done.validate(full=True)


@pytest.mark.parametrize("kind", [pa.binary(), pa.large_binary(), pa.string(), pa.large_string()])
def test_documents_keep_their_type(kind):
    html = "<a href=g>é" if pa.types.is_string(kind) or pa.types.is_large_string(kind) else b"<a href=g>\xff"
    rows = pa.record_batch([pa.array([html], kind), pa.array(["http://h/"])], names=["html", "url"])
    done = abslink.Rewriter().rewrite_batch(rows)
    assert done.column("html").type == kind
    assert done.column("html")[0].as_py() == abslink.rewrite(html, "http://h/")
    assert abslink.Rewriter().rewrite_batch(rows.slice(0, 0)).num_rows == 0


def test_a_table_is_one_batch():
    rows = batch(html=[b"<a href=g>", b"<a href=h>"], url=["http://h/", "http://h/"])
    table = pa.Table.from_batches([rows.slice(0, 1), rows.slice(1)])
    done = abslink.Rewriter().rewrite_batch(table)
    assert done.column("html").to_pylist() == [b"<a href=http://h/g>", b"<a href=http://h/h>"]
    assert abslink.Rewriter().rewrite_batch(table.slice(0, 0)).num_rows == 0


def test_documents_of_one_length_get_another():
    rows = pa.record_batch([pa.array([b"<a href=g>"], pa.binary(10)), pa.array(["http://h/"])], names=["html", "url"])
    done = abslink.Rewriter().rewrite_batch(rows)
    assert done.column("html").to_pylist() == [b"<a href=http://h/g>"]


def test_a_bad_row_has_an_error_and_the_batch_goes_on():
    rows = batch(
        page=[b"<a href=g>", b"\x1b$B<a href=g>\xff", b"<a href=\xe9>"],
        where=["docs/", "http://h/", "http://h/"],
        label=[None, "iso-2022-jp", "latin1"],
    )
    done = abslink.Rewriter().rewrite_batch(rows, html="page", url="where", charset="label").to_pydict()
    assert "docs/ as a base URL" in done["error"][0]
    assert done["error"][1] and done["error"][2] is None
    assert done["html"] == [b"<a href=g>", b"\x1b$B<a href=g>\xff", b"<a href=http://h/\xe9>"]
    assert done["rewritten"] == [0, 0, 1]


def test_a_batch_without_urls():
    rows = batch(html=["<base href=http://h/><a href=g>"])
    done = abslink.Rewriter().rewrite_batch(rows, url=None)
    assert done.column("html")[0].as_py() == "<base href=http://h/><a href=http://h/g>"
    with pytest.raises(KeyError):
        abslink.Rewriter().rewrite_batch(rows)


def test_what_does_not_fit_into_32_bits_is_large(monkeypatch):
    monkeypatch.setattr(_batch, "ROOM", 1000)
    rows = batch(html=[b"<a href=g>" * 40] * 2, url=["http://h/"] * 2)
    assert abslink.Rewriter().rewrite_batch(rows.slice(0, 1)).column("html").type == pa.binary()
    done = abslink.Rewriter().rewrite_batch(rows)
    assert done.column("html").type == pa.large_binary()
    assert done.column("html")[1].as_py() == abslink.rewrite(b"<a href=g>" * 40, "http://h/")
