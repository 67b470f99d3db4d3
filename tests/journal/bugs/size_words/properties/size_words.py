"""Below the largest unit no size reads 1000 or more, and what it reads is the number within half of its last digit."""

from src.size import words

FACTORS = {"B": 1, "kB": 1000, "MB": 1000**2, "GB": 1000**3}


def hold(case):
    power, less = case
    count = 1000**power - less
    number, unit = words(count).split(" ")
    tenths = int(number.replace(".", ""))
    near = abs(tenths * FACTORS[unit] - 10 * count) * 2 <= FACTORS[unit]
    return near and (tenths < 10_000 or unit == "GB")
