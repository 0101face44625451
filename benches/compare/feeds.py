"""Reads the feeds of a directory: feeds.py feedparser|lxml DIRECTORY"""

import os
import sys

how, directory = sys.argv[1:3]
feeds = [os.path.join(directory, name) for name in sorted(os.listdir(directory))]
URL = "https://docs.example.org/"

if how == "feedparser":
    import feedparser

    for path in feeds:
        with open(path, "rb") as file:
            feed = feedparser.parse(
                file.read(), sanitize_html=False, response_headers={"content-location": URL}
            )
        assert len(feed.entries) > 0
else:
    from lxml import etree, html

    for path in feeds:
        tree = etree.parse(path)
        for item in tree.iter("item"):
            base = URL + item.findtext("link").lstrip("/")
            description = item.find("description")
            fragment = html.fragment_fromstring(description.text, create_parent="div")
            fragment.make_links_absolute(base)
            description.text = html.tostring(fragment, encoding="unicode")
        etree.tostring(tree)
