"""Makes the links of a tree absolute with lxml: lxml_links.py TREE OUT BASE PROCESSES"""

import multiprocessing
import os
import sys
from urllib.parse import quote

from lxml import etree, html

tree, out, base = sys.argv[1:4]


def convert(path):
    name = os.path.relpath(path, tree)
    url = base + quote(name)
    if os.path.basename(name) in ("index.html", "index.htm"):
        url = url[: url.rfind("/") + 1]
    try:
        document = html.parse(path)
        document.getroot().make_links_absolute(url)
    except (ValueError, AttributeError, etree.LxmlError) as error:
        print(f"lxml: {name}: {error}", file=sys.stderr)
        return
    target = os.path.join(out, name)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    document.write(target, method="html", encoding=document.docinfo.encoding)


if __name__ == "__main__":
    documents = [os.path.join(d, f) for d, _, files in os.walk(tree) for f in files]
    with multiprocessing.Pool(int(sys.argv[4])) as pool:
        pool.map(convert, documents, chunksize=32)
