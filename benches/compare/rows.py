"""Makes the links in a file of rows absolute with lxml: rows.py ROWS OUT"""

import json
import sys

from lxml import html

with open(sys.argv[1], encoding="utf-8") as rows, open(sys.argv[2], "w", encoding="utf-8") as out:
    for line in rows:
        row = json.loads(line)
        document = html.fromstring(row["body"].encode(), parser=html.HTMLParser(encoding="utf-8"))
        document.make_links_absolute(row["url"], handle_failures="ignore")
        row["body"] = html.tostring(document, encoding="unicode")
        out.write(json.dumps(row, ensure_ascii=False) + "\n")
