"""The command ``dedup``."""

import sys

from nearcopy import _native


def main() -> int:
    """Run the command line and return the exit code."""
    return _native.command(["dedup", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
