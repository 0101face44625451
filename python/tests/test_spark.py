"""Spark on this machine: DataFrames, and the job."""

import json
import os
import re
import shutil
import subprocess
import sys
from hashlib import sha256

import pytest

import abslink
from conftest import CORPORA, ROOT, command, needs, pages, write_archive
from generated import document
from test_doors import BASE, CORPORA_NAMES, of_command, url

needs("pyspark")
import pyarrow as pa  # noqa: E402
import pyarrow.parquet  # noqa: E402

import abslink.spark  # noqa: E402
import sparks  # noqa: E402

if not shutil.which("java"):
    pytest.skip("java is missing", allow_module_level=not os.environ.get("ABSLINK_REQUIRE_ALL"))

EPOCH = "1769860800"


@pytest.fixture(scope="module")
def spark(tmp_path_factory):
    from pyspark.sql import SparkSession

    before = dict(os.environ)
    os.environ.update(sparks.environment(tmp_path_factory.mktemp("spark"), "local[2]"))
    session = SparkSession.builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", "200").getOrCreate()
    yield session
    gateway = session.sparkContext._gateway
    session.stop()
    gateway.shutdown()
    gateway.proc.stdin.close()
    gateway.proc.wait(sparks.LONG)
    os.environ.clear()
    os.environ.update(before)


def digests(rows):
    return {row.name: sha256(row.html).hexdigest() for row in rows}


def test_files_of_another_file_system(spark, tmp_path):
    """What README.md says to do on S3 and HDFS, with this machine's files."""
    (tmp_path / "docs/sub").mkdir(parents=True)
    (tmp_path / "docs/sub/a b.html").write_bytes(b"<a href=../g>\xff")
    (tmp_path / "docs/i.png").write_bytes(b"<a href=g>")
    recipe = re.search(r"```python\n([^`]*binaryFile[^`]*)```", (ROOT / "python/README.md").read_text())[1]
    for of_s3, here in [("s3a://bucket/docs/", tmp_path / "docs"), ("s3a://bucket/absolute/", tmp_path / "new")]:
        assert of_s3 in recipe
        recipe = recipe.replace(of_s3, here.as_uri())
    exec(recipe, {"session": spark})
    [row] = spark.read.parquet(str(tmp_path / "new")).collect()
    assert bytes(row.content) == b"<a href=https://docs.example.org/g>\xff"
    assert (row.url, row.rewritten, row.error) == ("https://docs.example.org/sub/a b.html", 1, None)


@pytest.mark.parametrize("name", CORPORA_NAMES)
def test_corpora(spark, tmp_path, name):
    from pyspark.sql import functions

    assert pages(name)
    expected = of_command(CORPORA / name, tmp_path / "new")
    schema = pa.schema([("name", pa.string()), ("html", pa.binary()), ("url", pa.string())])
    # No two pages are alike, and a dictionary of them would have to be held whole.
    with pa.parquet.ParquetWriter(tmp_path / "pages", schema, use_dictionary=False) as parquet:
        names = list(expected)
        for start in range(0, len(names), 200):
            chosen = names[start : start + 200]
            html = [(CORPORA / name / page).read_bytes() for page in chosen]
            parquet.write_table(pa.table([chosen, html, [url(page) for page in chosen]], schema))
    done = abslink.spark.rewrite(spark.read.parquet(str(tmp_path / "pages")).repartition(7))
    assert done.columns == ["name", "html", "url", "references", "rewritten", "unresolved", "error"]
    found = done.select("name", "error", "rewritten", functions.sha2("html", 256).alias("digest")).collect()
    assert {row.name: row.digest for row in found} == expected
    assert all(row.error is None for row in found)
    assert sum(row.rewritten for row in found) > 10_000


def test_generated_documents_with_labels(spark):
    rows = [(str(number), *document(number)) for number in range(20_000)]
    expected = {}
    for name, html, label in rows:
        try:
            expected[name] = sha256(abslink.rewrite(html, BASE, charset=label, also=["lazy"])).hexdigest()
        except abslink.EncodingError:
            expected[name] = sha256(html).hexdigest()
    schema = "name string, html binary, label string"
    df = spark.createDataFrame(rows, schema).selectExpr("*", f"'{BASE}' as base").repartition(4)
    found = abslink.spark.rewrite(df, url="base", charset="label", also=["lazy"]).collect()
    assert digests(found) == expected
    assert sum(row.error is None for row in found) > 19_000


