"""Tables of other libraries: what the native module can read of them, and their rows that are kept."""

from __future__ import annotations

import datetime
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import compress, zip_longest
from numbers import Number
from typing import Any, NamedTuple
from uuid import UUID

from nearcopy import _native, _nested

_INSTEAD = {
    ("polars", "LazyFrame"): "collect it first: table.collect()",
    ("datasets", "DatasetDict"): "choose one of its splits, as by table['train']",
    ("datasets", "IterableDatasetDict"): "choose one of its splits, as by table['train']",
    ("pyspark", "DataFrame"): "call find, clean, clean_lines, clean_repeats or decontaminate of nearcopy.spark",
}
"""What to do with other types of libraries whose tables are read."""


def source(table: Any, text: str, id: str | None, key: str | None = None, url: str | None = None) -> Any:
    """The rows of `table` as the native module reads them: an Arrow stream or array, or an iterable of texts.

    With `key` or `url`, the names of columns of sort keys and addresses, an iterable is of ids, texts, keys and
    addresses. Arrow data has columns of these names: nested ones are made columns of their own.
    """
    names = _Names(text, id, key, url)
    _expect_table(table)
    if _library(table) == "datasets":
        return _of_datasets(table, names)
    if _library(table) == "polars":
        nested = _nested.of_polars(table, names._asdict()) if hasattr(table, "columns") else table
        return _of_polars(nested)
    columns = table.columns if _library(table) == "pandas" and hasattr(table, "columns") else None
    if _library(table) == "pandas":
        table = _of_pandas(table, names)
    if hasattr(table, "__arrow_c_stream__") or hasattr(table, "__arrow_c_array__"):
        return _nested.of_arrow(table, names._asdict(), columns)
    if isinstance(table, Mapping):
        return _of_columns(table, names)
    if isinstance(table, Iterable):
        return _of_rows(iter(table), names)
    return table


def beside(table: Any) -> Any:
    """A table that is read while another is: a relation of DuckDB in memory, as a connection has one open result."""
    return table.to_arrow_table() if hasattr(table, "to_arrow_table") else table


def records(table: Any, fields: Sequence[str]) -> Any:
    """The rows of `table` with what these fields lead to: Arrow data, or an iterator of JSON, with texts as `text`."""
    table = beside(table)
    _expect_table(table)
    if _library(table) == "datasets" and hasattr(table, "__len__") and hasattr(table, "column_names"):
        return table.with_format("arrow")[:]
    if _library(table) == "polars":
        return _of_polars(table)
    if _library(table) == "pandas":
        table = _without_index(table)
    if hasattr(table, "__arrow_c_stream__") or hasattr(table, "__arrow_c_array__"):
        return table
    if isinstance(table, Mapping):
        names = list(table)
        _expect_even(table)
        rows: Any = (dict(zip(names, row)) for row in zip(*table.values(), strict=True))
    elif isinstance(table, Iterable):
        rows = table
    else:
        raise TypeError(f"{type(table).__name__}: expected a table, a list of str or of dictionaries, or an iterator")
    return (_as_json(number, row, fields) for number, row in enumerate(rows))


def _as_json(number: int, row: Any, fields: Sequence[str]) -> str:
    if row is None or isinstance(row, str):
        row = {"text": row}
    if not isinstance(row, Mapping):
        raise TypeError(f"row {number} of against: is of type {type(row).__name__}; expected str, a dictionary or None")
    # Other fields may be anything, such as pictures.
    record = {name: None for name in row} | {name: row[name] for name in _nested.leads(row, fields)}
    try:
        try:
            text = json.dumps(record, ensure_ascii=False, allow_nan=False, default=_plain)
        except ValueError:
            # Where a value is missing, pandas has NaN, which is neither text nor JSON.
            with_nan = json.loads(json.dumps(record, default=_plain), parse_constant=lambda _: None)
            text = json.dumps(with_nan, ensure_ascii=False)
        text.encode()
    except UnicodeEncodeError as error:
        remedy = "replace it, as by text.encode('utf-8', 'replace').decode()"
        raise ValueError(f"row {number} of against: has half of a surrogate pair ({error}); {remedy}") from None
    except TypeError as error:
        raise TypeError(f"row {number} of against: {error}") from None
    except ValueError as error:
        raise ValueError(f"row {number} of against: {error}") from None
    return text


