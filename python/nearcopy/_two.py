"""Two texts compared, and one explained."""

from __future__ import annotations

import json
from typing import Any

from nearcopy import _native
from nearcopy._fingerprinter import Fingerprinter, native


def compare(
    a: str,
    b: str,
    *,
    similarity: float | None = 0.5,
    distance: int | None = 3,
    language: str | None = None,
    fingerprinter: Fingerprinter | None = None,
) -> dict[str, Any]:
    """Compare two texts.

    `language` is that of both, a name or a code such as ``"eng"``; the parameters are those of :func:`nearcopy.find`.

    Returns
    -------
    dict
        - ``near_duplicate``: true if a rule holds, and ``rules``: those that hold;
        - ``distance``: Hamming distance of the simhashes, 0 to 64 bits;
        - ``jaccard_estimate``, ``jaccard``: the estimated and the exact Jaccard coefficient of the shingles, 0 to 1;
        - ``containment_a``, ``containment_b``: the share of the shingles of `a` that `b` has, and of those of `b`
          that `a` has, 0 to 1; ``shared_shingles``: their number;
        - ``documents``: the fingerprints of both texts.

        A figure is ``None`` if a text has no words. If the texts seem to be in different languages, both are read in
        the same one.

    Examples
    --------
    >>> import nearcopy as nc
    >>> result = nc.compare("the tide comes in at noon and goes out at six",
    ...                     "the tide comes in at noon and goes out at five")
    >>> result["shared_shingles"], result["rules"]
    (8, ['jaccard'])
    """
    return _native.compare(a, b, native(fingerprinter, language), similarity, distance)


def explain(text: str, fingerprinter: Fingerprinter | None = None, *, language: str | None = None) -> dict[str, Any]:
    """Every step from a text to its fingerprint: words, shingles, tokens, terms, n-grams, sums, simhash and sketch.

    The keys are those of ``dedup explain --format json``. Offsets are in bytes of the text in UTF-8. `language` is a
    name or a code such as ``"eng"``; ``None`` detects it.
    """
    explained: dict[str, Any] = json.loads(_native.explain(text, native(fingerprinter, language)))
    return explained
