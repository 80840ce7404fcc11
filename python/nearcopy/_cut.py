"""Parts of texts that are cut: runs of words that stand twice, and lines that stand in many texts."""

from __future__ import annotations

from os import PathLike
from typing import Any

from nearcopy import _native
from nearcopy._find import Keep
from nearcopy._progress import Progress, shown
from nearcopy._tables import kept, read_once, source, with_texts


class Cut:
    """The spans that are cut from texts: the result of :func:`clean_repeats` and :func:`clean_lines`.

    It has the Arrow interface, with a row for each span: ``polars.DataFrame(cut)``, ``pyarrow.table(cut)``. It can be
    pickled.
    """

    def __init__(self, spans: _native.Table, fates: _native.Table, words: int, text: str) -> None:
        self._spans = spans
        self._fates = fates
        self._words = words
        self._text = text

    @property
    def spans(self) -> _native.Table:
        """One row per span, in the order of the texts. Spans of a text do not overlap.

        - ``row``: number of the row, from 0; ``id``: its id, if `id` was named;
        - ``start``, ``end``: the span in characters, that is code points: ``text[start:end]``;
        - ``start_bytes``, ``end_bytes``: the same in bytes of UTF-8;
        - ``words``: number of words that begin in it;
        - ``first``: the place that keeps it, or with ``keep="none"`` the first that loses it: ``row``, ``id`` if `id`
          was named, ``start`` and ``start_bytes``; null for the rest of a text of which all goes;
        - of :func:`clean_repeats`: ``count``, the number of places of its first `words` words in the round that cut it;
        - of :func:`clean_lines`: ``documents``, the number of texts that have the line, and ``why`` it is cut where it
          stands: ``long``, or ``edge`` for a short line among the first or last five.

        The last two are 0 and null where ``first`` is null. The names are those of the list ``OUT.cut.jsonl`` of the
        command, which has no ``row``.
        """
        return self._spans

    @property
    def fates(self) -> _native.Array:
        """What becomes of each row: ``stays`` (nothing is cut), ``cut``, ``goes`` (as a whole, as fewer words than
        `min_left` would be left), or ``spared`` (left whole, as more than `max_cut` would be cut). A null text stays.
        """
        return self._fates["fate"]

    @property
    def counts(self) -> dict[str, int]:
        """The numbers of ``rows`` and of rows by fate; of ``spans`` of runs or lines; of ``words`` of all texts, of
        ``words_cut`` in these spans, and of ``words_besides``, the others of texts of which all goes.
        """
        fates = self.fates.to_pylist()
        of_fates = {fate: fates.count(fate) for fate in ("stays", "cut", "goes", "spared")}
        # The rest of a text of which all goes is no run and no line.
        of_runs = [(words, first is not None) for words, first in zip(self._spans["words"], self._spans["first"])]
        spans = [words for words, is_run in of_runs if is_run]
        besides = sum(words for words, is_run in of_runs if not is_run)
        counts = {"spans": len(spans), "words": self._words, "words_cut": sum(spans), "words_besides": besides}
        return {"rows": len(fates), **of_fates, **counts}

    def apply(self, table: Any) -> Any:
        """The table without what is cut: without the rows that go, and without the spans in the texts of others.

        What is left and :attr:`spans` are the text, character by character.

        Parameters
        ----------
        table
            The table that was searched, or another with the same texts in the same rows.

        Returns
        -------
        A table of the same library for pyarrow, polars, pandas and Hugging Face ``datasets``; a list for a list or an
        iterator; a :class:`Table` for any other object with the Arrow interface.

        Raises
        ------
        ValueError
            If `table` has another number of rows, or another text in a row of which something is cut.
        """
        table = read_once(table)
        keep, texts = _native.cut(source(table, self._text, None), self._text, self._spans, self._fates)
        return with_texts(table, self._text, keep, texts) if len(self._spans) else kept(table, keep)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> Any:
        return self._spans.__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> Any:
        return self._spans.__arrow_c_schema__()

    def __len__(self) -> int:
        return len(self._spans)

    def __repr__(self) -> str:
        of = ", ".join(f"{name} {count}" for name, count in self.counts.items() if name not in ("stays", "words"))
        return f"<nearcopy.{type(self).__name__}: {of}>"


