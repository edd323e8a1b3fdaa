"""How scripts give up, and open files."""

import sys


def stop(message):
    """Give up with a message; it is for you only."""
    raise SystemExit(message)


def opened(path, **how):
    """Open a file to read; without it there is nothing to do."""
    try:
        return open(path, **how)
    except OSError as error:
        print(f"{path} cannot be read: {error.strerror}", file=sys.stderr)
        raise SystemExit(2) from None
