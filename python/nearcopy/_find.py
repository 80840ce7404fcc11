"""Near-duplicates among many texts."""

from __future__ import annotations

from os import PathLike
from typing import Any, Literal, NamedTuple, TypeAlias

from nearcopy import _native
from nearcopy._fingerprinter import Fingerprinter, native
from nearcopy._progress import Progress, shown
from nearcopy._tables import beside, can_read_again, kept, replaced_on_demand, source

Keep: TypeAlias = Literal["first", "last", "longest", "shortest"] | str
"""Which of several near-duplicates is kept: a policy of :func:`find`."""

Remove: TypeAlias = Literal["same", "contained", "edited"]
"""What a removal may claim, the narrowest first: a claim of :func:`clean`."""


class Found:
    """Which rows are kept, and why the others go: the result of :func:`find`, and as :class:`Cleaned` of :func:`clean`.

    It has one row per row of the table that was searched, in the same order, and the Arrow interface:
    ``polars.DataFrame(found)``, ``pyarrow.table(found)``. Each column is also an attribute:

    - ``keep``: true if the row survives;
    - ``survivor``: the number of the row that survives in its place, from 0; its own number if it survives, null if
      its text is null;
    - ``survivor_id``: the id of that row, if `id` was named;
    - ``distance``: Hamming distance of the simhashes of the row and its survivor, 0 to 64 bits;
    - ``jaccard_estimate``, ``jaccard``: the estimated and the exact Jaccard coefficient of the two, 0 to 1;
    - ``containment_a``, ``containment_b``: the share of the row's shingles (runs of words) that its survivor has,
      and of the survivor's that the row has, 0 to 1;
    - ``rules``: the rules that hold: ``hamming``, ``jaccard``, ``text`` (equal texts);
    - ``removal``: the narrowest claim by which :func:`clean` removes the row: ``same``, ``contained`` or ``edited``;
      null if it stays. It may go for another survivor, and may go although :func:`find` keeps it by stricter rules. A
      wider claim may keep it, as another row survives.

    The figures are null where the row is kept. Every row that goes was compared with its survivor.

    It can be pickled, with its rows alone: their fingerprints stay in the process that made them, so :meth:`clusters`,
    :meth:`pairs` and :meth:`report` do not work on what is unpickled.
    """

    def __init__(
        self, search: _native.Search, table: Any, text: str, id: str | None, command: str, progress: Progress
    ) -> None:
        self._search = search
        self._table = table
        self._columns = (text, id)
        self._command = command
        self._progress = progress
        with shown(progress) as callback:
            self._rows = search.verdicts(callback)

    def __getstate__(self) -> dict[str, Any]:
        return {"_rows": self._rows}

    def __copy__(self) -> Found:
        return self

    def _made_here(self) -> _native.Search:
        """The search, if this was not unpickled."""
        search: _native.Search | None = self.__dict__.get("_search")
        if search is None:
            raise RuntimeError(
                "this result was pickled, with its rows alone; call this before, and pickle what it returns"
            )
        return search

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> Any:
        return self._rows.__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> Any:
        return self._rows.__arrow_c_schema__()

    def __len__(self) -> int:
        return len(self._rows)

    def __getattr__(self, name: str) -> _native.Array:
        if not name.startswith("_") and name in self._rows.column_names:
            return self._rows[name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._rows.column_names]

    def __repr__(self) -> str:
        keep = self._rows["keep"].to_pylist()
        return f"<nearcopy.{type(self).__name__}: {len(keep)} rows, {sum(keep)} kept>"

    def to_pylist(self) -> list[dict[str, Any]]:
        """The rows as dictionaries."""
        return self._rows.to_pylist()

    def filter(self, table: Any) -> Any:
        """The rows of `table` that are kept.

        Parameters
        ----------
        table
            The table that was searched, or another with the same rows.

        Returns
        -------
        A table of the same library for pyarrow, polars, pandas and Hugging Face ``datasets``; a list for a list; a
        :class:`Table` for any other object with the Arrow interface.

        Raises
        ------
        ValueError
            If `table` has another number of rows.
        """
        return kept(table, self._rows["keep"])

    def clusters(self) -> _native.Table:
        """Every row that goes, with its survivor, cluster by cluster in the order of the policy.

        Columns: ``survivor`` and ``member`` (row numbers), ``survivor_id`` and ``member_id`` if `id` was named, and
        the figures, of which ``containment_a`` is the member's, and ``removal`` of the member.
        """
        search = self._made_here()
        with shown(self._progress) as callback:
            return search.members(callback)

    def pairs(self) -> _native.Table:
        """Every pair of near rows, ascending; see :func:`nearcopy.pairs`."""
        search = self._made_here()
        with shown(self._progress) as callback:
            return search.pairs(callback)

    def report(self, path: str | PathLike[str], *, overwrite: bool = False) -> None:
        """Write an overview as one HTML page: counts, similarities, languages, and the largest clusters.

        The page shows where the members of a cluster differ from its survivor, unless the rows came from a stream or
        an iterator, which cannot be read twice.

        Raises
        ------
        FileExistsError
            If a file is there, unless `overwrite` is true; one that appears meanwhile is never replaced.
        ValueError
            If the table has another number of rows by now, or another text among those that the page shows.
        """
        search = self._made_here()
        text, id = self._columns
        again = source(self._table, text, id) if can_read_again(self._table) else None
        name = f"{type(self._table).__module__.partition('.')[0]}.{type(self._table).__name__}"
        inputs = [name.removeprefix("builtins.")]
        with shown(self._progress) as callback, replaced_on_demand():
            search.report(path, inputs, self._command, again, text, id, overwrite, callback)


