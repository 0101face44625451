#!/usr/bin/env bash
# Brings the standards' own tests to target/suites, where the tests look for them:
#
#     html5lib-tests/    tests of HTML's tokenizer, tree construction and encoding, from the Python package html5lib
#     urltestdata.json   the web platform's URL tests, from the crate url
#     sarif-2.1.0.json   the schema of SARIF, from the crate serde-sarif
#
# They are not part of this project. Needs pip and cargo.
set -euo pipefail
cd "$(dirname "$0")/.."

suites=${CARGO_TARGET_DIR:-target}/suites
if [ -e "$suites/sarif-2.1.0.json" ]; then
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

cargo fetch --locked --quiet
crate=$(cargo metadata --locked --format-version 1 |
    grep -oE '"manifest_path":"[^"]*/url-[0-9.]+/Cargo.toml"' | cut -d '"' -f 4 | head -n 1)
cp "$(dirname "$crate")/tests/urltestdata.json" "$scratch/suites/"

# A package that depends on it, since cargo fetches nothing else.
mkdir -p "$scratch/fetch/src"
touch "$scratch/fetch/src/lib.rs"
cat >"$scratch/fetch/Cargo.toml" <<'TOML'
[package]
name = "fetch"
edition = "2024"
[dependencies]
serde-sarif = "=0.8.0"
[workspace]
TOML
crate=$(cargo metadata --manifest-path "$scratch/fetch/Cargo.toml" --format-version 1 --quiet |
    grep -oE '"manifest_path":"[^"]*/serde-sarif-[0-9.]+/Cargo.toml"' | cut -d '"' -f 4)
cp "$(dirname "$crate")/src/schema.json" "$scratch/suites/sarif-2.1.0.json"

# Last, so that what is there is whole. mktemp makes private directories, and others may run tests.
chmod -R u=rwX,go=rX "$scratch/suites"
rm -rf "$suites"
mv "$scratch/suites" "$suites"
echo "$suites fetched"
