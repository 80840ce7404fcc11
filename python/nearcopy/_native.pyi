"""The native module. Use the functions of `nearcopy`, which call it."""

from collections.abc import Callable, Iterator, Sequence
from os import PathLike
from typing import Any, ClassVar, Final, final

__all__ = [
    "Array",
    "Error",
    "Fingerprinter",
    "Index",
    "ItemFinder",
    "ItemSteps",
    "LineSteps",
    "MOST",
    "Pivots",
    "RepeatDecider",
    "RepeatSteps",
    "Screening",
    "Search",
    "Steps",
    "Table",
    "__version__",
    "clean",
    "clean_lines",
    "clean_repeats",
    "command",
    "compare",
    "components",
    "cut",
    "decide",
    "decontaminate",
    "explain",
    "filter",
    "key",
    "left",
]

MOST: Final[int]
__version__: Final[str]

_Progress = Callable[[str, int, int | None], object] | None

class Error(Exception): ...

@final
class Array:
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[Any, Any]: ...
    def __arrow_c_schema__(self) -> Any: ...
    def __len__(self) -> int: ...
    def __getitem__(self, index: int, /) -> Any: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any: ...
    def to_pylist(self) -> list[Any]: ...

@final
class Table:
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> Any: ...
    def __arrow_c_schema__(self) -> Any: ...
    def __len__(self) -> int: ...
    def __getitem__(self, name: str, /) -> Array: ...
    @property
    def column_names(self) -> list[str]: ...
    def to_pylist(self) -> list[dict[str, Any]]: ...
    def _with(self, name: str, values: Array) -> Table: ...
    def __reduce__(self) -> tuple[Callable[[bytes], Table], tuple[bytes]]: ...
    @staticmethod
    def _of_bytes(bytes: bytes) -> Table: ...

@final
class Fingerprinter:
    def __new__(
        cls,
        language: str | None,
        min: int,
        max: int,
        sketches: int,
        stop_words: Sequence[str] | None,
        stem: bool,
        shingles: str,
    ) -> Fingerprinter: ...
    def fingerprint(self, texts: object, text: str, threads: int | None, progress: _Progress) -> Table: ...

@final
class Search:
    def __new__(
        cls,
        texts: object,
        against: object | None,
        text: str,
        id: str | None,
        fingerprinter: Fingerprinter,
        keep: str,
        similarity: float | None,
        distance: int | None,
        remove: str | None,
        recall: float,
        threads: int | None,
        max_memory: int | None,
        progress: _Progress,
    ) -> Search: ...
    def verdicts(self, progress: _Progress) -> Table: ...
    def members(self, progress: _Progress) -> Table: ...
    def to_review(self, progress: _Progress) -> Table: ...
    def pairs(self, progress: _Progress) -> Table: ...
    def neighbours(self, count: int, progress: _Progress) -> Table: ...
    def report(
        self,
        path: str | PathLike[str],
        inputs: Sequence[str],
        command: str,
        again: object | None,
        text: str,
        id: str | None,
        overwrite: bool,
        progress: _Progress,
    ) -> None: ...

@final
class Screening:
    def __new__(
        cls,
        texts: object,
        against: object | None,
        with_each_other: bool,
        ignore: object | None,
        text: str,
        id: str | None,
        language: str | None,
        min_words: int,
        min_probability: float,
        no_quotations: bool,
        no_bibliography: bool,
        no_code: bool,
        no_common: bool,
        threads: int | None,
        max_memory: int | None,
        progress: _Progress,
    ) -> Screening: ...
    def passages(self) -> Table: ...
    def report(self, path: str | PathLike[str], overwrite: bool) -> None: ...

@final
class Index:
    @staticmethod
    def create(
        path: str | PathLike[str],
        fingerprinter: Fingerprinter,
        similarity: float | None,
        distance: int | None,
        passages: bool,
    ) -> Index: ...
    @staticmethod
    def open(path: str | PathLike[str]) -> Index: ...
    def __len__(self) -> int: ...
    def __contains__(self, id: str, /) -> bool: ...
    def add(
        self,
        texts: object,
        text: str,
        id: str,
        known: str,
        unique: str | None,
        similarity: float | None,
        distance: int | None,
        threads: int | None,
        max_memory: int | None,
        progress: _Progress,
    ) -> Table: ...
    def query(
        self,
        texts: object,
        text: str,
        similarity: float | None,
        distance: int | None,
        top: int | None,
        threads: int | None,
        progress: _Progress,
    ) -> Table: ...
    def remove(self, ids: Sequence[str]) -> list[bool]: ...
    def compact(self, progress: _Progress) -> None: ...

