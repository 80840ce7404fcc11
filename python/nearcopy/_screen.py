"""Passages that texts share."""

from __future__ import annotations

from os import PathLike
from typing import Any

from nearcopy import _native
from nearcopy._progress import Progress, shown
from nearcopy._tables import beside, replaced_on_demand, source


class Screening:
    """The passages that texts share: the result of :func:`screen`."""

    def __init__(self, native: _native.Screening) -> None:
        self._native = native
        self._passages: _native.Table | None = None

    @property
    def passages(self) -> _native.Table:
        """One row per passage, pair by pair, the greatest share first.

        - ``document``, ``source``: row numbers; ``source`` is a row of `table` where ``in_table`` is true, else of
          `against`;
        - ``offset``, ``length``, ``source_offset``, ``source_length``: the passage in both texts, in Unicode
          characters: ``text[offset:offset + length]``;
        - ``words``, ``source_words``: its length in both texts, in words; of those of the text ``words_counted`` are
          not left out, ``verbatim`` stand in runs of seven or more unchanged words, ``exact`` have the same word in the
          source, ``stemmed`` the same stem or beginning, ``folded`` the same but for accents; ``replaced`` words were
          put for another, and ``missing`` have no counterpart;
        - ``repeats``: other places of the source with the same words, up to eight;
        - ``score``: the log-likelihood ratio of "copied" against "by chance", as a natural logarithm (nats);
        - ``probability``: that it is a copy, among as many copies as unrelated texts on one subject;
        - ``weak``: true if that is below .9 and the passage has no run of `min_words` equal words;
        - ``kind``: ``copied``, ``light`` or ``heavy``, by how far it is rewritten;
        - ``quotation``: ``none``, or ``cited`` or ``bare`` where it is quoted with or without something near that looks
          like a source;
        - ``code``: true if most of its words are program code.
        """
        if self._passages is None:
            self._passages = self._native.passages()
        return self._passages

    def report(self, path: str | PathLike[str], *, overwrite: bool = False) -> None:
        """Write one HTML page with both texts of each pair side by side, to be judged by a reader.

        Raises
        ------
        FileExistsError
            If a file is there, unless `overwrite` is true; one that appears meanwhile is never replaced.
        """
        with replaced_on_demand():
            self._native.report(path, overwrite)

    def __repr__(self) -> str:
        return f"<nearcopy.Screening: {len(self.passages)} passages>"


def screen(
    table: Any,
    against: Any = None,
    *,
    with_each_other: bool = False,
    ignore: Any = None,
    text: str = "text",
    id: str | None = None,
    language: str | None = None,
    min_words: int = 20,
    min_probability: float = 0.2,
    no_quotations: bool = False,
    no_bibliography: bool = False,
    no_code: bool = False,
    no_common: bool = False,
    threads: int | None = None,
    max_memory: int | None = None,
    progress: Progress = True,
) -> Screening:
    """Find the passages that texts share with those of `against`, or without it with each other.

    Copies are also found if words were replaced, shuffled, dropped or inflected, or if look-alike letters or invisible
    characters were used. What a passage means is for a reader to judge.

    Parameters
    ----------
    table, against
        As for :func:`nearcopy.find`. The texts are kept in memory.
    with_each_other
        True to compare the texts with each other too, beside those of `against`; without `against` they always are.
    ignore
        Texts whose words do not count, such as the assignment.
    text, id
        Names of the columns of texts and of ids; the page shows the ids.
    language
        Language of all texts; ``None`` detects that of each.
    min_words, min_probability
        Shortest passage in words, and least probability that it is a copy. By default the whole of a shorter text that
        stands word for word in another is a passage too; not with other values than the defaults.
    no_quotations, no_bibliography, no_code
        True to leave out text between quotation marks, after a heading such as *References*, or program code.
    no_common
        True to leave text that many texts share, such as the assignment, out of shares too. It has at least 7 words,
        and stands in a fifth of the texts in its language (at least ten; 64 of more than 320). It makes no passage by
        itself in any case.
    max_memory
        Bound on memory in bytes for texts and alignments; ``None`` for none. A text that finds no room is compared with
        nothing, and a warning names it.
    threads, progress
        As for :func:`nearcopy.find`.
    """
    sources = [None if other is None else source(other, text, id) for other in (table, beside(against))]
    templates = None if ignore is None else source([ignore] if isinstance(ignore, str) else beside(ignore), text, None)
    with shown(progress) as callback:
        return Screening(
            _native.Screening(
                sources[0],
                sources[1],
                with_each_other,
                templates,
                text,
                id,
                language,
                min_words,
                min_probability,
                no_quotations,
                no_bibliography,
                no_code,
                no_common,
                threads,
                max_memory,
                callback,
            )
        )
