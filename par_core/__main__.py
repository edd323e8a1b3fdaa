"""The command line, where the package is run: `python -m par_core`."""

from par_core.cli import par

if __name__ == "__main__":
    par()
