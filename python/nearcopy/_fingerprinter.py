"""How texts become fingerprints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from nearcopy import _native
from nearcopy._progress import Progress, shown
from nearcopy._tables import source


class Fingerprinter:
    """The options by which texts become fingerprints.

    Parameters
    ----------
    language
        Language of every text, a name or a code such as ``"eng"``; ``None`` detects that of each.
    min, max
        Sizes of n-grams, in words (shingles) and terms (features).
    sketches
        Number of MinHash minima, 1 to 1024. The standard error of an estimated Jaccard coefficient ``j`` is
        ``sqrt(j * (1 - j) / sketches)``.
    stop_words
        ``"auto"`` for those of the language, ``"none"``, or a list of words.
    stem
        True to stem terms.
    shingles
        ``"words"`` as written, or ``"terms"``, which also match copies with other endings and stop words.

    Raises
    ------
    ValueError
        If an option is out of bounds, or the language is unknown.
    """

    def __init__(
        self,
        *,
        language: str | None = None,
        min: int = 3,
        max: int = 3,
        sketches: int = 25,
        stop_words: Literal["auto", "none"] | Sequence[str] = "auto",
        stem: bool = True,
        shingles: Literal["words", "terms"] = "words",
    ) -> None:
        words: Sequence[str] | None
        if stop_words == "auto":
            words = None
        elif stop_words == "none":
            words = []
        elif isinstance(stop_words, str):
            raise ValueError(f"stop_words '{stop_words}': expected 'auto', 'none' or a list of words")
        else:
            words = list(stop_words)
        self._options = (language, min, max, sketches, words, stem, shingles)
        self._native = _native.Fingerprinter(*self._options)

    def __getstate__(self) -> tuple[Any, ...]:
        return self._options

    def __setstate__(self, options: tuple[Any, ...]) -> None:
        self._options = options
        self._native = _native.Fingerprinter(*options)

    def fingerprint(
        self, table: Any, *, text: str = "text", threads: int | None = None, progress: Progress = False
    ) -> _native.Table:
        """The fingerprint of each text.

        Parameters
        ----------
        table
            A table, an array, a list of str or an iterator of str, as for :func:`nearcopy.find`.
        text
            Name of the column of texts, if `table` has columns.
        threads
            Number of threads; ``None`` takes all processors. The result does not depend on it.

        Returns
        -------
        Table
            One row per row of `table`, in its order; all null where the text is null:

            - ``simhash``: 64 bits (Charikar, 2002); null if the text has no terms;
            - ``sketch``: the MinHash minima (Broder, 1997), 32 bits each; empty if the text has no words;
            - ``digest``: the first 16 bytes of the BLAKE3 hash of the text;
            - ``language``: the ISO 639-3 code, or ``und``;
            - ``tokens``, ``terms``, ``ngrams``, ``shingles``: numbers of words, of terms, and of n-grams of each.
        """
        with shown(progress) as callback:
            return self._native.fingerprint(source(table, text, None), text, threads, callback)


def native(fingerprinter: Fingerprinter | None, language: str | None = None) -> _native.Fingerprinter:
    """The native options: those of a fingerprinter, or of the default for this language."""
    if fingerprinter is None:
        return Fingerprinter(language=language)._native
    if not isinstance(fingerprinter, Fingerprinter):
        found = type(fingerprinter).__name__
        raise TypeError(
            f"fingerprinter: is of type {found}; expected one such as nearcopy.Fingerprinter(language='eng')"
        )
    if language is not None:
        raise ValueError(
            f"language '{language}' and a fingerprinter: give one of the two; a fingerprinter has its own language, as "
            "by nearcopy.Fingerprinter(language='eng')"
        )
    return fingerprinter._native
