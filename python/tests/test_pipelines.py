"""The examples for pipelines, each with the real package: what comes out has the command's bytes."""

import json
import sys

import pytest

from conftest import ROOT, command, needs, write_archive
from generated import document

sys.path.insert(0, str(ROOT / "python/examples"))

PAGES = 300


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    """Pages, and what the command makes of them."""
    rows = []
    for number in range(PAGES):
        html, label = document(number)
        rows.append({"id": number, "html": html.decode(label or "utf-8", "replace"), "url": f"http://h.example/{number}/é"})
    path = tmp_path_factory.mktemp("rows") / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = command("rewrite", "--field", "html", "--url-field", "url", path)
    new = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["id"] for row in new] == list(range(PAGES))
    assert sum(row != old for row, old in zip(new, rows)) > PAGES / 2
    return rows, new


def test_text():
    markdownify = needs("markdownify")
    trafilatura = needs("trafilatura")
    from to_text import article, markdown

    sentence = "<p>{} words about tea, and a <a href='LINK'>place</a> where it is sold, with many more words behind it.</p>"
    text = "".join(map(sentence.format, ["Some", "More", "Other", "Many", "Few", "No"]))
    html = f"<html><head><base href='/shop/'></head><body><article><h1>Tea</h1>{text}</article></body></html>"
    page, url = html.replace("LINK", "../pot"), "http://h.example/a/b"
    done = command("rewrite", "-b", url, "-", input=page.encode()).stdout.decode()
    assert done == html.replace("'/shop/'", "'http://h.example/shop/'").replace("LINK", "http://h.example/pot")
    assert markdown(page, url) == markdownify.markdownify(done)
    assert article(page, url) == trafilatura.extract(done, output_format="markdown", include_links=True)
    assert article(page, url).count("[place](http://h.example/pot)") == 6
    # What the example says of doing it afterwards.
    page = html.replace("LINK", "pot")
    assert "[place](pot)" in markdownify.markdownify(page)
    assert "[place](http://h.example/pot)" in trafilatura.extract(
        page, url="http://h.example/", output_format="markdown", include_links=True
    )
    assert "[place](http://h.example/shop/pot)" in article(page, url)


def test_pool(tmp_path):
    needs("warcio")
    from pool import absolute_pages, pages

    documents = [document(number)[0] for number in range(PAGES)]
    urls = [f"http://h.example/{number}/a" for number in range(PAGES)]
    old, new = tmp_path / "old.warc.gz", tmp_path / "new"
    write_archive(old, documents, urls)
    done = command("rewrite", "--warc-as", "response", "-o", new, old)
    assert done.returncode in (0, 1), done.stderr
    expected = [(url, html) for url, _, html in pages(new / "old.warc.gz")]
    assert list(absolute_pages(old)) == expected
    assert [url for url, _ in expected] == urls
    assert [html for _, html in expected] != documents


def test_polars(rows, tmp_path):
    pl = needs("polars")
    needs("pyarrow")
    from with_polars import absolute, query

    old, new = rows
    assert absolute(pl.DataFrame(old)).to_dicts() == new
    pl.DataFrame(old).write_parquet(tmp_path / "pages.parquet")
    assert query(tmp_path / "pages.parquet").filter(pl.col("id") > 9).collect().to_dicts() == new[10:]


def test_duckdb(rows):
    duckdb = needs("duckdb")
    pa = needs("pyarrow")
    from with_duckdb import with_absolute

    old, new = rows
    connection = with_absolute(duckdb.connect())
    pages = pa.Table.from_pylist(old)  # noqa: F841, which the query names
    done = connection.execute("SELECT id, absolute(html, url) AS html, url FROM pages ORDER BY id").fetchall()
    assert done == [(row["id"], row["html"], row["url"]) for row in new]
    assert connection.execute("SELECT absolute(NULL, 'http://h/')").fetchall() == [(None,)]


def test_pandas(rows):
    pd = needs("pandas")
    needs("pyarrow")
    from with_pandas import absolute

    old, new = rows
    done = absolute(pd.DataFrame(old, index=range(7, 7 + PAGES)))
    assert done.drop(columns="error").to_dict("records") == new
    assert done["error"].isna().all() and done.index[0] == 7
    bad = absolute(pd.DataFrame([{"html": "<a href=g>", "url": "docs/"}]))
    assert bad["html"][0] == "<a href=g>" and "docs/" in bad["error"][0]


def test_ray(rows, monkeypatch):
    ray = needs("ray")
    needs("ray.data")
    from with_ray import absolute_dataset

    old, new = rows
    # Its workers import the example by its name, and report to nobody.
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "python/examples"), prepend=":")
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    try:
        done = absolute_dataset(ray.data.from_items(old)).take_all()
    finally:
        ray.shutdown()
    assert sorted(done, key=lambda row: row["id"]) == new
