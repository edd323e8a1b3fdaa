"""What the Dockerfile says, read as an engine reads it. `make container` does it; that takes a minute."""

import ast
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from tools import check_container
from tools.check_container import copied, files, steps

ROOT = Path(__file__).parents[2]
STEPS = steps((ROOT / "Dockerfile").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def in_the_image():
    found = {}
    for name, rest in STEPS:
        if name == "COPY":
            found |= copied(ROOT, rest)
    return set(found.values())


def test_instructions_go_over_several_lines_and_remarks_are_none():
    text = '# a\nFROM  base:1\nRUN one \\\n    # b\n    && two\nCMD ["x"]\n'
    assert steps(text) == [("FROM", "base:1"), ("RUN", "one  && two"), ("CMD", '["x"]')]


def test_the_last_rule_that_fits_says_whether_a_file_is_left_out(tmp_path):
    for name in (
        "a.txt",
        "pages/b.py",
        "pages/__pycache__/b.pyc",
        "pages/deep/c.pyc",
        "pagesx/d.py",
        "other/pages/e.py",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / ".dockerignore").write_text("# remark\n*\n!pages\n!other/pages/*.py\n**/__pycache__\n**/*.pyc\n")
    assert [each.as_posix() for each in files(tmp_path)] == ["other/pages/e.py", "pages/b.py"]
    assert copied(tmp_path, "pages other/pages/e.py at/") == {
        Path("pages/b.py"): Path("at/b.py"),
        Path("other/pages/e.py"): Path("at/e.py"),
    }
    with pytest.raises(ValueError, match="COPY a.txt x: nothing is there by the name of a.txt"):
        copied(tmp_path, "a.txt x")


def test_everything_that_the_app_is_made_of_is_in_the_image_and_nothing_else(in_the_image):
    made_of = {ROOT / name for name in ("app.py", "LICENSE", "requirements.txt", ".streamlit/config.toml")}
    for folder in ("pages", "par_core", "par_distributed", "assets"):
        made_of |= {each for each in (ROOT / folder).rglob("*") if each.is_file() and "__pycache__" not in each.parts}
    assert in_the_image == {each.relative_to(ROOT) for each in made_of}


def test_what_the_app_imports_of_the_project_is_in_the_image(in_the_image):
    ours = {each.stem for each in ROOT.iterdir() if each.is_dir() or each.suffix == ".py"}
    there = {each.parts[0].removesuffix(".py") for each in in_the_image if each.suffix == ".py"}
    assert {"app", "pages", "par_core", "par_distributed"} == there
    for file in in_the_image:
        if file.suffix != ".py":
            continue
        for node in ast.walk(ast.parse((ROOT / file).read_text(encoding="utf-8"))):
            names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
            assert {name.partition(".")[0] for name in names} & ours <= there, file


def test_it_runs_the_app_as_a_user_without_rights_and_says_whether_it_is_healthy():
    said = dict(STEPS)
    assert [name for name, _ in STEPS][-1] == "CMD"
    assert json.loads(said["CMD"]) == ["streamlit", "run", "app.py"]
    made = next(rest for name, rest in STEPS if name == "RUN" and rest.startswith("useradd "))
    assert made.split()[-1] == said["USER"] != "root"
    assert int(made.split("--uid ")[1].split()[0]) >= 1000
    assert [name for name, _ in STEPS if name in ("RUN", "USER")][-1] == "USER", "nothing is installed by that user"
    assert "STREAMLIT_SERVER_ADDRESS=0.0.0.0" in said["ENV"]
    # Streamlit would ask another host for the address of this one.
    assert "STREAMLIT_BROWSER_SERVER_ADDRESS=localhost" in said["ENV"]
    assert "/" not in said["FROM"], "no registry is named"


def test_the_two_containers_are_those_that_the_proxy_asks_for():
    """Ports, path and name; and neither what the server measures nor a page for another name leaves the proxy."""
    proxy = (ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")
    services = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text(encoding="utf-8"))["services"].values()
    ports = [port.rpartition(":") for each in services for port in each["ports"]]
    assert [published for published, _, _ in ports] == re.findall(r"^    server ([\d.:]+);", proxy, re.M)
    assert {within for _, _, within in ports} == {dict(STEPS)["EXPOSE"]}
    path, (name,) = "/privacy/", re.findall(r"server_name ([\w.]+);", proxy)
    for each in services:
        assert each["command"] == [*json.loads(dict(STEPS)["CMD"]), "--server.allowedHosts", name]
        assert path == f"/{each['environment']['STREAMLIT_SERVER_BASE_URL_PATH']}/"
        assert "test" not in each["healthcheck"], "what is asked stands in the Dockerfile"
    assert re.search(r"listen 443 ssl default_server;[^{}]*return 421 ", proxy), "another name"
    places = dict(re.findall(r"location (?:[\^~=]+ )?(\S+) {[^\n]*\n\s+(.+?);", proxy))
    assert places[f"{path}_stcore/metrics"] == "return 404"


@pytest.mark.parametrize(("base", "path"), [("", "/_stcore/health"), ("some/path", "/some/path/_stcore/health")])
def test_health_is_asked_for_below_the_path_too(base, path):
    shell = dict(STEPS)["HEALTHCHECK"].partition("CMD ")[2].replace("python -c", "echo", 1)
    said = subprocess.run(
        shell,
        shell=True,
        env={"STREAMLIT_SERVER_BASE_URL_PATH": base} if base else {},
        capture_output=True,
        text=True,
        check=True,
    )
    assert f"http://127.0.0.1:8501{path}'" in said.stdout


def test_a_client_without_an_engine_counts_as_none(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert check_container.engine() is None
    client = tmp_path / "docker"
    client.write_text("#!/bin/sh\nexit 1\n")
    client.chmod(0o755)
    assert shutil.which("docker") == str(client)
    assert check_container.engine() is None
    client.write_text("#!/bin/sh\nexit 0\n")
    assert check_container.engine() == "docker"
