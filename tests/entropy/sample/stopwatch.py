import timeit
from contextlib import contextmanager
from time import perf_counter, process_time


@contextmanager
def stopwatch(out):
    started = perf_counter()  # hit: clock
    yield
    out.append(perf_counter() - started)  # hit: clock


def cpu():
    return process_time()  # hit: clock


def compare(statement):
    return timeit.timeit(statement)  # hit: clock
