"""Components of pairs against the plain walk from each document."""

from __future__ import annotations

import random

import pyarrow as pa
import pytest

from nearcopy import _native


def plain(pairs: list[tuple[int, int]]) -> dict[int, int]:
    """The least document that each is connected with."""
    near: dict[int, set[int]] = {}
    for a, b in pairs:
        near.setdefault(a, set()).add(b)
        near.setdefault(b, set()).add(a)
    components: dict[int, int] = {}
    for document in sorted(near):
        waiting = [document]
        while waiting:
            if (other := waiting.pop()) not in components:
                components[other] = document
                waiting += near[other]
    return components


@pytest.mark.parametrize("seed", range(100))
def test_components_are_those_of_a_walk(seed: int) -> None:
    pick = random.Random(seed)
    documents = [pick.randrange(-(10**12), 10**12) for _ in range(pick.randrange(1, 40))]
    pairs = [(pick.choice(documents), pick.choice(documents)) for _ in range(pick.randrange(0, 50))]
    table = pa.table({side: pa.array([pair[n] for pair in pairs], pa.int64()) for n, side in enumerate("ab")})
    found = pa.table(_native.components(table))
    assert list(zip(found["document"].to_pylist(), found["component"].to_pylist())) == sorted(plain(pairs).items())
