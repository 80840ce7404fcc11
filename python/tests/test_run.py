"""Long calls beside other threads, after a fork, and until Ctrl-C."""

import multiprocessing
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time

import pytest

import nearcopy as nc
from conftest import MILL, SISTERS
from nearcopy import _progress


def texts(count):
    chance = random.Random(count)
    words = [f"w{number}" for number in range(5000)]
    return [" ".join(chance.choices(words, k=200)) for _ in range(count)]


ENDLESS = """
    import itertools, random, nearcopy
    print("ready", flush=True)
    endless = (f"{number} ferries left the old pier before the lamps were lit" for number in itertools.count())
    try:
        nearcopy.find(endless, max_memory=10_000, progress=False)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
"""


def test_ctrl_c_ends_it_in_good_order(tmp_path):
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    run = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(ENDLESS)], stdout=subprocess.PIPE, text=True, env=environment
    )
    try:
        assert run.stdout.readline() == "ready\n"
        deadline = time.monotonic() + 30
        while not list(tmp_path.glob("dedup-scratch-*")) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert list(tmp_path.glob("dedup-scratch-*"))
        run.send_signal(signal.SIGINT)
        assert run.communicate(timeout=30)[0] == "interrupted\n" and run.returncode == 0
        assert not list(tmp_path.iterdir()), "nothing is left behind"
    finally:
        run.kill()


def decontaminated(many, progress):
    return nc.decontaminate(many, many[:100], progress=progress)


@pytest.mark.parametrize("work", [nc.find, nc.clean_lines, nc.clean_repeats, decontaminated])
def test_ctrl_c_ends_a_computation(work):
    """An exception of a signal handler is raised from within a call that has no Python code of its own."""

    def stop(*_):
        raise TimeoutError("long enough")

    many = texts(20_000)
    before = signal.signal(signal.SIGALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(TimeoutError, match="long enough"):
            while True:
                work(many, progress=False)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_other_threads_go_on():
    ticks, stop = [], threading.Event()

    def tick():
        while not stop.wait(0.002):
            ticks.append(time.monotonic())

    many = texts(3000)
    clock = threading.Thread(target=tick)
    clock.start()
    start = time.monotonic()
    nc.find(many, threads=1, progress=False)
    end = time.monotonic()
    stop.set()
    clock.join()
    during = [at for at in ticks if start < at < end]
    assert len(during) > (end - start) / 0.1, "the GIL is released"


def test_several_threads_search_at_once():
    many = texts(300) + [MILL, SISTERS]
    expected = nc.find(many, progress=False).to_pylist()
    found = {}

    def search(number):
        found[number] = nc.find(many, threads=2, progress=False).to_pylist()

    threads = [threading.Thread(target=search, args=[number]) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[number] for number in range(4)] == [expected] * 4


def test_one_result_is_read_by_several_threads():
    found = nc.find([MILL, SISTERS, MILL], progress=False)
    made = []
    threads = [threading.Thread(target=lambda: made.append(found.pairs().to_pylist())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == [found.pairs().to_pylist()] * 4 and len(made[0]) == 2


def child(found, queue):
    inside = nc.find(texts(50) + [MILL, SISTERS], progress=False)
    queue.put((sum(inside.keep), len(found.clusters())))


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_it_works_after_a_fork_and_leaves_the_parent_alone():
    found = nc.find([MILL, SISTERS], progress=False)
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    process = context.Process(target=child, args=[found, queue])
    process.start()
    assert queue.get(timeout=60) == (51, 1)
    process.join(60)
    assert process.exitcode == 0
    run = os.fork()
    if run == 0:
        # The child drops its copy of the result.
        del found
        os._exit(0)
    os.waitpid(run, 0)
    assert len(found.pairs()) == 1 and len(found.clusters()) == 1


def test_temporary_files_go_with_the_result(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    assert nc.find([MILL, SISTERS], progress=False) and not list(tmp_path.iterdir())
    found = nc.find([MILL, SISTERS], max_memory=1000, progress=False)
    assert len(list(tmp_path.iterdir())) == 1
    del found
    assert not list(tmp_path.iterdir())


def test_a_callback_hears_of_every_stage():
    heard = []
    nc.find(texts(2000), progress=lambda *step: heard.append(step))
    stages = {}
    for stage, done, total in heard:
        assert stage not in stages or done >= stages[stage][0]
        stages[stage] = (done, total)
    whole = (2000, 2000)
    assert stages == {
        "fingerprinting": (2000, None),
        "looking for near-duplicates": whole,
        "looking for what may be removed": whole,
        "looking for families": (0, 0),
    }


def test_an_error_of_a_callback_ends_the_call():
    def fail(stage, done, total):
        raise LookupError("no more")

    with pytest.raises(LookupError, match="no more"):
        nc.find(texts(10), progress=fail)


class Terminal:
    def __init__(self):
        self.written = ""

    def write(self, text):
        self.written += text

    def flush(self):
        pass

    def isatty(self):
        return True


def test_a_terminal_has_a_bar(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    nc.find(texts(300))
    assert "fingerprinting" in terminal.written and "looking for near-duplicates" in terminal.written
    terminal.written = ""
    nc.find(texts(300), progress=False)
    assert terminal.written == ""


def test_without_tqdm_or_a_terminal_there_is_no_bar(monkeypatch, capsys):
    nc.find(texts(10))
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys, "stderr", Terminal())
    assert _progress._bars() is not None
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    assert _progress._bars() is None


def test_a_file_that_cannot_be_written_is_an_os_error(monkeypatch):
    monkeypatch.setenv("TMPDIR", "/nowhere/at/all")
    assert not pathlib.Path("/nowhere").exists() and tempfile.gettempdir()
    with pytest.raises(FileNotFoundError, match="/nowhere/at/all"):
        nc.find([MILL], max_memory=1000, progress=False)


GROWS = """
    import random, sys, warnings
    import nearcopy

    def told(what):
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) << 10 for line in status if line.startswith(what))

    chance = random.Random(1)
    words = [f"w{number}" for number in range(5000)]
    texts = (" ".join(chance.choices(words, k=200)) for _ in range(int(sys.argv[2])))
    with open("/proc/self/clear_refs", "w") as peak:
        peak.write("5")
    before = told("VmRSS")
    warnings.simplefilter("always")
    try:
        getattr(nearcopy, sys.argv[1])(texts, max_memory=64 << 20, progress=False)
    except MemoryError as error:
        print(error)
    print(told("VmHWM") - before)
"""


@pytest.mark.parametrize(
    ("work", "rows", "named"),
    [
        ("find", 30_000, ""),
        ("clean", 30_000, ""),
        ("clean_repeats", 30_000, ""),
        ("screen", 4000, "row 3999: takes"),
        ("screen", 100_000, "max_memory=67108864 is too little for this work, so it was stopped"),
    ],
)
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the peak is told by Linux")
def test_the_process_grows_by_no_more_than_the_bound(work, rows, named):
    run = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(GROWS), work, str(rows)], capture_output=True, text=True, check=True
    )
    *_, grown = run.stdout.splitlines()
    # Beside the bound, tables of characters and words, and what threads take between two looks.
    assert int(grown) <= (64 + 40 + 24) << 20
    assert named in run.stdout + run.stderr