def _plain(value: Any) -> Any:
    """A value of numpy as one of Python, and a number, a date or an id as text."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, (Number, datetime.date, datetime.time, UUID)):
        return str(value)
    raise TypeError(f"a value is of type {type(value).__name__}; expected text, a number, a list or a dictionary")


@contextmanager
def replaced_on_demand() -> Iterator[None]:
    """Names the argument by which a file that is there is replaced."""
    try:
        yield
    except FileExistsError as error:
        raise FileExistsError(f"{error}, or give overwrite=True to replace it") from None


def can_read_again(table: Any) -> bool:
    """True if a second reading gives the same rows: streams and iterators are read once."""
    return hasattr(table, "__len__")


def kept(table: Any, keep: _native.Array) -> Any:
    """The rows of `table` for which `keep` is true, as a table of the same library."""
    library = _library(table)
    if not _fits(table, keep):
        raise _misfit(keep)
    if library == "datasets" and hasattr(table, "select"):
        return table.select([row for row, stays in enumerate(keep) if stays])
    if library == "polars":
        return table.filter(sys.modules["polars"].Series(keep))
    if library == "pyarrow" and hasattr(table, "filter") and hasattr(table, "__len__"):
        return _filtered(table, keep)
    if library == "pandas":
        return table[keep.to_pylist()]
    if hasattr(table, "__arrow_c_stream__") or hasattr(table, "__arrow_c_array__"):
        return _native.filter(table, keep)
    if isinstance(table, Mapping):
        return {name: list(compress(column, keep)) for name, column in table.items()}
    nothing = object()
    rows = []
    for row, stays in zip_longest(table, keep, fillvalue=nothing):
        if row is nothing or stays is nothing:
            raise _misfit(keep)
        if stays:
            rows.append(row)
    return rows


def _filtered(table: Any, keep: _native.Array) -> Any:
    """Rows of a table or an array of pyarrow, which itself takes none of some types, such as ``string_view``."""
    pyarrow = sys.modules["pyarrow"]
    try:
        return table.filter(pyarrow.array(keep))
    except pyarrow.ArrowNotImplementedError:
        whole = table if hasattr(table, "schema") else pyarrow.table({"": table})
        rows = pyarrow.table(_native.filter(whole, keep)).cast(whole.schema)
    if isinstance(table, pyarrow.Table):
        return rows
    if isinstance(table, pyarrow.RecordBatch):
        return pyarrow.RecordBatch.from_arrays([column.chunk(0) for column in rows.columns], schema=rows.schema)
    return rows.column(0) if isinstance(table, pyarrow.ChunkedArray) else rows.column(0).chunk(0)


def read_once(table: Any) -> Any:
    """A table that can be read again, with the rows of this one."""
    if can_read_again(table):
        return table
    return table.read_all() if hasattr(table, "read_all") else list(table)


def with_texts(table: Any, text: str, keep: _native.Array, texts: _native.Array) -> Any:
    """The rows of `table` for which `keep` is true, with these texts, as a table of the same library."""
    library, rows = _library(table), kept(table, keep)
    if library == "datasets" and hasattr(rows, "select_columns"):
        names = rows.column_names
        # A set without the old column, if that is its only one, has no rows to which a column could be added.
        other = max(names, key=len) + "+"
        for name, values in _nested.with_column(_outer_of_datasets(rows, text), text, texts.to_pylist()).items():
            feature = rows.features[name]
            rows = rows.add_column(other, values, feature=feature).remove_columns(name).rename_column(other, name)
        return rows.select_columns(names)
    if library == "polars":
        series = sys.modules["polars"].Series(text, texts)
        return _nested.polars_with(rows, text, series) if hasattr(rows, "columns") else series.alias(rows.name)
    if library == "pyarrow":
        return _with_array(rows, text, sys.modules["pyarrow"].array(texts))
    if library == "pandas":
        return _with_values(rows, text, texts.to_pylist())
    if isinstance(rows, _native.Table):
        return rows._with(text, texts) if text in rows.column_names else _with_nested(rows, text, texts, keep)
    if isinstance(table, Mapping):
        return {**rows, **_nested.with_column(rows, text, texts.to_pylist())}
    return [_with_text(row, text, new) for row, new in zip(rows, texts, strict=True)]


def _outer_of_datasets(table: Any, text: str) -> Mapping[str, Any]:
    """The column of texts of a data set, or the values of those that lead to it, as they are stored."""
    if text in table.column_names:
        return {text: ()}
    outer = table.select_columns(_nested.leads(table.column_names, [text])).with_format("arrow")[:]
    return {name: outer[name].to_pylist() for name in outer.column_names}


def _with_array(rows: Any, text: str, texts: Any) -> Any:
    """A table or an array of pyarrow with other texts, of the same type; a dictionary becomes its values."""
    if hasattr(rows, "schema"):
        place, *inner = _nested.way_of_arrow(rows.schema, text)
        column = _nested.array_with(rows.column(place), inner, texts)
        return rows.set_column(place, rows.schema.field(place).with_type(column.type), column)
    texts = _nested.array_with(rows, [], texts)
    return sys.modules["pyarrow"].chunked_array([texts]) if hasattr(rows, "chunks") else texts


def _with_nested(rows: _native.Table, text: str, texts: _native.Array, keep: _native.Array) -> _native.Table:
    """The rows that were kept, with other texts in a nested column, which pyarrow makes."""
    import pyarrow

    table = _with_array(pyarrow.table(rows), text, pyarrow.array(texts))
    # A filter makes a table of this package, and this one keeps all rows.
    every = _native.filter(pyarrow.table({"keep": pyarrow.array(keep)}), keep)["keep"]
    return _native.filter(table, every)


def _with_values(rows: Any, text: str, texts: list[str | None]) -> Any:
    """A frame or a series of pandas with other texts, of the same type; categories become their values."""
    if not hasattr(rows, "columns"):
        return _with_series(rows, texts)
    changed = _nested.with_column(rows, text, texts)
    return rows.assign(**{name: _with_series(rows[name], values) for name, values in changed.items()})


def _with_series(old: Any, new: list[Any]) -> Any:
    values = old.cat.categories.dtype if hasattr(old, "cat") else old.dtype
    return type(old)(new, index=old.index, name=old.name, dtype=values)


def _with_text(row: Any, text: str, new: str | None) -> Any:
    """A row of a list with another text."""
    if isinstance(row, Mapping):
        return _nested.with_value(row, text, new)
    return (row[0], new) if isinstance(row, tuple) else new


def _misfit(keep: _native.Array) -> ValueError:
    return ValueError(
        f"the result has {len(keep)} rows and this table has not; give the table that was searched, or what it was "
        "read from: a stream or an iterator has no rows left once it was read"
    )


def _fits(table: Any, keep: _native.Array) -> bool:
    if isinstance(table, Mapping):
        return all(len(column) == len(keep) for column in table.values())
    return not hasattr(table, "__len__") or len(table) == len(keep)


def _expect_table(table: Any) -> None:
    if isinstance(table, (str, bytes)):
        raise TypeError(f"a single {type(table).__name__}: expected a table, a list of str, or an iterator of str")
    if remedy := _INSTEAD.get((_library(table), type(table).__name__)):
        raise TypeError(f"{type(table).__name__} is no table; {remedy}")


def _library(table: Any) -> str:
    """The name of the library whose class `table` is."""
    return type(table).__module__.partition(".")[0]


class _Names(NamedTuple):
    """The names of the columns of texts, ids, sort keys and addresses, by the arguments that give them."""

    text: str
    id: str | None
    keep: str | None
    url: str | None


def _of_datasets(table: Any, names: _Names) -> Any:
    """A data set of Hugging Face: its Arrow table without a copy, or its rows if it is streamed or one column."""
    if not hasattr(table, "__len__") or not hasattr(table, "column_names"):
        return _of_rows(iter(table), names)
    names_of_all = table.column_names
    _nested.expect(names_of_all, names._asdict())
    columns = table.select_columns(_read(names_of_all, names)).with_format("arrow")[:]
    return _nested.of_arrow(columns, names._asdict(), names_of_all)


def _of_polars(table: Any) -> Any:
    """A data frame or series of polars. Columns without a type become texts, as their export is no valid Arrow data."""
    polars = sys.modules["polars"]
    if hasattr(table, "dtype"):
        return table.cast(polars.String) if table.dtype == polars.Null else table
    return table.cast({polars.Null: polars.String})


def _of_pandas(table: Any, names: _Names) -> Any:
    """A series, or the columns of a data frame that are read: others may hold what Arrow has no type for."""
    if not hasattr(table, "columns"):
        return _without_index(table)
    _nested.expect(table.columns, names._asdict())
    read = table[_read(table.columns, names)]
    if all(name in names for name in read.columns):
        return _without_index(read)
    import pyarrow

    try:
        return _without_index(read)
    except pyarrow.ArrowException:
        # Dictionaries may have other fields of several types.
        return _as_lists(read)


def _without_index(table: Any) -> Any:
    """A frame or a series of pandas as Arrow data. Its index may be of several types; it is not read."""
    import pyarrow

    try:
        if hasattr(table, "columns"):
            return pyarrow.Table.from_pandas(table, preserve_index=False)
        return pyarrow.Array.from_pandas(table)
    except UnicodeEncodeError:
        # The row with half of a surrogate pair is named where lists are read.
        return _as_lists(table)


def _as_lists(table: Any) -> Any:
    """A frame or a series of pandas as lists, with None for what is missing."""
    values = table.astype(object).where(table.notna(), None)
    return values.to_dict("list") if hasattr(values, "columns") else values.tolist()


def _read(columns: Iterable[str], names: _Names) -> list[str]:
    """The columns that have these names, or lead to them."""
    found = list(columns)
    whole = [name for name in dict.fromkeys(names) if name is not None]
    return list(
        dict.fromkeys(at for name in whole for at in ([name] if name in found else _nested.leads(found, [name])))
    )


def _of_columns(table: Mapping[str, Sequence[Any]], names: _Names) -> Iterator[Any]:
    _nested.expect(table, names._asdict())
    text, id, key, url = names
    _expect_even(table)
    texts = _nested.column(table, text)
    if key is None and url is None:
        return iter(texts) if id is None else zip(_nested.column(table, id), texts, strict=True)
    nothing = [None] * len(texts)
    ids = nothing if id is None else _nested.column(table, id)
    keys, urls = (
        nothing if name is None else map(_key, _nested.column(table, name, is_optional=True)) for name in (key, url)
    )
    return zip(ids, texts, keys, urls, strict=True)


def _expect_even(columns: Mapping[str, Any]) -> None:
    lengths = {name: len(column) for name, column in columns.items() if hasattr(column, "__len__")}
    if len(set(lengths.values())) > 1:
        counts = ", ".join(f"'{name}' has {length}" for name, length in lengths.items())
        raise ValueError(f"the columns have different numbers of values: {counts}")


def _of_rows(rows: Iterator[Any], names: _Names) -> Iterator[Any]:
    text, id, key, url = names
    for number, row in enumerate(rows):
        if isinstance(row, Mapping):
            own_text = _nested.field(number, row, text)
            own = None if id is None else _nested.field(number, row, id)
            if key is not None or url is not None:
                more = (None if name is None else _nested.value(row, name) for name in (key, url))
                yield own, own_text, *(None if found is _nested.MISSING else _key(found) for found in more)
            else:
                yield own_text if id is None else (own, own_text)
        else:
            yield row


def _key(value: Any) -> str | None:
    """A sort key as text, as the native module writes those of columns."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, datetime.datetime) and value.tzinfo is not None:
        value = value.astimezone(datetime.timezone.utc).replace(tzinfo=None)
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    return None if value is None else str(value)