@final
class Pivots:
    def __new__(cls, fingerprints: object, keys: object) -> Pivots: ...
    def compare(self, steps: Steps, fingerprints: object) -> Table: ...

@final
class ItemFinder:
    def find(self, texts: object) -> Table: ...
    def items(self, found: object) -> Table: ...

@final
class ItemSteps:
    def __new__(
        cls,
        against: object,
        fields: Sequence[str],
        need: Sequence[str],
        item_id: str | None,
        coverage: float,
        rewritten: float | None,
    ) -> ItemSteps: ...
    @property
    def left_out(self) -> str | None: ...
    def counted(self, texts: object) -> Table: ...
    def finder(self, documents: object, words: int) -> ItemFinder: ...

@final
class LineSteps:
    LEAST_PAGES: ClassVar[int]
    def __new__(
        cls,
        url: str | None,
        max_documents: int,
        per_site: float | None,
        paragraphs: bool,
        all_lines: bool,
        keep: str,
        min_left: int,
        max_cut: float,
    ) -> LineSteps: ...
    def count(self, texts: object) -> Table: ...
    def occurrences(self, texts: object) -> Table: ...
    def keepers(self, texts: object) -> Table: ...
    def cuts(self, texts: object) -> Table: ...

@final
class RepeatDecider:
    def __new__(cls, steps: RepeatSteps) -> RepeatDecider: ...
    def take(self, documents: object) -> Table: ...

@final
class RepeatSteps:
    def __new__(cls, words: int, verbatim: bool, keep: str, min_left: int, max_cut: float) -> RepeatSteps: ...
    def samples(self, texts: object) -> Table: ...
    def windows(self, texts: object) -> Table: ...
    @staticmethod
    def stretches(windows: object) -> Table: ...
    @staticmethod
    def locate(texts: object) -> Table: ...

@final
class Steps:
    def __new__(
        cls,
        fingerprinter: Fingerprinter,
        keep: str,
        similarity: float | None,
        distance: int | None,
        remove: str | None,
        recall: float,
        documents: int,
    ) -> Steps: ...
    def fingerprints(self, texts: object) -> Table: ...
    def keys(self, fingerprints: object) -> Table: ...
    def near(self, pairs: object) -> Table: ...
    def judge(self, pairs: object) -> Table: ...

def clean(steps: Steps, documents: object, max_memory: int) -> Table: ...
def clean_lines(
    texts: object,
    text: str,
    id: str | None,
    url: str | None,
    max_documents: int,
    per_site: float | None,
    paragraphs: bool,
    all_lines: bool,
    counts: str | PathLike[str] | None,
    keep: str,
    min_left: int,
    max_cut: float,
    threads: int | None,
    max_memory: int | None,
    progress: _Progress,
) -> tuple[Table, Table, int]: ...
def clean_repeats(
    texts: object,
    text: str,
    id: str | None,
    words: int,
    verbatim: bool,
    keep: str,
    min_left: int,
    max_cut: float,
    threads: int | None,
    max_memory: int | None,
    progress: _Progress,
) -> tuple[Table, Table, int]: ...
def command(args: Sequence[str]) -> int: ...
def compare(
    a: str, b: str, fingerprinter: Fingerprinter, similarity: float | None, distance: int | None
) -> dict[str, Any]: ...
def components(pairs: object) -> Table: ...
def cut(texts: object, text: str, spans: Table, fates: Table) -> tuple[Array, Array]: ...
def decide(pairs: object, members: object, waiting: object, most: int) -> Table: ...
def decontaminate(
    texts: object,
    text: str,
    id: str | None,
    against: object,
    fields: Sequence[str],
    need: Sequence[str],
    item_id: str | None,
    coverage: float,
    rewritten: float | None,
    counts: str | PathLike[str] | None,
    threads: int | None,
    max_memory: int | None,
    progress: _Progress,
) -> tuple[Table, Table, int, Table, list[str]]: ...
def explain(text: str, fingerprinter: Fingerprinter) -> str: ...
def filter(table: object, keep: Array) -> Table: ...
def key(keep: str, or_none: bool = False) -> str | None: ...
def left(texts: object) -> Table: ...
