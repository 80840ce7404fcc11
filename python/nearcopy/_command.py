"""The command ``dedup``."""

import signal
import sys

from nearcopy import _native


def main() -> int:
    """Run the command line and return the exit code."""
    # The command has its own handler; Python's would raise KeyboardInterrupt once it has ended.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _native.command(["dedup", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
