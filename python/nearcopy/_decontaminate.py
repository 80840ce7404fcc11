"""Items of test sets among texts."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from os import PathLike
from typing import Any

from nearcopy import _native
from nearcopy._cut import Cut
from nearcopy._progress import Progress, shown
from nearcopy._tables import kept, records, source


class Decontaminated(Cut):
    """The items of a test set that stand in texts: the result of :func:`decontaminate`.

    It has the Arrow interface, with a row for each span of an item in a text, and can be pickled.
    """

    def __init__(self, items: _native.Table, spans: _native.Table, fates: _native.Table, words: int, text: str) -> None:
        super().__init__(spans, fates, words, text)
        self._items = items

    @property
    def items(self) -> _native.Table:
        """One row per item, in the order of the test set.

        - ``row``: number of its row in `against`, from 0; ``id``: its id, if `item_id` was named;
        - ``verdict``: ``contaminated``, ``clean`` (no text has enough of it) or ``undecidable``;
        - ``reason`` why it is undecidable: ``short``, ``template`` or ``common``; else null;
        - ``words``: number of words that tell it; of an item of fewer than 13 words, of all that decide;
        - ``documents``: number of texts that it contaminates; ``rewritten``: of those that have it in other words only;
        - ``coverage``: the greatest share of its telling words in one place of a text, 0 to 1;
        - ``document``: the first row of `table` with that share, null if none has any; ``document_id``: its id, if `id`
          was named.
        """
        return self._items

    @property
    def spans(self) -> _native.Table:
        """One row per span of an item, in the order of the texts, items and places. Spans may overlap.

        - ``row``: number of the row of `table`, from 0; ``id``: its id, if `id` was named;
        - ``start``, ``end``: the span in characters, that is code points: ``text[start:end]``; from the first word of
          the item to the last, and of a short item one for each part;
        - ``start_bytes``, ``end_bytes``: the same in bytes of UTF-8;
        - ``words``: number of telling words matched at this place, and ``coverage``, their share of all of the item;
        - ``probability``: probability that the passage is a copy; null if the item is in its own words;
        - ``item``: number of the item's row in `against`; ``item_id``: its id, if `item_id` was named.
        """
        return self._spans

    @property
    def keep(self) -> _native.Array:
        """True for each row of `table` that has no item."""
        return self._fates["whole"]

    @property
    def fates(self) -> _native.Array:
        """What :meth:`apply` does with each row: ``stays``, or ``cut`` if it is contaminated."""
        return self._fates["fate"]

    @property
    def counts(self) -> dict[str, int]:
        """The numbers of ``rows``, of ``contaminated_rows``, of ``spans``, of ``items`` and of items by verdict, and of
        ``words`` of all texts."""
        keep, verdicts = self.keep.to_pylist(), self._items["verdict"].to_pylist()
        of_verdicts = {name: verdicts.count(name) for name in ("contaminated", "clean", "undecidable")}
        rows = {"rows": len(keep), "contaminated_rows": keep.count(False), "spans": len(self._spans)}
        return {**rows, "items": len(verdicts), **of_verdicts, "words": self._words}

    def filter(self, table: Any) -> Any:
        """The rows of `table` that have no item; the types are those of :meth:`nearcopy.Found.filter`.

        Raises
        ------
        ValueError
            If `table` has another number of rows.
        """
        return kept(table, self.keep)


def level(rewritten: float | None) -> None:
    """Refuses a bool as the least probability: it would be 0 or 1."""
    if isinstance(rewritten, bool):
        message = (
            f"rewritten={rewritten}: expected the least probability, such as 0.5, or None for no items in other words"
        )
        raise TypeError(message)


def decontaminate(
    table: Any,
    against: Any,
    *,
    text: str = "text",
    id: str | None = None,
    fields: str | Sequence[str] = "text",
    need: str | Sequence[str] = (),
    item_id: str | None = None,
    coverage: float = 0.25,
    rewritten: float | None = None,
    counts: str | PathLike[str] | None = None,
    threads: int | None = None,
    max_memory: int | None = None,
    progress: Progress = True,
) -> Decontaminated:
    """Find the items of a test set in texts: ``.filter(table)`` drops the texts that have one, ``.apply(table)`` cuts.

    The rules and the result are those of ``dedup decontaminate`` with one test set. An item is found by words that tell
    it, and not by prompts, licences or quotations.

    Parameters
    ----------
    table, text, id
        As for :func:`nearcopy.find`. The texts of a stream or an iterator are kept in memory.
    against
        The test set: a table as for :func:`nearcopy.find`, with nested columns too; a list or an iterator of
        dictionaries, or of str, of which each is an item. It is kept in memory.
    fields
        Names of the parts of an item, such as ``["question", "choices.text", "answer"]``. Dots lead into nested objects
        and into those of lists; a map is an object. An item that has none of them is left out, and a warning says so.
        NaN counts as null.
    need
        Those of `fields` that must be found; words of others then count for nothing. Without it all count alike.
    item_id
        Name of the field of an item's id.
    coverage
        Least share of an item's telling words that contaminates a text, 0 to 1; without `need`, so do eight of them
        with one and a half times that share of all its words.
    rewritten
        Least probability that a passage is a copy, such as 0.5, to find items in other words too; ``None`` for none.
        Items with fewer than 20 telling words are skipped. Every text is then compared with the items by the aligner of
        :func:`nearcopy.screen`, which takes longer. Of texts that are too long to be compared whole a warning tells.
    counts
        A file with the counts of other tables, to which those of this one are added once: a part of a corpus is then
        searched by the words that tell an item in all of it.
    threads, progress
        As for :func:`nearcopy.find`.
    max_memory
        What the process may grow by in bytes. Work that needs more is stopped. ``None`` for no bound.

    Raises
    ------
    ValueError
        If an option is out of bounds, or no item has a part.
    KeyError
        If `table` or `against` has no such column; other errors are those of :func:`nearcopy.find`.

    Examples
    --------
    >>> import nearcopy as nc
    >>> question = "In which year did the ferry of the old mill sink below the bridge with all its lamps still lit?"
    >>> texts = ["The wind turned at noon.", f"Quiz: {question} Nobody knew."]
    >>> found = nc.decontaminate(texts, [{"question": question, "answer": "1911"}], fields=["question", "answer"])
    >>> found.items["verdict"].to_pylist(), found.items["document"].to_pylist()
    (['contaminated'], [1])
    >>> found.filter(texts)
    ['The wind turned at noon.']
    >>> found.apply(texts)
    ['The wind turned at noon.', 'Quiz:  Nobody knew.']
    """
    level(rewritten)
    parts, needed = ([names] if isinstance(names, str) else list(names) for names in (fields, need))
    rows, wanted = source(table, text, id), [*parts, *([] if item_id is None else [item_id])]
    with shown(progress) as callback:
        test_set = (records(against, wanted), parts, needed, item_id, coverage, rewritten, counts)
        spans, fates, total, items, told = _native.decontaminate(
            rows, text, id, *test_set, threads, max_memory, callback
        )
    for warning in told:
        warnings.warn(warning, RuntimeWarning, stacklevel=2)
    return Decontaminated(items, spans, fates, total, text)
