"""Documents of every kind, generated from a seed."""

import random

ENCODINGS = ["utf-8", "iso-8859-1", "windows-1252", "shift_jis", "utf-16le", "koi8-r"]
REFERENCES = [
    "g", "./g", "../g", "../../../g", "g/./h", "g;x=1/../y", "?y", "g?y/./x", "#s", "g#s/../x", "", "//g/h",
    "/a/./b", "http://x/y", "http:g", "mailto:a@b", "javascript:void(0)", " g ", "a\tb", "a&amp;b", "a&#47;b",
    "é", "日本", "%2e%2e/g", "data:text/html,<a>", "\\g", "tel:1", "g:h:i",
]  # fmt: skip
PLACES = [
    '<a href="{}">', "<a href={}>", "<img src='{}' alt=x>", '<img srcset="{} 1x, {} 2x">', "<link rel=x href='{}'>",
    '<p style="background:url({})">', "<style>@import '{}'; p {{ x: url( {} ) }}</style>", "<script src='{}'></script>",
    '<meta http-equiv=refresh content="3; url={}">', "<form action='{}'><button formaction='{}'></form>",
    "<svg><use xlink:href='{}'/><a href='{}'></a></svg>", "<table background='{}'><tr><td><a href='{}'>",
    "<noscript><img src='{}'></noscript>", "<template><a href='{}'></template>", "<object data={}>", "<!-- <a href='{}'> -->",
    "<iframe srcdoc=\"<a href='{}'>\"></iframe>", "<i data-src='{}'>", "<textarea><a href='{}'></textarea>",
    "<title><a href='{}'></title>", "<a href='{}' href='{}'>", "<a\nhref\n=\n'{}'", "</p><a href='{}'>é日", "<base target=x>",
]  # fmt: skip


def document(number, seed=1808):
    """The bytes of a document, and the transport's label for it, if there is one."""
    chance = random.Random(f"{seed}-{number}")
    encoding = chance.choice(ENCODINGS)
    parts = []
    if chance.random() < 0.3:
        parts.append(f"<meta charset={encoding}>")
    for _ in range(chance.randrange(12)):
        if chance.random() < 0.05:
            parts.append(f"<base href='{chance.choice(REFERENCES)}'>")
        place = chance.choice(PLACES)
        parts.append(place.replace("{{", "{").replace("}}", "}") if "{}" not in place else
                     place.format(*(chance.choice(REFERENCES) for _ in range(2))))
    html = "".join(parts).encode(encoding, "replace")
    if chance.random() < 0.05:
        html = html[: chance.randrange(len(html) + 1)] + bytes(chance.randrange(256) for _ in range(5))
    label = encoding if encoding == "utf-16le" or chance.random() < 0.2 else None
    return html, label
