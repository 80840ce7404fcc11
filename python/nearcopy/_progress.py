"""Progress of a long call: a bar, a callback, or nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

Callback: TypeAlias = Callable[[str, int, int | None], object]
"""Called with the stage, the steps that are done, and the number of steps, or ``None`` if it is unknown."""

Progress: TypeAlias = bool | Callback
"""``True`` for a bar on a terminal or in a notebook, ``False`` for none, or a callback."""


@contextmanager
def shown(progress: Progress) -> Iterator[Callback | None]:
    """The callback that shows progress while the block runs."""
    if callable(progress):
        yield progress
        return
    bars = _bars() if progress else None
    if bars is None:
        yield None
        return
    bar = _Bar(bars)
    try:
        yield bar
    finally:
        bar.close()


def _bars() -> Any | None:
    """The class of tqdm's bars, if it is installed and somebody looks."""
    if not (sys.stderr.isatty() or _is_notebook()):
        return None
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm


def _is_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and hasattr(shell, "kernel")


class _Bar:
    """A bar of tqdm for each stage, which disappears at its end."""

    def __init__(self, bars: Any) -> None:
        self._bars = bars
        self._stage: str | None = None
        self._bar: Any = None

    def __call__(self, stage: str, done: int, total: int | None) -> None:
        if stage != self._stage:
            self.close()
            self._stage = stage
            self._bar = self._bars(desc=stage, total=total, leave=False, unit_scale=True)
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
