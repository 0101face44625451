"""Directories, archives, and the command."""

import gzip
import json
import os
import pickle
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import abslink
from conftest import ROOT, command, write_archive

ARCHIVE = ROOT / "testdata/warc/crawl.warc.gz"


def contents(directory):
    return {
        str(path.relative_to(directory)): path.read_bytes()
        for path in sorted(Path(directory).rglob("*"))
        if path.is_file()
    }


def test_a_tree_is_the_one_that_the_command_writes(site, tmp_path):
    summary = abslink.rewrite_tree(site, tmp_path / "new", base_url="http://h/", copy_others=True)
    done = command("rewrite", "-b", "http://h/", "-o", tmp_path / "old", "--copy-others", "--format", "json", site)
    assert contents(tmp_path / "new") == contents(tmp_path / "old")
    fields = json.loads(done.stdout)
    ours = {**summary._asdict(), "seconds": 0}
    optional = {"records", "present", "unwrapped", "responses", "conversions", "copies_left"}
    assert fields.keys() - optional == ours.keys() - {"exit_code", "errors", "notes", "listed"} - optional
    assert ours.items() >= {**fields, "seconds": 0}.items()
    assert (summary.exit_code, summary.files_changed, summary.errors) == (0, 2, ())


def test_files_that_change_are_listed(site):
    listed = abslink.rewrite_tree(site, base_url="http://h/", dry_run=True, list_files=True)
    done = command("rewrite", "-b", "http://h/", "--dry-run", "--list-files", site)
    assert listed.listed == tuple(done.stdout.decode().splitlines()) and len(listed.listed) == listed.files_changed == 2
    assert len({listed, pickle.loads(pickle.dumps(listed))}) == 1


def test_urls_of_an_archive_and_links_above_the_root_are_counted(tmp_path):
    (tmp_path / "page.html").write_text("<a href=/web/2020/http://e.com/x><a href=../y>")
    summary = abslink.rewrite_tree(tmp_path, base_url="http://h/", dry_run=True, unwrap=True)
    assert (summary.unwrapped, summary.above_root) == (1, 1)


def test_files_are_replaced_in_place(site):
    before = (site / "sub/done.html").stat().st_mtime_ns
    summary = abslink.rewrite_tree(str(site), in_place=True, base_url="http://h/", backup=".bak", jobs=2)
    assert (summary.files_changed, summary.files_unchanged) == (2, 1)
    assert (site / "index.html").read_bytes() == b"<a href=http://h/sub/page.html>\xff"
    assert (site / "index.html.bak").read_bytes() == b"<a href=sub/page.html>\xff"
    assert (site / "sub/done.html").stat().st_mtime_ns == before


def test_nothing_is_written_where_that_is_asked_for(site):
    before = contents(site)
    summary = abslink.rewrite_tree(site, base_url="http://h/", dry_run=True, include=["sub/*", "*.htm"])
    assert (summary.files, summary.files_changed, contents(site) == before) == (2, 1, True)


def test_a_bad_file_is_told_and_the_others_are_done(site, tmp_path):
    (site / "bad.html").write_bytes(b"\x1b$B<a href=g>\xff")
    summary = abslink.rewrite_tree(site, tmp_path / "new", base_url="http://h/", charset="iso-2022-jp", ext="html")
    assert summary.exit_code == 2
    assert str(summary.errors[0]).startswith(f"{site / 'bad.html'}: unchanged: ")
    assert (tmp_path / "new/sub/page.html").exists()


def test_documents_without_a_base_are_counted(site, tmp_path):
    summary = abslink.rewrite_tree(site, tmp_path / "new")
    assert (summary.exit_code, summary.unresolved, summary.files_without_base) == (1, 2, 2)


