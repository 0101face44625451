"""Makes notebooks, lets abslink rewrite their HTML, and reads them again with nbformat."""

import copy
import pathlib
import random
import subprocess
import sys

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

LINES = ['<a href="/x">t</a>\n', '<a\nhref="/y">é</a>\n', "text \\n \"q\"\n", "\u2028<img src='/i.png'>", "plain", "\r\n"]
POINTER = "/cells/*/outputs/*/data/text~1html"


def moved(text):
    return text.replace('="/', '="https://e.org/').replace("='/", "='https://e.org/")


def notebook():
    def html():
        return "".join(random.choices(LINES, k=random.randrange(6)))

    def output():
        data = {"text/html": html(), "text/plain": html(), "application/json": {"text/html": ["<a href='/no'>"]}}
        return new_output("display_data", data=data, metadata={"a": 1.50})

    cells = [new_code_cell(source=html(), outputs=[output() for _ in range(3)]) for _ in range(4)]
    return new_notebook(cells=cells + [new_markdown_cell(source=html())])


def main(abslink, folder, count):
    random.seed(1)
    changed = 0
    for number in range(count):
        path = pathlib.Path(folder, f"{number}.ipynb")
        nbformat.write(notebook(), path)
        expected = copy.deepcopy(nbformat.read(path, as_version=4))
        for cell in expected.cells:
            for output in cell.get("outputs", []):
                before = output.data["text/html"]
                output.data["text/html"] = moved(before)
                changed += output.data["text/html"] != before
        subprocess.run([abslink, "rewrite", "-q", "-i", "-b", "https://e.org/", "--field", POINTER, path], check=True)
        after = nbformat.read(path, as_version=4)
        nbformat.validate(after)
        assert after == expected, path
    print(count, changed)


main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
