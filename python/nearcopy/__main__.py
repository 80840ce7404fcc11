"""``python -m nearcopy`` is ``dedup``."""

import sys

from nearcopy._command import main

sys.exit(main())