class Cleaned(Found):
    """The result of :func:`clean`: a :class:`Found` whose rows go by a claim.

    ``removal`` is the narrowest claim by which the row goes, and null where it is kept. ``rules`` has the rules of
    edited copies that hold, and is empty where a text stands in one that is much longer. ``distance`` is null unless
    the distance is a rule.
    """

    def to_review(self) -> _native.Table:
        """The rows that are kept and that ``remove="edited"`` would remove, or another wider claim; ascending.

        By the texts alone, an edited copy of a text and a text that says something else may differ in the same way: in
        one word. So a person decides.

        Columns: ``row`` and ``survivor`` (row numbers, of which the second is the row that would survive in its place),
        ``id`` and ``survivor_id`` if `id` was named, the figures, and ``removal``, the narrowest claim by which the row
        would go.
        """
        search = self._made_here()
        with shown(self._progress) as callback:
            return search.to_review(callback)


def find(
    table: Any,
    *,
    text: str = "text",
    id: str | None = None,
    keep: Keep = "longest",
    similarity: float | None = 0.5,
    distance: int | None = 3,
    recall: float = 0.995,
    threads: int | None = None,
    max_memory: int | None = None,
    progress: Progress = True,
    language: str | None = None,
    fingerprinter: Fingerprinter | None = None,
) -> Found:
    """Find near-duplicates: which rows survive, and which rows are near to a survivor.

    Two texts are near if the Jaccard coefficient of their shingles is at least `similarity`, or their simhashes
    differ in at most `distance` bits, or they are equal. This lists what is alike. To remove what says the same, use
    :func:`clean`, which asks for more; the column ``removal`` has what it would remove.

    Parameters
    ----------
    table
        - any object with the Arrow PyCapsule interface: a table or record batch of pyarrow, a polars or pandas data
          frame, a result of DuckDB, a reader of record batches; or an array or series of strings;
        - a data set of Hugging Face ``datasets``;
        - a list or an iterator of str, or of dictionaries; a dictionary of columns.

        Texts are read where they are, without a copy. Null texts are compared with nothing, and are kept.
    text
        Name of the column of texts. Dots lead into nested columns: ``"meta.body"`` names ``body`` in ``meta``. A column
        whose whole name has the dots comes first. The same holds for `id` and the field of `keep`.
    id
        Name of a column of ids, strings or integers. Ids break ties between rows that the policy ranks equal; without
        them, the first row survives. They need not be unique. In place of a null id stands the number of its row, from
        0, with ten digits: ``0000000003``.
    keep
        Which of several near-duplicates survives: ``"first"``, ``"last"``, ``"longest"`` or ``"shortest"``, in bytes of
        UTF-8; or ``"field:NAME"`` for the least value of a column of strings, numbers or times, and
        ``"field:NAME:desc"`` for the greatest. Numbers are compared by value and come before other texts; rows
        without a value come last. Ties go to the lesser id.
    similarity
        Least Jaccard coefficient, 0 to 1; ``None`` for no such rule.
    distance
        Greatest Hamming distance, 0 to 64 bits; ``None`` for no such rule.
    recall
        Probability that a pair whose Jaccard coefficient just reaches `similarity` is compared, 0 to less than 1.
        Every reported pair was compared exactly.
    threads
        Number of threads; ``None`` takes all processors. The result does not depend on it.
    max_memory
        What the process may grow by in bytes, beside 40 MB for tables of characters and words; less than 16 MB
        counts as 16 MB.
        Fingerprints may take half of it, and go to temporary files beyond that. Work that needs more is stopped.
        ``None`` for 1 GB, which may be exceeded.
    progress
        ``True`` for a bar on a terminal or in a notebook, if tqdm is installed; ``False`` for none; or a function
        that is called with the stage, the number of steps done, and the number of all steps or ``None``.
    language
        Language of all texts, a name or a code such as ``"eng"``; ``None`` detects that of each. The same as
        ``fingerprinter=nearcopy.Fingerprinter(language=language)``.
    fingerprinter
        Options by which texts become fingerprints, the language among them.

    Returns
    -------
    Found
        One row per row of `table`, in its order.

    Raises
    ------
    ValueError
        If an option is out of bounds, or `language` and `fingerprinter` are both given.
    KeyError
        If `table` has no such column.
    TypeError
        If `table` or its column has another type.
    MemoryError
        If the work needs more than `max_memory`.
    OSError
        If a temporary file of fingerprints cannot be written.

    Examples
    --------
    >>> import nearcopy as nc
    >>> found = nc.find(["The ferry leaves at nine from the old pier, says the sign.",
    ...                  "The ferry leaves at nine from the old pier, says the sign!",
    ...                  "Coal is dear this year."])
    >>> found.keep.to_pylist()
    [True, False, True]
    >>> found.survivor.to_pylist()
    [0, 0, 2]
    """
    rules = _Rules(keep, similarity, distance, None, recall)
    making = native(fingerprinter, language)
    search = _searched((table, None), (text, id), rules, _Effort(threads, max_memory, progress), making)
    return Found(search, table, text, id, "find", progress)


