"""A fake clock stands still until it is read with a tick, advanced or slept on, and never goes back."""

from datetime import datetime, timedelta

from clock import FakeClock


def hold(case):
    try:
        clock = FakeClock(case["start"], tick_ms=case.get("tick_ms", 0))
    except ValueError as error:
        return case.get("refuse", "(none)") in str(error)
    if "refuse" in case:
        return False
    reads, slept = 0, []
    for verb, value in case["steps"]:
        if verb == "now":
            reads += 1
            moment = clock.now()
            if moment != datetime.fromisoformat(value) or moment.utcoffset() is None:
                return False
        elif verb == "time":
            reads += 1
            if clock.time() != value:
                return False
        elif verb == "back":
            try:
                clock.advance_ms(-value)
                return False
            except ValueError:
                pass
            try:
                clock.sleep(-value)
                return False
            except ValueError:
                pass
        elif verb == "sleep":
            slept.append(value)
            clock.sleep(value)
        else:
            clock.advance_ms(value)
    if list(clock.slept) != slept or clock.reads != reads:
        return False
    return clock.now() - datetime.fromisoformat(case["end"]) == timedelta(0)
