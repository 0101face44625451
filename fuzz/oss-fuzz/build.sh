#!/bin/bash -eu
# Builds every fuzz target as OSS-Fuzz wants it: $SRC/abslink is the source, and $OUT gets each program and, by its
# name, its seeds, its dictionary and its options. Also runs elsewhere; .ci/fuzz does that.
cd "$SRC/abslink"

# The checks of the targets are of more use with the assertions and overflow checks of a debug build.
cargo fuzz build --release --debug-assertions

host=$(rustc -vV | sed -n 's/^host: //p')
built=${CARGO_TARGET_DIR:-fuzz/target}/$host/release
for target in $(cargo fuzz list); do
    cp "$built/$target" "$OUT/"
    rm -f "$OUT/${target}_seed_corpus.zip"
    zip -q -j "$OUT/${target}_seed_corpus.zip" "fuzz/seeds/$target"/*
    # A target's own words, or those of HTML, CSS and URLs.
    dictionary=fuzz/$target.dict
    [ -e "$dictionary" ] || dictionary=fuzz/html.dict
    cp "$dictionary" "$OUT/$target.dict"
    # A target compares several ways to do one thing, so that long inputs only take time.
    printf '[libfuzzer]\nmax_len = 8192\n' >"$OUT/$target.options"
done
