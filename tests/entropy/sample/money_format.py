import locale


def shown(amount):
    locale.setlocale(locale.LC_ALL, "")  # hit: environment
    return locale.currency(amount)  # hit: environment


def shown_plain(amount):
    return f"{amount:.2f}"  # none
