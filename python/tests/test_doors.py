"""One engine, three doors: the same bytes through each."""

import contextlib
import hashlib
import re
from pathlib import Path
from urllib.parse import quote

import pytest

import abslink
from conftest import CORPORA, ROOT, command, needs, pages
from generated import document

CORPORA_NAMES = ["python3.11-doc", "cppreference-doc-en-html", "openjdk-17-doc", "rust-doc"]
BASE = "https://h.example/docs/"
GENERATED = 20_000


def sha256(html):
    return hashlib.sha256(html).hexdigest()


def of_command(directory, new, *options):
    """The digests of the command's output for a tree, by path. The URL of each document is its path below
    BASE, and links are taken as they are."""
    done = command("rewrite", "-b", BASE, "--index=none", "--converted-links", "never", "-o", new, *options, directory)
    # A document that is left as it is makes the exit code 2, and is copied.
    assert done.returncode in (0, 1, 2), done.stderr
    return {path: sha256((new / path).read_bytes()) for path in paths(directory)}


def paths(directory):
    found = (path for path in Path(directory).rglob("*.html") if path.is_file() and not path.is_symlink())
    return sorted(path.relative_to(directory).as_posix() for path in found)


def url(path):
    return BASE + quote(path, safe="/!$&'()*+,;=:@~-._")


def same_through_each(directory, new, charset=None, options=()):
    """Compares all doors on a tree."""
    named = ["--charset", charset] if charset else []
    expected = of_command(directory, new, *named, *options)
    assert len(expected) > 0
    rewriter = abslink.Rewriter(charset=charset)
    calls = {}
    batches = {}
    pa = needs("pyarrow")
    names = list(expected)
    for start in range(0, len(names), 500):
        chosen = names[start : start + 500]
        html = [(directory / name).read_bytes() for name in chosen]
        urls = [url(name) for name in chosen]
        for name, page, base in zip(chosen, html, urls):
            with contextlib.suppress(abslink.EncodingError):
                page = abslink.rewrite(page, base, charset=charset)
            calls[name] = sha256(page)
        done = rewriter.rewrite_batch(pa.record_batch([pa.array(html, pa.binary()), urls], ["html", "url"]))
        batches.update(zip(chosen, (sha256(page.as_py()) for page in done.column("html"))))
    assert calls == expected
    assert batches == expected
    return expected


@pytest.mark.parametrize("name", CORPORA_NAMES)
def test_corpora(name, tmp_path):
    assert pages(name)
    same_through_each(CORPORA / name, tmp_path / "new")


def test_generated_documents(tmp_path):
    by_label = {}
    for number in range(GENERATED):
        html, label = document(number)
        by_label.setdefault(label, {})[f"{number}.html"] = html
    changed = 0
    for label, documents in by_label.items():
        directory = tmp_path / str(label)
        directory.mkdir()
        for name, html in documents.items():
            (directory / name).write_bytes(html)
        digests = same_through_each(directory, tmp_path / f"{label}-new", label)
        changed += sum(digest != sha256(documents[name]) for name, digest in digests.items())
    assert changed > GENERATED / 2


def test_one_document_on_standard_input(tmp_path):
    for number in range(100):
        html, label = document(number)
        for syntax in ["html", "xhtml"]:
            charset = ["--charset", label] if label else []
            done = command("rewrite", "-b", BASE, *charset, "--as", syntax, "-", input=html)
            try:
                assert done.stdout == abslink.rewrite(html, BASE, charset=label, read_as=syntax), number
            except abslink.EncodingError:
                assert (done.returncode, done.stdout) == (2, html), number


# Options of `abslink rewrite` that say how one document is read, and that functions for one document do
# not have: it is about the file that it is in.
OF_FILES = {"try-ext"}


def test_options_are_those_of_the_command():
    text = command("rewrite", "--help").stdout.decode()
    sections = text[text.index("Links to change:") : text.index("Feeds, mail, archives, rows:")]
    options = re.split(r"\n(?=  (?:-\w, |    )--)", sections)
    # It is about web archives, of which a document may be a copy.
    defaults = {"unwrap": None}
    for option in options[1:]:
        name = re.match(r"\s+(?:-\w, )?--([\w-]+)", option)[1]
        default = re.search(r"\[default: (.+?)\]|(?:^|;)\s+([\w-]+) \(the default\)", option, re.MULTILINE)
        if name != "charset":
            defaults[name] = default and (default[1] or default[2])
    assert {"resolver", "also", "exclude-url"} < defaults.keys()
    signature = re.search(r"\((.*)\)", abslink.rewrite.__text_signature__.replace("\n", " "))[1]
    ours = dict(re.findall(r"(\w+)=('\w*'|\(\)|None|False)", signature))
    del ours["base_url"], ours["charset"], ours["read_as"]
    theirs = {name.replace("-", "_"): default for name, default in defaults.items() if name not in OF_FILES}
    assert ours.keys() == theirs.keys()
    for name, default in theirs.items():
        assert ours[name] in ([repr(default)] if default else ["()", "None", "False"]), name
    for name in ["charset", "as"]:
        assert f" --{name} " in text
    # Each function has the same options, and so have the stubs.
    for function in [abslink.links, abslink.find_base]:
        assert function.__text_signature__ == abslink.rewrite.__text_signature__
    assert abslink.Rewriter.__text_signature__.strip("(*, ") in abslink.rewrite.__text_signature__
    stubs = (ROOT / "python/abslink/_abslink.pyi").read_text()
    for name, default in ours.items():
        assert len(re.findall(rf"\b{name}: [^=]+ = {re.escape(default).replace(chr(39), chr(34))}", stubs)) >= 4, name
