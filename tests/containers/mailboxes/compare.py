"""Compares two mailboxes: all messages and all parts but HTML are the same, and HTML has absolute links."""

import email
import email.policy
import mailbox
import os
import re
import sys


def read(path):
    if os.path.isdir(path):
        box = mailbox.Maildir(path, create=False)
        keys = sorted(box.keys(), key=lambda key: re.sub(r",[SW]=\d+", "", key))
        messages = [box.get_bytes(key) for key in keys]
    else:
        box = mailbox.mbox(path, create=False)
        messages = [box.get_bytes(key) for key in box.keys()]
    return [email.message_from_bytes(message, policy=email.policy.default) for message in messages]


def parts(message):
    for part in message.walk():
        fields = [(name, value) for name, value in part.items() if name not in ("Content-Length", "Lines")]
        is_html = part.get_content_type() == "text/html"
        is_leaf = not part.is_multipart()
        yield fields, is_html, part.get_payload(decode=True) if is_leaf else None


before, after = map(read, sys.argv[1:])
assert len(before) == len(after), (len(before), len(after))
changed = 0
for one, other in zip(before, after):
    one, other = list(parts(one)), list(parts(other))
    assert len(one) == len(other)
    differs = False
    for (fields, is_html, old), (new_fields, _, new) in zip(one, other):
        assert fields == new_fields, (fields, new_fields)
        if not is_html:
            assert old == new, (old, new)
            continue
        base = rb"http://h/(?:(?:\.?\w+/)*(?:cur|new)/)?"
        links = rb'(href="|src=)'
        assert re.search(links + rb"(?:page|i|last)\d", new) is None, new
        differs |= old != new
        assert re.sub(links + base, rb"\1", new) == old, (old, new)
    changed += differs
print(changed, "of", len(before), "messages")
