"""Spark for tests: settings, and a standalone cluster on this machine. Every wait has an end."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path

import pyspark

LONG = 300
"""Seconds: on a busy machine a daemon takes more than a minute to start."""

SETTINGS = {
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.ui.enabled": "false",
    "spark.executor.memory": "512m",
    # Without a cluster the driver does all the work, and sorts hundreds of MB.
    "spark.driver.memory": "2g",
    "spark.log.level": "ERROR",
    "spark.executor.cores": "1",
    # A killed worker is soon missed.
    "spark.network.timeout": "60s",
    "spark.executor.heartbeatInterval": "5s",
}


def environment(directory, master, **settings):
    """The environment of a driver; its settings are in a file below `directory`."""
    conf = directory / f"conf-{uuid.uuid4().hex[:8]}"
    conf.mkdir()
    lines = {"spark.master": master, **SETTINGS, **settings}
    (conf / "spark-defaults.conf").write_text("".join(f"{name} {value}\n" for name, value in lines.items()))
    return {
        **os.environ,
        "SPARK_CONF_DIR": str(conf),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_DRIVER_PYTHON": sys.executable,
    }


def start(arguments, log, env):
    """Starts a process in its own group, so that everything it starts can be ended."""
    with open(log, "ab") as out:
        return subprocess.Popen(
            arguments, stdin=subprocess.DEVNULL, stdout=out, stderr=out, env=env, start_new_session=True
        )


def kill(process):
    """Kills a process and everything it has started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(LONG)


def wait_for(condition, what):
    """Waits until something is true, but not for ever."""
    end = time.monotonic() + LONG
    while not (found := condition()):
        assert time.monotonic() < end, f"waited {LONG} s for {what}"
        time.sleep(0.05)
    return found


class Cluster:
    """A master and its workers."""

    def __init__(self, directory, workers=2):
        self.directory = directory
        self.mark = f"abslink-{uuid.uuid4().hex}"
        self.env = {
            **os.environ,
            "SPARK_DAEMON_MEMORY": "256m",
            "SPARK_WORKER_DIR": str(directory / "work"),
            "SPARK_NO_DAEMONIZE": "1",
            "PYSPARK_PYTHON": sys.executable,
            "ABSLINK_MARK": self.mark,
        }
        self.workers = []
        self.begun = 0
        log = directory / "master.log"
        self.master = self._daemon("master.Master", log, "127.0.0.1")
        try:
            self.url = wait_for(lambda: _first(r"Starting Spark master at (spark://\S+)", log), "the master")
            for _ in range(workers):
                self.add_worker()
            self.wait_for_workers()
        except BaseException:
            self.stop()
            raise

    def _daemon(self, name, log, host, *arguments):
        program = Path(pyspark.__file__).parent / "bin/spark-class"
        log.touch()
        # Port 0: the system chooses one.
        where = ["--host", host, "--port", "0", "--webui-port", "0"]
        env = {**self.env, "SPARK_LOCAL_IP": host}
        return start([program, f"org.apache.spark.deploy.{name}", *where, *arguments], log, env)

    def add_worker(self):
        log = self.directory / f"worker-{uuid.uuid4().hex[:8]}.log"
        # Each on its own host: Spark begins no second attempt on the host of the first.
        self.begun += 1
        host = f"127.0.0.{1 + self.begun % 200}"
        worker = self._daemon("worker.Worker", log, host, "--cores", "1", "--memory", "1g", self.url)
        worker.log = log
        self.workers.append(worker)

    def wait_for_workers(self):
        for worker in self.workers:
            wait_for(lambda: _first(r"(Successfully registered with master)", worker.log), "a worker")

    def kill_worker(self):
        worker = self.workers.pop(0)
        kill(worker)

    def stop(self):
        for process in [*self.workers, self.master]:
            kill(process)
        wait_for(lambda: not self._strays(), "the end of all processes")

    def _strays(self):
        """Python's workers have groups of their own, and end when their executor is gone; those that
        have not are killed."""
        found = marked(self.mark)
        for pid in found:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        return found


def marked(mark):
    """The processes that have a mark in their environment."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if mark.encode() in (process / "environ").read_bytes() and process.joinpath("cmdline").read_bytes():
                found.append(int(process.name))
    return found


def _first(pattern, log):
    match = re.search(pattern, log.read_text(errors="replace"))
    return match and match[1]
