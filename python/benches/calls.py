"""How fast calls are, compared with lxml's make_links_absolute: documents in memory, in one process.

    python python/benches/calls.py [PAGES] [--rounds N] [--processor]

The contestants take turns, and the medians are printed. With --processor, processor time is measured instead
of elapsed time: for a busy machine, on which threads cannot be compared.
"""

import argparse
import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import lxml.html
import pyarrow as pa

import abslink

ROOT = Path(__file__).resolve().parents[2]
BASE = "https://docs.example.org/3/"


def with_lxml(pages):
    for html in pages:
        tree = lxml.html.fromstring(html, base_url=BASE)
        tree.make_links_absolute()
        lxml.html.tostring(tree)


def calls(pages):
    for html in pages:
        abslink.rewrite(html, BASE)


def threads(number):
    def run(pages):
        parts = [pages[start::number] for start in range(number)]
        with ThreadPoolExecutor(number) as pool:
            list(pool.map(calls, parts))

    return run


def batch(batches):
    rewriter = abslink.Rewriter()
    for rows in batches:
        rewriter.rewrite_batch(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="?", type=Path, default=ROOT / "target/corpus/python3.11-doc")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--processor", action="store_true")
    given = parser.parse_args()
    clock = time.process_time if given.processor else time.perf_counter
    pages = [path.read_bytes() for path in sorted(given.pages.rglob("*.html")) if path.is_file()]
    size = sum(map(len, pages)) / 1e6
    texts = [html.decode("utf-8", "replace") for html in pages]
    batches = [
        pa.RecordBatch.from_pydict({"html": pages[n : n + 100], "url": [BASE] * len(pages[n : n + 100])})
        for n in range(0, len(pages), 100)
    ]
    # Often enough that a thread has something to do for a while.
    often = pages * 20
    contestants = {
        "lxml": (with_lxml, pages, 1),
        "abslink, bytes": (calls, pages, 1),
        "abslink, str": (calls, texts, 1),
        "abslink, batches of 100": (batch, batches, 1),
        "abslink, one thread": (threads(1), often, 20),
        "abslink, two threads": (threads(2), often, 20),
    }
    seconds = {name: [] for name in contestants}
    for _ in range(given.rounds):
        for name, (run, what, _) in contestants.items():
            start = clock()
            run(what)
            seconds[name].append(clock() - start)
    print(f"{len(pages)} pages, {size:.1f} MB, medians of {given.rounds} rounds, {clock.__name__}")
    slow = statistics.median(seconds["lxml"])
    for name, (_, _, times) in contestants.items():
        median = statistics.median(seconds[name]) / times
        print(f"{name:24} {size / median:8.1f} MB/s  {slow / median:6.1f} x lxml")
    one, two = (statistics.median(seconds[f"abslink, {n}"]) for n in ["one thread", "two threads"])
    print(f"two threads are {one / two:.2f} x as fast as one")


if __name__ == "__main__":
    main()
