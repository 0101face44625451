"""The command ``abslink``."""

import signal
import sys

from ._abslink import command


def main() -> int:
    # Ctrl-C goes to the command, which ends between two files; Python would see it only afterwards.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return command(["abslink", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
