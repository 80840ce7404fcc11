"""Documentation: its examples run, and it describes every argument."""

import doctest
import importlib
import inspect
import pkgutil

import pytest

import nearcopy as nc

MODULES = [module.name for module in pkgutil.iter_modules(nc.__path__) if module.name not in ("__main__", "_native")]


@pytest.mark.parametrize("name", ["nearcopy", *(f"nearcopy.{name}" for name in MODULES)])
def test_examples_run(name):
    if name == "nearcopy.spark":
        pytest.importorskip("pyspark")  # An extra, which scripts/check-spark tests.
    module = importlib.import_module(name)
    assert doctest.testmod(module).failed == 0
    assert module.__doc__


def test_there_are_examples():
    assert sum(len(test.examples) for test in doctest.DocTestFinder().find(nc)) >= 3


@pytest.mark.parametrize("name", [name for name in nc.__all__ if name != "__version__"])
def test_every_public_name_is_documented(name):
    public = getattr(nc, name)
    assert inspect.getdoc(public), name
    if inspect.isclass(public):
        for method in vars(public):
            if not method.startswith("_"):
                assert inspect.getdoc(getattr(public, method)), f"{name}.{method}"


@pytest.mark.parametrize(
    "of", [nc.find, nc.screen, nc.clean_lines, nc.clean_repeats, nc.decontaminate, nc.Fingerprinter]
)
def test_every_argument_is_described(of):
    described = inspect.getdoc(of)
    for name in inspect.signature(of).parameters:
        assert name in described, name
