"""Build the reference of par_core from its docstrings: `python tools/reference_site.py FOLDER`. Its front page runs the examples."""

import subprocess
import sys
import types
import warnings
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import numpy.typing as npt
import pdoc

ALIASES = (types.GenericAlias, types.UnionType, type(npt.ArrayLike), type(Annotated[int, 0]))
ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

import par_core  # noqa: E402


class NDArray:
    """Stands for arrays in signatures, whatever they hold."""

    __module__ = "builtins"  # which is not told

    def __class_getitem__(cls, _: object) -> type:
        return cls


def named(namespace: Mapping[str, object]) -> dict[str, object]:
    """Return what tells each name that is short for other types by itself."""
    aliases = {name for name, each in namespace.items() if isinstance(each, ALIASES) and not isinstance(each, type)}
    plain = {name: type(name.strip("_"), (), {"__module__": "builtins"}) for name in aliases}
    return {**plain, "NDArray": NDArray}


def example(script: Path) -> str:
    """Return an example and what it prints, as Markdown."""
    question, _, code = script.read_text(encoding="utf-8").partition('"""\n\n')
    command = [sys.executable, "-X", "utf8", str(script)]
    with TemporaryDirectory() as folder:
        done = subprocess.run(command, cwd=folder, env={"PYTHONPATH": str(ROOT)}, capture_output=True, check=True)
    printed = done.stdout.decode("utf-8")
    return f"### {question.removeprefix(chr(34) * 3)}\n\n```python\n{code}```\n\n```text\n{printed}```\n"


def main(folder: Path) -> None:
    """Write the site into a folder."""
    examples = [example(script) for script in sorted((ROOT / "examples").glob("*.py"))]
    par_core.__doc__ = f"{par_core.__doc__}\n\n## Examples\n\n" + "\n".join(examples)
    for name in par_core.questions.__all__:  # each is loaded when it is asked for, and pdoc does not ask
        vars(par_core.questions)[name] = getattr(par_core.questions, name)
    warnings.filterwarnings("ignore", "Error parsing type annotation")  # of what is imported for types alone
    evaluated = pdoc.doc_types.safe_eval_type
    told = lambda text, names, own, *more: evaluated(text, names, {**(own or {}), **named(names)}, *more)  # noqa: E731
    pdoc.doc_types.safe_eval_type = pdoc.doc.safe_eval_type = told
    pdoc.render.configure(show_source=False, footer_text=f"par_core {par_core.__version__}")
    pdoc.pdoc("par_core", output_directory=folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
