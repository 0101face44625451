#!/usr/bin/env bash
# Brings real documentation to target/corpus, for tests/corpora/ and the benches:
#
#     testdata/fetch-corpora.sh                  all four packages
#     testdata/fetch-corpora.sh python3.11-doc   this one only
#     testdata/fetch-corpora.sh mdbook           newer books, whose pages have a `template`
#
# The books are those of rust-doc in Debian unstable, 150 MB of its 870 MB; package lists for that
# are fetched to a place of their own.
# Works on Debian 12 and its relatives, without root where the package lists are there. A package
# that is there already is left alone; delete its directory to fetch it again.
set -euo pipefail
cd "$(dirname "$0")/.."

corpus=${CARGO_TARGET_DIR:-target}/corpus
packages=("$@")
if [ ${#packages[@]} -eq 0 ]; then
    packages=(python3.11-doc cppreference-doc-en-html openjdk-17-doc rust-doc)
fi

fail() {
    echo "fetch-corpora: $*" >&2
    exit 1
}

# Makes sure that apt knows the package; a bare container has no lists.
know() {
    apt-cache show --no-all-versions "$1" >/dev/null 2>&1 && return
    if [ "$(id -u)" -eq 0 ]; then
        apt-get -qq update
    fi
    apt-cache show --no-all-versions "$1" >/dev/null 2>&1 ||
        fail "apt knows no package $1: run 'apt-get update' as root; if that does not help, this" \
            "release has no such package, and any directory of HTML files at $corpus/$1 will do"
}

fetch() {
    # As root apt would complain that its own user may not write here.
    (cd "$scratch" && apt-get -qq -o APT::Sandbox::User=root download "$1")
    dpkg-deb --extract "$scratch"/"$1"_*.deb "$scratch/$1"
    # Last, so that a directory with the package's name is always whole.
    mv "$scratch/$1" "$corpus/$1"
}

# Of rust-doc in Debian unstable, what mdBook made.
fetch_mdbook() {
    local keyring=/usr/share/keyrings/debian-archive-keyring.gpg lists=$scratch/lists
    [ -r "$keyring" ] || fail "there is no $keyring here: install debian-archive-keyring"
    mkdir -p "$lists/partial" "$scratch/cache/archives/partial" "$scratch/mdbook"
    echo "deb [signed-by=$keyring] http://deb.debian.org/debian sid main" >"$scratch/sid.list"
    local unstable=(-qq -o APT::Sandbox::User=root -o Acquire::Languages=none
        -o Dir::Etc::SourceList="$scratch/sid.list" -o Dir::Etc::SourceParts=-
        -o Dir::State::Lists="$lists" -o Dir::Cache="$scratch/cache")
    apt-get "${unstable[@]}" update
    (cd "$scratch" && apt-get "${unstable[@]}" download rust-doc)
    dpkg-deb --extract "$scratch"/rust-doc_*.deb "$scratch/rust-doc"
    local index
    for index in "$scratch"/rust-doc/usr/share/doc/rust-doc/html/*/index.html; do
        if grep -q '<template' "$index"; then
            mv "$(dirname "$index")" "$scratch/mdbook/"
        fi
    done
    mv "$scratch/mdbook" "$corpus/mdbook"
}

mkdir -p "$corpus"
corpus=$(cd "$corpus" && pwd)
scratch=$(mktemp -d "$corpus/.fetching.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
for package in "${packages[@]}"; do
    if [ -d "$corpus/$package" ]; then
        echo "$corpus/$package is there already"
        continue
    fi
    for tool in apt-get apt-cache dpkg-deb; do
        command -v "$tool" >/dev/null ||
            fail "there is no $tool here: unpack the Debian package $package into" \
                "$corpus/$package by other means"
    done
    if [ "$package" = mdbook ]; then
        fetch_mdbook
    else
        know "$package"
        fetch "$package"
    fi
    echo "$corpus/$package fetched"
done
