"""What the tests of the page on the reader's own table do and look at; fields bear the names that they have for the built-in one."""


def put(view, data, name="table.csv"):
    """Choose a file."""
    view.app.file_uploader[0].set_value((name, data, "text/csv"))
    return view.run()


def select(view, key, value):
    _field(view.app.selectbox, key).set_value(value)
    return view.run()


def chosen(view, key):
    """A list from which a column is chosen."""
    return _field(view.app.selectbox, key)


def write(view, key, text):
    typed(view, key).set_value(text)
    return view.run()


def typed(view, key):
    """A field for text."""
    return _field([*view.app.text_area, *view.app.text_input], key)


def _field(fields, key):
    (field,) = (each for each in fields if each.key in (key, f"_own_table_{key}"))
    return field


def turn(view, key):
    (toggle,) = (each for each in view.app.toggle if (each.key or "").startswith(key))
    toggle.set_value(not toggle.value)
    return view.run()


def cells(view):
    """The table of cells: a grid, or a plain table once it holds the exact answer."""
    (table,) = (each.value for each in [*view.app.dataframe, *view.app.table] if "Within, 95 of 100" in each.value)
    return table


def exact(view):
    """The exact answer, for which the page is asked if it does not show it yet."""
    if "Exact (private)" not in cells(view):
        turn(view, "exact_")
    return [float(text.replace(",", "")) for text in cells(view)["Exact (private)"]]


def errors(view):
    return [each.value.replace("\\", "") for each in view.app.error]


def script_of(code):
    """The functions of a release script."""
    names = {"__name__": "script"}
    exec(compile(code, "release.py", "exec"), names)
    return names
