"""`python -m cmemory`, and the command `cmemory`: the command line, and the worker beside it.

The worker's arguments and standard output belong to its protocol, and it must start fast; so it is told apart
before anything of the command line is loaded.
"""

from __future__ import annotations

import sys


def main() -> int:
    """Run what the process's arguments ask for and return the exit status."""
    if sys.argv[1:2] == ["worker"]:
        from cmemory.adapters.worker import server

        return server.main(sys.argv[2:])
    from cmemory.adapters.cli.main import main as command_line

    return command_line()


if __name__ == "__main__":
    sys.exit(main())
