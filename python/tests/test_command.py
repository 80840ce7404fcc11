"""The command `dedup` of the package."""

import os
import pathlib
import signal
import subprocess
import sys
import time

import polars
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import nearcopy as nc
from conftest import CLOCK, MILL, SISTERS


def dedup(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "nearcopy", *map(str, arguments)], capture_output=True, text=True, **options
    )


@pytest.fixture
def files(tmp_path):
    for name, text in [("a.txt", MILL), ("b.txt", SISTERS), ("c.txt", CLOCK)]:
        (tmp_path / name).write_text(text)
    return tmp_path


def test_exit_codes_and_output_are_those_of_the_program(files):
    near = dedup("compare", "a.txt", "b.txt", cwd=files)
    assert near.returncode == 0 and "near-duplicates by the Jaccard rule\n" in near.stdout, near
    assert dedup("compare", "a.txt", "c.txt", cwd=files).returncode == 1
    missing = dedup("compare", "a.txt", "d.txt", cwd=files)
    assert missing.returncode == 2 and missing.stderr.startswith("dedup: d.txt: ")
    assert dedup("--version").stdout == f"dedup {nc.__version__}\n"
    usage = dedup("find")
    assert usage.returncode == 2 and "Usage: dedup find" in usage.stderr


def test_the_page_shows_what_was_typed(files):
    assert dedup("find", ".", "--report", "page.html", cwd=files).returncode == 0
    assert "dedup find . --report page.html" in (files / "page.html").read_text()


def test_output_to_a_closed_pipe_is_no_error(files):
    run = subprocess.Popen(
        [sys.executable, "-m", "nearcopy", "languages"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    run.stdout.close()
    assert run.wait(30) == 0 and run.stderr.read() == b""
    run.stderr.close()


def test_ctrl_c_is_that_of_the_program(tmp_path):
    pipe = tmp_path / "endless.jsonl"
    os.mkfifo(pipe)
    arguments = [sys.executable, "-m", "nearcopy", "find", str(pipe)]
    run = subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": str(tmp_path)})
    with open(pipe, "wb", buffering=0) as feed:
        feed.write(b'{"text": "one"}\n' * 1000)
        while not list(tmp_path.glob("dedup-scratch-*")):
            time.sleep(0.02)
        time.sleep(0.2)
        run.send_signal(signal.SIGINT)
        time.sleep(0.2)
        run.send_signal(signal.SIGINT)
        errors = run.communicate(timeout=30)[1]
    assert run.returncode in (2, 130) and "dedup: stopping; press Ctrl-C again to stop at once" in errors
    assert "Traceback" not in errors


@pytest.mark.parametrize("version", ["1.0", "2.6"])
@pytest.mark.parametrize("pages", ["1.0", "2.0"])
@pytest.mark.parametrize(
    "codec",
    ["NONE", "SNAPPY", "GZIP", "ZSTD", "BROTLI", "LZ4", {"text": "ZSTD", "n": "NONE", "of.list.element": "GZIP"}],
)
def test_parquet_keeps_the_form_that_pyarrow_gave_it(version, pages, codec, tmp_path):
    numbers = range(3000)
    table = pa.table(
        {"text": [f"a text of number {n}" for n in numbers], "n": numbers, "of": [[n, None] for n in numbers]}
    )
    rules = {"version": version, "data_page_version": pages, "compression": codec, "row_group_size": 1000}
    pq.write_table(table, tmp_path / "in.parquet", **rules)
    said = dedup("clean", "-q", "--repeats", "in.parquet", "-o", "out.parquet", cwd=tmp_path)
    assert said.returncode == 0, said.stderr
    before, after = (pq.ParquetFile(tmp_path / name).metadata for name in ("in.parquet", "out.parquet"))
    assert after.format_version == before.format_version
    for group in range(3):
        old, new = before.row_group(group), after.row_group(group)
        assert new.num_rows == 1000
        assert [new.column(at).compression for at in range(3)] == [old.column(at).compression for at in range(3)]
    assert pq.read_table(tmp_path / "out.parquet") == table
    assert polars.read_parquet(tmp_path / "out.parquet").shape == (3000, 3)


def test_a_damaged_page_is_noticed(tmp_path):
    table = pa.table({"text": [MILL, SISTERS, CLOCK]})
    rules = {"write_page_checksum": True, "compression": "none", "use_dictionary": False, "write_statistics": False}
    pq.write_table(table, tmp_path / "in.parquet", **rules)
    content = bytearray((tmp_path / "in.parquet").read_bytes())
    content[content.index(b"struck")] ^= 4
    (tmp_path / "damaged.parquet").write_bytes(content)
    assert dedup("clean", "-q", "in.parquet", "-o", "whole.parquet", cwd=tmp_path).returncode == 0
    said = dedup("clean", "-q", "damaged.parquet", "-o", "out.parquet", cwd=tmp_path)
    assert said.returncode == 2 and "damaged.parquet: is not valid Parquet: " in said.stderr
    assert not (tmp_path / "out.parquet").exists()


def test_the_script_is_installed():
    script = pathlib.Path(sys.executable).with_name("dedup")
    if not script.exists():
        pytest.skip("the package is not installed")
    found = subprocess.run([script, "--version"], capture_output=True, text=True)
    assert found.stdout == f"dedup {nc.__version__}\n"
