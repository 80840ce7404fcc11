"""Near-duplicate texts: SimHash and MinHash over n-grams of words, every answer compared exactly.

>>> import nearcopy as nc
>>> texts = ["The mill stood where two brooks met.", "the mill stood where two brooks met", "Nobody wound the clock."]
>>> nc.clean(texts).filter(texts)
['The mill stood where two brooks met.', 'Nobody wound the clock.']

- Many texts: :func:`find` lists what is alike, :func:`clean` what can be removed; :func:`pairs`, :func:`neighbours`.
- Parts of texts: :func:`clean_lines` finds lines that stand in many texts, :func:`clean_repeats` runs of words that
  stand twice, to be cut.
- Test sets in training data: :func:`decontaminate`.
- Two texts: :func:`compare`; one: :func:`explain`.
- Passages that texts share: :func:`screen`.
- Texts that come and go for years: :class:`Index`.
- Fingerprints: :class:`Fingerprinter`.

Tables are any objects with the Arrow PyCapsule interface (pyarrow, polars, pandas, DuckDB), data sets of Hugging Face,
lists or iterators. Results have the same interface: ``polars.DataFrame(result)``, ``pyarrow.table(result)``.

Calls release the GIL; Ctrl-C stops them cleanly.
"""

from nearcopy._cut import Cut, clean_lines, clean_repeats
from nearcopy._decontaminate import Decontaminated, decontaminate
from nearcopy._find import Cleaned, Found, clean, find, neighbours, pairs
from nearcopy._fingerprinter import Fingerprinter
from nearcopy._index import Index
from nearcopy._native import Array, Error, Table, __version__
from nearcopy._screen import Screening, screen
from nearcopy._two import compare, explain

__all__ = [
    "Array",
    "Cleaned",
    "Cut",
    "Decontaminated",
    "Error",
    "Fingerprinter",
    "Found",
    "Index",
    "Screening",
    "Table",
    "__version__",
    "clean",
    "clean_lines",
    "clean_repeats",
    "compare",
    "decontaminate",
    "explain",
    "find",
    "neighbours",
    "pairs",
    "screen",
]
