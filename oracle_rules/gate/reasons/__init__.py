"""The reason codes by lane, as data: (code, lane, meaning, what to do). `gate/codes.py` makes the catalogue of them."""
