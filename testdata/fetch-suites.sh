#!/usr/bin/env bash
# Brings the standards' own tests to target/suites, where the tests look for them:
#
#     html5lib-tests/            tests of HTML's tokenizer, tree construction and encoding, from the Python
#                                package html5lib
#     urltestdata-2026-07.json   the web platform's URL tests of that month, from the crate ada-url
#     sarif-2.1.0.json           the schema of SARIF, from the crate serde-sarif
#     exports/                   what WordPress and Blogger have exported, from the Python package pelican
#     markdown/                  the specifications of CommonMark and GFM, from the Python package marko
#
# They are not part of this project. Needs pip and cargo.
set -euo pipefail
cd "$(dirname "$0")/.."

suites=${CARGO_TARGET_DIR:-target}/suites
if [ -e "$suites/markdown" ]; then
    echo "$suites is there already"
    exit
fi
mkdir -p "$(dirname "$suites")"
scratch=$(mktemp -d "$suites.XXXXXX")
trap 'rm -rf "$scratch"' EXIT

# pip asks the package's own setup for its name, which newer setuptools cannot read.
echo 'setuptools<70' >"$scratch/constraint"
PIP_CONSTRAINT=$scratch/constraint python3 -m pip download --quiet --no-deps --no-binary :all: \
    --dest "$scratch" html5lib==1.1
tar -xzf "$scratch"/html5lib-1.1.tar.gz -C "$scratch"
mkdir "$scratch/suites"
mv "$scratch/html5lib-1.1/html5lib/tests/testdata" "$scratch/suites/html5lib-tests"

python3 -m pip download --quiet --no-deps --only-binary :all: --dest "$scratch" pelican==4.12.0
python3 -m zipfile -e "$scratch"/pelican-4.12.0-*.whl "$scratch/pelican"
mkdir "$scratch/suites/exports"
mv "$scratch"/pelican/pelican/tests/content/{wordpress,blogger}export.xml "$scratch/suites/exports"

python3 -m pip download --quiet --no-deps --no-binary :all: --dest "$scratch" marko==2.2.4
tar -xzf "$scratch"/marko-2.2.4.tar.gz -C "$scratch"
mkdir "$scratch/suites/markdown"
mv "$scratch"/marko-2.2.4/tests/spec/{commonmark,gfm}.txt "$scratch/suites/markdown"

# A package that depends on both, since cargo fetches nothing else.
mkdir -p "$scratch/fetch/src"
touch "$scratch/fetch/src/lib.rs"
cat >"$scratch/fetch/Cargo.toml" <<'TOML'
[package]
name = "fetch"
edition = "2024"
[dependencies]
ada-url = "=4.0.0"
serde-sarif = "=0.8.0"
[workspace]
TOML
metadata=$(cargo metadata --manifest-path "$scratch/fetch/Cargo.toml" --format-version 1 --quiet)
directory() {
    dirname "$(grep -oE '"manifest_path":"[^"]*/'"$1"'-[0-9.]+/Cargo.toml"' <<<"$metadata" | cut -d '"' -f 4)"
}
cp "$(directory ada-url)/tests/wpt/urltestdata.json" "$scratch/suites/urltestdata-2026-07.json"
cp "$(directory serde-sarif)/src/schema.json" "$scratch/suites/sarif-2.1.0.json"

# Last, so that what is there is whole. mktemp makes private directories, and others may run tests.
chmod -R u=rwX,go=rX "$scratch/suites"
rm -rf "$suites"
mv "$scratch/suites" "$suites"
echo "$suites fetched"
