"""A Spark job over a list of archives, and a table of what became of each.

    python archives.py LIST DIR

This does the same as `python -m abslink.spark`, as a part of a program: the settings of Spark come from its
files, or from spark-submit.
"""

import json
import sys
from pathlib import Path

from abslink import spark


def convert(listed: str, output: str) -> int:
    """Converts the archives, and prints a line for each. The exit code is that of the job."""
    exit_code = spark.main(["--input", listed, "--output", output, "--warc-as=response"])
    manifest = Path(output, "_manifest.jsonl")
    # That of an earlier start, if this one has not come to its end.
    if Path(output, "_SUCCESS").exists():
        for line in map(json.loads, manifest.read_text().splitlines()):
            what = line.get("error") or f"{line['rewritten']} of {line['references']} references"
            print(f"{line['name']}: {what}")
            for record in line.get("refused", []):
                print(f"  {record['path']}: {record['text']}")
    return exit_code


if __name__ == "__main__":
    sys.exit(convert(*sys.argv[1:]))
