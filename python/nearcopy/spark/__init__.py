"""Near-duplicates in a Spark DataFrame: those that :func:`nearcopy.find` lists, and what :func:`nearcopy.clean` removes."""

from nearcopy.spark._clean import Cleaned, clean
from nearcopy.spark._find import find
from nearcopy.spark._steps import Keep

__all__ = ["Cleaned", "Keep", "clean", "find"]
