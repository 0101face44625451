"""abslink on Apache Spark: documents in a DataFrame, and archives and directories as a job.

``rewrite`` makes the documents of a DataFrame absolute. ``python -m abslink.spark`` converts web archives and
directories, one per task; ``--help`` says how. The file can be given to
``spark-submit`` too.
"""

import argparse
import contextlib
import re
import sys
from collections.abc import Iterator
from functools import partial
from typing import Optional, Union

import pyarrow as pa
from pyspark import SparkContext
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import BinaryType, LongType, StringType, StructField, StructType

# Not relative: spark-submit runs this file as a program.
from abslink import _job
from abslink._abslink import Rewriter, UsageError
from abslink._batch import ADDED, ROOM

TOO_LONG = "made absolute, the document would be longer than the 2 GiB that Spark takes"


def rewrite(
    df: DataFrame,
    html: str = "html",
    url: Optional[str] = "url",
    charset: Optional[str] = None,
    **options: Union[str, "list[str]", None],
) -> DataFrame:
    """Make the documents of a DataFrame absolute.

    html, url, charset: the names of its columns with documents (``binary`` or ``string``), with the URLs
        that they were retrieved from, and with the labels of their encodings.
    The other options are those of ``abslink.rewrite``.

    Returns the DataFrame with the new documents, and with the columns references, rewritten, unresolved
    and error. A document that cannot be rewritten stays, and error says why. Pages are large: set
    ``spark.sql.execution.arrow.maxRecordsPerBatch`` so that a batch of them fits into memory. Raises
    UsageError for wrong options, and for columns that are missing or already there.
    """
    rewriter = Rewriter(**options)  # type: ignore[arg-type]
    if len(set(df.columns)) < len(df.columns):
        raise UsageError("the DataFrame has two columns of one name")
    for name in filter(None, [html, url, charset]):
        if name not in df.columns:
            raise UsageError(f"the DataFrame has no column {name}")
    if not isinstance(df.schema[html].dataType, (BinaryType, StringType)):
        raise UsageError(f"the column {html} is neither binary nor string")
    for name in ADDED.names:
        if name in df.columns:
            raise UsageError(f"the DataFrame has a column {name} already: rename it")
    types = {pa.int64(): LongType(), pa.string(): StringType()}
    added = [StructField(field.name, types[field.type]) for field in ADDED]
    kept = [StructField(f.name, f.dataType, f.nullable or f.name == html) for f in df.schema]
    work = partial(_batches, rewriter, html, url, charset)
    return df.mapInArrow(work, StructType([*kept, *added]))


def _batches(
    rewriter: Rewriter,
    html: str,
    url: Optional[str],
    charset: Optional[str],
    batches: Iterator[pa.RecordBatch],
) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        done = rewriter.rewrite_batch(batch, html=html, url=url, charset=charset)
        yield from _fitting(batch, done, html)


def _fitting(batch: pa.RecordBatch, done: pa.RecordBatch, html: str) -> Iterator[pa.RecordBatch]:
    """The batch with its new documents, in as many batches as are needed, since Spark allows 2 GiB in each."""
    kind = batch.schema.field(html).type
    new = done.column("html")
    added = done.columns[1:]
    rows = batch.num_rows
    if new.type != kind and new.nbytes > ROOM:
        if rows > 1:
            half = rows // 2
            yield from _fitting(batch.slice(0, half), done.slice(0, half), html)
            yield from _fitting(batch.slice(half), done.slice(half), html)
            return
        new = batch.column(html)
        added = [pa.array([0]), pa.array([0]), pa.array([0]), pa.array([TOO_LONG])]
    columns = dict(zip(batch.schema.names, batch.columns))
    columns[html] = new.cast(kind)
    columns.update(zip(ADDED.names, added))
    yield pa.RecordBatch.from_pydict(columns)


def main(arguments: "Optional[list[str]]" = None) -> int:
    """Carry out a job; returns the exit code, which is that of the command. The Spark session ends with it,
    even one that was there before."""
    parser = argparse.ArgumentParser(
        prog="python -m abslink.spark",
        usage="%(prog)s --input LIST --output DIR [OPTIONS OF abslink rewrite]",
        description="Rewrite web archives and directories on a Spark cluster, each as one task.",
        epilog="Other options are those of `abslink rewrite`, such as --warc-as and --skip. The job "
        "can be started again after a crash, and does what is left. New records have the date of the first start, or "
        "that of SOURCE_DATE_EPOCH. Exit codes: 0 done, 1 relative "
        "references are left, 2 a usage error, or something could not be processed.",
        allow_abbrev=False,
    )
    parser.add_argument("--input", metavar="LIST", required=True, help="a file with a path in each line")
    parser.add_argument("--output", metavar="DIR", required=True, help="where each goes under its name")
    parser.add_argument("-j", "--jobs", type=int, help="threads of a task; by default spark.task.cpus")
    given, options = parser.parse_known_args(arguments)
    try:
        job, paths = _job.prepare(given.input, given.output, given.jobs, options)
    except (UsageError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    try:
        failures = _on_spark(job, [path for path in paths if not job.is_finished(path)])
    except Exception as error:
        # Whatever ended it: an exit code of 1 would mean that only references are left.
        print(f"error: Spark gave up: {error}", file=sys.stderr)
        return 2
    try:
        return _job.finish(job, paths, failures)
    except OSError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


def _on_spark(job: _job.Job, left: "list[str]") -> "dict[str, str]":
    """Does what is left to do; returns why some paths failed."""
    try:
        spark = SparkSession.builder.appName("abslink").getOrCreate()
        context = spark.sparkContext
        # One path is one task.
        tasks = context.parallelize(left, max(1, len(left)))
        return dict(filter(None, tasks.map(partial(_job.attempt, job, tries=_tries(context))).collect()))
    finally:
        # Attempts that nothing waits for any more end with the session. A JVM that is gone has
        # none.
        with contextlib.suppress(Exception):
            spark.stop()
        _job.sweep(job)


def _tries(context: SparkContext) -> int:
    """How often Spark tries a task before it gives up the job."""
    master = context.master or ""
    if master.startswith("local"):
        given = re.fullmatch(r"local\[[^,]*,\s*(\d+)\s*\]", master)
        return int(given[1]) if given else 1
    return int(context.getConf().get("spark.task.maxFailures", "4"))


if __name__ == "__main__":
    # Workers know the functions above by this name too.
    from abslink import spark

    sys.exit(spark.main())
