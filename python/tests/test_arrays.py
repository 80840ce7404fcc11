"""Columns of results in numpy."""

import subprocess
import sys

import numpy
import pyarrow as pa
import pytest

import nearcopy as nc
from conftest import CLOCK, MILL


@pytest.fixture
def found(texts):
    return nc.find(texts, progress=False)


def test_columns_are_arrays_of_their_type(found, texts, keep):
    assert numpy.asarray(found.keep).dtype == bool and numpy.asarray(found.keep).tolist() == keep
    assert numpy.flatnonzero(found.keep).tolist() == [0, 1, 3, 4, 6] and numpy.count_nonzero(found.keep) == 5
    assert numpy.array(texts, dtype=object)[found.keep].tolist() == found.filter(texts)
    assert numpy.mean(found.keep) == 5 / 7
    whole = nc.find([MILL, CLOCK], progress=False)
    assert numpy.asarray(whole.survivor).dtype == numpy.int64 and numpy.asarray(whole.survivor).tolist() == [0, 1]
    simhash = nc.Fingerprinter().fingerprint([MILL, CLOCK])["simhash"]
    assert numpy.asarray(simhash).dtype == numpy.uint64 and numpy.asarray(simhash).tolist() == simhash.to_pylist()


def test_nulls_are_nan_among_numbers_and_else_none(found):
    survivor, jaccard = numpy.asarray(found.survivor), numpy.asarray(found.jaccard)
    assert survivor.dtype == jaccard.dtype == numpy.float64
    assert survivor[2] == 0 and numpy.flatnonzero(numpy.isnan(survivor)).tolist() == [3]
    assert numpy.isnan(jaccard[0]) and numpy.nanmax(jaccard) == 1
    assert numpy.asarray(found.rules).shape == (7,) and numpy.asarray(found.rules).tolist() == list(found.rules)
    # A simhash as a float would be another.
    simhash = nc.Fingerprinter().fingerprint([MILL, None])["simhash"]
    assert numpy.asarray(simhash).tolist() == simhash.to_pylist()


def test_the_type_may_be_named_and_the_array_is_a_copy(found, keep):
    assert numpy.asarray(found.keep, dtype=bool).tolist() == keep
    assert numpy.asarray(found.keep, dtype="int8").tolist() == [int(stays) for stays in keep]
    assert numpy.isnan(numpy.asarray(found.survivor, dtype="float32")[3])
    with pytest.raises(TypeError, match="NoneType"):
        numpy.asarray(found.survivor, dtype=int)
    numpy.array(found.keep, copy=True)[:] = False
    assert list(found.keep) == keep
    with pytest.raises(ValueError, match="copy=False: numpy has a column of a result only as a copy"):
        numpy.array(found.keep, copy=False)
    assert pa.array(found.keep).to_pylist() == keep


def test_numpy_is_not_needed():
    program = "import sys; sys.modules['numpy'] = None; import nearcopy; print(list(nearcopy.find(['a', 'b']).keep))"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert run.stdout.strip() == "[True, True]", run.stderr