def test_text_and_bad_rows(spark):
    df = spark.createDataFrame([("<a href=g>é", "http://h/"), ("<a href=g>", "docs/"), (None, None)], ["page", "url"])
    rows = abslink.spark.rewrite(df, html="page").orderBy("url").collect()
    assert [row.page for row in rows] == [None, "<a href=g>", "<a href=http://h/g>é"]
    assert [bool(row.error) for row in rows] == [False, True, False]


def test_what_spark_cannot_take_is_split(spark, monkeypatch):
    for module in [abslink._batch, abslink.spark]:
        monkeypatch.setattr(module, "ROOM", 1000)
    html = [b"<a href=g>" * number for number in [20, 30, 10, 500]]
    batch = pa.RecordBatch.from_pydict({"n": [1, 2, 3, 4], "html": html, "url": ["http://h/"] * 4})
    made = list(abslink.spark._batches(abslink.Rewriter(), "html", "url", None, iter([batch])))
    table = pa.Table.from_batches(made)
    assert len(made) > 1 and table.column("n").to_pylist() == [1, 2, 3, 4]
    assert table.schema.field("html").type == pa.binary()
    assert table.column("html").to_pylist() == [*(abslink.rewrite(page, "http://h/") for page in html[:3]), html[3]]
    assert table.column("error").to_pylist() == [None, None, None, abslink.spark.TOO_LONG]


def test_wrong_columns_and_options_are_seen_at_once(spark):
    df = spark.createDataFrame([(b"<p>", "http://h/", 1)], ["html", "url", "n"])
    with pytest.raises(abslink.UsageError, match="no column page"):
        abslink.spark.rewrite(df, html="page")
    with pytest.raises(abslink.UsageError, match="neither binary nor string"):
        abslink.spark.rewrite(df, html="n")
    with pytest.raises(abslink.UsageError, match="column error already"):
        abslink.spark.rewrite(df.withColumnRenamed("n", "error"))
    with pytest.raises(abslink.UsageError, match="resolver"):
        abslink.spark.rewrite(df, resolver="rfc")


def job(tmp_path, paths, output, *options, **settings):
    """Runs the job on this machine."""
    listed = tmp_path / "list"
    listed.write_text("".join(f"{path}\n" for path in paths))
    env = sparks.environment(tmp_path, "local[2]", **settings)
    arguments = [sys.executable, "-m", "abslink.spark", "--input", listed, "--output", output, *options]
    return subprocess.run(arguments, env=env, capture_output=True, text=True, timeout=sparks.LONG)


def files(directory):
    """The files in a directory and below it, except for those about the job."""
    found = {str(path.relative_to(directory)): path for path in sorted(directory.rglob("*")) if path.is_file()}
    return {name: path.read_bytes() for name, path in found.items() if not name.endswith((".json", ".jsonl", "_SUCCESS"))}


def test_the_job_makes_what_the_command_makes(tmp_path, site, monkeypatch):
    """The odd archives, a directory, and a file that is not an archive at all."""
    archives = [path for path in sorted((ROOT / "testdata/warc").iterdir()) if path.suffix in (".gz", ".zst", ".warc")]
    paths = [*archives, site, tmp_path / "gone.warc.gz"]
    monkeypatch.setenv("SOURCE_DATE_EPOCH", EPOCH)
    options = ["--warc-as", "append", "--skip=css"]
    exit_code = 0
    failed = set()
    for path in paths:
        # A directory's contents go straight below the directory of -o.
        to = tmp_path / "one" / ("site" if path == site else "")
        done = command("rewrite", *options, "-o", to, path)
        exit_code = max(exit_code, done.returncode)
        if not (tmp_path / "one" / path.name).exists():
            failed.add(path.name)
    assert (exit_code, "gone.warc.gz" in failed) == (2, True)
    output = tmp_path / "new"
    done = job(tmp_path, paths, output, *options)
    assert done.returncode == 2, done.stderr
    assert "gone.warc.gz" in done.stderr and "Traceback" not in done.stderr
    assert files(output) == files(tmp_path / "one")
    assert not list(output.glob("_tmp*"))
    lines = [json.loads(line) for line in (output / "_manifest.jsonl").read_text().splitlines()]
    assert [line["path"] for line in lines] == [str(path) for path in paths]
    assert {line["name"] for line in lines if "error" in line} == failed
    by_name = {line["name"]: line for line in lines}
    for path in archives:
        if path.name not in failed:
            assert by_name[path.name]["sha256"] == sha256((output / path.name).read_bytes()).hexdigest()
    sums = "".join(f"{sha256(page).hexdigest()}  {name}\n" for name, page in sorted(files(output / "site").items()))
    assert by_name["site"]["sha256"] == sha256(sums.encode()).hexdigest()
    assert by_name["site"]["unresolved"] == 2 and by_name["site"]["exit_code"] == 1
    assert by_name["damage.warc.gz"]["refused"]
    order = sorted(output.glob("_[jmS]*"), key=lambda path: path.stat().st_mtime_ns)
    assert [path.name for path in order] == ["_job.json", "_manifest.jsonl", "_SUCCESS"]

    # Again: what is done already is not done again.
    before = {path: path.stat().st_mtime_ns for path in output.rglob("*.gz")}
    (output / "_tmp-crawl.warc.gz-7-abc").mkdir()
    (output / "_tmp-_manifest.jsonl-abc").write_text("{")
    (output / "crawl.warc.gz").unlink()
    again = job(tmp_path, paths, output, *options)
    assert again.returncode == 2, again.stderr
    assert files(output) == files(tmp_path / "one")
    assert not list(output.glob("_tmp*"))
    changed = {path.name for path, time in before.items() if path.stat().st_mtime_ns != time}
    assert changed == {"crawl.warc.gz"}


