"""What several programs make of one tree that is to be opened from a disk: which links are right, and how many
bytes change beside links. docs/peers.md has the results. Needs wget, httrack, npx, mkdocs and html5lib:

    pip install mkdocs html5lib && npm install --prefix target/vite vite
    python3 benches/forms/compare.py target/release/abslink target/vite

The tree is what mkdocs makes of docs/ here, served at http://127.0.0.1:PORT/docs/. A link is right if it leads from
the page's file to a copy of what it leads to on the server, with the same fragment, or, to what the server does not
have, is the same URL. What names a page to others (canonical) is right as a URL.
"""

import base64
import collections
import difflib
import functools
import hashlib
import http.server
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import urllib.parse

import html5lib

HERE = pathlib.Path(__file__).parent
PLACES = {"href", "src", "srcset", "poster", "data", "action", "style"}
VALUE = re.compile(r"""\b(href|src|srcset|poster|data|action|style)\s*=\s*("[^"]*"|'[^']*'|[^\s>"']+)""", re.I)


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):
        # What mkdocs made for /docs/ lies at the root of the directory.
        if not self.path.startswith("/docs/"):
            return self.send_error(404)
        self.path = self.path[len("/docs"):]
        return super().do_GET()

    do_HEAD = do_GET


def run(*command, **more):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **more)
    return done.stdout + done.stderr


def identity(content):
    """What a copy is a copy of: pages by their marks, since programs change them."""
    text = content.decode("utf8", "replace")
    mark = re.search(r"<!-- ?page (\S+) ?-->", text)
    if mark:
        return "page " + mark[1]
    if "<html" in text[:1000].lower():
        return "page " + (re.search(r"<title>\s*([^<]*)", text) or ["", "?"])[1].strip()
    return hashlib.sha1(content).hexdigest()


def copied(file):
    """What a file is a copy of. Style sheets and scripts are bundled by some: any one is right."""
    kind = {".css": "a style sheet", ".js": "a script"}.get(file.suffix)
    return kind or identity(file.read_bytes())


def references(text):
    """Each place with a URL, by html5lib: of a page, element, attribute and URL."""
    tree = html5lib.parse(text, namespaceHTMLElements=False)
    for element in tree.iter():
        if not isinstance(element.tag, str):
            continue
        name = element.tag.split("}")[-1]
        if name == "style":
            for url in re.findall(r"url\(\s*['\"]?([^'\")]*)", element.text or ""):
                yield (name, "", url)
        for attribute, value in element.attrib.items():
            attribute = attribute[-1] if isinstance(attribute, tuple) else attribute.split("}")[-1]
            if attribute not in PLACES or name == "base":
                continue
            if element.attrib.get("rel") == "canonical":
                yield ("canonical", attribute, value)
            elif attribute == "srcset":
                for part in value.split(","):
                    yield (name, attribute, part.split()[0])
            elif attribute == "style":
                for url in re.findall(r"url\(\s*['\"]?([^'\")]*)", value):
                    yield (name, attribute, url)
            elif value and not value.startswith("#"):
                yield (name, attribute, value.strip())


def targets(text, url, site, served):
    """What each reference of a page leads to."""
    found = collections.Counter()
    for place, attribute, reference in references(text):
        target = urllib.parse.urljoin(url, reference)
        bare, fragment = urllib.parse.urldefrag(target)
        what = target
        if place == "canonical":
            what = "a URL" if target.startswith(site) else "a file"
        elif bare.startswith("data:") and ";base64," in bare:
            what = identity(base64.b64decode(bare.split(",", 1)[1])) + "#"
        elif bare.startswith("file:"):
            file = pathlib.Path(urllib.parse.unquote(urllib.parse.urlsplit(bare).path))
            what = copied(file) + "#" + fragment if file.is_file() else "missing"
        elif bare.startswith(site) and served:
            path = urllib.parse.unquote(urllib.parse.urlsplit(bare).path[len("/docs/"):])
            file = served / path
            file = file / "index.html" if file.is_dir() else file
            what = copied(file) + "#" + fragment if file.is_file() else target
        key = (place, attribute, what)
        found[key] = 1 if what in ("a style sheet#", "a script#") else found[key] + 1
    return found


