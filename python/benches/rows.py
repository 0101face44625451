"""How fast rows are, through the doors that pipelines use: 100,000 pages, one process.

    python python/benches/rows.py [PAGES] [--rows N] [--rounds N] [--processor]

The pages are taken again and again. lxml gets a fiftieth of the rows. With --processor, processor time is measured
instead of elapsed time, for a busy machine.
"""

import argparse
import resource
import statistics
import time
from itertools import islice
from pathlib import Path

import lxml.html
import pyarrow as pa

import abslink

ROOT = Path(__file__).resolve().parents[2]
BATCH = 100


def rows(pages, number):
    for nth in range(number):
        yield {"id": nth, "url": f"https://docs.example.org/{nth}/", "body": pages[nth % len(pages)]}


def with_lxml(rows):
    for row in rows:
        tree = lxml.html.fromstring(row["body"])
        tree.make_links_absolute(row["url"])
        row["body"] = lxml.html.tostring(tree)


def row_by_row(rows):
    for _ in abslink.rewrite_rows(rows):
        pass


def batches(rows):
    rewriter = abslink.Rewriter()
    while some := list(islice(rows, BATCH)):
        rewriter.rewrite_batch(pa.RecordBatch.from_pylist(some), html="body", url="url")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="?", type=Path, default=ROOT / "target/corpus/python3.11-doc")
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--processor", action="store_true")
    given = parser.parse_args()
    clock = time.process_time if given.processor else time.perf_counter
    documents = [path.read_bytes() for path in sorted(given.pages.rglob("*.html")) if path.is_file()]
    texts = [html.decode("utf-8", "replace") for html in documents]
    contestants = {
        "rewrite_rows, bytes": (row_by_row, documents, 1),
        "rewrite_rows, str": (row_by_row, texts, 1),
        f"rewrite_batch, {BATCH} rows each": (batches, documents, 1),
        "lxml": (with_lxml, documents, 50),
    }
    times = {name: [] for name in contestants}
    for _ in range(given.rounds):
        for name, (run, pages, part) in contestants.items():
            start = clock()
            run(rows(pages, given.rows // part))
            times[name].append((clock() - start) * part)
    size = sum(len(documents[nth % len(documents)]) for nth in range(given.rows)) / 1e6
    print(f"{given.rows:,} pages, {size:,.0f} MB")
    for name, taken in times.items():
        median = statistics.median(taken)
        print(f"{name}: {median:.1f} s, {given.rows / median:,.0f} pages/s, {size / median:,.0f} MB/s")
    print(f"at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10} MiB were resident")


if __name__ == "__main__":
    main()