def test_wrong_jobs_are_usage_errors(tmp_path, site, monkeypatch):
    other = tmp_path / "other/site"
    other.mkdir(parents=True)
    output = tmp_path / "new"

    def refused(paths, *options):
        done = job(tmp_path, paths, output, *options)
        assert done.returncode == 2
        return done.stderr

    assert "would both be written to site" in refused([site, other])
    assert "would both be written to site.json" in refused([site, tmp_path / "site.json"])
    assert "are the job's" in refused([tmp_path / "_SUCCESS"])
    assert "--layuot" in refused([site], "--layuot", "wget")
    assert "--dry-run is not for a job" in refused([site], "--dry-run")
    assert "-qn is not for a job" in refused([site], "-qn")
    assert "cannot be used with" in refused([site], "-i")
    assert "paths go into the list" in refused([site], str(tmp_path / "else"))
    assert "from 1" in refused([site], "-j", "0")
    assert not output.exists()
    monkeypatch.setenv("SOURCE_DATE_EPOCH", EPOCH)
    assert job(tmp_path, [site], output).returncode == 1
    assert "a job with other options" in refused([site], "--skip=css")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1")
    assert "a job with other options" in refused([site])
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    (output / "other.html").write_text("")
    assert "is in the way" in refused([tmp_path / "other.html"])
    assert f"was made of {site}" in refused([other])
    (output / "_job.json").write_text("{")
    assert "_job.json is in the way" in refused([site])


def test_the_exit_code_says_how_a_job_ended(tmp_path, site):
    output = tmp_path / "new"
    assert job(tmp_path, [site / "sub"], output, "-b", "http://h/").returncode == 0
    listed = tmp_path / "list"
    arguments = [sys.executable, "-m", "abslink.spark", "--input", listed, "--output", output, "-b", "http://h/"]
    for env in [sparks.environment(tmp_path, "nonsense"), {**os.environ, "JAVA_HOME": str(tmp_path)}]:
        done = subprocess.run(arguments, env=env, capture_output=True, text=True, timeout=sparks.LONG)
        assert done.returncode == 2 and "error: Spark gave up: " in done.stderr, done.stderr


def prepared(tmp_path, path, *options):
    """A job over one path, on this machine and without Spark."""
    from abslink import _job

    (tmp_path / "list").write_text(f"{path}\n")
    return _job, _job.prepare(str(tmp_path / "list"), str(tmp_path / "new"), None, list(options))[0]


def test_what_an_older_driver_takes_for_lost_is_not_published(tmp_path, site, monkeypatch):
    """Neither the rest of a directory, nor what comes after it."""
    _job, made = prepared(tmp_path, site, "-b=http://h/")
    run = _job.run

    def swept(*arguments, **options):
        summary = run(*arguments, **options)
        _job.sweep(made)
        return summary

    def swept_in_the_middle(*arguments, **options):
        swept(*arguments, **options)
        return run(*arguments, **options)

    for lost in [swept, swept_in_the_middle]:
        monkeypatch.setattr(_job, "run", lost)
        assert _job.attempt(made, str(site))[0] == str(site)
        assert [path.name for path in (tmp_path / "new").iterdir()] == ["_job.json"]
    monkeypatch.setattr(_job, "run", run)
    assert _job.attempt(made, str(site)) is None
    assert len(files(tmp_path / "new/site")) == 3


