"""A standalone cluster with a master and two workers; some workers are killed, and drivers too."""

import json
import os
import random
import shutil
from pathlib import Path

import pytest

import abslink
from conftest import needs, pages, write_archive
from test_doors import url

pyspark = needs("pyspark")
import sparks  # noqa: E402

if not shutil.which("java"):
    pytest.skip("java is missing", allow_module_level=not os.environ.get("ABSLINK_REQUIRE_ALL"))

ARCHIVES = 16
ROUNDS = int(os.environ.get("ABSLINK_SPARK_ROUNDS", "1"))
"""How often workers and drivers are killed at a random moment."""


SPECULATION = {
    "spark.speculation": "true",
    "spark.speculation.interval": "50ms",
    "spark.speculation.multiplier": "1.05",
    "spark.speculation.quantile": "0.1",
}
"""Second attempts as soon as a worker is free."""

EVENTS = {"spark.eventLog.enabled": "true", "spark.eventLog.rolling.enabled": "false", "spark.eventLog.compress": "false"}
"""A file of JSON Lines for each driver."""


@pytest.fixture(scope="module", autouse=True)
def date():
    """All archives have the same."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOURCE_DATE_EPOCH", "1769860800")
        yield


@pytest.fixture(scope="module")
def archives(tmp_path_factory):
    """Archives, and the command's output for each."""
    directory = tmp_path_factory.mktemp("archives")
    html = [page.read_bytes() for page in pages("python3.11-doc")[:400]]
    found = {}
    for number in range(ARCHIVES):
        path = directory / f"{number}.warc.gz"
        chosen = html[number::4] * 2
        write_archive(path, chosen, [url(f"{number}/{n}.html") for n in range(len(chosen))])
        abslink.rewrite_warc(path, directory / "new", warc_as="response")
        found[path] = (directory / "new").read_bytes()
    found[directory / "gone.warc.gz"] = None
    return found


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    cluster = sparks.Cluster(tmp_path_factory.mktemp("cluster"))
    yield cluster
    cluster.stop()


class Run:
    """A job on the cluster, whose driver is a process of its own."""

    def __init__(self, cluster, directory, archives):
        directory.mkdir(exist_ok=True)
        self.cluster = cluster
        self.events = directory / "events"
        self.events.mkdir(exist_ok=True)
        self.output = directory / "new"
        self.log = directory / "driver.log"
        listed = directory / "list"
        listed.write_text("".join(f"{path}\n" for path in archives))
        submit = Path(pyspark.__file__).parent / "bin/spark-submit"
        script = Path(abslink.__file__).parent / "spark.py"
        self.arguments = [submit, script, "--input", listed, "--output", self.output, "--warc-as=response"]
        settings = {**SPECULATION, **EVENTS, "spark.eventLog.dir": self.events.as_uri()}
        self.env = sparks.environment(directory, cluster.url, **settings)
        self.env["ABSLINK_MARK"] = cluster.mark
        self.start()

    def start(self):
        self.driver = sparks.start(self.arguments, self.log, self.env)

    def wait(self):
        return self.driver.wait(sparks.LONG)

    def finished(self):
        names = {path.name for path in self.output.glob("*.json")} if self.output.is_dir() else set()
        return sum((self.output / name[:-5]).exists() for name in names)

    def wait_until(self, number):
        """Waits until this many archives are finished, or the driver is gone."""
        sparks.wait_for(lambda: self.finished() >= number or self.driver.poll() is not None, f"{number} archives")

    def second_attempts(self):
        """How many attempts Spark began in parallel with another."""
        lines = (line for log in self.events.iterdir() for line in log.read_text().splitlines())
        begun = (event["Task Info"] for event in map(json.loads, lines) if event["Event"] == "SparkListenerTaskStart")
        return sum(task["Speculative"] for task in begun)

    def check(self, archives):
        """The outputs are whole, those of one machine, and nothing else is there."""
        assert self.driver.returncode == 2, self.log.read_text()
        good = {path.name: new for path, new in archives.items() if new is not None}
        made = {path.name: path.read_bytes() for path in self.output.glob("*.warc.gz")}
        assert made.keys() == good.keys()
        assert [name for name in made if made[name] != good[name]] == []
        own = {"_job.json", "_manifest.jsonl", "_SUCCESS", *(f"{name}.json" for name in good)}
        assert {path.name for path in self.output.iterdir()} == own | good.keys()
        lines = [json.loads(line) for line in (self.output / "_manifest.jsonl").read_text().splitlines()]
        assert [line["path"] for line in lines] == [str(path) for path in archives]
        assert [line["name"] for line in lines if "error" in line] == ["gone.warc.gz"]


@pytest.fixture
def start(cluster, tmp_path, archives):
    runs = []

    def begin(name="run", archives=archives):
        runs.append(Run(cluster, tmp_path / name, archives))
        return runs[-1]

    yield begin
    for run in runs:
        sparks.kill(run.driver)


def test_a_job_that_nothing_happens_to(start, archives):
    run = start()
    run.wait()
    run.check(archives)


def test_a_second_attempt_beside_the_first(start, archives, tmp_path):
    """The last task takes long, so that a free worker begins it again."""
    last = tmp_path / "last.warc.gz"
    html = [page.read_bytes() for page in pages("python3.11-doc")[:400]] * 5
    write_archive(last, html, [url(f"last/{number}.html") for number in range(len(html))])
    abslink.rewrite_warc(last, tmp_path / "new", warc_as="response")
    archives = {**archives, last: (tmp_path / "new").read_bytes()}
    run = start(archives=archives)
    run.wait()
    run.check(archives)
    assert run.second_attempts() > 0


def test_a_worker_is_killed(cluster, start, archives):
    run = start()
    run.wait_until(2)
    assert run.finished() < ARCHIVES
    cluster.kill_worker()
    run.wait()
    cluster.add_worker()
    cluster.wait_for_workers()
    run.check(archives)


def test_a_driver_is_killed_and_the_job_started_again(start, archives):
    run = start()
    run.wait_until(2)
    sparks.kill(run.driver)
    done = run.finished()
    assert done < ARCHIVES and not (run.output / "_SUCCESS").exists()
    before = {path: path.stat().st_mtime_ns for path in run.output.glob("*.warc.gz")}
    run.start()
    run.wait()
    run.check(archives)
    assert len(before) >= 2
    # Those that were finished were not done again.
    assert {path: path.stat().st_mtime_ns for path in before} == before


def test_killed_at_random_moments(cluster, start, archives):
    hits = 0
    for round in range(ROUNDS):
        chance = random.Random(round)
        run = start(f"round-{round}")
        run.wait_until(chance.randrange(ARCHIVES))
        hits += run.driver.poll() is None
        if chance.random() < 0.5:
            cluster.kill_worker()
            cluster.add_worker()
        else:
            sparks.kill(run.driver)
            run.start()
        run.wait()
        run.check(archives)
        shutil.rmtree(run.output)
        cluster.wait_for_workers()
    # A kill after the end shows nothing.
    assert hits > ROUNDS // 2
