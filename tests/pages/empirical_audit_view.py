"""What the tests of the Empirical audit do and look at."""

import re
from urllib.parse import parse_qsl


def headline(view):
    """The verdict, letter by letter as it is shown."""
    (text,) = (text.removeprefix("## ") for text in view.texts if text.startswith("## "))
    return text.replace("\\", "")


def errors(view):
    return [each.value.replace("\\", "") for each in view.app.error]


def infos(view):
    return [each.value.replace("\\", "") for each in view.app.info]


def ranking(view):
    """The listed individuals, as they are shown."""
    found = radio(view, "erank")
    captions = (each.replace("\\", "").replace("\u00a0", " ") for each in found.proto.captions)
    return [f"{number}. {caption}" for number, caption in zip(found.options, captions, strict=True)]


def radio(view, key):
    (found,) = (each for each in view.app.radio if re.fullmatch(rf"{key}(_\w+)?", each.key or ""))
    return found


def rank(view, number):
    """Choose an individual in the ranking."""
    radio(view, "erank").set_value(number)
    return view.run()


def turn(view, key):
    (toggle,) = (each for each in view.app.toggle if each.key == key)
    toggle.set_value(not toggle.value)
    return view.run()


def select(view, key, value):
    view.app.selectbox(key=key).set_value(value)
    return view.run()


def put(view, data, name="zebra4711.csv"):
    view.app.file_uploader[0].set_value((name, data, "text/csv"))
    return view.run()


def link(view):
    return dict(parse_qsl(view.links["full"], keep_blank_values=True))
