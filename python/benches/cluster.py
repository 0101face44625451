"""How long the Spark job takes: beside the command, on this machine, and on a cluster with one worker and
with two, each of one core.

    python python/benches/cluster.py [--archives N] [--megabytes N] [--rounds N]

The contestants take turns, and the medians are printed. A job over no archives tells what Spark needs to
start.
"""

import argparse
import contextlib
import itertools
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python/tests"))

import sparks  # noqa: E402
from conftest import pages, write_archive  # noqa: E402

OPTIONS = ["--date", "2026-01-31T12:00:00Z", "--warc-as=response", "--compression-level=1"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--archives", type=int, default=16)
    parser.add_argument("--megabytes", type=int, default=200, help="of each, uncompressed")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=ROOT / "target") as directory:
        measure(Path(directory), given)


def measure(directory, given):
    chosen = []
    size = 0
    for page in itertools.cycle(pages("rust-doc")):
        if size >= given.megabytes * 1_000_000:
            break
        chosen.append(page.read_bytes())
        size += len(chosen[-1])
    paths = [directory / f"{number}.warc.gz" for number in range(given.archives)]
    write_archive(paths[0], chosen, [f"https://h.example/{number}" for number in range(len(chosen))])
    for path in paths[1:]:
        shutil.copyfile(paths[0], path)
    size *= given.archives
    (directory / "list").write_text("".join(f"{path}\n" for path in paths))
    (directory / "none").write_text("")
    contestants = ["command, 1 job", "command, 2 jobs", "local[2]", "1 worker", "2 workers"]
    seconds = {name: [] for name in contestants}
    starting = {name: [] for name in contestants[2:]}
    for _ in range(given.rounds):
        for jobs in (1, 2):
            seconds[contestants[jobs - 1]].append(command(directory, paths, jobs))
        for name in contestants[2:]:
            with master(directory, name) as url:
                starting[name].append(job(directory, "none", url))
                seconds[name].append(job(directory, "list", url))
    print(f"{given.archives} archives, {size / 1e9:.2f} GB of pages, medians of {given.rounds} rounds")
    for name in contestants:
        median = statistics.median(seconds[name])
        own = f", of which Spark's start {statistics.median(starting[name]):.1f} s" if name in starting else ""
        print(f"{name:16} {median:7.1f} s  {size / median / 1e6:7.1f} MB/s{own}")
    work = {name: statistics.median(seconds[name]) - statistics.median(starting[name]) for name in starting}
    one, two = statistics.median(seconds["1 worker"]), statistics.median(seconds["2 workers"])
    print(f"two workers are {one / two:.2f} x as fast as one; without the start {work['1 worker'] / work['2 workers']:.2f} x")
    print(f"Spark's share of one worker's time beside the command: {one / statistics.median(seconds['command, 1 job']):.2f} x")


@contextlib.contextmanager
def master(directory, name):
    """What a job connects to."""
    if not name.endswith(("worker", "workers")):
        yield name
        return
    place = directory / f"cluster-{time.time_ns()}"
    place.mkdir()
    cluster = sparks.Cluster(place, int(name[0]))
    try:
        yield cluster.url
    finally:
        cluster.stop()


def command(directory, paths, jobs):
    new = directory / "new"
    start = time.perf_counter()
    arguments = [sys.executable, "-m", "abslink", "rewrite", "--quiet", "--fsync", "-j", str(jobs), *OPTIONS]
    subprocess.run([*arguments, "-o", new, *paths], check=True, timeout=3600)
    taken = time.perf_counter() - start
    shutil.rmtree(new)
    return taken


def job(directory, listed, master):
    new = directory / "new"
    start = time.perf_counter()
    arguments = [sys.executable, "-m", "abslink.spark", "--input", directory / listed, "--output", new, *OPTIONS]
    subprocess.run(arguments, env=sparks.environment(directory, master), check=True, timeout=3600)
    taken = time.perf_counter() - start
    shutil.rmtree(new)
    return taken


if __name__ == "__main__":
    main()