def clean(
    table: Any,
    *,
    text: str = "text",
    id: str | None = None,
    keep: Keep = "longest",
    remove: Remove = "contained",
    similarity: float | None = None,
    distance: int | None = None,
    recall: float = 0.995,
    threads: int | None = None,
    max_memory: int | None = None,
    progress: Progress = True,
    language: str | None = None,
    fingerprinter: Fingerprinter | None = None,
) -> Cleaned:
    """Find the rows that can be removed, because another row says the same: ``clean(table).filter(table)``.

    The other parameters are those of :func:`find`.

    Parameters
    ----------
    remove
        What a removal may claim; each includes those before it:

        - ``"same"``: the removed text has the words of its survivor in the same order;
        - ``"contained"``: everything that it says is still there; it stands whole in its survivor (the one that
          stays);
        - ``"edited"``: most of it is still there; it is an edited copy by `similarity` and `distance`.

        What only a wider claim would remove is kept, and is in :meth:`Cleaned.to_review`.
    similarity
        For ``remove="edited"``: least Jaccard coefficient of words, 0 to 1; ``None`` for 0.7. Texts of fewer than 50
        words need more; texts of up to 20 words must be equal except for layout, case and closing punctuation. Both
        texts stay if one has a word throughout where the other has another.
    distance
        For ``remove="edited"``: greatest Hamming distance, 0 to 64 bits, which also makes an edited copy, whatever
        the Jaccard coefficient; ``None`` for no such rule.

    Raises
    ------
    ValueError
        If an option is out of bounds, or `similarity` or `distance` is given without ``remove="edited"``; other errors
        are those of :func:`find`.

    Examples
    --------
    >>> import nearcopy as nc
    >>> rule = ("A member who has borrowed a boat shall return it before sunset, clean and dry, with both oars and the "
    ...         "lamp; who comes later shall light the lamp, tell the warden at once, and pay for each hour of the "
    ...         "evening, unless the wind or the tide made it impossible to come home in time. Nobody is excused.")
    >>> found = nc.clean([rule, rule.upper(), rule.replace("each hour", "every hour")])
    >>> found.removal.to_pylist()
    [None, 'same', None]
    >>> found.to_review()["row"].to_pylist()
    [0]
    """
    # Without a claim near-duplicates would only be listed.
    rules = _Rules(keep, similarity, distance, str(remove), recall)
    making = native(fingerprinter, language)
    search = _searched((table, None), (text, id), rules, _Effort(threads, max_memory, progress), making)
    return Cleaned(search, table, text, id, "clean", progress)


