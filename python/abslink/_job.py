"""What the job ``python -m abslink.spark`` does with files. Nothing here knows Spark, apart from the number
of an attempt.

``DIR/_job.json``
    The options and the date, written first. All tasks have the same, so a second attempt makes the same
    bytes, and a job that is started again must have the same too.
``DIR/_tmp-NAME-ATTEMPT``
    What an attempt writes. It is renamed to ``NAME`` once it is whole and on the disk. A driver that starts
    again removes those of lost attempts; an attempt that is still at work then finds its own gone.
``DIR/NAME.json``
    What was done, written before ``NAME`` is there: a name is finished when both are.
``DIR/_manifest.jsonl``, ``DIR/_SUCCESS``
    What became of each path, in order; and a sign that the job came to its end, written last.
"""

import hashlib
import json
import os
import re
import shutil
import sys
import time
import uuid
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Optional

from ._abslink import Error, UsageError, inputs, run

# Options that print, that write elsewhere than a task does, or that are about abslink.toml, which no task reads.
NOT_HERE = ("--config", "--diff", "--dry-run", "--format", "--no-config")
# Options whose value is a path: tasks may have another working directory.
PATHS = ("--root", "--url-map")

# In an attempt's directory, where no NAME begins with _.
MARK = "_unswept"
RECORD = "_record.json"


@dataclass(frozen=True)
class Job:
    """What all tasks of a job have in common."""

    output: str
    date: str
    jobs: Optional[int]
    options: "tuple[str, ...]"

    def path(self, name: str) -> Path:
        return Path(self.output, name)

    def is_finished(self, path: str) -> bool:
        return self.path(name_of(path)).exists() and self.path(name_of(path) + ".json").exists()

    def arguments(self, directory: Path, path: str, jobs: int = 1) -> "list[str]":
        """As the command would get them."""
        ours = [f"--jobs={jobs}", "--fsync", f"--output={directory}"]
        return [*self.options, *ours, "--", path]


def name_of(path: str) -> str:
    return os.path.basename(path)


def prepare(listed: str, output: str, jobs: Optional[int], options: "list[str]") -> "tuple[Job, list[str]]":
    """The job and its paths; what lost attempts left is removed."""
    if jobs is not None and jobs < 1:
        raise UsageError("--jobs takes a number from 1")
    with open(listed, encoding=sys.getfilesystemencoding(), errors="surrogateescape") as lines:
        paths = [os.path.abspath(line.rstrip("\n")) for line in lines if line.strip()]
    _check_names(paths)
    for option in options:
        if option.split("=")[0] in NOT_HERE or re.match("-[iqvlL]*n", option):
            raise UsageError(f"{option} is not for a job")
    output = os.path.abspath(output)
    started = _read(Path(output, "_job.json"))
    job = Job(
        output=output,
        date=_source_date() or (started or {}).get("date") or _date(time.time()),
        jobs=jobs,
        options=tuple(option for option in _absolute(options) if not option.startswith("--fsync")),
    )
    for path in paths:
        if inputs(job.arguments(job.path("_tmp"), path)) != 1:
            raise UsageError(f"of the options {' '.join(options)} one is none; paths go into the list")
    own = {"options": list(job.options), "date": job.date}
    if started not in (None, own):
        raise UsageError(f"{output} is the output of a job with other options: {json.dumps(started)}")
    os.makedirs(output, exist_ok=True)
    for path in paths:
        new = job.path(name_of(path))
        if not new.exists():
            continue
        record = _read(new.with_name(new.name + ".json"))
        if record is None:
            raise UsageError(f"{new} is in the way: no job made it")
        if record.get("path") != path:
            raise UsageError(f"{new} was made of {record.get('path')}: {path} needs another directory")
    if started is None:
        _write(job.path("_job.json"), json.dumps(own) + "\n")
    job.path("_SUCCESS").unlink(missing_ok=True)
    sweep(job)
    return job, paths


def _check_names(paths: "list[str]") -> None:
    """Names have to differ from each other, and from those of the job's own files."""
    names: "dict[str, str]" = {}
    for path in paths:
        name = name_of(path)
        if name.startswith("_") or not name:
            raise UsageError(f"{path}: names with _ before them are the job's")
        for taken in (name, name + ".json"):
            if taken in names:
                raise UsageError(f"{names[taken]} and {path} would both be written to {taken}")
            names[taken] = path


def _absolute(options: "list[str]") -> "list[str]":
    """Options whose paths do not depend on the working directory."""
    made = []
    for before, option in zip(["", *options], options):
        name, equals, value = option.partition("=")
        if before in PATHS:
            option = os.path.abspath(option)
        elif name in PATHS and equals:
            option = f"{name}={os.path.abspath(value)}"
        made.append(option)
    return made


def _read(file: Path) -> "Optional[dict[str, Any]]":
    """What a job wrote about itself or about a name, if anything."""
    try:
        found = json.loads(file.read_text())
    except FileNotFoundError:
        return None
    except ValueError as error:
        raise UsageError(f"{file} is in the way: no job made it ({error})") from None
    if not isinstance(found, dict):
        raise UsageError(f"{file} is in the way: no job made it")
    return found


