"""Near-duplicates in a Spark DataFrame: what :func:`nearcopy.find` lists, and what :func:`nearcopy.clean` removes.

And parts of texts: the lines that stand in many, as :func:`nearcopy.clean_lines` cuts them, the runs of words that
stand twice, as :func:`nearcopy.clean_repeats` does, and the items of test sets, as :func:`nearcopy.decontaminate`
finds them.
"""

try:
    import pyspark
except ModuleNotFoundError:
    raise ModuleNotFoundError("nearcopy.spark needs PySpark 3.5 or later: pip install 'nearcopy[spark]'") from None
if tuple(map(int, pyspark.__version__.split(".")[:2])) < (3, 5):
    raise ImportError(f"nearcopy.spark needs PySpark 3.5 or later, and this is {pyspark.__version__}")

from nearcopy.spark._clean import Cleaned, clean
from nearcopy.spark._cut import Cut
from nearcopy.spark._decontaminate import Decontaminated, decontaminate
from nearcopy.spark._find import find
from nearcopy.spark._lines import clean_lines
from nearcopy.spark._repeats import clean_repeats
from nearcopy.spark._steps import Keep

__all__ = ["Cleaned", "Cut", "Decontaminated", "Keep", "clean", "clean_lines", "clean_repeats", "decontaminate", "find"]