def pairs(
    table: Any,
    against: Any = None,
    *,
    text: str = "text",
    id: str | None = None,
    similarity: float | None = 0.5,
    distance: int | None = 3,
    recall: float = 0.995,
    threads: int | None = None,
    max_memory: int | None = None,
    progress: Progress = True,
    language: str | None = None,
    fingerprinter: Fingerprinter | None = None,
) -> _native.Table:
    """List every pair of near texts; with `against`, every pair of a text of `table` and one of `against`.

    The other parameters are those of :func:`find`. Pairs by Hamming distance are listed up to 12 bits. Identical
    texts are represented by the first: it is paired with every match and once with each copy, so n copies give n − 1
    rows.

    Returns
    -------
    Table
        One row per pair, ascending: ``a`` and ``b`` (row numbers; ``b`` in `against` if there is one), ``a_id`` and
        ``b_id`` if `id` was named, the figures as in :class:`Found`, and ``removal``: the narrowest claim by which
        :func:`clean` removes one of the two for the other, and with `against` the narrowest by which one may go if the
        other stays.
    """
    rules = _Rules("longest", similarity, distance, None, recall)
    making = native(fingerprinter, language)
    search = _searched(
        (table, against),
        (text, id),
        rules,
        _Effort(threads, max_memory, progress),
        making,
    )
    with shown(progress) as callback:
        return search.pairs(callback)


def neighbours(
    table: Any,
    k: int = 3,
    *,
    text: str = "text",
    id: str | None = None,
    similarity: float | None = 0.5,
    distance: int | None = 3,
    threads: int | None = None,
    progress: Progress = True,
    language: str | None = None,
    fingerprinter: Fingerprinter | None = None,
) -> _native.Table:
    """List the `k` nearest rows of each row by Jaccard coefficient, near by a rule or not.

    Rows that share no MinHash minimum with it are left out. The other parameters are those of :func:`find`; the
    thresholds decide only what ``rules`` says.

    Returns
    -------
    Table
        ``row`` and ``neighbour`` (row numbers), ``id`` and ``neighbour_id`` if `id` was named, ``rank`` from 1, and
        the figures as in :class:`Found`, and ``removal``: the narrowest claim by which one of the two may go if the
        other stays.
    """
    if k < 1:
        raise ValueError(f"k {k}: expected 1 or more")
    rules = _Rules("first", similarity, distance, None, 0.995)
    making = native(fingerprinter, language)
    search = _searched((table, None), (text, id), rules, _Effort(threads, None, progress), making)
    with shown(progress) as callback:
        # No table has so many rows.
        return search.neighbours(min(k, 2**32), callback)


class _Rules(NamedTuple):
    """The policy, the rules by which rows are near, and the widest claim by which they are removed, if they are."""

    keep: str
    similarity: float | None
    distance: int | None
    remove: str | None
    recall: float


class _Effort(NamedTuple):
    """The resources for a search, and its progress."""

    threads: int | None
    max_memory: int | None
    progress: Progress


def _searched(
    tables: tuple[Any, Any],
    columns: tuple[str, str | None],
    rules: _Rules,
    effort: _Effort,
    fingerprinter: _native.Fingerprinter,
) -> _native.Search:
    """The search of a table, against a second one if there is one."""
    table, against = tables
    second = None if against is None else source(beside(against), *columns)
    keep, similarity, distance, remove, recall = rules
    threads, max_memory, progress = effort
    with shown(progress) as callback:
        return _native.Search(
            source(table, *columns, _native.key(keep)),
            second,
            *columns,
            fingerprinter,
            keep,
            similarity,
            distance,
            remove,
            recall,
            threads,
            max_memory,
            callback,
        )