def test_a_run_that_is_not_possible_is_an_exception(site, tmp_path):
    with pytest.raises(abslink.UsageError, match="in_place=True"):
        abslink.rewrite_tree(site)
    with pytest.raises(TypeError, match="no option layuot here; is layout meant"):
        abslink.rewrite_tree(site, tmp_path / "new", layuot="wget")
    with pytest.raises(abslink.UsageError, match="docs/"):
        abslink.rewrite_tree(site, tmp_path / "new", base_url="docs/")
    with pytest.raises(abslink.UsageError, match="inside"):
        abslink.rewrite_tree(site, site / "new", base_url="http://h/")
    with pytest.raises(OSError, match="output directory"):
        abslink.rewrite_tree(site, "/proc/none/new", base_url="http://h/")
    for option in ["diff", "format"]:
        with pytest.raises(TypeError, match=f"no option {option}"):
            abslink.rewrite_tree(site, base_url="http://h/", **{option: True})


def test_a_directory_that_is_called_minus_is_no_stream(site, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(site, tmp_path / "-")
    shutil.copytree(site, tmp_path / "-q")
    for name in ["-", "-q"]:
        assert abslink.rewrite_tree(name, in_place=True, base_url="http://h/").files_changed == 2


def test_names_that_are_no_unicode(tmp_path):
    site = tmp_path / "site"
    site.mkdir()
    name = os.fsdecode(b"caf\xe9.html")
    (site / name).write_bytes(b"<a href=g>\xff")
    summary = abslink.rewrite_tree(site, tmp_path / "new", base_url="http://h/")
    assert (summary.files_changed, summary.errors) == (1, ())
    assert (tmp_path / "new" / name).read_bytes() == b"<a href=http://h/g>\xff"
    (site / name).write_bytes(b"\x1b$B<a href=g>\xff")
    bad = abslink.rewrite_tree(site, tmp_path / "bad", base_url="http://h/", charset="iso-2022-jp")
    assert [error.path for error in bad.errors] == [str(site / name)]


def test_progress_is_told_and_can_end_the_run(tmp_path):
    site = tmp_path / "site"
    site.mkdir()
    for number in range(2000):
        (site / f"{number}.html").write_bytes(b"<a href=g>" * 2000)
    told = []
    summary = abslink.rewrite_tree(site, tmp_path / "a", base_url="http://h/", jobs=1, progress=lambda *done: told.append(done))
    assert summary.files == 2000
    assert told == sorted(told) and all(files <= 2000 and bytes <= summary.bytes_in for files, bytes in told)

    calls = []

    def enough(files, size):
        if files:
            calls.append(files)
            raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        abslink.rewrite_tree(site, tmp_path / "b", base_url="http://h/", jobs=1, progress=enough)
    assert len(calls) == 1
    whole = contents(tmp_path / "a")
    part = contents(tmp_path / "b")
    assert 0 < len(part) < 2000
    assert part.items() <= whole.items()


# Background processes are started with SIGINT ignored.
ENDLESS = """
import signal, sys, abslink
signal.signal(signal.SIGINT, signal.default_int_handler)
try:
    abslink.rewrite_tree(sys.argv[1], sys.argv[2], base_url="http://h/", jobs=1,
                         progress=lambda files, size: print(files, flush=True))
except KeyboardInterrupt:
    print("interrupted")
    sys.exit(7)
"""


PAGE = b"<a href=g>" * 200_000


@pytest.fixture
def long_site(tmp_path):
    """One that takes many seconds, even if this process has to wait for its turn: one page under many names."""
    site = tmp_path / "site"
    site.mkdir()
    (site / "0.html").write_bytes(PAGE)
    for number in range(1, 2000):
        os.link(site / "0.html", site / f"{number}.html")
    return site


@pytest.mark.parametrize("signals", [1, 3])
def test_ctrl_c_ends_a_run_between_two_files(long_site, tmp_path, signals):
    run = subprocess.Popen(
        [sys.executable, "-c", ENDLESS, long_site, tmp_path / "new"], stdout=subprocess.PIPE, text=True
    )
    try:
        while run.stdout.readline() in ["0\n"]:
            pass
        for _ in range(signals):
            run.send_signal(signal.SIGINT)
        last = run.communicate(timeout=120)[0].splitlines()[-1]
    finally:
        run.kill()
    assert (last, run.returncode) == ("interrupted", 7)
    new = contents(tmp_path / "new")
    assert 0 < len(new) < 2000
    assert set(new.values()) == {abslink.rewrite(PAGE, "http://h/")}
    # No temporary file either.
    assert all(name.endswith(".html") for name in new)


@pytest.mark.parametrize("form", ["conversions", "append", "response"])
def test_an_archive_is_the_one_that_the_command_writes(tmp_path, monkeypatch, form):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1769860800")
    options = {"warc_as": form, "skip": ["css"], "fsync": True}
    summary = abslink.rewrite_warc(ARCHIVE, tmp_path / "new.warc.gz", **options)
    done = command("rewrite", "--warc-as", form, "--skip", "css", "--format", "json", "-o", tmp_path / "old", ARCHIVE)
    assert (tmp_path / "new.warc.gz").read_bytes() == (tmp_path / "old" / ARCHIVE.name).read_bytes()
    assert {**summary._asdict(), "seconds": 0}.items() >= {**json.loads(done.stdout), "seconds": 0}.items()
    assert summary.exit_code == done.returncode and summary.records > 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new.warc.gz", "old"]


def test_an_archive_that_cannot_be_read_leaves_nothing_behind(tmp_path):
    with pytest.raises(FileNotFoundError):
        abslink.rewrite_warc(ARCHIVE, tmp_path / "no/new.warc")
    with pytest.raises(abslink.UsageError, match="use rewrite_tree"):
        abslink.rewrite_warc(tmp_path, tmp_path / "new.warc")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("function", [abslink.rewrite_tree, abslink.rewrite_warc])
def test_what_is_not_there_is_not_found(tmp_path, function):
    with pytest.raises(FileNotFoundError) as raised:
        function(tmp_path / "gone", tmp_path / "new")
    assert raised.value.filename == str(tmp_path / "gone")
    assert list(tmp_path.iterdir()) == []


def test_an_archive_that_was_begun_can_be_left(tmp_path):
    """Even if an exception comes in the middle of it."""
    pages = [PAGE] * 200
    source = tmp_path / "source"
    source.mkdir()
    write_archive(source / "x.warc.gz", pages, ["http://h/"] * len(pages))
    calls = []

    def enough(*done):
        calls.append(done)
        if len(calls) > 1:
            raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        abslink.rewrite_tree(source, tmp_path / "new", warc_as="append", jobs=1, progress=enough)
    assert contents(tmp_path / "new") == {}


INTERRUPTED = """
import signal, sys, threading, abslink
signal.signal(signal.SIGINT, signal.default_int_handler)
print("begun", flush=True)
try:
    abslink.rewrite_warc(sys.argv[1], sys.argv[2], warc_as="append", jobs=1)
except KeyboardInterrupt:
    sys.exit(7)
"""


def test_ctrl_c_ends_a_call_for_one_archive(tmp_path):
    pages = [PAGE] * 400
    write_archive(tmp_path / "x.warc.gz", pages, ["http://h/"] * len(pages))
    run = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, tmp_path / "x.warc.gz", tmp_path / "new.warc.gz"], stdout=subprocess.PIPE
    )
    try:
        run.stdout.readline()
        # There is a file for the new one, so it is at work.
        while len(os.listdir(tmp_path)) < 2:
            assert run.poll() is None
            time.sleep(0.01)
        run.send_signal(signal.SIGINT)
        run.communicate(timeout=120)
    finally:
        run.kill()
    assert run.returncode == 7
    assert os.listdir(tmp_path) == ["x.warc.gz"]


