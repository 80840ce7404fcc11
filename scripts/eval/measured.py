"""A run of a program, measured as a whole process."""
import os
import pathlib
import subprocess
import sys
import time


def run(command, output=subprocess.DEVNULL, passes=(0, 1), **options):
    """Seconds, seconds of all processors, peak MB of the largest process. Ends the script if the program fails: if its
    exit status is not one of `passes`, of which 1 is that of `dedup` for an answer, and of Python for a failure."""
    start = time.monotonic()
    child = subprocess.Popen([str(part) for part in command], stdout=output, **options)
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.monotonic() - start
    if os.waitstatus_to_exitcode(status) not in passes:
        sys.exit(f"{pathlib.Path(sys.argv[0]).name}: {command} ended with {os.waitstatus_to_exitcode(status)}")
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024 / 1e6
