"""`python -m cmemory`: the command line."""

from __future__ import annotations

import sys

from cmemory.adapters.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
