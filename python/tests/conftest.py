"""Texts that the tests share."""

import pytest

MILL = "The mill stood where two brooks met, and its wheel had not turned since the war of the two brothers."
SISTERS = "The mill stood where two brooks met, and its wheel had not turned since the war of the two sisters."
CLOCK = "Nobody wound the clock in the hall after the aunts had left, but it struck all the same at night."


@pytest.fixture
def texts() -> list[str | None]:
    """Rows 0, 2 and 5 are near to each other; row 3 is null, and row 6 is empty."""
    return [MILL, CLOCK, SISTERS, None, "Ein Wort.", MILL, ""]


@pytest.fixture
def keep() -> list[bool]:
    """The rows of `texts` that are kept: of equal length, the first survives."""
    return [True, True, False, True, True, False, True]