def _source_date() -> Optional[str]:
    given = os.environ.get("SOURCE_DATE_EPOCH")
    try:
        return _date(float(given)) if given else None
    except (ValueError, OverflowError, OSError):
        raise UsageError(f"SOURCE_DATE_EPOCH is not a number of seconds: {given}") from None


def _date(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def attempt(job: Job, path: str, tries: int = 1) -> "Optional[tuple[str, str]]":
    """Does one path, on a worker. Returns the path, and why it failed if it did. What may succeed in another
    try, on another machine or with more room, is raised, unless this is the last of ``tries``: one path must
    not end the job.
    """
    from pyspark import TaskContext

    context = TaskContext.get()
    number, nth, cpus = (context.taskAttemptId(), context.attemptNumber(), context.cpus()) if context else (0, 0, 1)
    # Attempts of a driver that crashed may still be there, with the same numbers.
    tmp = job.path(f"_tmp-{name_of(path)}-{number}-{uuid.uuid4().hex[:8]}")
    try:
        tmp.mkdir()
        tmp.joinpath(MARK).touch()
        return _carry_out(job, path, tmp, job.jobs or cpus)
    except Exception as error:
        if job.is_finished(path):
            return None
        if isinstance(error, (OSError, MemoryError)) and nth + 1 < tries:
            raise
        return path, str(error) or type(error).__name__
    finally:
        shutil.rmtree(tmp, ignore_errors=True)


def _carry_out(job: Job, path: str, tmp: Path, jobs: int) -> "Optional[tuple[str, str]]":
    name = name_of(path)
    is_directory = os.path.isdir(path)
    new = tmp / name
    summary = run(job.arguments(new if is_directory else tmp, path, jobs), must_write=True, date=job.date)
    # It is missing if a driver took this attempt for lost in the meantime: then only a part is left.
    tmp.joinpath(MARK).unlink()
    if not new.exists():
        reasons = (error.text if error.path == path else str(error) for error in summary.errors)
        return path, "; ".join(reasons) or "no document"
    done = summary._asdict()
    # Everything else is the same in every attempt.
    del done["seconds"], done["listed"]
    refused = [message._asdict() for message in done.pop("errors")]
    notes = [message._asdict() for message in done.pop("notes")]
    record = {"name": name, "path": path, "sha256": digest(new), **done, "refused": refused, "notes": notes}
    if not job.is_finished(path):
        _write(job.path(name + ".json"), json.dumps(record) + "\n", tmp / RECORD)
        try:
            new.rename(job.path(name))
        except OSError:
            # Another attempt was first, with the same bytes: a directory does not replace another.
            if not job.is_finished(path):
                raise
        _sync(job.output)
    return None


def digest(path: Path) -> str:
    """The SHA-256 of a file; for a directory, that of what ``sha256sum`` prints for its files, sorted by name."""
    sha256 = hashlib.sha256()
    if path.is_dir():
        files = (file for file in path.rglob("*") if file.is_file())
        for name, file in sorted((os.fsencode(file.relative_to(path)), file) for file in files):
            sha256.update(digest(file).encode() + b"  " + name + b"\n")
    else:
        with open(path, "rb") as contents:
            while piece := contents.read(1 << 20):
                sha256.update(piece)
    return sha256.hexdigest()


def finish(job: Job, paths: "list[str]", failures: "dict[str, str]") -> int:
    """Writes the manifest, and returns how the job ended."""
    lines = []
    exit_code = 0
    for path in paths:
        name = name_of(path)
        if path in failures and not job.is_finished(path):
            line: "dict[str, Any]" = {"name": name, "path": path, "exit_code": 2, "error": failures[path]}
            print(f"error: {path}: {failures[path]}", file=sys.stderr)
        else:
            line = json.loads(job.path(name + ".json").read_text())
        exit_code = max(exit_code, line["exit_code"])
        lines.append(json.dumps(line) + "\n")
    sweep(job)
    _write(job.path("_manifest.jsonl"), "".join(lines))
    _write(job.path("_SUCCESS"), "")
    return exit_code


def sweep(job: Job) -> None:
    """Removes what lost attempts left. Some may still be writing, and about to be ended."""
    for _ in range(20):
        found = list(Path(job.output).glob("_tmp-*"))
        for tmp in found:
            _remove(tmp)
        if not found:
            return
        time.sleep(0.1)


def _remove(lost: Path) -> None:
    """Removes a file or directory, under another name first: an attempt that still writes there must not
    rename a part of it to its NAME."""
    swept = lost.with_name(f"_tmp-swept-{uuid.uuid4().hex}")
    try:
        lost.rename(swept)
        swept.unlink()
    except FileNotFoundError:
        return
    except OSError:
        # A directory, on Linux and on other systems.
        shutil.rmtree(swept, ignore_errors=True)


def _write(file: Path, text: str, tmp: Optional[Path] = None) -> None:
    """Writes a file, whole or not at all."""
    tmp = tmp or file.with_name(f"_tmp-{file.name}-{uuid.uuid4().hex[:8]}")
    with open(tmp, "w", encoding="utf-8") as new:
        new.write(text)
        new.flush()
        os.fsync(new.fileno())
    os.replace(tmp, file)
    _sync(str(file.parent))


def _sync(directory: str) -> None:
    handle = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
