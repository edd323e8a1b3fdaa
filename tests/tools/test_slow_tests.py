"""What `make check` leaves out is chosen by the time of a whole run, and every name on the list is a test."""

import ast
from collections import defaultdict

from tools.slow_tests import LIST, ROOT, slow

TIMES = """<testsuites><testsuite>
  <testcase classname="tests.core.test_a" name="test_of_parts[1-2]" time="0.2"/>
  <testcase classname="tests.core.test_a" name="test_of_parts[2-[x]]" time="0.2"/>
  <testcase classname="tests.core.test_a" name="test_quick" time="0.2"/>
  <testcase classname="tests.browser.test_a" name="test_outside" time="9"/>
</testsuite></testsuites>"""


def test_all_values_of_a_test_count_together(tmp_path):
    times = tmp_path / "times.xml"
    times.write_text(TIMES, encoding="utf-8")
    assert slow(times) == ["tests/core/test_a.py::test_of_parts"]


def test_every_name_on_the_list_is_a_test():
    listed = defaultdict(set)
    for line in LIST.read_text("utf-8").splitlines():
        file, _, name = line.partition("::")
        listed[file].add(name)
    for file, names in listed.items():
        tree = ast.parse((ROOT / file).read_text("utf-8"))
        assert names <= {each.name for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)}, file