def clean_repeats(
    table: Any,
    *,
    text: str = "text",
    id: str | None = None,
    words: int = 50,
    keep: Keep = "first",
    verbatim: bool = False,
    min_left: int = 1,
    max_cut: float = 0.5,
    threads: int | None = None,
    max_memory: int | None = None,
    progress: Progress = True,
) -> Cut:
    """Find the runs of words that stand twice, within a text too, to be cut: ``clean_repeats(table).apply(table)``.

    The rules and the result are those of ``dedup clean --repeats``. Near-duplicates come first: :func:`clean`.

    Parameters
    ----------
    table, text, id
        As for :func:`nearcopy.find`. The texts of a stream or an iterator are kept in memory.
    words
        Least number of words of a run, 5 to 10,000. In scripts without spaces each character counts as a word.
    keep
        Which text keeps a run that others lose: a policy of :func:`nearcopy.find`, or ``"none"``: all places lose it.
    verbatim
        True if capitals, punctuation and white space make a difference.
    min_left
        Least number of words that a text which is cut must be left with; with fewer, the row goes as a whole.
    max_cut
        Largest share of a text's words that may be cut, 0 to 1; a text of which more would be stays whole, unless it
        would be left with fewer words than `min_left`.
    threads, progress
        As for :func:`nearcopy.find`.
    max_memory
        What the process may grow by in bytes. Half of it is for sorting, which goes on in temporary files. Work that
        needs more is stopped. ``None`` for 1 GB, which may be exceeded.

    Raises
    ------
    ValueError
        If an option is out of bounds; other errors are those of :func:`nearcopy.find`.

    Examples
    --------
    >>> import nearcopy as nc
    >>> texts = ["Be kind. All rights are reserved by the old mill.",
    ...          "All rights are reserved by the old mill, he said."]
    >>> cut = nc.clean_repeats(texts, words=5, max_cut=0.9)
    >>> cut.spans["start"].to_pylist(), cut.spans["end"].to_pylist()
    ([0], [41])
    >>> cut.apply(texts)
    ['Be kind. All rights are reserved by the old mill.', 'he said.']
    """
    rules = (words, verbatim, keep, min_left, max_cut)
    rows = source(table, text, id, _native.key(keep, or_none=True))
    with shown(progress) as callback:
        return Cut(*_native.clean_repeats(rows, text, id, *rules, threads, max_memory, callback), text)


def clean_lines(
    table: Any,
    *,
    text: str = "text",
    id: str | None = None,
    max_documents: int = 10,
    per_site: float | None = None,
    url: str | None = None,
    paragraphs: bool = False,
    all_lines: bool = False,
    counts: str | PathLike[str] | None = None,
    keep: Keep = "first",
    min_left: int = 1,
    max_cut: float = 1.0,
    threads: int | None = None,
    max_memory: int | None = None,
    progress: Progress = True,
) -> Cut:
    """Find the lines that stand in many texts, such as navigation and footers, to be cut: ``.apply(table)`` cuts them.

    The rules and the result are those of ``dedup clean --lines``.

    Parameters
    ----------
    table, text, id
        As for :func:`nearcopy.find`. The texts of a stream or an iterator are kept in memory.
    max_documents
        Greatest number of texts in which a line may stand without being cut, 1 or more.
    per_site
        A line is also cut if it stands in more than this share of the pages of its site, 0 to 1, and in three of them
        at least. The first page of the site keeps it.
    url
        The column of the addresses (URLs) of pages, which `per_site` needs. The site is the host. A page without an
        address loses nothing by that rule.
    paragraphs
        True to cut paragraphs instead of lines: what stands between empty lines.
    all_lines
        True to cut lines of program code and of tables too.
    counts
        A file with the counts of other tables, to which those of this one are added once; texts that were counted
        earlier keep what these then lose.
    keep, min_left, max_cut, threads, max_memory, progress
        As for :func:`clean_repeats`.

    Raises
    ------
    ValueError
        If an option is out of bounds; other errors are those of :func:`nearcopy.find`.

    Examples
    --------
    >>> import nearcopy as nc
    >>> pages = [f"Home | Boats | Contact\\nPage on boat {number}\\n" for number in ("one", "two", "three")]
    >>> cut = nc.clean_lines(pages, max_documents=2)
    >>> cut.apply(pages)
    ['Home | Boats | Contact\\nPage on boat one\\n', 'Page on boat two\\n', 'Page on boat three\\n']
    >>> cut.fates.to_pylist()
    ['stays', 'cut', 'cut']
    """
    rules = (max_documents, per_site, paragraphs, all_lines, counts, keep, min_left, max_cut)
    rows = source(table, text, id, _native.key(keep, or_none=True), url)
    with shown(progress) as callback:
        return Cut(*_native.clean_lines(rows, text, id, url, *rules, threads, max_memory, callback), text)
