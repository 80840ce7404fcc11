"""The examples run."""

import importlib.util
import pathlib
import re

import datasets
import nbclient
import nbformat
import polars
import pytest

import nearcopy as nc

EXAMPLES = pathlib.Path(__file__).parents[1] / "examples"
TEXTS = pathlib.Path(__file__).parents[2] / "data" / "texts" / "eng"


def example(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def reviews(tmp_path):
    files = sorted(TEXTS.glob("*.txt"))
    table = {"id": [file.name for file in files], "text": [file.read_text() for file in files]}
    table["id"].append("tides.quoted.txt")
    table["text"].append(f"This stands in a book.\n\n{(TEXTS / 'tides.txt').read_text()}\n\nAnd so on.")
    polars.DataFrame(table).write_parquet(tmp_path / "reviews.parquet")
    return tmp_path / "reviews.parquet"


def test_every_example_is_run():
    assert {path.name for path in EXAMPLES.iterdir() if path.suffix in (".py", ".ipynb")} == {
        "clean_dataset.py",
        "notices.ipynb",
        "polars_and_duckdb.py",
    }


def test_clean_a_data_set(reviews, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")
    datasets.disable_progress_bars()
    target = tmp_path / "clean.parquet"
    example("clean_dataset").main(str(reviews), str(target))
    told = capsys.readouterr().out
    assert re.search(r"^tides\.txt: contained, for tides\.quoted\.txt$", told, re.M), told
    assert re.search(r"^bees\.txt: kept; Jaccard 0\.80 with bees\.edited\.txt$", told, re.M), told
    before, after = polars.read_parquet(reviews), polars.read_parquet(target)
    assert told.endswith(f"kept {len(after)} of {len(before)} documents\n") and 1 < len(after) < len(before)
    assert "tides.quoted.txt" in (tmp_path / "clean.parquet.html").read_text()


def test_polars_and_duckdb(reviews, capsys):
    example("polars_and_duckdb").main(str(reviews))
    told = capsys.readouterr().out
    assert re.search(r"tides\.edited\.txt\W+tides\.txt\W+0\.8\b", told), told
    assert re.search(r"false .*\n.* true ", told, re.S), told


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::RuntimeWarning")
def test_the_notebook_runs(tmp_path):
    notebook = nbformat.read(EXAMPLES / "notices.ipynb", as_version=4)
    assert len(notebook.cells) == 10
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert any("image/png" in output.get("data", {}) for output in outputs), "a plot"
    printed = "".join(output.get("text", "") for output in outputs)
    kept = int(re.search(r"(\d+) of 60 notices are kept", printed).group(1))
    assert 30 < kept < 60 and (tmp_path / "notices.html").exists()


def test_the_readme_of_the_package_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    readme = (EXAMPLES.parent / "README.md").read_text()
    reviews = polars.DataFrame({"id": ["a", "b", "c"], "text": ["The same words.", "the same words", "Other words."]})
    [block] = re.findall(r"^```python\n(.*?)^```", readme, re.M | re.S)
    names = {"reviews": reviews}
    exec(block, names)
    assert names["kept"]["id"].to_list() == ["a", "c"]
    assert nc.__version__