def test_a_tree_that_could_not_be_written_is_not_published(tmp_path, site):
    import resource

    _job, made = prepared(tmp_path, site, "-b=http://h/")
    (site / "long.html").write_bytes(b"<a href=g>" * 20_000)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    # As if the disk were full for one page; Python ignores the signal.
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, before[1]))
    try:
        with pytest.raises(OSError, match="long.html"):
            _job.attempt(made, str(site), tries=2)
        path, reason = _job.attempt(made, str(site))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert path == str(site) and "long.html" in reason
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["_job.json"]
    assert _job.finish(made, [path], {path: reason}) == 2
    assert _job.attempt(made, str(site)) is None
    # Another attempt may have reported a failure before.
    assert _job.finish(made, [path], {path: reason}) == 0


def test_tasks_may_have_another_working_directory(tmp_path, site, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "urls.tsv").write_text(f"path\turl\n{site / 'index.html'}\thttp://h/\n")
    _, made = prepared(tmp_path, site, "--root", "site", "--url-map=urls.tsv")
    assert made.options == ("--root", str(site), f"--url-map={tmp_path / 'urls.tsv'}")


def test_options_with_paths_are_known():
    from abslink import _job

    usage = command("help", "rewrite").stdout.decode()
    found = re.findall(r"^ +(?:-\w, )?(--[a-z-]+)[ =]<(?:.*FILE.*|DIR)>", usage, re.MULTILINE)
    assert set(found) == {*_job.PATHS, "--config", "--output", "--format"}


@pytest.mark.parametrize("option", ["--config=abslink.toml", "--no-config", "--format=html=r.html"])
def test_options_that_are_not_for_a_job_are_refused(tmp_path, site, option):
    with pytest.raises(abslink.UsageError, match=f"^{option} is not for a job$"):
        prepared(tmp_path, site, option)


@pytest.mark.parametrize("name", ["a.warc.gz", "site"])
def test_lost_and_second_attempts_do_no_harm(tmp_path, site, monkeypatch, name):
    path = tmp_path / name
    if name != "site":
        write_archive(path, [b"<a href=g>"], ["http://h/"])
    options = ["-b=http://h/"] if name == "site" else []
    _job, made = prepared(tmp_path, path, *options)
    run = _job.run

    def slow(*arguments, **options):
        """Another attempt is done while this one is at work."""
        summary = run(*arguments, **options)
        monkeypatch.setattr(_job, "run", run)
        assert _job.attempt(made, str(path)) is None
        return summary

    monkeypatch.setattr(_job, "run", slow)
    assert _job.attempt(made, str(path)) is None
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == ["_job.json", name, f"{name}.json"]
    assert _job.finish(made, [str(path)], {}) == 0


def test_readme(spark, tmp_path):
    text = (ROOT / "python/README.md").read_text()
    block = text.split("```python\nfrom abslink import spark")[1].split("```")[0]
    table = pa.table({"html": ["<i data-src=g>"], "url": ["http://h/"], "n": [7]})
    pyarrow.parquet.write_table(table, tmp_path / "pages", compression="none")
    names = {"session": spark}
    exec("from abslink import spark" + block.replace('"pages"', repr(str(tmp_path / "pages"))), names)
    assert names["done"].first()[:3] == ("<i data-src=http://h/g>", "http://h/", 7)


def test_archives(tmp_path):
    listed = tmp_path / "list"
    listed.write_text("".join(f"{ROOT / 'testdata/warc' / name}\n" for name in ["crawl.warc.gz", "damage.warc.gz"]))
    env = sparks.environment(tmp_path, "local[2]")
    program = ROOT / "python/examples/archives.py"
    done = subprocess.run([sys.executable, program, listed, tmp_path / "new"], env=env, capture_output=True, text=True, timeout=sparks.LONG)
    assert done.returncode == 2, done.stderr
    assert "crawl.warc.gz: " in done.stdout and " references\n" in done.stdout
    assert "  " + str(ROOT / "testdata/warc/damage.warc.gz#") in done.stdout