def test_check_lists_what_the_command_lists(site):
    for options, typed in [({}, []), ({"base_url": "http://h/", "also": ["meta"]}, ["-b", "http://h/", "--also", "meta"])]:
        checked = abslink.check(site, **options)
        done = command("check", "--format", "json", *typed, site)
        theirs = [json.loads(line) for line in done.stdout.splitlines()]
        ours = [finding._asdict() for finding in checked.findings]
        assert [{"divergent": None, **finding} for finding in theirs] == ours and len(ours) == 2
        assert (checked.exit_code, checked.files, checked.errors) == (done.returncode, 3, ()) == (1, 3, ())
    assert str(checked.findings[0]) == f"{site / 'index.html'}:1:9: sub/page.html"
    abslink.rewrite_tree(site, in_place=True, base_url="http://h/")
    assert abslink.check(site)[:3] == ((), 3, 0)
    assert abslink.check(site, include="*.none").exit_code == 2
    (site / "bad.html").write_bytes(b"\x1b$B<a href=g>\xff")
    (site / "index.html").unlink()
    bad = abslink.check(site, charset="iso-2022-jp")
    assert (bad.exit_code, [error.path for error in bad.errors]) == (2, [str(site / "bad.html")])
    with pytest.raises(FileNotFoundError):
        abslink.check(site / "gone")
    with pytest.raises(TypeError, match="no option baseline_url here; is base_url meant"):
        abslink.check(site, baseline_url="x")
    with pytest.raises(abslink.UsageError, match="resolver"):
        abslink.check(site, resolver="rfc")


