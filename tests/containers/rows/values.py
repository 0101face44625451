"""Values in rows: `make N` writes them, `check FILE` compares them with what became of them."""

import json
import random
import sys

TEXTS = ['<a href="/x">t</a>', "é <a href='/é'>字</a>", "plain", "", '"q" \\ \n', "/rel", '<img src="/i.png">\U0001f600']


def value(depth):
    kinds = ["text", "text", "number", "none"] + ["object", "list", "inner"] * (depth < 4)
    kind = random.choice(kinds)
    if kind == "text":
        return random.choice(TEXTS)
    if kind == "number":
        return random.choice([1, -2.5e10, True])
    if kind == "none":
        return None
    if kind == "list":
        return [value(depth + 1) for _ in range(random.randrange(4))]
    if kind == "object":
        return {key: value(depth + 1) for key in ["a", '<a href="/key">', "é"]}
    return dumped({"html": value(depth + 1), "l": [value(depth + 1)]})


def dumped(held):
    return json.dumps(held, ensure_ascii=random.random() < 0.5, indent=random.choice([None, 1]))


def expected(held):
    if isinstance(held, str):
        if held[:1] == "{":
            return json.loads(held, object_hook=expected_pairs)
        if "<" not in held:
            return held
        return held.replace('="/', '="https://e.org/').replace("='/", "='https://e.org/")
    if isinstance(held, list):
        return [expected(one) for one in held]
    if isinstance(held, dict):
        return expected_pairs(held)
    return held


def expected_pairs(held):
    return {key: expected(one) for key, one in held.items()}


def taken_apart(held):
    """The same, with the strings in it that are JSON read."""
    if isinstance(held, str):
        return taken_apart(json.loads(held)) if held[:1] in "{" and held else held
    if isinstance(held, list):
        return [taken_apart(one) for one in held]
    if isinstance(held, dict):
        return {key: taken_apart(one) for key, one in held.items()}
    return held


def main():
    random.seed(53)
    if sys.argv[1] == "make":
        for _ in range(int(sys.argv[2])):
            print(json.dumps({"v": dumped([value(0), value(0), "<a href='/x'>"])}))
        return
    olds, news = open(sys.argv[2]).read().splitlines(), sys.stdin.read().splitlines()
    changed = 0
    for old, new in zip(olds, news, strict=True):
        before, after = json.loads(old)["v"], json.loads(new)["v"]
        want, got = expected(taken_apart(json.loads(before))), taken_apart(json.loads(after))
        assert want == got, (before, after)
        # Nothing but the insertions differs, at whatever depth they are.
        assert new.replace("https://e.org", "") == old, (old, new)
        changed += before != after
    print(len(olds), changed)


main()
