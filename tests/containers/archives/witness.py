"""Reads every archive in a directory with warcio and with FastWARC: all records, in order, with the
digests that they name. Prints a line for each; fails at the first that is wrong."""

import os
import sys

import fastwarc
import warcio.archiveiterator
import warcio.checker


def by_warcio(path):
    """The type and the id of each record, and whether a digest is wrong."""
    records = []
    with open(path, "rb") as file:
        for record in warcio.archiveiterator.ArchiveIterator(file, check_digests=True):
            record.raw_stream.read()
            headers = record.rec_headers
            made_here = headers.get_header("WARC-Block-Digest")
            if made_here and record.digest_checker.passed is not True:
                sys.exit(f"{path}: {record.digest_checker.problems}")
            records.append((record.rec_type, headers.get_header("WARC-Record-ID")))
    return records


def by_fastwarc(path):
    records = []
    with open(path, "rb") as file:
        # Raw: its decoding of HTTP ends at the first lie.
        for record in fastwarc.ArchiveIterator(file, parse_http=False):
            if record.headers.get("WARC-Block-Digest") and not record.verify_block_digest():
                sys.exit(f"{path}: FastWARC finds another digest in {record.record_id}")
            records.append((str(record.record_type), record.record_id))
    return records


directory = sys.argv[1]
for name in sorted(os.listdir(directory)):
    path = os.path.join(directory, name)
    if name.endswith("heads.warc.gz") and not name.startswith("conversions"):
        # FastWARC stops at names of fields in lower case, which are copied as they are.
        print("read", name, len(by_warcio(path)))
        continue
    found = by_fastwarc(path)
    if not found:
        sys.exit(f"{path}: FastWARC finds nothing")
    print("read", name, len(found))
    if not name.endswith(".zst"):
        known = by_warcio(path)
        ids = [record_id for _, record_id in known]
        others = [record_id for _, record_id in found]
        if [i.strip("<>") for i in ids] != [i.strip("<>") for i in others]:
            sys.exit(f"{path}: warcio finds {known}, FastWARC {found}")
        # What `warcio check` does. It also decodes bodies, and not all Brotli.
        if "codings" in name:
            continue
        checker = warcio.checker.Checker(type("Arguments", (), {"inputs": [path], "verbose": False}))
        checker.process_all()
        if checker.exit_value:
            sys.exit(f"{path}: warcio check fails")
