"""One run at a time, and others while one waits."""

from threading import Event, Thread

from pages.shared import turns

IN_VAIN = 20  # seconds after which a test gives up


def begun(work):
    thread = Thread(target=work, daemon=True)
    thread.start()
    return thread


def test_a_run_waits_for_the_one_before_it_and_a_part_of_it_does_not():
    inside, end, second = Event(), Event(), Event()

    @turns.turn()
    def first():
        with turns.turn():  # a part of the page, drawn within its run
            inside.set()
            assert end.wait(IN_VAIN)
        assert not second.is_set(), "the end of a part is not the end of the run"

    @turns.turn()
    def other():
        second.set()

    threads = [begun(first)]
    assert inside.wait(IN_VAIN)
    threads.append(begun(other))
    assert not second.wait(0.1)
    end.set()
    for thread in threads:
        thread.join(IN_VAIN)
    assert second.is_set()


def test_while_a_run_waits_another_has_its_turn():
    called, ends = Event(), []

    @turns.turn()
    def waiting():
        ends.append(turns.wait(called, IN_VAIN))

    @turns.turn()
    def calling():
        called.set()

    threads = [begun(waiting), begun(calling)]
    for thread in threads:
        thread.join(IN_VAIN)
    assert ends == [True]
    with turns.turn():
        assert not turns.wait(Event(), 0.01)
    assert turns.wait(called, 0), "outside a turn it only waits"


def test_an_error_ends_a_turn():
    try:
        with turns.turn():
            raise ZeroDivisionError
    except ZeroDivisionError:
        pass
    done = Event()
    begun(turns.turn()(done.set))
    assert done.wait(IN_VAIN)
