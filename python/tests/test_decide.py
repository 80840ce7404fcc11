"""The verdicts of a search in rounds against the plain loop: each document with each survivor before it."""

from __future__ import annotations

import random

import pyarrow as pa
import pytest

from nearcopy import _native

Pairs = list[tuple[int, int, bool]]
Members = list[tuple[int, int]]
MOST = 3


def decided(
    pairs: Pairs, members: Members, waiting: list[int], unopened: frozenset[tuple[int, int]] = frozenset()
) -> dict[int, int | None]:
    """The documents that go, with their survivors, and the undecided ones, with none."""
    a, b, free = zip(*pairs) if pairs else ((), (), ())
    columns = {name: pa.array([row[n] for row in members], pa.int64()) for n, name in enumerate(["document", "key"])}
    opened = pa.array([row not in unopened for row in members], pa.bool_())
    found = _native.decide(
        pa.table({"a": pa.array(a, pa.int64()), "b": pa.array(b, pa.int64()), "free": pa.array(free, pa.bool_())}),
        pa.table({**columns, "opened": opened}),
        pa.table({"document": pa.array(waiting, pa.int64())}),
        MOST,
    )
    rows = pa.table(found)
    return dict(zip(rows["document"].to_pylist(), rows["survivor"].to_pylist()))


def plain(documents: int, pairs: Pairs, members: Members) -> dict[int, int]:
    """The documents that go, with their survivors."""
    survivors: dict[int, set[int]] = {}
    goes: dict[int, int] = {}
    for b in range(documents):
        keys = {key for document, key in members if document == b}
        found = {a for key in keys for a in sorted(survivors.get(key, set()))[:MOST]}
        near = [a for a, other, free in pairs if other == b and a not in goes and (free or a in found)]
        if near:
            goes[b] = min(near)
        else:
            for key in keys:
                survivors.setdefault(key, set()).add(b)
    return goes


def corpus(pick: random.Random) -> tuple[int, Pairs, Members]:
    documents = pick.randrange(1, 24)
    members = [(d, key) for d in range(documents) for key in range(3) if pick.random() < 0.7]
    ends = [(a, b) for b in range(documents) for a in range(b) if pick.random() < 0.2]
    pairs = [(a, b, pick.random() < 0.3) for a, b in ends]
    pick.shuffle(pairs)
    pick.shuffle(members)
    return documents, pairs, members


@pytest.mark.parametrize("seed", range(300))
def test_verdicts_are_those_of_the_plain_loop(seed: int) -> None:
    pick = random.Random(seed)
    documents, pairs, members = corpus(pick)
    expected = plain(documents, pairs, members)
    assert decided(pairs, members, []) == expected
    # Some documents wait for their pairs by no key, which arrive later.
    waiting = [d for d in range(documents) if pick.random() < 0.3]
    some = [pair for pair in pairs if not (pair[2] and pair[1] in waiting)]
    early = decided(some, members, waiting)
    assert all(d in early for d in waiting)
    for document in range(documents):
        if document not in early:
            assert document not in expected
        elif early[document] is not None:
            assert document in expected and expected[document] <= early[document]


@pytest.mark.parametrize("seed", range(300))
def test_keys_are_opened_from_their_first_document_on(seed: int) -> None:
    pick = random.Random(seed)
    documents, pairs, members = corpus(pick)
    pairs = [(a, b, False) for a, b, _ in pairs]
    expected = plain(documents, pairs, members)
    opened = {key: 0 for key in range(3)}
    keys = {d: {key for document, key in members if document == d} for d in range(documents)}
    while True:
        unopened = frozenset((d, key) for d, key in members if d >= opened[key])
        found = [(a, b, free) for a, b, free in pairs if any((a, key) not in unopened for key in keys[a] & keys[b])]
        early = decided(found, members, [], unopened)
        goes = {document: survivor for document, survivor in early.items() if survivor is not None}
        assert goes.keys() <= expected.keys()
        assert all(expected[document] <= survivor for document, survivor in goes.items())
        assert expected.keys() <= early.keys()
        survivors = {key: sum(key in keys[d] and d not in early for d in range(opened[key])) for key in opened}
        further = [key for key in opened if opened[key] < documents and survivors[key] < MOST]
        if not further:
            break
        key = pick.choice(further)
        opened[key] = min(documents, opened[key] + pick.randrange(1, 9))
    # A document that is near to none before it survives, opened or not.
    assert early == expected


def test_the_limit_of_a_crowded_key_decides() -> None:
    members = [(document, 7) for document in range(MOST + 2)]
    assert decided([(MOST - 1, MOST + 1, False)], members, []) == {MOST + 1: MOST - 1}
    assert decided([(MOST, MOST + 1, False)], members, []) == {}
    assert decided([(MOST, MOST + 1, True)], members, []) == {MOST + 1: MOST}
    # The first may go, and then there is a place.
    assert decided([(MOST, MOST + 1, False)], members, [0]) == {0: None, MOST + 1: None}


def test_a_document_waits_until_enough_before_it_survive() -> None:
    members = [(document, 7) for document in range(MOST + 2)]
    later = frozenset(members[MOST:])
    assert decided([(1, MOST, False)], members, [], later) == {MOST: 1}
    assert decided([(0, 1, True)], members, [], later) == {1: 0, MOST: None, MOST + 1: None}
    assert decided([(0, MOST + 1, True)], members, [], later) == {MOST + 1: 0}


def test_pairs_found_twice_count_once() -> None:
    assert decided([(0, 1, False), (0, 1, True)], [], []) == {1: 0}