def test_a_damaged_archive_is_done_as_far_as_it_goes(tmp_path):
    whole = ARCHIVE.read_bytes()
    (tmp_path / "cut.warc.gz").write_bytes(whole[:-40])
    summary = abslink.rewrite_warc(tmp_path / "cut.warc.gz", tmp_path / "new.warc.gz")
    assert summary.exit_code == 2 and "cut.warc.gz#" in summary.errors[0].path
    assert (tmp_path / "new.warc.gz").exists()


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_page_that_would_become_too_long_is_left_and_raised(tmp_path, jobs):
    """One that would take 8 GB: the others are done all the same."""
    urls = ["http://h/" + "d" * 2_000 + "/", "http://h/"]
    write_archive(tmp_path / "x.warc.gz", [b"<a href=x>" * 4_000_000, PAGE], urls)
    with pytest.raises(abslink.GrowthError, match="x.warc.gz#0: .*16 MiB") as raised:
        abslink.rewrite_warc(tmp_path / "x.warc.gz", tmp_path / "new.warc.gz", jobs=jobs)
    summary = raised.value.summary
    assert (summary.files_changed, summary.files_failed, summary.exit_code) == (1, 1, 2)
    assert [error.path for error in summary.errors] == [f"{tmp_path / 'x.warc.gz'}#0"]
    new = gzip.decompress((tmp_path / "new.warc.gz").read_bytes())
    assert abslink.rewrite(PAGE, "http://h/") in new


def test_the_command_comes_with_the_package(tmp_path):
    done = command("rewrite", "-b", "http://h/", "-", input=b"<a href=g>\xff")
    assert (done.stdout, done.returncode) == (b"<a href=http://h/g>\xff", 0)
    assert command("rewrite", "-", input=b"<a href=g>").returncode == 1
    wrong = command("rewrite", "--nonsense")
    assert wrong.returncode == 2 and b"--nonsense" in wrong.stderr
    assert command("--version").stdout.decode().split() == ["abslink", abslink.__version__]
    module = subprocess.run([sys.executable, "-m", "abslink", "resolve", "-b", "http://h/", "g"], capture_output=True, timeout=60)
    assert module.stdout == b"http://h/g\n"
    name = os.fsdecode(b"caf\xe9.html")
    (tmp_path / name).write_bytes(b"<a href=g>")
    assert command("rewrite", "-b", "http://h/", tmp_path / name).stdout == b"<a href=http://h/g>"


def test_a_closed_pipe_is_no_error(site):
    run = subprocess.Popen([sys.executable, "-m", "abslink", "links", *[site] * 1], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    run.stdout.close()
    assert (run.stderr.read().count(b"Traceback"), run.wait(60)) == (0, 0)


def test_ctrl_c_ends_the_command_with_130(long_site, tmp_path):
    run = subprocess.Popen(
        [sys.executable, "-m", "abslink", "rewrite", "-j1", "-b", "http://h/", "-o", tmp_path / "new", long_site],
        stderr=subprocess.PIPE,
    )
    try:
        while not (tmp_path / "new").is_dir() or len(os.listdir(tmp_path / "new")) < 3:
            assert run.poll() is None
            time.sleep(0.01)
        run.send_signal(signal.SIGINT)
        said = run.communicate(timeout=120)[1]
    finally:
        run.kill()
    assert run.returncode == 130 and b"Traceback" not in said
    assert 0 < len(os.listdir(tmp_path / "new")) < 2000
