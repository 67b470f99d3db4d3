"""The domain lock: its language (`kinds`), its rows (`lock`), its order (`compare`), what may be drawn (`member`)."""
