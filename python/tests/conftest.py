"""Texts that the tests share."""

import pytest

MILL = "The mill stood where two brooks met, and its wheel had not turned since the war of the two brothers."
SISTERS = "The mill stood where two brooks met, and its wheel had not turned since the war of the two sisters."
CLOCK = "Nobody wound the clock in the hall after the aunts had left, but it struck all the same at night."

RULE = (
    "A member who has borrowed a boat shall return it before sunset, clean and dry, with both oars and the lamp; who "
    "comes later shall light the lamp, tell the warden at once, and pay for each hour of the evening, unless the wind "
    "or the tide made it impossible to come home in time. Nobody is excused."
)
"""Long enough to stand in another text, or to have an edited copy."""


@pytest.fixture
def claims() -> list[str | None]:
    """Row 1 says the same as row 0, which row 2 contains; row 3 is an edited copy of these, and row 4 is null."""
    edited = RULE.replace("tell the warden", "tell the old warden")
    return [RULE, RULE.upper(), f"These are the rules. {RULE} So it was decided.", edited, None, CLOCK]


@pytest.fixture
def texts() -> list[str | None]:
    """Rows 0, 2 and 5 are near to each other; row 3 is null, and row 6 is empty."""
    return [MILL, CLOCK, SISTERS, None, "Ein Wort.", MILL, ""]


@pytest.fixture
def keep() -> list[bool]:
    """The rows of `texts` that are kept: of equal length, the first survives."""
    return [True, True, False, True, True, False, True]
