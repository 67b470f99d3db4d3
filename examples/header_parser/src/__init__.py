"""Header values, parsed strictly: what is not one is refused with a typed error."""
