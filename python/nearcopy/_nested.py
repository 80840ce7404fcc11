"""Columns inside others, by names with dots: `meta.body` is the field `body` of the column `meta`.

A column, or a field of one, whose own name has the dots comes first, as in the command. A null record has null fields.
Arrow data is not copied, except for the nulls of a record, which become those of its fields.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

_LISTED = 20
"""Number of names that an error lists."""

_Fields = Sequence[tuple[str, Any]]
"""The names of columns or fields, and their types."""

MISSING: Any = object()
"""The value of a field that a record lacks."""


def leads(names: Iterable[str], fields: Sequence[str]) -> list[str]:
    """Those of the names that are fields, or begin their paths."""
    return [name for name in names if any(f"{field}.".startswith(f"{name}.") for field in fields)]


def listed(names: Iterable[Any]) -> str:
    """The first names of columns: the keys of a dictionary of texts may be a million ids."""
    first = [str(name) for name in islice(names, _LISTED + 1)]
    return ", ".join([*first[:_LISTED], *(["…"] if len(first) > _LISTED else [])]) or "none"


def expect(columns: Iterable[str], names: Mapping[str, str | None]) -> None:
    """Checks that each name is a column or leads into one; `names` has them by the arguments that give them."""
    found = list(columns)
    for of, name in names.items():
        if name is not None and not leads(found, [name]):
            raise _no_column(of, name, found, "")


def value(record: Mapping[str, Any], name: str) -> Any:
    """The value of a field, or :data:`MISSING`."""
    if name in record:
        return record[name]
    for outer in leads(record, [name]):
        inner = record[outer]
        found = value(inner, _rest(name, outer)) if isinstance(inner, Mapping) else None if inner is None else MISSING
        if found is not MISSING:
            return found
    return MISSING


def field(row: int, record: Mapping[str, Any], name: str, columns: Iterable[str] | None = None) -> Any:
    """The value of a field, which the record must have; an error lists its fields, or `columns` if these are all."""
    found = value(record, name)
    if found is MISSING:
        inner = ((outer, record[outer]) for outer in leads(record, [name]))
        inside = "".join(_inside(outer, fields) for outer, fields in inner if isinstance(fields, Mapping))
        raise KeyError(f"row {row}: has no field '{name}'; it has {listed(columns or record)}{inside}")
    return found


def column(columns: Mapping[str, Sequence[Any]], name: str, *, is_optional: bool = False) -> Sequence[Any]:
    """The values of a column; if it is optional, a record without it has None."""
    if name in columns:
        return columns[name]
    outer = {outer: columns[outer] for outer in leads(columns, [name])}
    records = (dict(zip(outer, row)) for row in zip(*outer.values(), strict=True))
    if is_optional:
        return [None if found is MISSING else found for found in (value(record, name) for record in records)]
    return [field(row, record, name, columns) for row, record in enumerate(records)]


def with_value(record: Mapping[str, Any], name: str, new: Any) -> dict[str, Any]:
    """The record with another value of a field. A null record, which has none, is left as it is."""
    if name in record:
        return {**record, name: new}
    for outer in leads(record, [name]):
        inner, rest = record[outer], _rest(name, outer)
        if isinstance(inner, Mapping) and value(inner, rest) is not MISSING:
            return {**record, outer: with_value(inner, rest, new)}
    return dict(record)


def with_column(columns: Mapping[str, Sequence[Any]], name: str, new: list[Any]) -> dict[str, list[Any]]:
    """The columns that change if one gets other values: itself, or that in which it is nested."""
    if name in columns:
        return {name: new}
    outer = {outer: columns[outer] for outer in leads(columns, [name])}
    rows = zip(zip(*outer.values(), strict=True), new, strict=True)
    records = [with_value(dict(zip(outer, row)), name, own) for row, own in rows]
    return {outer: [record[outer] for record in records] for outer in outer}


def of_arrow(table: Any, names: Mapping[str, str | None], columns: Iterable[str] | None = None) -> Any:
    """Arrow data with a column of its own for each nested one, if a name has dots; `columns` are listed by an error."""
    if not _has_dots(names):
        return table
    try:
        import pyarrow
        from pyarrow import compute
    except ImportError:
        return table
    if not hasattr(table, "__arrow_c_stream__"):
        table = pyarrow.table({"": pyarrow.array(table)})[""]
    try:
        reader = pyarrow.RecordBatchReader.from_stream(table)
    except (pyarrow.ArrowInvalid, TypeError):
        # Texts alone, which have no names.
        return table
    try:
        ways = ways_to([(field.name, field.type) for field in reader.schema], names, _fields_of_arrow, columns)
    except KeyError:
        # The exception keeps the reader, and a connection of DuckDB has one open result.
        reader.close()
        raise

    def projected(batch: Any) -> Any:
        arrays = [
            compute.struct_field(batch.column(place), inner) if inner else batch.column(place)
            for place, *inner in ways.values()
        ]
        return pyarrow.RecordBatch.from_arrays(arrays, list(ways))

    schema = projected(pyarrow.RecordBatch.from_pylist([], reader.schema)).schema
    return pyarrow.RecordBatchReader.from_batches(schema, map(projected, reader))


def of_polars(frame: Any, names: Mapping[str, str | None]) -> Any:
    """A data frame of polars with a column of its own for each nested one, if a name has dots."""
    if not _has_dots(names):
        return frame
    columns: list[tuple[str, Any]] = list(frame.schema.items())
    series = []
    for name, (place, *inner) in ways_to(columns, names, _fields_of_polars).items():
        found = frame.to_series(place)
        for nested in inner:
            found = found.struct.field(found.struct.fields[nested])
        series.append(found.alias(name))
    return frame.select(series)


def array_with(array: Any, way: Sequence[int], new: Any) -> Any:
    """An array or a chunked array of pyarrow with other values at the end of a way, of the same type.

    A dictionary becomes its values.
    """
    if hasattr(array, "chunks"):
        if not way:
            return new.cast(_type_of_values(array.type))
        starts = [0]
        for chunk in array.chunks:
            starts.append(starts[-1] + len(chunk))
        parts = [array_with(chunk, way, new.slice(start, len(chunk))) for start, chunk in zip(starts, array.chunks)]
        return sys.modules["pyarrow"].chunked_array(parts) if parts else array
    if not way:
        return new.cast(_type_of_values(array.type))
    place, *inner = way
    fields = list(array.type)
    values = [array.field(number) for number in range(len(fields))]
    values[place] = array_with(values[place], inner, new)
    fields[place] = fields[place].with_type(values[place].type)
    mask = array.is_null() if array.null_count else None
    return sys.modules["pyarrow"].StructArray.from_arrays(values, fields=fields, mask=mask)


def way_of_arrow(schema: Any, name: str) -> list[int]:
    """The place of a column of pyarrow, then of the field in it, and so on."""
    return ways_to([(field.name, field.type) for field in schema], {"text": name}, _fields_of_arrow)[name]


def polars_with(frame: Any, name: str, new: Any) -> Any:
    """A data frame of polars with other values of a column."""
    polars = sys.modules["polars"]
    columns = list(frame.schema.items())
    place, *inner = ways_to(columns, {"text": name}, _fields_of_polars)[name]

    def record(outer: Any, of: Any, way: list[int]) -> Any:
        if not way:
            return polars.lit(new)
        place, *inner = way
        nested, of_nested = _fields_of_polars(of)[place]
        changed = outer.struct.with_fields(record(outer.struct.field(nested), of_nested, inner).alias(nested))
        return polars.when(outer.is_null()).then(None).otherwise(changed)

    outer, of = columns[place]
    return frame.with_columns(record(polars.col(outer), of, inner).alias(outer))


def ways_to(
    columns: _Fields,
    names: Mapping[str, str | None],
    inside: Callable[[Any], _Fields],
    others: Iterable[str] | None = None,
) -> dict[str, list[int]]:
    """The way to each name: the place of a column, then of the field in it, and so on."""
    ways = {}
    for of, name in names.items():
        if name is not None:
            way = next(_found(columns, name, inside), None)
            if way is None:
                leading = [column for column in columns if leads([column[0]], [name])]
                inner = ((outer, [field for field, _ in inside(its)]) for outer, its in leading)
                found = [column for column, _ in columns] if others is None else others
                raise _no_column(of, name, found, "".join(_inside(outer, fields) for outer, fields in inner if fields))
            ways[name] = way
    return ways


def _type_of_values(of: Any) -> Any:
    return getattr(of, "value_type", of)


def _has_dots(names: Mapping[str, str | None]) -> bool:
    return any(isinstance(name, str) and "." in name for name in names.values())


def _rest(name: str, outer: str) -> str:
    """The part of a name behind that of the column that leads to it."""
    return name[len(f"{outer}.") :]


def _fields_of_arrow(of: Any) -> _Fields:
    return [(field.name, field.type) for field in of] if sys.modules["pyarrow"].types.is_struct(of) else []


def _fields_of_polars(of: Any) -> _Fields:
    return [(field.name, field.dtype) for field in getattr(of, "fields", [])]


def _found(columns: _Fields, name: str, inside: Callable[[Any], _Fields]) -> Iterator[list[int]]:
    """The ways to a name, the best first."""
    for place, (column, _) in enumerate(columns):
        if column == name:
            yield [place]
    for place, (column, of) in enumerate(columns):
        if name.startswith(f"{column}."):
            for way in _found(inside(of), _rest(name, column), inside):
                yield [place, *way]


def _inside(outer: str, fields: Iterable[Any]) -> str:
    return f"; '{outer}' has {listed(fields)}"


def _no_column(of: str, name: str, columns: Iterable[str], inside: str) -> KeyError:
    return KeyError(f"no column '{name}'; name one of these by {of}=: {listed(columns)}{inside}")
