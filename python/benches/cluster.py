"""How long the Spark job takes, compared with the command: on this machine, and on a cluster with one worker
and with two, of one core each.

    python python/benches/cluster.py [--archives N] [--megabytes N] [--rounds N] [--only-clusters]

The contestants take turns, and the medians are printed. A job over no archives shows what Spark needs to
start: seconds, so a cluster shows its strength only on many archives.
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

OPTIONS = ["--warc-as=response"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--archives", type=int, default=16)
    parser.add_argument("--megabytes", type=int, default=200, help="of each, uncompressed")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only-clusters", action="store_true", help="one worker and two, and nothing beside them")
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
    clusters = ["1 worker", "2 workers"]
    contestants = clusters if given.only_clusters else ["command, 1 job", "command, 2 jobs", "local[2]", *clusters]
    seconds = {name: [] for name in contestants}
    starting = {name: [] for name in contestants if not name.startswith("command")}
    for _ in range(given.rounds):
        for name in contestants:
            if name not in starting:
                seconds[name].append(command(directory, paths, int(name.split()[1])))
                continue
            with master(directory, name) as url:
                # The first one finds nothing in memory.
                job(directory, "none", url)
                starting[name].append(job(directory, "none", url))
                seconds[name].append(job(directory, "list", url))
        print("a round: " + ", ".join(f"{name} {seconds[name][-1]:.1f} s" for name in contestants), flush=True)
    print(f"{given.archives} archives, {size / 1e9:.2f} GB of pages, medians of {given.rounds} rounds")
    for name in contestants:
        median = statistics.median(seconds[name])
        own = f", of which Spark's start {statistics.median(starting[name]):.1f} s" if name in starting else ""
        print(f"{name:16} {median:7.1f} s  {size / median / 1e6:7.1f} MB/s{own}")
    work = [statistics.median(seconds[name]) - statistics.median(starting[name]) for name in clusters]
    one, two = (statistics.median(seconds[name]) for name in clusters)
    print(f"two workers are {one / two:.2f} x as fast as one; without the start {work[0] / work[1]:.2f} x")
    if not given.only_clusters:
        alone = statistics.median(seconds["command, 1 job"])
        print(f"one worker takes {one / alone:.2f} x the command's time; without the start {work[0] / alone:.2f} x")


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