def beside(old, new):
    """The bytes that differ in two pages whose URLs are left out."""
    pages = [VALUE.sub(lambda it: it[1] + "=", page) for page in (old, new)]
    pages = [re.sub(r"url\([^)]*\)", "url()", page) for page in pages]
    pieces = [re.findall(r"\w+|\s+|[^\w\s]", page) for page in pages]
    changed = 0
    for tag, a, b, c, d in difflib.SequenceMatcher(None, *pieces, autojunk=False).get_opcodes():
        if tag != "equal":
            changed += sum(map(len, pieces[0][a:b])) + sum(map(len, pieces[1][c:d]))
    return changed


def pages(directory):
    """The pages of a tree by what they are."""
    found = {}
    for file in sorted(directory.rglob("*")):
        if file.is_file() and b"<html" in file.read_bytes()[:2000].lower():
            name = identity(file.read_bytes())
            if "HTTrack" not in name:
                found.setdefault(name, file)
    return found


def main(abslink, vite):
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        tree = scratch / "tree"
        server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), functools.partial(Quiet, directory=tree)
        )
        threading.Thread(target=server.serve_forever, daemon=True).start()
        origin = f"http://127.0.0.1:{server.server_port}"
        site = f"{origin}/docs/"
        sources = scratch / "docs"
        shutil.copytree(HERE / "docs", sources)
        for page in sources.rglob("*.md"):
            page.write_text(page.read_text().replace("SITE", site))

        def mkdocs(out, directories):
            config = scratch / f"{out.name}.yml"
            config.write_text(
                f"site_name: Pots\nsite_url: {site}\ndocs_dir: {sources}\nsite_dir: {out}\n"
                f"use_directory_urls: {directories}\n"
            )
            return run("mkdocs", "build", "-q", "-f", config)

        print(mkdocs(tree, "true"), end="")
        made = {name: scratch / name for name in ("mkdocs", "wget", "httrack", "vite", "abslink", "abslink-whatwg")}
        mkdocs(made["mkdocs"], "false")
        made["wget"].mkdir()
        run("wget", "-q", "-r", "-l", "inf", "-k", "-p", "-E", "-e", "robots=off", site, f"{site}404.html",
            cwd=made["wget"])
        run("httrack", "-q", "-s0", "-c8", "-%c100", "--disable-security-limits", "-u0", "-O",
            made["httrack"], site, f"{site}404.html")
        vite_root = scratch / "vite-root"
        shutil.copytree(tree, vite_root / "docs")
        inputs = [str(page) for page in vite_root.rglob("*.html")]
        (vite_root / "vite.config.mjs").write_text(
            f"export default {{ base: './', build: {{ assetsInlineLimit: 0, outDir: {str(made['vite'])!r}, "
            f"rollupOptions: {{ input: {inputs!r} }} }} }}\n"
        )
        log = run("npx", "--prefix", vite, "vite", "build", vite_root)
        if not made["vite"].exists():
            print(log[-2000:])
        rewrite = (abslink, "rewrite", "-q", "--to", "files", "--copy-others", "-b", site, tree, "-o")
        print(run(*rewrite, made["abslink"]), end="")
        print(run(*rewrite, made["abslink-whatwg"], "--resolver", "whatwg"), end="")

        originals = pages(tree)
        print("| | pages | links right | of | bytes changed beside links |\n|---|--:|--:|--:|--:|")
        for name, directory in made.items():
            results, right, all_links, changed, wrong = pages(directory), 0, 0, 0, collections.Counter()
            for page, file in originals.items():
                old = file.read_text()
                url = site + urllib.parse.quote(str(file.relative_to(tree)).removesuffix("index.html"))
                wanted = targets(old, url, site, tree)
                all_links += wanted.total()
                if page not in results:
                    wrong["no such page"] += wanted.total()
                    continue
                new = results[page].read_text()
                found = targets(new, results[page].as_uri(), site, None)
                right += (wanted & found).total()
                for place, attribute, what in (wanted - found).elements():
                    wrong[f"{place} {attribute} {what}"] += 1
                changed += beside(old, new)
            print(f"| {name} | {len(set(originals) & set(results))} | {right} | {all_links} | {changed} |", flush=True)
            print(f"    wrong: {dict(wrong)}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).absolute(), pathlib.Path(sys.argv[2]).absolute())
