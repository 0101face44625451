"""Rows: dictionaries with documents in their fields."""

import csv
import io
import itertools
import json
import tracemalloc

import pytest

import abslink
from abslink import rewrite_rows
from conftest import ROOT, command
from generated import document


def test_rows_keep_their_order_and_all_else():
    rows = [
        {"z": 1, "body": "<a href=g>", "url": "http://h/a/b", "a": [None]},
        {"body": "<p>", "url": "http://h/"},
        {"body": b"<a href=g>\xff", "url": "http://k/"},
        {"body": None, "url": "http://h/"},
        {"body": ["<a href=g>"]},
        {"url": 3, "body": "<base href=http://b/><a href=g>"},
        {},
    ]
    given = [dict(row) for row in rows]
    done = list(rewrite_rows(rows))
    assert done[0] == {"z": 1, "body": "<a href=http://h/a/g>", "url": "http://h/a/b", "a": [None]}
    assert list(done[0]) == ["z", "body", "url", "a"]
    assert done[2]["body"] == b"<a href=http://k/g>\xff"
    assert done[5]["body"] == "<base href=http://b/><a href=http://b/g>"
    assert [new is old for new, old in zip(done, rows)] == [False, True, False, True, True, False, True]
    assert rows == given


def test_fields_and_urls():
    row = {"text": "<a href=g>", "teaser": "<i data-src=h>", "at": "x/y"}
    done = rewrite_rows([row], html=["text", "teaser"], url="at", base_url="http://h/", also="lazy")
    assert list(done) == [{"text": "<a href=http://h/x/g>", "teaser": "<i data-src=http://h/x/h>", "at": "x/y"}]
    for url in [None, "missing", "text"]:
        row = {"body": "<a href=g>", "text": " \n"}
        assert next(rewrite_rows([row], url=url, base_url="http://h/a"))["body"] == "<a href=http://h/g>"
    # No base URL at all.
    assert next(rewrite_rows([row])) is row


def test_errors_say_which_row():
    rows = [{"body": "<a href=g>", "url": url} for url in ["http://h/", "docs/", "http://h/"]]
    done = rewrite_rows(iter(rows))
    next(done)
    with pytest.raises(abslink.BaseUrlError, match="^row 2, field body: cannot use docs/ as a base URL"):
        next(done)
    told = []
    done = list(rewrite_rows(rows, on_error=lambda number, error: told.append((number, type(error)))))
    assert told == [(2, abslink.BaseUrlError)]
    assert done[1] is rows[1] and done[2]["body"] == "<a href=http://h/g>"
    with pytest.raises(abslink.EncodingError, match="^row 1, field body: "):
        list(rewrite_rows([{"body": b"\x1b$B<a href=g>\xff"}], charset="iso-2022-jp", base_url="http://h/"))


def test_wrong_arguments_are_errors_of_the_call():
    with pytest.raises(abslink.UsageError):
        rewrite_rows([], resolver="rfc")
    with pytest.raises(TypeError, match="no option bodies"):
        rewrite_rows([], bodies="x")
    with pytest.raises(abslink.BaseUrlError):
        rewrite_rows([], base_url="docs/")
    done = rewrite_rows([{"text": "<a href=g>", "url": "http://h/"}])
    assert next(done)["text"] == "<a href=g>"
    with pytest.raises(abslink.UsageError, match="no row has a field body: in the first there are text, url"):
        next(done)
    # Else all rows would get the base URL of those without one.
    done = rewrite_rows([{"body": "<a href=g>", "url": "http://h/"}], url="link", base_url="http://k/")
    next(done)
    with pytest.raises(abslink.UsageError, match="no row has a field link: in the first there are body, url"):
        next(done)
    assert list(rewrite_rows([])) == []


def test_one_row_is_held_at_a_time():
    body = "<a href=g>" + "x" * 100_000
    taken = itertools.count()
    endless = ({"body": body + str(next(taken)), "url": "http://h/"} for _ in itertools.repeat(None))
    done = rewrite_rows(endless)
    next(done)
    assert next(taken) == 1
    tracemalloc.start()
    for _ in itertools.islice(done, 500):
        pass
    assert tracemalloc.get_traced_memory()[1] < 2_000_000
    tracemalloc.stop()


def test_the_bytes_are_the_commands(tmp_path):
    """JSON Lines and CSV, as Python reads and writes them."""
    options = ["--field", "body", "--url-field", "url", "-b", "http://h/x/"]
    rows = []
    for number in range(1_000):
        html, label = document(number)
        url = ["http://h.example/{}/", "{}/a", "", "//k/{}"][number % 4].format(number)
        rows.append({"n": str(number), "body": html.decode(label or "utf-8", "replace"), "url": url})
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    ran = command("rewrite", *options, path)
    expected = [json.loads(line) for line in ran.stdout.splitlines()]
    done = list(rewrite_rows(rows, base_url="http://h/x/", on_error=lambda *_: None))
    assert done == expected != rows
    path = tmp_path / "rows.csv"
    with open(path, "w", newline="") as out:
        # A field without quotes gets no `"` from the command.
        writer = csv.DictWriter(out, ["n", "body", "url"], quoting=csv.QUOTE_ALL)
        writer.writeheader()
        writer.writerows(rows)
    ran = command("rewrite", *options, path)
    read = list(csv.DictReader(io.StringIO(ran.stdout.decode(), newline="")))
    with open(path, newline="") as given:
        done = list(rewrite_rows(csv.DictReader(given), base_url="http://h/x/", on_error=lambda *_: None))
    assert done == read != rows


def test_rows_of_the_repository():
    path = ROOT / "testdata/rows/posts.jsonl"
    done = [json.dumps(row) for row in rewrite_rows(map(json.loads, path.open()))]
    ran = command("rewrite", "--field", "body", "--url-field", "url", path)
    assert [json.loads(row) for row in done] == [json.loads(line) for line in ran.stdout.splitlines()]
