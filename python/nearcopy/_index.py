"""An index of texts on disk."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from typing import Any, Literal

from nearcopy import _native
from nearcopy._find import Remove
from nearcopy._fingerprinter import Fingerprinter, native
from nearcopy._progress import Progress, shown
from nearcopy._tables import source


class Index:
    """An index of texts on disk, to which texts can be added for years. Make one by :meth:`create` or :meth:`open`.

    It is the folder that ``dedup index`` reads and writes. Any number of programs may have it open; only one may
    change it at a time. A change is on disk when the call returns.
    """

    def __init__(self, native: _native.Index) -> None:
        if not isinstance(native, _native.Index):
            raise TypeError("an index is made by Index.create(path) or Index.open(path)")
        self._native = native

    @classmethod
    def create(
        cls,
        path: str | PathLike[str],
        fingerprinter: Fingerprinter | None = None,
        *,
        similarity: float | None = 0.5,
        distance: int | None = 3,
        passages: bool = False,
        language: str | None = None,
    ) -> Index:
        """Make an index in a folder that does not exist or is empty.

        Parameters
        ----------
        similarity, distance
            The usual rules of queries, for which lookup tables are kept.
        passages
            True to keep the texts too, so that ``dedup screen --against`` can search them for passages.
        language, fingerprinter
            The language of all texts and queries, or the options by which they become fingerprints, as for
            :func:`nearcopy.find`.
        """
        return cls(_native.Index.create(path, native(fingerprinter, language), similarity, distance, passages))

    @classmethod
    def open(cls, path: str | PathLike[str]) -> Index:
        """Open an index."""
        return cls(_native.Index.open(path))

    def __len__(self) -> int:
        return len(self._native)

    def __contains__(self, id: str) -> bool:
        return id in self._native

    def add(
        self,
        table: Any,
        *,
        text: str = "text",
        id: str = "id",
        unique: bool | Remove = False,
        known: Literal["refuse", "skip", "replace"] = "refuse",
        similarity: float | None = None,
        distance: int | None = None,
        threads: int | None = None,
        max_memory: int | None = None,
        progress: Progress = True,
    ) -> _native.Table:
        """Add texts, all or none.

        Parameters
        ----------
        table
            As for :func:`nearcopy.find`; an iterable gives pairs of an id and a text.
        unique
            Leaves out texts that :func:`nearcopy.clean` would remove for one of the index, or for one added before:
            ``"same"``, ``"contained"`` or ``"edited"``, as `remove` there. True is ``"contained"``.
        similarity, distance
            For ``unique="edited"``: the rules of edited copies, as in :func:`nearcopy.clean`.
        max_memory
            As for :func:`nearcopy.find`.
        known
            What to do with an id that the index has: ``"refuse"`` adds nothing and raises an error, ``"skip"`` leaves
            the new text out, ``"replace"`` removes the old one.

        Returns
        -------
        Table
            One row per row of `table`: ``added``; where a text was left out as a near-duplicate, ``resembles``, the
            id of the other, the figures, and ``removal``, the narrowest claim by which it was left out.
        """
        claim = "contained" if unique is True else unique or None
        with shown(progress) as callback:
            return self._native.add(
                source(table, text, id), text, id, known, claim, similarity, distance, threads, max_memory, callback
            )

    def query(
        self,
        table: Any,
        *,
        text: str = "text",
        similarity: float | None = 0.5,
        distance: int | None = 3,
        top: int | None = None,
        threads: int | None = None,
        progress: Progress = True,
    ) -> _native.Table:
        """List the documents of the index that are near to each text, the most similar first.

        Returns
        -------
        Table
            ``row`` (number of the row in `table`), ``id`` (of the document in the index), ``rank`` from 1, and the
            figures and ``removal``, the claim by which the text may go if the document stays; at most `top` rows for
            each text.
        """
        with shown(progress) as callback:
            return self._native.query(source(table, text, None), text, similarity, distance, top, threads, callback)

    def remove(self, ids: str | Iterable[str]) -> int:
        """Remove documents by their ids; returns the number of those that there were."""
        ids = [ids] if isinstance(ids, str) else list(dict.fromkeys(ids))
        return sum(self._native.remove(ids))

    def compact(self, progress: Progress = True) -> None:
        """Merge all segments into one, without the removed documents."""
        with shown(progress) as callback:
            self._native.compact(callback)

    def __repr__(self) -> str:
        return f"<nearcopy.Index of {len(self)} documents>"
